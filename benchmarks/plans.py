"""How often plans by code fire on databases that nobody defined metrics for, and how often they are right where they do.

    python -m benchmarks.plans [--sets unseen business systems managers demo] [--language en zh] [--all] [--wrong N] [--unread N]

Read, compiled and run without a model; held against the gold rows as `inquery eval product` does (two further columns and a
rounding do no harm), managers' questions by their own judge. --all takes the databases that the writer was trained on too,
which code never was: to read failures there and to count on the others.
Of the managers' questions one half is open, the other is only counted.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.managers import DATA, Reply, build_databases, is_right, read_questions
from training.business import SPECS
from training.business import build as build_business
from training.descriptions import specs
from training.seeds import is_held
from training.systems import FOLDER as SYSTEMS
from training.systems import TODAY as SYSTEMS_TODAY
from training.systems import build as build_system
from training.systems import find_files, read_systems

from inquery.agents.sources import Sources
from inquery.demo.build import ensure_demo
from inquery.evals.compare import fits_rows, is_ordered
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.settings import Settings
from inquery.sql import Policy

TODAY = datetime.date.fromisoformat(SYSTEMS_TODAY)


@dataclass(frozen=True)
class Question:
    """A question with its gold queries; none of them where it cannot be answered."""

    text: str
    language: str
    golds: tuple[str, ...]
    manager: str = ""


@dataclass(frozen=True)
class Verdict:
    """What became of one question."""

    db_id: str
    question: str
    fired: bool
    right: bool = False
    why: str = ""
    sql: str = ""


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
                build_system(system, str(folder / f"{system.db_id}.sqlite")).close()
                said = [(q, language, getattr(q, language)) for q in system.questions for language in ("en", "zh")]
                yield system.db_id, [Question(text, lang, (q.sql,) if q.sql else ()) for q, lang, text in said if text]
    else:
        unseen = [json.loads(line) for line in (DATA / "unseen.jsonl").read_text("utf-8").splitlines()]
        for spec in unseen if name == "unseen" else specs(SPECS):
            if name == "unseen" or is_held(spec["db_id"]) or every:
                build_business(spec, str(folder / f"{spec['db_id']}.sqlite")).close()
                keys = [(q, key) for q in spec["questions"] for key in ("en", "zh", "en2", "zh2") if q.get(key)]
                yield spec["db_id"], [Question(q[key], key[:2], (q["sql"],)) for q, key in keys]


async def open_vocabulary(sources: Sources, path: Path) -> Vocabulary:
    """What can be said of a database that nobody described but the demo; its joins are tested on data first."""
    source = await sources.open("demo" if path.stem == "demo" else sources.add(str(path)))
    policy = Policy()
    catalog, values = source.seen(policy), source.values_for(policy).by_place()
    return Vocabulary(Book(catalog, source.glossary, values, propose_metrics(catalog, source.glossary, values)))


def as_told(rows: Sequence[tuple[Any, ...]], roles: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The rows as they are, and each figure alone beside the labels: a plan shows both periods where one growth was asked.

    A rate may be told in per cent or as a part of one.
    """
    found = [list(rows)]
    labels = [at for at, role in enumerate(roles) if role in ("label", "bucket")]
    for figure in (at for at in range(len(roles)) if at not in labels):
        for part in (1, 100):
            column = [row[figure] / part if isinstance(row[figure], int | float) else row[figure] for row in rows]
            found.append([(*(row[at] for at in labels), cell) for row, cell in zip(rows, column, strict=True)])
    return found


def judge(db_id: str, question: Question, vocabulary: Vocabulary, database: sqlite3.Connection) -> Verdict:
    """One question read, compiled, run and compared."""
    today = datetime.date.today() if question.manager else TODAY
    read = read_plan(question.text, vocabulary, today=today)
    if read.plan is None:
        return Verdict(db_id, question.text, False, why=f"{read.why} {' '.join(read.ignored)}")
    made = compile_plan(read.plan, vocabulary.book, "sqlite", language=question.language, today=today)
    rows = database.execute(made.sql).fetchall()
    if question.manager:
        item = next(item for item in read_questions() if item.id == question.manager)
        right = is_right(item, Reply("answered", rows), database)
    else:
        told = as_told(rows, [column.role for column in made.columns])
        found = [(gold, database.execute(gold).fetchall()) for gold in question.golds]
        right = any(
            fits_rows(expected, each, ordered=is_ordered(gold) and read.plan.ranking is None)
            for gold, expected in found
            for each in told
        )
    return Verdict(db_id, question.text, True, right, str(question.golds[:1]), made.sql)


async def count(names: Sequence[str], languages: Sequence[str], every: bool, half: str) -> dict[str, list[Verdict]]:
    """Every question of the sets."""
    found: dict[str, list[Verdict]] = {}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:  # one a set: some databases are in two
            plain = Settings(home=Path(folder))
            settings = plain.model_copy(update={"knowledge": plain.knowledge.model_copy(update={"join_tests": "wait"})})
            verdicts, sources = found.setdefault(name, []), Sources(settings)
            for db_id, questions in built(name, Path(folder), every, half):
                path = Path(folder) / f"{db_id}.sqlite"
                vocabulary = await open_vocabulary(sources, path)
                with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                    verdicts += [judge(db_id, q, vocabulary, database) for q in questions if q.language in languages]
            sources.close()
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=["unseen", "business", "systems", "managers"])
    parser.add_argument("--language", nargs="*", default=["en", "zh"])
    parser.add_argument("--all", action="store_true", help="the databases that the writer was trained on too")
    parser.add_argument("--wrong", type=int, default=0, help="show so many plans that were wrong")
    parser.add_argument("--unread", type=int, default=0, help="show so many questions without a plan, and why")
    parser.add_argument("--half", choices=["open", "shut"], default="open", help="of the managers' questions")
    args = parser.parse_args()
    if args.half == "shut":  # which is only counted
        args.wrong = args.unread = 0
    for name, verdicts in asyncio.run(count(args.sets, args.language, args.all, args.half)).items():
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
