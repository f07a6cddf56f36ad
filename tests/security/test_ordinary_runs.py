"""What the guard lets through and an engine can do runs in Inquery's own locked sessions too, with as many rows."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.security.guard.corpus import ordinary
from tests.security.guard.shop import fill
from tests.security.guard.test_same_rows import Run, mysql_run, postgres_run
from tests.servers import Server

from inquery.agents.own_sql import limits_for, run_own_sql
from inquery.agents.sources import Source, Sources
from inquery.errors import InqueryError, SqlRefused
from inquery.settings import QuerySettings, Settings
from inquery.sql import Policy

LIMITS = limits_for(QuerySettings(), 1000)
LOCKED_OUT = {
    "duckdb": ("PIVOT ", "USING SAMPLE", "TABLESAMPLE"),  # a PIVOT without its values is two statements to DuckDB
    "sqlite": (),
    "postgres": (),
    "mysql": (),
}
"""What a locked session refuses although the guard does not: each is told in the guide of its engine."""


@contextlib.contextmanager
def sqlite_file(folder: Path) -> Iterator[tuple[str, Run]]:
    import sqlite3

    with contextlib.closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        fill(connection.execute, "sqlite")
        connection.commit()
        yield str(folder / "shop.sqlite"), lambda sql: connection.execute(sql).fetchall()


@contextlib.contextmanager
def duckdb_file(folder: Path) -> Iterator[tuple[str, Run]]:
    duckdb = pytest.importorskip("duckdb")
    with contextlib.closing(duckdb.connect(str(folder / "shop.duckdb"))) as connection:
        fill(connection.execute, "duckdb")
    with contextlib.closing(duckdb.connect(str(folder / "shop.duckdb"), read_only=True)) as connection:
        yield str(folder / "shop.duckdb"), lambda sql: connection.execute(sql).fetchall()


async def compare(dialect: str, address: str, raw: Run, folder: Path) -> None:
    sources = Sources(Settings(home=folder / "home"))
    try:
        source = await sources.open(sources.add(address))
        wrong, ran = [], 0
        for sql in ordinary(dialect):
            if any(word in sql.upper() for word in LOCKED_OUT[dialect]):
                continue
            try:
                expected = raw(sql.rstrip(";"))
            except Exception:  # noqa: BLE001 - this engine lacks something the dialect has
                continue
            failed = await run_one(source, sql, len(expected))
            ran += 1
            if failed:
                wrong.append((sql, failed))
        assert wrong == []
        assert ran >= 150
    finally:
        await asyncio.to_thread(sources.close)


async def run_one(source: Source, sql: str, rows: int) -> str:
    """What is wrong with a statement; empty when it ran."""
    try:
        ran = await run_own_sql(source.id, sql, catalog=source.catalog, policy=Policy(), limits=LIMITS)
    except SqlRefused as error:
        return f"refused: {error}"
    except InqueryError as error:
        return f"{error.code}: {error.detail}"
    found = len(ran.result.rows)
    return "" if found == min(rows, 1000) or "sample" in sql.lower() else f"{found} rows instead of {rows}"


async def test_sqlite(tmp_path: Path) -> None:
    with sqlite_file(tmp_path) as (address, raw):
        await compare("sqlite", address, raw, tmp_path)


async def test_duckdb(tmp_path: Path) -> None:
    with duckdb_file(tmp_path) as (address, raw):
        await compare("duckdb", address, raw, tmp_path)


async def test_postgres(postgres: Server, tmp_path: Path) -> None:
    with postgres_run(postgres) as raw:
        raw_statement(raw, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {postgres.reader}")
        account = f"{postgres.reader}:{quote(postgres.reader_password, safe='')}"
        await compare("postgres", f"postgresql://{account}@127.0.0.1:{postgres.port}/guard_shop", raw, tmp_path)


async def test_mariadb(mariadb: Server, tmp_path: Path) -> None:
    with mysql_run(mariadb) as raw:
        raw_statement(raw, f"GRANT SELECT ON guard_shop.* TO '{mariadb.reader}'@'%'")
        account = f"{mariadb.reader}:{quote(mariadb.reader_password, safe='')}"
        await compare("mysql", f"mariadb://{account}@127.0.0.1:{mariadb.port}/guard_shop", raw, tmp_path)


def raw_statement(raw: Run, sql: str) -> None:
    with contextlib.suppress(Exception):  # a statement without rows has none to fetch
        raw(sql)
