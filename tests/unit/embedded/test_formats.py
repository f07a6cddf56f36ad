"""What format E shows that format D does not, and that the format is the weights' own."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from inquery.catalog.value_index import ValueMatch
from inquery.form.name_words import NameMap
from inquery.llm.embedded.asked_parts import asked_parts
from inquery.llm.embedded.fitting import CHOSEN_TOKENS, SCHEMA_TOKENS, View, make_view
from inquery.llm.embedded.prompt import FORMAT_D, FORMAT_E, FORMATS, PromptFormat, format_of, question_text, schema_text
from inquery.llm.embedded.spoken import spoken_names
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.view import glosses, number_hints, read_question
from inquery.llm.embedded.weights import WeightsInfo, find_model
from inquery.llm.writer import SchemaView, WriteRequest
from inquery.sql import Column, ForeignKey, Join, Table

TODAY = datetime.date(2026, 11, 15)
CUSTOMER = Table(
    ("customer",),
    (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT"), Column("city", "TEXT")),
)
ORDERS = Table(
    ("orders",),
    (
        Column("id", "INTEGER", primary_key=True),
        Column("cust_id", "INTEGER"),
        Column("placed_on", "DATE"),
        Column("amount", "REAL", comment="金额"),
    ),
)
SHOP = (CUSTOMER, ORDERS)
GUESSED = Join(("orders",), ("cust_id",), ("customer",), ("id",), declared=False, confidence=0.8, how="name")


@pytest.fixture(scope="module")
def shipped() -> Tokens:
    return Tokens.load(find_model().folder / "tokenizer.json")


def view(
    tokens: Tokens,
    question: str,
    tables: tuple[Table, ...],
    style: PromptFormat,
    joins: tuple[Join, ...] = (),
    values: tuple[ValueMatch, ...] = (),
) -> View:
    request = WriteRequest(question, "en", "sqlite", SchemaView(tables, joins), values, today=TODAY)
    return make_view(request, "en" if question.isascii() else "zh", lambda text: [0, *tokens.encode(text)], style)


def test_an_undeclared_join_is_a_reference_and_the_display_name_is_marked_in_format_e_alone(shipped: Tokens) -> None:
    texts = {
        name: schema_text(view(shipped, "How many?", SHOP, style, (GUESSED,)).prompt) for name, style in FORMATS.items()
    }
    assert texts["D"].splitlines() == ["customer .id*# .name .city", "orders .id*# .customer_id# .placed_on@ .amount#"]
    assert texts["E"].splitlines() == [
        "customer .id*# .name! .city",
        "orders .id*# .customer_id#>customer .placed_on@ .amount#",
    ]


def test_what_the_grammar_may_join_is_what_the_prompt_shows(shipped: Tokens) -> None:
    shown = view(shipped, "How many?", SHOP, FORMAT_E, (GUESSED,)).shown
    assert [key.columns for key in shown.tables["orders"].foreign_keys] == [("cust_id",)]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What is the total amount of orders by city?", "sum orders.amount ; by customer.city"),
        ("Which customers have more than 3 orders?", "> 3 orders"),
        ("各城市的平均金额是多少？", "by customer.city ; avg orders.amount"),
        ("How many orders in 2024?", "count orders ; in t0"),
    ],
)
def test_parts_name_the_columns_that_are_said_whole(question: str, line: str) -> None:
    language = "en" if question.isascii() else "zh"
    names = spoken_names(SHOP, language)
    reading = read_question(question, SHOP, names, (), today=TODAY, language=language, style=FORMAT_E)
    assert " ; ".join(reading.parts) == line
    text = question_text(question, reading.hints, reading.parts)
    assert f"parts: {line}\n=" in text
    plain = read_question(question, SHOP, names, (), today=TODAY, language=language)
    assert plain.parts == ()


def test_a_name_that_many_tables_have_is_no_part() -> None:
    tables = tuple(replace(CUSTOMER, path=(name,)) for name in ("customer", "supplier", "driver", "shop"))
    assert asked_parts("List every name", tables, NameMap(tables), (), "en") == ("by name",)
    assert asked_parts("List the driver name", tables, NameMap(tables), (), "en") == ("driver.name",)


def test_a_phrase_has_two_values_at_most_so_that_others_have_room() -> None:
    tables = tuple(Table((f"t{n}",), (Column("city", "TEXT"),)) for n in range(5))
    many = [ValueMatch(f"t{n}", "city", "Paris", "Paris", 1.0, 0, 5) for n in range(5)]
    other = ValueMatch("t0", "city", "Rome", "Rome", 0.5, 10, 14)
    names = spoken_names(tables, "en")
    found = {
        name: read_question("Paris and Rome", tables, names, [*many, other], today=TODAY, language="en", style=style)
        for name, style in FORMATS.items()
    }
    assert [value for _, value in found["E"].hints.values] == ["Paris", "Paris", "Rome"]
    assert len(found["D"].hints.values) == 6


def test_a_slug_beside_the_name_it_was_made_of_is_no_second_value_of_a_phrase() -> None:
    tables = tuple(Table((name,), (Column("name", "TEXT"), Column("slug", "TEXT"))) for name in ("groups", "tenants"))
    said = [
        ValueMatch("groups", "name", "Stark Industries", "Stark Industries", 0.9, 0, 16),
        ValueMatch("groups", "slug", "stark-industries", "Stark Industries", 0.88, 0, 16),
        ValueMatch("tenants", "slug", "stark-industries", "Stark Industries", 0.87, 0, 16),
    ]
    names = spoken_names(tables, "en")
    reading = read_question("Stark Industries", tables, names, said, today=TODAY, language="en", style=FORMATS["E"])
    assert reading.hints.values == (("groups.name", "Stark Industries"), ("tenants.slug", "stark-industries"))


def test_a_number_comes_with_its_word_and_an_ordinal_with_none() -> None:
    assert number_hints("more than three orders", ()) == (("three orders", "3"),)
    assert number_hints("超过三个订单", ()) == (("三订单", "3"),)
    assert number_hints("most viewed first", ()) == ()


def test_a_translation_of_which_the_schema_has_half_is_left_out() -> None:
    table = Table(("stock",), (Column("id", "INTEGER"), Column("location", "TEXT")))
    assert ("库存", "stock") in glosses("库存有多少", [table], "zh", sure=True)
    half = [
        pair for pair in glosses("库存数量", [table], "zh") if pair not in glosses("库存数量", [table], "zh", sure=True)
    ]
    assert all(len(words.split()) > 1 for _, words in half)


def erp(count: int, width: int = 12) -> tuple[Table, ...]:
    """Invoices of customers among many other things, each written by a user."""
    users = Table(
        ("x_user",), (Column("id", "INTEGER", primary_key=True), Column("login", "TEXT"), Column("name", "TEXT"))
    )
    own = [
        Table(("x_customer",), (Column("id", "INTEGER", primary_key=True), Column("company_name", "TEXT"))),
        Table(
            ("x_invoice",),
            (
                Column("id", "INTEGER", primary_key=True),
                Column("customer_id", "INTEGER"),
                *(Column(f"extra_field_{n}", "TEXT") for n in range(width)),
                Column("amount_due", "REAL"),
            ),
            foreign_keys=(ForeignKey(("customer_id",), ("x_customer",), ("id",)),),
        ),
    ]
    others = [
        Table(
            (f"x_thing_{n}",),
            (
                Column("id", "INTEGER", primary_key=True),
                Column("author_id", "INTEGER"),
                *(Column(f"property_number_{at}", "TEXT") for at in range(width)),
            ),
            foreign_keys=(ForeignKey(("author_id",), ("x_user",), ("id",)),),
        )
        for n in range(count - 3)
    ]
    return (*others, users, *own)


@pytest.mark.parametrize("style", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize(
    "question", ["Which company name has the highest amount due on invoices?", "哪个客户的发票金额最高？"]
)
def test_of_four_hundred_tables_those_of_the_question_are_shown_with_their_parents(
    shipped: Tokens, question: str, style: PromptFormat
) -> None:
    found = view(shipped, question, erp(400), style)
    assert len(found.tokens) <= CHOSEN_TOKENS
    tables = {table.name: {column.name for column in table.columns} for table in found.tables}
    assert {"id", "customer_id", "amount_due"} <= tables["x_invoice"]
    assert {"id", "company_name"} <= tables["x_customer"]


def test_of_a_sheet_of_three_hundred_columns_those_of_the_question_are_shown(shipped: Tokens) -> None:
    columns = [Column(f"measurement of sensor number {n}", "REAL") for n in range(299)]
    sheet = Table(("survey",), (*columns[:200], Column("rainfall", "REAL"), *columns[200:]))
    found = view(shipped, "What is the average rainfall?", (sheet,), FORMAT_E)
    assert len(found.tokens) <= CHOSEN_TOKENS
    assert "rainfall" in {column.name for column in found.tables[0].columns}
    assert found.names.word_columns["survey"]["rainfall"] == "rainfall"


def test_a_schema_that_fits_is_shown_whole_and_alike_for_every_question(shipped: Tokens) -> None:
    asked = [view(shipped, question, erp(12), FORMAT_E) for question in ("How many users?", "What is due?")]
    assert asked[0].tokens == asked[1].tokens
    assert len(asked[0].tokens) <= SCHEMA_TOKENS
    assert {len(table.columns) for table in asked[0].tables} == {len(table.columns) for table in erp(12)}


def test_of_a_large_schema_names_are_plain_and_columns_hold_values(shipped: Tokens) -> None:
    told = [("bestellung", "umsatz"), ("livraison", "total_ht"), ("vente", "taux_tva")]
    told += [(f"thing_{n}", f"property_{n}") for n in range(12)]
    prefixed = tuple(
        Table(
            (f"erp_{name}",),
            (
                Column("rowid", "INTEGER", primary_key=True, samples=("1", "2")),
                Column(column, "REAL", samples=("5", "6")),
                Column(f"{column}_unused", "REAL"),
                Column(f"{column}_zero", "REAL", samples=("0.0",)),
                *(Column(f"further_property_{n}", "TEXT", samples=("a", "b", "c")) for n in range(30)),
            ),
            estimated_rows=40,
            counted=True,
        )
        for name, column in told
    )
    question = "What is the total revenue of orders, deliveries and sales?"
    found = {name: view(shipped, question, prefixed, style) for name, style in FORMATS.items()}
    for shown in found.values():
        lines = {line.split()[0]: line for line in schema_text(shown.prompt).splitlines()}
        assert lines["order"].startswith("order .rowid*# .revenue#=5|6 .further")
        assert lines["delivery"].startswith("delivery .rowid*# .total_excluding_tax#=5|6 .further")
        assert lines["sale"].startswith("sale .rowid*# .rate_tax#=5|6 .further")
        assert shown.names.word_tables["order"] == "erp_bestellung"


def test_the_format_is_that_of_the_weights() -> None:
    assert format_of(2) == FORMAT_D
    assert format_of(3) == FORMAT_E == find_model().prompt_format
    assert format_of(3, parts=False) == replace(FORMAT_E, parts=False)
    made = WeightsInfo("made", Path(), {"prompt_version": 3, "parts": False})
    assert not made.prompt_format.parts
    assert made.prompt_format.undeclared
