"""Single flight: equal statements at one time are one run, and it lives while anyone waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from inquery.databases.executor.one_run import StatementRun
from inquery.databases.executor.session_pool import SessionPool
from inquery.databases.executor.watchdog import WATCHDOG, beside
from inquery.errors import ConnectionLost, DatabaseBusy, InqueryError, QueryCancelled

T = TypeVar("T")


class Flight(Generic[T]):
    """One run and the waiters it has; the first waiter has no more rights than the others."""

    def __init__(self, run: StatementRun) -> None:
        self.run = run
        self.landed: Callable[[], None] = lambda: None
        self.waiters = 0
        self.started = False
        self.future: Future[T] = Future()
        self._lock = threading.Lock()
        run.abandoned = self.fail
        # There are as many threads as sessions, so a run waits for a thread and not in `SessionPool.take`: this alarm
        # is what ends that wait.
        wait = run.pool.settings.pool_wait_s
        self._alarm = WATCHDOG.after(wait, lambda: self._too_late(wait))

    def start(self, job: Callable[[StatementRun], T], landed: Callable[[], None]) -> None:
        """Queue the job for a thread; `landed` is called when it is over."""
        self.landed = landed
        try:
            self.run.pool.threads.submit(self._work, job)
        except RuntimeError:  # the connection was detached a moment ago
            self.fail(ConnectionLost("detached"))

    def board(self) -> bool:
        """Become a waiter, unless everyone has left already."""
        with self._lock:
            # Whoever came now would be given the cancellation of those who left.
            if self.run.stopped_by or self.future.done():
                return False
            self.waiters += 1
            return True

    def leave(self) -> None:
        """Stop waiting; the last to leave stops the run on the server."""
        with self._lock:
            self.waiters -= 1
            last = self.waiters == 0 and not self.future.done()
            if last:
                # Under the lock that `board` takes: nobody boards between the count and the stop.
                self.run.stopped_by = "cancelled"
        if last:
            # Its key is free first: an equal statement that comes while the server is told starts a run of its own.
            # Beside, because `stop` waits for the network and this is the event loop's thread.
            self.landed()
            beside(lambda: self.run.stop("cancelled"))
            self.fail(QueryCancelled())

    def _work(self, job: Callable[[StatementRun], T]) -> None:
        self.started = True
        self._alarm.call_off()
        try:
            value = job(self.run)
        except InqueryError as error:
            self.fail(error)
        else:
            self._settle(lambda: self.future.set_result(value))
        finally:
            self.landed()

    def _too_late(self, wait: float) -> None:
        if not self.started:
            self.run.stopped_by = "cancelled"
            self.fail(DatabaseBusy("no thread became free", seconds=round(wait)))

    def fail(self, error: InqueryError) -> None:
        """Give every waiter this error, unless there is an answer already."""
        self._settle(lambda: self.future.set_exception(error))

    def _settle(self, settle: Callable[[], None]) -> None:
        with self._lock:
            if not self.future.done():
                settle()


class Flights:
    """The flights of one connection by key, and who waits for which run."""

    def __init__(self) -> None:
        self._by_key: dict[Hashable, Flight[Any]] = {}
        self._waiting: dict[str, Callable[[], None]] = {}
        self._lock = threading.Lock()

    def board(self, key: Hashable, pool: SessionPool, timeout_s: float, job: Callable[[StatementRun], T]) -> Flight[T]:
        """Join the flight of `key`, or start it."""
        with self._lock:
            flight: Flight[T] | None = self._by_key.get(key)
            if flight is None or not flight.board():
                made: Flight[T] = Flight(StatementRun(pool, timeout_s))
                made.board()
                self._by_key[key] = flight = made
                made.start(job, lambda: self._land(key, made))
            return flight

    def _land(self, key: Hashable, flight: Flight[Any]) -> None:
        with self._lock:
            # A run that everyone left may end after its successor took the key.
            if self._by_key.get(key) is flight:
                del self._by_key[key]

    async def wait(self, flight: Flight[T], run: str | None) -> T:
        """Wait for a boarded flight; leaving early by task or by `cancel(run)` leaves the flight."""
        loop = asyncio.get_running_loop()
        # A future of this loop: callers of several loops share one flight, and a cancel ends one wait alone.
        mine: asyncio.Future[T] = loop.create_future()
        flight.future.add_done_callback(lambda done: _tell(loop, lambda: _copy(done, mine)))
        if run is not None:
            self._waiting[run] = lambda: _tell(loop, lambda: _cancel(mine))
        try:
            return await mine
        finally:
            self._waiting.pop(run or "", None)
            flight.leave()

    def cancel(self, run: str | None = None) -> bool:
        """Cancel one waiter by its run, or stop everything; says whether there was anything."""
        if run is not None:
            waiter = self._waiting.get(run)
            if waiter is not None:
                waiter()
            return waiter is not None
        with self._lock:
            flights = list(self._by_key.values())
        for flight in flights:
            flight.run.stop("cancelled")
            # It has no session to cancel, and closing the pool drops its job: nobody else would answer its waiters.
            if not flight.started:
                flight.fail(QueryCancelled())
        return bool(flights)


def _tell(loop: asyncio.AbstractEventLoop, action: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits there any more
        loop.call_soon_threadsafe(action)


def _copy(done: Future[T], mine: asyncio.Future[T]) -> None:
    if mine.done():
        return
    error = done.exception()
    if error is not None:
        mine.set_exception(error)
    else:
        mine.set_result(done.result())


def _cancel(mine: asyncio.Future[Any]) -> None:
    if not mine.done():
        mine.set_exception(QueryCancelled())
