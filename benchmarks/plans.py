"""How often plans by code fire on databases that nobody defined metrics for, and how often they are right where they do.

    python -m benchmarks.plans [--sets unseen business systems managers demo] [--language en zh] [--all] [--wrong N] [--unread N]
    python -m benchmarks.plans --all --sets trade offices culture
    python -m benchmarks.plans --sets --questions FILE --databases DIR        questions over databases of one's own

Read, compiled and run without a model; held against the gold rows as `inquery eval product` does (two further columns and a
rounding do no harm), managers' questions by their own judge. Systems come with the comments of their tables, as a dictionary gives
them. Layout is no mistake: 2024-Q1 for 2024Q1 or 1, a code for its word, members in one row or in two, a month without rows
as nought or left out, the first of a series held against the bucket before it or against nothing, and whichever of those that
share the last place.
--all takes the databases that the writer was trained on too, which code never was: to read failures there and to count on the
others. Every folder of written descriptions (training/descriptions.py) is a set of its own. Of the managers' questions one half
is open, the other is only counted.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import itertools
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.managers import DATA, Reply, build_databases, is_right, read_questions
from training.business import build as build_business
from training.descriptions import DATA as WRITTEN
from training.descriptions import SETS, specs
from training.seeds import is_held
from training.systems import FOLDER as SYSTEMS
from training.systems import TODAY as SYSTEMS_TODAY
from training.systems import comments_of, find_files, read_systems, write_database

from inquery.agents.sources import Sources
from inquery.demo.build import ensure_demo
from inquery.evals.compare import fits_rows, is_ordered
from inquery.evals.product import DICTIONARY, read_items
from inquery.knowledge.dictionary_files import read_dictionary
from inquery.metrics.compile_plan import PlanColumn, compile_plan
from inquery.metrics.metric_book import Book, code_words
from inquery.metrics.plan_types import Plan
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.settings import Settings
from inquery.sql import Policy
from inquery.store import open_store
from inquery.store.dictionary_rows import Dictionaries

Rows = list[tuple[Any, ...]]
TODAY = datetime.date.fromisoformat(SYSTEMS_TODAY)
OTHER_DAY = datetime.date(2026, 11, 15)
"""Some descriptions were written as of this day; which ones they do not say."""
MOST_TIED = 50
NAMES = ("unseen", "systems", "managers", "demo", *SETS)


@dataclass(frozen=True)
class Question:
    """A question with its gold queries; none of them where it cannot be answered."""

    text: str
    language: str
    golds: tuple[str, ...]
    manager: str = ""
    today: datetime.date = TODAY


@dataclass(frozen=True)
class Verdict:
    """What became of one question."""

    db_id: str
    question: str
    fired: bool
    right: bool = False
    why: str = ""
    sql: str = ""


@dataclass(frozen=True)
class Own:
    """Questions over databases of one's own, in the shape that `inquery eval product` reads."""

    questions: Path
    databases: Path

    def built(self, folder: Path) -> Iterator[tuple[str, list[Question]]]:
        """Each database, copied into the folder, with its questions."""
        items = read_items(self.questions, ("en", "zh"))
        for db_id in dict.fromkeys(item.db_id for item in items):
            shutil.copy(self.databases / f"{db_id}.sqlite", folder)
            today, own = datetime.date.today(), [item for item in items if item.db_id == db_id]
            yield db_id, [Question(i.question, i.language, i.golds, today=today) for i in own]


def built(name: str, folder: Path, every: bool, half: str) -> Iterator[tuple[str, list[Question]]]:
    """The databases of a set, each built in the folder, with their questions."""
    if name in ("managers", "demo"):
        items = [item for item in read_questions() if item.half == half and (item.db_id == "demo") == (name == "demo")]
        build_databases({item.db_id for item in items}, folder)
        if name == "demo":
            ensure_demo(folder, datetime.date.today()).rename(folder / "demo.sqlite")
        for db_id in dict.fromkeys(item.db_id for item in items):
            own = [item for item in items if item.db_id == db_id]
            yield (
                db_id,
                [Question(i.question, "en", i.gold, i.id) for i in own]
                + [Question(i.question_zh, "zh", i.gold, i.id) for i in own],
            )
    elif name == "systems":
        for system in read_systems(find_files([SYSTEMS])):
            if is_held(system.db_id) or every:
                write_database(system, folder)
                if not any(text for told in comments_of(system).values() for text in told.values()):
                    (folder / f"{system.db_id}{DICTIONARY}").unlink()
                said = [(q, language, getattr(q, language)) for q in system.questions for language in ("en", "zh")]
                day = datetime.date.fromisoformat(system.today)
                yield (
                    system.db_id,
                    [Question(text, lang, (q.sql,) if q.sql else (), today=day) for q, lang, text in said if text],
                )
    else:
        for spec in specs(DATA / "unseen.jsonl" if name == "unseen" else WRITTEN / name):
            if name == "unseen" or is_held(spec["db_id"]) or every:
                build_business(spec, str(folder / f"{spec['db_id']}.sqlite")).close()
                keys = [(q, key) for q in spec["questions"] for key in ("en", "zh", "en2", "zh2") if q.get(key)]
                day = OTHER_DAY if any(_OF_OTHER_DAY.search(q["sql"]) for q in spec["questions"]) else TODAY
                yield spec["db_id"], [Question(q[key], key[:2], (q["sql"],), today=day) for q, key in keys]


