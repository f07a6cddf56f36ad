"""How many placeholders of the reports that come with Inquery a model solves rightly, beside hand-written statements.

python -m benchmarks.report_answers [--json figures.json]

Runs each report twice with the model of the settings, in a store of its own without bindings: right, wrong in silence,
and named as unsolved; then the calls and the time of the second run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import yaml

from inquery.agents.opening import open_services
from inquery.agents.outcomes.rows import run_checked
from inquery.evals.compare import same_rows
from inquery.llm.writer import SqlWriter
from inquery.llm.writers import model_name
from inquery.reports.bindings import Bound, fill_binding
from inquery.reports.desk import ReportDesk, library
from inquery.reports.goals import full_question
from inquery.reports.report_run import Prepared, ReportRunner, Who
from inquery.settings import Settings, get_settings
from inquery.store import open_store
from inquery.store.reports import StoredReport, StoredRun, StoredValue

GOLD: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("report_gold.yaml").read_text("utf-8"))


def gold_of(name: str, ready: Prepared) -> dict[str, tuple[str, str]]:
    """For each placeholder by key: the question as it is asked, and the hand-written statement for it."""
    found = {}
    for goal in ready.goals:
        asked = full_question(goal, ready.values)
        bound = Bound(GOLD[name][goal.question], "any", {})
        sql = fill_binding(bound, "sqlite", ready.clock.periods(asked.question), {}, lambda place, said: None)
        assert sql is not None
        found[goal.key] = (asked.question, sql)
    return found


async def judged(ready: Prepared, gold: str, value: StoredValue) -> str:
    """right, wrong, or unsolved; a result may have further columns, and its order counts only where rows are ranked."""
    if value.status not in {"solved", "doubtful"}:
        return "unsolved"
    expected = (await run_checked(ready.context, gold)).rows
    ranked = " LIMIT " in gold
    if value.content["shape"] == "value":
        numbers = [cell for row in value.rows for cell in row if not isinstance(cell, str)]
        return "right" if any(same_rows(expected, [(cell,)], ordered=False) for cell in numbers) else _doubt(value)
    return "right" if same_rows(expected, value.rows, ordered=ranked) else _doubt(value)


def _doubt(value: StoredValue) -> str:
    """A wrong value that is marked as unconfirmed is not silent."""
    return "marked" if value.status == "doubtful" else "wrong"


async def measure(settings: Settings, *, writer: SqlWriter | None = None) -> dict[str, Any]:
    """Every report, twice."""
    found: dict[str, Any] = {"model": model_name(settings.llm), "reports": {}, "placeholders": []}
    async with open_services(settings) as services:
        store = open_store(settings)
        desk = ReportDesk(ReportRunner(services, store, writer=writer))
        for name in library():
            report = await desk.find("local", name)
            found["reports"][name] = await _one(desk, name, report, found["placeholders"])
        store.close()
    counts = {
        word: sum(p["verdict"] == word for p in found["placeholders"])
        for word in ("right", "wrong", "marked", "unsolved")
    }
    total = len(found["placeholders"])
    return found | {
        "n": total,
        **counts,
        "right_share": counts["right"] / total,
        "wrong_share": counts["wrong"] / total,
    }


async def _one(desk: ReportDesk, name: str, report: StoredReport, places: list[dict[str, Any]]) -> dict[str, Any]:
    first = await desk.run(report, {}, Who())
    second = await desk.run(report, {}, Who())
    ready = await desk.runner.prepare(report, first, Who())
    gold, values = gold_of(name, ready), desk.runs.values(first.id)
    for key, (question, sql) in gold.items():
        verdict = await judged(ready, sql, values[key])
        problem = values[key].content["problem"]
        places.append(
            {
                "report": name,
                "question": question,
                "verdict": verdict,
                "sql": values[key].content["sql"],
                "problem": problem and problem["code"],
            }
        )
    return {"first": _figures(first), "second": _figures(second)}


def _figures(run: StoredRun) -> dict[str, Any]:
    return {name: run.content[name] for name in ("model_calls", "tokens", "ms")} | {"status": run.status}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="iq-reports-") as folder:
        found = asyncio.run(measure(get_settings().model_copy(update={"home": Path(folder)})))
    for place in found["placeholders"]:
        print(f"{place['verdict']:9} {place['question']}  {place['problem'] or ''}")
    print(json.dumps({key: value for key, value in found.items() if key != "placeholders"}, ensure_ascii=False))
    if options.json:
        options.json.write_text(json.dumps(found, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    main()
