"""Changes against the period before, where the periods asked for begin later than the rows."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from inquery.form.ast import Literal
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.llm.embedded.periods_before import with_periods_before
from inquery.sql import Column, Table

SALES = Table(
    ("sales",),
    (
        Column("id", "INTEGER", primary_key=True), Column("day", "TEXT", samples=("2024-01-05",)),
        Column("paid_at", "INTEGER", samples=("1704412800", "1706745600")), Column("amount", "REAL"), Column("level", "INTEGER"),
    ),
)  # fmt: skip
SCHEMA, NAMES = FormSchema((SALES,)), NameMap((SALES,), lower=True)
SLOTS = {
    "t0": Literal(("2024-02-01", "2024-04-01"), "period"),
    "t1": Literal(("2024-02-15", "2024-04-01"), "period"),
    "t3": Literal(("2024-01-01", "2025-01-01"), "period"),
    "t2": Literal(("2024-02-01", "9999-12-31"), "period"),
}
ROWS = [
    ("2023-11-20", 5), ("2024-01-05", 10), ("2024-01-20", 10), ("2024-02-01", 30), ("2024-02-20", 10), ("2024-03-31", 20),
    ("2024-04-02", 80),
]  # fmt: skip


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, day TEXT, paid_at INTEGER, amount REAL, level INTEGER)"
    )
    for number, (day, amount) in enumerate(ROWS):
        values = (number, day, day, amount, number // 2)
        connection.execute("INSERT INTO sales VALUES (?, ?, strftime('%s', ?), ?, ?)", values)
    yield connection
    connection.close()


MONTHS = "from sales show month ( sales.day ) , sum ( sales.amount ) , {} ( sum ( sales.amount ) ) {} by month ( sales.day ) {}"


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        (MONTHS.format("change", "where sales.day in t0", ""), [("2024-02", 40.0, 20.0), ("2024-03", 20.0, -20.0)]),
        (MONTHS.format("growth", "where sales.day in t0", ""), [("2024-02", 40.0, 100.0), ("2024-03", 20.0, -50.0)]),
        (
            MONTHS.format("previous", "where sales.day >= t2 and sales.amount > 5", ""),
            [("2024-02", 40.0, 20.0), ("2024-03", 20.0, 40.0), ("2024-04", 80.0, 20.0)],
        ),
        (
            MONTHS.format("change", "where sales.day in t2", ""),
            [("2024-02", 40.0, 20.0), ("2024-03", 20.0, -20.0), ("2024-04", 80.0, 60.0)],
        ),
        # written so by the model: the date of single rows is no key
        (
            MONTHS.format("change", "", "having sales.day >= t0"),
            [("2024-02", 40.0, 20.0), ("2024-03", 20.0, -20.0), ("2024-04", 80.0, 60.0)],
        ),
        (
            "from sales show year ( sales.day ) , change ( count ) where sales.day in t3 by year ( sales.day )",
            [("2024", 5)],
        ),
        (
            "from sales show sales.level , sum ( sales.amount ) , change ( sum ( sales.amount ) ) where sales.level >= 2"
            " by sales.level",
            [(2, 30.0, -10.0), (3, 80.0, 50.0)],
        ),
    ],
)  # fmt: skip
def test_the_first_period_is_held_against_the_one_before(
    form: str, rows: list[tuple[Any, ...]], shop: sqlite3.Connection
) -> None:
    meant = with_periods_before(read_form(form, NAMES), SLOTS)
    assert sorted(shop.execute(to_sql(meant, SCHEMA, "sqlite", SLOTS)).fetchall()) == rows


@pytest.mark.parametrize(
    "form",
    [
        MONTHS.format("running", "where sales.day in t0", ""),  # adds up from its first month on
        MONTHS.format("change", "where sales.day in t1", ""),  # half of a month
        MONTHS.format("change", "where sales.day in t3", ""),  # a year by itself, month by month
        MONTHS.format("change", "where month ( sales.day ) >= '2024-01'", ""),
        MONTHS.format("change", "where sales.day < t0", ""),
        MONTHS.format("change", "", "having sum ( sales.amount ) > 5"),
        "from sales show month ( sales.day ) , sum ( sales.amount ) where sales.day in t0 by month ( sales.day )",
    ],
)
def test_what_looks_back_at_nothing_stays(form: str) -> None:
    query = read_form(form, NAMES)
    assert with_periods_before(query, SLOTS) == query


def test_days_that_are_kept_as_numbers(shop: sqlite3.Connection) -> None:
    form = "from sales show month ( sales.paid_at ) , change ( sum ( sales.amount ) ) where sales.paid_at in t0 by month ( sales.paid_at )"
    sql = to_sql(with_periods_before(read_form(form, NAMES), SLOTS), SCHEMA, "sqlite", SLOTS)
    assert "MAX(paid_at) >= 17" in sql
    assert sorted(shop.execute(sql).fetchall()) == [("2024-02", 20.0), ("2024-03", -20.0)]
