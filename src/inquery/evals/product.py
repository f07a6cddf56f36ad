"""Whole answers against known ones: every question through the same run that people get, with what it promised of itself.

`evals.spider` measures the writer alone. Here a question is asked as a person asks it; what counts is the answer that is
shown: its rows, whether it was declined or asked back, and whether its confidence told right from wrong.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from inquery.agents.opening import open_runner
from inquery.agents.questions.connection_glossary import glossary_for
from inquery.agents.run import Request, Runner
from inquery.agents.sources import Source
from inquery.answers.answer import Answer
from inquery.databases.executor.execute import execute
from inquery.errors import BadRequest, InqueryError, NotFound, SqlRefused, Text
from inquery.evals.compare import fits_rows, orders_rows
from inquery.evals.gold import as_sqlite_reads
from inquery.evals.spider import GoldQuestion
from inquery.evals.subject import GENEROUS, NO_CAP
from inquery.knowledge.data_dictionary import import_dictionary
from inquery.knowledge.glossary_files import save_glossary
from inquery.language.text import has_cjk
from inquery.llm.writer import SqlWriter
from inquery.settings import Settings
from inquery.sql import check
from inquery.store import Connection, open_store, shipped_with

Language = Literal["en", "zh"]
BINS = 5
"""Of the calibration error: equal numbers of answers in each, so that none hangs on a handful."""
SURE = 0.8
KEPT_ROWS = 20
DICTIONARY = ".comments.json"


@dataclass(frozen=True, slots=True)
class Item:
    """A question with every query whose rows are right; none where the database cannot say."""

    db_id: str
    question: str
    golds: tuple[str, ...]
    language: Language
    kind: str = ""

    @property
    def answerable(self) -> bool:
        """Whether there is a right answer."""
        return bool(self.golds)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question; `right` is about the rows, or about having said no where nothing can be said."""

    db_id: str
    question: str
    language: Language
    kind: str
    status: str
    right: bool
    confidence: float | None
    sql: str
    gold: str
    text: str
    error: str
    ms: float
    grade: str = ""
    guess: str = ""
    writer: str = ""
    """The model that wrote the statement, as provenance names it."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    weighed: tuple[Mapping[str, Any], ...] = ()
    """Every candidate that ran, the one taken first: its `sql`, `p`, `evidence`, and whether it is `right`."""
    alternatives: tuple[str, ...] = ()
    columns: tuple[dict[str, Any], ...] = ()
    """Of what was shown, the columns and the first rows, so that its prose can be held against them."""
    rows: tuple[list[Any], ...] = ()

    @property
    def answered(self) -> bool:
        """Whether rows were shown as an answer."""
        return self.status == "answered"


Progress = Callable[[Outcome, int, int], None]


def read_items(path: Path, languages: Sequence[Language], limit: int | None = None, *, db_id: str = "") -> list[Item]:
    """The questions of a file of JSON lines: db_id, question (and question_zh), query or a list `gold`; null where none.

    `limit` takes that many of them, evenly spaced, before languages double them; `db_id` is that of lines without one.
    """
    found: list[Mapping[str, Any]] = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            item = json.loads(text)
            item = {"db_id": db_id, **item} if db_id else item
            found.append(item)
            _golds(item), str(item["db_id"]), str(item["question"])
        except (ValueError, KeyError, TypeError) as error:
            raise BadRequest.because(
                f"line {number} is not an object with db_id, question and query",
                f"第 {number} 行不是含 db_id、question、query 的对象",
                detail=str(error),
            ) from error
    if limit is not None and limit < len(found):
        found = [found[i * len(found) // limit] for i in range(limit)]
    return [made for item in found for language in languages if (made := _item(item, language))]


def _golds(item: Mapping[str, Any]) -> tuple[str, ...]:
    given = item["gold"] if "gold" in item else item["query"]
    if item.get("answerable") is False or given is None:
        return ()
    return tuple(map(str, given)) if isinstance(given, list) else (str(given),)


def _item(item: Mapping[str, Any], language: Language) -> Item | None:
    """The question in a language; None where the file does not have it."""
    question = item.get("question_zh" if language == "zh" else "question")
    kind = str(item.get("kind") or item.get("hardness") or "")
    return Item(str(item["db_id"]), str(question), _golds(item), language, kind) if question else None


def own_items(pairs: Sequence[GoldQuestion]) -> list[Item]:
    """Verified questions of one connection, each in the language it is asked in."""
    return [Item(p.db_id, p.question, (p.query,), "zh" if has_cjk(p.question) else "en") for p in pairs]


def find_database(folder: Path, db_id: str) -> Path:
    """The file of a database: `<db_id>.sqlite` in the folder or in one of that name; raises NotFound."""
    for path in (folder / f"{db_id}.sqlite", folder / db_id / f"{db_id}.sqlite"):
        if path.is_file():
            return path
    raise NotFound(db_id, what=Text("database", "数据库"), name=db_id)


async def measure_answers(
    items: Sequence[Item],
    databases: Path,
    settings: Settings,
    progress: Progress | None = None,
    writer: SqlWriter | None = None,
    dictionaries: Path | None = None,
) -> list[Outcome]:
    """Ask every question in a home of its own, so that no cache and no earlier thread helps.

    `dictionaries` is a folder of <db_id>.comments.json: what people say of the tables, for those that have one.
    """
    paths = {item.db_id: find_database(databases, item.db_id) for item in items}
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="inquery-eval-") as home:
        alone = _alone(settings, Path(home))
        for db_id, path in paths.items():
            # One runner a database: what a database holds open is let go before the next.
            async with open_runner(alone, writer=writer) as runner:
                sources = runner.services.sources
                source = await sources.open(name := sources.add(str(path)))
                described = dictionaries / f"{db_id}{DICTIONARY}" if dictionaries else None
                if described is not None and described.exists() and _says_something(described):
                    import_dictionary(source.id, described.read_bytes(), described.name, source.catalog, alone)
                    source = await sources.open(name, anew=True)
                for item in items:
                    if item.db_id == db_id:
                        outcomes.append(await ask_item(item, runner, source))
                        if progress is not None:
                            progress(outcomes[-1], len(outcomes), len(items))
    return outcomes


async def measure_connection(
    items: Sequence[Item], connection: Connection, settings: Settings, progress: Progress | None = None
) -> list[Outcome]:
    """Ask a connection's own questions with all that its people taught but the samples, which would give answers away."""
    outcomes: list[Outcome] = []
    glossary = await asyncio.to_thread(glossary_for, connection, settings)
    with tempfile.TemporaryDirectory(prefix="inquery-eval-") as home:
        alone = _alone(settings, Path(home), samples=0)
        async with open_runner(alone) as runner:
            sources = runner.services.sources
            shipped = shipped_with(connection.id) is not None
            name = connection.name if shipped else sources.add(connection.url.get_secret_value(), connection.options)
            if not shipped:
                await asyncio.to_thread(lambda: save_glossary(name, glossary, open_store(alone)))
            source = await sources.open(name)
            _check_golds(items, source)
            for item in items:
                outcomes.append(await ask_item(item, runner, source))
                if progress is not None:
                    progress(outcomes[-1], len(outcomes), len(items))
    return outcomes


