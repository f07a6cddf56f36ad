"""Users, for administrators."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Mapping
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.agents.forgetting import forget_user
from inquery.api.access import connections_of
from inquery.api.auditing import deed
from inquery.api.bodies import ChangedUser, NewPassword, NewUser
from inquery.api.identity import Guard, User
from inquery.api.rights import UserAdmin
from inquery.api.shared import Here
from inquery.api.uploaded import forget_uploads
from inquery.store import Connection, default_connection
from inquery.store.grants import Kind
from inquery.store.groups import Group
from inquery.store.users import Role, StoredUser

router = APIRouter(prefix="/users", tags=["users"])


class UserInfo(BaseModel):
    """A user; one without a password signs in through a provider; `groups` are names."""

    id: str
    name: str
    role: Role
    disabled: bool
    has_password: bool
    from_provider: bool
    attributes: dict[str, str] = {}
    groups: list[str] = []
    created: datetime.datetime


class SeenTable(BaseModel):
    """A table as a person sees it; `rows` is the condition that their rows meet, empty for all rows."""

    name: str
    columns: int
    hidden_columns: int
    rows: str


class SeenDatabase(BaseModel):
    """A database as a person sees it; `by` says whose grant decides, `groups` which ones where it is a group's."""

    connection_id: str
    name: str
    by: Kind | Literal["admin", "demo"]
    groups: list[str]
    downloads: bool
    tables: list[SeenTable]
    hidden_tables: int


@router.get("")
async def all_users(user: UserAdmin, guard: Guard) -> list[UserInfo]:
    """Every user by name."""
    inside = _names_by_member(await asyncio.to_thread(guard.groups.list))
    return [_info(each, inside) for each in await asyncio.to_thread(guard.users.list)]


@router.post("", status_code=201)
async def add(body: NewUser, user: UserAdmin, guard: Guard, request: Request) -> UserInfo:
    """A new user with a password."""
    deed(request, target=body.name)
    return _info(await asyncio.to_thread(guard.users.add, body.name, body.password.get_secret_value(), body.role))


@router.get("/{user_id}")
async def one(user_id: str, user: UserAdmin, guard: Guard) -> UserInfo:
    """A user by id or name."""
    inside = _names_by_member(await asyncio.to_thread(guard.groups.list))
    return _info(await asyncio.to_thread(guard.users.get, user_id), inside)


@router.get("/{user_id}/sees")
async def sees(user_id: str, user: UserAdmin, guard: Guard, here: Here) -> list[SeenDatabase]:
    """What a person sees of each database: tables and columns that are there for them, and which rows."""
    person = await guard.known(await asyncio.to_thread(guard.users.get, user_id), "")
    demo = await asyncio.to_thread(default_connection, here.settings)
    granting = await asyncio.to_thread(guard.grants.list)
    groups = [each for each in await asyncio.to_thread(guard.groups.list) if person.id in each.members]
    found = []
    for connection in (*await connections_of(here, person), demo):
        granted = {each.subject for each in granting if each.connection_id == connection.id and each.kind == "group"}
        inside = [group.name for group in groups if group.id in granted]
        found.append(await _seen(connection, person, inside, here))
    return found


async def _seen(connection: Connection, person: User, groups: list[str], here: Here) -> SeenDatabase:
    grant = (person.grants or {}).get(connection.id)
    by = "admin" if person.grants is None else "demo" if grant is None else grant.kind
    policy = person.policy(connection.id)
    source = await here.services.sources.open(connection.id)
    shown = {table.full_name: len(table.columns) for table in source.seen(policy).tables}
    tables = [
        SeenTable(
            name=table.full_name,
            columns=shown.get(table.full_name, 0),
            hidden_columns=len(table.columns) - shown.get(table.full_name, 0),
            rows=policy.row_filters.get(table.full_name) or policy.row_filters.get(table.name) or "",
        )
        for table in source.catalog.tables
        if table.full_name in shown
    ]
    hidden = len(source.catalog.tables) - len(tables)
    return SeenDatabase(
        connection_id=connection.id,
        name=connection.name,
        by=by,
        groups=groups if by == "group" else [],
        downloads=person.may_download(connection.id),
        tables=tables,
        hidden_tables=hidden,
    )


@router.patch("/{user_id}")
async def change(user_id: str, body: ChangedUser, user: UserAdmin, guard: Guard) -> UserInfo:
    """Another role, in or out, other attributes; whoever is out has no session left, and their keys do not open."""

    def changed() -> StoredUser:
        return guard.users.change(user_id, role=body.role, disabled=body.disabled, attributes=body.attributes)

    return _info(await asyncio.to_thread(changed))


@router.put("/{user_id}/password")
async def set_password(user_id: str, body: NewPassword, user: UserAdmin, guard: Guard) -> UserInfo:
    """Another password; every session of the user ends."""
    return _info(await asyncio.to_thread(guard.users.set_password, user_id, body.password.get_secret_value()))


@router.delete("/{user_id}", status_code=204)
async def remove(user_id: str, user: UserAdmin, guard: Guard, here: Here) -> Response:
    """Forget a user with all that is theirs: keys, conversations, results, memories, samples, reports, uploaded files."""
    gone = await asyncio.to_thread(guard.users.remove, user_id)
    here.runs.stop_user(gone.id)
    await forget_user(here.services, here.saver, gone.id)
    for connection_id in await asyncio.to_thread(forget_uploads, here.settings, here.store, gone.id):
        here.services.sources.forget(connection_id)
    return Response(status_code=204)


def _names_by_member(groups: list[Group]) -> Mapping[str, list[str]]:
    """The names of each user's groups."""
    members = {member for group in groups for member in group.members}
    return {member: [group.name for group in groups if member in group.members] for member in members}


def _info(user: StoredUser, groups: Mapping[str, list[str]] | None = None) -> UserInfo:
    return UserInfo(
        id=user.id,
        name=user.name,
        role=user.role,
        disabled=user.disabled,
        has_password=user.has_password,
        from_provider=user.subject is not None,
        attributes=dict(user.attributes),
        groups=(groups or {}).get(user.id, []),
        created=user.created,
    )
