"""API keys: your own, and for administrators everybody's."""

from __future__ import annotations

import asyncio
import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.bodies import NewKey
from inquery.api.identity import Guard, User
from inquery.api.rights import RIGHTS, KeyHolder
from inquery.errors import BadRequest, Forbidden, NotFound, Text
from inquery.store.credentials import ApiKey

router = APIRouter(prefix="/keys", tags=["keys"])


class KeyInfo(BaseModel):
    """A key as it may be shown."""

    id: str
    user_id: str
    name: str
    prefix: str
    created: datetime.datetime
    expires: datetime.datetime | None
    used: datetime.datetime | None
    revoked: datetime.datetime | None


class NewKeyInfo(KeyInfo):
    """A new key with its whole text, which is shown this once."""

    key: str


@router.get("")
async def all_keys(
    user: KeyHolder, guard: Guard, everyone: Annotated[bool, Query(description="of all users; administrators")] = False
) -> list[KeyInfo]:
    """Your keys, or everybody's."""
    if everyone and not _rules(user):
        raise Forbidden("keys")
    found = await asyncio.to_thread(guard.keys.list, None if everyone else user.id)
    return [_info(key) for key in found]


@router.post("", status_code=201)
async def create(body: NewKey, user: KeyHolder, guard: Guard) -> NewKeyInfo:
    """A new key with the rights of its user; send it as `Authorization: Bearer …`."""
    if body.user_id is not None and body.user_id != user.id and not _rules(user):
        raise Forbidden("keys")
    owner = body.user_id or user.id
    if owner == "local":
        raise BadRequest.because(
            "this machine's own user needs no key; name another", "本机用户无需密钥；请指定其他用户"
        )
    owner = (await asyncio.to_thread(guard.users.get, owner)).id
    days = guard.settings.identity.key_days if body.days is None else body.days or None
    made, text = await asyncio.to_thread(guard.keys.create, owner, body.name, days)
    return NewKeyInfo(**_info(made).model_dump(), key=text)


@router.delete("/{key_id}", status_code=204)
async def revoke(key_id: str, user: KeyHolder, guard: Guard) -> Response:
    """End a key at once."""
    known = await asyncio.to_thread(guard.keys.get, key_id)
    if known.user_id != user.id and not _rules(user):
        raise NotFound(key_id, what=Text("key", "密钥"), name=key_id[:100])
    await asyncio.to_thread(guard.keys.revoke, known.id)
    return Response(status_code=204)


def _rules(user: User) -> bool:
    return user.may(RIGHTS["users"].role)


def _info(key: ApiKey) -> KeyInfo:
    return KeyInfo(**{name: getattr(key, name) for name in KeyInfo.model_fields})
