"""Linking and whole questions in warehouses of 10 to 10,000 tables: what is found, how long it takes, what a model reads."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.agents import opened, settings_in, timed
from benchmarks.clock import Clock, TimedModel, database_timed
from benchmarks.scale.warehouse import (
    Question,
    Source,
    Warehouse,
    compose,
    copied_names,
    dealt,
    moved,
    questions,
    spider_sources,
    written_sources,
)  # fmt: skip
from benchmarks.stream_client import percentile
from langchain_core.messages import AIMessage, BaseMessage

from inquery.agents.run import Request, Runner
from inquery.agents.sources import Source as Opened
from inquery.catalog.search import index_of, link_tables, rank_tables
from inquery.catalog.stored import Stored, read_time, save_catalog
from inquery.llm.chat import text_of
from inquery.sql import Policy

SIZES = (10, 100, 1_000, 10_000)
TOPS = (5, 10, 20)
LANGUAGES = ("en", "zh")
SHARED = 1_000  # from this size on, one warehouse holds every source that is asked about
CHARACTERS = 4  # a token


@dataclass
class Found:
    """What linking found of one question's tables, and in how many seconds."""

    shares: dict[int, float]
    seconds: float


@dataclass
class Asked:
    """Whole questions of one size: milliseconds outside model and database, and tokens of the prompt."""

    ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)


def of_source(asked: Sequence[Question]) -> dict[str, list[Question]]:
    """Questions by what they are about."""
    found: dict[str, list[Question]] = {}
    for question in asked:
        found.setdefault(question.source, []).append(question)
    return found


def warehouses(size: int, tune: Sequence[Source], others: Sequence[Source]) -> Iterator[tuple[Warehouse, set[str]]]:
    """Warehouses of a size, each with the sources that are asked about in it: all in a large one, each in its own otherwise."""
    if size >= SHARED:
        yield compose(tune, others, size), {source.name for source in tune}
        return
    for source in tune:
        yield compose([source], others, size), {source.name}


def find(question: Question, warehouse: Warehouse) -> Found:
    """Link one question, as link_schema does."""
    gold = warehouse.gold(question)
    started = time.perf_counter()
    matches = warehouse.values.match(question.text)
    ranking = rank_tables(question.text, warehouse.catalog, matches)
    tables = link_tables(question.text, warehouse.catalog, ranking=ranking, limit=max(TOPS))
    seconds = time.perf_counter() - started
    names = [table.full_name for table in tables]
    return Found({top: len(gold & set(names[:top])) / len(gold) for top in TOPS}, seconds)


def linking(
    size: int, asked: Sequence[Question], tune: Sequence[Source], others: Sequence[Source]
) -> list[dict[str, Any]]:
    """A row for each language: mean share of gold tables among the first, share of questions with all, milliseconds."""
    found: dict[str, list[Found]] = {language: [] for language in LANGUAGES}
    tables, built = 0, []
    for warehouse, names in warehouses(size, tune, others):
        tables = max(tables, len(warehouse.catalog.tables))
        started = time.perf_counter()
        index_of(warehouse.catalog)
        built.append(time.perf_counter() - started)
        for question in asked:
            if question.source in names:
                found[question.language].append(find(question, warehouse))
    return [
        {"size": size, "tables": tables, "language": language, "questions": len(each), **_shares(each)}
        | {"index_s": round(max(built), 2)}
        for language, each in found.items()
    ]


def _shares(found: Sequence[Found]) -> dict[str, Any]:
    shares = {f"recall_{top}": round(statistics.mean(each.shares[top] for each in found), 3) for top in TOPS}
    whole = {f"all_{top}": round(statistics.mean(each.shares[top] == 1 for each in found), 3) for top in TOPS}
    times = [each.seconds * 1000 for each in found]
    return (
        shares
        | whole
        | {"link_p50_ms": round(percentile(times, 0.5), 2), "link_p95_ms": round(percentile(times, 0.95), 2)}
    )


