"""Conversations that are shared: read-only, and no more of them than a reader's own rights let through."""

from __future__ import annotations

import asyncio
import datetime

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.agents.events import DoneEvent
from inquery.answers.answer import Answer
from inquery.api.identity import Guard, User
from inquery.api.rights import Sharer
from inquery.api.shared import Here, Shared
from inquery.errors import NotFound, Text
from inquery.sql import Policy
from inquery.store.paths import paths_of
from inquery.store.shares import Share, Shares

router = APIRouter(tags=["shares"])


class ShareInfo(BaseModel):
    """A link; the page shows it at `path`."""

    id: str
    thread_id: str
    path: str
    created: datetime.datetime


class SharedThread(BaseModel):
    """A conversation of somebody; `hidden` answers were read under rights that the reader has not."""

    title: str
    owner: str
    mine: bool
    changed: datetime.datetime
    answers: list[Answer]
    hidden: int


@router.post("/threads/{thread_id}/share")
async def share(thread_id: str, user: Sharer, here: Here) -> ShareInfo:
    """A link to a conversation of yours, for people who may ask the same database."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    return _info(await asyncio.to_thread(Shares(here.store).put, thread_id, user.id))


@router.get("/threads/{thread_id}/share")
async def shared(thread_id: str, user: Sharer, here: Here) -> ShareInfo:
    """The link of a conversation of yours, if there is one."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    found = await asyncio.to_thread(Shares(here.store).of_thread, thread_id)
    if found is None:
        raise NotFound(thread_id, what=Text("shared conversation", "共享的对话"), name=thread_id)
    return _info(found)


@router.delete("/threads/{thread_id}/share", status_code=204)
async def unshare(thread_id: str, user: Sharer, here: Here) -> Response:
    """The link leads nowhere any more."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    await asyncio.to_thread(Shares(here.store).remove_thread, thread_id)
    return Response(status_code=204)


@router.get("/shared/{share_id}")
async def read(share_id: str, user: Sharer, here: Here, guard: Guard) -> SharedThread:
    """A shared conversation, with the answers that you could have had yourself."""
    link = await asyncio.to_thread(Shares(here.store).get, share_id)
    thread = await asyncio.to_thread(here.threads.get, link.thread_id, link.owner)
    answers = await _answers(here, link)
    seen = [answer for answer in answers if may_read(user, answer)]
    if answers and not seen:
        raise NotFound(share_id, what=Text("shared conversation", "共享的对话"), name=share_id)
    return SharedThread(
        title=thread.title,
        owner=await _name(guard, link.owner),
        mine=link.owner == user.id,
        changed=thread.changed,
        answers=seen,
        hidden=len(answers) - len(seen),
    )


def may_read(user: User, answer: Answer) -> bool:
    """Whether an answer holds nothing that the user could not have read."""
    if not user.sees(answer.connection_id):
        return False
    mine = user.policy(answer.connection_id)
    return mine.hash == answer.permission or mine == Policy(row_cap=mine.row_cap)


async def _answers(here: Shared, link: Share) -> list[Answer]:
    found = []
    for run_id in (await asyncio.to_thread(paths_of, here.store, link.thread_id)).shown:
        events = await here.runs.replay(User(link.owner), run_id)
        found += [event.answer for event in events if isinstance(event, DoneEvent)]
    return found


async def _name(guard: Guard, owner: str) -> str:
    try:
        return (await asyncio.to_thread(guard.users.get, owner)).name
    except NotFound:  # this machine's own user, or one who has left
        return owner if owner == "local" else ""


def _info(link: Share) -> ShareInfo:
    return ShareInfo(id=link.id, thread_id=link.thread_id, path=f"/shared/{link.id}", created=link.created)
