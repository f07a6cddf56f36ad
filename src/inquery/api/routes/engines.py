"""Kinds of database that can be added: how each is addressed, and whether its driver is here."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from inquery.api.rights import EngineBrowser
from inquery.databases.engine_info import AddressField, EngineInfo
from inquery.databases.engine_list import ENGINES
from inquery.databases.registry import every_engine
from inquery.errors import Text

router = APIRouter(prefix="/engines", tags=["connections"])


class Wording(BaseModel):
    """A text in both languages."""

    en: str
    zh: str


class FieldInfo(BaseModel):
    """A field of the form: host, port, database, user, password or path, or else a parameter after the question mark."""

    name: str
    parameter: bool
    label: Wording
    default: str
    required: bool
    secret: bool


class EngineKind(BaseModel):
    """A kind of database: a file is addressed as scheme:///path, a server as scheme://user:password@host:port/database."""

    scheme: str
    label: Wording
    dialect: str
    kind: Literal["file", "server"]
    example: str
    fields: list[FieldInfo]
    suffixes: list[str]
    uploads: bool
    installed: bool
    extra: str | None
    plugin: bool


@router.get("")
async def all_engines(user: EngineBrowser) -> list[EngineKind]:
    """Every kind of database, those of plugins last; one whose driver is missing names the extra that installs it."""
    return await asyncio.to_thread(lambda: [_kind(about) for about in every_engine()])


def _kind(about: EngineInfo) -> EngineKind:
    return EngineKind(
        scheme=about.scheme,
        label=_both(about.label),
        dialect=about.dialect,
        kind="file" if about.is_file else "server",
        example=about.example,
        fields=[_field(each) for each in about.fields],
        suffixes=list(about.suffixes),
        uploads=about.uploads,
        installed=about.is_installed(),
        extra=about.extra or None,
        plugin=about.scheme not in ENGINES,
    )


def _field(field: AddressField) -> FieldInfo:
    return FieldInfo(
        name=field.name,
        parameter=field.parameter,
        label=_both(field.label),
        default=field.default,
        required=field.required,
        secret=field.secret,
    )


def _both(text: Text) -> Wording:
    return Wording(en=text.en, zh=text.zh)
