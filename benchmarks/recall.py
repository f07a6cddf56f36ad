"""What the prompts hold of what a question needs: tables and columns of its right SQL, and what that costs in tokens.

    python -m benchmarks.recall [--questions FILE --databases DIR --name "real systems"] [--json FILE]

Every question goes through the graph up to the writer's seat, where what the writer would be given is kept: linking, values
and the choice of what fits are those of a person's question. The sets at hand are benchmarks/data/unseen.jsonl and the
business databases that are held out of training; further questions in the shape that `inquery eval product` reads are
named on the command line. Figures alone are kept of these.

*Recall* is the mean share of a question's tables (columns) that the prompt shows, *whole* the share of questions with every
one of them there; *linked* is that of the tables that come to the writer at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from benchmarks.machine import RESULTS, ROOT, facts, keep
from benchmarks.stream_client import percentile
from training.business import SPECS, build
from training.descriptions import specs
from training.seeds import is_held

from inquery.agents.opening import open_runner
from inquery.agents.run import Request
from inquery.evals.gold import as_sqlite_reads
from inquery.evals.product import Item, find_database, read_items
from inquery.language.text import language_of
from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.llm.embedded.fitting import make_view
from inquery.llm.embedded.prompt import FORMATS, question_text
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.view import read_question
from inquery.llm.embedded.weights import find_model
from inquery.llm.schema_text import shown_schema
from inquery.llm.scripted import ScriptedModel
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import Candidate, Failure, WriteRequest
from inquery.settings import LLMSettings, Settings
from inquery.sql import Catalog
from inquery.sql.statement import read_statement

UNSEEN = ROOT / "benchmarks" / "data" / "unseen.jsonl"


@dataclass(frozen=True)
class Needs:
    """What a right query reads."""

    tables: frozenset[str]
    columns: frozenset[str]


@dataclass(frozen=True)
class Shown:
    """What a prompt shows, and how long it is."""

    tables: frozenset[str]
    columns: frozenset[str]
    tokens: int


class Seat:
    """Sits where a model would, and keeps what it is given."""

    name = "recall"

    def __init__(self) -> None:
        self.requests: list[WriteRequest] = []

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Keep what it is given; the first of a question is what a model would read."""
        self.requests.append(request)
        return [Candidate("SELECT 1")]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """Nothing is repaired."""
        return await self.write(request)


def needs_of(sql: str, catalog: Catalog) -> Needs | None:
    """The tables and columns of a right query; None where it cannot be read."""
    found = read_statement(as_sqlite_reads(sql, catalog), catalog)
    return Needs(frozenset(found.tables()), frozenset(found.places())) if found and found.tables() else None


@lru_cache(maxsize=1)
def tokenizer() -> Tokens:
    """The tokenizer of the shipped writer."""
    return Tokens.load(find_model().folder / "tokenizer.json")


def embedded_prompt(request: WriteRequest, form: str) -> Shown:
    """The prompt of the embedded model in one of its formats."""
    encode, language, chosen = tokenizer().encode, language_of(request.question), FORMATS[form]
    view = make_view(request, language, lambda text: [0, *encode(text)], chosen)
    reading = read_question(
        request.question,
        view.tables,
        view.names,
        request.values,
        today=request.today,
        language=language,
        phrases=request.phrases,
        style=chosen,
    )
    asked = encode(question_text(request.question, reading.hints, reading.parts))
    places = {f"{table.full_name}.{column.name}" for table in view.tables for column in table.columns}
    return Shown(frozenset(t.full_name for t in view.tables), frozenset(places), len(view.tokens) + len(asked))


async def chat_prompt(request: WriteRequest) -> Shown:
    """The prompt of a chat model, as its writer sends it."""
    shown = shown_schema(request.schema, request.question, request.values)
    places = {f"{table.full_name}.{column.name}" for table in shown.tables for column in table.columns}
    model, settings = ScriptedModel(answers=["SELECT 1"]), LLMSettings(structured_output="text")
    await ChatWriter(ChatModel(model, settings, name="recall"), settings).write(request)
    sent = "".join(str(message.content) for message in model.asked[-1])
    return Shown(frozenset(t.full_name for t in shown.tables), frozenset(places), count_tokens(sent))


@dataclass
class Score:
    """The figures of one prompt over the questions of a set in one language."""

    tables: list[float] = field(default_factory=list)
    columns: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def add(self, needs: Needs, shown: Shown) -> None:
        """One question."""
        self.tables.append(share(needs.tables, shown.tables))
        self.columns.append(share(needs.columns, shown.columns))
        self.tokens.append(shown.tokens)

    def row(self) -> dict[str, object]:
        """As the page shows it."""
        return {
            "n": len(self.tables),
            "table_recall": round(statistics.fmean(self.tables), 4),
            "table_whole_share": whole(self.tables),
            "column_recall": round(statistics.fmean(self.columns), 4),
            "column_whole_share": whole(self.columns),
            "tokens_p50": round(statistics.median(self.tokens)) or None,
            "tokens_p90": round(percentile(self.tokens, 0.9)) or None,
        }


