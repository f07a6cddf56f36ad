"""Figures that stand in a column of texts are reckoned with as figures, and shown as they are stored."""

import sqlite3

import pytest

from inquery.form.from_sql import from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.sql.catalog import Column, Table
from inquery.sql.stored_numbers import stored_number

PRICES = ("$2,500.00", "$900.00", "$85.00", "$1,200.00")


@pytest.mark.parametrize(
    ("samples", "signs"),
    [
        (PRICES, "$,"),
        (("85%", "90%", "100%", ""), "%,"),
        (("￥3,000", "￥80", "N/A", "￥12.5"), "￥,"),
        (("1,024", "300", "2,048,000"), ","),
        (("12元", "8.5 元", "30元"), "元,"),
        (("90210", "10001", "60614"), ""),  # codes
        (("$5", "$6"), ""),  # too few to tell
        (("$5", "$6", "on request"), ""),
        (("3-4", "5-6", "1,2"), ""),
    ],
)
def test_what_a_column_keeps_is_told_by_its_samples(samples: tuple[str, ...], signs: str) -> None:
    assert stored_number(Column("price", "TEXT", samples=samples)) == signs
    assert stored_number(Column("price", "REAL", samples=samples)) == ""
    assert stored_number(Column("price", "TEXT", samples=samples, primary_key=True)) == ""


@pytest.fixture
def schema() -> FormSchema:
    columns = (Column("id", "INTEGER", primary_key=True), Column("room", "TEXT"))
    money = (Column("price", "TEXT", samples=PRICES), Column("fee", "TEXT", samples=("$10.00", "$20.00", "$1,000.00")))
    return FormSchema([Table(("stays",), (*columns, *money))])


@pytest.fixture
def stays() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.executescript(
        "CREATE TABLE stays(id INTEGER PRIMARY KEY, room TEXT, price TEXT, fee TEXT);"
        "INSERT INTO stays VALUES(1,'a','$2,500.00','$10.00'),(2,'a','$900.00','$1,000.00'),(3,'b','','$20.00'),"
        "(4,'b','$85.00',NULL);"
    )
    return made


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ("from stays show stays.room , avg ( stays.price ) by stays.room", [("a", 1700.0), ("b", 85.0)]),
        ("from stays show max ( stays.price )", [(2500.0,)]),
        ("from stays show stays.price sort stays.price desc top 1", [("$2,500.00",)]),
        ("from stays show stays.id where stays.price > 100", [(1,), (2,)]),
        ("from stays show stays.id where stays.fee > stays.price", [(2,)]),
        ("from stays show stays.id where stays.price = '$85.00'", [(4,)]),
        ("from stays show sum ( stays.price + stays.fee )", [(4410.0,)]),
        ("from stays show stays.id where stays.price > ( from stays show avg ( stays.price ) )", [(1,)]),
    ],
)
def test_they_are_reckoned_with(
    form: str, rows: list[tuple[object, ...]], schema: FormSchema, stays: sqlite3.Connection
) -> None:
    names = NameMap(list(schema.tables.values()))
    sql = to_sql(read_form(form, names), schema, "sqlite")
    assert stays.execute(sql).fetchall() == rows
    again = from_sql(sql, schema)
    assert stays.execute(to_sql(again, schema, "sqlite")).fetchall() == rows
    assert write(again, names) == form
