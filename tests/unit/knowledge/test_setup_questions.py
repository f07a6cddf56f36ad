"""The set-up finds what only a person can say, and keeps the replies where the next question uses them."""

from dataclasses import replace

import pytest

from inquery.agents.statements.left_out_rows import leave_out_rows, left_out_told
from inquery.catalog.time_columns import time_columns
from inquery.errors import BadRequest, NotFound
from inquery.knowledge.glossary import Glossary, parse_glossary, plain_glossary
from inquery.knowledge.glossary_files import describe_catalog, dump_glossary, load_glossary
from inquery.knowledge.narrowing import seen_glossary
from inquery.knowledge.setup_questions import OTHER, answer_question, setup_questions
from inquery.sql import Catalog, Column, Join, Table

ORDERS = Table(
    ("orders",),
    (
        Column("id", "INTEGER", False, primary_key=True),
        Column("customer_id", "INTEGER"),
        Column("total_amount", "DECIMAL(10,2)", samples=("10.00", "25.50")),
        Column("paid_amount", "DECIMAL(10,2)", samples=("9.00", "25.50")),
        Column("ordered_at", "DATETIME", samples=("2024-01-01 10:00:00",)),
        Column("paid_at", "DATETIME", samples=("2024-01-02 10:00:00",)),
        Column("status", "VARCHAR(20)", samples=("paid", "cancelled", "shipped", "test")),
        Column("level", "INTEGER", samples=("1", "2", "3")),
        Column("is_deleted", "INTEGER", samples=("0", "1")),
        Column("deleted_at", "DATETIME", samples=("2024-01-05 10:00:00",)),
    ),
    estimated_rows=1000,
)
CUSTOMERS = Table(
    ("customers",),
    (
        Column("id", "INTEGER", False, primary_key=True),
        Column("full_name", "VARCHAR(50)", samples=("Ann Lee",)),
        Column("nickname", "VARCHAR(50)", samples=("ann",)),
    ),
    estimated_rows=100,
)
SHOP = Catalog("sqlite", (ORDERS, CUSTOMERS), (Join(("orders",), ("customer_id",), ("customers",), ("id",)),))


def reply(question_id: str, text: str, glossary: Glossary | None = None) -> Glossary:
    known = glossary or Glossary()
    return answer_question(question_id, text, SHOP, known, known)


def test_what_is_asked() -> None:
    found = setup_questions(SHOP, Glossary())
    assert [each.id for each in found] == [
        "revenue:orders",
        "leave_out:orders.status",
        "leave_out:orders.is_deleted",
        "leave_out:orders.deleted_at",
        "time:orders",
        "codes:orders.level",
        "display:customers",
    ]
    assert [option.key for option in found[0].options] == ["total_amount", "paid_amount", OTHER]
    assert found[1].options[0].key == "cancelled|test"
    assert "销售额" in found[0].zh
    assert all(each.en and each.zh and each.state == "open" for each in found)


def test_letters_before_all_columns_hide_nothing() -> None:
    columns = tuple(replace(column, name=f"b_{column.name}") for column in ORDERS.columns)
    found = setup_questions(Catalog("sqlite", (replace(ORDERS, columns=columns),)), Glossary())
    assert {"revenue:orders", "leave_out:orders.b_is_deleted", "leave_out:orders.b_deleted_at"} <= {q.id for q in found}


def test_a_clean_table_has_nothing_to_ask() -> None:
    plain = Table(("staff",), (Column("id", "INTEGER"), Column("name", "TEXT"), Column("salary", "REAL")), "", 5)
    assert setup_questions(Catalog("sqlite", (plain,)), Glossary()) == []


def test_revenue_becomes_a_metric_in_both_languages() -> None:
    made = reply("revenue:orders", "paid_amount")
    assert made.metrics["revenue"].definition == "SUM(orders.paid_amount)"
    assert made.metrics_in("各月销售额") == [("销售额", ["revenue"])]
    assert made.metrics_in("revenue by month") == [("revenue", ["revenue"])]
    assert "revenue" not in reply("revenue:orders", OTHER, made).metrics


def test_a_metric_that_people_defined_is_not_asked_for() -> None:
    known = parse_glossary({"metrics": {"revenue": {"expression": "SUM(orders.total_amount)"}}})
    assert "revenue:orders" not in {each.id for each in setup_questions(SHOP, known)}


