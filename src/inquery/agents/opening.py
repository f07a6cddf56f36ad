"""Opens what runs need for the life of a process: the saver of threads, the caches, the stores."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from inquery.agents.context import Kept, Profile, Services
from inquery.agents.run import Runner
from inquery.agents.sources import Sources
from inquery.answers.answer import AnswerColumn
from inquery.cache.caches import open_caches
from inquery.home import check_writable
from inquery.knowledge.samples import open_samples
from inquery.llm.chat import ChatModel
from inquery.llm.embedded import encoder
from inquery.llm.writer import SqlWriter
from inquery.llm.writers import hold_chats
from inquery.memory.checkpoints import open_checkpointer
from inquery.memory.longterm import open_memory
from inquery.settings import Settings, get_settings
from inquery.store import Store, open_store
from inquery.store.profiles import Profiles
from inquery.store.results import ResultStore
from inquery.store.thread_rows import Threads

SPARE_S = 300.0
"""Results outlive L1's entries by this: an entry written at the end of a slow run must not outlive its rows."""


@asynccontextmanager
async def open_runner(
    settings: Settings | None = None, *, writer: SqlWriter | None = None, chat: ChatModel | None = None
) -> AsyncIterator[Runner]:
    """A runner with durable threads; closed with the block."""
    settings = settings or get_settings()
    async with open_checkpointer(settings) as saver, open_services(settings) as services:
        yield Runner(services, saver, writer=writer, chat=chat)


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """The services of the settings: durable results, caches, samples, and the packaged encoder for all that search."""
    encoder.register_encoder()
    store = await asyncio.to_thread(open_store, settings)
    caches = await asyncio.to_thread(open_caches, settings)
    sources = Sources(settings)
    try:
        async with hold_chats(), open_memory(settings) as memory:
            yield Services(
                settings,
                sources,
                results=DurableResults(store, settings.cache.exact_ttl_s + SPARE_S),
                memory=memory,
                exact=caches.exact,
                semantic=caches.semantic,
                samples=await asyncio.to_thread(open_samples, settings),
                profiles=StoredProfiles(store),
                threads=Threads(store),
            )
    finally:
        await asyncio.to_thread(sources.close)
        await caches.close()
        await asyncio.to_thread(store.close)


async def check_files(settings: Settings) -> None:
    """Open what lies in the home, and close it; raises HomeUnusable with what to do, before a server is started on it."""
    await asyncio.to_thread(check_writable, settings.home)
    await asyncio.to_thread(open_store, settings)
    async with open_checkpointer(settings), open_memory(settings):
        pass


class StoredProfiles:
    """Custom analysts as runs use them."""

    def __init__(self, store: Store) -> None:
        self._profiles = Profiles(store)

    async def get(self, agent_id: str) -> Profile:
        """The current version of a profile; raises NotFound."""
        found = await asyncio.to_thread(self._profiles.get, agent_id)
        content = found.content
        return Profile(
            found.id,
            found.name,
            content.prompt,
            found.version,
            content.connections,
            content.tables,
            content.chart,
            content.analysis,
            content.language,
            dict(content.llm),
        )


class DurableResults:
    """Results in Inquery's own store, shared by its workers; they live at least as long as L1's entries."""

    def __init__(self, store: Store, ttl_s: float) -> None:
        self._store = ResultStore(store)
        self._ttl_s = ttl_s

    async def save(self, owner: str, thread_id: str, kept: Kept) -> str:
        """Keep a result and return its id."""
        columns = [column.model_dump() for column in kept.columns]
        return await asyncio.to_thread(
            self._store.save,
            owner,
            thread_id,
            columns,
            kept.rows,
            kept.sql,
            self._ttl_s,
            truncated=kept.truncated,
            connection_id=kept.connection_id,
        )

    async def name_columns(self, result_id: str, owner: str, columns: Sequence[AnswerColumn]) -> None:
        """Keep what the owner calls the columns."""
        named = [column.model_dump() for column in columns]
        await asyncio.to_thread(self._store.name_columns, result_id, owner, named)

    async def load(self, result_id: str, owner: str) -> Kept | None:
        """The result, unless it expired or is another owner's."""
        found = await asyncio.to_thread(self._store.load, result_id, owner) if result_id else None
        if found is None:
            return None
        columns = tuple(AnswerColumn(**column) for column in found.columns)
        return Kept(columns, [list(row) for row in found.rows], found.sql, found.truncated, found.connection_id)
