"""Two periods beside each other: the figure and the groups are the model's, the arithmetic is not."""

import sqlite3
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from inquery.form.ast import Literal
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.language.periods import periods_in
from inquery.llm.embedded.two_periods import beside_each_other, without_denied
from inquery.sql import Column, Table

SALES = Table(
    ("sales",),
    (
        Column("id", "INTEGER", primary_key=True), Column("day", "TEXT", samples=("2024-01-05",)),
        Column("store", "TEXT"), Column("state", "TEXT"), Column("amount", "INTEGER"),
    ),
)  # fmt: skip
SCHEMA, NAMES = FormSchema((SALES,)), NameMap((SALES,), lower=True)
TODAY = date(2026, 11, 19)
ROWS = [
    ("2025-02-01", "A", "ok", 10), ("2025-08-01", "A", "ok", 10), ("2025-12-24", "A", "ok", 100), ("2026-02-01", "A", "ok", 15),
    ("2026-08-01", "A", "bad", 20), ("2025-02-03", "B", "ok", 40), ("2025-03-01", "B", "bad", 7), ("2026-05-01", "B", "ok", 20),
    ("2026-10-05", "B", "ok", 30), ("2026-09-05", "B", "ok", 60),
]  # fmt: skip


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, day TEXT, store TEXT, state TEXT, amount INTEGER)")
    connection.executemany("INSERT INTO sales (day, store, state, amount) VALUES (?, ?, ?, ?)", ROWS)
    yield connection
    connection.close()


def asked(question: str, form: str) -> tuple[Any, str]:
    """The SQL of a form as the question wants it, and that of the form as it is written."""
    found = periods_in(question, today=TODAY)
    slots = {f"t{i}": Literal((p.start.isoformat(), p.end.isoformat()), "period") for i, p in enumerate(found)}
    query = read_form(form, NAMES)
    made, periods = beside_each_other(query, question, slots, {f"t{i}": p.text for i, p in enumerate(found)})
    return to_sql(made, SCHEMA, "sqlite", periods), to_sql(query, SCHEMA, "sqlite", periods)


TOTAL = "from sales show sales.store , sum ( sales.amount ) where sales.day in t0 by sales.store"


