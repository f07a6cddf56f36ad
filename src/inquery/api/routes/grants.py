"""Grants: which user or role may read what of a database."""

from __future__ import annotations

import asyncio
import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.agents.sources import Source
from inquery.api.access import connection_of
from inquery.api.auditing import deed
from inquery.api.bodies import NewGrant
from inquery.api.identity import Guard
from inquery.api.rights import UserAdmin
from inquery.api.state import Here
from inquery.catalog.collect import statement, table_named
from inquery.errors import BadRequest, SqlRefused, Text
from inquery.sql import Policy, check
from inquery.store.grants import EVERYONE, Grant, Kind, Rules

router = APIRouter(prefix="/grants", tags=["grants"])


class GrantInfo(BaseModel):
    """A grant; `subject` is a user's name, a role, or * for everyone."""

    id: str
    connection_id: str
    kind: Kind
    subject: str
    rules: Rules
    created: datetime.datetime


@router.get("")
async def all_grants(
    user: UserAdmin,
    guard: Guard,
    connection_id: Annotated[str | None, Query(max_length=200, description="only those on one database")] = None,
) -> list[GrantInfo]:
    """Every grant."""
    found = await asyncio.to_thread(guard.grants.list, connection_id)
    names = {each.id: each.name for each in await asyncio.to_thread(guard.users.list)}
    return [_info(grant, names) for grant in found]


@router.put("")
async def put(body: NewGrant, user: UserAdmin, guard: Guard, here: Here, request: Request) -> GrantInfo:
    """Grant, in place of what the subject had on the database; the rules are tried on its catalogue first."""
    connection = await connection_of(here, user, body.connection_id)
    subject, names = body.subject, {}
    if body.kind == "user":
        known = await asyncio.to_thread(guard.users.get, body.subject)
        subject, names = known.id, {known.id: known.name}
    elif body.kind == "all":
        subject = EVERYONE
    elif subject not in {"viewer", "analyst"}:
        raise _bad(
            "a role is viewer or analyst; administrators read everything",
            "角色应为 viewer 或 analyst；管理员可读取全部",
        )
    deed(request, connection_id=connection.id, target=f"{body.kind} {body.subject}")
    if body.rules != Rules():
        await asyncio.to_thread(_try, body.rules, await here.services.sources.open(connection.id))
    return _info(await asyncio.to_thread(guard.grants.put, connection.id, body.kind, subject, body.rules), names)


@router.delete("/{grant_id}", status_code=204)
async def remove(grant_id: str, user: UserAdmin, guard: Guard) -> Response:
    """Take a grant back."""
    await asyncio.to_thread(guard.grants.remove, grant_id)
    return Response(status_code=204)


def _try(rules: Rules, source: Source) -> None:
    """Every name exists and every filter can be applied; a policy that says less than it seems to is worse than none."""
    catalog = source.catalog
    tables = {table.full_name.casefold(): table for table in catalog.tables}
    columns = {f"{name}.{column.name}".casefold() for name, table in tables.items() for column in table.columns}
    named = (*(rules.tables or ()), *rules.row_filters, *rules.views)
    for name in [name for name in named if name.casefold() not in tables]:
        raise _bad(f"there is no table {name}; write its full name", f"没有表 {name}；请写完整名称")
    for name in [name for name in rules.hidden_columns if name.casefold() not in columns]:
        raise _bad(f"there is no column {name}; write table.column", f"没有列 {name}；请写 表.列")
    for name in rules.row_filters:
        if rules.tables is not None and name.casefold() not in {each.casefold() for each in rules.tables}:
            raise _bad(f"{name} has a filter but is not granted", f"{name} 有行过滤但未被授权")
        table = tables[name.casefold()]
        sql = statement(table, table.columns[0], source.dialect, limit=1)
        try:
            # The filter as a person's own condition: its names must exist, and it may only read.
            plain = exp.select("1").from_(table_named(table)).where(rules.row_filters[name], dialect=source.dialect)
            check(plain.sql(source.dialect), dialect=source.dialect, catalog=catalog)
            check(sql, dialect=source.dialect, catalog=catalog, policy=Policy(row_filters=rules.row_filters))
        except (SqlRefused, SqlglotError) as error:
            raise _bad(f"the filter of {name} cannot be applied", f"{name} 的行过滤无法应用") from error


def _bad(en: str, zh: str) -> BadRequest:
    return BadRequest(en, reason=Text(en[:300], zh[:300]))


def _info(grant: Grant, names: dict[str, str]) -> GrantInfo:
    return GrantInfo(
        id=grant.id, connection_id=grant.connection_id, kind=grant.kind,
        subject=names.get(grant.subject, grant.subject), rules=grant.rules, created=grant.created,
    )  # fmt: skip
