"""Hidden columns, row filters, views, extra functions: what a policy does to a statement."""

import pickle
import sqlite3

import pytest

from inquery.sql import Catalog, CheckedSql, Column, Policy, SqlRefused, Table, check

CATALOG = Catalog.of(
    {"users": ["id", "name", "password"], "orders": ["id", "user_id", "total"], "regions": ["id"]}, dialect="sqlite"
)
HIDDEN = Policy(hidden_columns=frozenset({"users.password"}), row_cap=None)


def text(sql: str, policy: Policy, dialect: str = "sqlite", catalog: Catalog = CATALOG) -> str:
    return check(sql, dialect=dialect, catalog=catalog, policy=policy).text


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT password FROM users",
        "SELECT PassWord FROM users",
        'SELECT "password" FROM users u',
        "SELECT u.password FROM users u",
        "SELECT main.users.password FROM main.users",
        "SELECT id FROM users WHERE password LIKE 'a%'",
        "SELECT id FROM users ORDER BY password",
        "SELECT COUNT(*) FROM users GROUP BY password",
        "SELECT a.id FROM users a JOIN users b USING (password)",
        "SELECT (SELECT password FROM users WHERE id = o.user_id) FROM orders o",
        "WITH x AS (SELECT * FROM users) SELECT password FROM x",
        "SELECT p FROM (SELECT id, name, password AS p FROM users)",
        "SELECT * FROM (SELECT * FROM users) WHERE password = 'x'",
        "SELECT MAX(password) OVER () FROM users",
        "SELECT id FROM orders UNION SELECT password FROM users",
        "SELECT CASE WHEN password = 'a' THEN 1 END FROM users",
    ],
)
def test_a_hidden_column_is_as_unknown_as_one_that_is_not_there(sql: str) -> None:
    with pytest.raises(SqlRefused) as hidden:
        text(sql, HIDDEN)
    with pytest.raises(SqlRefused) as missing:
        text(sql.replace("password", "nowhere").replace("PassWord", "nowhere"), HIDDEN)
    assert hidden.value.rule == missing.value.rule == "unknown_column"
    assert "password" not in hidden.value.nearest


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM users", "SELECT u.* FROM users u", "SELECT * FROM users NATURAL JOIN orders"]
)
def test_a_star_gives_the_visible_columns_only(sql: str) -> None:
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE users (id, name, password)")
        db.execute("CREATE TABLE orders (id, user_id, total)")
        found = db.execute(text(sql, HIDDEN))
        assert "password" not in [column[0] for column in found.description]
    db.close()


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "SELECT u FROM users u"),
        ("postgres", "SELECT to_json(users) FROM users"),
        ("postgres", "SELECT row_to_json(u.*) FROM users u"),
        ("postgres", "SELECT (u).password FROM users u"),
        ("duckdb", "SELECT u FROM users u"),
        ("bigquery", "SELECT TO_JSON_STRING(u) FROM users u"),
    ],
)
def test_whole_rows_of_a_table_with_hidden_columns_are_refused(dialect: str, sql: str) -> None:
    with pytest.raises(SqlRefused):
        text(sql, HIDDEN, dialect)


def test_pivots_and_column_patterns_see_the_derived_table() -> None:
    for sql in (
        "PIVOT users ON name USING COUNT(*)",
        "SELECT COLUMNS('pass.*') FROM users",
        "SELECT * EXCLUDE (id) FROM users",
    ):
        assert "password" not in text(sql, HIDDEN, "duckdb").lower()


FILTERED = Policy(
    row_filters={"orders": "user_id IN (SELECT id FROM regions)", "users": "id < 3"},
    row_cap=None,
    tables=frozenset({"orders", "users"}),
)


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        ("SELECT id FROM orders", 1),
        ("SELECT o.id FROM orders o LEFT JOIN orders p USING (id)", 2),
        ("SELECT id FROM orders UNION SELECT id FROM orders ORDER BY id", 2),
        ("WITH orders AS (SELECT * FROM orders) SELECT * FROM orders", 1),
        ("WITH regions AS (SELECT 99 AS id) SELECT o.id FROM orders o, regions", 1),
        (
            "SELECT id FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > (SELECT AVG(total) FROM orders))",
            2,
        ),
        ("SELECT * FROM main.orders", 1),
    ],
)
def test_every_use_carries_the_filter_once(sql: str, uses: int) -> None:
    once = text(sql, FILTERED)
    assert once.count("FROM regions") - once.count("FROM regions_cte") == uses
    assert text(once, FILTERED) == once


def test_a_cte_cannot_stand_in_for_a_table_of_the_filter() -> None:
    assert "WITH regions_cte AS" in text(
        "WITH regions AS (SELECT 1 AS id) SELECT o.id FROM orders o JOIN regions r ON 1 = 1", FILTERED
    )


def test_tables_of_a_filter_stay_unknown_to_the_user() -> None:
    with pytest.raises(SqlRefused, match="no table regions"):
        text("SELECT id FROM regions", FILTERED)


