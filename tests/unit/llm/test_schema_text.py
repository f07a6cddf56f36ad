"""The schema as a chat model reads it: what tells something is there, what does not is left out."""

from dataclasses import replace

import pytest

from inquery.llm.schema_choice import only_figure, relevance_of
from inquery.llm.schema_text import CHOSEN_TOKENS, column_line, schema_block, shown_schema, telling
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import SchemaView
from inquery.sql import Column, ForeignKey, Join, Table
from inquery.sql.catalog import Meaning

CUSTOMERS = Table(
    ("customers",),
    (
        Column("customer_id", "INTEGER", primary_key=True, samples=("1", "2", "3", "4")),
        Column("gender", "TEXT", samples=("F", "M")),
        Column("city", "TEXT", samples=("上海", "北京", "深圳", "广州", "杭州", "成都", "南京", "苏州")),
        Column("born", "DATE", samples=("1990-03-05", "1955-12-03")),
        Column("balance", "REAL", samples=("1.5", "2.5", "3.5", "4.5")),
        Column("vip", "INTEGER", samples=("0", "1"), comment="1 for members"),
    ),
    estimated_rows=5000,
)
ORDERS = Table(
    ("orders",),
    (
        Column("order_id", "INTEGER", primary_key=True),
        Column("customer_id", "INTEGER", samples=("7", "9")),
        Column("shop", "TEXT"),
    ),
    foreign_keys=(ForeignKey(("customer_id",), ("customers",), ("customer_id",)),),
)
DECLARED = Join(("orders",), ("customer_id",), ("customers",), ("customer_id",))
INFERRED = Join(("orders",), ("shop",), ("customers",), ("city",), declared=False, confidence=0.5)


def test_a_schema_shows_codes_whole_texts_by_example_and_dates_by_their_form() -> None:
    assert schema_block(SchemaView((CUSTOMERS, ORDERS), (DECLARED, INFERRED))).splitlines() == [
        "customers (table, about 5000 rows)",
        "  customer_id INTEGER, PK",
        "  gender TEXT, e.g. 'F', 'M'",
        "  city TEXT, e.g. '上海', '北京'",
        "  born DATE, e.g. '1990-03-05'",
        "  balance REAL",
        "  vip INTEGER, e.g. '0', '1' -- 1 for members",
        "",
        "orders (table)",
        "  order_id INTEGER, PK",
        "  customer_id INTEGER, -> customers.customer_id",
        "  shop TEXT, -> customers.city",
    ]


def test_rows_are_told_as_they_are_known() -> None:
    heads = {
        (5000, False): "customers (table, about 5000 rows)",
        (239, True): "customers (table, 239 rows)",
        (0, True): "customers (table, empty)",
        (0, False): "customers (table)",  # an engine that has not looked yet estimates none
    }
    for (rows, counted), head in heads.items():
        table = replace(CUSTOMERS, estimated_rows=rows, counted=counted)
        assert schema_block(SchemaView((table,))).splitlines()[0] == head


def test_a_join_that_is_not_sure_is_not_shown_and_one_for_some_rows_says_for_which() -> None:
    doubtful = replace(INFERRED, confidence=0.4)
    by_type = replace(INFERRED, confidence=0.9, condition=("shop", "city"))
    lines = schema_block(SchemaView((CUSTOMERS, ORDERS), (DECLARED, doubtful, by_type))).splitlines()
    assert "  shop TEXT" in lines
    assert lines[-2:] == ["Joins:", "orders.shop = customers.city and orders.shop = 'city'"]


