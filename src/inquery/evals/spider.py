"""Execution match on questions in Spider's format: one JSON object a line with db_id, question and query."""

from __future__ import annotations

import datetime
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from inquery.agents.statements.candidate_choice import Choice, choose_candidate
from inquery.databases.engine import Result
from inquery.errors import BadRequest, InqueryError, QueryLimit, SqlFailed, SqlRefused
from inquery.evals.compare import is_ordered, same_rows, strip_distinct
from inquery.evals.gold import as_sqlite_reads
from inquery.evals.hardness import LEVELS, hardness
from inquery.evals.progress import Log, OutcomeRow
from inquery.evals.subject import Subject
from inquery.llm.usage import UsageMeter, count_calls
from inquery.llm.writer import Candidate, SqlWriter
from inquery.settings import get_settings

UNKNOWN = {"unknown_table", "unknown_column"}
Progress = Callable[[OutcomeRow, int, int], None]


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """One question with the query that answers it."""

    db_id: str
    question: str
    query: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The statement an answer would show, its rows or its error, and the guard's rule where it refused."""

    sql: str = ""
    rows: Sequence[Sequence[Any]] | None = None
    error: str = ""
    refused: str = ""
    unknown: int = 0


class Databases(Protocol):
    """Where the databases of a run come from."""

    def require(self, db_ids: Iterable[str]) -> None:
        """Raise NotFound for a database that is not there."""

    async def get(self, db_id: str) -> Subject:
        """The database of that id."""

    def close(self) -> None:
        """Let all go."""


