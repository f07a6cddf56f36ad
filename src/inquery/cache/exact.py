"""L1: answers by their whole key, in memory, or in Redis where workers share them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from cachetools import TTLCache

from inquery.cache.answer_key import CacheKey
from inquery.cache.entry import CacheEntry, Stats
from inquery.errors import MissingDriver
from inquery.settings import CacheSettings

PAUSE_S = 5.0
PREFIX = "inquery:l1"
CLAIMS = "inquery:claim:"
CLAIM_S = 30.0
"""How long one worker may take to answer before others stop waiting for it."""


class ExactCache(Protocol):
    """What L1 does, wherever it keeps its entries."""

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """The entry that agrees on every field of the key."""

    async def put(self, key: CacheKey, entry: CacheEntry) -> None:
        """Keep an entry; raises TypeError unless it is plain JSON data."""

    async def claim(self, key: CacheKey, owner: str) -> bool:
        """Whether this owner is the one to find an answer; False while another one is at it."""

    async def release(self, key: CacheKey, owner: str) -> None:
        """Give a claim back, whether an answer was found or not."""

    async def evict(self, key: CacheKey) -> None:
        """Forget an entry."""

    async def evict_connection(self, tenant: str, connection_id: str) -> int:
        """Forget every entry about a connection; returns how many there were."""

    def stats(self) -> dict[str, Any]:
        """How it is used."""

    async def reachable(self) -> bool:
        """Whether entries can be shared now."""

    async def close(self) -> None:
        """Give connections back."""


class MemoryExactCache:
    """The last entries used, each for a limited time; kept as text, so that nobody changes another's entry."""

    def __init__(self, entries: int = 1000, ttl_s: float = 3600, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept: TTLCache[str, str] = TTLCache(entries, ttl_s, clock)
        self._stats = Stats()

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """The entry, unless it is too old."""
        found = self._kept.get(_name(key))
        if found is None:
            self._stats.misses += 1
            return None
        self._stats.hits += 1
        return _read(found)

    async def put(self, key: CacheKey, entry: CacheEntry) -> None:
        """Keep an entry; the least used goes when there are too many."""
        self._kept[_name(key)] = json.dumps(entry, ensure_ascii=False)
        self._stats.puts += 1

    async def claim(self, key: CacheKey, owner: str) -> bool:
        """Everyone may: within one process equal statements are one run already."""
        return True

    async def release(self, key: CacheKey, owner: str) -> None:
        """Nothing to give back."""

    async def evict(self, key: CacheKey) -> None:
        """Forget an entry."""
        if self._kept.pop(_name(key), None) is not None:
            self._stats.evictions += 1

    async def evict_connection(self, tenant: str, connection_id: str) -> int:
        """Forget every entry about a connection."""
        gone = [name for name in self._kept if name.startswith(_folder(tenant, connection_id))]
        for name in gone:
            self._kept.pop(name, None)
        self._stats.evictions += len(gone)
        return len(gone)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def stats(self) -> dict[str, Any]:
        """How it is used."""
        return {"kind": "memory", "entries": len(self._kept), **self._stats.to_dict()}

    async def reachable(self) -> bool:
        """Memory always is."""
        return True

    async def close(self) -> None:
        """Nothing to give back."""


class RedisExactCache:
    """Entries in Redis; while it is down, in memory, and it is tried again after a pause."""

    def __init__(self, url: str, entries: int = 1000, ttl_s: float = 3600, timeout_s: float = 0.5) -> None:
        try:
            from redis.asyncio import Redis
            from redis.exceptions import RedisError
        except ImportError as error:
            raise MissingDriver("redis", engine="Redis", extra="redis") from error
        self._failures: tuple[type[Exception], ...] = (RedisError, OSError)
        self._redis = Redis.from_url(
            url, decode_responses=True, socket_timeout=timeout_s, socket_connect_timeout=timeout_s
        )
        self._memory = MemoryExactCache(entries, ttl_s)
        self._ttl_ms = max(1, int(ttl_s * 1000))
        self._down_until = 0.0
        self._was_down = False
        self._owed: set[str] = set()
        self._stats = Stats()

    async def get(self, key: CacheKey) -> CacheEntry | None:
        """The entry; None counts as a miss and never as an error."""
        if await self._up():
            try:
                text = await self._redis.get(_name(key))
            except self._failures:
                self._down()
            else:
                entry = _read(text) if text else None
                self._count(entry)
                return entry
        entry = await self._memory.get(key)
        self._count(entry)
        return entry

    async def put(self, key: CacheKey, entry: CacheEntry) -> None:
        """Keep an entry."""
        text = json.dumps(entry, ensure_ascii=False)
        self._stats.puts += 1
        if await self._up():
            try:
                await self._redis.set(_name(key), text, px=self._ttl_ms)
            except self._failures:
                self._down()
            else:
                return
        await self._memory.put(key, entry)

    async def claim(self, key: CacheKey, owner: str) -> bool:
        """The first of all workers gets it, for a time that outlasts most answers; while Redis is down everyone does."""
        if not await self._up():
            return True
        name = CLAIMS + _name(key)
        try:
            taken = await self._redis.set(name, owner, nx=True, px=int(CLAIM_S * 1000))
            # One's own: a run resumed after a crash has the same owner, its thread. None: it ran out in between.
            return bool(taken) or await self._redis.get(name) in (owner, None)
        except self._failures:
            self._down()
            return True

    async def release(self, key: CacheKey, owner: str) -> None:
        """Give back an own claim; another's, taken after this one ran out, stays."""
        if not await self._up():
            return
        name = CLAIMS + _name(key)
        try:
            if await self._redis.get(name) == owner:
                await self._redis.delete(name)
        except self._failures:
            self._down()

    async def evict(self, key: CacheKey) -> None:
        """Forget an entry; while Redis is down this is owed to it, so that a bad answer does not come back."""
        await self._memory.evict(key)
        self._stats.evictions += 1
        if await self._up():
            try:
                await self._redis.delete(_name(key))
            except self._failures:
                self._down()
            else:
                return
        self._owed.add(_name(key))

    async def evict_connection(self, tenant: str, connection_id: str) -> int:
        """Forget every entry about a connection."""
        gone = await self._memory.evict_connection(tenant, connection_id)
        folder = _folder(tenant, connection_id)
        if await self._up():
            try:
                gone += await self._remove_all(folder)
            except self._failures:
                self._down()
            else:
                return gone
        self._owed.add(folder + "*")
        return gone

    async def _remove_all(self, folder: str) -> int:
        names = [name async for name in self._redis.scan_iter(match=_literal(folder) + "*", count=500)]
        if names:
            await self._redis.delete(*names)
        self._stats.evictions += len(names)
        return len(names)

    async def _up(self) -> bool:
        """Whether Redis may be asked; after an outage it is first told what it missed."""
        if time.monotonic() < self._down_until:
            return False
        if self._was_down:
            try:
                for name in list(self._owed):
                    if name.endswith("*"):
                        await self._remove_all(name[:-1])
                    else:
                        await self._redis.delete(name)
                await self._redis.ping()
            except self._failures:
                self._down()
                return False
            self._was_down = False
            self._owed.clear()
            # What was kept meanwhile missed the evictions of other workers.
            self._memory.clear()
        return True

    def _down(self) -> None:
        self._was_down = True
        self._down_until = time.monotonic() + PAUSE_S
        self._stats.errors += 1

    def _count(self, entry: CacheEntry | None) -> None:
        if entry is None:
            self._stats.misses += 1
        else:
            self._stats.hits += 1

    def stats(self) -> dict[str, Any]:
        """How it is used, and whether Redis answers."""
        return {"kind": "redis", "down": self._was_down, **self._stats.to_dict()}

    async def reachable(self) -> bool:
        """Whether Redis answers now."""
        try:
            await self._redis.ping()
        except self._failures:
            self._down()
            return False
        return True

    async def close(self) -> None:
        """Close the connections to Redis."""
        await self._redis.aclose()


def open_exact(settings: CacheSettings) -> ExactCache:
    """L1 of the settings."""
    url = settings.redis_url.get_secret_value()
    if url:
        return RedisExactCache(url, settings.exact_entries, settings.exact_ttl_s)
    return MemoryExactCache(settings.exact_entries, settings.exact_ttl_s)


def _folder(tenant: str, connection_id: str) -> str:
    # Lengths keep "a" + "b:c" apart from "a:b" + "c".
    return f"{PREFIX}:{len(tenant)}:{tenant}:{len(connection_id)}:{connection_id}:"


def _name(key: CacheKey) -> str:
    return _folder(key.tenant, key.connection_id) + key.digest


def _literal(text: str) -> str:
    """Text as a Redis pattern that matches itself alone."""
    return "".join("\\" + c if c in "*?[]\\^-" else c for c in text)


def _read(text: str) -> CacheEntry | None:
    try:
        found: CacheEntry = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) and "sql" in found else None
