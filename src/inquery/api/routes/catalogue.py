"""What a database holds: tables, columns and joins, as far as the user may see them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from sqlglot import exp

from inquery.agents.own_sql import limits_for, run_own_sql
from inquery.agents.sources import Source
from inquery.answers.answer import AnswerColumn
from inquery.answers.column_words import word_columns
from inquery.answers.formats import json_rows_aside
from inquery.api.access import source_of
from inquery.api.bodies import LARGEST
from inquery.api.identity import User
from inquery.api.presence import while_there
from inquery.api.rights import Browser, Refresher
from inquery.api.shared import Here, Language, Shared
from inquery.api.streams import Progressing, WorkEvent
from inquery.catalog import browse
from inquery.catalog.browse import JoinInfo, TableDetails, TableInfo, join_info, named_table, table_info
from inquery.catalog.collect import table_named
from inquery.catalog.refresh import refresh_catalog
from inquery.databases.engine import Progress, no_progress
from inquery.knowledge.data_dictionary import description_of
from inquery.sql import Policy, Table
from inquery.sql.statement import read_statement

router = APIRouter(prefix="/connections/{connection_id}", tags=["catalogue"])
MOST_ROWS = 100


class Reading(BaseModel):
    """How far the contents of a large database are read; it can be asked meanwhile."""

    done: int
    total: int


class Tables(BaseModel):
    """Tables, with how many there are in all."""

    dialect: str
    version: str
    total: int
    reading: Reading | None = None
    tables: list[TableInfo]


class FirstRows(BaseModel):
    """Rows of a table; `cut` when there are more."""

    columns: list[AnswerColumn]
    rows: list[list[Any]]
    cut: bool


class Refreshed(BaseModel):
    """What a refresh found."""

    version: str
    tables: int
    added: list[str]
    changed: list[str]
    dropped: list[str]


@router.get("/tables")
async def tables(
    connection_id: str,
    user: Browser,
    here: Here,
    search: Annotated[str, Query(max_length=500, description="words; the tables that fit best come first")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    columns: Annotated[bool, Query(description="name the columns of each, for a diagram")] = False,
) -> Tables:
    """The tables of a database, or those that fit some words."""
    source, policy = await source_of(here, user, connection_id)
    seen = source.seen(policy)
    found = list(seen.tables)
    if search.strip():
        found = await asyncio.to_thread(_searched, source, search, policy)
    shown = [table_info(table, with_columns=columns) for table in found[offset : offset + limit]]
    under_way = here.services.sources.progress_of(source.id) if source.shows_all(policy) else None
    reading = Reading(done=under_way[0], total=under_way[1]) if under_way else None
    return Tables(dialect=seen.dialect, version=seen.version, total=len(found), reading=reading, tables=shown)


@router.get("/tables/{table}")
async def table_details(connection_id: str, table: str, user: Browser, here: Here) -> TableDetails:
    """One table with its columns and joins."""
    source, policy = await source_of(here, user, connection_id)
    return browse.table_details(source.seen(policy), table)


@router.get("/tables/{table}/rows")
async def first_rows(
    connection_id: str,
    table: str,
    user: Browser,
    here: Here,
    language: Language,
    request: Request,
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 20,
) -> FirstRows:
    """The first rows of a table that you may read, with columns as readers call them."""
    source, policy = await source_of(here, user, connection_id)
    seen = named_table(source.seen(policy), table)
    names = [exp.column(exp.to_identifier(column.name, quoted=True)) for column in seen.columns]
    sql = exp.select(*names).from_(table_named(seen)).sql(source.catalog.dialect)
    limits = limits_for(here.settings.query, limit)
    running = run_own_sql(
        source.id, sql, catalog=source.catalog, policy=policy, limits=limits, place=here.runs.place(user)
    )
    ran = await while_there(request, running)
    plain = [AnswerColumn(name=column.name, kind=column.kind) for column in ran.result.columns]
    rows = [list(row) for row in ran.result.rows]
    read = await asyncio.to_thread(read_statement, sql, source.catalog)
    columns = word_columns(plain, rows, read, source.glossary, source.catalog, language)
    return FirstRows(columns=columns, rows=await json_rows_aside(rows), cut=ran.result.truncated is not None)


@router.get("/joins")
async def joins(connection_id: str, user: Browser, here: Here) -> list[JoinInfo]:
    """How the tables are joined, declared and inferred."""
    source, policy = await source_of(here, user, connection_id)
    return [join_info(join) for join in source.seen(policy).joins]


@router.post("/refresh")
async def refreshed(connection_id: str, user: Refresher, here: Here) -> Refreshed:
    """Read the catalogue anew; the contents of changed tables only."""
    return await _refresh(connection_id, user, here, no_progress)


@router.post("/refresh/stream", response_class=Progressing, responses={200: {"model": WorkEvent}})
async def refreshing(connection_id: str, user: Refresher, here: Here, language: Language) -> Progressing:
    """The same as server-sent events: `progress` as it goes, then `done` with what was found, or `error`."""
    source, policy = await source_of(here, user, connection_id)

    async def work(progress: Progress) -> Refreshed:
        return await _refresh(connection_id, user, here, progress if source.shows_all(policy) else no_progress)

    return Progressing(work, language)


async def _refresh(connection_id: str, user: User, here: Shared, progress: Progress) -> Refreshed:
    source, _ = await source_of(here, user, connection_id)
    found = await refresh_catalog(
        source.id,
        describe=await asyncio.to_thread(description_of, source.id, here.settings),
        home=here.settings.home,
        per_column=here.settings.knowledge.values_per_column,
        progress=progress,
        evidence=here.settings.knowledge.join_tests != "off",
    )
    here.services.sources.forget(source.id)
    source, policy = await source_of(here, user, source.id)
    seen = {table.full_name for table in source.seen(policy).tables}
    # Of tables that are gone nobody can say whether they would be seen: a narrowed user is not told of them.
    dropped = list(found.dropped) if policy.tables is None else []
    return Refreshed(
        version=found.catalog.version,
        tables=len(seen),
        added=[name for name in found.added if name in seen],
        changed=[name for name in found.changed if name in seen],
        dropped=dropped,
    )


def _searched(source: Source, words: str, policy: Policy) -> list[Table]:
    by_name = {table.full_name: table for table in source.seen(policy).tables}
    return [by_name[name] for name, _ in source.ranking(words, policy).tables if name in by_name]