def test_a_filter_keeps_outer_joins_outer() -> None:
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE users (id, name, password)")
        db.execute("CREATE TABLE orders (id, user_id, total)")
        db.execute("CREATE TABLE regions (id)")
        db.executemany("INSERT INTO users VALUES (?, 'n', 'p')", [(1,), (2,), (3,)])
        db.executemany("INSERT INTO orders VALUES (?, ?, 1)", [(1, 1), (2, 2)])
        db.execute("INSERT INTO regions VALUES (1)")
        rows = db.execute(
            text("SELECT u.id, o.id FROM users u LEFT JOIN orders o ON o.user_id = u.id ORDER BY 1", FILTERED)
        )
        assert rows.fetchall() == [(1, 1), (2, None)]
    db.close()


@pytest.mark.parametrize("broken", ["1 = 1) OR (1 = 1", "1 = 1; DROP TABLE x", "", "id =", "1 = 1 ORDER BY 1"])
def test_a_filter_that_is_not_one_condition_refuses(broken: str) -> None:
    with pytest.raises(SqlRefused) as caught:
        text("SELECT id FROM orders", Policy(row_filters={"orders": broken}))
    assert caught.value.rule == "bad_filter"


def test_views_are_refused_beside_row_filters_unless_listed() -> None:
    view = Table(("v",), (Column("id"),), kind="view")
    catalog = Catalog("sqlite", (view, *CATALOG.tables))
    filters = {"orders": "id = 1"}
    assert text("SELECT id FROM v", Policy(), catalog=catalog)
    with pytest.raises(SqlRefused) as caught:
        text("SELECT id FROM v", Policy(row_filters=filters), catalog=catalog)
    assert caught.value.rule == "forbidden_source"
    assert text("SELECT id FROM v", Policy(row_filters=filters, views=frozenset({"v"})), catalog=catalog)


V = Table(("v",), (Column("id"), Column("word")), kind="view")
W = Table(("w",), (Column("id"),), kind="materialized view")
VIEWED = Catalog("sqlite", (V, W, *CATALOG.tables))
OWN = 'SELECT x.id FROM (SELECT "id" FROM v) AS x'
"""Just what the guard itself makes of a view whose column `word` is hidden."""


@pytest.mark.parametrize(
    ("policy", "closed"),
    [
        (Policy(hidden_columns=frozenset({"users.password"})), {"v", "w"}),
        (Policy(hidden_columns=frozenset({"users.password", "v.word"})), {"v", "w"}),
        (Policy(hidden_columns=frozenset({"gone.password"})), {"v", "w"}),
        (Policy(hidden_columns=frozenset({"v.word"})), {"w"}),
        (Policy(hidden_columns=frozenset({"users.password"}), views=frozenset({"v"})), {"w"}),
        (Policy(hidden_columns=frozenset({"users.password"}), row_filters={"v": "id = 1"}), {"v", "w"}),
        (Policy(row_filters={"orders": "id = 1", "v": "id = 1"}), {"w"}),
        (Policy(row_filters={"orders": "id = 1"}, hidden_columns=frozenset({"v.word"})), {"v", "w"}),
        (Policy(tables=frozenset({"v", "w"})), set()),
        (Policy(tables=frozenset({"v", "w", "users"}), hidden_columns=frozenset({"users.password"})), {"v", "w"}),
        (Policy(), set()),
    ],
)
def test_a_view_is_closed_where_a_rule_speaks_of_another_table(policy: Policy, closed: set[str]) -> None:
    for name in ("v", "w"):
        for sql in (f"SELECT id FROM {name}", f"SELECT 1 WHERE EXISTS (SELECT id FROM {name})"):
            if name in closed:
                with pytest.raises(SqlRefused) as caught:
                    text(sql, policy, catalog=VIEWED)
                assert (caught.value.rule, caught.value.name) == ("forbidden_source", name)
            else:
                assert text(sql, policy, catalog=VIEWED)
    if "v" in closed:
        with pytest.raises(SqlRefused):
            text(OWN, policy, catalog=VIEWED)


@pytest.mark.parametrize("nearly", ["v", "w"])
def test_a_closed_view_is_not_suggested(nearly: str) -> None:
    with pytest.raises(SqlRefused) as caught:
        text(f"SELECT id FROM {nearly}{nearly}", HIDDEN, catalog=VIEWED)
    assert caught.value.nearest == ()


def test_extra_functions_of_the_policy() -> None:
    with pytest.raises(SqlRefused) as caught:
        text("SELECT my_rate(total) FROM orders", Policy())
    assert caught.value.rule == "forbidden_function"
    assert text("SELECT my_rate(total) FROM orders", Policy(functions=frozenset({"my_rate"})))


def test_checked_sql_is_made_by_the_guard_alone() -> None:
    checked = check("SELECT 1", dialect="sqlite", catalog=CATALOG)
    with pytest.raises(TypeError):
        CheckedSql("DROP TABLE users", "", "sqlite", (), (), None, False, "", "")
    with pytest.raises(TypeError):
        pickle.dumps(checked)