@pytest.mark.parametrize(
    ("question", "form", "rows"),
    [
        (  # a window over names is no comparison
            "Sales by store this year so far against the same stretch of last year",
            "from sales show sales.store , change ( sum ( sales.amount ) ) where sales.day in t0 by sales.store",
            [("A", 35, 20, 75.0), ("B", 110, 47, 134.0)],
        ),
        ("今年至今各门店销售额，去年同期相比增长多少？", TOTAL, [("A", 35, 20, 75.0), ("B", 110, 47, 134.0)]),
        (  # the difference alone becomes both figures and the change
            "By what percentage did the number of sales change in 2026 compared with 2025?",
            "from sales show count ( if sales.day in t0 ) - count ( if sales.day in t1 )",
            [(5, 5, 0.0)],
        ),
        (
            "2026年上半年销售额比2025年上半年多（或少）多少",
            "from sales show sum ( sales.amount if sales.day in t0 ) - sum ( sales.amount if sales.day in t1 )",
            [(35, 57, -22)],
        ),
        (
            "By how much did sales of good state differ between 2025 and 2026?",
            "from sales show sum ( sales.amount ) where sales.state = 'ok' and sales.day in t0",
            [(125, 160, -35)],
        ),
        (
            "How did sales change from 2025 to 2026, store by store?",
            "from sales show sales.store , sum ( sales.amount ) where sales.day in t0 by sales.store",
            [("A", 35, 120, -70.8), ("B", 110, 47, 134.0)],
        ),
        (
            "Which store's sales grew the fastest from 2025 to 2026?",
            TOTAL + " sort sum ( sales.amount ) desc top 1",
            [("B", 110, 47, 134.0)],
        ),
        (
            "Which store's sales fell the most between 2025 and 2026?",
            TOTAL + " sort sum ( sales.amount ) desc top 1",
            [("A", 35, 120, -70.8)],
        ),
        (  # a share of one period is one of its rows
            "What share of sales was bad in 2026 compared with 2025?",
            "from sales show percent ( if sales.state = 'bad' ) where sales.day in t0",
            [(20.0, 20.0, 0.0)],
        ),
        (
            "Put sales by quarter of 2026 side by side with 2025",
            "from sales show quarter ( sales.day ) , sum ( sales.amount ) where sales.day in t0 by quarter ( sales.day )",
            [(1, 15, 57, -73.7), (2, 20, None, None), (3, 80, 10, 700.0), (4, 30, 100, -70.0)],
        ),
        (  # September is said twice
            "2026年10月的销售额跟9月比，环比涨跌多少？",
            "from sales show sum ( sales.amount if sales.day in t0 ) - sum ( sales.amount if sales.day in t1 )",
            [(30, 60, -50.0)],
        ),
        (
            "Sales in 2026 against 2025: show both years and the difference",
            "from sales show sum ( sales.amount if sales.day in t1 ) , sum ( sales.amount if sales.day in t0 )",
            [(145, 167, -22)],
        ),
        (
            "上个月销售额是多少，环比、同比各变化多少？",
            "from sales show sum ( sales.amount ) where sales.day in t0",
            [(30, 60, -50.0, None, None)],
        ),
    ],
)
def test_both_periods_and_the_change_are_told(
    shop: sqlite3.Connection, question: str, form: str, rows: list[Any]
) -> None:
    found = shop.execute(asked(question, form)[0]).fetchall()
    told = [tuple(round(cell, 1) if isinstance(cell, float) else cell for cell in row) for row in found]
    assert [tuple(cell or None for cell in row) for row in sorted(told, key=str)] == [
        tuple(cell or None for cell in row) for row in sorted(rows, key=str)
    ]


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Sales by store in 2026", TOTAL),
        ("Compare the sales of all stores", "from sales show sales.store , sum ( sales.amount ) by sales.store"),
        ("How many stores sold in 2025 but not in 2026?", "from sales show count where sales.day in t0"),
        ("How did sales grow each year from 2025 to 2026?", "from sales show year ( sales.day ) , sum ( sales.amount ) where sales.day in t0 by year ( sales.day )"),
        ("Compare sales in March 2026 with all of 2025", "from sales show sum ( sales.amount ) where sales.day in t0"),
        ("Which stores contributed to the change from 2025 to 2026?", TOTAL),
        ("Compare the stores' sales of 2026", TOTAL),
        ("2025年买过、2026年没再买的对比", TOTAL),
        ("Sales of 2025 and 2026 compared", "from sales show sales.store , sum ( sales.amount ) , max ( sales.amount ) where sales.day in t0 by sales.store"),
    ],
)  # fmt: skip
def test_what_asks_for_something_else_stays(question: str, form: str) -> None:
    made, written = asked(question, form)
    assert made == written


BOTH = "from sales show sales.store where sales.day in {} intersect from sales show sales.store where sales.day in {}"


@pytest.mark.parametrize(
    ("question", "first", "second", "stores"),
    [
        ("Which stores sold in December 2025 and then had none in 2026?", "t0", "t1", []),
        ("Which stores sold in March 2025 but not in August 2025?", "t0", "t1", ["B"]),
        ("Which stores did not sell in March 2025 but in August 2025?", "t0", "t1", ["A"]),
        ("2025年8月卖过、2025年3月没卖的门店", "t0", "t1", ["A"]),
        ("2025年3月卖过、8月就没再卖的门店", "t1", "t0", ["B"]),
        ("Which stores sold in both February 2025 and March 2025?", "t0", "t1", ["B"]),
    ],
)
def test_who_did_in_one_period_and_not_in_the_other(
    shop: sqlite3.Connection, question: str, first: str, second: str, stores: list[str]
) -> None:
    found = periods_in(question, today=TODAY)
    slots = {f"t{i}": Literal((p.start.isoformat(), p.end.isoformat()), "period") for i, p in enumerate(found)}
    query = read_form(BOTH.format(first, second), NAMES)
    made = without_denied(query, question, {f"t{i}": p.text for i, p in enumerate(found)})
    assert [row[0] for row in shop.execute(to_sql(made, SCHEMA, "sqlite", slots))] == stores