def _says_something(dictionary: Path) -> bool:
    """Whether a file of comments has any; one that names tables alone is as good as none."""
    return any(json.loads(dictionary.read_bytes()).values())


def _check_golds(items: Sequence[Item], source: Source) -> None:
    """Refuse a file whose own statements do not fit the database, before an hour is spent on it."""
    for item in items:
        for gold in item.golds:
            try:
                check(gold, dialect=source.dialect, catalog=source.catalog, policy=NO_CAP)
            except SqlRefused as error:
                told = error.public_message
                raise BadRequest.because(
                    f"the statement for “{item.question}” cannot be run: {told('en')}",
                    f"“{item.question}”的语句无法执行：{told('zh')}",
                    detail=error.detail,
                ) from error


def _alone(settings: Settings, home: Path, **knowledge: object) -> Settings:
    """The settings of a run that nothing earlier helps."""
    cache = settings.cache.model_copy(update={"enabled": False})
    # Joins are tested first: the figures are of a database that is known, and the same every time.
    known = settings.knowledge.model_copy(update={"join_tests": "wait", **knowledge})
    return settings.model_copy(update={"home": home, "cache": cache, "knowledge": known})


async def ask_item(item: Item, runner: Runner, source: Source) -> Outcome:
    """One question from the run to the verdict; nobody is there to reply, as in a script."""
    started = time.perf_counter()
    answer, error, thread = None, "", secrets.token_urlsafe(16)
    try:
        answer = await runner.ask(
            Request(item.question, thread_id=thread, new_thread=True, connection_id=source.id, clarify=False)
        )
    except InqueryError as raised:
        error = f"{raised.code}: {raised}"
    ms = (time.perf_counter() - started) * 1000
    right = answer is not None and await is_right(item, answer, source)
    return Outcome(
        db_id=item.db_id,
        question=item.question,
        language=item.language,
        kind=item.kind,
        status=answer.status if answer else "failed",
        right=right,
        confidence=answer.confidence if answer else None,
        sql=(answer.sql or "") if answer else "",
        gold=item.golds[0] if item.golds else "",
        text=(answer.text or "") if answer else "",
        error=error,
        ms=round(ms, 1),
        grade=(answer.grade or "") if answer else "",
        guess=(answer.guess or "") if answer else "",
        writer=answer.provenance.get("model", "") if answer else "",
        evidence=answer.provenance.get("evidence", {}) if answer else {},
        weighed=await _weighed(item, runner, thread, source, right=right),
        alternatives=tuple(other.sql for other in answer.alternatives) if answer else (),
        columns=tuple(column.model_dump() for column in answer.columns) if answer else (),
        rows=tuple(answer.rows[:KEPT_ROWS]) if answer else (),
    )


