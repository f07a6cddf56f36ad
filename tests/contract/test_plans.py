"""Every kind of plan gives on every engine what plain Python computes from the same rows, sharing no code with it."""

import dataclasses
import datetime
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import connect

from inquery.databases.executor import execute as executor
from inquery.knowledge.glossary import parse_glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.plan_types import Plan
from inquery.sql import Catalog, check
from inquery.sql.catalog import Join

TODAY = datetime.date(2025, 11, 16)
CHOICE = random.Random(11)


class Order(NamedTuple):
    id: int
    client_id: int
    shop_id: int | None
    placed_on: datetime.date
    state: str
    way: str


class Line(NamedTuple):
    id: int
    order_id: int
    item_id: int
    pieces: int
    price: Decimal


CLIENTS = [(n, f"client {n % 9}", ("private", "firm")[n % 2]) for n in range(1, 75)]  # two clients may be called alike
SHOPS = [(1, "harbour", "east"), (2, "hill", "east"), (3, "mill", "west")]
CLERKS = [(1, datetime.date(2023, 5, 1), 1), (2, datetime.date(2025, 2, 1), 1), (3, datetime.date(2024, 9, 1), 2)]
ITEMS = [(n, f"item {n}", ("alpha", "beta", "gamma")[n % 3]) for n in range(1, 10)]


def some_day() -> datetime.date:
    day = datetime.date(2024, 1, 1) + datetime.timedelta(CHOICE.randrange(0, 685))
    # No orders in two months, so that a series has holes.
    return day if (day.year, day.month) not in {(2025, 4), (2025, 5)} else datetime.date(2025, 6, 3)


ORDERS = [
    Order(
        n,
        min(CHOICE.randint(1, 70) for _ in range(3)),  # some come often, some once
        CHOICE.choice([None, 1, 2, 3]),
        some_day(),
        CHOICE.choice(["done", "done", "done", "void"]),
        CHOICE.choice(["web", "app", "desk"]),
    )
    for n in range(1, 261)
]
LINES = [
    Line(n, order.id, CHOICE.randint(1, 9), CHOICE.randint(1, 5), Decimal(CHOICE.randint(100, 9000)) / 100)
    for n, order in enumerate([order for order in ORDERS for _ in range(CHOICE.randint(1, 3))], 1)
]
TABLES = [
    TableSpec(
        "client",
        [ColumnSpec("id", nullable=False), ColumnSpec("name", "text"), ColumnSpec("sort", "text")],
        CLIENTS,
        ["id"],
    ),
    TableSpec(
        "shop",
        [ColumnSpec("id", nullable=False), ColumnSpec("name", "text"), ColumnSpec("area", "text")],
        SHOPS,
        ["id"],
    ),
    TableSpec(
        "clerk",
        [ColumnSpec("id", nullable=False), ColumnSpec("hired_on", "date"), ColumnSpec("shop_id")],
        CLERKS,
        ["id"],
    ),
    TableSpec(
        "item",
        [ColumnSpec("id", nullable=False), ColumnSpec("name", "text"), ColumnSpec("make", "text")],
        ITEMS,
        ["id"],
    ),
    TableSpec(
        "sale_order",
        [
            ColumnSpec("id", nullable=False),
            ColumnSpec("client_id"),
            ColumnSpec("shop_id"),
            ColumnSpec("placed_on", "date"),
            ColumnSpec("state", "text"),
            ColumnSpec("way", "text"),
        ],
        ORDERS,
        ["id"],
    ),
    TableSpec(
        "line",
        [
            ColumnSpec("id", nullable=False),
            ColumnSpec("order_id"),
            ColumnSpec("item_id"),
            ColumnSpec("pieces"),
            ColumnSpec("price", "decimal"),
        ],
        LINES,
        ["id"],
    ),
]
EDGES = [
    ("clerk", "shop_id", "shop"),
    ("line", "order_id", "sale_order"),
    ("line", "item_id", "item"),
    ("sale_order", "client_id", "client"),
    ("sale_order", "shop_id", "shop"),
]
GLOSSARY = parse_glossary(
    {
        "metrics": {
            "takings": {
                "expression": "SUM(line.pieces * line.price)",
                "filter": "sale_order.state <> 'void'",
                "tables": ["line", "sale_order"],
                "time": "sale_order.placed_on",
            },
            "orders": {"expression": "COUNT(*)", "tables": ["sale_order"], "time": "sale_order.placed_on"},
            "voided": {
                "expression": "COUNT(*)",
                "filter": "sale_order.state = 'void'",
                "tables": ["sale_order"],
                "time": "sale_order.placed_on",
            },
            "pieces": {
                "expression": "SUM(line.pieces)",
                "tables": ["line", "sale_order"],
                "time": "sale_order.placed_on",
            },
            "clerks": {"expression": "COUNT(*)", "tables": ["clerk"], "time": "none"},
            "void_rate": {"numerator": "voided", "denominator": "orders", "format": "percent"},
            "buyers": {
                "expression": "COUNT(DISTINCT sale_order.client_id)",
                "tables": ["sale_order"],
                "time": "sale_order.placed_on",
            },
            "regulars": {
                "per": "sale_order.client_id",
                "having": "COUNT(*) >= 3",
                "tables": ["sale_order"],
                "time": "sale_order.placed_on",
            },
            "loyalty": {"numerator": "regulars", "denominator": "buyers", "format": "percent"},
            "pieces_per_order": {
                "expression": "AVG(line.pieces)",
                "tables": ["line", "sale_order"],
                "time": "sale_order.placed_on",
            },
        },
        "dimensions": {"sale_order.way": {}, "client.sort": {}, "shop.area": {}, "item.make": {}},
    }
)
ORDER_OF = {order.id: order for order in ORDERS}
MAKE_OF = {item[0]: item[2] for item in ITEMS}
AREA_OF = {shop[0]: shop[2] for shop in SHOPS}
SORT_OF = {client[0]: client[2] for client in CLIENTS}
Y24 = {"start": "2024-01-01", "end": "2025-01-01", "grain": "year"}
Y25 = {"start": "2025-01-01", "end": "2026-01-01", "grain": "year"}


