"""One system in a process of its own: reads questions, answers them one by one, and says what each cost.

python -m benchmarks.peers.worker NAME DATABASE URL     questions on standard input, a line of JSON each
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import resource
import shutil
import sys
import time
import urllib.request
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

SYSTEMS = {"bare": "bare.Bare", "tutorial": "tutorial.Tutorial", "vanna": "vanna.Vanna", "inquery": "ours.Ours"}


@dataclass(frozen=True)
class Asked:
    """What a system made of a question: its last statement that ran, or why there is none, and when it first spoke."""

    sql: str
    error: str
    first_s: float


class System:
    """One way to answer a question about a SQLite file with the model at a URL."""

    def __init__(self, database: str, url: str) -> None:
        raise NotImplementedError

    async def ask(self, question: str) -> Asked:
        """One question, alone."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what was opened."""


def opened(name: str, database: str, url: str) -> System:
    """A system by its name."""
    module, _, made = SYSTEMS[name].partition(".")
    system: System = getattr(import_module(f"benchmarks.peers.{module}"), made)(database, url)
    return system


def digest(path: str) -> str:
    """What is in the database file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def counts(url: str) -> dict[str, Any]:
    """What the model was asked since the last time."""
    with urllib.request.urlopen(url) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


async def answer(system: System, database: str, url: str, question: str) -> dict[str, Any]:
    """One question with what it cost; a database that was changed is put back."""
    before = digest(database)
    wall, processor = time.perf_counter(), time.process_time()
    asked = await system.ask(question)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    harmed = digest(database) != before
    if harmed:
        shutil.copy(f"{database}.kept", database)
    return {"question": question, **asdict(asked), "wall_s": wall, "cpu_s": processor, "harmed": harmed} | counts(url)


async def run(name: str, database: str, url: str) -> None:
    """Answer what comes in, until nothing more does."""
    shutil.copy(database, f"{database}.kept")
    started = time.perf_counter()
    system = opened(name, database, url)
    print(json.dumps({"ready_s": time.perf_counter() - started}), flush=True)
    try:
        for line in sys.stdin:
            print(json.dumps(await answer(system, database, url, json.loads(line))), flush=True)
    finally:
        system.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak_mb": peak}), flush=True)


if __name__ == "__main__":
    asyncio.run(run(*sys.argv[1:4]))
