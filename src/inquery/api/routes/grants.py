"""Grants: which user, group or role may read what of a database."""

from __future__ import annotations

import asyncio
import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import connection_of
from inquery.api.auditing import deed
from inquery.api.bodies import NewGrant
from inquery.api.identity import Guard
from inquery.api.rights import UserAdmin
from inquery.api.shared import Here, Language
from inquery.catalog.granting import check_rules, warn_of_attributes, warn_of_rules
from inquery.errors import BadRequest, Text
from inquery.store.grants import EVERYONE, Grant, Kind, Rules
from inquery.store.users import known_attributes

router = APIRouter(prefix="/grants", tags=["grants"])


class GrantInfo(BaseModel):
    """A grant; `subject` is the name of a user or group, a role, or * for everyone; `warnings` come when it is made."""

    id: str
    connection_id: str
    kind: Kind
    subject: str
    rules: Rules
    created: datetime.datetime
    warnings: list[str] = []


@router.get("")
async def all_grants(
    user: UserAdmin,
    guard: Guard,
    connection_id: Annotated[str | None, Query(max_length=200, description="only those on one database")] = None,
) -> list[GrantInfo]:
    """Every grant."""
    found = await asyncio.to_thread(guard.grants.list, connection_id)
    users, groups = await asyncio.to_thread(guard.users.list), await asyncio.to_thread(guard.groups.list)
    names = {each.id: each.name for each in users} | {each.id: each.name for each in groups}
    return [_info(grant, names) for grant in found]


@router.put("")
async def put(
    body: NewGrant, user: UserAdmin, guard: Guard, here: Here, language: Language, request: Request
) -> GrantInfo:
    """Grant, in place of what the subject had on the database; the rules are tried on its catalogue first."""
    connection = await connection_of(here, user, body.connection_id)
    subject, names = body.subject, {}
    if body.kind == "user":
        known = await asyncio.to_thread(guard.users.get, body.subject)
        subject, names = known.id, {known.id: known.name}
    elif body.kind == "group":
        group = await asyncio.to_thread(guard.groups.get, body.subject)
        subject, names = group.id, {group.id: group.name}
    elif body.kind == "all":
        subject = EVERYONE
    elif subject not in {"viewer", "analyst"}:
        raise _bad(
            "a role is viewer or analyst; administrators read everything",
            "角色应为 viewer 或 analyst；管理员可读取全部",
        )
    deed(request, connection_id=connection.id, target=f"{body.kind} {body.subject}")
    warnings: list[Text] = []
    if body.rules != Rules():
        source = await here.services.sources.open(connection.id)
        await asyncio.to_thread(check_rules, body.rules, source.catalog)
        warnings = await asyncio.to_thread(warn_of_rules, body.rules, source.catalog)
        there = known_attributes(await asyncio.to_thread(guard.users.list))
        warnings = [*warn_of_attributes(body.rules, there), *warnings]
    made = _info(await asyncio.to_thread(guard.grants.put, connection.id, body.kind, subject, body.rules), names)
    told = [text.zh if language == "zh" else text.en for text in warnings]
    return made.model_copy(update={"warnings": told})


@router.delete("/{grant_id}", status_code=204)
async def remove(grant_id: str, user: UserAdmin, guard: Guard) -> Response:
    """Take a grant back."""
    await asyncio.to_thread(guard.grants.remove, grant_id)
    return Response(status_code=204)


def _bad(en: str, zh: str) -> BadRequest:
    return BadRequest.because(en[:300], zh[:300], detail=en)


def _info(grant: Grant, names: dict[str, str]) -> GrantInfo:
    return GrantInfo(
        id=grant.id,
        connection_id=grant.connection_id,
        kind=grant.kind,
        subject=names.get(grant.subject, grant.subject),
        rules=grant.rules,
        created=grant.created,
    )
