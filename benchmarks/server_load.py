"""Two workers on PostgreSQL and Redis with a model of 100 ms: how much they take, and what they do beyond it.

    python -m benchmarks.server_load [--seconds 10]

Everything runs on this machine, the client too, over loopback, against private servers that end with the run. Writes
benchmarks/results/server.json, from which `python -m benchmarks.table` writes docs/benchmarks-server.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.machine import RESULTS, facts, keep
from benchmarks.stream_client import Client, Seen, closed_loop, open_loop, percentile
from tests.integration.api_server import HOW_MANY
from tests.integration.workers import Worker, addresses, prepared
from tests.servers_postgres import running_postgres
from tests.servers_redis import redis_server

MODEL_MS = 100
RIGHT = '[["Beijing",2],["Paris",2]]'
WORKERS = 2
BURST = 300
CONNECTIONS = 1000
TIGHT = {"INQUERY_SERVER__CONCURRENT_RUNS": "20", "INQUERY_SERVER__QUEUE": "20"}
"""Limits of the server that is asked three times what it can do: with the defaults a short run only fills the queue."""


@dataclass
class Figures:
    """What was measured, with the load of the machine while it was."""

    values: dict[str, Any] = field(default_factory=dict)
    load: dict[str, float] = field(default_factory=dict)

    def add(self, phase: str, **values: Any) -> None:
        self.values |= {f"{phase}_{name}": value for name, value in values.items()}
        self.load[phase] = round(os.getloadavg()[0], 1)
        print(phase, json.dumps(values), "load", self.load[phase], flush=True)


@contextmanager
def surroundings(prefix: str) -> Iterator[dict[str, str]]:
    """The environment of servers on a private PostgreSQL and Redis, with a model that takes its time."""
    with (
        tempfile.TemporaryDirectory(prefix=prefix) as folder,
        running_postgres() as postgres,
        redis_server() as redis,
    ):
        yield prepared(Path(folder), addresses(postgres, redis), delay_ms=MODEL_MS)


@contextmanager
def serving(environment: dict[str, str], workers: int = WORKERS) -> Iterator[str]:
    """The address of a server with so many workers."""
    worker = Worker(environment, arguments=("--workers", str(workers)))
    worker.start()
    try:
        worker.ready()
        yield worker.url
    finally:
        worker.end()


def told(found: list[Seen]) -> dict[str, Any]:
    """What became of some requests."""
    return {
        "asked": len(found),
        "whole": sum(seen.whole for seen in found),
        "refused": sum(seen.honest for seen in found),
        "failed": sum(not seen.whole and not seen.honest for seen in found),
        "p50_ms": round(percentile([s.total_s for s in found if s.whole], 0.5) * 1000),
        "p95_ms": round(percentile([s.total_s for s in found if s.whole], 0.95) * 1000),
        "first_p95_ms": round(percentile([s.first_s for s in found if s.whole], 0.95) * 1000),
        "errors": dict(Counter(s.error for s in found if not s.whole and not s.honest)),
    }


async def measure(url: str, seconds: float, figures: Figures) -> None:
    """From one question at a time to three hundred at once."""
    client = Client(url, HOW_MANY, RIGHT)
    await closed_loop(client.ask, 16, 64)  # warms both workers
    alone, _ = await closed_loop(client.ask, 1, 30)
    figures.add("unloaded", **told(alone))
    full, took = await closed_loop(client.ask, 64, 400)
    rate = len(full) / took
    figures.add("saturation", throughput=round(rate, 1), **told(full))
    figures.add("half", rate=round(rate / 2, 1), **told(await open_loop(client.ask, rate / 2, seconds)))
    burst, took = await closed_loop(client.ask, BURST, BURST)
    figures.add("burst", throughput=round(BURST / took, 1), **told(burst))
    figures.add("connections", **await crowd(client))


async def crowd(client: Client) -> dict[str, Any]:
    """A thousand connections that stay open, each of which is answered."""
    opened = await asyncio.gather(*(client.opened() for _ in range(CONNECTIONS)), return_exceptions=True)
    pairs = [pair for pair in opened if not isinstance(pair, BaseException)]
    answered = await asyncio.gather(*(client.lives(*pair) for pair in pairs), return_exceptions=True)
    seen = await client.ask()
    for _, writer in pairs:
        writer.close()
    return {"opened": len(pairs), "answered": sum(each is True for each in answered), "question_among_them": seen.whole}


async def overload(url: str, rate: float, seconds: float, figures: Figures) -> None:
    """Three times what the server can do: the rest is refused, and afterwards it answers at once."""
    client = Client(url, HOW_MANY, RIGHT)
    await closed_loop(client.ask, 8, 16)
    figures.add("overload", rate=round(rate, 1), **told(await open_loop(client.ask, rate, seconds)))
    figures.add("after", **told([await client.ask() for _ in range(5)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--results", type=Path, default=RESULTS / "server.json")
    options = parser.parse_args()
    machine, figures = facts(), Figures()
    with surroundings("iq-load-") as environment:
        with serving(environment) as url:
            asyncio.run(measure(url, options.seconds, figures))
        with serving(environment | TIGHT) as url:
            asyncio.run(overload(url, figures.values["saturation_throughput"] * 3, options.seconds / 2, figures))
    settings = {"workers": WORKERS, "model_ms": MODEL_MS, "burst": BURST, "connections": CONNECTIONS, "overload": TIGHT}
    keep(options.results, "server", machine, settings, figures=figures.values, loads=figures.load)


if __name__ == "__main__":
    main()
