"""Inquery, the LangGraph tutorial's SQL agent, Vanna 2 and a bare loop, on the same questions with the same model.

    python -m benchmarks.peers overhead [--questions 50] [--systems inquery tutorial vanna bare]
    python -m benchmarks.peers robustness --spider DIR [--split train] [--questions 200 | --quick]

`overhead` asks the demo database with a right model at 0 and at 500 ms a call; `robustness` asks the tune split of
training/README.md's Spider folder with a model that errs. Results are written to benchmarks/results/peers-*.json: for each
system its figures, of overhead under at_0_ms and at_500_ms, with the cost of Inquery's nodes there. The table in
docs/benchmarks.md is made from them by `python -m benchmarks.table`. Vanna lives in an environment of its own
(.venv-vanna, made on first use).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from benchmarks.items import Item, judged, spaced
from benchmarks.machine import RESULTS, ROOT, facts, keep
from benchmarks.peers.faults import KINDS, SHARE, WRONG_VALUE
from benchmarks.peers.figures import above, by_node, figures
from benchmarks.peers.oracle import Oracle, serving
from benchmarks.peers.worker import SYSTEMS

from inquery.demo.build import build_demo

VANNA = "vanna[openai]==2.0.2"
VERSIONS = {
    "inquery": "as shipped", "tutorial": "LangGraph's SQL agent, from its documentation", "vanna": VANNA,
    "bare": "schema and question in one prompt, the answer run as it is",
}  # fmt: skip
NEEDS: dict[str, tuple[list[str], list[Path]]] = {
    "inquery": (["inquery"], [ROOT / "src" / "inquery"]),
    "tutorial": (["langgraph", "langchain-openai", "sqlalchemy"], []),
    "vanna": (["vanna[openai]"], []),
    "bare": ([], []),
}
DELAYS = (0.0, 0.5)
QUICK = (4, 5)
"""Databases, and questions of each."""


def demo_items(folder: Path, most: int) -> list[Item]:
    """Questions over the demo database."""
    database = folder / "demo.sqlite"
    build_demo(database)
    lines = (ROOT / "benchmarks" / "data" / "demo_questions.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines if line.strip()]
    return [Item(database, each["question"], each["sql"]) for each in found[:most]]


def spider_items(spider: Path, split: str, most: int) -> list[Item]:
    """Evenly spaced questions of a split; all of them for 0."""
    lines = map(json.loads, (spider / "questions.jsonl").read_text("utf-8").splitlines())
    own = [each for each in lines if each["split"] == split]
    chosen = spaced(own, most or len(own))
    return [Item(spider / "databases" / f"{e['db_id']}.sqlite", e["question"], e["query"]) for e in chosen]


def interpreter_is_ours(system: str) -> bool:
    """Whether a system lives in the environment that runs this."""
    return system != "vanna"


def interpreter(system: str) -> str:
    """The Python that has a system installed."""
    if interpreter_is_ours(system):
        return sys.executable
    home = ROOT / ".venv-vanna"
    python = home / "bin" / "python"
    if not (home / ".installed").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", VANNA], check=True)
        (home / ".installed").touch()
    return str(python)


def install_mb(system: str) -> float:
    """What must be installed for a system."""
    packages, folders = NEEDS[system]
    command = [interpreter(system), "-m", "benchmarks.peers.installed", *packages, *map(str, folders)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    return float(done.stdout)


def asked(system: str, groups: list[list[Item]], oracle: Oracle, folder: Path) -> dict[str, Any]:
    """Every question, those of one database after another, in one process; seconds until it is ready beside them."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "PYTHONWARNINGS": "ignore", "TZ": "UTC"}
    started = time.perf_counter()
    process = subprocess.Popen(
        [interpreter(system), "-m", "benchmarks.peers.worker", system, oracle.url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    said = _objects(process.stdout)
    start_s, rows = 0.0, []
    for items in groups:
        copy = folder / f"{system}-{items[0].database.name}"
        shutil.copy(items[0].database, copy)
        _told(process.stdin, {"database": str(copy)})
        next(said)
        start_s = start_s or time.perf_counter() - started
        for item in items:
            _told(process.stdin, {"question": item.question})
            row = next(said)
            rows.append(row | {"right": judged(item, row["sql"])[0]})
    process.stdin.close()
    peak = next(said)["peak_mb"]
    process.wait(timeout=600)
    return {"start_s": round(start_s, 2), "peak_mb": round(peak), "rows": rows}


def _told(pipe: IO[str], what: dict[str, str]) -> None:
    pipe.write(json.dumps(what) + "\n")
    pipe.flush()


def _objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The lines that are JSON objects; systems print other things too."""
    for line in lines:
        if line.startswith("{"):
            yield json.loads(line)


def measured(system: str, items: list[Item], *, delay_s: float, noisy: bool) -> dict[str, Any]:
    """One system over all questions: its rows, and what it took to start."""
    by_database: dict[Path, list[Item]] = {}
    for item in items:
        by_database.setdefault(item.database, []).append(item)
    answers = {item.question: item.sql for item in items}
    with tempfile.TemporaryDirectory() as folder, serving(answers, delay_s=delay_s, noisy=noisy) as oracle:
        return asked(system, list(by_database.values()), oracle, Path(folder))


def overhead(systems: list[str], most: int) -> dict[str, Any]:
    """Each system with a right model at each delay."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        items = demo_items(Path(folder), most)
        for delay_s in DELAYS:
            runs = {system: _reported(measured, system, items, delay_s=delay_s, noisy=False) for system in systems}
            for system, run in runs.items():
                own = found.setdefault(system, {"start_s": run["start_s"], "install_mb": install_mb(system)})
                own["peak_mb"] = max(run["peak_mb"], own.get("peak_mb", 0))
                own[f"at_{round(1000 * delay_s)}_ms"] = at = figures(run["rows"])
                if "bare" in runs:
                    at["above_bare_p50_ms"] = above(run["rows"], runs["bare"]["rows"])
                if nodes := by_node(run["rows"]):
                    at["nodes"] = nodes
    return found


def robustness(systems: list[str], items: list[Item]) -> dict[str, Any]:
    """Each system with a model that errs."""
    found = {}
    for system in systems:
        run = _reported(measured, system, items, delay_s=0.0, noisy=True)
        found[system] = figures(run["rows"]) | {"start_s": run["start_s"], "peak_mb": run["peak_mb"]}
    return found


def _reported(run: Callable[..., dict[str, Any]], system: str, items: list[Item], **how: Any) -> dict[str, Any]:
    """A run whose figures are printed as soon as they are known."""
    made = run(system, items, **how)
    shown = {key: value for key, value in figures(made["rows"]).items() if key != "wrong"}
    print(json.dumps({"system": system, **how, **shown}), flush=True)
    return made


def few(items: list[Item]) -> list[Item]:
    """Of all questions, five of each of four databases far apart: most of a short run would else be starting."""
    databases = list(dict.fromkeys(item.database for item in items))
    chosen = [databases[i * len(databases) // QUICK[0]] for i in range(QUICK[0])]
    own = [[item for item in items if item.database == database] for database in chosen]
    return [each[i * len(each) // QUICK[1]] for each in own for i in range(min(QUICK[1], len(each)))]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=["overhead", "robustness"])
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS), help="all, of a quick run all but vanna")
    parser.add_argument("--questions", type=int, default=0, help="how many; 50 or 200 otherwise")
    parser.add_argument("--spider", type=Path, help="folder with questions.jsonl and databases/")
    parser.add_argument("--split", choices=["tune", "train"], default="tune", help="which questions of that folder")
    parser.add_argument("--quick", action="store_true", help="robustness: 20 questions of four databases")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    named = args.systems or [system for system in SYSTEMS if not args.quick or interpreter_is_ours(system)]
    machine = facts()
    settings: dict[str, Any] = {"systems": VERSIONS, "model": "one loopback server of the OpenAI protocol for all"}
    if args.measure == "overhead":
        most = args.questions or 50
        settings |= {"questions": most, "delays_ms": [round(1000 * each) for each in DELAYS], "database": "the demo"}
        systems = overhead(named, most)
    else:
        if args.spider is None:
            parser.error("robustness needs --spider")
        items = spider_items(args.spider, args.split, 0 if args.quick else args.questions or 200)
        items = few(items) if args.quick else items
        settings |= {
            "questions": len(items),
            "split": args.split,
            "share_of_faults": SHARE,
            "kinds": [*KINDS, WRONG_VALUE],
        }
        systems = robustness(named, items)
    name = f"peers-{args.measure}" + ("-train" if args.split == "train" else "")
    keep(args.out or RESULTS / f"{name}.json", name, machine, settings, systems=systems)


if __name__ == "__main__":
    main()
