"""1 to 1,000 questions at once on one and two workers: how many are answered a second, how long, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

from benchmarks.server_load import MODEL_MS, RIGHT, serving, surroundings, told
from benchmarks.stream_client import Client, closed_loop
from tests.integration.api_server import HOW_MANY

LEVELS = {1: 20, 10: 60, 100: 200, 1_000: 1_000}
"""Questions at once, and how many are asked in all."""
QUICK = {1: 5, 10: 30, 50: 50}
WORKERS = (1, 2)


async def climbed(url: str, workers: int, levels: dict[int, int]) -> list[dict[str, Any]]:
    """A row for each number of questions at once."""
    client = Client(url, HOW_MANY, RIGHT)
    await closed_loop(client.ask, 8 * workers, 16 * workers)  # warms every worker
    rows = []
    for level, total in levels.items():
        seen, took = await closed_loop(client.ask, level, total)
        figures = told(seen)
        problems = figures.pop("errors")
        rows.append(
            {"workers": workers, "at_once": level, "answers_per_s": round(figures["whole"] / took, 1), **figures}
        )
        print(rows[-1], problems or "", flush=True)
    return rows


def measure(*, quick: bool) -> dict[str, Any]:
    """Every level on one worker, then on two, with the same private PostgreSQL and Redis."""
    levels, rows = QUICK if quick else LEVELS, []
    with surroundings("iq-crowd-") as environment:
        for workers in WORKERS[-1:] if quick else WORKERS:
            with serving(environment, workers) as url:
                rows += asyncio.run(climbed(url, workers, levels))
    return {"rows": rows, "model_ms": MODEL_MS}
