"""Reports under measurement: memory and tokens per placeholder as reports grow, and the second run beside the first.

    python -m benchmarks.reports [--sizes 25 100 200]

Each size runs in a process of its own; the model is a scripted chat model behind the real writer and its prompts.
Writes benchmarks/results/reports.json, from which `python -m benchmarks.table` writes docs/benchmarks-reports.md.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.agents import reply, settings_in
from benchmarks.clock import Clock, TimedModel
from benchmarks.machine import RESULTS, facts, keep

from inquery.agents.opening import open_services
from inquery.demo import ensure_demo
from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.reports.desk import ReportDesk
from inquery.reports.render import OUTPUTS
from inquery.reports.report_run import ReportRunner, Who
from inquery.store import open_store
from inquery.store.reports import StoredReport, StoredRun

SIZES = (25, 100, 200)


def template(size: int) -> bytes:
    """As many different questions as wanted, every fourth one a chart."""
    line = "Customers: {{{{{kind}: the number of customers in each segment with a customer id above {n}}}}}\n\n"
    kinds = ("table", "text", "table", "chart")
    return ("# Large\n\n" + "".join(line.format(kind=kinds[n % 4], n=n) for n in range(1, size + 1))).encode()


def rss_mb() -> float:
    """Resident memory of this process."""
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


async def measure(folder: Path, size: int) -> dict[str, Any]:
    """One report of a size, filled twice and written in every format."""
    settings = settings_in(folder)
    ensure_demo(folder)
    chat = ChatModel(TimedModel.of(reply, Clock()), settings.llm, name="scripted")
    async with open_services(settings) as services:
        store = open_store(settings)
        desk = ReportDesk(ReportRunner(services, store, writer=ChatWriter(chat, settings.llm)))
        warm = await desk.add("local", "warm", "demo", "md", template(4))
        await desk.run(warm, {}, Who())
        report = await desk.add("local", "large", "demo", "md", template(size))
        gc.collect()
        found: dict[str, Any] = {"size": size, "rss_before_mb": round(rss_mb(), 1)}
        found |= await _twice(desk, report)
        found |= await _written(desk, report)
        store.close()
    return found


async def _twice(desk: ReportDesk, report: StoredReport) -> dict[str, Any]:
    seconds, runs = [], []
    for _ in range(2):
        started = time.perf_counter()
        runs.append(await desk.run(report, {}, Who()))
        seconds.append(time.perf_counter() - started)
    gc.collect()
    first, second = (run.content for run in runs)
    values = desk.runs.values(runs[0].id).values()
    tokens = [int(value.content["usage"]["prompt_tokens"]) for value in values]
    return {
        "status": [run.status for run in runs], "first_s": round(seconds[0], 2), "second_s": round(seconds[1], 2),
        "calls": [first["model_calls"], second["model_calls"]], "tokens_each": round(sum(tokens) / len(tokens)),
        "tokens_least": min(tokens), "tokens_most": max(tokens), "rss_after_mb": round(rss_mb(), 1),
    }  # fmt: skip


async def _written(desk: ReportDesk, report: StoredReport) -> dict[str, Any]:
    run: StoredRun = desk.runs.list(report.id)[0]
    found: dict[str, Any] = {}
    for output in OUTPUTS:
        started = time.perf_counter()
        await desk.document(run, output)
        found[f"{output}_s"] = round(time.perf_counter() - started, 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--results", type=Path, default=RESULTS / "reports.json")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        with tempfile.TemporaryDirectory(prefix="iq-bench-") as folder:
            print(json.dumps(asyncio.run(measure(Path(folder), options.child))))
        return
    found = []
    machine = facts()
    for size in options.sizes:
        command = [sys.executable, "-m", "benchmarks.reports", "--child", str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(done.stdout.strip(), flush=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    keep(options.results, "reports", machine, {}, rows=found)


if __name__ == "__main__":
    main()
