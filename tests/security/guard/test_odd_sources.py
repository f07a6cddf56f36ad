"""Odd ways to write a table: a filter holds in each, and what an engine takes is not refused."""

import pytest
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.test_same_rows import Run, duckdb_run, mysql_run, postgres_run, sqlite_run
from tests.servers import Server

from inquery.sql import Catalog, Policy, SqlRefused, check

PROJECT = Catalog.of(
    {("my-proj-1", "shop", "orders"): ["id", "region"], ("my-proj-1", "shop", "daily-sales"): ["id"]},
    dialect="bigquery",
)
NORTH = Policy(row_filters={"my-proj-1.shop.orders": "region = 'north'"})
BRACKETED = [
    "SELECT id FROM (orders)",
    "SELECT id FROM ((orders))",
    "SELECT orders.id FROM (orders) WHERE orders.total > 0",
    "SELECT orders.id FROM (orders) JOIN (customers) ON customers.id = orders.customer_id",
    "SELECT orders.id FROM (orders JOIN customers ON customers.id = orders.customer_id)",
]
PAID = Policy(row_filters={"orders": "status = 'paid'"}, row_cap=None)


@pytest.mark.parametrize(
    "source",
    [
        "my-proj-1.shop.orders",
        "my-proj-1.shop.orders AS o",
        "`my-proj-1`.shop.orders",
        "`my-proj-1`.`shop`.`orders`",
        "`my-proj-1.shop.orders`",
        "`my-proj-1.shop`.orders",
        "shop.orders",
        "orders",
    ],
)
def test_a_dashed_project_is_found_quoted_and_bare_and_filtered(source: str) -> None:
    found = check(f"SELECT id FROM {source}", dialect="bigquery", catalog=PROJECT)
    assert found.tables == (("my-proj-1", "shop", "orders"),)
    filtered = check(f"SELECT id FROM {source}", dialect="bigquery", catalog=PROJECT, policy=NORTH)
    assert "WHERE (region = 'north')" in filtered.text
    assert check(filtered.text, dialect="bigquery", catalog=PROJECT, policy=NORTH).text == filtered.text


@pytest.mark.parametrize("source", ["my-proj-1.shop.daily-sales", "`my-proj-1.shop.daily-sales`", "shop.daily-sales"])
def test_a_dashed_table_is_found_too(source: str) -> None:
    assert check(f"SELECT id FROM {source}", dialect="bigquery", catalog=PROJECT).tables[0][-1] == "daily-sales"


@pytest.mark.parametrize(
    "source",
    ["other-proj.shop.orders", "`other-proj.shop.orders`", "my-proj-1.other.orders", "my-proj-2.shop.orders",
     "my-proj-1.shop.INFORMATION_SCHEMA.TABLES", "`my-proj-1`.`region-us`.INFORMATION_SCHEMA.JOBS"],
)  # fmt: skip
def test_another_dashed_project_is_unknown(source: str) -> None:
    with pytest.raises(SqlRefused) as refused:
        check(f"SELECT * FROM {source}", dialect="bigquery", catalog=PROJECT)
    assert refused.value.rule == "unknown_table"


@pytest.mark.parametrize("dialect", SCHEMAS)
@pytest.mark.parametrize("sql", BRACKETED)
def test_a_table_in_brackets_has_its_filter(dialect: str, sql: str) -> None:
    found = check(sql, dialect=dialect, catalog=catalogue(dialect), policy=PAID)
    assert found.text.count("status = 'paid'") == 1


def only_paid(run: Run, dialect: str) -> None:
    # PostgreSQL has no brackets around one table; a derived table in its place makes the first ones readable.
    for sql in [each for each in BRACKETED if dialect != "postgres" or "(customers)" not in each]:
        text = check(sql, dialect=dialect, catalog=catalogue(dialect), policy=PAID).text
        assert sorted(run(text)) == [(4,), (8,), (12,), (16,), (20,)], text


def test_sqlite_reads_them() -> None:
    with sqlite_run() as run:
        only_paid(run, "sqlite")


def test_duckdb_reads_them() -> None:
    with duckdb_run() as run:
        only_paid(run, "duckdb")


def test_postgres_reads_them(postgres: Server) -> None:
    with postgres_run(postgres) as run:
        only_paid(run, "postgres")


def test_mariadb_reads_them(mariadb: Server) -> None:
    with mysql_run(mariadb) as run:
        only_paid(run, "mysql")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM orders WHERE status = '/*! x */'",
        'SELECT id FROM orders WHERE status = "/*!50000 SLEEP(1) */"',
        "SELECT id AS `/*!` FROM orders",
        "SELECT 'it''s /*! text' AS x FROM orders",
    ],
)
def test_a_mark_of_an_executable_comment_inside_text_is_text(sql: str) -> None:
    assert "/*!" in check(sql, dialect="mysql", catalog=catalogue("mysql"), policy=PAID).text


@pytest.mark.parametrize(
    "hint",
    [
        "JOIN_ORDER(o, c)",
        "NO_INDEX_MERGE(o)",
        "SUBQUERY(MATERIALIZATION)",
        "HASH_JOIN(o, c) BKA(o)",
        "NO_ICP(o PRIMARY)",
    ],
)
def test_a_hint_names_no_columns_and_is_dropped(hint: str) -> None:
    sql = f"SELECT /*+ {hint} */ o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id"
    assert "/*" not in check(sql, dialect="mysql", catalog=catalogue("mysql")).text


@pytest.mark.parametrize("hint", ["SET_VAR(sql_mode = '')", "BKA(o) SET_VAR(x = 1)", "RESOURCE_GROUP(all_of_it)"])
def test_a_hint_that_sets_something_is_refused_wherever_it_stands(hint: str) -> None:
    with pytest.raises(SqlRefused) as refused:
        check(f"SELECT /*+ {hint} */ o.id FROM orders AS o", dialect="mysql", catalog=catalogue("mysql"))
    assert refused.value.rule == "hidden_code"


@pytest.mark.parametrize(
    ("sql", "where"),
    [
        ("SELECT id FROM orders PREWHERE total > 5", "WHERE total > 5"),
        ("SELECT id FROM orders PREWHERE total > 5 WHERE id > 1", "WHERE id > 1 AND total > 5"),
        (
            "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id PREWHERE o.total > 5",
            "WHERE o.total > 5",
        ),
    ],
)
def test_prewhere_over_a_filter_is_a_where(sql: str, where: str) -> None:
    shown = catalogue("clickhouse")
    policy = Policy(row_filters={"default.orders": "status = 'paid'"}, row_cap=None)
    found = check(sql, dialect="clickhouse", catalog=shown, policy=policy).text
    assert "(status = 'paid')" in found
    assert found.endswith(where)
    assert "PREWHERE" in check(sql, dialect="clickhouse", catalog=shown).text
