"""Did anything get worse? Ratios within one run beside those of the last stored one, in a few minutes.

    python -m benchmarks.quick [--spider DIR] [--only graph guard …] [--json] [--store]

Every figure is a share, a count, or a time divided by another of the same process (the tutorial's graph, a plain parse,
a loop of plain Python, a product of matrices), so that a stored run of another machine can be compared with. A time
that looks worse is measured again before it is said. Ends with 1 if something is worse; `--store` keeps the run as the
next one's yardstick. Robustness needs the Spider folder of training/README.md, the model's speed needs its weights; what
is left out is said.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.items import spaced
from benchmarks.machine import RESULTS, facts, keep
from training.descriptions import DATA, specs

STORED = RESULTS / "quick.json"
TOLERANCE = {"time": 0.35, "count": 0.1, "share": 0.04}
"""How much worse a figure may be: of itself for times and counts, of one for shares."""
RUNS = 20
STATEMENTS = 150
TABLES, ASKED, FOUND = 1000, 60, 10
PEERS = ("inquery", "tutorial")
FRONT = 300


@dataclass(frozen=True)
class Figure:
    """One figure; `kind` says what it is and how much worse is too much. Shares are better high, the others low."""

    name: str
    value: float
    kind: str


@dataclass(frozen=True)
class Compared:
    """A figure beside the stored one, and whether it is worse by more than its kind allows."""

    name: str
    kind: str
    now: float
    before: float | None
    worse: bool


def compared(before: Iterable[Figure], now: Iterable[Figure]) -> list[Compared]:
    """Each figure of now beside its stored one; a new one cannot be worse."""
    known = {figure.name: figure.value for figure in before}
    return [Compared(f.name, f.kind, f.value, known.get(f.name), is_worse(f, known.get(f.name))) for f in now]


def is_worse(figure: Figure, before: float | None) -> bool:
    """Whether a figure is worse than a stored one beyond its tolerance."""
    if before is None:
        return False
    allowed = TOLERANCE[figure.kind]
    if figure.kind == "share":
        return figure.value < before - allowed - 1e-9
    return figure.value > before * (1 + allowed) + 1e-9


def better(first: Iterable[Figure], second: Iterable[Figure]) -> list[Figure]:
    """The better of two measurements of each figure."""
    again = {figure.name: figure.value for figure in second}
    best = {"share": max}
    return [replace(f, value=best.get(f.kind, min)(f.value, again.get(f.name, f.value))) for f in first]


def measure_of(figure: Figure) -> str:
    """The measure that gives a figure."""
    return figure.name.partition(":")[0]


def merged(before: Iterable[Figure], now: Sequence[Figure]) -> list[Figure]:
    """The run to store: what was measured now, and the rest of the stored one."""
    anew = {measure_of(figure) for figure in now}
    return [*(figure for figure in before if measure_of(figure) not in anew), *now]


def missing(before: Iterable[Figure], now: Iterable[Figure], measured: Sequence[str]) -> list[str]:
    """Stored figures of what was measured that are not there any more."""
    names = {figure.name for figure in now}
    return [f.name for f in before if f.name not in names and measure_of(f) in measured]


def calibration() -> float:
    """Processor seconds of a loop of plain Python: dictionaries, strings and numbers."""
    started = time.process_time()
    found: dict[str, int] = {}
    for number in range(60_000):
        name = f"t{number % 997}"
        found[name] = found.get(name, 0) + len(name) * number % 7
    assert len(found) == 997
    return time.process_time() - started


def processor_ms(work: Callable[[], object]) -> float:
    """Processor milliseconds of a call, all threads of this process."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def graph() -> list[Figure]:
    """Time outside model and database beside the tutorial's graph, by the processor."""
    from benchmarks.agents import overhead

    with tempfile.TemporaryDirectory(prefix="iq-quick-") as folder:
        found = asyncio.run(overhead(Path(folder), RUNS))
    return [
        Figure("graph: Inquery / tutorial, in memory", found["ratio_memory_cpu"], "time"),
        Figure("graph: Inquery / tutorial, SQLite saver", found["ratio_sqlite_cpu"], "time"),
    ]


