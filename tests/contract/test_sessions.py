"""Sessions are reused, but nothing one statement did reaches the next."""

import asyncio
import contextlib

import pytest
from tests.contract.case import EngineCase
from tests.contract.conftest import Connect
from tests.contract.running import eventually, run, unchecked

from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import DatabaseBusy, InqueryError


async def test_a_hostile_session_change_does_not_reach_the_next_user(
    engine_case: EngineCase, connection: Connect
) -> None:
    url = connection(pool_size=1, pool_overflow=0)
    probe = engine_case.session_probe_sql
    before = (await run(engine_case, url, probe)).rows
    for hostile in engine_case.session_changes:
        with contextlib.suppress(InqueryError):  # refused outright is as good as undone
            await run(engine_case, url, hostile, timeout_s=5)
        assert (await run(engine_case, url, probe)).rows == before, hostile


async def test_a_dead_session_is_replaced(engine_case: EngineCase, connection: Connect) -> None:
    url = connection(pool_size=1, pool_overflow=0)
    assert (await run(engine_case, url, "SELECT 1")).rows == [(1,)]
    engine_case.kill_sessions(url)
    assert (await run(engine_case, url, "SELECT 2")).rows == [(2,)]


async def test_waiting_for_a_session_has_an_end(engine_case: EngineCase, connection: Connect) -> None:
    url = connection(pool_size=1, pool_overflow=0, pool_wait_s=0.3)
    endless = asyncio.create_task(run(engine_case, url, engine_case.endless_sql))
    await eventually(lambda: engine_case.running(url) > 0)
    with pytest.raises(DatabaseBusy):
        await run(engine_case, url, "SELECT 1")
    endless.cancel()
    with pytest.raises(asyncio.CancelledError):
        await endless


async def test_old_sessions_are_replaced(engine_case: EngineCase, connection: Connect) -> None:
    url = connection(pool_size=1, pool_overflow=0, pool_recycle_s=0.05)
    for number in range(3):
        assert (await run(engine_case, url, f"SELECT {number}")).rows == [(number,)]
        await asyncio.sleep(0.06)


async def test_a_recent_result_is_served_until_it_is_asked_fresh(engine_case: EngineCase, shop: str) -> None:
    sql = unchecked(engine_case, "SELECT count(*) FROM customer")
    first = await executor.execute(shop, sql)
    second = await executor.execute(shop, sql)
    third = await executor.execute(shop, sql, fresh=True)
    assert first.rows == second.rows == third.rows
    assert first.ms == second.ms
    assert len({first.result_id, second.result_id, third.result_id}) == 3
    second.rows.clear()
    assert (await executor.execute(shop, sql)).rows == [(40,)]


def test_the_reading_account_is_found_harmless(engine_case: EngineCase, shop_url: str) -> None:
    engine = open_engine(parse_address(shop_url))
    session = engine.open()
    try:
        assert engine.check_role(session) is None
    finally:
        engine.close(session)
