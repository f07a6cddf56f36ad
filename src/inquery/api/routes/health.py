"""Whether the server lives, whether it can work and if not why, and its counts."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from inquery.api.error_answers import LOG
from inquery.api.rights import Operator
from inquery.api.shared import Here, Language, Shared
from inquery.errors import HomeUnusable, InqueryError, ServerBusy, StoreDown, Text
from inquery.home import check_in_place, check_writable, explain_failure
from inquery.llm.writers import check_ready
from inquery.memory.checkpoints import threads_reachable

router = APIRouter(tags=["health"])


class Check(BaseModel):
    """One thing the server needs; `required` ones decide whether it is ready."""

    name: str
    ok: bool
    required: bool = True
    reason: str = ""


class Ready(BaseModel):
    """Whether questions can be answered, and what stands in the way."""

    ready: bool
    version: str
    checks: list[Check]


@router.get("/health/live")
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "live"}


@router.get("/health/ready", response_model=Ready, responses={503: {"model": Ready}})
async def ready(here: Here, language: Language) -> JSONResponse:
    """Whether questions can be answered now, each reason in a sentence."""
    checks = [
        await asyncio.to_thread(_files, here, language),
        await asyncio.to_thread(_store, here, language),
        await _threads(here, language),
        await _cache(here, language),
        _queue(here, language),
        await _model(here, language),
    ]
    well = all(check.ok for check in checks if check.required)
    found = Ready(ready=well, version=version("inquery"), checks=checks)
    return JSONResponse(found.model_dump(), 200 if well else 503)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(user: Operator, here: Here) -> PlainTextResponse:
    """Counts in Prometheus's text format."""
    return PlainTextResponse(here.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _files(here: Shared, language: str) -> Check:
    """Whether files are in their place and can be written: a full disk lets everything be read, and no answer be kept."""
    try:
        check_in_place(here.settings.home, here.files)  # before anything is written, which would make the folder anew
        check_writable(here.settings.home)
    except HomeUnusable as error:
        LOG.warning("the home failed: %s", error)
        return Check(name="files", ok=False, reason=error.public_message(language))
    return Check(name="files", ok=True)


def _store(here: Shared, language: str) -> Check:
    """Whether it answers and takes changes, which a standby or a file of somebody else's does not."""
    try:
        with here.store.engine.connect() as connection, connection.begin() as change:
            # SQLite lets a transaction that means to write begin on a file that it cannot write.
            connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
            change.rollback()
    except SQLAlchemyError as error:
        LOG.warning("the store failed: %s", error)
        known = explain_failure(error, "inquery.sqlite") or StoreDown()
        return Check(name="store", ok=False, reason=known.public_message(language))
    return Check(name="store", ok=True)


async def _threads(here: Shared, language: str) -> Check:
    if await threads_reachable(here.saver):
        return Check(name="threads", ok=True)
    return Check(name="threads", ok=False, reason=StoreDown().public_message(language))


async def _cache(here: Shared, language: str) -> Check:
    """Without Redis each worker keeps its own answers, so it is not required."""
    exact = here.services.exact
    if exact is None or await exact.reachable():
        return Check(name="cache", ok=True, required=False)
    reason = Text("Redis does not answer; each worker keeps its own cache", "Redis 没有响应；各进程使用自己的缓存")
    return Check(name="cache", ok=False, required=False, reason=reason.zh if language == "zh" else reason.en)


def _queue(here: Shared, language: str) -> Check:
    settings = here.settings.server
    if here.gate.held >= settings.concurrent_runs + settings.queue:
        reason = ServerBusy(seconds=here.gate.wait_s()).public_message(language)
        return Check(name="queue", ok=False, reason=reason)
    return Check(name="queue", ok=True)


async def _model(here: Shared, language: str) -> Check:
    """Without a model statements can still be run and old answers read, so it is not required."""
    settings = here.settings.llm
    try:
        await check_ready(settings, home=here.settings.home)
    except InqueryError as error:
        return Check(name="model", ok=False, required=False, reason=error.public_message(language))
    return Check(name="model", ok=True, required=False, reason=settings.provider)