def test_the_date_that_counts_comes_first() -> None:
    before = [each.name for each in time_columns(ORDERS) if each.recommended]
    made = describe_catalog(SHOP, reply("time:orders", "paid_at"))
    after = time_columns(made.by_name["orders"])
    assert before == ["ordered_at"]
    assert (after[0].name, after[0].recommended) == ("paid_at", True)
    assert after[0].score - after[1].score > 1


def test_meanings_of_codes_are_value_mappings() -> None:
    made = reply("codes:orders.level", "1=普通/basic，2：银卡, 9=nothing")
    assert made.values == {"orders.level": {"1": ("普通", "basic"), "2": ("银卡",)}}
    assert made.value_mappings()["银卡"] == ("orders", "level", "2")
    with pytest.raises(BadRequest):
        reply("codes:orders.level", "no idea")


def test_replies_are_kept_skipped_and_changed() -> None:
    made = reply("display:customers", "")
    made = reply("leave_out:orders.status", "cancelled|test", made)
    states = {each.id: each.state for each in setup_questions(SHOP, made)}
    assert states["display:customers"] == "skipped"
    assert states["leave_out:orders.status"] == "answered"
    assert made.tables["orders"].leave_out == {"status": ("cancelled", "test")}
    assert reply("leave_out:orders.status", OTHER, made).tables["orders"].leave_out == {}
    again = load_glossary(dump_glossary(made))
    assert plain_glossary(again) == plain_glossary(made)
    assert [each.state for each in setup_questions(SHOP, again)] == list(states.values())


def test_a_reply_that_is_no_option() -> None:
    with pytest.raises(BadRequest):
        reply("time:orders", "yesterday")
    with pytest.raises(NotFound):
        reply("time:nothing", "x")


LEFT = reply("leave_out:orders.deleted_at", "*", reply("leave_out:orders.status", "cancelled|test"))


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        (
            "SELECT COUNT(*) FROM orders",
            'SELECT COUNT(*) FROM orders WHERE ("orders"."status" IS NULL OR NOT "orders"."status" IN (\'cancelled\', '
            '\'test\')) AND "orders"."deleted_at" IS NULL',
        ),
        ("SELECT name FROM customers", "SELECT name FROM customers"),
    ],
)
def test_rows_are_left_out(sql: str, made: str) -> None:
    assert leave_out_rows(sql, SHOP, LEFT) == made


def test_a_statement_about_the_column_is_left_alone() -> None:
    only_status = reply("leave_out:orders.status", "cancelled|test")
    for sql in (
        "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'",
        "SELECT o.status, COUNT(*) FROM orders AS o GROUP BY o.status",
    ):
        assert leave_out_rows(sql, SHOP, only_status) == sql
        assert left_out_told(sql, SHOP, only_status, "en") == []


def test_an_outer_join_keeps_its_rows() -> None:
    only_status = reply("leave_out:orders.status", "cancelled")
    sql = "SELECT c.full_name, COUNT(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.full_name"
    made = leave_out_rows(sql, SHOP, only_status)
    assert "WHERE" not in made
    assert "ON o.customer_id = c.id AND" in made


def test_what_is_left_out_is_said_and_not_written_twice() -> None:
    once = leave_out_rows("SELECT COUNT(*) FROM orders", SHOP, LEFT)
    assert leave_out_rows(once, SHOP, LEFT) == once
    assert left_out_told(once, SHOP, LEFT, "en") == [
        "Rows with orders.status = cancelled, test are left out",
        "Rows with orders.deleted_at set are left out",
    ]
    assert left_out_told(once, SHOP, LEFT, "zh")[0] == "已略去 orders.status = cancelled, test 的行"


def test_hidden_columns_are_not_spoken_of() -> None:
    narrow = Table(("orders",), tuple(c for c in ORDERS.columns if c.name not in {"status", "paid_at"}))
    known = reply("time:orders", "paid_at", LEFT)
    seen = seen_glossary(known, Catalog("sqlite", (narrow,))).tables["orders"]
    assert (seen.time, set(seen.leave_out)) == ("", {"deleted_at"})
