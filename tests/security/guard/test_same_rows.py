"""Original and rewritten text give the same rows on real engines, over the ordinary corpus."""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.security.guard.catalogue import catalogue
from tests.security.guard.corpus import ordinary
from tests.security.guard.shop import fill
from tests.servers import Server

from inquery.sql import Policy, check

Run = Callable[[str], list[tuple[Any, ...]]]

# Statements with these words give other rows each time: the clock, chance, and the order rows are stored in.
VOLATILE = ("rand", "now", "current_", "uuid", "today", "sample", "curdate", "localtime", "clock_", "sysdate", "utc_",
            "paste join", "positional join", "anylast", "any(", "neighbor", "rownumberin", "running")  # fmt: skip


@contextlib.contextmanager
def sqlite_run() -> Iterator[Run]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        fill(connection.execute, "sqlite")
        yield lambda sql: connection.execute(sql).fetchall()


@contextlib.contextmanager
def duckdb_run() -> Iterator[Run]:
    duckdb = pytest.importorskip("duckdb")
    # One thread: what an aggregate keeps of the order of rows (arrays, any, first) is then the same each time.
    with contextlib.closing(duckdb.connect(config={"threads": 1})) as connection:
        fill(connection.execute, "duckdb")
        yield lambda sql: connection.execute(sql).fetchall()


@contextlib.contextmanager
def clickhouse_run() -> Iterator[Run]:
    session = pytest.importorskip("chdb.session").Session()
    try:
        session.query("SET max_threads = 1")
        fill(session.query, "clickhouse")
        yield lambda sql: [tuple(row) for row in json.loads(session.query(sql, "JSONCompact").bytes())["data"]]
    finally:
        session.close()


@contextlib.contextmanager
def postgres_run(server: Server) -> Iterator[Run]:
    psycopg = pytest.importorskip("psycopg")
    where = {"host": "127.0.0.1", "port": server.port, "user": server.admin, "password": server.password}
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as admin:
        admin.execute("DROP DATABASE IF EXISTS guard_shop")
        admin.execute("CREATE DATABASE guard_shop")
    with psycopg.connect(**where, dbname="guard_shop", autocommit=True) as connection:
        fill(connection.execute, "postgres")
        yield lambda sql: connection.execute(sql).fetchall()


@contextlib.contextmanager
def mysql_run(server: Server) -> Iterator[Run]:
    pymysql = pytest.importorskip("pymysql")
    connection = pymysql.connect(
        host="127.0.0.1", port=server.port, user=server.admin, password=server.password, autocommit=True
    )
    with contextlib.closing(connection), connection.cursor() as cursor:

        def run(sql: str) -> list[tuple[Any, ...]]:
            cursor.execute(sql)
            return list(cursor.fetchall())

        run("DROP DATABASE IF EXISTS guard_shop")
        run("CREATE DATABASE guard_shop CHARACTER SET utf8mb4")
        run("USE guard_shop")
        fill(run, "mysql")
        yield run


def plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value)
    return repr(value)


def compare(dialect: str, run: Run) -> None:
    compared, wrong = 0, []
    for sql in ordinary(dialect):
        try:
            expected = run(sql.rstrip(";"))
        except Exception:  # noqa: BLE001 - this engine lacks something the dialect has
            continue
        text = check(sql, dialect=dialect, catalog=catalogue(dialect), policy=Policy(row_cap=5000)).text
        got = run(text)
        if any(word in sql.lower() for word in VOLATILE):
            continue
        compared += 1
        if sorted(map(plain, got), key=repr) != sorted(map(plain, expected), key=repr):
            wrong.append((sql, text))
    assert not wrong
    assert compared >= 35


@pytest.mark.parametrize(
    ("dialect", "engine"), [("sqlite", sqlite_run), ("duckdb", duckdb_run), ("clickhouse", clickhouse_run)]
)
def test_embedded_engines(dialect: str, engine: Callable[[], contextlib.AbstractContextManager[Run]]) -> None:
    with engine() as run:
        compare(dialect, run)


def test_postgres(postgres: Server) -> None:
    with postgres_run(postgres) as run:
        compare("postgres", run)


def test_mariadb(mariadb: Server) -> None:
    with mysql_run(mariadb) as run:
        compare("mysql", run)
