"""Checkpoints of threads: a SQLite file by default, PostgreSQL when configured; tables are made on first use."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquery.errors import BadRequest, ConnectFailed, MissingDriver, StoreDown
from inquery.home import close_home, explained, make_file
from inquery.settings import Settings, get_settings

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from psycopg_pool import AsyncConnectionPool

FILE = "threads.sqlite"
BUSY_S = 30
TRIES = 20
READY_S = 3.0
RETRY_S = 2.0
"""A pool tries at ever longer intervals for so long, then at the next question: an outage's end is seen at once."""
POOL = 10
WAIT_S = 10.0
"""Longest wait for a session of the pool: a server that is gone for longer is told to whoever asks."""


@asynccontextmanager
async def open_checkpointer(settings: Settings | None = None) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """The checkpointer of the settings, ready to be given to `compile`."""
    settings = settings or get_settings()
    url = postgres_url(settings)
    close_home(settings.home)
    opened = _postgres(url) if url else _sqlite(settings.home / FILE)
    async with opened as saver:
        yield saver


async def threads_reachable(saver: BaseCheckpointSaver[Any] | None) -> bool:
    """Whether threads can be read now."""
    try:
        if saver is not None:
            async with asyncio.timeout(READY_S):
                await saver.aget_tuple({"configurable": {"thread_id": "-"}})
    except (StoreDown, TimeoutError, sqlite3.Error):
        return False
    return True


def strict_serde() -> Any:
    """Reads plain types and messages alone: a row written into the file by others never runs code.

    The same as LANGGRAPH_STRICT_MSGPACK=true, which is read only once, when langgraph is imported.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)


def postgres_url(settings: Settings) -> str:
    """The server of the settings, empty for SQLite files; raises BadRequest for any other address."""
    url = settings.memory.url.get_secret_value()
    if not url:
        return ""
    scheme, separator, rest = url.partition("://")
    if scheme.partition("+")[0] not in {"postgres", "postgresql"} or not separator:
        raise BadRequest.because(
            "memory.url must be a postgresql address", "memory.url 必须是 postgresql 地址", detail="memory.url"
        )
    return f"postgresql://{rest}"


@asynccontextmanager
async def _sqlite(path: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    with explained(path.name):
        make_file(path)
    async with aiosqlite.connect(path, timeout=BUSY_S) as connection:
        with explained(path.name):
            await connection.execute("PRAGMA synchronous = NORMAL")
            saver = AsyncSqliteSaver(connection, serde=strict_serde())
            await settled(saver.setup)
        yield saver


async def settled(setup: Callable[[], Awaitable[Any]]) -> None:
    """Set a file up where several processes start together: the loser of a race for its lock or version looks again.

    SQLite does not wait for the lock that changes the journal, however long it may wait for others.
    """
    for _ in range(TRIES):
        try:
            await setup()
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            await asyncio.sleep(0.1)
        else:
            return
    await setup()


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    async with postgres_pool(url) as pool:
        from inquery.memory.postgres_saver import Saver

        saver = Saver(pool, serde=strict_serde())
        await set_up(pool, saver.setup)
        yield saver


@asynccontextmanager
async def postgres_pool(url: str) -> AsyncIterator[AsyncConnectionPool[Any]]:
    """A pool with the options langgraph needs; raises ConnectFailed when the server cannot be reached."""
    try:
        import langgraph.checkpoint.postgres.aio  # noqa: F401
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool, PoolTimeout
    except ImportError as error:
        raise MissingDriver("postgres", engine="PostgreSQL", extra="postgres") from error
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool = AsyncConnectionPool(
        url, min_size=1, max_size=POOL, kwargs=options, timeout=WAIT_S, reconnect_timeout=RETRY_S, open=False
    )
    try:
        await pool.open(wait=True, timeout=BUSY_S)
    except PoolTimeout as error:
        await pool.close()
        raise ConnectFailed.because(
            "the server of memory.url does not answer", "memory.url 的服务器没有响应", detail=str(error)
        ) from error
    try:
        yield pool
    finally:
        await pool.close()


_LOCK = 0x1A9F  # any number, the same in every process that sets one server up


async def set_up(pool: AsyncConnectionPool[Any], setup: Any) -> None:
    """Run langgraph's migrations; of several processes one at a time, since they race on a new server.

    The lock is tried again and again: waiting in one statement would keep a snapshot open, for which the
    holder's CREATE INDEX CONCURRENTLY waits in turn.
    """
    async with pool.connection() as connection:
        # Other processes hold the lock, so that no event of this one could tell.
        while not await _locked(connection):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        try:
            await setup()
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


async def _locked(connection: Any) -> bool:
    found = await connection.execute("SELECT pg_try_advisory_lock(%s) AS locked", (_LOCK,))
    return bool((await found.fetchone())["locked"])
