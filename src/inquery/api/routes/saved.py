"""Questions that people keep."""

from __future__ import annotations

import asyncio
import datetime

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import connection_of
from inquery.api.bodies import ChangedSaved, NewSaved
from inquery.api.identity import User
from inquery.api.rights import Asker
from inquery.api.shared import Here
from inquery.store.saved import SavedQuestion, SavedQuestions

router = APIRouter(prefix="/saved", tags=["saved"])


class SavedInfo(BaseModel):
    """A kept question."""

    id: str
    question: str
    title: str
    connection_id: str
    pinned: bool
    shared: bool
    mine: bool
    created: datetime.datetime


@router.get("")
async def all_saved(user: Asker, here: Here) -> list[SavedInfo]:
    """Your questions, and those shared about databases you may ask: pinned first, then the newest."""
    found = await asyncio.to_thread(SavedQuestions(here.store).list, user.id)
    return [_info(each, user) for each in found if each.owner == user.id or user.sees(each.connection_id)]


@router.post("", status_code=201)
async def add(body: NewSaved, user: Asker, here: Here) -> SavedInfo:
    """Keep a question."""
    place = (await connection_of(here, user, body.connection_id)).id
    made = await asyncio.to_thread(
        lambda: SavedQuestions(here.store).add(
            user.id, place, body.question, title=body.title, pinned=body.pinned, shared=body.shared
        )
    )
    return _info(made, user)


@router.patch("/{saved_id}")
async def change(saved_id: str, body: ChangedSaved, user: Asker, here: Here) -> SavedInfo:
    """Change a question of yours."""
    fields = {name: value for name, value in body.model_dump().items() if value is not None}
    return _info(await asyncio.to_thread(lambda: SavedQuestions(here.store).change(saved_id, user.id, **fields)), user)


@router.delete("/{saved_id}", status_code=204)
async def remove(saved_id: str, user: Asker, here: Here) -> Response:
    """Forget a question of yours."""
    await asyncio.to_thread(SavedQuestions(here.store).remove, saved_id, user.id)
    return Response(status_code=204)


def _info(saved: SavedQuestion, user: User) -> SavedInfo:
    shown = {name: getattr(saved, name) for name in SavedInfo.model_fields if name != "mine"}
    return SavedInfo(**shown, mine=saved.owner == user.id)
