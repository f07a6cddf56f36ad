"""LangGraph's PostgreSQL saver and store over a pool: many at a time, and an outage told by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import OperationalError
from psycopg.rows import dict_row

from inquery.errors import StoreDown


@contextmanager
def outages_named() -> Iterator[None]:
    """What the driver raises when the server does not answer, as an error of ours."""
    try:
        yield
    except OperationalError as error:  # a pool's timeout is one too
        raise StoreDown(str(error)) from error


class Saver(AsyncPostgresSaver):
    """Checkpoints; langgraph's own takes one lock for all of a process, so that a pool would be of no use to it."""

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[Any]:
        pool: Any = self.conn
        with outages_named():
            async with pool.connection() as connection:
                if not pipeline:
                    async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                        yield cursor
                    return
                async with connection.pipeline(), connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor


class MemoryStore(AsyncPostgresStore):
    """Long-term memory."""

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[Any]:
        with outages_named():
            async with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor
