"""Repairs that need no model."""

import pytest

from inquery.sql import Catalog, Policy, check
from inquery.sql.repair import repair

TABLES = {
    "customers": ["id", "full_name", "city"],
    "orders": ["id", "customer_id", "total", "created_at"],
    "order": ["id", "unit price"],
}


@pytest.mark.parametrize(
    ("dialect", "sql", "part"),
    [
        ("sqlite", "SELECT fullname FROM customer", "full_name"),
        (
            "postgres",
            "SELECT c.full_nme, SUM(o.totl) FROM customers c JOIN ordrs o ON o.customerid = c.id GROUP BY 1",
            "total",
        ),
        ("postgres", "SELECT `city` FROM `customers`", '"city"'),
        ("sqlite", "SELECT TOP 5 city FROM customers", "LIMIT 5"),
        ("tsql", "SELECT city FROM customers LIMIT 5", "TOP 5"),
        ("oracle", "SELECT city FROM customers LIMIT 5", "FETCH FIRST 5 ROWS ONLY"),
        ("sqlite", "SELECT id FROM order", '"order"'),
        ("mysql", "SELECT unit price FROM `order`", "`unit price`"),
        ("sqlite", "SELECT DATE_TRUNC('month', created_at) FROM orders", "strftime('%Y-%m-01', created_at)"),
        ("sqlite", "SELECT EXTRACT(YEAR FROM created_at) FROM orders", "strftime('%Y', created_at)"),
        ("duckdb", "```sql\nSELECT city FROM customers\n```", "SELECT city FROM customers"),
    ],
)
def test_a_repaired_statement_passes_the_guard(dialect: str, sql: str, part: str) -> None:
    catalog = Catalog.of(TABLES, dialect=dialect)
    found = repair(sql, dialect=dialect, catalog=catalog)
    assert found is not None
    assert part in found.text
    assert found.changes
    assert check(found.text, dialect=dialect, catalog=catalog)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM secrets",
        "DROP TABLE orders",
        "SELECT load_extension('x')",
        "SELECT 1; SELECT 2",
        "",
        "SELECT id FROM orders",
    ],
)
def test_what_cannot_or_need_not_be_repaired_is_left_alone(sql: str) -> None:
    assert repair(sql, dialect="sqlite", catalog=Catalog.of(TABLES, dialect="sqlite")) is None


def test_a_repair_does_not_name_what_the_user_may_not_see() -> None:
    catalog = Catalog.of(TABLES, dialect="sqlite")
    assert (
        repair(
            "SELECT id FROM customer", dialect="sqlite", catalog=catalog, policy=Policy(tables=frozenset({"orders"}))
        )
        is None
    )


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb", "clickhouse", "bigquery"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(DISTINCT [t].[a]) FROM [t]",
        "SELECT TOP 3 [a] FROM [t] WHERE [a] = 'x'",
        "SELECT a[ FROM t",
        "SELECT {",
        "SELECT * FROM t PIVOT(",
    ],
)
def test_a_text_of_another_dialect_never_breaks_the_repair(sql: str, dialect: str) -> None:
    found = repair(sql, dialect=dialect, catalog=Catalog.of({"t": ["a"]}, dialect=dialect))
    assert found is None or found.changes
