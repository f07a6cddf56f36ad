"""L1 in memory and in Redis, also when Redis is away; L0 with its time and its proof."""

import asyncio
import dataclasses
import datetime
from pathlib import Path

import pytest
from tests.servers import free_port
from tests.servers_redis import RedisServer

from inquery.cache import (
    CacheEntry,
    CacheKey,
    MemoryExactCache,
    RedisExactCache,
    ThreadCache,
    file_proof,
)
from inquery.cache import exact as exact_module

KEY = CacheKey("t", "shop", "p", "v", "sqlite", "m", "pv", "en", "", "how many orders")


def entry(age_s: float = 0, sql: str = "SELECT 1") -> CacheEntry:
    moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=age_s)
    return {"sql": sql, "as_of": moment.isoformat(), "answer": {"text": "四十二"}, "result_id": "r1"}


def asked(question: str) -> CacheKey:
    return dataclasses.replace(KEY, question=question)


async def test_the_least_used_goes_first() -> None:
    cache = MemoryExactCache(entries=2)
    await cache.put(asked("a"), entry())
    await cache.put(asked("b"), entry())
    await cache.get(asked("a"))
    await cache.put(asked("c"), entry())
    assert await cache.get(asked("b")) is None
    assert await cache.get(asked("a")) is not None
    assert cache.stats()["entries"] == 2


async def test_an_entry_has_its_time() -> None:
    now = [1000.0]
    cache = MemoryExactCache(ttl_s=60, clock=lambda: now[0])
    await cache.put(KEY, entry())
    now[0] += 59
    assert await cache.get(KEY) is not None
    now[0] += 1
    assert await cache.get(KEY) is None
    assert cache.stats()["hits"] == 1
    assert cache.stats()["misses"] == 1


async def test_nobody_changes_a_kept_entry() -> None:
    cache = MemoryExactCache()
    mine = entry()
    await cache.put(KEY, mine)
    mine["answer"]["text"] = "changed"
    first = await cache.get(KEY)
    first["sql"] = "changed"
    assert (await cache.get(KEY)) == {**entry(), "as_of": mine["as_of"]}


async def test_a_connection_is_forgotten_whole() -> None:
    cache = MemoryExactCache()
    other = dataclasses.replace(KEY, connection_id="shop2")
    await cache.put(KEY, entry())
    await cache.put(other, entry())
    assert await cache.evict_connection("t", "shop") == 1
    assert await cache.get(KEY) is None
    assert await cache.get(other) is not None


async def test_rows_that_are_no_plain_data_are_refused() -> None:
    with pytest.raises(TypeError):
        await MemoryExactCache().put(KEY, {"sql": "x", "as_of": "", "answer": {"rows": [{1, 2}]}})


async def test_one_of_all_workers_is_to_find_an_answer(redis: RedisServer) -> None:
    one, two = RedisExactCache(redis.url, timeout_s=20), RedisExactCache(redis.url, timeout_s=20)
    assert await one.claim(KEY, "a")
    assert await one.claim(KEY, "a")
    assert not await two.claim(KEY, "b")
    assert await two.claim(asked("another question"), "b")
    await two.release(KEY, "b")
    assert not await two.claim(KEY, "b")
    await one.release(KEY, "a")
    assert await two.claim(KEY, "b")
    redis.stop()
    assert await one.claim(KEY, "a")
    await one.release(KEY, "a")
    await one.close()
    await two.close()


async def test_workers_share_redis(redis: RedisServer) -> None:
    one, two = RedisExactCache(redis.url, timeout_s=20), RedisExactCache(redis.url, timeout_s=20)
    await one.put(KEY, entry())
    found = await two.get(KEY)
    assert found is not None
    assert found["answer"]["text"] == "四十二"
    await two.evict(KEY)
    assert await one.get(KEY) is None
    odd = dataclasses.replace(KEY, connection_id="a*b[c]")
    await one.put(odd, entry())
    await one.put(dataclasses.replace(KEY, connection_id="axb[c]"), entry())
    assert await two.evict_connection("t", "a*b[c]") == 1
    assert two.stats()["down"] is False
    await one.close()
    await two.close()


async def test_entries_in_redis_have_their_time(redis: RedisServer) -> None:
    cache = RedisExactCache(redis.url, ttl_s=0.05, timeout_s=20)
    await cache.put(KEY, entry())
    await asyncio.sleep(0.1)
    assert await cache.get(KEY) is None
    await cache.close()


async def test_a_dead_redis_degrades_to_memory_and_comes_back(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_module, "PAUSE_S", 0.05)
    cache, other = RedisExactCache(redis.url, timeout_s=20), RedisExactCache(redis.url, timeout_s=20)
    redis.stop()
    await cache.put(KEY, entry())
    assert await cache.get(KEY) is not None
    assert cache.stats()["down"] is True
    redis.start()
    await other.put(KEY, entry(sql="SELECT 2"))
    await asyncio.sleep(0.1)
    found = await cache.get(KEY)
    assert found is not None
    assert found["sql"] == "SELECT 2"
    assert cache.stats()["down"] is False
    await cache.close()
    await other.close()


async def test_what_is_evicted_during_an_outage_does_not_come_back(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_module, "PAUSE_S", 0.2)
    cache = RedisExactCache(redis.url, timeout_s=20)
    await cache.put(KEY, entry())
    cache._down()  # as after a lost packet: Redis itself keeps the entry
    await cache.evict(KEY)
    assert await cache.get(KEY) is None
    await asyncio.sleep(0.25)
    assert await cache.get(KEY) is None
    assert cache.stats()["down"] is False
    await cache.close()


async def test_a_redis_that_was_never_there_costs_one_try() -> None:
    cache = RedisExactCache(f"redis://127.0.0.1:{free_port()}/0")
    await cache.put(KEY, entry())
    assert await cache.get(KEY) is not None
    assert cache.stats()["errors"] == 1
    await cache.close()


async def test_a_thread_keeps_its_answers_for_minutes() -> None:
    cache = ThreadCache(ttl_s=300)
    await cache.put(KEY, entry(age_s=299))
    assert await ThreadCache(cache.kept, ttl_s=300).get(KEY) is not None
    await cache.put(KEY, entry(age_s=301))
    assert await cache.get(KEY) is None


async def test_an_unchanged_file_keeps_an_answer_good(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    file.write_text("one")
    cache = ThreadCache(ttl_s=300)
    await cache.put(KEY, entry(age_s=9999), proof=file_proof(file))
    assert await cache.get(KEY, file_proof(file)) is not None
    file.write_text("one and more")
    assert await cache.get(KEY, file_proof(file)) is None
    await cache.put(KEY, entry(age_s=1), proof=file_proof(file))
    file.write_text("one and still more")
    assert await cache.get(KEY, file_proof(file)) is None  # young, but proven to be of other data
    assert file_proof(tmp_path / "missing") == ""
