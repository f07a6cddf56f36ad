"""Categories, suppliers, products with their price history, promotions and stock."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np

from inquery.demo import phrases as words
from inquery.demo.randomness import Array, Columns, Draw, years_before

PRODUCTS = 600
NEVER_SOLD = 18
PRICE_CHANGES = 3


@dataclass(frozen=True)
class Goods:
    """The rows, and what orders need to know about them. Product arrays are indexed by product_id - 1."""

    tables: dict[str, Columns]
    launched: Array
    withdrawn: Array
    weight: Array
    price: Array
    change_days: Array
    factors: Array
    category: Array
    promotions: list[tuple[int, int, float]]
    """First day, last day and rate, by promotion_id - 1."""

    def unit_price(self, product: Array, day: Array) -> Array:
        """Cents asked for a product on a day: the list price came about in steps."""
        step = (day[:, None] >= self.change_days[product]).sum(axis=1)
        cents: Array = np.rint(self.price[product] * self.factors[product, step]).astype(np.int64)
        return cents


def make_goods(draw: Draw) -> Goods:
    """Everything that can be sold and where it lies."""
    launched = np.sort(
        np.concatenate(
            [
                draw.between(years_before(draw.start, 3), draw.start - datetime.timedelta(days=1), PRODUCTS * 6 // 10),
                draw.between(draw.start, draw.today - datetime.timedelta(days=20), PRODUCTS - PRODUCTS * 6 // 10),
            ]
        )
    )
    category = draw.rng.permutation(np.arange(PRODUCTS) % len(words.CATEGORIES))
    price = _prices(draw, category)
    withdrawn = np.full(PRODUCTS, draw.days + 1)
    gone = draw.rng.choice(np.arange(20, PRODUCTS * 6 // 10), 48, replace=False)
    withdrawn[gone] = draw.rng.integers(draw.days // 3, draw.days - 5, len(gone))
    popularity = np.array([words.CATEGORIES[c].weight for c in category.tolist()])
    weight = popularity * draw.rng.lognormal(0, 0.9, PRODUCTS)
    weight[draw.rng.choice(np.arange(20, PRODUCTS), NEVER_SOLD, replace=False)] = 0
    promotions, promotion_days = _promotions(draw)
    change_days = np.sort(draw.rng.integers(30, draw.days - 10, (PRODUCTS, PRICE_CHANGES)), axis=1)
    return Goods(
        tables={
            "categories": _categories(),
            "suppliers": _suppliers(draw),
            "products": _products(draw, category, price, launched, withdrawn),
            "promotions": promotions,
            "inventory": _inventory(draw, withdrawn),
        },
        launched=launched,
        withdrawn=withdrawn,
        weight=weight,
        price=price,
        change_days=change_days,
        factors=_factors(draw),
        category=category,
        promotions=promotion_days,
    )


def _prices(draw: Draw, category: Array) -> Array:
    """List prices in cents, ending in .00 or .90."""
    low = np.array([c.low for c in words.CATEGORIES])[category]
    high = np.array([c.high for c in words.CATEGORIES])[category]
    # Squared, so that cheap goods are more common than dear ones.
    yuan = np.floor(low + (high - low) * draw.rng.random(len(category)) ** 2)
    cents: Array = (yuan * 100 - np.where(draw.rng.random(len(category)) < 0.5, 10, 0)).astype(np.int64)
    return cents


def _factors(draw: Draw) -> Array:
    """Earlier prices as multiples of today's; three in ten products never changed."""
    factors = draw.rng.choice([0.85, 0.9, 0.95, 1.05, 1.1, 1.2], (PRODUCTS, PRICE_CHANGES + 1))
    factors[draw.rng.random(PRODUCTS) < 0.3] = 1
    factors[:, -1] = 1
    return factors


def _categories() -> Columns:
    number = {category.code: index for index, category in enumerate(words.CATEGORIES, 1)}
    return [
        list(number.values()),
        [number.get(category.parent) for category in words.CATEGORIES],
        list(number),
        [category.en for category in words.CATEGORIES],
        [category.zh for category in words.CATEGORIES],
    ]


def _suppliers(draw: Draw) -> Columns:
    names, countries = zip(*words.SUPPLIERS, strict=True)
    ratings = (draw.rng.integers(25, 51, len(names)) / 10).tolist()
    return [range(1, len(names) + 1), names, countries, ratings]


def _products(draw: Draw, category: Array, price: Array, launched: Array, withdrawn: Array) -> Columns:
    brands, series = draw.pick(words.BRANDS, PRODUCTS), draw.pick(words.SERIES, PRODUCTS)
    numbers = draw.rng.integers(1, 10, PRODUCTS).tolist()
    english, chinese, seen = [], [], set()
    for i, c in enumerate(category.tolist()):
        goods = words.CATEGORIES[c].goods
        en, zh = goods[int(draw.rng.integers(len(goods)))]
        number = numbers[i]
        while (brands[i], en, series[i], number) in seen:
            number += 1
        seen.add((brands[i], en, series[i], number))
        english.append(f"{brands[i]} {en} {series[i]} {number}")
        chinese.append(f"{brands[i]} {zh} {series[i]} {number}")
    supplier = draw.rng.integers(1, len(words.SUPPLIERS), PRODUCTS)  # the last supplier is left without a product
    supplier[: len(words.SUPPLIERS) - 1] = np.arange(1, len(words.SUPPLIERS))
    cost = np.rint(price * draw.rng.uniform(0.5, 0.8, PRODUCTS)).astype(np.int64)
    return [
        range(1, PRODUCTS + 1),
        english,
        chinese,
        brands,
        (category + 1).tolist(),
        supplier.tolist(),
        (price / 100).tolist(),
        (cost / 100).tolist(),
        draw.dates(launched),
        (withdrawn <= draw.days).astype(int).tolist(),
    ]


def _promotions(draw: Draw) -> tuple[Columns, list[tuple[int, int, float]]]:
    """Every promotion of every year that touches the data, oldest first."""
    held = []
    for year in range(draw.start.year, draw.today.year + 1):
        for name, kind, rate, (month, day), length in words.PROMOTIONS:
            starts = datetime.date(year, month, day)
            ends = starts + datetime.timedelta(days=length - 1)
            if ends >= draw.start and starts <= draw.today:
                held.append((starts, ends, f"{name} {year}", kind, rate))
    held.sort()
    rows = [(i, name, kind, rate, str(a), str(b)) for i, (a, b, name, kind, rate) in enumerate(held, 1)]
    days = [((a - draw.start).days, (b - draw.start).days, rate) for a, b, _, _, rate in held]
    return [list(column) for column in zip(*rows, strict=True)], days


def _inventory(draw: Draw, withdrawn: Array) -> Columns:
    """Most products lie in most stores; some are out of stock or below their reorder level."""
    products = np.repeat(np.arange(PRODUCTS), len(words.STORES))
    stores = np.tile(np.arange(len(words.STORES)), PRODUCTS)
    kept = draw.rng.random(len(products)) < 0.85
    products, stores = products[kept], stores[kept]
    levels = draw.rng.choice([5, 10, 15, 20, 30], len(products))
    quantity = draw.rng.negative_binomial(2, 0.035, len(products))
    quantity[(draw.rng.random(len(products)) < 0.03) | (withdrawn[products] <= draw.days)] = 0
    moments = draw.last_second - draw.rng.integers(0, 14 * 86_400, len(products))
    return [(products + 1).tolist(), (stores + 1).tolist(), quantity.tolist(), levels.tolist(), draw.times(moments)]
