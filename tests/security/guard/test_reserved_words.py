"""A word that is reserved and names a table is quoted by the guard, or the error says which word wants quotes."""

import contextlib
import sqlite3

import pytest
from tests.security.guard.catalogue import SCHEMAS
from tests.security.guard.test_same_rows import Run, duckdb_run, mysql_run, postgres_run, sqlite_run
from tests.servers import Server

from inquery.errors import UnquotedName
from inquery.sql import Catalog, CheckedSql, Policy, SqlRefused, check
from inquery.sql.quoting import RESERVED, explained

WORDS = sorted(RESERVED - {"select"})  # FROM select begins a query in every grammar
OPENED = [
    "SELECT id, total FROM order WHERE total > 1 ORDER BY order.total",
    "SELECT o.id FROM order o JOIN orders ON orders.id = o.id",
    "SELECT order.* FROM order",
    "WITH x AS (SELECT id FROM Order) SELECT COUNT(*) FROM x",
]
FILTERED = Policy(row_filters={"order": "total > 6"}, row_cap=None)


def catalogue(dialect: str, word: str) -> Catalog:
    upper = dialect in {"snowflake", "oracle"}
    return Catalog.of({word.upper() if upper else word: ["ID" if upper else "id"]}, dialect=dialect)


def checked(sql: str, dialect: str, word: str) -> CheckedSql | Exception:
    catalog = catalogue(dialect, word)
    try:
        return check(sql, dialect=dialect, catalog=catalog)
    except SqlRefused as refused:
        return explained(refused, sql, dialect=dialect, catalog=catalog)


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_each_word_is_mended_or_named(dialect: str) -> None:
    found = {word: checked(f"SELECT id FROM {word}", dialect, word) for word in WORDS}
    assert [word for word, each in found.items() if not isinstance(each, CheckedSql | UnquotedName)] == []
    assert sum(isinstance(each, CheckedSql) for each in found.values()) > 90


def test_what_is_mended_runs() -> None:
    """On SQLite, all words; that of the others is below."""
    failed = []
    for word in set(WORDS) - {"null"}:  # before a dot it is still the value; the engine's error is then explained
        found = checked(f"SELECT {word}.id FROM {word}", "sqlite", word)
        if isinstance(found, CheckedSql):
            with contextlib.closing(sqlite3.connect(":memory:")) as connection:
                connection.execute(f'CREATE TABLE "{word}" (id INTEGER)')
                try:
                    connection.execute(found.text)
                except sqlite3.Error as error:
                    failed.append((found.text, str(error)))
    assert failed == []


def runs(run: Run, dialect: str) -> None:
    from tests.security.guard.catalogue import catalogue as shop

    for sql in OPENED if dialect != "mysql" else [each.replace("Order)", "order)") for each in OPENED]:
        assert len(run(check(sql, dialect=dialect, catalog=shop(dialect)).text)) in {1, 7, 8}, sql
    filtered = check("SELECT order.id FROM order", dialect=dialect, catalog=shop(dialect), policy=FILTERED)
    assert sorted(run(filtered.text)) == [(4,), (5,), (6,), (7,), (8,)]


def test_sqlite() -> None:
    with sqlite_run() as run:
        runs(run, "sqlite")


def test_duckdb() -> None:
    with duckdb_run() as run:
        runs(run, "duckdb")


def test_postgres(postgres: Server) -> None:
    with postgres_run(postgres) as run:
        runs(run, "postgres")


def test_mariadb(mariadb: Server) -> None:
    with mysql_run(mariadb) as run:
        runs(run, "mysql")
