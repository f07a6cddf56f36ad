"""What to ask next: only what makes sense to ask, said as people say it."""

import dataclasses

import pytest

from inquery.answers.answer import AnswerColumn
from inquery.answers.followups import suggest_questions
from inquery.sql import Catalog, Column, Join, Table

COUNT = [AnswerColumn(name="n", kind="number")]


def table(name: str, *columns: Column) -> Table:
    return Table((name,), (Column(f"{name}_id", "INTEGER", primary_key=True), *columns))


def catalog(*tables: Table, joins: tuple[Join, ...] = ()) -> Catalog:
    empty = Catalog.of({}, dialect="sqlite")
    return dataclasses.replace(empty, tables=tables, joins=joins)


STORES = table("stores", Column("opened_on", "DATE"), Column("region", "TEXT", samples=("North", "South")))
ORDERS = table("orders", Column("store_id", "INTEGER"), Column("ordered_on", "DATE"), Column("born_on", "DATE"))
CITIES = table("cities")
SHOP = catalog(
    STORES, ORDERS, CITIES,
    joins=(
        Join(("orders",), ("store_id",), ("stores",), ("stores_id",)),
        Join(("stores",), ("city_id",), ("cities",), ("cities_id",)),
    ),
)  # fmt: skip


def asked(found: Catalog, name: str, language: str = "en", **given: object) -> list[str]:
    made = suggest_questions("how many", found, [(name,)], COUNT, [(5,)], language=language, **given)
    return [suggestion.question for suggestion in made]


def test_what_happens_is_counted_by_month_and_what_exists_is_not() -> None:
    assert "How many orders were there each month?" in asked(SHOP, "orders")
    assert not any("month" in question for question in asked(SHOP, "stores"))
    assert not any("月" in question for question in asked(SHOP, "stores", "zh"))


@pytest.mark.parametrize(("name", "column", "happens"), [("registrations", "registration_date", True), ("customers", "registered_on", False), ("employees", "hired_on", False), ("门店", "开业日期", False), ("payments", "paid_at", True)])  # fmt: skip
def test_a_column_that_says_since_when_is_no_event(name: str, column: str, happens: bool) -> None:
    found = catalog(table(name, Column(column, "DATE")))
    assert any("month" in question for question in asked(found, name)) is happens


def test_a_date_that_tells_no_event_is_not_offered() -> None:
    people = catalog(table("people", Column("birth_date", "DATE")))
    assert not any("month" in question for question in asked(people, "people"))


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        ("category", "categories", "类别"),
        ("order_item", "order items", "订单明细"),
        ("inventory", "inventory records", "库存"),
        ("address", "addresses", "地址"),
        ("tax", "taxes", "税"),
        ("qxz", "qxzes", " qxz "),
    ],
)
def test_rows_are_called_as_people_call_them(name: str, english: str, chinese: str) -> None:
    found = catalog(table(name, Column("kind", "TEXT", samples=("a", "b"))), CITIES)
    assert asked(found, name) == [f"How many {english} are there for each kind?"]
    assert asked(found, name, "zh") == [f"按种类统计{chinese}数量"]


def test_the_glossarys_words_are_used_in_chinese() -> None:
    names = {"orders": "订单", "stores": "门店", "stores.region": "地区"}
    assert "每个月有多少订单？" in asked(SHOP, "orders", "zh", names=names)
    assert "按地区统计门店数量" in asked(SHOP, "stores", "zh", names=names)


def test_rows_of_the_only_table_are_records_whatever_its_file_is_called() -> None:
    clean = table(
        "clean", Column("日期", "DATE"), Column("部门", "VARCHAR", samples=("A", "B")), Column("金额", "DOUBLE")
    )
    assert asked(catalog(clean), "clean", "zh") == [
        "每个月有多少条记录？",
        "按部门统计记录数量",
        "金额最高的 5 条记录是哪些？",
    ]
    english = asked(catalog(clean), "clean")
    assert english[:2] == ["How many records were there each month?", "How many records are there for each department?"]
    assert "每个月有多少账单？" in asked(catalog(clean), "clean", "zh", names={"clean": "账单"})


def test_nobody_is_offered_lines_of_orders_or_artists_by_their_name() -> None:
    artists = dataclasses.replace(
        table("artists", Column("name", "TEXT", samples=("AC/DC", "Accept"))), display=("name",), estimated_rows=275
    )
    lines = table("order_items", Column("quantity", "INTEGER"))
    found = catalog(artists, lines, joins=(Join(("order_items",), ("artist_id",), ("artists",), ("artists_id",)),))
    assert asked(found, "artists") == []
    assert asked(found, "order_items") == ["How many artists are there?"]


@pytest.mark.parametrize(
    ("language", "question", "again"),
    [
        ("en", "stores by region", "How many stores are there for each region?"),
        ("zh", "门店按所在区域的分布", "按所在区域统计门店数量"),
    ],
)
def test_what_the_rows_are_split_by_already_is_not_offered(language: str, question: str, again: str) -> None:
    names = {"stores": "门店", "stores.region": "所在区域"} if language == "zh" else {}
    shown = [
        AnswerColumn(name="区域" if language == "zh" else "region", kind="text"),
        AnswerColumn(name="n", kind="number"),
    ]

    def offered(text: str, rows: list[tuple[object, ...]]) -> list[str]:
        made = suggest_questions(text, SHOP, [("stores",)], shown, rows, language=language, names=names)
        return [each.question for each in made]

    assert again not in offered(question, [("North", 3), ("South", 2)])
    assert again in offered("x", [("North", 3), ("South", 2)])  # nobody spoke of it
    assert again in offered(question, [("North", 3)])  # it was a condition