def l1() -> list[Figure]:
    """A run that the exact cache answers, beside one of the tutorial's graph, taking turns."""
    from benchmarks.agents import _tutorial, ask, opened, question, reply, settings_in
    from benchmarks.clock import Clock, TimedModel
    from benchmarks.tutorial_graph import build_tutorial_graph, database_tools
    from langgraph.checkpoint.memory import InMemorySaver

    from inquery.demo import ensure_demo

    async def measured(folder: Path) -> float:
        model = TimedModel.of(reply, Clock())
        tools = database_tools(str(ensure_demo(folder)), Clock())
        tutorial = _tutorial(build_tutorial_graph(model, tools, InMemorySaver()))
        async with opened(settings_in(folder), model, "memory") as runner:
            await ask(runner, question(0))
            ours, others = [], []
            for number in range(2 * RUNS):
                began = time.process_time()
                await tutorial(question(number))
                others.append(time.process_time() - began)
                began = time.process_time()
                answer = await ask(runner, question(0))
                ours.append(time.process_time() - began)
                assert answer.cache
                assert answer.cache["level"] == "exact"
            return statistics.median(ours) / statistics.median(others)

    with tempfile.TemporaryDirectory(prefix="iq-quick-") as folder:
        found = asyncio.run(measured(Path(folder)))
    return [Figure("l1: a run from the exact cache / a run of the tutorial", round(found, 3), "time")]


def written(kind: str = "business") -> list[dict[str, Any]]:
    """Databases described in training/data, each with its questions."""
    return list(specs(DATA / kind))


def guard() -> list[Figure]:
    """The check of ordinary statements, beside only parsing them."""
    import sqlglot

    from inquery.sql import Catalog, check

    pairs = []
    for spec in spaced(written(), STATEMENTS):
        names = {table["name"]: [column["name"] for column in table["columns"]] for table in spec["tables"]}
        pairs.append((Catalog.of(names, dialect="sqlite"), spec["questions"][0]["sql"]))
    for catalog, sql in pairs[:5]:
        check(sql, dialect="sqlite", catalog=catalog)
    ratios = []
    for catalog, sql in pairs[5:]:
        parse = statistics.median(processor_ms(partial(sqlglot.parse_one, sql, read="sqlite")) for _ in range(3))
        ratios.append(processor_ms(partial(check, sql, dialect="sqlite", catalog=catalog)) / parse)
    return [Figure("guard: check / parse of the same statement", round(statistics.median(ratios), 3), "time")]


def linking() -> list[Figure]:
    """Questions over a warehouse of a thousand tables: all tables found among the first ten, and the time."""
    from benchmarks.scale.warehouse import compose, read_by, read_source
    from training.business import build

    from inquery.catalog.search import rank_tables

    specs, sources = written(), []
    for spec in specs:
        with closing(build(spec)) as connection:
            sources.append(read_source(spec["db_id"], connection))
    warehouse = compose([], sources, TABLES)
    asked = [(spec, each) for spec in specs if spec["db_id"] in warehouse.codes for each in spec["questions"]]
    figures, ratios = [], []
    rank_tables("warm", warehouse.catalog, warehouse.values)
    for language in ("en", "zh"):
        found = []
        for spec, each in spaced(asked, ASKED):
            loop, started = calibration(), time.process_time()
            ranking = rank_tables(each[language], warehouse.catalog, warehouse.values)
            ratios.append((time.process_time() - started) / loop)
            own = {table["name"].lower(): table["name"] for table in spec["tables"]}
            gold = {f"{warehouse.codes[spec['db_id']]}_{name}" for name in read_by(each["sql"], own)}
            found.append(gold <= {name for name, _ in ranking.tables[:FOUND]})
        share = round(sum(found) / len(found), 4)
        figures.append(Figure(f"linking: all tables in the first {FOUND} of {TABLES:,}, {language}", share, "share"))
    return [*figures, Figure(f"linking: ranking {TABLES:,} tables / loop", round(statistics.median(ratios), 3), "time")]


def embedded() -> list[Figure]:
    """The model's reading and writing, beside a product of matrices as large as one of its layers."""
    import numpy as np

    from inquery.errors import ModelMissing
    from inquery.llm.embedded.runtime import Model
    from inquery.llm.embedded.weights import find_model

    try:
        model = Model.load(find_model("").folder, threads=1)
    except ModelMissing as error:
        raise Skipped("the weights of the embedded model are not here") from error
    tokens = np.random.default_rng(7).integers(100, model.shape["vocab_size"], FRONT).tolist()
    left, right = np.ones((FRONT, 576), np.float32), np.ones((576, 1536), np.float32)

    def product() -> float:
        return processor_ms(lambda: [left @ right for _ in range(20)])

    reading, writing = [], []
    for _ in range(5):
        loop = product()
        reading.append(processor_ms(lambda: model.release(model.prefill(tokens))) / loop)
        with model.prefill(tokens) as state:
            loop = product()
            step = partial(model.extend, state, [(state.root, [tokens[0]])] * 4)
            writing.append(sum(processor_ms(step) for _ in range(10)) / loop)
    return [
        Figure(f"embedded: reading {FRONT} tokens / product", round(statistics.median(reading[1:]), 3), "time"),
        Figure("embedded: ten steps of four / product", round(statistics.median(writing[1:]), 3), "time"),
    ]


