"""Conversations: what there is, what was said, how they went, and their end."""

from __future__ import annotations

import asyncio
import datetime
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from inquery.api.access import connection_of
from inquery.api.bodies import LARGEST, Fork, NewThread, Rename, StreamEvent, Version
from inquery.api.rights import Asker
from inquery.api.shared import Here
from inquery.api.thumbs import last_answer_of
from inquery.api.versions import show
from inquery.errors import NotFound, Text
from inquery.memory.thread_history import delete_thread, history, messages_of, thread_config
from inquery.store.paths import paths_of
from inquery.store.shares import Shares
from inquery.store.thread_rows import Thread
from inquery.store.thumb_rows import ThumbRows, Verdict

router = APIRouter(prefix="/threads", tags=["threads"])


class ThreadInfo(BaseModel):
    """A conversation."""

    id: str
    title: str
    connection_id: str
    created: datetime.datetime
    changed: datetime.datetime


class Said(BaseModel):
    """One line of a conversation."""

    role: str
    text: str


class ThreadHistory(ThreadInfo):
    """A conversation with what was said, the answer a next question may refer to, and which runs took others' places."""

    messages: list[Said]
    turns: list[dict[str, Any]]
    last_answer: dict[str, Any]
    runs: list[str]
    versions: dict[str, list[str]]
    verdicts: dict[str, Verdict] = Field(default_factory=dict, description="thumbs, by run")


class Moment(BaseModel):
    """A checkpoint; a conversation can be forked from it."""

    checkpoint_id: str
    step: int
    next: list[str]
    created: str
    question: str


class RunEvents(BaseModel):
    """The events of a run behind a number; `ended` when there will be no more."""

    run_id: str
    ended: bool
    events: list[StreamEvent]


@router.get("")
async def all_threads(
    user: Asker,
    here: Here,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
) -> list[ThreadInfo]:
    """Your conversations, the last used first."""
    found = await asyncio.to_thread(lambda: here.threads.list(user.id, limit=limit, offset=offset))
    return [_info(thread) for thread in found]


@router.post("", status_code=201)
async def begin(body: NewThread, user: Asker, here: Here) -> ThreadInfo:
    """An empty conversation; its id is made here, so that nobody can guess one."""
    made, place = secrets.token_urlsafe(16), ""
    if body.connection_id:
        place = (await connection_of(here, user, body.connection_id)).id
    return _info(
        await asyncio.to_thread(lambda: here.threads.open(made, user.id, connection_id=place, title=body.title))
    )


@router.get("/{thread_id}")
async def one(thread_id: str, user: Asker, here: Here) -> ThreadHistory:
    """A conversation with its history."""
    thread = await asyncio.to_thread(here.threads.get, thread_id, user.id)
    values = (await here.runner.graph.aget_state(thread_config(thread_id))).values
    said = await messages_of(here.saver, thread_id)
    paths = await asyncio.to_thread(paths_of, here.store, thread_id)
    return ThreadHistory(
        **_info(thread).model_dump(),
        messages=[Said(role=m.role, text=m.text) for m in said],
        turns=list(values.get("turns") or ()),
        last_answer=last_answer_of(values),
        runs=list(paths.shown),
        versions=paths.versions(),
        verdicts=await asyncio.to_thread(ThumbRows(here.store).of_thread, thread_id),
    )


@router.patch("/{thread_id}")
async def rename(thread_id: str, body: Rename, user: Asker, here: Here) -> ThreadInfo:
    """Another title."""
    return _info(await asyncio.to_thread(here.threads.rename, thread_id, user.id, body.title))


@router.delete("/{thread_id}", status_code=204)
async def remove(thread_id: str, user: Asker, here: Here) -> Response:
    """Forget a conversation wholly: checkpoints, results and events."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    here.runs.stop_thread(user, thread_id)
    await delete_thread(here.saver, here.threads, thread_id, user.id)
    await asyncio.to_thread(Shares(here.store).remove_thread, thread_id)
    return Response(status_code=204)


@router.get("/{thread_id}/checkpoints")
async def checkpoints(
    thread_id: str, user: Asker, here: Here, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[Moment]:
    """The moments of a conversation, newest first."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    found = await history(here.runner.graph, thread_id, limit=limit)
    return [
        Moment(
            checkpoint_id=m.checkpoint_id,
            step=m.step,
            next=list(m.next),
            created=m.created,
            question=str(m.values.get("question", "")),
        )
        for m in found
    ]


@router.post("/{thread_id}/fork", status_code=201)
async def fork(thread_id: str, body: Fork, user: Asker, here: Here) -> ThreadInfo:
    """A new conversation that begins where another one was; the other stays as it is."""
    thread = await asyncio.to_thread(here.threads.get, thread_id, user.id)
    place = thread_config(thread_id, body.checkpoint_id)
    values = (await here.runner.graph.aget_state(place)).values
    if not values:
        raise NotFound(body.checkpoint_id, what=Text("checkpoint", "检查点"), name=body.checkpoint_id)
    made = secrets.token_urlsafe(16)
    begun = await asyncio.to_thread(
        lambda: here.threads.open(made, user.id, connection_id=thread.connection_id, title=thread.title)
    )
    await here.runner.graph.aupdate_state(thread_config(made), {**values, "thread_id": made}, as_node="remember")
    return _info(begun)


@router.post("/{thread_id}/version")
async def version(thread_id: str, body: Version, user: Asker, here: Here) -> ThreadHistory:
    """Show another version of a conversation, by a run that took the place of another or was replaced."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    await show(here.runner.graph, here.threads, thread_id, body.run_id)
    return await one(thread_id, user, here)


@router.get("/{thread_id}/events")
async def events(
    thread_id: str,
    user: Asker,
    here: Here,
    run_id: Annotated[str, Query(max_length=64, description="the last run without one")] = "",
    after: Annotated[int, Query(ge=0, le=LARGEST, description="the number of the last event you have")] = 0,
) -> RunEvents:
    """The events of a run, so that a stream that broke off can be taken up, through any worker."""
    await asyncio.to_thread(here.threads.get, thread_id, user.id)
    known = await asyncio.to_thread(here.runs.log.runs, thread_id)
    wanted = run_id or (known[-1] if known else "")
    if wanted not in known:
        raise NotFound(wanted, what=Text("run", "运行"), name=wanted or "…")
    ended = await asyncio.to_thread(here.runs.log.ended, wanted)
    found = await here.runs.replay(user, wanted, after=after)
    return RunEvents(run_id=wanted, ended=ended, events=[StreamEvent(event) for event in found])


def _info(thread: Thread) -> ThreadInfo:
    return ThreadInfo(
        id=thread.id,
        title=thread.title,
        connection_id=thread.connection_id,
        created=thread.created,
        changed=thread.changed,
    )
