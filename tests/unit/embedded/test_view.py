"""What the model is shown of a schema and a question."""

import datetime
from dataclasses import replace

import pytest

from inquery.catalog.value_index import ValueIndex
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.llm.embedded import view
from inquery.llm.embedded.measures import expanded, understood, with_measures
from inquery.llm.embedded.prompt import question_text, schema_text
from inquery.llm.embedded.spoken import english
from inquery.llm.embedded.view import found_elsewhere, glosses, prompt_tables, read_question, short_comment, spans
from inquery.llm.writer import Measure
from inquery.sql import Column, ForeignKey, Table

ORDERS = Table(
    ("orders",),
    (
        Column("OrderId", "INTEGER", primary_key=True),
        Column("status", "TEXT", comment="状态 / Where the order stands", samples=("paid", "cancelled")),
        Column("ordered_at", "TIMESTAMP", samples=("2026-10-03 10:00",)),
    ),
    estimated_rows=100,
)
ITEMS = Table(
    ("order_items",),
    (
        Column("order_id", "INTEGER"),
        Column("quantity", "INTEGER"),
        Column("unit_price", "REAL"),
        Column("discount", "REAL"),
    ),
    foreign_keys=(ForeignKey(("order_id",), ("orders",), ("OrderId",)),),
)
TABLES = (ORDERS, ITEMS)
REVENUE = Measure(
    "revenue",
    "SUM(order_items.quantity * order_items.unit_price - order_items.discount)",
    "orders.status <> 'cancelled'",
    ("order_items", "orders"),
)
TODAY = datetime.date(2026, 11, 15)


def test_the_schema_is_one_line_a_table_with_marks() -> None:
    text = schema_text(prompt_tables(TABLES, NameMap(TABLES, lower=True), "zh"))
    assert text.splitlines() == [
        "orders .order_id*# .status=paid|cancelled .ordered_at@",
        "order_items .order_id#>orders .quantity# .unit_price# .discount#",
    ]


@pytest.mark.parametrize(
    ("comment", "language", "shown"),
    [
        ("进展 / How far it has come along", "en", "How far it has"),
        ("进展 / How far it has come along", "zh", "进展"),
        ("Order status", "en", ""),
        ("Status of the order since it was placed", "en", ""),
        ("Order status", "zh", ""),
        ("订单状态", "zh", ""),
        ("这一单目前走到哪一步了", "zh", "这一单目前走到哪"),
        ("", "en", ""),
    ],
)
def test_a_comment_is_shown_in_the_language_asked_in_and_only_if_it_says_more(
    comment: str, language: str, shown: str
) -> None:
    assert short_comment(comment, "order_status", language) == shown


@pytest.mark.parametrize(
    ("question", "tables", "gloss"),
    [
        ("各类别有多少商品", ["products", "order_items", "kinds"], ("商品", "product")),
        ("各类别有多少商品", ["products", "categories"], ("类别", "category")),
        ("按类别统计", ["kind", "sales"], ("类别", "kind")),
        ("各客户的余额", ["CUST_MST", "TXN"], ("客户", "customer")),
        ("列出租户和租金", ["tenants", "rents"], ("租户", "tenant")),
    ],
)
def test_a_word_is_translated_to_the_table_it_most_likely_means(
    question: str, tables: list[str], gloss: tuple[str, str]
) -> None:
    assert gloss in glosses(question, [Table((name,), (Column("id", "INTEGER"),)) for name in tables], "zh")


def test_a_question_comes_with_what_code_read_in_it() -> None:
    index = ValueIndex.of({("orders", "status"): ["paid", "cancelled"]})
    question = "上个月已取消 cancelled 的订单超过3万元的有多少？"
    names = NameMap(TABLES, lower=True)
    reading = read_question(question, TABLES, names, index.match(question), today=TODAY, language="zh")
    assert ("orders.status", "cancelled") in reading.hints.values
    assert reading.hints.periods == (("t0", "上个月"),)
    assert reading.periods["t0"].value == ("2026-10-01", "2026-11-01")
    assert "30000" in reading.numbers
    assert question_text(question, reading.hints).endswith("\n=")


def test_a_measure_is_shown_as_a_column_and_means_its_expression_condition_and_tables() -> None:
    schema = FormSchema(TABLES)
    meanings = understood([REVENUE], schema)
    shown = with_measures(TABLES, meanings)
    assert [c.name for c in shown[1].columns][-1] == "revenue"
    query = read_form("from order_items show sum ( order_items.revenue )", NameMap(shown, lower=True))
    sql = to_sql(expanded(query, meanings), schema)
    assert "SUM(order_items.quantity * order_items.unit_price - order_items.discount)" in sql
    assert "JOIN orders" in sql
    assert "status <> 'cancelled'" in sql.replace("orders.", "")


