"""A keyword that is also a name wants quotes, and the error says which word."""

import pytest

from inquery.errors import SqlRefused, SqlSyntax, UnknownTable
from inquery.sql import Catalog, Policy
from inquery.sql.quoting import explained

TABLES = {"order": ["id", "group", "total"], "customers": ["id", "order_id", "from"], "orders": ["id"]}


def told(sql: str, dialect: str = "sqlite", policy: Policy | None = None) -> str:
    catalog = Catalog.of(TABLES, dialect=dialect)
    return explained(SqlSyntax("near"), sql, dialect=dialect, catalog=catalog, policy=policy).public_message("en")


@pytest.mark.parametrize(
    ("sql", "dialect", "words"),
    [
        ("SELECT * FROM order", "sqlite", 'Quote it in the statement: "order"'),
        ("SELECT COUNT(*) FROM Order o", "postgres", 'statement: "order"'),
        ("SELECT total FROM order WHERE order.total > 1", "mysql", "statement: `order`"),
        ("SELECT group, SUM(total) FROM order GROUP BY group ORDER BY group", "tsql", "statement: [group], [order]"),
        ("SELECT c.from FROM customers c", "postgres", 'statement: "from"'),
    ],
)
def test_the_word_that_must_be_quoted_is_named(sql: str, dialect: str, words: str) -> None:
    assert words in told(sql, dialect)


def test_it_is_told_in_chinese_too() -> None:
    catalog = Catalog.of(TABLES, dialect="sqlite")
    error = explained(SqlRefused("syntax"), "SELECT * FROM order", dialect="sqlite", catalog=catalog)
    assert error.public_message("zh") == 'order 是 SQL 关键字，同时也是此数据库中的名称，在语句中须加引号："order"'


@pytest.mark.parametrize(
    "sql",
    [
        "SELEC id FROM orders",
        'SELECT * FROM "order" WHERE',
        "SELECT 'order' FROM orders WHERE",
        "SELECT * FROM orders GROUP BY id ORDER BY",
        "DELETE FROM order",
    ],
)
def test_any_other_error_stays_as_it_is(sql: str) -> None:
    assert told(sql) == SqlSyntax().public_message("en")


def test_a_hidden_table_is_not_named() -> None:
    assert "order" not in told("SELECT * FROM order", policy=Policy(tables=frozenset({"orders"})))


def test_only_errors_of_syntax_are_explained() -> None:
    error = UnknownTable("order")
    catalog = Catalog.of(TABLES, dialect="sqlite")
    assert explained(error, "SELECT * FROM order", dialect="sqlite", catalog=catalog) is error
