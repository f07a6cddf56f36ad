"""Orders, their items, payments and returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inquery.demo import phrases as words
from inquery.demo.goods import Goods
from inquery.demo.people import People
from inquery.demo.randomness import Array, Columns, Draw, money, or_null, pick_available

ORDERS = 45_000
STATUSES = ("pending", "paid", "shipped", "completed", "cancelled")
CHANNELS = ("web", "app", "store")
# Share of each status by the age of an online order in days; orders in a store are settled at once.
STATUS_BY_AGE = (
    (2, (0.35, 0.60, 0.00, 0.00, 0.05)),
    (6, (0.05, 0.20, 0.64, 0.05, 0.06)),
    (13, (0.02, 0.02, 0.23, 0.65, 0.08)),
    (10_000, (0.007, 0.008, 0.010, 0.900, 0.075)),
)
STATUS_IN_STORE = (0.0, 0.0, 0.0, 0.97, 0.03)
METHODS = ("alipay", "wechat_pay", "credit_card", "bank_transfer", "cash")
METHOD_SHARES = {
    "consumer": (0.42, 0.38, 0.18, 0.02, 0.0),
    "corporate": (0.12, 0.08, 0.25, 0.55, 0.0),
    "store": (0.30, 0.32, 0.20, 0.0, 0.18),
}
MONTH_FACTOR = (1.0, 0.85, 0.95, 0.95, 1.0, 1.2, 0.95, 0.95, 1.0, 1.05, 1.65, 1.15)
WEEKEND_FACTOR = 1.4
REASONS = ("defect", "wrong_item", "damaged", "late", "no_longer_needed")


@dataclass(frozen=True)
class Trade:
    """The rows, and what reviews need to know about them."""

    tables: dict[str, Columns]
    item_product: Array
    item_customer: Array
    item_second: Array
    item_completed: Array


def make_trade(draw: Draw, people: People, goods: Goods) -> Trade:
    """Three years of orders, oldest first."""
    rng = draw.rng
    day, second = _moments(draw)
    customer = pick_available(rng, people.registered, people.customer_weight, day)
    channel = rng.choice(3, ORDERS, p=[0.38, 0.34, 0.28])
    status = _statuses(draw, day, channel)
    promotion = _promotion_of(draw, goods, day)
    order, product, quantity, unit, discount = _items(draw, people, goods, day, customer, promotion)
    line = quantity * unit - discount
    total = np.bincount(order, weights=line, minlength=ORDERS).astype(np.int64)
    completed = status[order] == STATUSES.index("completed")
    tables = {
        "orders": _order_rows(draw, people, day, second, customer, channel, status, promotion, total),
        "order_items": [
            range(1, len(order) + 1),
            (order + 1).tolist(),
            (product + 1).tolist(),
            quantity.tolist(),
            money(unit),
            money(discount),
        ],
        "payments": _payments(draw, people, second, customer, channel, status, total),
        "returns": _returns(draw, goods, second[order], completed, product, quantity, line),
    }
    return Trade(tables, product, customer[order], second[order], completed)


def _moments(draw: Draw) -> tuple[Array, Array]:
    """Days and seconds of the orders: growth, weekends, November, and busy evenings."""
    weekday, month = draw.calendar()
    weights = 1 + 0.35 * np.arange(draw.days) / draw.days
    weights *= np.where(weekday >= 5, WEEKEND_FACTOR, 1.0) * np.array(MONTH_FACTOR)[month - 1]
    weights *= draw.rng.uniform(0.85, 1.15, draw.days)
    day = draw.rng.choice(draw.days, ORDERS, p=weights / weights.sum())
    day[: draw.days] = np.arange(draw.days)  # no day is empty
    hours = np.array([1, 0.5, 0.3, 0.2, 0.2, 0.4, 1, 2, 4, 6, 7, 7, 7, 6, 6, 6, 6, 6, 7, 8, 9, 9, 6, 3])
    hour = draw.rng.choice(24, ORDERS, p=hours / hours.sum())
    second = np.sort(day * 86_400 + hour * 3600 + draw.rng.integers(0, 3600, ORDERS))
    return second // 86_400, second


def _statuses(draw: Draw, day: Array, channel: Array) -> Array:
    age = draw.days - 1 - day
    bucket = np.searchsorted([limit for limit, _ in STATUS_BY_AGE], age, side="right")
    shares = np.array([share for _, share in STATUS_BY_AGE] + [STATUS_IN_STORE])
    row = np.where(channel == CHANNELS.index("store"), len(STATUS_BY_AGE), bucket)
    return _choose(draw, shares[row])


def _choose(draw: Draw, shares: Array) -> Array:
    """One column index a row, by that row's shares."""
    passed: Array = draw.rng.random(len(shares))[:, None] >= np.cumsum(shares, axis=1)[:, :-1]
    return np.asarray(passed.sum(axis=1))


def _promotion_of(draw: Draw, goods: Goods, day: Array) -> Array:
    """The promotion an order used, or -1; under half of the orders in its days use one."""
    used = np.full(len(day), -1)
    for index, (first, last, _) in enumerate(goods.promotions):
        used[(day >= first) & (day <= last) & (draw.rng.random(len(day)) < 0.45)] = index
    return used


