"""What a process costs before and while it answers its first question: `python -m benchmarks.startup [--runs 7]`.

Each command is started some times in a home of its own and the quickest is kept, since whatever else a machine does only
adds. Seconds by the wall are those a person waits; seconds of the processor, with all processes that were started, hardly
move with what else runs. Both stand beside `python -c pass` of the same run.

A home has the demo of today, and a catalogue that was read just now or an hour ago: an older one is compared with the
database first. Questions are asked in a copy of it that has not been asked before, so that no cache answers. In one of
them the embedded model has read the schema for other questions in both languages, and the process finds it on disk.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import RESULTS, ROOT, facts, keep

from inquery.catalog.json_lines import read_lines, write_lines
from inquery.catalog.stored import LISTED
from inquery.home import PREFIXES

OUT = RESULTS / "startup.json"
RUNS = 7
ASK = ("-m", "inquery", "ask")
SAMPLE, SAID_ZH, SAID_EN, ANOTHER = (
    "What is the total revenue by region?",
    "各地区的总收入是多少？",
    "How many orders were placed last month by channel?",
    "How many customers are there?",
)
READ_BY = ("每个渠道有多少订单？", "How many customers are there by gender?")
"""Questions for which the model reads the schema of the demo: it is shown in the language of a question."""


@dataclass(frozen=True)
class Command:
    """A command and the home it is started in: new, just used, with a schema read, used an hour ago, or none."""

    name: str
    arguments: tuple[str, ...]
    home: str = ""


COMMANDS = (
    Command("python -c pass", ("-c", "pass")),
    Command("inquery --help", ("-m", "inquery", "--help")),
    Command("from inquery import Inquery", ("-c", "from inquery import Inquery")),
    Command("ask, a verified sample", (*ASK, SAMPLE), "used"),
    Command("ask, the same, the catalogue an hour old", (*ASK, SAMPLE), "old"),
    Command("ask, written by the model, Chinese", (*ASK, SAID_ZH), "read"),
    Command("ask, written by the model, English", (*ASK, SAID_EN), "read"),
    Command("ask, the Chinese one, the schema read first", (*ASK, SAID_ZH), "used"),
    Command("ask, a verified sample, the demo made first", (*ASK, SAMPLE), "new"),
)


@dataclass(frozen=True)
class Spent:
    """One process: seconds by the wall, seconds of the processor, and how it ended."""

    wall: float
    processor: float
    code: int


def start(command: Sequence[str], environment: Mapping[str, str]) -> Spent:
    """Start a process and wait for its end."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run(command, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(wall, spent, ended.returncode)


def homes(folder: Path) -> dict[str, Path]:
    """A home that was just used, one whose schema was read, and one whose catalogue is an hour old."""
    used, read, old = folder / "used", folder / "read", folder / "old"
    made = start([sys.executable, *ASK, ANOTHER], environment(used))
    if made.code != 0:
        raise SystemExit("the demo could not be made and asked")
    shutil.rmtree(used / PREFIXES, ignore_errors=True)
    shutil.copytree(used, old)
    shutil.copytree(used, read)
    for question in READ_BY:
        start([sys.executable, *ASK, question], environment(read))
    if len(list((read / PREFIXES).glob("*"))) != len(READ_BY):
        raise SystemExit("the schema was not read and kept once for each language")
    catalogue = old / "catalogs" / "demo.json.gz"
    content = read_lines(gzip.decompress(catalogue.read_bytes()), LISTED)
    content["refreshed_at"] = "2020-01-01T00:00:00+00:00"
    catalogue.write_bytes(gzip.compress(write_lines(content, LISTED)))
    return {"used": used, "read": read, "old": old}


def environment(home: Path) -> dict[str, str]:
    """This process's environment with another home, and nothing of Inquery's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INQUERY_")}
    return kept | {"INQUERY_HOME": str(home), "PYTHONPATH": str(ROOT / "src")}


def best(command: Command, known: Mapping[str, Path], folder: Path, runs: int) -> Spent:
    """The quickest by the wall and the cheapest by the processor of some starts."""
    found = []
    for _ in range(runs):
        home = folder / "run"
        shutil.rmtree(home, ignore_errors=True)
        if command.home in known:
            shutil.copytree(known[command.home], home)
        found.append(start([sys.executable, *command.arguments], environment(home)))
    worst = max(each.code for each in found)
    return Spent(min(each.wall for each in found), min(each.processor for each in found), worst)


def rows(measured: Sequence[tuple[str, Spent]]) -> list[dict[str, object]]:
    """Each command beside the first, which is Python alone."""
    plain = measured[0][1]
    return [
        {
            "process": name,
            "wall_s": round(spent.wall, 2),
            "processor_s": round(spent.processor, 2),
            "times_python": round(spent.processor / plain.processor),
        }
        for name, spent in measured
    ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    machine = facts()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        known = homes(folder)
        measured = []
        for command in COMMANDS:
            spent = best(command, known, folder, args.runs)
            if spent.code != 0:
                raise SystemExit(f"{command.name}: ended with {spent.code}")
            measured.append((command.name, spent))
            print(f"{command.name}: {spent.wall:.2f} s, processor {spent.processor:.2f} s", flush=True)
    keep(args.out, "startup", machine, {"runs": args.runs}, rows=rows(measured))


if __name__ == "__main__":
    main()
