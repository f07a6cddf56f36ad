"""Thumbs, and the answers that somebody called wrong."""

from __future__ import annotations

import asyncio
import datetime

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import connection_of
from inquery.api.auditing import deed
from inquery.api.bodies import Feedback
from inquery.api.identity import Guard
from inquery.api.rights import Asker, Reviewer
from inquery.api.shared import Here
from inquery.api.thumbs import Judged, judged_answer, take_back, thumb_down, thumb_up
from inquery.store.thumb_rows import ThumbRows

router = APIRouter(tags=["feedback"])


class Noted(BaseModel):
    """What became of a thumb: the id of the proposed sample, or what was emptied."""

    verdict: str
    sample_id: str | None = None


class WrongAnswer(BaseModel):
    """An answer that somebody called wrong: what they asked, the statement, and what they said of it."""

    run_id: str
    question: str
    sql: str
    reason: str
    note: str
    user: str
    at: datetime.datetime


@router.post("/feedback")
async def feedback(body: Feedback, user: Asker, here: Here, request: Request) -> Noted:
    """Say whether an answer was right: up proposes it as a sample, down empties the caches of it, none takes it back."""
    await asyncio.to_thread(here.threads.get, body.thread_id, user.id)
    judged = await judged_answer(here, user, body.thread_id, body.run_id or "")
    why = ": ".join(part for part in (body.reason or "", body.note.strip()) if part)
    deed(request, connection_id=judged.connection_id, target=f"{body.verdict} {why}".strip()[:200], sql=judged.sql)
    noted = Noted(verdict=body.verdict)
    if body.verdict == "up":
        await take_back(here, user, judged)  # a second thumb for one answer proposes it once
        noted = Noted(verdict="up", sample_id=(await thumb_up(here, user, judged)).id)
    elif body.verdict == "down":
        await thumb_down(here, user, body.thread_id, judged)
    else:
        await take_back(here, user, judged)
    if judged.run_id:
        await asyncio.to_thread(_keep, ThumbRows(here.store), body, user.id, judged)
    return noted


@router.get("/connections/{connection_id}/feedback")
async def wrong_answers(connection_id: str, user: Reviewer, here: Here, guard: Guard) -> list[WrongAnswer]:
    """Answers about a database that people called wrong and nobody has seen to, the last first."""
    connection = await connection_of(here, user, connection_id)
    found = await asyncio.to_thread(ThumbRows(here.store).waiting, connection.id)
    names = {each.id: each.name for each in await asyncio.to_thread(guard.users.list)}
    return [
        WrongAnswer(
            run_id=each.run_id,
            question=each.question,
            sql=each.sql,
            reason=each.reason,
            note=each.note,
            user=names.get(each.owner, each.owner),
            at=each.at,
        )
        for each in found
    ]


@router.delete("/feedback/{run_id}", status_code=204)
async def settle(run_id: str, user: Reviewer, here: Here, request: Request) -> Response:
    """Take a wrong answer off the queue: it was seen to; the thumb of its owner stays."""
    gone = await asyncio.to_thread(ThumbRows(here.store).settle, run_id)
    deed(request, connection_id=gone.connection_id, target=run_id)
    return Response(status_code=204)


def _keep(rows: ThumbRows, body: Feedback, owner: str, judged: Judged) -> None:
    """The thumb is there when the conversation is opened again, and one that is taken back leaves the queue."""
    if body.verdict == "none":
        rows.remove(judged.run_id)
        return
    rows.put(
        judged.run_id,
        body.thread_id,
        owner,
        judged.connection_id,
        question=judged.question,
        sql=judged.sql,
        verdict=body.verdict,
        reason=body.reason or "",
        note=body.note.strip(),
    )
