"""A database for whoever sees it first: what is in it, and what only a person can say of it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from inquery.agents.data_profile import DataProfile
from inquery.agents.run import Request
from inquery.api.access import source_of
from inquery.api.rights import Asker, Browser, GlossaryEditor
from inquery.api.shared import Here, Language
from inquery.knowledge.glossary_files import glossary_of, save_glossary
from inquery.knowledge.setup_questions import SetupQuestion, answer_question, setup_questions

router = APIRouter(prefix="/connections/{connection_id}", tags=["first look"])


class SetupReply(BaseModel):
    """A reply to a question: the key of an option, meanings as value=meaning, or nothing to pass it over."""

    id: str = Field(max_length=500)
    reply: str = Field("", max_length=2000)


@router.get("/profile")
async def data_profile(
    connection_id: str,
    user: Asker,
    here: Here,
    language: Language,
    spoken: Annotated[Literal["en", "zh"] | None, Query(alias="language", description="of the questions")] = None,
) -> DataProfile:
    """What is in a database; `status` is working while questions are tried, and `done` of `total` were."""
    source, policy = await source_of(here, user, connection_id)
    request = Request(user=user.id, tenant=user.tenant, access=user.policy)
    return await here.looks.get(here.runner, source, policy, request, spoken or language)


@router.get("/setup")
async def setup(connection_id: str, user: Browser, here: Here) -> list[SetupQuestion]:
    """Up to ten questions that only a person can answer, with what was replied."""
    source, policy = await source_of(here, user, connection_id)
    return await asyncio.to_thread(setup_questions, source.seen(policy), source.narrowed(policy).glossary)


@router.post("/setup")
async def reply(connection_id: str, body: SetupReply, user: GlossaryEditor, here: Here) -> list[SetupQuestion]:
    """Reply to one, or pass it over; the glossary has it at once. Returns all as they are then."""
    source, policy = await source_of(here, user, connection_id)

    def kept() -> None:
        known = glossary_of(source.id, here.store)
        made = answer_question(body.id, body.reply, source.seen(policy), source.narrowed(policy).glossary, known)
        save_glossary(source.id, made, here.store)

    await asyncio.to_thread(kept)
    here.services.sources.forget(source.id)
    return await setup(connection_id, user, here)
