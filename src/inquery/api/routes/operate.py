"""How the server does: the model, what people spend, and what the caches save."""

from __future__ import annotations

import asyncio
import datetime
import time
from typing import Annotated, Any

from fastapi import APIRouter, Query
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ValidationError

from inquery.api.bodies import TryModel
from inquery.api.identity import Guard
from inquery.api.rights import RIGHTS, Browser, Operator
from inquery.api.shared import Here, Language
from inquery.errors import BadRequest, Forbidden, InqueryError
from inquery.llm.providers import refuse_keyless, withhold_key
from inquery.llm.usage import UsageMeter
from inquery.llm.writers import chat_model_for, model_name, writer_for
from inquery.settings import LLMSettings
from inquery.store.spending import spending_day

router = APIRouter(tags=["operate"])


class ModelInfo(BaseModel):
    """The model that writes statements; its address is for administrators, its key for nobody."""

    provider: str
    model: str
    name: str
    base_url: str | None
    has_key: bool
    privacy: str
    ready: bool
    reason: str


class Tested(BaseModel):
    """What a try of the model gave."""

    ok: bool
    ms: float
    code: str = ""
    message: str = ""


class DayOfUse(BaseModel):
    """One user's day, by UTC."""

    user_id: str
    user_name: str
    day: str
    runs: int
    model_calls: int
    tokens: int
    cost: float
    cache_hits: int


class UsageInfo(BaseModel):
    """What was spent, and how much of it a day allows; 0 is no limit."""

    days: list[DayOfUse]
    tokens_per_day: int
    cost_per_day: float
    tokens_today: int
    cost_today: float


@router.get("/model")
async def model(user: Browser, here: Here, language: Language) -> ModelInfo:
    """Which model is set up, and whether it can be used."""
    settings, reason = here.settings.llm, ""
    try:
        await asyncio.to_thread(_opened, settings)
    except InqueryError as error:
        reason = error.public_message(language)
    shown = settings.base_url if user.may(RIGHTS["operate"].role) else None
    return ModelInfo(
        provider=settings.provider,
        model=settings.model,
        name=model_name(settings),
        base_url=shown,
        has_key=bool(settings.api_key.get_secret_value()),
        privacy=here.settings.privacy,
        ready=not reason,
        reason=reason,
    )


@router.post("/model/test")
async def test_model(body: TryModel, user: Operator, here: Here, language: Language) -> Tested:
    """Call the model once: the one that is set up, or one as described; nothing is kept."""
    stored = here.settings.llm
    try:
        given = {name: value for name, value in body.model_dump().items() if value is not None}
        settings = LLMSettings.model_validate(stored.model_dump() | given)
    except ValidationError as error:
        raise BadRequest.because("these are no settings of a model", "模型设置无效", detail=str(error)) from error
    if body.api_key is None:  # the stored key is for its own provider and address alone; an empty one says none
        settings = withhold_key(stored, settings)
    started = time.perf_counter()
    try:
        refuse_keyless(stored, settings, own=body.api_key is not None)
        await _called(settings)
    except InqueryError as error:
        ms = round((time.perf_counter() - started) * 1000, 1)
        return Tested(ok=False, ms=ms, code=error.code, message=error.public_message(language))
    return Tested(ok=True, ms=round((time.perf_counter() - started) * 1000, 1))


@router.get("/usage")
async def usage(
    user: Browser,
    here: Here,
    guard: Guard,
    days: Annotated[int, Query(ge=1, le=366)] = 30,
    everyone: Annotated[bool, Query(description="of all users; administrators")] = False,
) -> UsageInfo:
    """What you spent of late, or everybody."""
    if everyone and not user.may(RIGHTS["operate"].role):
        raise Forbidden("usage")
    first = (datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=days - 1)).isoformat()
    spending = here.limits.spending
    found = await asyncio.to_thread(spending.since, first, None if everyone else user.id)
    now = await asyncio.to_thread(spending.of, user.id, spending_day())
    names = {each.id: each.name for each in await asyncio.to_thread(guard.users.list)}
    counted = ("day", "runs", "model_calls", "tokens", "cost", "cache_hits")
    lines = [
        DayOfUse(
            user_id=each.user_id,
            user_name=names.get(each.user_id, each.user_id if each.user_id == "local" else ""),
            **{name: getattr(each, name) for name in counted},
        )
        for each in found
    ]
    server = here.settings.server
    return UsageInfo(
        days=lines,
        tokens_per_day=server.user_tokens,
        cost_per_day=server.user_cost,
        tokens_today=now.tokens,
        cost_today=now.cost,
    )


@router.get("/caches")
async def caches(user: Operator, here: Here) -> dict[str, Any]:
    """How the caches of this worker are used."""
    services = here.services
    return {
        "exact": services.exact.stats() if services.exact else None,
        "semantic": services.semantic.stats() if services.semantic else None,
    }


def _opened(settings: LLMSettings) -> None:
    """Raise ModelMissing where the model cannot be had; weights are looked for, not loaded."""
    if settings.provider == "embedded" and not settings.model:
        from inquery.llm.embedded.weights import find_model

        find_model()
    else:
        writer_for(settings)


async def _called(settings: LLMSettings) -> None:
    chat = await asyncio.to_thread(chat_model_for, settings)
    if chat is None:
        await asyncio.to_thread(writer_for, settings)
        return
    await chat.complete([HumanMessage("Answer with the single word: ready")], usage=UsageMeter.of(settings))
