"""Groups of users, for administrators; what is granted to a group is granted to each of its members."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.auditing import deed
from inquery.api.bodies import ChangedGroup, NewGroup
from inquery.api.identity import Guard, Identity
from inquery.api.rights import UserAdmin
from inquery.store.groups import Group

router = APIRouter(prefix="/groups", tags=["groups"])


class GroupInfo(BaseModel):
    """A group; `members` are names of users."""

    id: str
    name: str
    members: list[str]
    created: datetime.datetime


@router.get("")
async def all_groups(user: UserAdmin, guard: Guard) -> list[GroupInfo]:
    """Every group by name."""
    found = await asyncio.to_thread(guard.groups.list)
    names = await _names(guard)
    return [_info(group, names) for group in found]


@router.post("", status_code=201)
async def add(body: NewGroup, user: UserAdmin, guard: Guard, request: Request) -> GroupInfo:
    """A new group."""
    deed(request, target=body.name)
    members = await _ids(guard, body.members)
    made = await asyncio.to_thread(guard.groups.add, body.name, members)
    return _info(made, await _names(guard))


@router.patch("/{group_id}")
async def change(group_id: str, body: ChangedGroup, user: UserAdmin, guard: Guard, request: Request) -> GroupInfo:
    """Another name, or other members; what they may read changes with their next request."""
    members = None if body.members is None else await _ids(guard, body.members)
    made = await asyncio.to_thread(lambda: guard.groups.change(group_id, name=body.name, members=members))
    deed(request, target=made.name)
    return _info(made, await _names(guard))


@router.delete("/{group_id}", status_code=204)
async def remove(group_id: str, user: UserAdmin, guard: Guard, request: Request) -> Response:
    """Forget a group with what was granted to it; its members stay."""
    gone = await asyncio.to_thread(guard.groups.remove, group_id)
    deed(request, target=gone.name)
    return Response(status_code=204)


async def _ids(guard: Identity, given: Sequence[str]) -> list[str]:
    """The ids of users by id or name; raises NotFound."""
    return [(await asyncio.to_thread(guard.users.get, each)).id for each in given]


async def _names(guard: Identity) -> dict[str, str]:
    return {each.id: each.name for each in await asyncio.to_thread(guard.users.list)}


def _info(group: Group, names: dict[str, str]) -> GroupInfo:
    members = sorted(names[each] for each in group.members if each in names)
    return GroupInfo(id=group.id, name=group.name, members=members, created=group.created)
