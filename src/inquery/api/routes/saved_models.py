"""Language models by name: administrators keep and try them, everyone who asks may choose one."""

from __future__ import annotations

import asyncio
import datetime
import time
from contextlib import suppress

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.bodies import KeptModel
from inquery.api.rights import RIGHTS, Browser, Operator
from inquery.api.routes.operate import Tested, tested
from inquery.api.shared import Here, Language, Shared
from inquery.databases.transport.outgoing import check_url, rules_of_keepers
from inquery.errors import ConnectFailed, InqueryError
from inquery.llm.local_servers import find_local_servers
from inquery.llm.providers import COMPATIBLE
from inquery.store.model_rows import ModelContent, SavedModel, SavedModels

router = APIRouter(prefix="/models", tags=["models"])


class SavedModelInfo(BaseModel):
    """A model that may be chosen; its settings are for administrators, its key for nobody."""

    name: str
    provider: str
    model: str
    has_key: bool
    changed: datetime.datetime
    content: ModelContent | None


class ProviderInfo(BaseModel):
    """A provider that can be set up, with its public address, if it has one."""

    provider: str
    label: str
    address: str


class LocalServerInfo(BaseModel):
    """A model server that runs on the server's machine."""

    provider: str
    address: str
    models: list[str]


class ProvidersInfo(BaseModel):
    """What can be set up."""

    providers: list[ProviderInfo]
    local: list[LocalServerInfo]


@router.get("")
async def all_models(user: Browser, here: Here) -> list[SavedModelInfo]:
    """The models that a question may name."""
    found = await asyncio.to_thread(_kept(here).list)
    return [_info(each, whole=user.may(RIGHTS["operate"].role)) for each in found]


@router.get("/providers")
async def providers(user: Operator, here: Here, language: Language) -> ProvidersInfo:
    """Providers by name, and servers found on the server's own machine."""
    chinese = language == "zh"
    named = [
        ProviderInfo(provider=name, label=each.label.zh if chinese else each.label.en, address=each.address)
        for name, each in COMPATIBLE.items()
    ]
    named.append(ProviderInfo(provider="anthropic", label="Anthropic", address="https://api.anthropic.com"))
    named.append(ProviderInfo(provider="ollama", label="Ollama", address="http://localhost:11434"))
    local = [
        LocalServerInfo(provider=each.provider, address=each.address, models=list(each.models))
        for each in await find_local_servers()
    ]
    return ProvidersInfo(providers=named, local=local)


@router.put("/{name}")
async def save(name: str, body: KeptModel, user: Operator, here: Here) -> SavedModelInfo:
    """Keep a model; without `api_key` the one before keeps its key, as long as provider and address stay."""
    with suppress(ConnectFailed):  # a server that is away just now may be kept
        await _check_address(body.content, here)
    made = await asyncio.to_thread(_kept(here).save, name, body.content, body.api_key)
    return _info(made, whole=True)


@router.post("/{name}/test")
async def test_saved(name: str, user: Operator, here: Here, language: Language) -> Tested:
    """Have a saved model write a statement."""
    saved = await asyncio.to_thread(_kept(here).get, name)
    started = time.perf_counter()
    try:
        await _check_address(saved.content, here)
        return await tested(saved.settings(here.settings.llm), here.settings.home)
    except InqueryError as error:
        ms = round((time.perf_counter() - started) * 1000, 1)
        return Tested(ok=False, ms=ms, code=error.code, message=error.public_message(language), detail=error.said)


@router.delete("/{name}", status_code=204)
async def remove(name: str, user: Operator, here: Here) -> Response:
    """Forget a model and its key."""
    await asyncio.to_thread(_kept(here).remove, name)
    return Response(status_code=204)


async def _check_address(content: ModelContent, here: Shared) -> None:
    if content.base_url:
        await asyncio.to_thread(check_url, content.base_url, rules_of_keepers(here.settings))


def _kept(here: Shared) -> SavedModels:
    return SavedModels(here.store)


def _info(saved: SavedModel, *, whole: bool) -> SavedModelInfo:
    return SavedModelInfo(
        name=saved.name,
        provider=saved.content.provider,
        model=saved.content.model,
        has_key=bool(saved.api_key.get_secret_value()),
        changed=saved.changed,
        content=saved.content if whole else None,
    )