def test_a_measure_keeps_out_of_a_condition_the_question_states_itself() -> None:
    schema = FormSchema(TABLES)
    meanings = understood([REVENUE], schema)
    names = NameMap(with_measures(TABLES, meanings), lower=True)
    query = read_form(
        "from order_items , orders show sum ( order_items.revenue ) where orders.status = 'cancelled'", names
    )
    sql = to_sql(expanded(query, meanings), schema)
    assert sql.count("cancelled") == 1


def test_a_measure_the_schema_cannot_express_is_left_out() -> None:
    assert understood([Measure("x", "SUM(nowhere.a)", "", ("nowhere",))], FormSchema(TABLES)) == {}
    assert understood([Measure("x", "SUM(((", "", ("orders",))], FormSchema(TABLES)) == {}


def test_a_rate_counts_the_rows_that_have_none_of_it() -> None:
    returns = Table(
        ("returns",),
        (Column("return_id", "INTEGER", primary_key=True), Column("order_id", "INTEGER")),
        foreign_keys=(ForeignKey(("order_id",), ("orders",), ("OrderId",)),),
    )
    schema = FormSchema((*TABLES, returns))
    share = "COUNT(DISTINCT returns.order_id) * 1.0 / COUNT(DISTINCT orders.OrderId)"
    meanings = understood([Measure("return_rate", share, "", ("orders", "returns"))], schema)
    names = NameMap(with_measures((*TABLES, returns), meanings), lower=True)
    sql = to_sql(expanded(read_form("from orders show avg ( orders.return_rate )", names), meanings), schema)
    assert "LEFT JOIN returns" in sql


def test_an_english_word_is_glossed_with_the_english_word_its_column_is_shown_as() -> None:
    columns = tuple(Column(name, "TEXT") for name in ("资产编号", "设备名称", "科室"))
    tables = [Table(("设备",), columns)]
    shown = english(tables).words
    found = dict(glosses("Asset number and department of all devices and machines", tables, "en"))
    assert shown["科室"] == "department"
    assert "department" not in found
    assert {found.get("devices"), found.get("machines"), shown["设备"]} <= {None, shown["设备"]}
    assert {"devices", "machines"} & set(found)
    assert not glosses("Asset number of devices", [Table(("devices",), (Column("asset_number", "TEXT"),))], "en")


def test_latin_words_between_chinese_ones_may_be_copied_as_one() -> None:
    assert "Single Malt" in spans("名称以Single Malt开头的酒")
    assert "O'Neil Co." not in spans("O'Neil的订单")
    assert "O'Neil" in spans("O'Neil的订单")


def test_only_the_words_the_writer_was_trained_with_hide_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert short_comment("类别中文名", "name_zh", "zh") == ""
    monkeypatch.setattr(view, "TRAINED_WITH", "5")
    assert short_comment("类别中文名", "name_zh", "zh") == "类别中文名"


STATIONS = Table(("stations",), (Column("site", "TEXT", samples=("Svalbard", "Kiruna")),), estimated_rows=9)
SATELLITES = Table(
    ("satellites",),
    (Column("label", "TEXT", samples=("Aura", "Kiruna")), Column("mail", "TEXT", samples=("a@b.org",))),
    estimated_rows=12,
)
INDEX = ValueIndex.of({("stations", "site"): ["Svalbard", "Kiruna"], ("satellites", "label"): ["Aura", "Kiruna"]})


def test_a_value_of_one_small_column_is_known_not_to_stand_in_another() -> None:
    absent = found_elsewhere((STATIONS, SATELLITES), INDEX.match("Latest command of Svalbard"))
    assert absent == {("stations", "site"): frozenset(), ("satellites", "label"): frozenset(["svalbard"])}


def test_a_value_of_both_columns_and_a_word_of_neither_stay_free() -> None:
    for question in ("Latest command of Kiruna", "Latest command of Nowhere", "Latest command of Svalbar"):
        assert not any(found_elsewhere((STATIONS, SATELLITES), INDEX.match(question)).values())


@pytest.mark.parametrize("rows", [None, 0, 100_000])
def test_a_column_that_may_hold_more_than_was_read_stays_free(rows: int | None) -> None:
    large = replace(SATELLITES, estimated_rows=rows)
    assert ("satellites", "label") not in found_elsewhere((STATIONS, large), INDEX.match("Latest command of Svalbard"))
