"""Sessions and threads of one connection: bounded, reused newest first, reset before reuse, replaced by age."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from inquery.databases.engine import Engine, Session
from inquery.errors import DatabaseBusy, InqueryError
from inquery.settings import DatabaseSettings


@dataclass(slots=True)
class Leased:
    """A session in use; `fresh` when it was opened for this use."""

    session: Session
    born: float
    fresh: bool


class SessionPool:
    """At most pool_size + pool_overflow sessions at a time, of which pool_size are kept when idle."""

    def __init__(self, engine: Engine, settings: DatabaseSettings) -> None:
        self.engine = engine
        self.settings = settings
        most = settings.pool_size + settings.pool_overflow
        # Embedded engines hold a process a session: they say how many are worth having.
        self.size = min(most, engine.max_sessions or most)
        self._kept = min(settings.pool_size, self.size)
        self._free = threading.Semaphore(self.size)
        self._idle: list[Leased] = []
        self._lock = threading.Lock()
        self._closed = False
        self.threads = ThreadPoolExecutor(self.size, thread_name_prefix="inquery-sql")

    def take(self, wait_s: float | None = None) -> Leased:
        """A session ready for a statement; raises DatabaseBusy or what `open` raises."""
        wait = self.settings.pool_wait_s if wait_s is None else wait_s
        if not self._free.acquire(timeout=max(0, wait)):
            raise DatabaseBusy("no session became free", seconds=round(self.settings.pool_wait_s))
        try:
            return self._reused() or Leased(self._open(), time.monotonic(), fresh=True)
        except BaseException:
            # Whatever it was: a place that is not given back here is lost until the program ends.
            self._free.release()
            raise

    def give_back(self, leased: Leased, *, broken: bool) -> None:
        """Return a session; broken ones are closed."""
        try:
            leased.fresh = False
            with self._lock:
                keep = not broken and not self._closed and len(self._idle) < self._kept
                if keep:
                    self._idle.append(leased)
            if not keep:
                # Closed before its place is free, so that the server never sees more than `size` sessions.
                self.engine.close(leased.session)
        finally:
            self._free.release()

    def close(self) -> None:
        """Close idle sessions now and the others when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for leased in idle:
            self.engine.close(leased.session)
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.engine.shutdown()

    def _open(self) -> Session:
        try:
            return self.engine.open()
        except InqueryError:
            raise
        except Exception as error:
            raise self.engine.classify(error) from error

    def _reused(self) -> Leased | None:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                leased = self._idle.pop()
            # Outside the lock: a reset asks the server, and others should not wait for that.
            if self._is_sound(leased):
                return leased
            self.engine.close(leased.session)

    def _is_sound(self, leased: Leased) -> bool:
        if time.monotonic() - leased.born > self.settings.pool_recycle_s:
            return False
        try:
            self._reset(leased)
        except InqueryError:
            # That an idle session died is nobody's error: the next one is tried, or a new one is opened.
            return False
        return True

    def _reset(self, leased: Leased) -> None:
        try:
            self.engine.reset(leased.session)
        except InqueryError:
            raise
        except Exception as error:
            raise self.engine.classify(error) from error
