"""Computed columns have names that people read."""

import sqlite3

import pytest
from tests.unit.form.shop import NAMES, SCHEMA, database

from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql, to_tree
from inquery.llm.embedded.headings import headed

COLUMNS = [column.name for table in SCHEMA.tables.values() for column in table.columns]


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("from orders show count", ["count"]),
        ("from orders show sum ( orders.total ) , avg ( orders.total )", ["total_total", "average_total"]),
        ("from orders show month ( orders.ordered_at ) , count by month ( orders.ordered_at )", ["month", "count"]),
        ("from customers show customers.name", ["name"]),
        ("from orders show count , count ( distinct orders.customer_id )", ["count", None]),
    ],
)
def test_computed_columns_are_named(form: str, names: list[str | None]) -> None:
    query = read_form(form, NAMES)
    sql = headed(to_tree(query, SCHEMA, "sqlite"), "sqlite", query, (), COLUMNS)
    connection: sqlite3.Connection = database()
    found = [each[0] for each in connection.execute(sql).description]
    connection.close()
    assert [name if want else None for name, want in zip(found, names, strict=True)] == names


def test_a_measure_keeps_its_name_and_a_column_its_own() -> None:
    query = read_form("from orders show sum ( orders.total )", NAMES)
    assert headed(to_tree(query, SCHEMA), "sqlite", query, ("total",), ()).endswith("AS total FROM orders")
    assert headed(to_tree(query, SCHEMA), "sqlite", query, ("total",), COLUMNS) == to_sql(query, SCHEMA)