_OF_OTHER_DAY = re.compile(r"'2026-(?:0[8-9]|1[01])-\d\d'")


async def open_vocabulary(sources: Sources, path: Path) -> Vocabulary:
    """What can be said of a database that nobody described but the demo; its joins are tested on data first."""
    name = "demo" if path.stem == "demo" else sources.add(str(path))
    said = path.with_suffix(DICTIONARY)
    if said.exists():
        entries = read_dictionary(said.read_bytes(), said.name)
        Dictionaries(open_store(sources.settings)).put(name, [entry.plain() for entry in entries])
    source = await sources.open(name)
    policy = Policy()
    catalog, values = source.seen(policy), source.values_for(policy).by_place()
    return Vocabulary(Book(catalog, source.glossary, values, propose_metrics(catalog, source.glossary, values)))


def as_told(rows: Rows, columns: Sequence[PlanColumn], codes: Mapping[str, str]) -> list[Rows]:
    """The rows as they are, and each figure alone beside the labels: a plan shows both periods where one growth was asked.

    A rate may be told in per cent or as a part of one. Each of these in every layout that says the same.
    """
    found = [list(rows)]
    labels = [at for at, column in enumerate(columns) if column.role in ("label", "further", "bucket")]
    for figure in (at for at in range(len(columns)) if at not in labels):
        for part in (1, 100):
            column = [row[figure] / part if isinstance(row[figure], int | float) else row[figure] for row in rows]
            found.append([(*(row[at] for at in labels), cell) for row, cell in zip(rows, column, strict=True)])
    return [laid for each in found for laid in _layouts(each, columns, labels, codes)]


def _layouts(
    rows: Rows, columns: Sequence[PlanColumn], labels: Sequence[int], codes: Mapping[str, str]
) -> Iterator[Rows]:
    """The same rows as another person would lay them out."""
    buckets = [at for at in labels if columns[at].role == "bucket"]
    held = [at for at, c in enumerate(columns) if c.role in ("previous", "difference", "percent")]
    kept = [rows]
    if buckets and held and rows and len(rows[0]) == len(columns):
        kept.append([tuple(None if at in held else cell for at, cell in enumerate(rows[0])), *rows[1:]])
    if buckets:
        kept += [[row for row in each if any(cell for at, cell in enumerate(row) if at not in labels)] for each in kept]
    for each in kept:
        yield each
        if codes:
            yield [tuple(codes.get(str(cell), cell) for cell in row) for row in each]
        for spell in _BUCKETS if buckets else ():
            yield [tuple(spell(str(cell)) if at in buckets else cell for at, cell in enumerate(row)) for row in each]
    if len(rows) > 1 and len(rows[0]) == 2 and not buckets:
        yield [tuple(row[1] for row in rows)]
    if rows and len(rows[0]) == 3 and len(labels) == 2:
        yield from (_across(rows, spell) for spell in _BUCKETS)


def _across(rows: Rows, spell: Callable[[str], int | str]) -> Rows:
    """A figure for each of two things with the second in columns."""
    members = sorted({str(row[1]) for row in rows})
    cells = {(row[0], str(row[1])): row[2] for row in rows}
    return [
        (spell(str(first)), *(cells.get((first, each), 0) for each in members))
        for first in dict.fromkeys(r[0] for r in rows)
    ]


def _number(text: str) -> int | str:
    return int(text) if text.isdigit() else text


_BUCKETS: tuple[Callable[[str], int | str], ...] = (
    lambda text: text.replace("-", ""), lambda text: _number(text.replace("-", "")), lambda text: text[5:],
    lambda text: _number(text[5:].removeprefix("Q")), _number,
)  # fmt: skip
"""202501 for 2025-01, as text or as a number, the month alone; 2024Q1 or 1 for 2024-Q1."""


def codes_of(plan: Plan, book: Book, language: str) -> dict[str, str]:
    """What is stored for the words that a plan shows in the place of codes."""
    found: dict[str, str] = {}
    for group in plan.groups:
        dimension = book.dimension(group.dimension) if group.dimension else None
        column = book.catalog.by_name[dimension.table].column(dimension.column) if dimension else None
        found |= {word: code for code, word in code_words(column, language).items()} if column else {}
    return found


