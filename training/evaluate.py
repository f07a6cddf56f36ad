"""Execution match of an exported model on the held-out questions of a groups file, to choose between rounds.

    python -m training.evaluate --groups spider.groups.jsonl --databases DIR --model FOLDER --lang en --limit 150

`first` is the share of questions whose best candidate gives the gold rows, `any` that of those with one such
candidate among all, `executes` that of best candidates that run. Schemas are shown as in training; the figures to
publish come from `inquery eval spider`, which reads each database as a registered connection is read.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inquery.catalog.value_index import ValueIndex
from inquery.errors import Unanswerable
from inquery.evals.compare import RunFailed, execution_match
from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.llm.writer import Candidate, SchemaView, SqlWriter, WriteRequest
from training.coverage import Database
from training.prepare import TODAY, tables_of


@dataclass(frozen=True)
class Verdict:
    """What a model made of one question: each candidate with whether it is right and why it failed."""

    schema_id: str
    question: str
    gold: str
    candidates: list[tuple[str, bool, str]]
    seconds: float


class Subject:
    """One held-out database with what the writer is shown of it."""

    def __init__(self, group: dict[str, Any], databases: Path) -> None:
        self.name = group["schema_id"]
        self.database = Database(databases / f"{self.name}.sqlite")
        self.view = SchemaView(tuple(tables_of(group)))
        places = ((place.rsplit(".", 1), values) for place, values in group["values"].items())
        self.values = ValueIndex.of({(table, column): values for (table, column), values in places})

    def request(self, item: dict[str, Any], n: int) -> WriteRequest:
        """The question as the writer gets it."""
        today = datetime.date.fromisoformat(item["today"]) if "today" in item else TODAY
        matches = tuple(self.values.match(item["question"]))
        return WriteRequest(item["question"], item["lang"], "sqlite", self.view, matches, today=today, n=n)

    def judged(self, gold: str, candidate: Candidate) -> tuple[str, bool, str]:
        """(form, right, error)."""
        try:
            match = execution_match(gold, candidate.sql, self.database.rows)
        except RunFailed as error:
            return candidate.why, False, f"gold: {error}"
        return candidate.why, match.correct, match.error


def held_out(path: Path, lang: str, limit: int | None) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(group, question) of split tune in one language; `limit` takes so many, evenly spaced."""
    groups = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = [(g, q) for g in groups if g["split"] == "tune" for q in g["questions"] if q["lang"] == lang]
    if limit is None or limit >= len(found):
        yield from found
    else:
        yield from (found[i * len(found) // limit] for i in range(limit))


async def ask(subject: Subject, item: dict[str, Any], writer: SqlWriter, n: int) -> Verdict:
    """One question from prompt to verdict; the time is the writer's alone."""
    started = time.perf_counter()
    try:
        candidates = await writer.write(subject.request(item, n))
    except Unanswerable:
        candidates = []
    seconds = time.perf_counter() - started
    verdicts = [subject.judged(item["sql"], candidate) for candidate in candidates]
    return Verdict(subject.name, item["question"], item["form"], verdicts, round(seconds, 3))


def report(verdicts: list[Verdict]) -> dict[str, Any]:
    """The figures of a run."""
    total = max(1, len(verdicts))
    times = [verdict.seconds for verdict in verdicts]
    best = [verdict.candidates[0] for verdict in verdicts if verdict.candidates]
    return {
        "n": len(verdicts),
        "first": round(sum(right for _, right, _ in best) / total, 4),
        "any": round(sum(any(right for _, right, _ in v.candidates) for v in verdicts) / total, 4),
        "executes": round(sum(not error for _, _, error in best) / total, 4),
        "seconds_p50": round(statistics.median(times), 3) if times else 0.0,
    }


async def evaluate(args: argparse.Namespace) -> list[Verdict]:
    """Ask every held-out question; a line of `--out` each."""
    writer = EmbeddedWriter.load(str(args.model))
    subjects: dict[str, Subject] = {}
    verdicts = []
    for group, item in held_out(args.groups, args.lang, args.limit):
        name = group["schema_id"]
        if name not in subjects:
            subjects[name] = Subject(group, args.databases)
        verdicts.append(await ask(subjects[name], item, writer, args.candidates))
    if args.out:
        lines = (json.dumps(asdict(verdict), ensure_ascii=False) + "\n" for verdict in verdicts)
        args.out.write_text("".join(lines), "utf-8")
    return verdicts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=Path, required=True)
    parser.add_argument("--databases", type=Path, required=True, help="folder of <schema_id>.sqlite")
    parser.add_argument("--model", type=Path, required=True, help="folder written by training.export")
    parser.add_argument("--lang", choices=["en", "zh"], default="en")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--out", type=Path, help="JSON lines, one a question")
    args = parser.parse_args()
    print(json.dumps(report(asyncio.run(evaluate(args)))))


if __name__ == "__main__":
    main()