def share(needed: frozenset[str], shown: frozenset[str]) -> float:
    """The share of what is needed that is shown; one where nothing is."""
    return len(needed & shown) / len(needed) if needed else 1.0


def whole(shares: Sequence[float]) -> float:
    """How often all was there."""
    return round(sum(each == 1.0 for each in shares) / len(shares), 4)


Scores = dict[tuple[str, str, str], Score]
"""By set, language and prompt."""


async def measure(
    name: str, items: Sequence[Item], databases: Path, scores: Scores, missed: list[str], *, verbose: bool = False
) -> None:
    """Every question of a set, one database after the other; `verbose` prints what each prompt leaves out."""
    with tempfile.TemporaryDirectory(prefix="inquery-recall-") as home:
        settings = Settings(home=Path(home), cache={"enabled": False}, knowledge={"join_tests": "wait"})
        for db_id in dict.fromkeys(item.db_id for item in items):
            seat = Seat()
            async with open_runner(settings, writer=seat) as runner:
                sources = runner.services.sources
                source = await sources.open(sources.add(str(find_database(databases, db_id))))
                for item in (each for each in items if each.db_id == db_id and each.golds):
                    needs, asked = needs_of(item.golds[0], source.catalog), len(seat.requests)
                    await runner.ask(Request(item.question, connection_id=source.id, clarify=False))
                    if needs is None or len(seat.requests) == asked:
                        missed.append(f"{db_id}: {item.question}")
                        continue
                    for prompt, shown in await prompts(seat.requests[asked]):
                        scores.setdefault((name, language_of(item.question), prompt), Score()).add(needs, shown)
                        if verbose and not (needs.tables <= shown.tables and needs.columns <= shown.columns):
                            lost = sorted((needs.tables - shown.tables) | (needs.columns - shown.columns))
                            print(f"{prompt} {db_id} {item.question}: {', '.join(lost)}", flush=True)


async def prompts(request: WriteRequest) -> list[tuple[str, Shown]]:
    """Every prompt a request can be made into, and what was linked before any was."""
    tables = request.schema.tables
    places = frozenset(f"{table.full_name}.{column.name}" for table in tables for column in table.columns)
    linked = Shown(frozenset(table.full_name for table in tables), places, 0)
    embedded = [(f"embedded, format {form}", embedded_prompt(request, form)) for form in FORMATS]
    return [("linked", linked), *embedded, ("chat", await chat_prompt(request))]


def described(found: Iterable[Mapping[str, object]], out: Path) -> list[Item]:
    """The databases of descriptions, built, with their questions in both languages."""
    items = []
    for spec in found:
        build(dict(spec), str(out / f"{spec['db_id']}.sqlite")).close()
        for question in spec["questions"]:  # type: ignore[attr-defined]
            for language in ("en", "zh"):
                items.append(Item(str(spec["db_id"]), question[language], (question["sql"],), language))
    return items


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, help="further questions, as `inquery eval product` reads them")
    parser.add_argument("--databases", type=Path, help="the folder of their databases")
    parser.add_argument("--name", default="real systems", help="what the page calls them")
    parser.add_argument("--only", action="store_true", help="leave the sets at hand out")
    parser.add_argument(
        "--verbose", action="store_true", help="print what each prompt leaves out; nothing of it is kept"
    )
    parser.add_argument("--json", type=Path, default=RESULTS / "recall.json")
    args = parser.parse_args()
    machine = facts()
    scores: Scores = {}
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="inquery-built-") as built:
        out = Path(built)
        if not args.only:
            for name, path in (("unseen", UNSEEN), ("business, held out", SPECS)):
                found = [spec for spec in specs(path) if path != SPECS or is_held(spec["db_id"])]
                asyncio.run(measure(name, described(found, out), out, scores, missed, verbose=args.verbose))
        if args.questions and args.databases:
            items = read_items(args.questions, ("en", "zh"))
            asyncio.run(measure(args.name, items, args.databases, scores, missed, verbose=args.verbose))
    rows = [
        {"set": name, "language": language, "prompt": prompt} | score.row()
        for (name, language, prompt), score in scores.items()
    ]
    options = "--questions FILE --databases DIR" if args.questions else ""
    keep(args.json, "recall", machine, {"options": options, "not_asked": len(missed)}, rows=rows)
    print(json.dumps(rows, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
