"""Customers, their addresses, the stores and who works in them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np

from inquery.demo import phrases as words
from inquery.demo.randomness import Array, Columns, Draw, years_before

CUSTOMERS = 5000
STAFF_PER_STORE = (8, 13)


@dataclass(frozen=True)
class People:
    """The rows, and what orders need to know about them."""

    tables: dict[str, Columns]
    registered: Array
    customer_weight: Array
    corporate: Array
    address_first: Array
    address_count: Array
    store_opened: Array
    store_weight: Array
    staff: list[tuple[Array, Array]]
    """Per store: hire days ascending and the employees hired then."""


def make_people(draw: Draw) -> People:
    """All people and stores."""
    customers, registered, places = _customers(draw)
    counts = draw.rng.choice([1, 2, 3], CUSTOMERS, p=[0.68, 0.25, 0.07])
    stores, opened = _stores(draw)
    employees, managers, staff = _employees(draw, opened)
    stores.append(managers)
    weight = draw.rng.lognormal(0, 1.0, CUSTOMERS)
    weight[draw.rng.random(CUSTOMERS) < 0.07] = 0
    weight[0] = 1  # the first one always may order, so that every day has a customer
    return People(
        tables={
            "customers": customers,
            "addresses": _addresses(draw, places, counts),
            "stores": stores,
            "employees": employees,
        },
        registered=registered,
        customer_weight=weight,
        corporate=np.array([segment == "corporate" for segment in customers[9]]),
        address_first=np.concatenate([[1], 1 + np.cumsum(counts)[:-1]]),
        address_count=counts,
        store_opened=opened,
        store_weight=draw.rng.uniform(0.7, 1.6, len(words.STORES)),
        staff=staff,
    )


def _names(draw: Draw, foreign: list[bool]) -> list[str]:
    """Names in Chinese characters, in pinyin and foreign ones."""
    n = len(foreign)
    chinese = [a + b for a, b in zip(draw.pick(words.SURNAMES_ZH, n), draw.pick(words.GIVEN_ZH, n), strict=True)]
    pinyin = [
        f"{b} {a}" for a, b in zip(draw.pick(words.SURNAMES_PINYIN, n), draw.pick(words.GIVEN_PINYIN, n), strict=True)
    ]
    abroad = [
        f"{b} {a}" for a, b in zip(draw.pick(words.SURNAMES_FOREIGN, n), draw.pick(words.GIVEN_FOREIGN, n), strict=True)
    ]
    latin = draw.rng.random(n) < 0.2
    return [abroad[i] if foreign[i] else pinyin[i] if latin[i] else chinese[i] for i in range(n)]


def _customers(draw: Draw) -> tuple[Columns, Array, list[tuple[str, str, str, str, float]]]:
    n, rng = CUSTOMERS, draw.rng
    early = draw.between(years_before(draw.start, 2), draw.start - datetime.timedelta(days=1), n // 2)
    late = draw.between(draw.start, draw.today, n - n // 2)
    registered = np.sort(np.concatenate([early, late]))
    places = draw.pick(words.CITIES, n, [city[4] for city in words.CITIES])
    names = _names(draw, [place[2] != "China" for place in places])
    adult = years_before(draw.today, 18)
    births = draw.between(years_before(draw.today, 75), adult, n)
    hosts = draw.pick(("example.com", "example.cn", "example.org"), n)
    emails = [
        f"user{i + 1}@{host}" if keep else None
        for i, (host, keep) in enumerate(zip(hosts, rng.random(n) > 0.08, strict=True))
    ]
    numbers = rng.integers(10_000_000, 99_999_999, n).tolist()
    phones = [
        (f"139{number}" if place[2] == "China" else f"+{number}") if keep else None
        for number, place, keep in zip(numbers, places, rng.random(n) > 0.12, strict=True)
    ]
    columns: Columns = [
        range(1, n + 1),
        names,
        draw.pick("MF", n, [0.48, 0.52]),
        draw.dates(births),
        emails,
        phones,
        [place[0] for place in places],
        [place[1] for place in places],
        [place[2] for place in places],
        draw.pick(("consumer", "corporate", "small_business"), n, [0.72, 0.12, 0.16]),
        draw.dates(registered),
    ]
    return columns, registered, places


def _addresses(draw: Draw, places: list[tuple[str, str, str, str, float]], counts: Array) -> Columns:
    owners = np.repeat(np.arange(1, CUSTOMERS + 1), counts).tolist()
    first = [True] + [a != b for a, b in zip(owners[1:], owners, strict=False)]
    elsewhere = draw.pick(words.CITIES, len(owners), [city[4] for city in words.CITIES])
    moved = draw.rng.random(len(owners)) < 0.4
    sites = [elsewhere[i] if moved[i] and not first[i] else places[owner - 1] for i, owner in enumerate(owners)]
    numbers = draw.rng.integers(1, 999, len(owners)).tolist()
    zh, en = draw.pick(words.STREETS_ZH, len(owners)), draw.pick(words.STREETS_EN, len(owners))
    lines = [
        f"{zh[i]}{numbers[i]}号" if site[2] == "China" else f"{numbers[i]} {en[i]}" for i, site in enumerate(sites)
    ]
    codes = draw.rng.integers(100, 999, len(owners)).tolist()
    return [
        range(1, len(owners) + 1),
        owners,
        lines,
        [site[0] for site in sites],
        [site[1] for site in sites],
        [f"{site[3]}{code}" for site, code in zip(sites, codes, strict=True)],
        [site[2] for site in sites],
    ]


def _stores(draw: Draw) -> tuple[Columns, Array]:
    """All but one opened before the data begins; that one opened last year."""
    n = len(words.STORES)
    opened = draw.between(years_before(draw.start, 6), draw.start - datetime.timedelta(days=200), n)
    last_year = datetime.date(draw.today.year - 1, 3, 1)
    opened[-1] = draw.between(last_year, last_year + datetime.timedelta(days=180), 1)[0]
    names, cities, regions = zip(*words.STORES, strict=True)
    return [range(1, n + 1), names, cities, regions, draw.dates(opened)], opened


def _employees(draw: Draw, opened: Array) -> tuple[Columns, list[int], list[tuple[Array, Array]]]:
    """A general manager, one manager a store, and staff who report to their store's manager."""
    rng = draw.rng
    rows: list[tuple[str, int, int | None, int, float]] = [("General Manager", 1, None, int(opened[:-1].min()), 38000)]
    managers: list[int] = []
    staff: list[tuple[Array, Array]] = []
    for index, day in enumerate(opened.tolist()):
        rows.append(("Store Manager", index + 1, 1, day, float(rng.integers(180, 260) * 100)))
        managers.append(len(rows))
        size = int(rng.integers(*STAFF_PER_STORE))
        hired = np.where(rng.random(size) < 0.3, draw.between(draw.start, draw.today, size), day)
        hired = np.sort(np.maximum(hired, day))
        hired[0] = day
        ids = np.arange(len(rows) + 1, len(rows) + 1 + size)
        titles = draw.pick(words.TITLES, size, [5, 3, 2, 1.5, 1, 1])
        pay = (rng.integers(50, 110, size) * 100).tolist()
        rows += [(titles[i], index + 1, managers[-1], int(hired[i]), float(pay[i])) for i in range(size)]
        staff.append((hired, ids))
    titles_, stores, bosses, days, salaries = zip(*rows, strict=True)
    names = _names(draw, (rng.random(len(rows)) < 0.06).tolist())
    columns: Columns = [range(1, len(rows) + 1), names, titles_, stores, bosses, draw.dates(np.array(days)), salaries]
    return columns, managers, staff
