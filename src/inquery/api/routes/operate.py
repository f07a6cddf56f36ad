"""How the server does: the model, what people spend, and what the caches save."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import time
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, ValidationError

from inquery.api.bodies import TryModel
from inquery.api.identity import Guard
from inquery.api.rights import RIGHTS, Browser, Operator
from inquery.api.shared import Here, Language
from inquery.databases.transport.outgoing import check_url, rules_of_people
from inquery.errors import BadRequest, Forbidden, InqueryError
from inquery.llm.providers import refuse_keyless, withhold_key
from inquery.llm.writers import IN_PROCESS, check_ready, model_name, writer_for
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
    """What a try of the model gave: of one that works, how it is asked; else why not, with the provider's own words."""

    ok: bool
    ms: float
    code: str = ""
    message: str = ""
    detail: str = ""
    method: str = Field("", description="function_calling, tools_auto, json_schema, json_mode or text")
    calls: int = Field(0, description="calls it took to find out how the model is asked; a question takes one")


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


class ModelOfUse(BaseModel):
    """What one user spent on one model in a day, by UTC."""

    user_id: str
    user_name: str
    day: str
    model: str
    calls: int
    tokens: int
    cost: float


class UsageInfo(BaseModel):
    """What was spent, and how much of it a day allows; 0 is no limit."""

    days: list[DayOfUse]
    models: list[ModelOfUse]
    tokens_per_day: int
    cost_per_day: float
    tokens_today: int
    cost_today: float


@router.get("/model")
async def model(user: Browser, here: Here, language: Language) -> ModelInfo:
    """Which model is set up, and whether it can be used."""
    settings, reason = here.settings.llm, ""
    try:
        await check_ready(settings, home=here.settings.home)
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
    """Have the model write a statement: the one that is set up, or one as described; nothing is kept."""
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
        if body.base_url:
            await asyncio.to_thread(check_url, body.base_url, rules_of_people(here.settings))
        refuse_keyless(stored, settings, own=body.api_key is not None)
        return await tested(settings, here.settings.home)
    except InqueryError as error:
        ms = round((time.perf_counter() - started) * 1000, 1)
        return Tested(ok=False, ms=ms, code=error.code, message=error.public_message(language), detail=error.said)


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
    on_models = await asyncio.to_thread(spending.on_models, first, None if everyone else user.id)

    def name_of(user_id: str) -> str:
        return names.get(user_id, user_id if user_id == "local" else "")

    counted = ("day", "runs", "model_calls", "tokens", "cost", "cache_hits")
    lines = [
        DayOfUse(
            user_id=each.user_id,
            user_name=name_of(each.user_id),
            **{name: getattr(each, name) for name in counted},
        )
        for each in found
    ]
    server = here.settings.server
    return UsageInfo(
        days=lines,
        models=[ModelOfUse(user_name=name_of(each.user_id), **dataclasses.asdict(each)) for each in on_models],
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


async def tested(settings: LLMSettings, home: Path) -> Tested:
    """A model tried as questions use it; raises ModelUnavailable."""
    started = time.perf_counter()
    if settings.provider in IN_PROCESS:
        await asyncio.to_thread(writer_for, settings)
        return Tested(ok=True, ms=round((time.perf_counter() - started) * 1000, 1))
    from inquery.llm.model_trial import try_model

    trial = await try_model(settings, home=home)
    return Tested(ok=True, ms=trial.ms, method=trial.shape.method, calls=trial.calls)
