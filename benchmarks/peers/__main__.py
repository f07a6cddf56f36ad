"""Inquery, the LangGraph tutorial's SQL agent, Vanna 2 and a bare loop, on the same questions with the same model.

    python -m benchmarks.peers overhead [--questions 50] [--systems inquery tutorial vanna bare]
    python -m benchmarks.peers robustness --spider DIR [--questions 200]

`overhead` asks the demo database with a right model at 0 and at 500 ms a call; `robustness` asks the tune split of
training/README.md's Spider folder with a model that errs. Results are written to benchmarks/results/*.json; the table in
docs/benchmarks.md is made from them by `python -m benchmarks.table`. Vanna lives in an environment of its own
(.venv-vanna, made on first use).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.oracle import Oracle, serving
from benchmarks.peers.worker import SYSTEMS

from inquery.demo.build import build
from inquery.evals.compare import RunFailed, execution_match

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
VANNA = "vanna[openai]==2.0.2"
DELAYS = (0.0, 0.5)


@dataclass(frozen=True)
class Item:
    """A question, its right SQL, and the database it is about."""

    question: str
    sql: str
    database: Path


def demo_items(folder: Path, most: int) -> list[Item]:
    """Questions over the demo database."""
    database = folder / "demo.sqlite"
    build(database)
    lines = (ROOT / "benchmarks" / "data" / "demo_questions.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines if line.strip()]
    return [Item(each["question"], each["sql"], database) for each in found[:most]]


def tune_items(spider: Path, most: int) -> list[Item]:
    """Evenly spaced questions of the tune split."""
    lines = map(json.loads, (spider / "questions.jsonl").read_text("utf-8").splitlines())
    tune = [each for each in lines if each["split"] == "tune"]
    chosen = [tune[i * len(tune) // most] for i in range(min(most, len(tune)))]
    return [Item(e["question"], e["query"], spider / "databases" / f"{e['db_id']}.sqlite") for e in chosen]


def interpreter(system: str) -> str:
    """The Python that has a system installed."""
    if system != "vanna":
        return sys.executable
    home = ROOT / ".venv-vanna"
    python = home / "bin" / "python"
    if not (home / ".installed").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", VANNA], check=True)
        (home / ".installed").touch()
    return str(python)


def asked(system: str, items: list[Item], oracle: Oracle, folder: Path) -> dict[str, Any]:
    """Every question of one database, in one process; seconds from its start until it is ready beside them."""
    copy = folder / f"{system}-{items[0].database.name}"
    shutil.copy(items[0].database, copy)
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "PYTHONWARNINGS": "ignore", "TZ": "UTC"}
    started = time.perf_counter()
    process = subprocess.Popen(
        [interpreter(system), "-m", "benchmarks.peers.worker", system, str(copy), oracle.url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    said = _objects(process.stdout)
    next(said)
    start_s = time.perf_counter() - started
    rows = []
    for item in items:
        process.stdin.write(json.dumps(item.question) + "\n")
        process.stdin.flush()
        rows.append(next(said))
    process.stdin.close()
    peak = next(said)["peak_mb"]
    process.wait(timeout=60)
    return {"start_s": start_s, "peak_mb": peak, "rows": rows}


def _objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The lines that are JSON objects; systems print other things too."""
    for line in lines:
        if line.startswith("{"):
            yield json.loads(line)


def right(item: Item, sql: str) -> bool:
    """Whether a statement gives the right rows on an untouched database."""
    with closing(sqlite3.connect(f"file:{item.database}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")

        def rows(text: str) -> list[tuple[Any, ...]]:
            try:
                return connection.execute(text).fetchall()
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise RunFailed(str(error)) from error

        try:
            return bool(sql) and execution_match(item.sql, sql, rows).correct
        except RunFailed:
            return False


def measured(system: str, items: list[Item], *, delay_s: float, noisy: bool) -> dict[str, Any]:
    """One system over all questions, a process for each database."""
    by_database: dict[Path, list[Item]] = {}
    for item in items:
        by_database.setdefault(item.database, []).append(item)
    answers = {item.question: item.sql for item in items}
    starts, peaks, rows, correct = [], [], [], []
    with tempfile.TemporaryDirectory() as folder, serving(answers, delay_s=delay_s, noisy=noisy) as oracle:
        for own in by_database.values():
            oracle.take()
            done = asked(system, own, oracle, Path(folder))
            starts.append(done["start_s"])
            peaks.append(done["peak_mb"])
            rows += done["rows"]
            correct += [right(item, row["sql"]) for item, row in zip(own, done["rows"], strict=True)]
    return figures(rows, correct) | {
        "system": system, "delay_s": delay_s, "start_s": round(statistics.median(starts), 2), "peak_mb": round(max(peaks)),
    }  # fmt: skip


def figures(rows: list[Mapping[str, Any]], correct: list[bool]) -> dict[str, Any]:
    """The figures of one system."""
    total = len(rows)
    faults: dict[str, int] = {}
    for row in rows:
        for kind, number in row["faults"].items():
            faults[kind] = faults.get(kind, 0) + number
    return {
        "n": total,
        "ex": round(sum(correct) / total, 4),
        "errors": sum(bool(row["error"]) for row in rows),
        "harmed": sum(row["harmed"] for row in rows),
        "wall_s": round(sum(row["wall_s"] for row in rows), 2),
        "wall_p50_s": round(statistics.median(row["wall_s"] for row in rows), 4),
        "cpu_p50_s": round(statistics.median(row["cpu_s"] for row in rows), 4),
        "first_p50_s": round(statistics.median(row["first_s"] for row in rows), 4),
        "calls": round(sum(row["calls"] for row in rows) / total, 2),
        "prompt_tokens": round(sum(row["prompt_tokens"] for row in rows) / total),
        "faults": faults,
        "problems": [row["error"][:200] for row in rows if row["error"]][:20],
        "wrong": [row["question"] for row, good in zip(rows, correct, strict=True) if not good][:20],
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=["overhead", "robustness"])
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS), default=list(SYSTEMS))
    parser.add_argument("--questions", type=int, default=0, help="how many; 50 or 200 otherwise")
    parser.add_argument("--spider", type=Path, help="folder with questions.jsonl and databases/")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.measure == "overhead":
            items, runs = demo_items(Path(folder), args.questions or 50), [(d, False) for d in DELAYS]
        else:
            if args.spider is None:
                parser.error("robustness needs --spider")
            items, runs = tune_items(args.spider, args.questions or 200), [(0.0, True)]
        found = []
        for delay_s, noisy in runs:
            for system in args.systems:
                found.append(measured(system, items, delay_s=delay_s, noisy=noisy))
                print(json.dumps({k: v for k, v in found[-1].items() if k not in ("wrong", "problems")}), flush=True)
    out = args.out or RESULTS / f"peers-{args.measure}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    load = [round(each, 1) for each in os.getloadavg()]
    out.write_text(json.dumps({"measure": args.measure, "load": load, "figures": found}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