def written(path: Path, warehouse: Warehouse, spider: Path) -> None:
    """The warehouse as a SQLite file; the sources that are asked about have their rows, the other tables are empty."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        for table in warehouse.catalog.tables:
            columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
            connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        for name, code in warehouse.codes.items():
            file = spider / "databases" / f"{name}.sqlite"
            if name in warehouse.asked and file.exists():
                connection.commit()
                connection.execute("ATTACH ? AS source", (str(file),))
                for copied in copied_names(connection):
                    connection.execute(f'INSERT INTO "{code}_{copied}" SELECT * FROM source."{copied}"')
                connection.commit()
                connection.execute("DETACH source")
        connection.commit()


async def whole_questions(
    asked: Sequence[Question], tune: Sequence[Source], others: Sequence[Source], sizes: Sequence[int], spider: Path
) -> dict[int, Asked]:
    """The same questions at every size in turn, through the graph with a model that knows the answer."""
    clock, found = Clock(), {size: Asked() for size in sizes}
    said: list[str] = []
    prompt: list[int] = []

    def reply(messages: list[BaseMessage], tools: list[str]) -> AIMessage:
        prompt.append(sum(len(text_of(message)) for message in messages))
        call = {"candidates": [{"sql": said[-1], "why": "known"}]}
        return AIMessage("", tool_calls=[{"name": "SqlAnswer", "args": call, "id": "call", "type": "tool_call"}])

    by_source = of_source(asked)
    large = {size: compose(tune, others, size) for size in sizes if size >= SHARED}
    with TemporaryDirectory(prefix="iq-scale-") as name, database_timed(clock):
        folder = Path(name)
        async with opened(settings_in(folder), TimedModel.of(reply, clock), "memory") as runner:
            ids = {size: _opened(runner, folder / f"{size}.sqlite", large[size], spider) for size in large}
            for source in tune:
                own = by_source.get(source.name, [])
                here = {size: large.get(size) or compose([source], others, size) for size in sizes} if own else {}
                for size in set(here) - set(large):
                    ids[size] = _opened(runner, folder / f"{source.name}-{size}.sqlite", here[size], spider)
                for number, question in enumerate(own):
                    for size, warehouse in here.items():
                        said.append(moved(question, warehouse))
                        prompt.clear()
                        request = Request(question.text, connection_id=ids[size], can_ask=False, refresh=True)
                        ms, cpu, calls = await timed(clock, partial(_answered, runner, request))
                        assert calls == 1, (question.text, calls)
                        if number:  # the first question of a source opens it
                            found[size].ms.append(ms)
                            found[size].processor_ms.append(cpu)
                            found[size].tokens.append(prompt[0] / CHARACTERS)
                            found[size].shown.append(await _shown(runner, ids[size], question, warehouse))
    return found


def _opened(runner: Runner, path: Path, warehouse: Warehouse, spider: Path) -> str:
    """Make a warehouse's file and describe it as a refresh would have."""
    written(path, warehouse, spider)
    made = runner.services.sources.add(f"sqlite:///{path}")
    save_catalog(made, Stored(warehouse.catalog, warehouse.values, read_time()), home=runner.services.settings.home)
    return made


async def _answered(runner: Runner, request: Request) -> None:
    answer = await runner.ask(request)
    assert answer.status == "answered", (request.question, answer.error)


async def _shown(runner: Runner, connection: str, question: Question, warehouse: Warehouse) -> float:
    """The share of the question's tables that the model is shown."""
    source: Opened = await runner.services.sources.open(connection)
    encoder = runner.services.semantic.embedder if runner.services.semantic else None
    ranking = source.ranking(question.text, Policy())
    names = await source.linked(question.text, Policy(), ranking, encoder)
    gold = warehouse.gold(question)
    return len(gold & set(names)) / len(gold)


def graph_row(size: int, asked: Asked) -> dict[str, Any]:
    """The figures of one size."""
    return {
        "size": size,
        "questions": len(asked.ms),
        "outside_p50_ms": round(statistics.median(asked.ms), 1),
        "outside_p95_ms": round(percentile(asked.ms, 0.95), 1),
        "outside_cpu_p50_ms": round(statistics.median(asked.processor_ms), 1),
        "prompt_tokens": round(statistics.mean(asked.tokens)),
        "shown": round(statistics.mean(asked.shown), 3),
    }


async def measure(spider: Path, *, quick: bool) -> dict[str, Any]:
    """Every figure, with what it was measured on."""
    sizes = SIZES[:3] if quick else SIZES
    tune, rest = spider_sources(spider)
    # A quick run has fewer written sources to read, so its largest warehouse is made of others.
    others = list(dealt(rest, [] if quick else list(written_sources())))
    linked = [q for language in LANGUAGES for q in questions(spider, language, 40 if quick else 200)]
    rows = []
    for size in sizes:
        rows += linking(size, linked, tune, others)
        print(rows[-2], rows[-1], sep="\n", flush=True)
    few = _few(linked, 2 if quick else 3)
    asked = await whole_questions(few, tune, others, sizes, spider)
    graph = [graph_row(size, each) for size, each in asked.items()]
    growth = round(graph[-1]["outside_p50_ms"] / graph[0]["outside_p50_ms"], 2)
    return {"rows": rows, "graph": graph, "summary": summary(rows, growth, sizes)}


def _few(asked: Sequence[Question], most: int) -> list[Question]:
    """A few questions of each source and language; the first of a source is not counted."""
    found: list[Question] = []
    for own in of_source(asked).values():
        for language in LANGUAGES:
            found += [question for question in own if question.language == language][:most]
    return found


def summary(rows: Sequence[dict[str, Any]], growth: float, sizes: Sequence[int]) -> list[dict[str, Any]]:
    """The figures that were promised."""
    thousand = [row for row in rows if row["size"] == 1_000]
    count = sum(row["questions"] for row in thousand)
    recall = sum(row["recall_10"] * row["questions"] for row in thousand) / count if count else 0.0
    return [
        {
            "what": f"time outside model and database, {sizes[-1]:,} against {sizes[0]} tables",
            "measured": growth,
            "target": "< 2",
            "met": growth < 2,
        },
        {
            "what": "recall@10 at 1,000 tables, both languages",
            "measured": round(recall, 3),
            "target": ">= 0.95",
            "met": recall >= 0.95,
        },
    ]