def sales(year: int | None = None) -> Iterable[tuple[Line, Order, float]]:
    for line in LINES:
        order = ORDER_OF[line.order_id]
        if order.state != "void" and year in (None, order.placed_on.year):
            yield line, order, float(line.pieces * line.price)


def added(key: Callable[[Line, Order], Any], year: int | None = None) -> dict[Any, float]:
    found: dict[Any, float] = defaultdict(float)
    for line, order, money in sales(year):
        if key(line, order) is not None:
            found[key(line, order)] += money
    return dict(found)


def total(year: int) -> float:
    return sum(money for _, _, money in sales(year))


def month(day: datetime.date) -> str:
    return f"{day.year}-{day.month:02d}"


MONTHS_25 = [f"2025-{n:02d}" for n in range(1, 12)]  # December has not begun
BY_MONTH = added(lambda _, order: month(order.placed_on))
CLIENTS_IN = {year: {order.client_id for order in ORDERS if order.placed_on.year == year} for year in (2024, 2025)}


def by_way(year: int) -> dict[str, float]:
    return added(lambda _, order: order.way, year)


def online_and_desk() -> tuple[float, float]:
    ways = by_way(2025)
    return ways["web"] + ways["app"], ways["desk"]


def rate(now: float, then: float) -> float | None:
    return (now - then) * 100 / abs(then) if then else None


def growth_rows() -> list[tuple[Any, ...]]:
    labels = ["2024-12", *MONTHS_25]
    rows = []
    for earlier, label in itertools.pairwise(labels):
        now, then = BY_MONTH.get(label, 0.0), BY_MONTH.get(earlier, 0.0)
        if label == "2025-11":  # not over on the sixteenth
            rows.append((label, now, None, None, None))
        else:
            rows.append((label, now, then, now - then, rate(now, then)))
    return rows


