"""Suggestions for a new database read well in both languages, and are about its main things."""

import re

import pytest

from inquery.agents.first_questions import first_questions
from inquery.catalog.main_things import main_things, thing_of, told_name
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.catalog import Meaning

SHEET = Table(
    ("main", "clean"),
    (
        Column("日期", "DATE", samples=("2024-01-05",)),
        Column("部门", "VARCHAR", samples=("销售部", "市场部")),
        Column("金额", "DOUBLE", samples=("5",)),
    ),
    "clean.csv",
    9,
)
ORDERS = Table(
    ("orders",),
    (
        Column("id", "INTEGER", primary_key=True),
        Column("customer_id", "INTEGER"),
        Column("ordered_at", "DATETIME"),
        Column("status", "TEXT", samples=("paid", "sent")),
        Column("total_amount", "REAL"),
        Column("xq_kz", "TEXT", samples=("a", "b")),
    ),
    estimated_rows=5000,
)
STORES = Table(
    ("stores",),
    (
        Column("id", "INTEGER", primary_key=True),
        Column("opened_on", "DATE"),
        Column("cost", "REAL"),
        Column("city", "TEXT", samples=("x", "y")),
    ),
    estimated_rows=40,
)
LOG = Table(
    ("audit_log",), (Column("id", "INTEGER"), Column("created_at", "DATETIME"), Column("amount", "REAL")), "", 10**6
)
EMPTY = Table(("invoices",), (Column("total", "REAL"), Column("issued_on", "DATE")), "", 0)
SHOP = Catalog("sqlite", (EMPTY, LOG, ORDERS, STORES), (Join(("orders",), ("customer_id",), ("stores",), ("id",)),))


def test_a_sheet_with_the_name_of_a_draft() -> None:
    zh = [each.question for each in first_questions(Catalog("duckdb", (SHEET,)), "zh")]
    en = [each.question for each in first_questions(Catalog("duckdb", (SHEET,)), "en")]
    assert zh[:2] == ["每个月的金额合计是多少？", "各部门的金额合计是多少？"]
    assert en[:2] == ["What is the total amount for each month?", "What is the total amount for each department?"]
    assert not any("clean" in text for text in (*zh, *en))


def test_main_things_come_before_logs_and_empty_tables() -> None:
    assert next(thing.table.name for thing in main_things(SHOP)) == "orders"
    asked = {each.table for each in first_questions(SHOP, "en")}
    assert "invoices" not in asked


def test_measures_and_groups_are_known_by_short_names_comments_and_codes() -> None:
    table = Table(
        ("t1",),
        (
            Column("inv_amt", "REAL"),
            Column("je", "REAL", comment="订单金额"),
            Column("dj", "REAL", comment="单价"),
            Column(
                "st",
                "INTEGER",
                comment="状态 0待付款 1已付款",
                meanings=(Meaning("0", ("待付款",)), Meaning("1", ("已付款",))),
            ),
        ),
        estimated_rows=50,
    )
    thing = thing_of(table)
    assert [column.name for column in thing.sums] == ["inv_amt", "je"]
    assert [column.name for column in thing.averages] == ["dj"]
    assert [column.name for column in thing.groups] == ["st"]


def test_an_amount_after_discounts_is_an_amount() -> None:
    columns = (
        Column("total_amount", "REAL", comment="Amount of the order after discounts"),
        Column("discount", "REAL", comment="Amount taken off"),
    )
    thing = thing_of(Table(("orders",), columns))
    assert [column.name for column in thing.sums] == ["total_amount"]
    assert [column.name for column in thing.averages] == ["discount"]


def test_what_was_paid_is_an_amount_and_no_id() -> None:
    columns = ("customerid", "customerId", "paid", "b_paid", "net", "gross", "network_total", "paymentId")
    thing = thing_of(Table(("orders",), tuple(Column(name, "REAL") for name in columns)))
    assert [column.name for column in thing.sums] == ["paid", "b_paid", "net", "gross", "network_total"]


def test_people_are_not_told_apart_by_their_last_names() -> None:
    columns = [Column(f"m_{name}", "TEXT", samples=("a", "b", "c")) for name in ("first", "last", "source", "city")]
    thing = thing_of(Table(("member",), tuple(columns), estimated_rows=400))
    assert [column.name for column in thing.groups] == ["m_source", "m_city"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_question_mixes_languages_or_sums_what_began_once(language: str) -> None:
    found = first_questions(SHOP, language)
    assert found
    for each in found:
        assert "kz" not in each.question
        if language == "zh":
            assert not re.search(r"[a-z]{2}", each.question)
    # A store opened once: what stores cost by the month of their opening is no trend.
    assert not any(each.kind == "trend" and each.table == "stores" for each in found)


def test_a_question_says_what_its_answer_must_use() -> None:
    trend = next(each for each in first_questions(SHOP, "zh") if each.kind == "trend" and each.table == "orders")
    assert trend.question == "每个月的总金额是多少？"
    assert trend.columns == {"orders.total_amount", "orders.ordered_at"}


@pytest.mark.parametrize(
    ("name", "comment", "zh", "en"),
    [
        ("orders", "", "订单", "orders"),
        ("t_kh", "客户表", "客户", ""),
        ("cust", "客户，包括个人与企业 / People who buy", "客户", "customer"),
        ("部门", "", "部门", "department"),
    ],
)
def test_names_in_both_languages(name: str, comment: str, zh: str, en: str) -> None:
    assert told_name(name, comment, "zh") == zh
    assert told_name(name, comment, "en") == en


def test_things_are_not_counted_for_each_of_their_own_names() -> None:
    table = Table(
        ("departments",),
        (
            Column("department_id", "INTEGER", primary_key=True),
            Column("department_name", "TEXT", samples=("Sales", "IT")),
            Column("floor_kind", "TEXT", samples=("upper", "lower")),
        ),
        estimated_rows=20,
    )
    asked = [each.question for each in first_questions(Catalog(dialect="sqlite", tables=(table,)), "en")]
    assert asked
    assert not any("department name" in question for question in asked)
