"""What is remembered of users across threads: preferences, clarifications, frequent patterns.

Kept in a LangGraph store under (tenant, user, kind). Each item carries the vector of its text, so that search by
meaning works on SQLite and PostgreSQL alike, without an extension of either.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inquery.home import explained, make_file
from inquery.knowledge.embedders import Embedder, embedder_for
from inquery.memory.checkpoints import BUSY_S, postgres_pool, postgres_url, set_up, settled
from inquery.settings import Settings, get_settings

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore
    from langgraph.store.base.batch import AsyncBatchedBaseStore

FILE = "memory.sqlite"
MOST = 1000
PREFERENCE, CLARIFICATION = "preference", "clarification"


@dataclass(frozen=True, slots=True)
class RememberedItem:
    """One thing remembered; `score` is how near it is to what was searched for."""

    key: str
    value: dict[str, Any]
    text: str
    score: float = 0.0


class LongTermMemory:
    """A user's memories; nobody's are ever read for another."""

    def __init__(self, store: BaseStore, embedder: Embedder) -> None:
        self.store = store
        self.embedder = embedder

    async def learn(
        self, user: str, kind: str, key: str, value: dict[str, Any], *, text: str = "", tenant: str = "local"
    ) -> None:
        """Remember something, in place of what the key held; `text` is what it is found by, the key by default."""
        said = text or key
        vector = (await asyncio.to_thread(self.embedder.embed, [said]))[0]
        item = {"value": value, "text": said, "encoder": self.embedder.name, "vector": _packed(vector)}
        await self.store.aput(_namespace(tenant, user, kind), key, item, index=False)

    async def recall(self, user: str, kind: str, key: str, *, tenant: str = "local") -> dict[str, Any] | None:
        """What the key holds, if anything."""
        found = await self.store.aget(_namespace(tenant, user, kind), key)
        return None if found is None else dict(found.value["value"])

    async def search(
        self, user: str, kind: str, question: str, *, k: int = 5, least: float = 0.0, tenant: str = "local"
    ) -> list[RememberedItem]:
        """The memories nearest to a question, best first."""
        items = await self._items(_namespace(tenant, user, kind))
        if not items:
            return []
        wanted = (await asyncio.to_thread(self.embedder.embed, [question]))[0]
        vectors = await asyncio.to_thread(self._vectors, [item.value for item in items])
        scores = vectors @ wanted
        best = [int(place) for place in np.argsort(-scores, kind="stable")[:k]]
        return [
            RememberedItem(items[n].key, dict(items[n].value["value"]), items[n].value["text"], float(scores[n]))
            for n in best
            if scores[n] >= least
        ]

    async def all(self, user: str, kind: str, *, tenant: str = "local") -> list[RememberedItem]:
        """Everything of one kind."""
        items = await self._items(_namespace(tenant, user, kind))
        return [RememberedItem(item.key, dict(item.value["value"]), item.value["text"]) for item in items]

    async def _items(self, namespace: tuple[str, ...]) -> list[Any]:
        """The items under a namespace; langgraph's SQLite store finds it by LIKE, which ignores case."""
        found = await self.store.asearch(namespace, limit=MOST)
        return [item for item in found if item.namespace[: len(namespace)] == namespace]

    async def forget(self, user: str, kind: str, key: str, *, tenant: str = "local") -> None:
        """Forget one thing; not having known it is no error."""
        await self.store.adelete(_namespace(tenant, user, kind), key)

    async def forget_user(self, user: str, *, tenant: str = "local") -> int:
        """Forget everything about a user; returns how much there was."""
        gone = 0
        while items := await self._items((_label(tenant), _label(user))):
            for item in items:
                await self.store.adelete(item.namespace, item.key)
            gone += len(items)
        return gone

    def _vectors(self, values: list[dict[str, Any]]) -> np.ndarray[Any, Any]:
        """The stored vectors; those of another encoder are made anew."""
        made = [_unpacked(v["vector"]) if v.get("encoder") == self.embedder.name else None for v in values]
        stale = [n for n, vector in enumerate(made) if vector is None]
        if stale:
            fresh = self.embedder.embed([values[n]["text"] for n in stale])
            for n, vector in zip(stale, fresh, strict=True):
                made[n] = vector
        return np.stack([vector for vector in made if vector is not None])


@asynccontextmanager
async def open_store(settings: Settings | None = None) -> AsyncIterator[BaseStore]:
    """The LangGraph store of the settings: a SQLite file, or PostgreSQL."""
    settings = settings or get_settings()
    url = postgres_url(settings)
    opened = _postgres(url) if url else _sqlite(settings.home / FILE)
    async with opened as store:
        yield store


@asynccontextmanager
async def open_memory(
    settings: Settings | None = None, embedder: Embedder | None = None
) -> AsyncIterator[LongTermMemory]:
    """Long-term memory of the settings; what it holds spans connections, so it is encoded here and sent nowhere."""
    settings = settings or get_settings()
    async with open_store(settings) as store:
        yield LongTermMemory(store, embedder or embedder_for(settings, privacy="local_only"))


@asynccontextmanager
async def _sqlite(path: Path) -> AsyncIterator[BaseStore]:
    import aiosqlite
    from langgraph.store.sqlite.aio import AsyncSqliteStore

    with explained(path.name):
        make_file(path)
    async with aiosqlite.connect(path, timeout=BUSY_S, isolation_level=None) as connection:
        with explained(path.name):
            await settled(lambda: connection.execute("PRAGMA journal_mode = WAL"))
            await connection.execute("PRAGMA synchronous = NORMAL")
        async with AsyncSqliteStore(connection) as store, _batches_ended(store):
            with explained(path.name):
                await settled(store.setup)
            yield store


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[BaseStore]:
    async with postgres_pool(url) as pool:
        from inquery.memory.postgres_saver import MemoryStore

        async with MemoryStore(pool) as store, _batches_ended(store):
            await set_up(pool, store.setup)
            yield store


@asynccontextmanager
async def _batches_ended(store: AsyncBatchedBaseStore) -> AsyncIterator[None]:
    """The store's own task ends with it: LangGraph leaves that to the collector, and asyncio told of a task destroyed while pending."""
    try:
        yield
    finally:
        if (task := store._task) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _namespace(tenant: str, user: str, kind: str) -> tuple[str, str, str]:
    return _label(tenant), _label(user), _label(kind)


def _label(text: str) -> str:
    """A part of a namespace that no other is the beginning of, without what langgraph refuses or LIKE reads.

    Users are named by e-mail, and a search for `ann` must never find what `anna` or `a_n` keeps.
    """
    return re.sub(r"[^\w@-]|_", lambda match: f"~{ord(match.group()):x};", text) + "~"


def _packed(vector: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(np.asarray(vector, dtype=np.float16).tobytes()).decode("ascii")


def _unpacked(text: str) -> np.ndarray[Any, Any]:
    return np.frombuffer(base64.b64decode(text), dtype=np.float16).astype(np.float32)
