"""Counts that workers share: in Redis where one is set, else places in the store; in this process while Redis is down."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol

from cachetools import LRUCache

from inquery.errors import MissingDriver
from inquery.settings import Settings
from inquery.store import Store
from inquery.store.held_places import HeldPlaces, waiting_for

PREFIX = "inquery:limit:"
MOST = 50_000
"""Names a process keeps: whoever makes names up cannot fill its memory."""
PAUSE_S = 5.0


class Counters(Protocol):
    """Counts in windows of time, and places that are held."""

    async def add(self, name: str, window_s: int) -> int:
        """Count once more; returns the count of this window."""

    async def count(self, name: str, window_s: int) -> int:
        """The count of this window."""

    async def clear(self, name: str, window_s: int) -> None:
        """Forget this window's count."""

    async def hold(self, name: str, member: str, most: int, seconds: float, *, turn_s: float = 0.0) -> bool:
        """Take one of `most` places for so long at the longest; False when all are taken.

        With `turn_s` whoever is refused keeps its turn for so long: none whose name comes after its own goes before it.
        """

    async def release(self, name: str, member: str) -> None:
        """Give a place back."""

    async def close(self) -> None:
        """Give connections back."""


class LocalCounters:
    """Counts of this process, the names used last."""

    def __init__(self, most: int = MOST) -> None:
        self._counts: LRUCache[str, int] = LRUCache(most)
        # Unbounded: to forget a name here would give its places away.
        self._held: dict[str, dict[str, float]] = {}

    async def add(self, name: str, window_s: int) -> int:
        """Count once more."""
        window = _window(name, window_s)
        self._counts[window] = counted = self._counts.get(window, 0) + 1
        return counted

    async def count(self, name: str, window_s: int) -> int:
        """The count of this window."""
        return self._counts.get(_window(name, window_s), 0)

    async def clear(self, name: str, window_s: int) -> None:
        """Forget this window's count."""
        self._counts.pop(_window(name, window_s), None)

    async def hold(self, name: str, member: str, most: int, seconds: float, *, turn_s: float = 0.0) -> bool:
        """Take a place; in one process whoever waits keeps its own order."""
        now = time.monotonic()
        held = {each: until for each, until in self._held.get(name, {}).items() if until > now}
        if member not in held and len(held) >= most:
            return False
        self._held[name] = held | {member: now + seconds}
        return True

    async def release(self, name: str, member: str) -> None:
        """Give a place back."""
        held = self._held.get(name, {})
        held.pop(member, None)
        if not held:
            self._held.pop(name, None)

    async def close(self) -> None:
        """Nothing to give back."""


# Atomic, so that two workers do not both take the last place; members whose time is up are dropped first. KEYS: the
# places and who waits for one. ARGV: now, until when, the member, how many, for how long, for how long its turn is kept.
_HOLD = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[3])
local turn = tonumber(ARGV[6])
local before = redis.call('ZCARD', KEYS[1])
if turn > 0 then
  for _, other in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if other < ARGV[3] then before = before + 1 end
  end
end
if redis.call('ZSCORE', KEYS[1], ARGV[3]) == false and before >= tonumber(ARGV[4]) then
  if turn > 0 then
    redis.call('ZADD', KEYS[2], ARGV[1] + turn, ARGV[3])
    redis.call('PEXPIRE', KEYS[2], turn)
  end
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
"""


class RedisCounters:
    """Counts in Redis; while it is down each worker counts alone, and it is tried again after a pause."""

    def __init__(self, url: str, timeout_s: float = 0.5) -> None:
        try:
            from redis.asyncio import Redis
            from redis.exceptions import RedisError
        except ImportError as error:
            raise MissingDriver("redis", engine="Redis", extra="redis") from error
        self._failures: tuple[type[Exception], ...] = (RedisError, OSError)
        self._redis = Redis.from_url(
            url, decode_responses=True, socket_timeout=timeout_s, socket_connect_timeout=timeout_s
        )
        self._local = LocalCounters()
        self._down_until = 0.0

    async def add(self, name: str, window_s: int) -> int:
        """Count once more; the count expires by itself."""
        window = PREFIX + _window(name, window_s)

        async def counted() -> int:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.incr(window)
                pipe.expire(window, window_s + 1)
                return int((await pipe.execute())[0])

        return int(await self._tried(counted, lambda: self._local.add(name, window_s)))

    async def count(self, name: str, window_s: int) -> int:
        """The count of this window."""
        window = PREFIX + _window(name, window_s)
        found = await self._tried(lambda: self._redis.get(window), lambda: self._local.count(name, window_s))
        return int(found or 0)

    async def clear(self, name: str, window_s: int) -> None:
        """Forget this window's count."""
        await self._local.clear(name, window_s)
        window = PREFIX + _window(name, window_s)
        await self._tried(lambda: self._redis.delete(window), lambda: self._local.clear(name, window_s))

    async def hold(self, name: str, member: str, most: int, seconds: float, *, turn_s: float = 0.0) -> bool:
        """Take a place."""
        now, ms = int(time.time() * 1000), int(seconds * 1000)
        given = (now, now + ms, member, most, ms, int(turn_s * 1000))
        taken = await self._tried(
            lambda: self._redis.eval(_HOLD, 2, PREFIX + name, PREFIX + waiting_for(name), *given),
            lambda: self._local.hold(name, member, most, seconds, turn_s=turn_s),
        )
        return bool(taken)

    async def release(self, name: str, member: str) -> None:
        """Give a place back; one taken while Redis was down is a local one."""
        await self._local.release(name, member)

        async def freed() -> None:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.zrem(PREFIX + name, member)
                pipe.zrem(PREFIX + waiting_for(name), member)
                await pipe.execute()

        await self._tried(freed, lambda: self._local.release(name, member))

    async def close(self) -> None:
        """Close the connections to Redis."""
        await self._redis.aclose()

    async def _tried(self, shared: Any, alone: Any) -> Any:
        if time.monotonic() >= self._down_until:
            try:
                return await shared()
            except self._failures:
                self._down_until = time.monotonic() + PAUSE_S
        return await alone()


class StoreCounters(LocalCounters):
    """Places in the store, which all workers have in common; requests are counted here, a write for each would cost more."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._places = HeldPlaces(store)

    async def hold(self, name: str, member: str, most: int, seconds: float, *, turn_s: float = 0.0) -> bool:
        """Take a place."""
        return await asyncio.to_thread(self._places.hold, name, member, most, seconds, turn_s=turn_s)

    async def release(self, name: str, member: str) -> None:
        """Give a place back."""
        await asyncio.to_thread(self._places.release, name, member)


def open_counters(settings: Settings, store: Store) -> Counters:
    """The counters of the settings."""
    url = settings.server.redis_url.get_secret_value() or settings.cache.redis_url.get_secret_value()
    return RedisCounters(url) if url else StoreCounters(store)


def _window(name: str, window_s: int) -> str:
    return f"{name}:{int(time.time()) // window_s}"