@pytest.mark.parametrize(
    ("samples", "shown"),
    [
        (("https://a.example/x.png", "https://a.example/y.png"), ()),
        (('{"a": 1}', "[]"), ()),
        (("", "  ", "\t"), ()),
        (("5f4dcc3b5aa765d61d8327deb882cf99", "098f6bcd4621d373cade4e832627b4f6"), ()),
        (("img/2024/a.jpg", "img/2024/b.jpg"), ()),
        (("ann@example.com", "bob@example.com"), ()),
        (("+86 138-0000-0000", "13800000000"), ()),
        (("a very long remark that nobody will ever compare with anything",), ()),
        (("A", "B", "C"), ("A", "B", "C")),
        (("paid", "", "void"), ("paid", "void")),
        (("已付款", "已取消"), ("已付款", "已取消")),
    ],
)
def test_samples_tell_something_or_are_left_out(samples: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert telling(Column("x", "TEXT", samples=samples)) == shown


def test_a_code_is_shown_with_what_it_stands_for() -> None:
    meanings = (Meaning("1", ("已付款", "paid")), Meaning("2", ("已取消",)))
    column = Column("status", "INTEGER", samples=("1", "2"), meanings=meanings)
    assert column_line(column) == "  status INTEGER, e.g. '1' 已付款, '2' 已取消"


def system(count: int, *, width: int = 10, **rows: int) -> tuple[Table, ...]:
    """Shipments with their carriers among other tables, some of them empty or old copies."""
    carriers = Table(
        ("carriers",), (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT")), estimated_rows=9
    )
    shipments = Table(
        ("shipments",),
        (
            Column("id", "INTEGER", primary_key=True),
            Column("carrier_id", "INTEGER"),
            *(Column(f"remark_{n}", "TEXT") for n in range(width)),
            Column("weight", "REAL"),
        ),
        estimated_rows=500,
    )
    old = replace(shipments, path=("shipments_bak",))
    others = (
        Table(
            (f"thing_{n}",),
            (Column("id", "INTEGER", primary_key=True), *(Column(f"property_{at}", "TEXT") for at in range(width))),
            estimated_rows=n % 2,
            counted=True,
        )
        for n in range(count - 3)
    )
    return (*others, old, shipments, carriers)


BY_NAME = Join(("shipments",), ("carrier_id",), ("carriers",), ("id",), declared=False, confidence=0.8, how="name")


@pytest.mark.parametrize("count", [30, 80, 400])
@pytest.mark.parametrize(
    "question", ["What is the average weight of shipments by carrier?", "各承运商的平均货运重量是多少？"]
)
def test_of_a_large_schema_the_needed_tables_are_shown_and_others_named(question: str, count: int) -> None:
    schema = SchemaView(system(count), (BY_NAME,))
    text = schema_block(schema, question)
    assert count_tokens(text) <= CHOSEN_TOKENS
    shown = {table.name: {column.name for column in table.columns} for table in shown_schema(schema, question).tables}
    assert {"id", "carrier_id", "weight"} <= shown["shipments"]
    assert {"id", "name"} <= shown["carriers"]
    assert "  carrier_id INTEGER, -> carriers.id" in text
    named = text.splitlines()[-1]
    assert named.startswith("Other tables: ")
    marks = [name.endswith("(empty)") for name in named.split(", ") if name not in ("…", "shipments_bak")]
    assert marks == sorted(marks)
    assert schema_block(schema, question) == text


def test_what_is_relevant_does_not_hang_on_the_order_of_the_tables() -> None:
    question = "What is the average weight of shipments by carrier?"
    tables = system(80)
    found = [relevance_of(question, order, (BY_NAME,), ()) for order in (tables, tables[::-1])]
    assert found[0] == found[1]
    assert max(found[1].tables, key=lambda name: found[1].tables[name]).startswith("shipments")


def test_a_small_schema_is_shown_whole_and_alike_for_every_question() -> None:
    schema = SchemaView(system(12), (BY_NAME,))
    texts = {schema_block(schema, question) for question in ("", "How heavy?", "有多少承运商？")}
    assert len(texts) == 1
    assert "more columns" not in texts.pop()


def test_a_sheet_of_three_hundred_columns_shows_those_of_the_question() -> None:
    sheet = Table(
        ("survey",),
        (*(Column(f"answer to question number {n}", "TEXT") for n in range(299)), Column("rainfall", "REAL")),
    )
    text = schema_block(SchemaView((sheet,)), "What was the highest rainfall?")
    assert "  rainfall REAL" in text.splitlines()
    assert count_tokens(text) <= CHOSEN_TOKENS
    assert "more columns" in text


def test_the_one_figure_of_a_link_is_worth_its_place_whatever_it_is_called() -> None:
    stock = Table(
        ("stock",),
        (
            Column("rowid", "INTEGER", primary_key=True),
            Column("fk_store", "INTEGER"),
            Column("reel", "REAL"),
            Column("import_key", "TEXT"),
        ),
    )
    two = replace(stock, columns=(*stock.columns, Column("ideal", "REAL")))
    assert only_figure(stock, [0, 1]) == 2
    assert only_figure(two, [0, 1]) is None
    assert only_figure(stock, [0]) is None
