"""A person's own statement: within the caps, and cut only where it is said to be."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from inquery.agents.own_sql import limits_for, run_own_sql
from inquery.databases.executor.execute import attach, detach, introspect
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import SqlRefused, UnquotedName
from inquery.settings import QuerySettings
from inquery.sql import Catalog, Policy

ALL = "SELECT id FROM t ORDER BY id"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    path = tmp_path / "own.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT)")
        db.execute('CREATE TABLE "values" (id INTEGER PRIMARY KEY)')
        db.executemany("INSERT INTO t VALUES (?, ?)", [(i, "x") for i in range(5)])
        db.commit()
    attach("own", open_engine(parse_address(str(path))))
    yield asyncio.run(introspect("own"))
    detach("own")


@pytest.mark.parametrize(
    ("asked", "allowed", "rows", "truncated"),
    [(None, 1000, 5, None), (5, 1000, 5, None), (4, 1000, 4, "rows"), (None, 5, 5, None), (1000, 4, 4, "rows")],
)
async def test_a_full_result_is_told_from_a_cut_one(
    catalog: Catalog, asked: int | None, allowed: int, rows: int, truncated: str | None
) -> None:
    limits = limits_for(QuerySettings(rows=allowed), asked)
    ran = await run_own_sql("own", ALL, catalog=catalog, policy=Policy(row_cap=allowed), limits=limits)
    assert (ran.result.row_count, ran.result.truncated) == (rows, truncated)


async def test_it_reads_the_database_each_time(catalog: Catalog) -> None:
    limits = limits_for(QuerySettings(), None)
    dice = "SELECT random() AS n FROM t"
    first = await run_own_sql("own", dice, catalog=catalog, policy=Policy(), limits=limits)
    again = await run_own_sql("own", dice, catalog=catalog, policy=Policy(), limits=limits)
    assert first.result.rows != again.result.rows


async def test_a_keyword_that_wants_quotes_is_named(catalog: Catalog) -> None:
    with pytest.raises(UnquotedName) as caught:
        await run_own_sql(
            "own", "SELECT * FROM values", catalog=catalog, policy=Policy(), limits=limits_for(QuerySettings(), None)
        )
    assert '"values"' in caught.value.public_message("en")


async def test_a_refused_statement_takes_no_place(catalog: Catalog) -> None:
    taken = []

    @asynccontextmanager
    async def place() -> AsyncIterator[None]:
        taken.append(True)
        yield

    async def run(sql: str) -> None:
        limits = limits_for(QuerySettings(), None)
        await run_own_sql("own", sql, catalog=catalog, policy=Policy(), limits=limits, place=place())

    with pytest.raises(SqlRefused):
        await run("DELETE FROM t")
    assert taken == []
    await run(ALL)
    assert taken == [True]
