"""What each piece of Inquery brings to its embedded model: the same questions with one piece switched off at a time.

    python -m benchmarks.ablations --spider DIR [--model FOLDER] [--limit 200] [--lang en zh]

Evenly spaced questions of the tune split of training/README.md's Spider folder go through the whole graph, as a user's
do, with caches off. `ex` is the share answered rightly, `first` and `any` those of the writer's first candidate and of
any of its candidates, `executes` the share of first candidates that run, `p50_s` the median time of an answer. Linking
is measured over the tables of all tune databases together, since each alone is small enough to be shown whole.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.items import Item, judged, spaced
from benchmarks.machine import RESULTS, facts, keep
from benchmarks.wide import widened
from training.spider import CHINESE, chinese_by_line, read_questions

from inquery.client import Inquery
from inquery.evals.subject import Subject
from inquery.form.form_grammar import FormGrammar
from inquery.llm.embedded import weights
from inquery.llm.embedded.decode import LIMIT, MARGIN, Written
from inquery.llm.embedded.fitting import View
from inquery.llm.embedded.form_writer import BEAM, EmbeddedWriter
from inquery.llm.embedded.prompt import Hints, PromptFormat
from inquery.llm.embedded.runtime import Branch, Model, PromptState, log_softmax
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.view import Reading
from inquery.llm.writer import Candidate, Failure, SchemaView, SqlWriter, WriteRequest
from inquery.settings import Settings

WIDE_SHARE = 4
"""One question in so many is asked of the wide schema, where every question has another schema to read."""


class Unhinted(EmbeddedWriter):
    """Shows the model the question alone; the grammar still allows what code found in it."""

    def _read(self, request: WriteRequest, view: View) -> Reading:
        return replace(super()._read(request, view), hints=Hints(), parts=())


class Greedy(EmbeddedWriter):
    """Takes the likeliest word at each step."""

    def _search(self, state: PromptState, grammar: FormGrammar, *, n: int) -> list[Written]:
        return self._decoder.beam(state, grammar.start(), width=1)


Begun = tuple[float, Branch, tuple[int, ...]]
"""A text begun: its log-probability, its place in the model, its tokens."""


class Unbound(EmbeddedWriter):
    """Lets the model write any token; what is no form over the schema is dropped when it is read."""

    def _search(self, state: PromptState, grammar: FormGrammar, *, n: int) -> list[Written]:
        live: list[Begun] = [(0.0, state.root, ())]
        logits: Any = [state.logits]
        done: list[Written] = []
        while live and len(done) < n and len(live[0][2]) < LIMIT and len(live) * n <= state.room:
            grown = continued(live, logits, n)
            ended = [(total, text[:-1]) for total, _, text in grown if text[-1] == self._model.end]
            done += [Written((self._tokens.decode(text).strip(),), total, 0.0) for total, text in ended]
            live = [each for each in grown if each[2][-1] != self._model.end]
            if live:
                branches, logits = self._model.extend(state, [(branch, text[-1:]) for _, branch, text in live])
                live = [(total, after, text) for (total, _, text), after in zip(live, branches, strict=True)]
        return sorted(done, key=lambda written: -written.logprob)


def continued(live: Sequence[Begun], logits: Iterable[Any], most: int) -> list[Begun]:
    """The likeliest texts that are one token longer, none far behind the best."""
    found: list[Begun] = []
    for (total, branch, text), row in zip(live, logits, strict=True):
        logs = log_softmax(row)
        found += [(total + float(logs[token]), branch, (*text, int(token))) for token in logs.argsort()[-most:]]
    found.sort(key=lambda each: -each[0])
    return [each for each in found[:most] if each[0] >= found[0][0] - MARGIN]


def same(request: WriteRequest) -> WriteRequest:
    """The request as it is."""
    return request


def without_values(request: WriteRequest) -> WriteRequest:
    """No value of the data: neither samples of the columns nor matches of the question."""
    tables = tuple(
        replace(table, columns=tuple(replace(column, samples=()) for column in table.columns))
        for table in request.schema.tables
    )
    return replace(request, schema=replace(request.schema, tables=tables), values=())


@dataclass(frozen=True)
class Variant:
    """Inquery with one piece switched off."""

    name: str
    off: str
    writer: type[EmbeddedWriter] = EmbeddedWriter
    change: Callable[[WriteRequest], WriteRequest] = same
    most: int = BEAM
    agent: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False
    linked: bool = True


VARIANTS = (
    Variant("whole", "nothing"),
    Variant("no hints", "the line of values, numbers, periods and glosses behind the question", Unhinted),
    Variant("no values", "samples of columns and matches of values, shown or allowed", change=without_values),
    Variant("no candidates", "the choice by running: only the beam's first is used", most=1),
    Variant("no beam", "the beam: the likeliest word at each step", Greedy),
    Variant("no grammar", "the grammar that holds the form: any token may be written", Unbound),
    Variant("no repair", "every repair after a failure", agent={"max_retries": 0}),
    Variant("wide schema", "nothing, among the tables of all tune databases", wide=True),
    Variant("wide schema, no linking", "linking: tables come as they are stored until the prompt is full", wide=True, linked=False),
)  # fmt: skip


class Seat:
    """The writer as the graph gets it: it sees a changed request, and what it writes first is kept."""

    def __init__(self, variant: Variant, writer: SqlWriter, whole: SchemaView | None = None) -> None:
        self.variant, self.writer, self.whole = variant, writer, whole
        self.wrote: list[Candidate] = []

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Candidates of the changed request."""
        self.wrote = await self.writer.write(self._changed(request))
        return self.wrote[: self.variant.most]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """The writer's own repair of the changed request."""
        return (await self.writer.repair(self._changed(request), failed))[: self.variant.most]

    def _changed(self, request: WriteRequest) -> WriteRequest:
        schema = request.schema if self.whole is None else self.whole
        return self.variant.change(replace(request, schema=schema))


