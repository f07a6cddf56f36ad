"""Inquery's side of a database process: calls into it, and its end when a call will not."""

from __future__ import annotations

import itertools
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import inquery
from inquery.databases.engine import Batch, Limits, ResultColumn
from inquery.databases.executor.watchdog import WATCHDOG
from inquery.databases.kinds import kind_of_type
from inquery.databases.sandbox import frames
from inquery.databases.sandbox.child import GRACE_S, SELF_END_S
from inquery.databases.values import plain_rows
from inquery.errors import ConnectionLost, InqueryError, InternalError, QueryCancelled, QueryTimeout, Text, all_errors

_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_TEXT = re.compile(r"^(nullable\(|lowcardinality\()*(varchar|string|fixedstring|text|char)")
_GONE: list[Any] = ["gone"]


class Process:
    """One process that serves an embedded engine; sessions are numbers given by `session`."""

    def __init__(self, target: str, options: dict[str, Any], *, memory: int | None = None) -> None:
        self._popen = subprocess.Popen(
            # -P: `-m` alone would look for modules in the current folder first, and that folder is the user's.
            [sys.executable, "-P", "-m", "inquery.databases.sandbox.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._numbers = itertools.count(1)
        self._replies: dict[int, queue.SimpleQueue[list[Any]]] = {}
        self._busy: set[int] = set()
        self._cancelled: set[int] = set()
        self._lock = threading.Lock()
        self._ending = threading.Lock()
        self._ended = False
        self._send([target, options, memory])
        threading.Thread(target=self._read, daemon=True, name="inquery-database-process").start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._popen.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._popen.poll() is None

    @property
    def cancelling(self) -> bool:
        """Whether a call is being cancelled, after which the process may be killed."""
        return bool(self._cancelled)

    def session(self) -> int:
        """A new session's number; the session itself is made by its first call."""
        number = next(self._numbers)
        self._replies[number] = queue.SimpleQueue()
        return number

    def call(self, session: int, method: str, *args: Any) -> Any:
        """Call a method that returns one value; raises errors of the tree."""
        return self._ask(session, method, args)[1]

    def run(self, session: int, text: str, limits: Limits) -> Iterator[Batch]:
        """Call the session's `stream` under the limits; a process that ended itself at the limit is a timeout."""
        end = time.monotonic() + limits.timeout_s
        # From outside too: DuckDB folds constants while it holds the interpreter's lock, and nothing inside can act.
        alarm = WATCHDOG.after(limits.timeout_s + SELF_END_S, lambda: self._kill_if(session, self._busy))
        try:
            columns: tuple[ResultColumn, ...] = ()
            for names, rows in self.stream(session, "stream", text, limits.timeout_s, limits.rows, limits.cell):
                columns = columns or columns_with_kinds(names, rows)
                yield Batch(columns, plain_rows(rows, _odd(columns)))
        except ConnectionLost as error:
            if time.monotonic() < end:
                raise
            raise QueryTimeout("the process was ended", seconds=f"{limits.timeout_s:g}") from error
        finally:
            alarm.call_off()

    def stream(self, session: int, method: str, *args: Any) -> Iterator[Any]:
        """Call a method that yields; each item is asked for, so a slow reader holds nothing up."""
        reply = self._ask(session, method, args)
        while reply[0] == "more":
            yield reply[1]
            reply = self._ask(session, "next", ())

    def cancel(self, session: int) -> None:
        """Interrupt a call from another thread, and kill the process if it does not end."""
        if session not in self._busy or not self.alive:
            return
        self._cancelled.add(session)
        self._try_send([session, "interrupt", []])
        timer = threading.Timer(GRACE_S, self._kill_if, (session, self._cancelled))
        timer.daemon = True
        timer.start()

    def close(self, session: int) -> None:
        """End a session; the process stays for others."""
        if session in self._replies and self.alive:
            self._try_send([session, "close", []])
        self._replies.pop(session, None)

    def kill(self) -> None:
        """End the process and all its sessions at once."""
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                _close(pipe)

    def _ask(self, session: int, method: str, args: tuple[Any, ...]) -> list[Any]:
        # Together: whoever is marked busy before the end is told of it, whoever comes after sees it.
        with self._ending:
            replies = self._replies.get(session)
            if replies is None or self._ended:
                raise ConnectionLost("the database process has ended")
            self._busy.add(session)
        try:
            self._send([session, method, list(args)])
            # No limit of its own: whoever waited too long kills the process, and `_read` tells its end to all.
            reply = replies.get()
            if reply is _GONE:
                killed = session in self._cancelled
                raise QueryCancelled("killed") if killed else ConnectionLost("the database process ended")
        finally:
            self._busy.discard(session)
            self._cancelled.discard(session)
        if reply[0] == "error":
            raise _rebuild(*reply[1:])
        return reply

    def _send(self, message: list[Any]) -> None:
        if not self._try_send(message):
            raise ConnectionLost("the database process has ended")

    def _try_send(self, message: list[Any]) -> bool:
        assert self._popen.stdin is not None
        try:
            with self._lock:
                frames.write(self._popen.stdin, message)
        except (OSError, ValueError):
            return False
        return True

    def _read(self) -> None:
        assert self._popen.stdout is not None
        try:
            while True:
                number, *reply = frames.read(self._popen.stdout)
                waiting = self._replies.get(number)
                if waiting is not None:
                    waiting.put(reply)
        except (EOFError, OSError, ValueError):
            with self._ending:
                self._ended = True
                for waiting in list(self._replies.values()):
                    waiting.put(_GONE)

    def _kill_if(self, session: int, marked: set[int]) -> None:
        # Still marked: the call has not been answered.
        if session in marked:
            self._popen.kill()


def _rebuild(code: str, detail: str, fields: dict[str, Any]) -> InqueryError:
    for cls in all_errors():
        if cls.code == code and cls is not InqueryError:
            return cls(detail, **{name: _text(value) for name, value in fields.items()})
    return InternalError(detail)


def columns_with_kinds(columns: Sequence[Sequence[str]], rows: Sequence[Sequence[Any]]) -> tuple[ResultColumn, ...]:
    """Columns with their kinds; text that the first rows show to be bytes is binary."""
    made = []
    for index, (name, type_name) in enumerate(columns):
        kind = kind_of_type(type_name)
        if kind == "text" and any(isinstance(row[index], bytes) for row in rows):
            kind = "binary"
        made.append(ResultColumn(name, type_name, kind))
    return tuple(made)


def _odd(columns: tuple[ResultColumn, ...]) -> list[int]:
    """Columns whose values may not be plain; ordinary text is, and is most of what there is."""
    plain = {"number", "date", "datetime", "boolean", "binary"}
    return [i for i, c in enumerate(columns) if c.kind not in plain and not _TEXT.search(c.type.casefold())]


def _text(value: Any) -> Any:
    return Text(*value) if isinstance(value, list) and len(value) == 2 else value


def _environment() -> dict[str, str]:
    # Nothing else of the parent's environment, keys above all, is a database's business.
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    source = str(Path(inquery.__file__).parents[1])
    return kept | {"PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"}


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        return
