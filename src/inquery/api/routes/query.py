"""Questions: streamed, in one piece, resumed and cancelled."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response

from inquery.agents.questions.question_bounds import check_length, check_question
from inquery.agents.run import Request as RunRequest
from inquery.answers.answer import Answer
from inquery.api.access import connection_of, sees_profile
from inquery.api.bodies import ApprovalReply, Question, Resume, StreamEvent
from inquery.api.identity import User
from inquery.api.presence import while_there
from inquery.api.rights import Asker
from inquery.api.runs import Live
from inquery.api.shared import Here, Language, Shared
from inquery.api.streams import EventStream
from inquery.errors import BadRequest, NotFound, Text
from inquery.llm.model_choice import choose_model
from inquery.store.profiles import Profiles

router = APIRouter(tags=["query"])
Key = Annotated[
    str | None, Header(alias="Idempotency-Key", max_length=200, description="the same key twice is one run")
]


@router.post("/query/stream", response_class=EventStream, responses={200: {"model": StreamEvent}})
async def stream(body: Question, user: Asker, here: Here, language: Language, key: Key = None) -> EventStream:
    """Ask, and receive the events of the run as they happen; leaving stops it."""
    return EventStream(await _asked(body, user, here, language, key, can_ask=True))


@router.post("/query")
async def query(
    body: Question, user: Asker, here: Here, language: Language, request: Request, key: Key = None
) -> Answer:
    """Ask, and receive the answer in one piece; leaving stops the run."""
    return await _answer(await _asked(body, user, here, language, key, can_ask=False), request)


@router.post("/query/resume", response_class=EventStream, responses={200: {"model": StreamEvent}})
async def resume(body: Resume, user: Asker, here: Here, language: Language) -> EventStream:
    """Reply to a clarification or an approval, or go on after a crash; the events of what follows."""
    return EventStream(await _resumed(body, user, here, language))


@router.post("/query/resume/sync")
async def resume_sync(body: Resume, user: Asker, here: Here, language: Language, request: Request) -> Answer:
    """The same, in one piece."""
    return await _answer(await _resumed(body, user, here, language), request)


@router.post("/runs/{run_id}/cancel", status_code=204)
async def cancel(run_id: str, user: Asker, here: Here) -> Response:
    """Stop a run, and its statement on the database."""
    await here.runs.stop(user, run_id)
    return Response(status_code=204)


async def _asked(body: Question, user: User, here: Shared, language: str, key: str | None, *, can_ask: bool) -> Live:
    connection_id = await _check(body, user, here)
    request = RunRequest(
        body.question,
        thread_id=body.thread_id or "",
        connection_id=connection_id,
        agent_id=body.agent_id or "",
        user=user.id,
        tenant=user.tenant,
        access=user.policy,
        model=body.model or "",
        refresh=body.refresh,
        can_ask=can_ask if body.can_ask is None else body.can_ask,
        page=body.page,
        page_size=body.page_size,
        count_rows=body.count_rows,
    )
    mark = hashlib.sha256(body.model_dump_json().encode()).hexdigest()
    replaces = body.replaces or ""
    return await here.runs.ask(user, request, key=key or "", mark=mark, language=language, replaces=replaces)


async def _check(body: Question, user: User, here: Shared) -> str:
    """What can be refused with a status is refused before the stream begins; returns the database that is meant."""
    check_question(body.question, here.settings.agent.question_characters)
    thread = await asyncio.to_thread(here.threads.get, body.thread_id, user.id) if body.thread_id else None
    if body.replaces:
        await _check_replaced(body, here)
    profile = await asyncio.to_thread(Profiles(here.store).get, body.agent_id) if body.agent_id else None
    if profile is not None and not await sees_profile(here, user, profile):
        raise NotFound(profile.id, what=Text("analyst", "分析师"), name=body.agent_id)
    if body.model:
        await asyncio.to_thread(choose_model, body.model, here.settings)
    if body.connection_id == "auto":
        return "auto"
    chosen = thread is not None or (profile is not None and profile.content.connections) or user.grants is None
    if body.connection_id is None and chosen:
        return ""  # the thread's own, else the profile's or the default: the run knows, and asks for the user's rights
    return (await connection_of(here, user, body.connection_id)).id


async def _check_replaced(body: Question, here: Shared) -> None:
    """What a question replaces is of its thread; whether it is shown still is asked when the run begins."""
    if not body.thread_id:
        raise BadRequest.because(
            "a question that replaces another needs its conversation (thread_id)",
            "替换一个问题时需要给出它的对话（thread_id）",
        )
    if body.replaces not in await asyncio.to_thread(here.runs.log.runs, body.thread_id):
        raise NotFound(body.replaces or "", what=Text("run", "运行"), name=body.replaces)


async def _resumed(body: Resume, user: User, here: Shared, language: str) -> Live:
    await asyncio.to_thread(here.threads.get, body.thread_id, user.id)
    request = RunRequest(thread_id=body.thread_id, user=user.id, tenant=user.tenant, access=user.policy)
    reply: Any = body.reply
    if isinstance(reply, str):
        check_length(reply, here.settings.agent.question_characters)
    if isinstance(reply, ApprovalReply):
        reply = reply.model_dump(exclude_none=True)
    return await here.runs.resume(user, request, reply, language)


async def _answer(live: Live, request: Request) -> Answer:
    """The run's answer, unless the caller goes away first."""
    live.join()
    try:
        return await while_there(request, live.last())
    finally:
        live.leave()