def top_two_makes() -> list[tuple[Any, ...]]:
    both = added(lambda line, order: (order.way, MAKE_OF[line.item_id]), 2025)
    rows = []
    for way in sorted({way for way, _ in both}):
        ranked = sorted(((money, make) for (w, make), money in both.items() if w == way), reverse=True)
        rows += [(way, make, money) for money, make in ranked[:2]]
    return rows


def moved() -> list[tuple[Any, ...]]:
    counts: dict[str, int] = defaultdict(int)
    for order in ORDERS:
        counts[month(order.placed_on)] += 1
    labels = ["2024-11", "2024-12", *MONTHS_25]
    series = [counts.get(label, 0) for label in labels]
    return [(labels[i], series[i], sum(series[i - 2 : i + 1]) / 3) for i in range(2, len(labels))]


def ran() -> list[tuple[Any, ...]]:
    rows, so_far = [], 0.0
    for label in MONTHS_25:
        so_far += BY_MONTH.get(label, 0.0)
        rows.append((label, BY_MONTH.get(label, 0.0), so_far))
    return rows


def void_rates() -> list[tuple[Any, ...]]:
    rows = []
    for way in ("app", "desk", "web"):
        of_way = [order for order in ORDERS if order.way == way and order.placed_on.year == 2025]
        rows.append((way, sum(order.state == "void" for order in of_way) * 100 / len(of_way)))
    return rows


def loyalty() -> list[tuple[Any, ...]]:
    times: dict[int, int] = defaultdict(int)
    for order in ORDERS:
        if order.placed_on.year == 2025:
            times[order.client_id] += 1
    return [(sum(n >= 3 for n in times.values()) * 100 / len(times),)]


def buyers_by(way: str) -> set[int]:
    """Who bought in one way in 2025."""
    return {o.client_id for o in ORDERS if o.way == way and o.placed_on.year == 2025}


def in_every_quarter() -> int:
    seen: dict[int, set[int]] = defaultdict(set)
    for order in ORDERS:
        if order.placed_on.year == 2024:
            seen[order.client_id].add((order.placed_on.month - 1) // 3)
    return sum(len(quarters) == 4 for quarters in seen.values())


def with_alpha() -> int:
    holding = {line.order_id for line in LINES if MAKE_OF[line.item_id] == "alpha"}
    return sum(order.id in holding and order.placed_on.year == 2025 for order in ORDERS)


def contributed() -> list[tuple[Any, ...]]:
    now, then = by_way(2025), by_way(2024)
    change = total(2025) - total(2024)
    return [
        (
            way,
            now[way],
            then[way],
            now[way] - then[way],
            rate(now[way], then[way]),
            (now[way] - then[way]) * 100 / change,
        )
        for way in now
    ]


def of_clients(n: int) -> list[tuple[Any, ...]]:
    ranked = sorted(added(lambda _, order: order.client_id, 2025).values(), reverse=True)
    return [(sum(ranked[:n]), sum(ranked), sum(ranked[:n]) * 100 / sum(ranked))]


def buyer_shares() -> list[tuple[Any, ...]]:
    mine: dict[str, set[int]] = defaultdict(set)
    for order in ORDERS:
        if order.placed_on.year == 2025:
            mine[order.way].add(order.client_id)
    return [(way, len(ids), len(ids) * 100 / len(CLIENTS_IN[2025])) for way, ids in mine.items()]


def weekparts() -> list[tuple[Any, ...]]:
    ends = sum(order.placed_on.isoweekday() > 5 for order in ORDERS)
    return [("weekend", ends), ("weekday", len(ORDERS) - ends)]


def fastest() -> list[tuple[Any, ...]]:
    now, then = added(lambda line, _: MAKE_OF[line.item_id], 2025), added(lambda line, _: MAKE_OF[line.item_id], 2024)
    best = max(now, key=lambda make: rate(now[make], then[make]) or -math.inf)
    return [(best, now[best], then[best], now[best] - then[best], rate(now[best], then[best]))]


def furthest_months() -> list[tuple[Any, ...]]:
    of = added(lambda _, order: month(order.placed_on), 2024)
    best, worst = max(of, key=lambda label: of[label]), min(of, key=lambda label: of[label])
    return [(best, of[best], worst, of[worst], of[best] - of[worst])]


def without_shop() -> list[tuple[Any, ...]]:
    own = [order for order in ORDERS if order.placed_on.year == 2025]
    part = sum(order.shop_id is None for order in own)
    return [(part, part * 100 / len(own))]


def shares_in_area() -> list[tuple[Any, ...]]:
    both = added(lambda line, order: (AREA_OF[order.shop_id], MAKE_OF[line.item_id]) if order.shop_id else None, 2025)
    whole: dict[str, float] = defaultdict(float)
    for (area, _), money in both.items():
        whole[area] += money
    return [(area, make, money, money * 100 / whole[area]) for (area, make), money in both.items()]


def pieces_per_order() -> list[tuple[Any, ...]]:
    rows = []
    for way in ("app", "desk", "web"):
        of_way = {order.id for order in ORDERS if order.way == way and order.placed_on.year == 2025}
        rows.append((way, sum(line.pieces for line in LINES if line.order_id in of_way) / len(of_way)))
    return rows


def takings_per_clerk() -> list[tuple[Any, ...]]:
    money = added(lambda _, order: order.shop_id, 2025)
    clerks = {shop: sum(home == shop for _, _, home in CLERKS) for shop, _, _ in SHOPS}
    return [(name, money[shop] / clerks[shop] if clerks[shop] else None) for shop, name, _ in SHOPS]


def furthest_makes() -> list[tuple[Any, ...]]:
    money = added(lambda line, _: MAKE_OF[line.item_id], 2025)
    best, worst = max(money, key=lambda make: money[make]), min(money, key=lambda make: money[make])
    return [(best, money[best], worst, money[worst], money[best] - money[worst])]


def without_orders() -> set[int]:
    """Firms among the clients that ordered nothing by the web in 2025."""
    active = {o.client_id for o in ORDERS if o.placed_on.year == 2025 and o.way == "web"}
    return {client for client, _, sort in CLIENTS if sort == "firm" and client not in active}


def desk_or_app_by_month() -> list[tuple[Any, ...]]:
    rows = []
    for label in MONTHS_25:
        of_month = [order for order in ORDERS if month(order.placed_on) == label]
        part = sum(order.way in ("desk", "app") for order in of_month)
        rows.append((label, part, part * 100 / len(of_month) if of_month else None))
    return rows


SIDES = {
    "dimension": "sale_order.way",
    "sides": [{"name": "online", "values": ["web", "app"]}, {"name": "desk", "values": ["desk"]}],
}
EVERY_WAY = [{"dimension": "sale_order.way", "values": ["web", "app", "desk"]}]
WAY, MAKE, AREA = {"dimension": "sale_order.way"}, {"dimension": "item.make"}, {"dimension": "shop.area"}
MONTHLY = {"unit": "month"}
WEB_FIRMS = [{"dimension": "sale_order.way", "values": ["web"]}, {"dimension": "client.sort", "values": ["firm"]}]
AGAINST_24 = {"against": "period", "period": Y24}
CASES: dict[str, tuple[dict[str, Any], Callable[[], list[tuple[Any, ...]]]]] = {
    "value": ({"measures": ["takings"], "period": Y25}, lambda: [(total(2025),)]),
    "nothing is zero": (
        {"measures": ["takings"], "period": {"start": "2030-01-01", "end": "2031-01-01"}},
        lambda: [(0,)],
    ),
    "two measures of different tables": (
        {"measures": ["takings", "orders"], "groups": [WAY], "period": Y25},
        lambda: [
            (way, money, sum(o.way == way and o.placed_on.year == 2025 for o in ORDERS)) for way, money in by_way(2025).items()
        ],
    ),
    "by month with its holes": (
        {"measures": ["takings"], "groups": [MONTHLY], "period": Y25},
        lambda: [(label, BY_MONTH.get(label, 0.0)) for label in MONTHS_25],
    ),
    "by month and way": (
        {"measures": ["takings"], "groups": [MONTHLY, WAY], "period": Y25},
        lambda: [(*key, money) for key, money in added(lambda _, o: (month(o.placed_on), o.way), 2025).items()],
    ),
    "against the year before": (
        {"measures": ["takings"], "period": Y25, "comparison": AGAINST_24},
        lambda: [(total(2025), total(2024), total(2025) - total(2024), rate(total(2025), total(2024)))],
    ),
    "each month against the last": (
        {"measures": ["takings"], "groups": [MONTHLY], "period": Y25, "comparison": {"against": "previous"}},
        growth_rows,
    ),
    "share of the total": (
        {"measures": ["takings"], "groups": [WAY], "period": Y25, "share": "total"},
        lambda: [(way, money, money * 100 / total(2025)) for way, money in by_way(2025).items()],
    ),
    "share of the parent": (
        {"measures": ["takings"], "groups": [AREA, MAKE], "period": Y25, "share": "parent"},
        shares_in_area,
    ),
    "share of one member": (
        {
            "measures": ["takings"],
            "period": Y25,
            "filters": [{"dimension": "sale_order.way", "values": ["web"]}],
            "share_of": "sale_order.way",
        },
        lambda: [(by_way(2025)["web"], by_way(2025)["web"] * 100 / total(2025))],
    ),
    "share of what is counted once": (
        {"measures": ["buyers"], "groups": [WAY], "period": Y25, "share": "total"},
        buyer_shares,
    ),
    "the first of each group": (
        {"measures": ["takings"], "groups": [WAY, MAKE], "period": Y25, "ranking": {"n": 2, "per_group": True}},
        top_two_makes,
    ),
    "the last": (
        {"measures": ["takings"], "groups": [WAY], "period": Y25, "ranking": {"n": 1, "descending": False}},
        lambda: [min(by_way(2025).items(), key=lambda pair: pair[1])],
    ),
    "members of one name apart": (
        {"measures": ["takings"], "groups": [{"dimension": "client"}], "period": Y25, "ranking": {"n": 4}},
        lambda: [
            (f"client {client % 9}", money)
            for client, money in sorted(added(lambda _, o: o.client_id, 2025).items(), key=lambda p: -p[1])[:4]
        ],
    ),
    "fastest growing": (
        {
            "measures": ["takings"],
            "groups": [MAKE],
            "period": Y25,
            "comparison": AGAINST_24,
            "ranking": {"by": "percent", "n": 1},
        },
        fastest,
    ),
    "one measure over another": (
        {"measures": ["pieces"], "per": "orders", "groups": [WAY], "period": Y25},
        pieces_per_order,
    ),
    "over what has no day": (
        {"measures": ["takings"], "per": "clerks", "groups": [{"dimension": "shop"}], "period": Y25},
        takings_per_clerk,
    ),
    "the highest and the lowest": ({"measures": ["takings"], "groups": [MAKE], "period": Y25, "spread": True}, furthest_makes),
    "the best and the worst month": (
        {"measures": ["takings"], "groups": [MONTHLY], "period": Y24, "spread": True},
        furthest_months,
    ),
    "with any at all": (
        {"measures": ["orders"], "period": Y25, "filters": [{"dimension": "shop", "values": []}]},
        lambda: [(sum(o.shop_id is not None and o.placed_on.year == 2025 for o in ORDERS),)],
    ),
    "share of those without": (
        {
            "measures": ["orders"],
            "period": Y25,
            "filters": [{"dimension": "sale_order.shop_id", "values": [], "negated": True}],
            "share_of": "sale_order.shop_id",
        },
        without_shop,
    ),
    "which were there then and not now": (
        {"measures": ["buyers"], "groups": [{"dimension": "client"}], "period": Y24, "membership": {"also": Y25}},
        lambda: [(f"client {client % 9}",) for client in CLIENTS_IN[2024] - CLIENTS_IN[2025]],
    ),
    "those without any": (
        {
            "measures": ["orders"],
            "groups": [{"dimension": "client"}],
            "period": Y25,
            "filters": WEB_FIRMS,
            "membership": {"absent": True},
        },
        lambda: [(f"client {client % 9}",) for client in without_orders()],
    ),
    "how many are without any": (
        {
            "measures": ["orders"],
            "groups": [{"dimension": "client"}],
            "period": Y25,
            "filters": WEB_FIRMS,
            "membership": {"absent": True},
            "count": True,
        },
        lambda: [(len(without_orders()),)],
    ),
    "share of two members over time": (
        {
            "measures": ["orders"],
            "groups": [MONTHLY],
            "period": Y25,
            "filters": [{"dimension": "sale_order.way", "values": ["desk", "app"]}],
            "share_of": "sale_order.way",
        },
        desk_or_app_by_month,
    ),
    "running total": ({"measures": ["takings"], "groups": [MONTHLY], "period": Y25, "running": True}, ran),
    "moving average": ({"measures": ["orders"], "groups": [MONTHLY], "period": Y25, "moving": {"size": 3}}, moved),
    "above a threshold": (
        {"measures": ["takings"], "groups": [MONTHLY], "period": Y25, "threshold": {"operator": ">", "number": 900}},
        lambda: [(label, BY_MONTH[label]) for label in MONTHS_25 if BY_MONTH.get(label, 0) > 900],
    ),
    "how many are above it": (
        {
            "measures": ["takings"],
            "groups": [{"dimension": "client"}],
            "period": Y25,
            "threshold": {"operator": ">=", "number": 500},
            "count": True,
        },
        lambda: [(sum(money >= 500 for money in added(lambda _, o: o.client_id, 2025).values()),)],
    ),
    "a rate is sum over sum": ({"measures": ["void_rate"], "groups": [WAY], "period": Y25}, void_rates),
    "a rate of members": ({"measures": ["loyalty"], "period": Y25}, loyalty),
    "an average": (
        {"measures": ["pieces_per_order"], "groups": [WAY], "period": Y25},
        lambda: [
            (way, sum(n) / len(n))
            for way in ("app", "desk", "web")
            if (n := [x.pieces for x in LINES if (o := ORDER_OF[x.order_id]).way == way and o.placed_on.year == 2025])
        ],
    ),
    "then and not now": (
        {"measures": ["buyers"], "period": Y24, "membership": {"also": Y25}},
        lambda: [(len(CLIENTS_IN[2024] - CLIENTS_IN[2025]),)],
    ),
    "then and now": (
        {"measures": ["buyers"], "period": Y24, "membership": {"also": Y25, "active": True}},
        lambda: [(len(CLIENTS_IN[2024] & CLIENTS_IN[2025]),)],
    ),
    "in every quarter": (
        {"measures": ["buyers"], "period": Y24, "membership": {"every": "quarter"}},
        lambda: [(in_every_quarter(),)],
    ),
    "with each of two": (
        {
            "measures": ["buyers"],
            "period": Y25,
            "filters": [{"dimension": "sale_order.way", "values": ["web", "app"]}],
            "membership": {"each": "sale_order.way"},
        },
        lambda: [(len(buyers_by("web") & buyers_by("app")),)],
    ),
    "an order with two such lines counts once": (
        {
            "measures": ["orders"],
            "period": Y25,
            "filters": [{"dimension": "item.make", "values": ["alpha"], "holding": True}],
        },
        lambda: [(with_alpha(),)],
    ),
    "all but one": (
        {"measures": ["orders"], "filters": [{"dimension": "sale_order.way", "values": ["web"], "negated": True}]},
        lambda: [(sum(order.way != "web" for order in ORDERS),)],
    ),
    "contribution to a change": (
        {"measures": ["takings"], "groups": [WAY], "period": Y25, "comparison": AGAINST_24, "contribution": True},
        contributed,
    ),
    "two members and their gap": (
        {
            "measures": ["takings"],
            "groups": [WAY],
            "period": Y25,
            "filters": [{"dimension": "sale_order.way", "values": ["web", "app"]}],
            "contrast": True,
        },
        lambda: [
            (
                (web := by_way(2025)["web"]),
                (app := by_way(2025)["app"]),
                web - app,
                rate(web, app),
            )
        ],
    ),
    "members told as one beside another": (
        {"measures": ["takings"], "groups": [SIDES], "period": Y25, "filters": EVERY_WAY},
        lambda: list(zip(("online", "desk"), online_and_desk(), strict=True)),
    ),
    "their gap": (
        {"measures": ["takings"], "groups": [SIDES], "period": Y25, "filters": EVERY_WAY, "contrast": True},
        lambda: [((pair := online_and_desk())[0], pair[1], pair[0] - pair[1], rate(*pair))],
    ),
    "how much the first make up": (
        {"measures": ["takings"], "groups": [{"dimension": "client"}], "period": Y25, "concentration": 3},
        lambda: of_clients(3),
    ),
    "weekends and weekdays": ({"measures": ["orders"], "groups": [{"unit": "weekpart"}]}, weekparts),
}  # fmt: skip


def sorted_rows(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Rows in one order, with numbers of any kind as floats."""

    def cell(value: Any) -> Any:
        return float(value) if isinstance(value, Decimal | float | int) else value

    made = [[cell(value) for value in row] for row in rows]
    return sorted(
        made, key=lambda row: ([v for v in row if isinstance(v, str)], [v or 0 for v in row if not isinstance(v, str)])
    )


def same(found: list[list[Any]], expected: list[list[Any]]) -> bool:
    """Equal up to what engines round: MariaDB gives averages of whole numbers four decimals."""
    if [len(row) for row in found] != [len(row) for row in expected]:
        return False
    pairs = [pair for rows in zip(found, expected, strict=True) for pair in zip(*rows, strict=True)]
    return all(
        math.isclose(a, b, rel_tol=2e-5, abs_tol=1e-6) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in pairs
    )


@pytest.fixture(scope="session")
def plan_url(engine_case: EngineCase) -> str:
    return engine_case.make_database(TABLES)


@pytest.fixture
def plan_shop(plan_url: str) -> Iterator[str]:
    with ExitStack() as stack:
        yield connect(stack, plan_url)


async def read_book(url: str) -> Book:
    catalog: Catalog = await executor.introspect(url)
    paths = {table.name: table.path for table in catalog.tables}
    joins = tuple(Join(paths[a], (key,), paths[b], ("id",), cardinality="many_to_one") for a, key, b in EDGES)
    return Book(dataclasses.replace(catalog, joins=joins), GLOSSARY, {})


@pytest.mark.parametrize("name", CASES)
async def test_a_plan_gives_what_python_computes(engine_case: EngineCase, plan_shop: str, name: str) -> None:
    url = plan_shop
    book = await read_book(url)
    fields, expected = CASES[name]
    assert book.problems == {}
    made = compile_plan(Plan.model_validate(fields), book, engine_case.dialect, today=TODAY)
    checked = check(made.sql, dialect=engine_case.dialect, catalog=book.catalog)
    result = await executor.execute(url, checked, fresh=True)
    assert [column.name for column in result.columns] == [column.name for column in made.columns]
    found, wanted = sorted_rows(result.rows), sorted_rows(expected())
    assert same(found, wanted), f"{found}\n{wanted}\n{made.sql}"


def test_no_kind_is_tested_with_rows_that_prove_nothing() -> None:
    for name, (_, expected) in CASES.items():
        rows = expected()
        assert rows, name
        assert name == "nothing is zero" or any(any(cell for cell in row) for row in rows), name
