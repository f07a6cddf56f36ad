"""A database process: serves the sessions of one embedded engine over its standard input and output.

It exists so that it can be killed: one opcode of an embedded engine can outlive any interrupt.
"""

from __future__ import annotations

import importlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol

from inquery.databases.executor.watchdog import WATCHDOG, Alarm
from inquery.databases.sandbox import frames
from inquery.errors import InqueryError, InternalError, QueryTimeout, Text

GRACE_S = 0.4
"""How long a cancelled call may take to end before its process is killed."""
SELF_END_S = 0.7
"""How long past its limit a statement may take to end before its process ends itself."""


class ServedSession(Protocol):
    """One session inside the process; public methods are what a parent may call."""

    def interrupt(self) -> None:
        """Stop what runs, from another thread."""

    def close(self) -> None:
        """Free the session."""


class Served(Protocol):
    """An embedded engine inside the process."""

    errors: tuple[type[BaseException], ...]

    def open(self) -> ServedSession:
        """A new session."""

    def classify(self, error: BaseException) -> InqueryError:
        """The error of the tree for a driver's error."""


class Deadline:
    """Interrupts a call into the engine when a statement's time is up, and ends the process if that does not help.

    Entered around each call; the time runs from the first, whatever the reader does in between.
    """

    def __init__(self, seconds: float, interrupt: Callable[[], object]) -> None:
        self._end = time.monotonic() + seconds
        self._seconds = seconds
        self._interrupt = interrupt
        self._alarms: tuple[Alarm, ...] = ()
        self.passed = False

    def __enter__(self) -> None:
        left = self._end - time.monotonic()
        if self.passed or left <= 0:
            raise QueryTimeout(seconds=f"{self._seconds:g}")
        self._alarms = (WATCHDOG.after(left, self._pass), WATCHDOG.after(left + SELF_END_S, lambda: os._exit(3)))

    def __exit__(self, *_: object) -> None:
        for alarm in self._alarms:
            alarm.call_off()

    def _pass(self) -> None:
        self.passed = True
        self._interrupt()


class _Worker:
    """One session's thread: carries out its calls in order."""

    def __init__(self, number: int, served: Served, out: _Out) -> None:
        self.number = number
        self.served = served
        self.out = out
        self.calls: queue.SimpleQueue[tuple[str, list[Any]] | None] = queue.SimpleQueue()
        self.session: ServedSession | None = None
        self.rows: Iterator[Any] | None = None
        threading.Thread(target=self._loop, daemon=True).start()

    def _loop(self) -> None:
        while (call := self.calls.get()) is not None:
            try:
                reply = self._carry_out(*call)
            except InqueryError as error:
                reply = _failure(error)
            except self.served.errors as error:
                reply = _failure(self.served.classify(error))
            except MemoryError as error:
                reply = _failure(InternalError(f"out of memory: {error}"))
            self.out.send([self.number, *reply])

    def _carry_out(self, method: str, args: list[Any]) -> list[Any]:
        if self.session is None:
            self.session = self.served.open()
        if method == "open":
            return ["ok", None]
        if method == "close":
            self.session.close()
            self.calls.put(None)
            return ["ok", None]
        if method == "next":
            return self._advance()
        self.rows = None  # an abandoned stream ends before the next call
        result = getattr(self.session, method)(*args)
        if isinstance(result, Iterator):
            self.rows = result
            return self._advance()
        return ["ok", result]

    def _advance(self) -> list[Any]:
        batch = next(self.rows, None) if self.rows is not None else None
        if batch is None:
            self.rows = None
            return ["end"]
        return ["more", batch]


def _failure(error: InqueryError) -> list[Any]:
    fields = {name: list(value) if isinstance(value, Text) else value for name, value in error.fields.items()}
    return ["error", error.code, error.detail, fields]


class _Out:
    """Replies of all threads, one at a time."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self.lock = threading.Lock()

    def send(self, message: list[Any]) -> None:
        with self.lock:
            frames.write(self.pipe, message)


def _limit_memory(limit: int | None) -> None:
    if limit is None or sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Read calls until the parent is gone; the first message names the engine and its options."""
    # A thread that fails would leave its caller waiting: the process ends, which its caller sees.
    threading.excepthook = lambda failure: os._exit(4)
    source, out = sys.stdin.buffer, _Out(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # an engine that prints must not disturb the replies
    target, options, memory = frames.read(source)
    module, _, name = target.partition(":")
    served: Served = getattr(importlib.import_module(module), name)(**options)
    _limit_memory(memory)
    workers: dict[int, _Worker] = {}
    while True:
        try:
            number, method, args = frames.read(source)
        except EOFError:
            os._exit(0)  # a thread inside the engine would hold up an orderly exit
        if method == "interrupt":
            session = workers[number].session if number in workers else None
            if session is not None:
                session.interrupt()
            continue
        if number not in workers:
            workers[number] = _Worker(number, served, out)
        workers[number].calls.put((method, args))
        if method == "close":
            del workers[number]


if __name__ == "__main__":
    main()