def read_questions(path: Path, limit: int | None = None) -> list[GoldQuestion]:
    """The questions of a file; `limit` takes that many, evenly spaced."""
    found = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            item = json.loads(text)
            found.append(GoldQuestion(str(item["db_id"]), str(item["question"]), str(item["query"])))
        except (ValueError, KeyError, TypeError) as error:
            en = f"line {number} is not an object with db_id, question and query"
            raise BadRequest.because(
                en, f"第 {number} 行不是含 db_id、question、query 的对象", detail=str(error)
            ) from error
    if limit is None or limit >= len(found):
        return found
    return [found[i * len(found) // limit] for i in range(limit)]


async def evaluate_questions(
    questions: Sequence[GoldQuestion],
    databases: Databases,
    writer: SqlWriter,
    *,
    run: str,
    out: Path | None = None,
    n: int = 1,
    today: datetime.date | None = None,
    progress: Progress | None = None,
) -> list[OutcomeRow]:
    """Ask every question that the log does not hold yet; rows come in the order of the questions."""
    rows: list[OutcomeRow] = []
    try:
        databases.require(question.db_id for question in questions)
        log = Log(out, run)
        for question in questions:
            row = log.done.get((question.db_id, question.question, question.query))
            if row is None:
                subject = await databases.get(question.db_id)
                row = replace(await ask(question, subject, writer, n, today or get_settings().day()), run=run)
                log.add(row)
            rows.append(row)
            if progress is not None:
                progress(row, len(rows), len(questions))
    finally:
        databases.close()
    return rows


async def ask(question: GoldQuestion, subject: Subject, writer: SqlWriter, n: int, today: datetime.date) -> OutcomeRow:
    """One question from request to verdict; the time is that of an answer, without the gold query."""
    meter = UsageMeter()
    started = time.perf_counter()
    with count_calls(meter):
        try:
            candidates = await writer.write(subject.request(question.question, n=n, today=today))
            chosen = await taken(candidates, subject)
        except InqueryError as error:
            chosen = Chosen(error=f"{error.code}: {error}")
    ms = (time.perf_counter() - started) * 1000
    row = OutcomeRow(
        question.db_id,
        question.question,
        chosen.sql,
        question.query,
        False,
        chosen.error,
        round(ms, 2),
        hardness=hardness(question.query),
        refused=chosen.refused,
        unknown_names=chosen.unknown,
        model_calls=meter.model_calls,
    )
    return await judged(row, chosen, subject)


async def taken(candidates: Sequence[Candidate], subject: Subject) -> Chosen:
    """The candidate an answer would take, chosen as agents choose it."""
    if not candidates:
        return Chosen(error="model_bad_output: no statement")

    async def run(sql: str) -> Result:
        try:
            return await subject.result(sql)
        except QueryLimit as error:
            raise SqlFailed(error.code) from error

    choice = await choose_candidate(candidates, run)
    best, unknown = choice.best, unknown_names(choice)
    if best.result is not None:
        return Chosen(best.candidate.sql, best.result.rows, unknown=unknown)
    if isinstance(best.error, SqlRefused):
        named = f"{best.error.code}: {best.error.rule} {best.error.name or ''}".strip()
        return Chosen(best.candidate.sql, None, named, best.error.rule, unknown)
    assert best.error is not None
    return Chosen(best.candidate.sql, None, f"{best.error.code}: {best.error}", unknown=unknown)


def unknown_names(choice: Choice) -> int:
    """How many of the statements tried name a table or column that does not exist."""
    errors = [tried.error for tried in choice.tried]
    return sum(error is not None and bool({error.code, getattr(error, "rule", "")} & UNKNOWN) for error in errors)


async def judged(row: OutcomeRow, chosen: Chosen, subject: Subject) -> OutcomeRow:
    """The row with its verdict: results compared with DISTINCT stripped from both statements."""
    try:
        expected = (await subject.result(strip_distinct(as_sqlite_reads(row.gold, subject.catalog)))).rows
    except SqlRefused as error:
        named = f"{error.rule} {error.name or ''}".strip()
        return replace(row, gold_refused=named, error=row.error or f"gold refused: {named}")
    except InqueryError as error:
        return replace(row, error=row.error or f"gold failed: {error.code}: {error}")
    if chosen.rows is None:
        return row
    try:
        stripped = strip_distinct(chosen.sql)
        found = chosen.rows if stripped == chosen.sql else (await subject.result(stripped)).rows
    except InqueryError as error:
        return replace(row, error=f"{error.code}: {error}")
    return replace(row, correct=same_rows(expected, found, ordered=is_ordered(row.gold)))


def figures_of(rows: Sequence[OutcomeRow], model: str) -> dict[str, Any]:
    """The figures of a run, as `inquery eval spider --json` prints them."""
    times = sorted(row.ms / 1000 for row in rows)
    correct = sum(row.correct for row in rows)
    return {
        "n": len(rows),
        "ex": share(correct, len(rows)),
        "correct": correct,
        "errors": sum(bool(row.error) and not row.refused and not row.gold_refused for row in rows),
        "refusals": sum(bool(row.refused) for row in rows),
        "unknown_names": sum(row.unknown_names for row in rows),
        "latency_p50": round(statistics.median(times), 4) if times else 0.0,
        "latency_p95": round(times[min(len(times) - 1, int(len(times) * 0.95))], 4) if times else 0.0,
        "model_calls": sum(row.model_calls for row in rows),
        "by_hardness": {level: counted(row for row in rows if row.hardness == level) for level in LEVELS},
        "model": model,
        "peak_rss_mb": peak_rss_mb(),
        "gold_refused": [
            {"db_id": row.db_id, "question": row.question, "rule": row.gold_refused} for row in rows if row.gold_refused
        ],
        "error_codes": dict(Counter(row.error.split(":")[0] for row in rows if row.error).most_common()),
    }


def counted(rows: Iterable[OutcomeRow]) -> dict[str, Any]:
    """Number and share of right answers."""
    verdicts = [row.correct for row in rows]
    return {"n": len(verdicts), "ex": share(sum(verdicts), len(verdicts))}


def share(part: int, whole: int) -> float:
    """A fraction from 0 to 1."""
    return round(part / whole, 4) if whole else 0.0


def peak_rss_mb() -> float:
    """The most memory this process has held, 0 where the platform does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20) if sys.platform == "darwin" else peak / 1024, 1)
