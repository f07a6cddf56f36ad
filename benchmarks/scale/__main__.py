"""How Inquery grows with tables, cached entries, rows and people at once.

    python -m benchmarks.scale tables --spider DIR [--quick]      linking and whole questions, 10 to 10,000 tables
    python -m benchmarks.scale caches [--quick]                   lookups in 1,000 to 1,000,000 entries
    python -m benchmarks.scale rows [--quick]                     1,000 to 10,000,000 rows to CSV
    python -m benchmarks.scale concurrency [--quick]              1 to 1,000 questions at once, one and two workers

Each writes benchmarks/results/scale-<part>.json. DIR is training/README.md's Spider folder.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import inspect
import os
from pathlib import Path
from typing import Any

from benchmarks.machine import RESULTS, facts, keep

PARTS = ("tables", "caches", "rows", "concurrency")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, under half a minute")
    parser.add_argument(
        "--spider", type=Path, default=os.environ.get("SPIDER"), help="folder with questions.jsonl and databases/"
    )
    parser.add_argument("--out", type=Path, help="another file than benchmarks/results/scale-<part>.json")
    args = parser.parse_args()
    if args.part == "tables" and args.spider is None:
        parser.error("tables needs --spider")
    machine = facts()
    measure = importlib.import_module(f"benchmarks.scale.{args.part}").measure
    given: dict[str, Any] = {"spider": Path(args.spider)} if args.part == "tables" else {}
    figures = measure(**given, quick=args.quick)
    if inspect.isawaitable(figures):
        figures = asyncio.run(_waited(figures))
    out = args.out or RESULTS / f"scale-{args.part}{'-quick' if args.quick else ''}.json"
    keep(out, f"scale {args.part}", machine, {"quick": args.quick}, **figures)


async def _waited(work: Any) -> Any:
    return await work


if __name__ == "__main__":
    main()
