"""Thumbs."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from pydantic import BaseModel

from inquery.api.auditing import deed
from inquery.api.bodies import Feedback
from inquery.api.rights import Asker
from inquery.api.shared import Here
from inquery.api.thumbs import judged_answer, take_back, thumb_down, thumb_up

router = APIRouter(tags=["feedback"])


class Noted(BaseModel):
    """What became of a thumb: the id of the proposed sample, or what was emptied."""

    verdict: str
    sample_id: str | None = None


@router.post("/feedback")
async def feedback(body: Feedback, user: Asker, here: Here, request: Request) -> Noted:
    """Say whether an answer was right: up proposes it as a sample, down empties the caches of it, none takes it back."""
    await asyncio.to_thread(here.threads.get, body.thread_id, user.id)
    judged = await judged_answer(here, user, body.thread_id, body.run_id or "")
    why = ": ".join(part for part in (body.reason or "", body.note.strip()) if part)
    # The audit log is where whoever looks after the answers reads what was wrong, beside the statement.
    deed(request, connection_id=judged.connection_id, target=f"{body.verdict} {why}".strip()[:200], sql=judged.sql)
    if body.verdict == "up":
        return Noted(verdict="up", sample_id=(await thumb_up(here, user, judged)).id)
    if body.verdict == "down":
        await thumb_down(here, user, body.thread_id, judged)
    else:
        await take_back(here, user, judged)
    return Noted(verdict=body.verdict)
