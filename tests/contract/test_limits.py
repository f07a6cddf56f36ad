"""Results are bounded, and every statement ends within its limit and a second, on the server."""

import asyncio
import time

import pytest
from tests.contract.case import EngineCase
from tests.contract.running import eventually, run, unchecked

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.errors import CostTooHigh, QueryCancelled, QueryTimeout, ResultTooLarge
from inquery.settings import get_settings


@pytest.mark.parametrize(
    ("rows", "kept", "truncated"), [(10, 10, "rows"), (39, 39, "rows"), (40, 40, None), (50, 40, None)]
)
async def test_rows_are_capped(engine_case: EngineCase, shop: str, rows: int, kept: int, truncated: str | None) -> None:
    result = await run(engine_case, shop, "SELECT id FROM customer", rows=rows)
    assert (len(result.rows), result.row_count, result.truncated) == (kept, kept, truncated)


async def test_the_cap_of_the_statement_counts_too(engine_case: EngineCase, shop: str) -> None:
    sql = unchecked(engine_case, "SELECT id FROM customer", row_cap=7)
    result = await executor.execute(shop, sql, limits=Limits(rows=1000))
    assert (result.row_count, result.truncated) == (7, "rows")


async def test_many_rows_are_cut_at_the_cap(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, engine_case.numbers_sql(200_000), rows=1000)
    assert (result.row_count, result.truncated) == (1000, "rows")


async def test_bytes_are_capped(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, "SELECT name FROM customer", bytes=200)
    assert 0 < result.row_count < 40
    assert result.truncated == "bytes"


async def test_cells_are_cut(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, engine_case.wide_text_sql(50_000), cell=1000)
    assert result.rows == [("x" * 1000,)]
    assert result.truncated == "cell"


async def test_a_cell_is_cut_between_characters(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, "SELECT name FROM customer WHERE id = 1", cell=7)
    assert result.rows == [("客户 ",)]
    assert result.truncated == "cell"


async def test_one_row_larger_than_everything_is_an_error(engine_case: EngineCase, shop: str) -> None:
    with pytest.raises(ResultTooLarge):
        await run(engine_case, shop, engine_case.wide_text_sql(50_000), bytes=1000)


async def test_an_endless_statement_is_gone_from_the_server(engine_case: EngineCase, shop: str) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeout) as caught:
        await run(engine_case, shop, engine_case.endless_sql, timeout_s=1)
    assert time.monotonic() - started < 30  # it would run for minutes; how soon after its limit is a benchmark
    assert "1" in caught.value.public_message("zh")
    await eventually(lambda: engine_case.running(shop) == 0)


async def test_a_cancelled_task_is_gone_from_the_server(engine_case: EngineCase, shop: str) -> None:
    task = asyncio.create_task(run(engine_case, shop, engine_case.endless_sql))
    await eventually(lambda: engine_case.running(shop) > 0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await eventually(lambda: engine_case.running(shop) == 0)


async def test_a_run_is_cancelled_by_its_name(engine_case: EngineCase, shop: str) -> None:
    sql = unchecked(engine_case, engine_case.endless_sql)
    task = asyncio.create_task(executor.execute(shop, sql, run="mine"))
    await eventually(lambda: engine_case.running(shop) > 0)
    assert not executor.cancel(shop, "another's")
    assert executor.cancel(shop, "mine")
    with pytest.raises(QueryCancelled):
        await task
    await eventually(lambda: engine_case.running(shop) == 0)


async def test_a_stream_is_cancelled_with_its_connection(engine_case: EngineCase, shop: str) -> None:
    stream = executor.stream(shop, unchecked(engine_case, engine_case.endless_sql))
    reading = asyncio.create_task(asyncio.to_thread(list, stream))
    await eventually(lambda: engine_case.running(shop) > 0)
    assert await asyncio.to_thread(executor.cancel, shop)
    with pytest.raises(QueryCancelled):
        await reading
    await eventually(lambda: engine_case.running(shop) == 0)


async def test_a_connection_works_after_timeouts_and_cancels(engine_case: EngineCase, shop: str) -> None:
    for _ in range(3):
        with pytest.raises(QueryTimeout):
            await run(engine_case, shop, engine_case.endless_sql, timeout_s=0.2)
        assert (await run(engine_case, shop, "SELECT count(*) FROM customer")).rows == [(40,)]


async def test_a_leaving_leader_does_not_cancel_its_followers(engine_case: EngineCase, shop: str) -> None:
    sql = unchecked(engine_case, engine_case.numbers_sql(100_000))
    limits = Limits(timeout_s=120, rows=100_000, bytes=None)
    leader = asyncio.create_task(executor.execute(shop, sql, limits=limits))
    await asyncio.sleep(0.01)
    follower = asyncio.create_task(executor.execute(shop, sql, limits=limits))
    await asyncio.sleep(0)
    leader.cancel()
    result = await follower
    assert result.row_count == 100_000
    with pytest.raises(asyncio.CancelledError):
        await leader


async def test_two_hundred_executions_at_once(engine_case: EngineCase, shop: str) -> None:
    statements = [f"SELECT {i} + id FROM customer WHERE id = {i % 40 + 1}" for i in range(200)]
    results = await asyncio.gather(*(run(engine_case, shop, text) for text in statements))
    assert [r.rows[0][0] for r in results] == [i + i % 40 + 1 for i in range(200)]


async def test_a_statement_estimated_too_costly_is_refused(
    engine_case: EngineCase, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get_settings().query, "max_cost_rows", 5)
    with pytest.raises(CostTooHigh):
        await run(engine_case, shop, "SELECT a.id FROM customer a CROSS JOIN customer b")
    assert (await run(engine_case, shop, "SELECT name FROM customer WHERE id = 3")).row_count == 1
