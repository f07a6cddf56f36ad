"""One system in a process of its own: reads questions, answers them one by one, and says what each cost.

python -m benchmarks.peers.worker NAME URL     databases and questions on standard input, a line of JSON each
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
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

SYSTEMS = {"bare": "bare.Bare", "tutorial": "tutorial.Tutorial", "vanna": "vanna.Vanna", "inquery": "ours.Ours"}


@dataclass(frozen=True)
class Asked:
    """What a system made of a question: its last statement that ran, or why there is none, and when it first spoke."""

    sql: str
    error: str
    first_s: float
    nodes: dict[str, float] = field(default_factory=dict)
    """Milliseconds of each part, where a system tells them."""


class System:
    """One way to answer a question about a SQLite file with the model at a URL; made with both."""

    async def ask(self, question: str) -> Asked:
        """One question, alone."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what was opened."""


def opened(name: str, database: str, url: str) -> System:
    """A system by its name."""
    module, _, made = SYSTEMS[name].partition(".")
    kind = getattr(import_module(f"benchmarks.peers.{module}"), made)
    system: System = kind(database, url)
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


async def run(name: str, url: str) -> None:
    """Open what is asked for and answer what comes in, until nothing more does."""
    system, database = System(), ""
    for line in sys.stdin:
        said = json.loads(line)
        if "database" in said:
            system.close()
            database = said["database"]
            shutil.copy(database, f"{database}.kept")
            system = opened(name, database, url)
            print(json.dumps({"ready": database}), flush=True)
        else:
            print(json.dumps(await answer(system, database, url, said["question"])), flush=True)
    system.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak_mb": peak}), flush=True)


if __name__ == "__main__":
    asyncio.run(run(*sys.argv[1:3]))