def judge(db_id: str, question: Question, vocabulary: Vocabulary, database: sqlite3.Connection) -> Verdict:
    """One question read, compiled, run and compared."""
    today = datetime.date.today() if question.manager else question.today
    read = read_plan(question.text, vocabulary, today=today)
    if read.plan is None:
        return Verdict(db_id, question.text, False, why=f"{read.why} {' '.join(read.ignored)}")
    made = compile_plan(read.plan, vocabulary.book, "sqlite", language=question.language, today=today)
    rows = database.execute(made.sql).fetchall()
    if question.manager:
        item = next(item for item in read_questions() if item.id == question.manager)
        right = is_right(item, Reply("answered", rows), database)
    else:
        codes = codes_of(read.plan, vocabulary.book, question.language)
        chosen = [rows, *_shared_places(read.plan, vocabulary.book, rows, question, database)]
        told = [laid for each in chosen for laid in as_told(each, made.columns, codes)]
        found = [(gold, database.execute(gold).fetchall()) for gold in question.golds]
        series = any(group.unit for group in read.plan.groups) and read.plan.ranking is None
        right = any(
            fits_rows(expected, each, ordered=is_ordered(gold) and series) for gold, expected in found for each in told
        )
    return Verdict(db_id, question.text, True, right, str(question.golds[:1]), made.sql)


def _shared_places(
    plan: Plan, book: Book, rows: Rows, question: Question, database: sqlite3.Connection
) -> Iterator[Rows]:
    """The same ranking with others of those that share the last place in it."""
    if plan.ranking is None or not plan.ranking.n or plan.ranking.per_group or len(rows) != plan.ranking.n:
        return
    ranking = plan.ranking.model_copy(update={"n": plan.ranking.n + MOST_TIED})
    wider = plan.model_copy(update={"ranking": ranking})
    made = compile_plan(wider, book, "sqlite", language=question.language, today=question.today)
    figures = [at for at, column in enumerate(made.columns) if column.role not in ("label", "bucket")]
    last = [rows[-1][at] for at in figures]
    tied = [row for row in database.execute(made.sql).fetchall() if [row[at] for at in figures] == last]
    above = [row for row in rows if [row[at] for at in figures] != last]
    for chosen in itertools.islice(itertools.combinations(tied, len(rows) - len(above)), MOST_TIED):
        yield [*above, *chosen]


async def count(
    names: Sequence[str], languages: Sequence[str], every: bool, half: str, own: Own | None = None
) -> dict[str, list[Verdict]]:
    """Every question of the sets, and of one's own."""
    found: dict[str, list[Verdict]] = {}
    for name in [*names, *(["own"] if own else [])]:
        with tempfile.TemporaryDirectory() as folder:  # one a set: some databases are in two
            plain = Settings(home=Path(folder))
            settings = plain.model_copy(update={"knowledge": plain.knowledge.model_copy(update={"join_tests": "wait"})})
            verdicts, sources = found.setdefault(name, []), Sources(settings)
            asked = own.built(Path(folder)) if own and name == "own" else built(name, Path(folder), every, half)
            for db_id, questions in asked:
                path = Path(folder) / f"{db_id}.sqlite"
                vocabulary = await open_vocabulary(sources, path)
                with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                    verdicts += [judge(db_id, q, vocabulary, database) for q in questions if q.language in languages]
            sources.close()
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", choices=NAMES, default=["unseen", "business", "systems", "managers"])
    parser.add_argument("--language", nargs="*", default=["en", "zh"])
    parser.add_argument("--all", action="store_true", help="the databases that the writer was trained on too")
    parser.add_argument("--wrong", type=int, default=0, help="show so many plans that were wrong")
    parser.add_argument("--unread", type=int, default=0, help="show so many questions without a plan, and why")
    parser.add_argument("--half", choices=["open", "shut"], default="open", help="of the managers' questions")
    parser.add_argument("--questions", type=Path, help="one's own questions, as `inquery eval product` reads them")
    parser.add_argument("--databases", type=Path, help="the folder of their databases")
    args = parser.parse_args()
    if bool(args.questions) != bool(args.databases):
        parser.error("--questions and --databases go together")
    if args.half == "shut":  # which is only counted
        args.wrong = args.unread = 0
    own = Own(args.questions, args.databases) if args.questions else None
    for name, verdicts in asyncio.run(count(args.sets, args.language, args.all, args.half, own)).items():
        fired = [each for each in verdicts if each.fired]
        print(
            json.dumps({"set": name, "asked": len(verdicts), "fired": len(fired), "right": sum(v.right for v in fired)})
        )
        for each in [v for v in fired if not v.right][: args.wrong]:
            print(f"\n{each.db_id}: {each.question}\n  {each.sql}\n  {each.why}")
        for each in [v for v in verdicts if not v.fired][: args.unread]:
            print(f"{each.db_id}: {each.question} | {each.why}")


if __name__ == "__main__":
    main()
