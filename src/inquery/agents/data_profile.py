"""A first look at a database: what is in it, since when, how it was read, and questions that were tried and answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from sqlglot import exp

from inquery.agents.first_questions import FirstQuestion, first_questions
from inquery.agents.nodes.analyse import first_sentence
from inquery.agents.outcomes.local import LocalMemory, LocalResults
from inquery.agents.run import Request, Runner
from inquery.agents.sources import Source
from inquery.answers.answer import Answer
from inquery.catalog.browse import NoteInfo, note_info
from inquery.catalog.collect import table_named
from inquery.catalog.main_things import Thing, main_things, told_name
from inquery.databases.engine import Limits
from inquery.databases.executor.execute import execute
from inquery.errors import InqueryError
from inquery.sql import Column, Policy, Table, check

MOST = 6
ENOUGH_S = 60.0
"""After this nothing more is tried; what was answered so far is shown."""
LOOK_S = 5.0
SURE = 0.5
"""Answers below this confidence are not held up as examples."""

Tell = Callable[[int, int], None]


class MainTable(BaseModel):
    """A main table: how it is called, how large it is, what it measures, by what, and from when to when."""

    table: str
    called: str
    rows: int | None
    measures: list[str]
    groups: list[str]
    time: str
    first: str
    last: str


class TriedQuestion(BaseModel):
    """A question that was asked and answered; `answer` is the first sentence, with its figure."""

    question: str
    answer: str
    rows: int
    sql: str


class TableNote(NoteInfo):
    """How a table of a data file was read."""

    table: str


class DataProfile(BaseModel):
    """What a newcomer should know of a database."""

    connection_id: str
    name: str
    language: str
    status: Literal["working", "ready"] = "ready"
    done: int = 0
    total: int = 0
    tables: int
    columns: int
    rows: int | None
    first: str
    last: str
    main: list[MainTable]
    notes: list[TableNote]
    questions: list[TriedQuestion]


async def outline_database(source: Source, policy: Policy, language: str) -> DataProfile:
    """All but the questions: tables, rows, time spans and notes, within a few statements."""
    seen = source.seen(policy)
    things = main_things(seen)
    spans = await asyncio.gather(*(_span(source, thing, policy) for thing in things))
    main = [_main(thing, span, language) for thing, span in zip(things, spans, strict=True)]
    counted = [table.estimated_rows for table in seen.tables if table.estimated_rows is not None]
    known = [span for span in spans if span[0]]
    return DataProfile(
        connection_id=source.id,
        name=source.connection.name,
        language=language,
        tables=len(seen.tables),
        columns=sum(len(table.columns) for table in seen.tables),
        rows=sum(counted) if counted else None,
        first=min((span[0] for span in known), default=""),
        last=max((span[1] for span in known), default=""),
        main=main,
        notes=[
            TableNote(table=table.full_name, **note_info(note).model_dump())
            for table in seen.tables
            for note in table.notes
        ],
        questions=[],
    )


async def try_questions(
    runner: Runner, source: Source, request: Request, language: str, tell: Tell = lambda done, total: None
) -> list[TriedQuestion]:
    """Ask first questions as that user would, and keep those whose answer uses what the question is about."""
    policy = request.policy or Policy()
    if request.access is not None:
        policy = request.access(source.id)
    wanted = first_questions(source.seen(policy), language)
    alone = _apart(runner)
    started = time.monotonic()
    found: list[TriedQuestion] = []
    kinds: dict[str, int] = {}
    for number, each in enumerate(wanted):
        if len(found) == MOST or time.monotonic() - started > ENOUGH_S:
            break
        tell(number, len(wanted))
        if kinds.get(each.kind, 0) == 2:
            continue
        try:
            answer = await alone.ask(
                replace(request, question=each.question, connection_id=source.id, can_ask=False, clarify=False)
            )
        except InqueryError:
            continue  # what cannot be answered is not suggested
        if _answers(answer, each):
            kinds[each.kind] = kinds.get(each.kind, 0) + 1
            found.append(_told(answer))
    tell(len(wanted), len(wanted))
    return found


def _apart(runner: Runner) -> Runner:
    """The same services, with nothing left in anybody's history."""
    services = replace(runner.services, threads=None, results=LocalResults(), memory=LocalMemory(), exact=None)
    return Runner(services, InMemorySaver(), writer=runner.writer, chat=runner.chat)


def _answers(answer: Answer, wanted: FirstQuestion) -> bool:
    if answer.status != "answered" or not answer.rows or (answer.confidence or 0.0) < SURE:
        return False
    used = answer.provenance
    right = used.get("tables") == [wanted.table] and wanted.columns <= set(used.get("columns") or ())
    figured = any(cell is not None for cell in answer.rows[0])
    return right and figured and (len(answer.rows) > 1 or not wanted.several)


def _told(answer: Answer) -> TriedQuestion:
    return TriedQuestion(
        question=answer.question, answer=first_sentence(answer.text), rows=answer.row_count, sql=answer.sql or ""
    )


async def _span(source: Source, thing: Thing, policy: Policy) -> tuple[str, str]:
    """The first and last moment of a table's rows; empty where that takes too long."""
    if not thing.time:
        return "", ""
    column = exp.column(exp.to_identifier(thing.time, quoted=True))
    select = exp.select(exp.Min(this=column), exp.Max(this=column.copy())).from_(table_named(thing.table))
    try:
        sql = check(select.sql(source.dialect), dialect=source.dialect, catalog=source.catalog, policy=policy)
        rows: list[Any] = list((await execute(source.id, sql, limits=Limits(LOOK_S, 1))).rows)
    except InqueryError:
        return "", ""
    ends = rows[0] if rows and rows[0][0] is not None else ("", "")
    return str(ends[0])[:10], str(ends[1])[:10]


def _main(thing: Thing, span: tuple[str, str], language: str) -> MainTable:
    table = thing.table
    return MainTable(
        table=table.full_name,
        called=_called(table, language),
        rows=table.estimated_rows,
        measures=[_said(column, language) for column in (*thing.sums, *thing.averages)][:4],
        groups=[_said(column, language) for column in thing.groups][:4],
        time=thing.time,
        first=span[0],
        last=span[1],
    )


def _said(column: Column, language: str) -> str:
    return told_name(column.name, column.comment, language) or column.name


def _called(table: Table, language: str) -> str:
    return told_name(table.name, table.comment, language) or table.name
