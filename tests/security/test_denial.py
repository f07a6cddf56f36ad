"""Promises 5, 6 and 29: a statement that asks for too much ends, nothing of it runs on, and the next one is answered."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import connect
from tests.contract.running import eventually

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.errors import DatabaseUnavailable, InqueryError, QueryLimit
from inquery.sql import Catalog, check

ASKED: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("denial.yaml").read_text("utf-8"))
LIMITS = Limits(timeout_s=0.4, rows=100, bytes=1 << 16)
AT_LAST_S = 30
"""When a statement is taken to hang: its limit is 0.4 s, and how soon after that it ends is a benchmark."""
NUMBERS = TableSpec(
    "numbers",
    [ColumnSpec("n"), ColumnSpec("word", "text")],
    [(n, "abcdefgh"[: n % 8 + 1] * 8) for n in range(1, 301)],
    primary_key=["n"],
)


@pytest.fixture(scope="session")
def numbers(engine_case: EngineCase) -> str:
    return engine_case.make_database([NUMBERS])


async def outcome(url: str, sql: str, catalog: Catalog) -> str:
    """What became of a statement; it passes the guard, which does not know what a statement costs."""
    checked = check(sql, dialect=catalog.dialect, catalog=catalog)
    try:
        async with asyncio.timeout(AT_LAST_S):
            await executor.execute(url, checked, limits=LIMITS, fresh=True)
    except (QueryLimit, DatabaseUnavailable) as error:  # an embedded engine out of memory ends with its process
        return error.code
    except InqueryError as error:
        return f"failed: {error.code}"
    return "ran"


async def test_what_asks_for_too_much_ends_and_leaves_nothing(engine_case: EngineCase, numbers: str) -> None:
    with ExitStack() as stack:
        connect(stack, numbers)
        catalog = await executor.introspect(numbers)
        asked = [*ASKED["everywhere"], *ASKED["own"][engine_case.dialect]]
        found = {sql: await outcome(numbers, sql, catalog) for sql in asked}
        await eventually(lambda: engine_case.running(numbers) == 0)
        counted = check("SELECT COUNT(*) AS c FROM numbers", dialect=catalog.dialect, catalog=catalog)
        rows = (await executor.execute(numbers, counted, fresh=True)).rows
    ended = [code for code in found.values() if code != "ran"]
    print(
        f"{engine_case.name}: {len(found)} asked for too much, {len(ended)} were ended, {len(found) - len(ended)} ran"
    )
    assert rows == [(300,)]
    assert len(ended) > len(found) / 2, found  # else nothing was asked that has to be ended
    assert not [sql for sql, code in found.items() if code.startswith("failed")], found


def test_every_engine_of_the_contract_is_asked() -> None:
    assert set(ASKED["own"]) == {"sqlite", "postgres", "mysql", "duckdb", "clickhouse"}
    assert all(ASKED["own"].values())