def robustness() -> list[Figure]:
    """Twenty questions with a model that errs: answers, and calls and tokens beside the tutorial's agent."""
    spider = os.environ.get("SPIDER", "")
    if not spider:
        raise Skipped("no --spider folder was given")
    with tempfile.TemporaryDirectory(prefix="iq-quick-") as folder:
        out = Path(folder) / "robustness.json"
        command = [sys.executable, "-m", "benchmarks.peers", "robustness", "--quick", "--spider", spider]
        subprocess.run([*command, "--systems", *PEERS, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        systems = json.loads(out.read_text("utf-8"))["systems"]
    ours, other = (systems[name] for name in PEERS)
    return [
        Figure("robustness: right answers of Inquery", ours["ex"], "share"),
        Figure("robustness: databases harmed by Inquery", ours["harmed"], "count"),
        Figure("robustness: model calls, Inquery / tutorial", round(ours["calls"] / other["calls"], 3), "count"),
        Figure("robustness: prompt tokens, Inquery / tutorial", round(ours["prompt_tokens"] / other["prompt_tokens"], 3), "count"),
    ]  # fmt: skip


class Skipped(Exception):
    """A measure that cannot be made here, and why."""


MEASURES: dict[str, Callable[[], list[Figure]]] = {
    "graph": graph, "l1": l1, "guard": guard, "linking": linking, "embedded": embedded, "robustness": robustness,
}  # fmt: skip


def measured(name: str) -> list[Figure]:
    """One measure in a process of its own; raises Skipped."""
    command = [sys.executable, "-m", "benchmarks.quick", "--child", name]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # threads that spin count as work
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=alone)
    said = json.loads(done.stdout.splitlines()[-1])
    if isinstance(said, str):
        raise Skipped(said)
    return [Figure(**each) for each in said]


def child(name: str) -> str:
    """What a child process prints: its figures, or why there are none."""
    try:
        return json.dumps([asdict(figure) for figure in MEASURES[name]()])
    except Skipped as reason:
        return json.dumps(str(reason))


def run(names: Sequence[str], before: Sequence[Figure]) -> tuple[list[Figure], dict[str, str]]:
    """The figures of each measure and why others are left out; a time that looks worse is taken again."""
    found: list[Figure] = []
    skipped: dict[str, str] = {}
    for name in names:
        started = time.perf_counter()
        try:
            figures = measured(name)
            if any(each.worse and each.kind == "time" for each in compared(before, figures)):
                figures = better(figures, measured(name))
            found += figures
        except Skipped as reason:
            skipped[name] = str(reason)
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    return found, skipped


def stored(path: Path) -> list[Figure]:
    """The figures of a stored run; none where there is none yet."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text("utf-8"))["rows"]
    return [Figure(row["name"], row["value"], row["kind"]) for row in rows]


def told(rows: Sequence[Compared], gone: Sequence[str], skipped: dict[str, str]) -> str:
    """The run in words: a table, then what is worse."""
    lines = ["| figure | stored | now | |", "|---|---|---|---|"]
    for row in rows:
        before = "" if row.before is None else f"{row.before:g}"
        lines.append(f"| {row.name} | {before} | {row.now:g} | {'WORSE' if row.worse else ''} |")
    lines += [f"left out: {name}: {reason}" for name, reason in skipped.items()]
    worse = [row.name for row in rows if row.worse]
    lines += [f"worse: {name}" for name in worse] + [f"not measured any more: {name}" for name in gone]
    return "\n".join(lines if worse or gone else [*lines, "nothing got worse"])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", help="folder with questions.jsonl and databases/; or the variable SPIDER")
    parser.add_argument("--only", nargs="+", choices=list(MEASURES), default=list(MEASURES))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--store", action="store_true", help="keep this run as the yardstick")
    parser.add_argument("--baseline", type=Path, default=STORED)
    parser.add_argument("--child", choices=list(MEASURES), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(child(args.child))
        return
    if args.spider:
        os.environ["SPIDER"] = str(Path(args.spider).resolve())
    machine, before, started = facts(), stored(args.baseline), time.perf_counter()
    figures, skipped = run(args.only, before)
    rows = compared(before, figures)
    gone = missing(before, figures, [name for name in args.only if name not in skipped])
    seconds = round(time.perf_counter() - started)
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "gone": gone, "skipped": skipped, "seconds": seconds}))
    else:
        print(told(rows, gone, skipped))
    if args.store:
        whole = merged(before, figures)
        keep(args.baseline, "quick", machine, {"seconds": seconds}, rows=[asdict(figure) for figure in whole])
    elif gone or any(row.worse for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
