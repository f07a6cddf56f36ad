"""SQL reads back into the shortest form that means the same, and what has no form says why."""

import sqlite3
from collections.abc import Iterator

import pytest
from tests.unit.form.shop import NAMES, SCHEMA, database

from inquery.evals.compare import RunFailed, execution_match
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.printing import write
from inquery.form.to_sql import to_sql

QUARTER = "strftime('%Y', ordered_at) || '-Q' || ((CAST(strftime('%m', ordered_at) AS INTEGER) + 2) / 3)"
PAIRS = [
    ("SELECT count(*) FROM customers", "from customers show count"),
    (
        'SELECT name FROM customers WHERE country = "France"',
        "from customers show customers.name where customers.country = 'France'",
    ),
    (
        "SELECT T1.name, count(*) FROM customers AS T1 JOIN orders AS T2 ON T1.customer_id = T2.customer_id "
        "GROUP BY T2.customer_id, T1.name HAVING count(*) > 1 ORDER BY count(*) DESC, T1.name LIMIT 3",
        "from customers , orders show customers.name , count by customers having count > 1 "
        "sort count desc , customers.name top 3",
    ),
    (
        "SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN items i "
        "ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id WHERE p.title = 'pen'",
        "from customers , products show distinct customers.name where products.title = 'pen'",
    ),
    (
        "SELECT h.team_name, a.team_name FROM games g JOIN teams h ON g.home = h.team_id "
        "JOIN teams a ON g.away = a.team_id",
        "from teams as home , teams as away show home.team_name , away.team_name",
    ),
    (
        "SELECT c.label, p.label FROM categories c JOIN categories p ON c.parent_id = p.category_id",
        "from categories , categories as parent_id show categories.label , parent_id.label",
    ),
    (
        "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE status = 'open')",
        "from customers show customers.name where no ( from orders where orders.status = 'open' )",
    ),
    (
        "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)",
        "from customers show customers.name where any ( from orders )",
    ),
    (
        "SELECT c.name, COUNT(o.order_id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id "
        "AND o.status = 'paid' GROUP BY c.customer_id, c.name",
        "from customers , maybe orders show customers.name , count ( orders if orders.status = 'paid' ) by customers",
    ),
    (
        "SELECT 100.0 * SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) / COUNT(*) FROM orders",
        "from orders show percent ( if orders.status = 'paid' )",
    ),
    (
        f"SELECT {QUARTER}, COUNT(*) FROM orders GROUP BY {QUARTER}",
        "from orders show quarter ( orders.ordered_at ) , count by quarter ( orders.ordered_at )",
    ),
    (
        "SELECT date(ordered_at, 'weekday 0', '-6 days'), COUNT(*) FROM orders "
        "GROUP BY date(ordered_at, 'weekday 0', '-6 days')",
        "from orders show week ( orders.ordered_at ) , count by week ( orders.ordered_at )",
    ),
    (
        "SELECT strftime('%Y-%m', ordered_at) AS m, SUM(total) FROM orders WHERE strftime('%Y', ordered_at) = '2024' "
        "GROUP BY m ORDER BY m",
        "from orders show month ( orders.ordered_at ) , sum ( orders.total ) where orders.ordered_at in "
        "2024-01-01..2025-01-01 by month ( orders.ordered_at ) sort month ( orders.ordered_at )",
    ),
    (
        "SELECT order_id FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at <= '2024-01-31'",
        "from orders show orders.order_id where orders.ordered_at in 2024-01-01..2024-02-01",
    ),
    (
        "SELECT (CAST(strftime('%m', ordered_at) AS INTEGER) + 2) / 3 AS q, COUNT(*) FROM orders GROUP BY q",
        "from orders show quarterno ( orders.ordered_at ) , count by quarterno ( orders.ordered_at )",
    ),
    (
        "SELECT AVG(julianday(paid_at) - julianday(ordered_at)) FROM orders",
        "from orders show avg ( days ( orders.ordered_at , orders.paid_at ) )",
    ),
    (
        "SELECT order_id FROM orders AS o WHERE total > (SELECT AVG(total) FROM orders AS p WHERE p.status = o.status)",
        "from orders show orders.order_id where orders.total > "
        "( from orders show avg ( orders.total ) same orders.status )",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT status FROM orders GROUP BY status)",
        "show count ( from orders show orders.status by orders.status )",
    ),
    (
        "SELECT name FROM customers WHERE name NOT LIKE '%n%'",
        "from customers show customers.name where customers.name not has 'n'",
    ),
    (
        "SELECT status, SUM(total) AS total FROM orders GROUP BY status ORDER BY total DESC",
        "from orders show orders.status , sum ( orders.total ) by orders.status sort sum ( orders.total ) desc",
    ),
    (
        'SELECT MAX("开业 日期") AS "开业 日期" FROM 门店',
        "from 门店 show max ( 门店.开业_日期 )",
    ),
    (
        "SELECT order_id, -total FROM orders WHERE total > -5",
        "from orders show orders.order_id , 0 - orders.total where orders.total > -5",
    ),
    ("SELECT -SUM(total) FROM orders", "from orders show 0 - sum ( orders.total )"),
    (
        "SELECT CAST(SUM(qty) AS REAL) / COUNT(*) FROM items",
        "from items show sum ( items.qty ) / count",
    ),
    (
        "SELECT order_id FROM orders WHERE CAST(strftime('%m', ordered_at) AS INTEGER) < 3",
        "from orders show orders.order_id where monthno ( orders.ordered_at ) < 3",
    ),
    (
        "SELECT c.name, COALESCE(SUM(o.total), 0) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id "
        "GROUP BY c.customer_id, c.name",
        "from customers , maybe orders show customers.name , sum ( orders.total ) by customers",
    ),
]


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    connection = database()
    yield connection
    connection.close()