@dataclass(frozen=True)
class Verdict:
    """What became of one question: the answer, each first candidate as (right, runs), and the time."""

    right: bool
    candidates: tuple[tuple[bool, bool], ...]
    seconds: float
    error: str = ""


def tune_items(spider: Path, lang: str, limit: int, chinese: Path = CHINESE) -> list[Item]:
    """Evenly spaced questions of the tune split in one language."""
    asked = read_questions(spider / "questions.jsonl")
    said = chinese_by_line(asked, chinese) if lang == "zh" else {at: row["question"] for at, row in enumerate(asked)}
    found = [
        Item(spider / "databases" / f"{row['db_id']}.sqlite", said[at], row["query"])
        for at, row in enumerate(asked)
        if row["split"] == "tune" and at in said
    ]
    return spaced(found, limit)


@contextmanager
def opened(database: Path, seat: Seat) -> Iterator[Inquery]:
    """Inquery over one database with a variant's writer and settings, and no cache."""
    with tempfile.TemporaryDirectory(prefix="iq-ablation-", ignore_cleanup_errors=True) as home:
        settings = Settings(
            home=Path(home), llm={"provider": "embedded", "candidates": BEAM}, cache={"enabled": False},
            agent=dict(seat.variant.agent),
        )  # fmt: skip
        with Inquery.connect(str(database), settings=settings, writer=seat) as inquery:
            yield inquery


def asked(inquery: Inquery, seat: Seat, item: Item) -> Verdict:
    """One question, answered and judged."""
    seat.wrote = []
    started = time.perf_counter()
    answer = inquery.ask(item.question, can_ask=False, refresh=True)
    seconds = time.perf_counter() - started
    error = answer.error["code"] if answer.error else ""
    written = tuple(judged(item, candidate.sql) for candidate in seat.wrote)
    return Verdict(judged(item, answer.sql or "")[0], written, seconds, error)


async def whole_schema(database: Path, home: Path) -> SchemaView:
    """Every table as it is stored, nothing ranked."""
    subject = await Subject.open(f"whole-{database.stem}", database, home)
    subject.close()
    return SchemaView(subject.catalog.tables, subject.catalog.joins)


def figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The figures of one variant."""
    total = max(1, len(verdicts))
    first = [verdict.candidates[0] for verdict in verdicts if verdict.candidates]
    return {
        "n": len(verdicts),
        "ex": round(sum(verdict.right for verdict in verdicts) / total, 4),
        "first": round(sum(right for right, _ in first) / total, 4),
        "any": round(sum(any(right for right, _ in v.candidates) for v in verdicts) / total, 4),
        "executes": round(sum(runs for _, runs in first) / total, 4),
        "unwritten": len(verdicts) - len(first),
        "errors": dict(Counter(verdict.error for verdict in verdicts if verdict.error)),
        "p50_s": round(statistics.median(verdict.seconds for verdict in verdicts), 3) if verdicts else 0.0,
    }


def about(items: Mapping[str, Sequence[Item]], database: Path) -> dict[str, list[Item]]:
    """Those that ask one database."""
    return {lang: [item for item in own if item.database == database] for lang, own in items.items()}


class Run:
    """All variants over all questions, one database after the other, so that its schema is read once."""

    def __init__(self, folder: Path, model: str, variants: Sequence[Variant], databases: Sequence[Path]) -> None:
        found = weights.find_model(model)
        shared: tuple[str, Model, Tokens, PromptFormat] = (
            found.name, weights.load(model), Tokens.load(found.folder / "tokenizer.json"), found.prompt_format
        )  # fmt: skip
        self.model = f"{found.name}@{found.digest}"
        self.folder, self.variants, self.databases = folder, variants, databases
        self.writers = {made: made(*shared) for made in dict.fromkeys(each.writer for each in variants)}
        self.verdicts: dict[tuple[str, str], list[Verdict]] = {}
        self.tables = 0

    def all(self, items: Mapping[str, Sequence[Item]]) -> Iterator[Path]:
        """Ask everything; items come by language. Gives each database that is done."""
        few = {lang: spaced(each, len(each) // WIDE_SHARE) for lang, each in items.items()}
        for database in sorted({item.database for own in items.values() for item in own}):
            self._narrow(database, about(items, database))
            self._wide(database, about(few, database))
            yield database

    def _narrow(self, database: Path, items: Mapping[str, Sequence[Item]]) -> None:
        for variant in self.variants:
            if not variant.wide:
                self._ask(variant, database, items)

    def _wide(self, database: Path, items: Mapping[str, Sequence[Item]]) -> None:
        variants = [variant for variant in self.variants if variant.wide]
        if not variants or not any(items.values()):
            return
        target = self.folder / f"{database.stem}.sqlite"
        self.tables = widened(database, self.databases, target)
        whole = asyncio.run(whole_schema(target, self.folder))
        moved = {lang: [replace(item, database=target) for item in own] for lang, own in items.items()}
        for variant in variants:
            self._ask(variant, target, moved, None if variant.linked else whole)
        target.unlink()

    def _ask(
        self, variant: Variant, database: Path, items: Mapping[str, Sequence[Item]], whole: SchemaView | None = None
    ) -> None:
        seat = Seat(variant, self.writers[variant.writer], whole)
        with opened(database, seat) as inquery:
            for lang, own in items.items():
                self.verdicts.setdefault((lang, variant.name), []).extend(asked(inquery, seat, item) for item in own)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each language and variant."""
        off = {variant.name: variant.off for variant in self.variants}
        return [
            {"language": lang, "variant": name, "off": off[name]} | figures(verdicts)
            for (lang, name), verdicts in sorted(self.verdicts.items(), key=lambda each: each[0][0])
        ]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, required=True, help="folder with questions.jsonl and databases/")
    parser.add_argument("--model", default="", help="name or folder; the shipped one by default")
    parser.add_argument("--limit", type=int, default=200, help="questions of each language")
    parser.add_argument("--lang", nargs="+", choices=["en", "zh"], default=["en", "zh"])
    parser.add_argument("--variants", nargs="+", choices=[v.name for v in VARIANTS], default=[v.name for v in VARIANTS])
    parser.add_argument("--out", type=Path, default=RESULTS / "ablations.json")
    args = parser.parse_args()
    machine = facts()
    items = {lang: tune_items(args.spider, lang, args.limit) for lang in args.lang}
    databases = sorted({item.database for item in tune_items(args.spider, "en", sys.maxsize)})
    with tempfile.TemporaryDirectory(prefix="iq-ablations-") as folder:
        run = Run(Path(folder), args.model, [v for v in VARIANTS if v.name in args.variants], databases)
        for database in run.all(items):
            print(database.stem, flush=True)
            settings = {
                "model": run.model, "options": f"--limit {args.limit}", "languages": args.lang, "wide_tables": run.tables
            }  # fmt: skip
            keep(args.out, "ablations", machine, settings, rows=run.rows())
    for row in run.rows():
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