async def is_right(item: Item, answer: Answer, source: Source) -> bool:
    """Whether the rows are those of a gold query, or nothing was claimed where there is none.

    Up to two further columns (the figure that ranks, a second name) and a rounding do no harm.
    """
    if not item.answerable:
        return answer.status != "answered"
    return answer.status == "answered" and await _fits_a_gold(item, answer.rows, source)


async def _fits_a_gold(item: Item, rows: Sequence[Sequence[Any]], source: Source) -> bool:
    for gold in item.golds:
        sql = as_sqlite_reads(gold, source.catalog) if source.catalog.dialect == "sqlite" else gold
        if fits_rows(await _all_rows(sql, source), rows, ordered=orders_rows(gold)):
            return True
    return False


async def _all_rows(sql: str, source: Source) -> Sequence[Sequence[Any]]:
    checked = check(sql, dialect=source.catalog.dialect, catalog=source.catalog, policy=NO_CAP)
    return (await execute(source.id, checked, limits=GENEROUS)).rows


async def _weighed(
    item: Item, runner: Runner, thread: str, source: Source, *, right: bool
) -> tuple[Mapping[str, Any], ...]:
    """The candidates of a run as its judge saw them, each with whether it is right: what a choice could have made of them."""
    state = (await runner.graph.aget_state({"configurable": {"thread_id": thread}})).values
    taken, *others = (state.get("judged") or {}).get("weighed") or [None]
    if taken is None:
        return ()
    found = [{**taken, "right": right}]
    for other in others:
        try:
            is_right = await _fits_a_gold(item, await _all_rows(other["sql"], source), source)
        except InqueryError:
            is_right = False
        found.append({**other, "right": is_right})
    return tuple(found)


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of a run, as `inquery eval product --json` prints them.

    Shares are of all questions, except where the answered ones are named: `realised_error`, `wrong_at_08`, `ece`,
    `auroc`. `right_at_50` and `right_at_80` are the shares right among the half and the four fifths of the answers
    that are surest of themselves; `coverage_at_10` and `_15` the share of all questions that could be answered, surest
    first, with at most a tenth or 15% of them wrong.
    """
    answered = [each for each in outcomes if each.answered]
    sure = [(each.confidence or 0.0, each.right) for each in answered]
    return {
        "n": len(outcomes),
        "right": _share(sum(each.right for each in outcomes), len(outcomes)),
        "answered": _share(len(answered), len(outcomes)),
        "declined": _share(sum(each.status in {"declined", "chat"} for each in outcomes), len(outcomes)),
        "asked": _share(sum(each.status in {"clarification", "approval"} for each in outcomes), len(outcomes)),
        "failed": _share(sum(each.status in {"failed", "refused"} for each in outcomes), len(outcomes)),
        "ece": calibration_error(sure),
        "auroc": ranking_quality(sure),
        "right_at_50": _right_among(sure, 0.5),
        "right_at_80": _right_among(sure, 0.8),
        "wrong_at_08": _share(sum(p >= SURE and not right for p, right in sure), len(sure)),
        "realised_error": _share(sum(not right for _, right in sure), len(sure)),
        "coverage_at_10": coverage(sure, 0.10, len(outcomes)),
        "coverage_at_15": coverage(sure, 0.15, len(outcomes)),
        "p50_ms": round(statistics.median(each.ms for each in outcomes), 1) if outcomes else 0.0,
    }


def parts_of(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str, Sequence[Outcome]]]:
    """The outcomes apart: (by what, which, those), for languages, databases and kinds where there are several."""
    for what in ("language", "db_id", "kind"):
        values = sorted({getattr(each, what) for each in outcomes})
        if len(values) > 1:
            for value in values:
                yield what, value, [each for each in outcomes if getattr(each, what) == value]


def calibration_error(sure: Sequence[tuple[float, bool]]) -> float | None:
    """How far confidence is from the share that is right, over bins of equal size; None without answers."""
    if not sure:
        return None
    ranked = sorted(sure, key=lambda pair: pair[0])
    bins = [ranked[len(ranked) * i // BINS : len(ranked) * (i + 1) // BINS] for i in range(BINS)]
    gaps = [abs(sum(p for p, _ in part) - sum(right for _, right in part)) for part in bins if part]
    return round(sum(gaps) / len(ranked), 4)


def ranking_quality(sure: Sequence[tuple[float, bool]]) -> float | None:
    """The chance that a right answer is surer than a wrong one (ties count half); None where one kind is missing."""
    right = [p for p, is_right in sure if is_right]
    wrong = [p for p, is_right in sure if not is_right]
    if not right or not wrong:
        return None
    wins = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    return round(wins / (len(right) * len(wrong)), 4)


def coverage(sure: Sequence[tuple[float, bool]], risk: float, n: int) -> float:
    """The largest share of all questions that can be answered, surest first, with at most `risk` of them wrong.

    A threshold cannot tell answers of one confidence apart, so they are taken together.
    """
    ranked = sorted(sure, key=lambda pair: -pair[0])
    best = wrong = 0
    for at, (p, right) in enumerate(ranked, 1):
        wrong += not right
        if (at == len(ranked) or ranked[at][0] < p) and wrong <= risk * at:
            best = at
    return _share(best, n)


def _right_among(sure: Sequence[tuple[float, bool]], part: float) -> float:
    ranked = sorted(sure, key=lambda pair: -pair[0])
    taken = ranked[: max(1, round(len(ranked) * part))] if ranked else []
    return _share(sum(right for _, right in taken), len(taken))


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
