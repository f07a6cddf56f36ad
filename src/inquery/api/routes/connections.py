"""Databases that can be asked: listed, tried, registered, renamed and removed."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import connection_of, connections_of
from inquery.api.bodies import ChosenModel, NewConnection, NewName, TryConnection
from inquery.api.identity import User
from inquery.api.rights import RIGHTS, Browser, ConnectionAdmin
from inquery.api.shared import Here, Language, Shared
from inquery.api.uploaded import remove_connection
from inquery.databases.transport.address import Address, parse_address
from inquery.errors import BadRequest
from inquery.llm.model_choice import choose_model
from inquery.store import Connection, Connections, Probe, default_connection, make_options, probe
from inquery.store.connections import absolute_address

router = APIRouter(prefix="/connections", tags=["connections"])
OPTIONS = frozenset({"privacy", "timezone", "week_start", "fiscal_year_start", "currency", "model"})


class ConnectionInfo(BaseModel):
    """A database; its address, with the password starred out, is for administrators.

    `downloads`: whether you may take rows and documents of it away as files.
    """

    id: str
    name: str
    engine: str
    address: str | None = None
    options: dict[str, Any]
    created: datetime.datetime
    downloads: bool = True


class Tried(BaseModel):
    """What a try of an address found."""

    dialect: str
    tables: int
    columns: int
    warnings: list[str]


class Added(ConnectionInfo):
    """A new database with what its try found."""

    found: Tried


@router.get("")
async def all_connections(user: Browser, here: Here) -> list[ConnectionInfo]:
    """Every database you may ask, the demo last."""
    known = await connections_of(here, user)
    demo = await asyncio.to_thread(default_connection, here.settings)
    return [info_of(connection, user) for connection in (*known, demo)]


@router.post("", status_code=201)
async def add(body: NewConnection, user: ConnectionAdmin, here: Here, language: Language) -> Added:
    """Try an address and keep it; its secrets are encrypted and never given back."""
    unknown = set(body.options) - OPTIONS
    if unknown:
        named = ", ".join(sorted(unknown))[:200]
        raise BadRequest.because(f"unknown options: {named}", f"未知选项：{named}", detail=named)
    if body.options.get("model"):
        await asyncio.to_thread(choose_model, str(body.options["model"]), here.settings)
    options = make_options(**body.options, allow_superuser=body.allow_superuser)
    address = absolute_address(parse_address(body.url))
    found = await _try(address, body.allow_superuser, here)
    made = await asyncio.to_thread(lambda: Connections(here.store).add(body.name, address.url, options=options))
    return Added(**info_of(made, user).model_dump(), found=tried(found, language))


@router.post("/test")
async def test_address(body: TryConnection, user: ConnectionAdmin, here: Here, language: Language) -> Tried:
    """Try an address without keeping it."""
    return tried(await _try(absolute_address(parse_address(body.url)), body.allow_superuser, here), language)


@router.get("/{connection_id}")
async def one(connection_id: str, user: Browser, here: Here) -> ConnectionInfo:
    """One database by id or name."""
    return info_of(await connection_of(here, user, connection_id), user)


@router.post("/{connection_id}/test")
async def test_registered(connection_id: str, user: ConnectionAdmin, here: Here, language: Language) -> Tried:
    """Try a registered database again."""
    known = await here.services.sources.connection(connection_id)
    return tried(await _try(known.address, known.options.allow_superuser, here), language)


@router.patch("/{connection_id}")
async def rename(connection_id: str, body: NewName, user: ConnectionAdmin, here: Here) -> ConnectionInfo:
    """Another name; the id stays."""
    made = await asyncio.to_thread(Connections(here.store).rename, connection_id, body.name)
    here.services.sources.forget(made.id)
    return info_of(made, user)


@router.put("/{connection_id}/model")
async def set_model(connection_id: str, body: ChosenModel, user: ConnectionAdmin, here: Here) -> ConnectionInfo:
    """Have a saved model answer questions about a database; empty for the server's own."""
    if body.model:
        await asyncio.to_thread(choose_model, body.model, here.settings)
    made = await asyncio.to_thread(Connections(here.store).set_model, connection_id, body.model)
    here.services.sources.forget(made.id)
    return info_of(made, user)


@router.delete("/{connection_id}", status_code=204)
async def remove(connection_id: str, user: ConnectionAdmin, here: Here) -> Response:
    """Forget a database with its catalogue and glossary; the database itself is not touched."""
    gone = await asyncio.to_thread(Connections(here.store).get, connection_id)
    await asyncio.to_thread(remove_connection, here.settings, here.store, gone)
    here.services.sources.forget(gone.id)
    if here.services.exact is not None:
        await here.services.exact.evict_connection(user.tenant, gone.id)
    return Response(status_code=204)


async def _try(address: Address, allow_superuser: bool, here: Shared) -> Probe:
    return await asyncio.to_thread(
        lambda: probe(address, allow_superuser=allow_superuser, settings=here.settings.database)
    )


def tried(found: Probe, language: str) -> Tried:
    """What a try found, in the caller's language."""
    warnings = [text.zh if language == "zh" else text.en for text in found.warnings]
    return Tried(dialect=found.dialect, tables=found.tables, columns=found.columns, warnings=warnings)


def info_of(connection: Connection, user: User) -> ConnectionInfo:
    """A database as a user may see it."""
    shown = connection.to_dict()
    if not user.may(RIGHTS["connections"].role):
        shown["address"] = None
    return ConnectionInfo(**shown, downloads=user.may_download(connection.id))
