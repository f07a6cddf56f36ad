"""Words in the place of codes: of which columns, and for which questions."""

import pytest

from inquery.agents.statements.told_codes import tell_codes
from inquery.sql import Catalog, Column, Table
from inquery.sql.catalog import Meaning
from inquery.sql.statement import read_statement

WAYS = (Meaning("1", ("现金",)), Meaning("2", ("微信",)))
TABLE = Table(
    ("payment",),
    (
        Column("id", "INTEGER", primary_key=True), Column("amount", "REAL"),
        Column("pay_way", "CHAR(1)", samples=("1", "2"), meanings=WAYS),
        Column("kind", "INTEGER", samples=("1", "2"), meanings=WAYS),
        Column("state", "INTEGER", comment="1现金 2微信", samples=("1", "2"), meanings=WAYS),
        Column("part", "INTEGER", samples=("1", "2", "3"), meanings=WAYS),
        Column("channel", "TEXT", samples=("online", "shop"), meanings=(Meaning("online", ("网上",)), Meaning("shop", ("门店",)))),
    ),
)  # fmt: skip


def told(item: str, question: str = "amount by method of payment", dialect: str = "sqlite") -> str:
    catalog = Catalog(dialect=dialect, tables=(TABLE,))
    statement = read_statement(f"SELECT {item}, SUM(amount) FROM payment GROUP BY {item}", catalog)
    assert statement is not None
    return tell_codes(statement, question)


def test_a_code_is_shown_by_its_word() -> None:
    words = "WHEN '1' THEN '现金' WHEN '2' THEN '微信' ELSE CAST(pay_way AS TEXT) END"
    assert told("pay_way") == f'SELECT CASE pay_way {words} AS "pay_way", SUM(amount) FROM payment GROUP BY pay_way'
    assert "CASE kind WHEN 1 THEN '现金'" in told("kind")  # as the column compares


def test_clickhouse_takes_no_name_that_defines_itself() -> None:
    assert 'AS "pay_way_label"' in told("pay_way", dialect="clickhouse")


@pytest.mark.parametrize("column", ["state", "part", "channel", "amount", "id"])
def test_what_its_comment_tells_or_nothing_tells_whole_stays(column: str) -> None:
    assert "CASE" not in told(column)


@pytest.mark.parametrize("question", ["amount by payment method code", "各支付方式代码的金额"])
def test_who_asks_for_the_code_gets_it(question: str) -> None:
    assert "CASE" not in told("pay_way", question)


BESIDE = Table(
    ("orders",),
    (
        Column("id", "INTEGER", primary_key=True), Column("payment_method", "TEXT"), Column("payment_method_title", "TEXT"),
        Column("CODE", "TEXT"), Column("DESCRIPTION", "TEXT"), Column("city", "TEXT"), Column("city_code", "TEXT"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("item", "question", "shown"),
    [
        ("payment_method", "Show the payment method name and the number", "payment_method_title"),
        ("payment_method", "列出支付方式名称和订单数", "payment_method_title"),
        ("CODE", "Which medications are taken most?", "DESCRIPTION"),
        ("payment_method", "orders by payment method", ""),
        ("CODE", "Show the code of each", ""),
        ("city", "Show the name of the city", ""),
    ],
)
def test_words_of_the_same_row_take_the_place_of_a_code(item: str, question: str, shown: str) -> None:
    catalog = Catalog(dialect="sqlite", tables=(BESIDE,))
    sql = f"SELECT {item}, COUNT(*) FROM orders WHERE {item} <> 'x' GROUP BY {item}"
    statement = read_statement(sql, catalog)
    assert statement is not None
    made = f"""SELECT "{shown}", COUNT(*) FROM orders WHERE {item} <> 'x' GROUP BY "{shown}\"""" if shown else sql
    assert tell_codes(statement, question) == made
