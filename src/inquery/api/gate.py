"""How many runs go on at a time, how many may wait, and what the rest are told."""

from __future__ import annotations

import asyncio
import math
import time

from inquery.errors import ServerBusy
from inquery.settings import ServerSettings

SMOOTH = 0.1
LONGEST_WAIT_S = 60
LOOK_S, LOOKS = 0.01, 3
LONGEST_CROWD_S = 1.0


class Ticket:
    """A place in the queue, then a place among the running."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._entered: float | None = None
        self._left = False

    async def enter(self) -> None:
        """Wait until it is this run's turn."""
        await self._gate.settled()
        await self._gate.places.acquire()
        self._entered = time.monotonic()
        self._gate.running += 1

    def leave(self) -> None:
        """Give the place to the next; safe to call twice."""
        if self._left:
            return
        self._left = True
        self._gate.left(self._entered)


class Gate:
    """The limits of one worker; a place is asked for before the answer begins, so that a refusal is a status."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.places = asyncio.Semaphore(settings.concurrent_runs)
        self.running = 0
        self.held = 0
        self._arrived = 0.0
        self._crowd: asyncio.Task[None] | None = None
        self._run_s = 1.0

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

    def left(self, entered: float | None) -> None:
        """A run is over, or never came to its turn."""
        self.held -= 1
        if entered is not None:
            self.running -= 1
            self.places.release()
            self._run_s += SMOOTH * (time.monotonic() - entered - self._run_s)

    def wait_s(self) -> int:
        """Seconds until a place is likely to be free, by how long runs took lately."""
        turns = (self.waiting + 1) / self.settings.concurrent_runs
        return max(1, min(LONGEST_WAIT_S, math.ceil(turns * self._run_s)))
