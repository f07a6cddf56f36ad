"""Thumbs."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel

from inquery.api.bodies import Feedback
from inquery.api.rights import Asker
from inquery.api.shared import Here
from inquery.api.thumbs import thumb_down, thumb_up

router = APIRouter(tags=["feedback"])


class Noted(BaseModel):
    """What became of a thumb: the id of the proposed sample, or what was emptied."""

    verdict: str
    sample_id: str | None = None


@router.post("/feedback")
async def feedback(body: Feedback, user: Asker, here: Here) -> Noted:
    """Say whether a thread's last answer was right: up proposes it as a sample, down empties the caches of it."""
    await asyncio.to_thread(here.threads.get, body.thread_id, user.id)
    if body.verdict == "up":
        return Noted(verdict="up", sample_id=(await thumb_up(here, user, body.thread_id)).id)
    await thumb_down(here, user, body.thread_id)
    return Noted(verdict="down")
