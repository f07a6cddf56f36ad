"""What a database holds: tables, columns and joins, as far as the user may see them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel
from rapidfuzz import process

from inquery.agents.sources import Source
from inquery.api.bodies import LARGEST
from inquery.api.identity import Analyst, CurrentUser, User
from inquery.api.state import Here, Shared
from inquery.catalog.refresh import refresh
from inquery.demo import describe
from inquery.errors import NotFound, Text
from inquery.sql import Catalog, Join, Policy, Table

router = APIRouter(prefix="/connections/{connection_id}", tags=["catalogue"])


class ColumnInfo(BaseModel):
    name: str
    type: str
    nullable: bool
    primary_key: bool
    comment: str
    samples: list[str]


class TableInfo(BaseModel):
    name: str
    kind: str
    rows: int | None
    comment: str
    columns: int


class JoinInfo(BaseModel):
    left: str
    left_columns: list[str]
    right: str
    right_columns: list[str]
    declared: bool
    confidence: float


class TableDetails(BaseModel):
    """A table with all its columns and the joins that touch it."""

    name: str
    kind: str
    rows: int | None
    comment: str
    columns: list[ColumnInfo]
    joins: list[JoinInfo]


class Tables(BaseModel):
    """Tables, with how many there are in all."""

    dialect: str
    version: str
    total: int
    tables: list[TableInfo]


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
    user: CurrentUser,
    here: Here,
    search: Annotated[str, Query(max_length=500, description="words; the tables that fit best come first")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
) -> Tables:
    """The tables of a database, or those that fit some words."""
    source, policy = await here.services.sources.open(connection_id), _policy(user, here)
    seen = source.seen(policy)
    found = list(seen.tables)
    if search.strip():
        found = await asyncio.to_thread(_searched, source, search, policy)
    shown = [_table(table) for table in found[offset : offset + limit]]
    return Tables(dialect=seen.dialect, version=seen.version, total=len(found), tables=shown)


@router.get("/tables/{table}")
async def table_details(connection_id: str, table: str, user: CurrentUser, here: Here) -> TableDetails:
    """One table with its columns and joins."""
    source = await here.services.sources.open(connection_id)
    seen = source.seen(_policy(user, here))
    found = _named(seen, table)
    joins = [_join(join) for join in seen.joins if found.path in {join.left, join.right}]
    return TableDetails(
        name=found.full_name, kind=found.kind, rows=found.estimated_rows, comment=found.comment,
        columns=[_column(column) for column in found.columns], joins=joins,
    )  # fmt: skip


@router.get("/joins")
async def joins(connection_id: str, user: CurrentUser, here: Here) -> list[JoinInfo]:
    """How the tables are joined, declared and inferred."""
    source = await here.services.sources.open(connection_id)
    return [_join(join) for join in source.seen(_policy(user, here)).joins]


@router.post("/refresh")
async def refreshed(connection_id: str, user: Analyst, here: Here) -> Refreshed:
    """Read the catalogue anew; the contents of changed tables only."""
    source = await here.services.sources.open(connection_id)
    found = await refresh(
        source.id,
        describe=describe if source.id == "demo" else None,
        home=here.settings.home,
        per_column=here.settings.knowledge.values_per_column,
    )
    here.services.sources.forget(source.id)
    return Refreshed(
        version=found.catalog.version, tables=len(found.catalog.tables), added=list(found.added),
        changed=list(found.changed), dropped=list(found.dropped),
    )  # fmt: skip


def _policy(user: User, here: Shared) -> Policy:
    return user.policy or Policy(row_cap=here.settings.query.rows)


def _searched(source: Source, words: str, policy: Policy) -> list[Table]:
    by_name = {table.full_name: table for table in source.seen(policy).tables}
    return [by_name[name] for name, _ in source.ranking(words, policy).tables if name in by_name]


def _named(catalog: Catalog, name: str) -> Table:
    folded = name.casefold()
    for table in catalog.tables:
        if folded in (table.full_name.casefold(), table.name.casefold()):
            return table
    names = [table.full_name for table in catalog.tables]
    nearest = tuple(match for match, _, _ in process.extract(name, names, limit=3, score_cutoff=60))
    raise NotFound(name, what=Text("table", "表"), name=name[:200], nearest=nearest)


def _table(table: Table) -> TableInfo:
    return TableInfo(
        name=table.full_name, kind=table.kind, rows=table.estimated_rows, comment=table.comment,
        columns=len(table.columns),
    )  # fmt: skip


def _column(column: Any) -> ColumnInfo:
    return ColumnInfo(
        name=column.name, type=column.type, nullable=column.nullable, primary_key=column.primary_key,
        comment=column.comment, samples=[str(sample) for sample in column.samples],
    )  # fmt: skip


def _join(join: Join) -> JoinInfo:
    return JoinInfo(
        left=".".join(join.left), left_columns=list(join.left_columns), right=".".join(join.right),
        right_columns=list(join.right_columns), declared=join.declared, confidence=join.confidence,
    )  # fmt: skip