@pytest.mark.parametrize(("sql", "text"), PAIRS, ids=[text[:60] for _, text in PAIRS])
def test_sql_has_its_form_and_keeps_its_rows(shop: sqlite3.Connection, sql: str, text: str) -> None:
    query = from_sql(sql, SCHEMA)
    assert write(query, NAMES) == text

    def run(statement: str) -> list[tuple[object, ...]]:
        try:
            return shop.execute(statement).fetchall()
        except sqlite3.Error as error:
            raise RunFailed(str(error)) from error

    assert execution_match(sql, to_sql(query, SCHEMA), run).correct


def test_a_name_is_a_column_before_it_is_an_alias_except_in_order_by() -> None:
    sql = "SELECT order_id AS total FROM orders WHERE total > 5 ORDER BY total"
    text = "from orders show orders.order_id where orders.total > 5 sort orders.order_id"
    assert write(from_sql(sql, SCHEMA), NAMES) == text


def test_a_count_of_a_column_without_nulls_is_a_plain_count() -> None:
    sql = "SELECT COUNT(status) FROM orders"
    assert write(from_sql(sql, SCHEMA), NAMES) == "from orders show count ( orders.status )"
    assert write(from_sql(sql, SCHEMA, lambda table, column: False), NAMES) == "from orders show count"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT * FROM nowhere", "unknown table"),
        ("SELECT nothing FROM orders", "unknown column"),
        ("SELECT count(*) FROM orders JOIN teams", "join without a condition"),
        ("SELECT name FROM customers WHERE name LIKE 'a%b'", "LIKE pattern with inner wildcards"),
        ("SELECT upper(name) FROM customers", "expression Upper"),
        ("SELECT CASE WHEN level = 1 THEN 'a' ELSE 'b' END FROM customers", "expression Case"),
        ("SELECT FROM WHERE (", "SQL that does not parse"),
        ("SELECT nothing AS nothing FROM orders", "unknown column"),
        ("SELECT -name FROM customers", "negated expression"),
        ("SELECT CAST(country AS INTEGER) FROM customers", "CAST that changes a value"),
        ("SELECT CAST(total AS INTEGER) FROM orders", "CAST that changes a value"),
        ("SELECT CAST(level AS TEXT) FROM customers", "CAST that changes a value"),
        ("SELECT COALESCE(country, 'none') FROM customers", "COALESCE other than zero for an empty sum"),
        ("SELECT SUM(price + COALESCE(qty, 0)) FROM items", "COALESCE other than zero for an empty sum"),
        (
            "SELECT name, COALESCE((SELECT MAX(total) FROM orders WHERE orders.customer_id = customers.customer_id), "
            "0) FROM customers",
            "COALESCE other than zero for an empty sum",
        ),
    ],
)
def test_what_has_no_form_says_why(sql: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        from_sql(sql, SCHEMA)
