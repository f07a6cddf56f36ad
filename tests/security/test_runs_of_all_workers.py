"""Promise 29: the limit of runs is one for all workers; who waits goes in its turn, and the dead hold no place."""

import asyncio
import datetime
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select
from tests.integration.api_server import HOW_MANY, streamed
from tests.integration.workers import Worker, prepared
from tests.servers_redis import RedisServer

from inquery.api import places
from inquery.api.counters import Counters, RedisCounters, StoreCounters
from inquery.api.places import NAME, Places
from inquery.settings import Settings
from inquery.store import Store, open_store
from inquery.store.tables import held_places

BODY = {"question": HOW_MANY, "refresh": True}


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Worker]]:
    """Two servers of one home, whose model thinks for a while."""
    environment = prepared(tmp_path, {"INQUERY_STORE__URL": ""}, delay_ms=400, INQUERY_SERVER__CONCURRENT_RUNS="1")
    workers = [Worker(environment), Worker(environment)]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.ready()
        yield workers
    finally:
        for worker in workers:
            worker.end()


def test_two_workers_together_run_no_more_than_the_limit(pair: list[Worker]) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(6) as pool:
        clients = [stack.enter_context(worker.client()) for worker in pair]
        for client in clients:
            streamed(client, "/query/stream", BODY)
        asked = [(number % 2, pool.submit(_run, clients[number % 2])) for number in range(6)]
        found = sorted((*each.result(), worker) for worker, each in asked)
    assert [worker for *_, worker in found].count(0) == 3
    overlapping = [(one, next_) for one, next_ in pairwise(found) if next_[0] < one[1]]
    assert overlapping == []


def _run(client: httpx.Client) -> tuple[datetime.datetime, datetime.datetime]:
    """When a run began and ended; one that waits is told so first."""
    events = streamed(client, "/query/stream", BODY)
    assert events[-1]["answer"]["rows"] == [["Beijing", 2], ["Paris", 2]]
    began = next(event for event in events if event["type"] == "step" and event["name"] != "queue")
    return datetime.datetime.fromisoformat(began["at"]), datetime.datetime.fromisoformat(events[-1]["at"])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(Settings(home=tmp_path))
    yield found
    found.close()


@pytest.fixture(params=["store", "redis"])
def two(request: pytest.FixtureRequest, store: Store) -> tuple[Counters, Counters]:
    """The counters of two workers."""
    if request.param == "store":
        return StoreCounters(store), StoreCounters(store)
    server: RedisServer = request.getfixturevalue("redis")
    return RedisCounters(server.url), RedisCounters(server.url)


async def test_who_came_first_goes_first_in_whichever_worker(two: tuple[Counters, Counters]) -> None:
    one, other = two
    try:
        assert await one.hold("r", "1", 1, 60, turn_s=60)
        assert not await other.hold("r", "2", 1, 60, turn_s=60)
        await one.release("r", "1")
        assert not await one.hold("r", "3", 1, 60, turn_s=60), "the other worker's waits longer"
        assert await other.hold("r", "2", 1, 60, turn_s=60)
        await other.release("r", "2")
        assert not await one.hold("r", "4", 1, 60, turn_s=60)
        await one.release("r", "3")
        assert await one.hold("r", "4", 1, 60, turn_s=60), "the third waits no longer"
        await one.release("r", "4")
    finally:
        await one.close()
        await other.close()


async def test_a_turn_of_one_that_died_ends(two: tuple[Counters, Counters]) -> None:
    one, other = two
    try:
        assert await one.hold("d", "1", 1, 60, turn_s=60)
        assert not await other.hold("d", "2", 1, 60, turn_s=0.05)
        await one.release("d", "1")
        await asyncio.sleep(0.1)
        assert await one.hold("d", "3", 1, 60, turn_s=60)
        await one.release("d", "3")
    finally:
        await one.close()
        await other.close()


async def test_a_run_that_goes_on_keeps_its_place_and_a_dead_workers_is_free(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"HELD_S": 0.4, "RENEW_S": 0.1, "LOOK_S": 0.02}.items():
        monkeypatch.setattr(places, name, value)
    living, other = Places(StoreCounters(store), 1), Places(StoreCounters(store), 1)
    await living.take("1", _nothing)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(other.take("2", _nothing), 1.0)
    living.close()  # as if it had been killed: nothing is held longer, nothing given back
    await asyncio.wait_for(other.take("3", _nothing), 5)
    await other.give_back("3")
    other.close()


async def test_one_that_leaves_the_queue_leaves_nothing(store: Store) -> None:
    ours, theirs = Places(StoreCounters(store), 1), Places(StoreCounters(store), 1)
    waited: list[bool] = []
    await ours.take("1", _nothing)
    waiting = asyncio.create_task(theirs.take("2", lambda: waited.append(True)))
    while not waited:  # noqa: ASYNC110 - a callback tells, no event
        await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.wait([waiting])
    await ours.give_back("1")
    with store.read() as connection:
        assert connection.execute(select(held_places).where(held_places.c.name.startswith(NAME))).all() == []
    ours.close()


def _nothing() -> None:
    pass
