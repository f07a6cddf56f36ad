"""Lookups in vector stores of 1,000 to 1,000,000 entries, each store filled in one process and opened in another.

Entries are those of L2: a question, its statement, scope, literals and owner. Their vectors have the encoder's dimension
and point anywhere, which costs an exact search what real ones cost.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from benchmarks.stream_client import percentile

from inquery.knowledge.builtin_vectors import BuiltinVectors
from inquery.knowledge.vectors import Item, VectorStore
from inquery.llm.embedded.encoder import QuestionEncoder

SIZES = {"builtin": (1_000, 10_000, 100_000, 1_000_000), "milvus-lite": (1_000, 10_000, 100_000)}
QUICK = {"builtin": (1_000, 20_000), "milvus-lite": (1_000,)}
BATCH = 10_000
LITERALS = 500  # questions with the same numbers and names: what an L2 lookup is left with is one part in so many
LOOKUPS, NEAREST = 100, 8
SPACE = "l2/encoder/local/demo"


def items(size: int, dim: int) -> Iterator[list[Item]]:
    """Entries in batches, the same every time."""
    chance = np.random.default_rng(11)
    for start in range(0, size, BATCH):
        numbers = range(start, min(size, start + BATCH))
        vectors = chance.standard_normal((len(numbers), dim), dtype=np.float32)
        yield [_item(number, vector) for number, vector in zip(numbers, vectors, strict=True)]


def _item(number: int, vector: Any) -> Item:
    text = f"How many customers of segment {number} ordered more than {number % LITERALS} times?"
    sql = f"SELECT COUNT(*) FROM customers WHERE segment = {number} AND orders > {number % LITERALS}"
    meta = {"scope": "demo", "slots": f'["{number % LITERALS}"]', "owner": f"user{number % 7}", "sql": sql, "as_of": ""}
    return Item(f"{number:012d}", vector, text, meta)


def opened(store: str, folder: Path) -> VectorStore:
    """A store of a kind, in a folder."""
    if store == "builtin":
        return BuiltinVectors(folder / "vectors.sqlite")
    from inquery.knowledge.milvus import MilvusVectors

    return MilvusVectors(str(folder / "vectors.db"))


async def filled(store: str, size: int, folder: Path) -> dict[str, Any]:
    """How long filling a store takes."""
    dim = QuestionEncoder().dim
    vectors = opened(store, folder)
    started = time.perf_counter()
    for batch in items(size, dim):
        await vectors.upsert(SPACE, batch)
    build = time.perf_counter() - started
    await vectors.close()
    return {"store": store, "entries": size, "dimension": dim, "build_s": round(build, 1)}


async def looked_up(store: str, folder: Path) -> dict[str, Any]:
    """Lookups in a store that is there, from its opening on; an empty one goes first, so that no import is measured."""
    dim = QuestionEncoder().dim
    with TemporaryDirectory(prefix="iq-empty-") as empty:
        await opened(store, Path(empty)).close()
    before = _resident_mb()
    started = time.perf_counter()
    vectors = opened(store, folder)
    await vectors.search(SPACE, _asked(0, dim), NEAREST, _where(0))
    load = time.perf_counter() - started
    found = {"load_s": round(load, 2), **await lookups(vectors, dim)}
    found |= {"memory_mb": round(_resident_mb() - before), "file_mb": round(_bytes(folder) / 1e6)}
    await vectors.close()
    return found


async def lookups(store: VectorStore, dim: int) -> dict[str, Any]:
    """Milliseconds of lookups as L2 makes them, and among all entries as samples are found."""
    found: dict[str, Any] = {}
    for name, narrowed in (("l2", True), ("all", False)):
        times = []
        for number in range(LOOKUPS):
            vector = _asked(number, dim)
            started = time.perf_counter()
            hits = await store.search(SPACE, vector, NEAREST, _where(number) if narrowed else None)
            times.append((time.perf_counter() - started) * 1000)
            assert hits
        found |= {
            f"{name}_p50_ms": round(percentile(times, 0.5), 2),
            f"{name}_p95_ms": round(percentile(times, 0.95), 2),
        }
    return found


def _where(number: int) -> dict[str, Any]:
    return {"scope": "demo", "slots": f'["{number % LITERALS}"]', "owner": ["", f"user{number % 7}"]}


def _asked(number: int, dim: int) -> Any:
    return np.random.default_rng(1000 + number).standard_normal(dim, dtype=np.float32)


def _resident_mb() -> float:
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def measure(*, quick: bool) -> dict[str, Any]:
    """A row for each store and size."""
    rows = []
    for store, sizes in (QUICK if quick else SIZES).items():
        for size in sizes:
            with TemporaryDirectory(prefix="iq-caches-") as made:
                rows.append(_worker("fill", store, size, made) | _worker("look", store, size, made))
            print(rows[-1], flush=True)
    return {"rows": rows}


def _worker(step: str, store: str, size: int, folder: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.scale.caches", step, store, str(size), folder]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    step, store, size, folder = sys.argv[1:]
    work = filled(store, int(size), Path(folder)) if step == "fill" else looked_up(store, Path(folder))
    print(json.dumps(asyncio.run(work)))
