"""Two workers on PostgreSQL and Redis with a model of 100 ms: how much they take, and what they do beyond it.

python -m benchmarks.server_load [--seconds 10] [--results figures.json] [--markdown docs/benchmarks-server.md]

Everything runs on this machine, the client too, over loopback, against private servers that end with the run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def table(figures: Figures) -> list[str]:
    """The figures beside what was promised."""
    v = figures.values
    half = v["half_p95_ms"] / max(1, v["unloaded_p95_ms"])
    share = v["burst_throughput"] / v["saturation_throughput"]
    rows = [
        ("one question at a time, p50 and p95", f"{v['unloaded_p50_ms']} and {v['unloaded_p95_ms']} ms", "", None),
        ("saturation T, 64 at a time", f"{v['saturation_throughput']} answers/s", "", None),
        ("p95 at T/2", f"{v['half_p95_ms']} ms = {half:.1f}× unloaded", "< 3×", half < 3),
        ("burst of 300 streams: whole", f"{v['burst_whole']}", "300", v["burst_whole"] == BURST),
        ("burst: rate", f"{v['burst_throughput']} answers/s = {share:.2f} T", "≥ 0.8 T", share >= 0.8),
        ("burst: first event, p95", f"{v['burst_first_p95_ms']} ms", "≤ 1,000 ms", v["burst_first_p95_ms"] <= 1000),
        (
            "3 × T: whole, honestly refused, failed",
            f"{v['overload_whole']}, {v['overload_refused']}, {v['overload_failed']}",
            "0 failed",
            v["overload_failed"] == 0 and v["overload_refused"] > 0,
        ),
        ("after it: answered, p95", f"{v['after_whole']} of 5, {v['after_p95_ms']} ms", "5", v["after_whole"] == 5),
        (
            "1,000 connections at once: opened, answered",
            f"{v['connections_opened']}, {v['connections_answered']}",
            "1,000 and 1,000",
            v["connections_answered"] == CONNECTIONS and v["connections_question_among_them"],
        ),
    ]
    lines = ["| what | measured | target | |", "|---|---|---|---|"]
    return lines + [f"| {a} | {b} | {c} | {'' if d is None else 'met' if d else 'missed'} |" for a, b, c, d in rows]


def page(figures: Figures) -> str:
    """The page of figures."""
    return "\n".join(
        [
            "# Benchmark: the server under load",
            "",
            "Made by `python -m benchmarks.server_load --markdown docs/benchmarks-server.md` on "
            f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}.",
            f"`inquery serve --workers {WORKERS}` on a private PostgreSQL (store, checkpoints, memory) and Redis (answers,",
            f"limits); a scripted model that thinks for {MODEL_MS} ms; every question is a new thread, streamed, and answered",
            "anew, never from a cache. The client, PostgreSQL and Redis share the cores with the workers, and so does whatever",
            "else the machine does: rates are those of what the load averages below leave, counts and ratios say more.",
            "",
            *table(figures),
            "",
            f"Overload is measured with `concurrent_runs` {TIGHT['INQUERY_SERVER__CONCURRENT_RUNS']} and `queue` "
            f"{TIGHT['INQUERY_SERVER__QUEUE']} a worker, so that a short run reaches the end of the queue.",
            "",
            "Load averages: " + ", ".join(f"{name} {value}" for name, value in figures.load.items()) + ".",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    figures = Figures()
    with surroundings("iq-load-") as environment:
        with serving(environment) as url:
            asyncio.run(measure(url, options.seconds, figures))
        with serving(environment | TIGHT) as url:
            asyncio.run(overload(url, figures.values["saturation_throughput"] * 3, options.seconds / 2, figures))
    if options.results:
        options.results.write_text(json.dumps({"values": figures.values, "load": figures.load}, indent=2), "utf-8")
    if options.markdown:
        options.markdown.write_text(page(figures), "utf-8")
    print("\n".join(table(figures)))


if __name__ == "__main__":
    main()
