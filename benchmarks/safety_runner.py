"""Runs hostile statements the way one system would, each in a process with limits on a copy that is thrown away.

    python -m benchmarks.safety_runner SYSTEM DATABASE SECRET     statements on standard input, a line of JSON each

Needs nothing but the system it runs, so that it also runs in a peer's own environment. What SQLite would do outside the
database's own file is never given to it: the caller leaves such statements out.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

SECONDS = 1
MEMORY = 1 << 30
Run = Callable[[str, str], str]
"""A statement and a database file to what the system would show."""


def plain(sql: str, database: str) -> str:
    """Python's own driver, as a bare loop uses it."""
    with closing(sqlite3.connect(database)) as connection, connection:
        return str(connection.execute(sql).fetchmany(1000))


def tutorial(sql: str, database: str) -> str:
    """The query tool of LangGraph's tutorial."""
    from benchmarks.clock import Clock
    from benchmarks.tutorial_graph import database_tools

    said = str(database_tools(database, Clock())["sql_db_query"].invoke({"query": sql}))
    if said.startswith("Error: "):
        raise RuntimeError(said)
    return said


def vanna(sql: str, database: str) -> str:
    """The runner of Vanna's SQL tool."""
    from vanna.capabilities.sql_runner import RunSqlToolArgs
    from vanna.integrations.sqlite import SqliteRunner

    context: Any = None
    return str(asyncio.run(SqliteRunner(database).run_sql(RunSqlToolArgs(sql=sql), context)))


SYSTEMS: dict[str, Run] = {"plain": plain, "tutorial": tutorial, "vanna": vanna}


def limited(run: Run, sql: str, database: str, secret: str, out: int) -> None:
    """The child: run one statement under limits, and write what came of it as one word."""
    os.chdir(Path(database).parent)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    grown = _used() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (grown, grown))
    signal.alarm(SECONDS * 3)
    try:
        word = "secret" if secret in run(sql, database) else "ran"
    except MemoryError:
        word = "exhausted"
    except Exception as error:  # noqa: BLE001 - whatever a peer raises is its refusal
        word = "exhausted" if "memory" in repr(error).lower() else "failed"
    os.write(out, word.encode())


def _used() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def outcome(run: Run, sql: str, template: str, secret: str) -> dict[str, Any]:
    """What one statement did: ran, failed, secret or exhausted; and whether the database's file is another one."""
    with tempfile.TemporaryDirectory(prefix="iq-hostile-") as folder:
        copy = str(Path(folder) / "shop.sqlite")
        shutil.copy(template, copy)
        before = digest(copy)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            limited(run, sql, copy, secret, writing)
            os._exit(0)
        os.close(writing)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reading) as told:
            word = told.read()
        word = word or "exhausted"  # a signal ended it
        return {"sql": sql, "outcome": word, "changed": digest(copy) != before, "status": status}


def digest(path: str) -> str:
    """What is in a file; another one where it is gone."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if os.path.exists(path) else ""


def main() -> None:
    """Run what comes in."""
    run, template, secret = SYSTEMS[sys.argv[1]], sys.argv[2], sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="iq-hostile-") as folder:
        copy = str(Path(folder) / "warm.sqlite")
        shutil.copy(template, copy)
        run("SELECT 1", copy)  # imports once, before every child
    for line in sys.stdin:
        print(json.dumps(outcome(run, json.loads(line), template, secret)), flush=True)


if __name__ == "__main__":
    main()
