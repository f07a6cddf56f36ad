"""How many runs go on at a time, how many may wait, and what the rest are told."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Callable

from inquery.api.counters import Counters
from inquery.api.places import Places
from inquery.errors import ServerBusy
from inquery.settings import ServerSettings

SMOOTH = 0.1
LONGEST_WAIT_S = 60
LOOK_S, LOOKS = 0.01, 3
LONGEST_CROWD_S = 1.0


class Ticket:
    """A place in the queue, then a place among the running."""

    def __init__(self, gate: Gate) -> None:
        # By its time first: who came earlier goes before, in whichever worker.
        self.member = f"{time.time_ns() // 1_000_000:013d}-{secrets.token_urlsafe(8)}"
        self._gate = gate
        self._entered: float | None = None
        self._left = False

    async def enter(self, waits: Callable[[], None] = lambda: None) -> None:
        """Wait until it is this run's turn; `waits` is called when other runs go before it."""
        await self._gate.settled()
        await self._gate.take_place(self.member, waits)
        self._entered = time.monotonic()
        self._gate.running += 1

    def leave(self) -> None:
        """Give the place to the next; safe to call twice."""
        if self._left:
            return
        self._left = True
        self._gate.left(self.member, self._entered)


class Gate:
    """How many run at a time in all workers, and wait in this one.

    A place in the queue is asked for before the answer begins, so that a refusal is a status.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.running = 0
        self.held = 0
        self._own = asyncio.Semaphore(settings.concurrent_runs)
        self._all: Places | None = None
        self._arrived = 0.0
        self._crowd: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._run_s = 1.0

    def open(self, counters: Counters) -> None:
        """From here on the limit is that of all workers that have these counters."""
        self._all = Places(counters, self.settings.concurrent_runs)

    async def close(self) -> None:
        """Give back what is still held."""
        if self._all is not None:
            self._all.close()
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=5)

    @property
    def waiting(self) -> int:
        """Runs that wait for their turn."""
        return self.held - self.running

    def ticket(self) -> Ticket:
        """A place for a run; raises ServerBusy when there is none."""
        if self.held >= self.settings.concurrent_runs + self.settings.queue:
            raise ServerBusy("the queue is full", seconds=self.wait_s())
        self._arrived = time.monotonic()
        self.held += 1
        return Ticket(self)

    async def take_place(self, member: str, waits: Callable[[], None]) -> None:
        """Wait for a place in this worker, then for one of all workers."""
        await self._own.acquire()
        try:
            if self._all is not None:
                await self._all.take(member, waits)
        except BaseException:
            self._own.release()
            raise

    async def settled(self) -> None:
        """Let a crowd in before its work is begun: who comes is told so within a moment, and waits the same in all."""
        if self.held <= 1:
            return
        if self._crowd is None or self._crowd.done():
            self._crowd = asyncio.create_task(self._calm())
        # Shielded: one who leaves the queue must not end the wait of all the others.
        await asyncio.shield(self._crowd)

    async def _calm(self) -> None:
        """Until nobody came in several looks; one long look would pass while the machine was busy elsewhere."""
        end, quiet = time.monotonic() + LONGEST_CROWD_S, 0
        while quiet < LOOKS and time.monotonic() < end:
            seen = self._arrived
            await asyncio.sleep(LOOK_S)
            quiet = quiet + 1 if self._arrived == seen else 0

    def left(self, member: str, entered: float | None) -> None:
        """A run is over, or never came to its turn."""
        self.held -= 1
        if entered is None:
            return
        self.running -= 1
        self._run_s += SMOOTH * (time.monotonic() - entered - self._run_s)
        leaving = asyncio.create_task(self._free(member))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _free(self, member: str) -> None:
        # First the place of all: the next of this worker would look for it in vain and wait for nothing.
        try:
            if self._all is not None:
                await self._all.give_back(member)
        finally:
            self._own.release()

    def wait_s(self) -> int:
        """Seconds until a place is likely to be free, by how long runs took lately."""
        turns = (self.waiting + 1) / self.settings.concurrent_runs
        return max(1, min(LONGEST_WAIT_S, math.ceil(turns * self._run_s)))
