"""Who has a chdb folder open: one process for all connections of this program, since chdb locks the folder."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from inquery.databases.engines.clickhouse.errors import IN_USE
from inquery.databases.sandbox.process import Process
from inquery.errors import ConnectFailed, ConnectionLost, InqueryError

WAIT_S = 3.0
"""How long another program, or a process of ours that is being ended, may take to let go of a folder."""
PAUSE_S = 0.1


@dataclass
class OpenFolder:
    """A process and the sessions in it, of however many connections."""

    process: Process
    sessions: set[int] = field(default_factory=set)


_open: dict[str, OpenFolder] = {}
_lock = threading.Lock()


def enter(path: str, database: str, options: dict[str, Any]) -> tuple[Process, int]:
    """A new session on a database of the folder; a process that has to be started waits for the folder to be free."""
    end = time.monotonic() + WAIT_S
    while True:
        process, number = _join(path, options, end)
        try:
            process.call(number, "choose", database)
            return process, number
        except InqueryError as error:
            leave(path, process, number)
            if not _may_pass(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE_S)


def leave(path: str, process: Process, number: int) -> None:
    """End a session; the last one ends the process, which frees the folder."""
    process.close(number)
    with _lock:
        folder = _open.get(path)
        if folder is None or folder.process is not process:
            process.kill()
            return
        folder.sessions.discard(number)
        if not folder.sessions or not process.alive:
            process.kill()
            del _open[path]


def _join(path: str, options: dict[str, Any], end: float) -> tuple[Process, int]:
    while True:
        with _lock:
            folder = _open.get(path)
            if folder is None or not folder.process.alive:
                folder = _open[path] = OpenFolder(Process("inquery.databases.engines.chdb.served:ChdbFolder", options))
            # One that is being cancelled may be killed in a moment, and everyone in it with it.
            if not folder.process.cancelling or time.monotonic() > end:
                number = folder.process.session()
                folder.sessions.add(number)
                return folder.process, number
        time.sleep(PAUSE_S)


def _may_pass(error: InqueryError) -> bool:
    return isinstance(error, ConnectionLost) or (isinstance(error, ConnectFailed) and error.fields["reason"] == IN_USE)
