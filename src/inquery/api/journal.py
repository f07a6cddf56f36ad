"""Events are kept before they are seen: what a client was told is in the store, whatever ends the worker a moment later.

All runs of a worker share one writer. It takes whatever has come while it wrote, so that a hundred runs cost no more
transactions than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from inquery.agents.events import Event
from inquery.store.event_log import EventLog, LoggedEvent

Show = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that is not kept yet, and who is to see it then."""

    thread_id: str
    run_id: str
    event: Event
    logged: LoggedEvent
    show: Show
    kept: asyncio.Future[None]


class Journal:
    """The writer of one worker's events."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._waiting: list[Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    def put(self, thread_id: str, run_id: str, event: Event, logged: LoggedEvent, show: Show) -> asyncio.Future[None]:
        """Keep an event, then show it; what it gives is done then, or has the store's error, and nothing was shown."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(thread_id, run_id, event, logged, show, kept))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all(), name="journal")
        return kept

    async def _write_all(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            runs: dict[tuple[str, str], list[LoggedEvent]] = {}
            for each in taken:
                if each.event.seq:  # one that no run numbered is a sign of life, not history
                    runs.setdefault((each.thread_id, each.run_id), []).append(each.logged)
            try:
                await asyncio.to_thread(self._log.append_all, runs)
            except Exception as error:  # noqa: BLE001 - every run hears of it, and decides what it is
                for each in taken:
                    _fail(each.kept, error)
                continue
            for each in taken:
                each.show(each.event)
                if not each.kept.done():  # its run was cancelled meanwhile
                    each.kept.set_result(None)


def _fail(kept: asyncio.Future[None], error: Exception) -> None:
    if not kept.done():
        kept.set_exception(error)
        kept.exception()  # seen: a run that is cancelled does not ask