def _items(
    draw: Draw, people: People, goods: Goods, day: Array, customer: Array, promotion: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Order, product, quantity, unit price and discount (cents) of every item; a product once an order."""
    rng = draw.rng
    order = np.repeat(np.arange(ORDERS), 1 + np.minimum(rng.poisson(1.5, ORDERS), 7))
    product = pick_available(rng, goods.launched, goods.weight, day[order])
    late = day[order] > goods.withdrawn[product]
    lasting = np.where(goods.withdrawn <= draw.days, 0, goods.weight)
    product[late] = pick_available(rng, goods.launched, lasting, day[order][late])
    pairs = np.unique(order * 1000 + product)
    order, product = pairs // 1000, pairs % 1000
    unit = goods.unit_price(product, day[order])
    cheap = unit < 20_000
    quantity = (
        1
        + rng.poisson(np.where(cheap, 0.6, 0.08))
        + np.where(people.corporate[customer[order]], rng.poisson(0.8, len(order)), 0)
    )
    rates = np.array([rate for _, _, rate in goods.promotions] + [0.0])[promotion[order]]
    rates = np.where((rates == 0) & (rng.random(len(order)) < 0.04), 0.05, rates)
    return order, product, quantity, unit, np.rint(quantity * unit * rates).astype(np.int64)


def _order_rows(
    draw: Draw,
    people: People,
    day: Array,
    second: Array,
    customer: Array,
    channel: Array,
    status: Array,
    promotion: Array,
    total: Array,
) -> Columns:
    rng, in_store = draw.rng, channel == CHANNELS.index("store")
    store = rng.choice(len(words.STORES), ORDERS, p=people.store_weight / people.store_weight.sum())
    closed = people.store_opened[store] > day
    store[closed] = rng.integers(0, len(words.STORES) - 1, int(closed.sum()))  # the last store is the new one
    seller = np.zeros(ORDERS, int)
    for index, (hired, ids) in enumerate(people.staff):
        here = store == index
        known = np.maximum(np.searchsorted(hired, day[here], side="right"), 1)
        seller[here] = ids[(rng.random(len(known)) * known).astype(int)]
    first, count = people.address_first[customer], people.address_count[customer]
    ship = first + (rng.random(ORDERS) ** 2 * count).astype(int)
    bill = np.where(rng.random(ORDERS) < 0.8, ship, first)
    return [
        range(1, ORDERS + 1),
        (customer + 1).tolist(),
        or_null(store + 1, in_store),
        or_null(seller, in_store),
        draw.times(second),
        [STATUSES[i] for i in status],
        [CHANNELS[i] for i in channel],
        ship.tolist(),
        bill.tolist(),
        or_null(promotion + 1, promotion >= 0),
        money(total),
    ]


def _payments(
    draw: Draw, people: People, second: Array, customer: Array, channel: Array, status: Array, total: Array
) -> Columns:
    """Settled orders are paid, some after a failed attempt; pending and cancelled ones mostly are not."""
    rng = draw.rng
    shares = np.array(list(METHOD_SHARES.values()))
    row = np.where(channel == CHANNELS.index("store"), 2, people.corporate[customer].astype(int))
    method = _choose(draw, shares[row])
    luck = rng.random(ORDERS)
    open_, void = status == STATUSES.index("pending"), status == STATUSES.index("cancelled")
    settled = ~open_ & ~void
    failed = np.flatnonzero((settled & (luck < 0.03)) | (open_ & (luck < 0.15)) | (void & (luck < 0.2)))
    done, back = np.flatnonzero(settled), np.flatnonzero(void & (luck > 0.55))
    order = np.concatenate([failed, done, back])
    outcome = np.repeat([0, 1, 2], [len(failed), len(done), len(back)])
    delay = rng.exponential(240, len(order)) + np.where(outcome > 0, 300, 0)
    delay += np.where(METHODS.index("bank_transfer") == method[order], 43_200, 0)
    paid = second[order] + delay.astype(int)
    rank = np.argsort(paid, kind="stable")
    order, outcome, paid = order[rank], outcome[rank], paid[rank]
    names = ("failed", "succeeded", "refunded")
    return [
        range(1, len(order) + 1),
        (order + 1).tolist(),
        [METHODS[i] for i in method[order]],
        money(total[order]),
        draw.times(paid),
        [names[i] for i in outcome],
    ]


def _returns(
    draw: Draw, goods: Goods, second: Array, completed: Array, product: Array, quantity: Array, line: Array
) -> Columns:
    """Clothes and shoes come back most often; nothing comes back after today."""
    rng = draw.rng
    often = np.array([category.code in {"clothing", "shoes"} for category in words.CATEGORIES])
    rate = np.where(often[goods.category[product]], 0.10, 0.04)
    moment = second + rng.integers(2 * 86_400, 30 * 86_400, len(second))
    item = np.flatnonzero(completed & (rng.random(len(second)) < rate) & (moment <= draw.last_second))
    item = item[np.argsort(moment[item], kind="stable")]
    taken = 1 + (rng.random(len(item)) * quantity[item]).astype(int)
    refund = line[item] * taken // quantity[item]
    return [
        range(1, len(item) + 1),
        (item + 1).tolist(),
        draw.times(moment[item]),
        taken.tolist(),
        draw.pick(REASONS, len(item), [0.25, 0.12, 0.15, 0.13, 0.35]),
        money(refund),
    ]
