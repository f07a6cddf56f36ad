"""One run of a statement: it has a session, a deadline outside the server, and can be stopped from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from inquery.databases.engine import Batch, Engine, Session
from inquery.databases.executor.session_pool import Leased, SessionPool
from inquery.databases.executor.watchdog import WATCHDOG
from inquery.errors import ConnectionLost, InqueryError, QueryCancelled, QueryTimeout

T = TypeVar("T")

# The server's own timer fires at the limit; these come after it, and together stay within one second.
CANCEL_AFTER_S = 0.3
CANCEL_AGAIN_S = 0.2
ABANDON_AFTER_S = 0.9


class StatementRun:
    """The state of one execution, shared by its thread, the watchdog and whoever cancels it."""

    def __init__(self, pool: SessionPool, timeout_s: float) -> None:
        self.pool = pool
        self.engine: Engine = pool.engine
        self.timeout_s = timeout_s
        self.stopped_by: str | None = None
        self.abandoned: Callable[[InqueryError], None] = lambda error: None
        self._session: Session | None = None
        self._lock = threading.Lock()

    def stop(self, why: str, times: int = 20) -> None:
        """Cancel on the server; `why` is timeout or cancelled. Blocks until the server was told."""
        with self._lock:
            self.stopped_by = self.stopped_by or why
            # Nothing runs yet: `_enter` will find `stopped_by` and give the session back unused.
            if self._session is None:
                return
            self.engine.cancel(self._session)
            # A cancel that strikes between two commands of a cursor is lost: it is repeated until it took.
            if times > 1:
                WATCHDOG.after(CANCEL_AGAIN_S, lambda: self.stop(why, times - 1))

    def watched(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The batches, until the run is stopped between two of them."""
        try:
            for batch in batches:
                if self.stopped_by:
                    raise self.error()
                yield batch
        finally:
            # Now, not when it is collected: the engine's cursor holds a transaction open.
            if isinstance(batches, Generator):
                batches.close()

    def abandon(self) -> None:
        """Answer without the server: it was told to stop and has not."""
        # Without the lock: a cancel that hangs on a dead network holds it.
        session = self._session
        if session is not None:
            self.stopped_by = self.stopped_by or "timeout"
            self.abandoned(self.error())
            self.engine.abandon(session)

    def error(self, cause: InqueryError | None = None) -> InqueryError:
        """The error to show: why the run was stopped comes before what the driver said."""
        detail = cause.detail if cause else ""
        if self.stopped_by == "cancelled":
            return QueryCancelled(detail)
        if self.stopped_by == "timeout" or isinstance(cause, QueryTimeout):
            return QueryTimeout(detail, seconds=f"{self.timeout_s:g}")
        return cause or QueryCancelled()

    def carry_out(self, job: Callable[[Session], T], *, wait_s: float | None = None) -> T:
        """Run `job` on a session; a reused session that turns out dead is replaced once."""
        with self.session(wait_s) as (session, fresh):
            try:
                return job(session)
            except ConnectionLost:
                # Only a reused session can have died idle. Trying again is safe: statements only read.
                if fresh or self.stopped_by:
                    raise
        with self.session(wait_s) as (session, _):
            return job(session)

    @contextmanager
    def session(self, wait_s: float | None = None) -> Iterator[tuple[Session, bool]]:
        """A session for the length of the block, watched; driver errors leave as errors of the tree."""
        if self.stopped_by:
            raise self.error()
        leased = self.pool.take(wait_s)
        alarms = [
            WATCHDOG.after(self.timeout_s + CANCEL_AFTER_S, lambda: self.stop("timeout")),
            WATCHDOG.after(self.timeout_s + ABANDON_AFTER_S, self.abandon),
        ]
        # Until the block has ended in a way that is known: a session that nobody can vouch for is closed.
        broken = True
        try:
            self._enter(leased)
            with self._mapped():
                yield leased.session, leased.fresh
            broken = False
        except GeneratorExit:
            # The reader of an export left, which says nothing against the session.
            broken = False
            raise
        except InqueryError as error:
            broken = isinstance(error, ConnectionLost)
            raise
        finally:
            for alarm in alarms:
                alarm.call_off()
            self._leave(leased, broken)

    def _enter(self, leased: Leased) -> None:
        with self._lock:
            self._session = leased.session
            # A cancel that came since the last look found no session, and is not repeated.
            if self.stopped_by:
                raise self.error()

    def _leave(self, leased: Leased, broken: bool) -> None:
        with self._lock:
            self._session = None
        # A late cancel could strike the next statement: a session that was cancelled is not reused.
        self.pool.give_back(leased, broken=broken or self.stopped_by is not None)

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except InqueryError as error:
            raise self.error(error) from error
        except Exception as error:
            raise self.error(self.engine.classify(error)) from error
