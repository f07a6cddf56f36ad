"""Places among the runs that go on in all workers, held for a moment at a time: a worker that dies leaves none behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from inquery.api.counters import Counters
from inquery.api.error_answers import LOG

NAME = "runs"
HELD_S = 30.0
RENEW_S = 10.0
LOOK_S = 0.1
TURN_S = 2.0
"""Who waits looks again long before; one that has died is in nobody's way for longer."""


class Places:
    """So many places for the runs of every worker that has these counters."""

    def __init__(self, counters: Counters, most: int) -> None:
        self._counters = counters
        self._most = most
        # One of this worker looks at a time: a crowd that waits must not all ask the store.
        self._turn = asyncio.Lock()
        self._held: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    async def take(self, member: str, waits: Callable[[], None]) -> None:
        """Wait until there is a place, in the order of names; `waits` is called where there is none at once."""
        if self._turn.locked():
            waits()
        async with self._turn:
            try:
                while not await self._hold(member):
                    waits()
                    await asyncio.sleep(LOOK_S)
            except BaseException:
                await self.give_back(member)
                raise
        self._held.add(member)
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())

    async def give_back(self, member: str) -> None:
        """Free a place; where the store does not answer, its time runs out by itself."""
        self._held.discard(member)
        try:
            await self._counters.release(NAME, member)
        except SQLAlchemyError as error:
            LOG.warning("a place was not given back", exc_info=error)

    def close(self) -> None:
        """Hold nothing any longer than it is held now."""
        if self._renewing is not None:
            self._renewing.cancel()

    async def _hold(self, member: str) -> bool:
        asked = asyncio.ensure_future(self._counters.hold(NAME, member, self._most, HELD_S, turn_s=TURN_S))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            # The store is asked in a thread, which goes on: what it takes must be given back after it has.
            await asyncio.wait([asked])
            raise

    async def _renew(self) -> None:
        while self._held:
            await asyncio.sleep(RENEW_S)
            for member in list(self._held):
                try:
                    await self._counters.hold(NAME, member, self._most, HELD_S)
                except SQLAlchemyError as error:
                    LOG.warning("a place was not held longer", exc_info=error)
                if member not in self._held:  # given back meanwhile
                    await self.give_back(member)
