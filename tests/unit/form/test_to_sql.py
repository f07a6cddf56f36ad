"""Forms compile to SQL that gives the right rows, on SQLite and DuckDB, and parses in every dialect."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
import sqlglot
from tests.unit.form.shop import NAMES, SCHEMA, create, database
from tests.unit.form.test_text import TEXTS

from inquery.form.ast import Literal
from inquery.form.name_words import FormError
from inquery.form.reader import read_form
from inquery.form.to_sql import DIALECTS, to_sql

SLOTS = {"t0": Literal(("2024-01-01", "2024-03-01"), "period"), "n0": Literal(2, "number")}


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    connection = database()
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def duck() -> Iterator[Any]:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    create(lambda sql, row: connection.execute(sql.replace(" REAL", " DOUBLE"), list(row)))
    yield connection
    connection.close()


# A form and the rows it must give, in any order.
MEANINGS: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("from customers show count", [(4,)]),
    ("from customers show count ( customers.country )", [(3,)]),
    ("from customers , orders show customers.name , count by customers", [("Ann", 2), ("Bo", 2), ("Cy", 1)]),
    (
        "from customers , maybe orders show customers.name , count ( orders ) , sum ( orders.total ) by customers",
        [("Ann", 2, 30.0), ("Bo", 2, 35.0), ("Cy", 1, 7.5), ("Di", 0, 0)],
    ),
    ("from customers , products show distinct products.title where customers.name = 'Bo'", [("pen",), ("desk",)]),
    ("from customers show customers.name where no ( from orders )", [("Di",)]),
    ("from customers show customers.name where any ( from products where products.title = 'ink' )", [("Ann",), ("Cy",)]),
    ("from customers show customers.name where no ( from orders where orders.status = 'open' )", [("Bo",), ("Di",)]),
    ("from orders show count where orders.ordered_at in t0", [(3,)]),
    ("from orders show count where orders.ordered_at > t0", [(1,)]),
    ("from orders show count where orders.ordered_at <= t0", [(4,)]),
    ("from orders show count where orders.ordered_at < t0", [(1,)]),
    ("from orders show count where orders.ordered_at not in t0", [(2,)]),
    (
        "from orders show month ( orders.ordered_at ) , sum ( orders.total ) by month ( orders.ordered_at )",
        [("2023-12", 5.0), ("2024-01", 10.0), ("2024-02", 50.0), ("2024-05", 7.5)],
    ),
    ("from orders show quarter ( orders.ordered_at ) , count by quarter ( orders.ordered_at )",
     [("2023-Q4", 1), ("2024-Q1", 3), ("2024-Q2", 1)]),
    ("from orders show count where year ( orders.ordered_at ) = 2024 and monthno ( orders.ordered_at ) = 2", [(2,)]),
    ("from orders show distinct week ( orders.ordered_at ) where orders.order_id = 1", [("2024-01-01",)]),
    ("from orders show weekday ( orders.ordered_at ) where orders.order_id = 1", [("5",)]),
    ("from orders show quarterno ( orders.ordered_at ) where orders.order_id = 5", [(2,)]),
    ("from orders show percent ( if orders.status = 'paid' )", [(60.0,)]),
    ("from orders show share ( orders.total if orders.status = 'paid' )", [(45 / 72.5,)]),
    ("from orders show orders.status , share by orders.status", [("paid", 0.6), ("open", 0.4)]),
    ("from orders show count ( if orders.status = 'open' ) , sum ( orders.total if orders.total > 9 )", [(2, 60.0)]),
    ("from items show sum ( items.qty * items.price )", [(67.5,)]),
    ("from orders show sum ( orders.total ) / count", [(14.5,)]),
    ("from orders show avg ( days ( orders.ordered_at , orders.paid_at ) )", [(5 / 3,)]),
    ("from games , teams as home , teams as away show home.team_name , away.team_name",
     [("Reds", "Blues"), ("Blues", "Reds"), ("Reds", "Greens")]),
    ("from teams as away , games show away.team_name , count by away", [("Blues", 1), ("Reds", 1), ("Greens", 1)]),
    ("from categories , categories as parent_id show categories.label , parent_id.label",
     [("writing", "all"), ("furniture", "all")]),
    ("from orders show orders.order_id where orders.total > ( from orders show avg ( orders.total ) same orders.status )",
     [(3,), (2,)]),
    ("from customers show customers.name , ( from orders show max ( orders.total ) same customers )",
     [("Ann", 20.0), ("Bo", 30.0), ("Cy", 7.5), ("Di", None)]),
    ("show avg ( from orders show count by orders.customer_id )", [(5 / 3,)]),
    ("show 100 * ( from orders show count ) / ( from customers show count )", [(125.0,)]),
    ("from customers show customers.country intersect from customers show customers.country where customers.level = 2",
     [("France",), ("China",)]),
    ("from customers show customers.name where customers.name starts 'A' or customers.name ends 'i'", [("Ann",), ("Di",)]),
    ("from 门店 show 门店.店名 where 门店.开业_日期 < t0", [("一号店",), ("二号店",)]),
    ("from from_ show from_.order where from_.order != 'a'", [("b",)]),
    ("from orders show orders.order_id sort orders.total desc top n0", [(3,), (2,)]),
]  # fmt: skip


def plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted((tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows), key=repr)


@pytest.mark.parametrize(("text", "rows"), MEANINGS, ids=[text[:60] for text, _ in MEANINGS])
def test_a_form_means_its_rows_on_sqlite(shop: sqlite3.Connection, text: str, rows: list[tuple[Any, ...]]) -> None:
    sql = to_sql(read_form(text, NAMES), SCHEMA, "sqlite", SLOTS)
    assert plain(shop.execute(sql).fetchall()) == plain(rows), sql


@pytest.mark.parametrize(("text", "rows"), MEANINGS, ids=[text[:60] for text, _ in MEANINGS])
def test_a_form_means_the_same_on_duckdb(duck: Any, text: str, rows: list[tuple[Any, ...]]) -> None:
    sql = to_sql(read_form(text, NAMES), SCHEMA, "duckdb", SLOTS)
    assert plain(duck.execute(sql).fetchall()) == plain(rows), sql


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_form_parses_in_every_dialect(text: str, dialect: str) -> None:
    assert sqlglot.parse_one(to_sql(read_form(text, NAMES), SCHEMA, dialect, SLOTS), dialect=dialect)


def test_strict_engines_group_by_every_plain_column() -> None:
    query = read_form("from customers , orders show customers.name , count by customers", NAMES)
    assert to_sql(query, SCHEMA, "postgres").endswith("GROUP BY customers.customer_id, customers.name")
    assert to_sql(query, SCHEMA, "sqlite").endswith("GROUP BY customers.customer_id")
    assert to_sql(query, SCHEMA, "sqlite", strict=True).endswith("GROUP BY customers.customer_id, customers.name")


def test_the_row_of_a_maximum_is_left_to_sqlite() -> None:
    query = read_form("from orders show orders.status , max ( orders.paid_at ) by orders.customer_id", NAMES)
    assert to_sql(query, SCHEMA, "sqlite", strict=True).endswith("GROUP BY customer_id")
    assert to_sql(query, SCHEMA, "duckdb").endswith("GROUP BY customer_id, status")


def test_nulls_do_not_win_a_descending_sort() -> None:
    query = read_form("from orders show orders.order_id sort orders.paid_at desc top 1", NAMES)
    assert "DESC NULLS LAST" in to_sql(query, SCHEMA, "postgres")


def test_nulls_are_not_among_the_first_few_of_an_ascending_sort() -> None:
    query = read_form("from orders show orders.order_id sort orders.paid_at top 1", NAMES)
    assert "NULLS LAST" in to_sql(query, SCHEMA, "sqlite")
    whole = read_form("from orders show orders.order_id sort orders.paid_at", NAMES)
    assert "NULLS" not in to_sql(whole, SCHEMA, "sqlite")


def test_names_are_quoted_where_the_dialect_needs_it() -> None:
    query = read_form("from from_ show from_.order", NAMES)
    assert to_sql(query, SCHEMA, "mysql") == "SELECT `order` FROM `from`"
    assert to_sql(query, SCHEMA, "postgres") == 'SELECT "order" FROM "from"'


@pytest.mark.parametrize(
    "text",
    ["from customers , teams show count", "from orders show count where orders.ordered_at in t9", "from customers show count where any ( from teams )"],
)  # fmt: skip
def test_a_form_without_sql_says_why(text: str) -> None:
    with pytest.raises(FormError):
        to_sql(read_form(text, NAMES), SCHEMA, "sqlite", SLOTS)


@pytest.mark.parametrize(
    ("period", "op", "expected"),
    [
        (("2024-01-01", "9999-12-31"), "in", "ordered_at >= '2024-01-01'"),
        (("2024-01-01", "9999-12-31"), ">=", "ordered_at >= '2024-01-01'"),
        (("2024-01-01", "9999-12-31"), ">", "ordered_at >= '2024-01-01'"),
        (("2024-01-01", "9999-12-31"), "not in", "NOT ordered_at >= '2024-01-01'"),
        (("0001-01-01", "2024-01-01"), "in", "ordered_at < '2024-01-01'"),
        (("0001-01-01", "2024-01-01"), "<", "ordered_at < '2024-01-01'"),
    ],
)
def test_a_period_open_to_one_side_has_one_border(period: tuple[str, str], op: str, expected: str) -> None:
    query = read_form(f"from orders show count where orders.ordered_at {op} t0", NAMES)
    sql = to_sql(query, SCHEMA, "sqlite", {"t0": Literal(period, "period")})
    assert sql.endswith(f"FROM orders WHERE {expected}")
