"""`python -m training.engine --schemas N --per-schema M --seed S --out DIR --workers 2`: shards of schemas with questions."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from training.engine.build import make

SHARD = 100
"""Schemas in one file."""


def _shard(job: tuple[int, int, int, int, str]) -> dict[str, Any]:
    """Write one shard and count what is in it."""
    seed, first, last, per_schema, folder = job
    counts: Counter[str] = Counter()
    samples = []
    rng = random.Random(f"{seed}/{first}")
    path = Path(folder) / f"synthetic.{seed}-{first:05d}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(first, last):
            made = make(seed, number, per_schema)
            made.pop("failures")
            file.write(json.dumps(made, ensure_ascii=False) + "\n")
            _tally(made, counts)
            if made["questions"]:
                samples.append({"schema": made["lang"], **rng.choice(made["questions"])})
    return {"counts": counts, "samples": rng.sample(samples, min(20, len(samples)))}


def _tally(made: dict[str, Any], counts: Counter[str]) -> None:
    counts["schemas"] += 1
    counts[f"schemas in {made['lang']}"] += 1
    counts["tables"] += len(made["tables"])
    for question in made["questions"]:
        counts["questions"] += 1
        counts[f"{question['lang']} over {made['lang']} schema"] += 1
        counts.update(f"tag {tag}" for tag in question["tags"])


def _jobs(args: argparse.Namespace) -> Iterator[tuple[int, int, int, int, str]]:
    for first in range(args.first, args.first + args.schemas, SHARD):
        yield args.seed, first, min(first + SHARD, args.first + args.schemas), args.per_schema, str(args.out)


def report(counts: Counter[str], seconds: float) -> str:
    """Totals, shares by language and tag, and the rate."""
    total = max(1, counts["questions"])
    lines = [
        f"{counts['questions']} questions over {counts['schemas']} schemas in {seconds:.0f} s ({total / seconds:.0f} a second)"
    ]
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        if name not in ("questions", "schemas", "tables"):
            lines.append(f"{100 * count / (counts['schemas'] if name.startswith('schemas') else total):5.1f}%  {name}")
    return "\n".join(lines)


def main() -> None:
    """Parse the arguments, make the shards, print what they hold and some examples to read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=3000)
    parser.add_argument("--per-schema", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first schema, to make more later")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, default=40, help="examples to print")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    samples: list[dict[str, Any]] = []
    start = time.time()
    with ProcessPoolExecutor(args.workers) as pool:
        for done in pool.map(_shard, _jobs(args)):
            counts.update(done["counts"])
            samples += done["samples"]
    print(report(counts, time.time() - start))
    for sample in random.Random(args.seed).sample(samples, min(args.show, len(samples))):
        print(f"{sample['schema']} {sample['lang']} | {sample['question']} | {sample['form']}")


if __name__ == "__main__":
    main()
