"""What a connection's people taught: samples and the glossary."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from inquery.agents.glossary import glossary_for
from inquery.api.bodies import GlossaryBody, NewSample, YamlText
from inquery.api.identity import Admin, Analyst, CurrentUser, User
from inquery.api.state import Here, Shared
from inquery.errors import Forbidden, NotFound, Text
from inquery.knowledge.glossary import parse_glossary, plain_glossary
from inquery.knowledge.glossary_files import dump_glossary, load_glossary, save_glossary
from inquery.knowledge.samples import Samples, dump_samples, load_samples, problem_of
from inquery.store.samples import SampleRow

router = APIRouter(tags=["knowledge"])


class SampleInfo(BaseModel):
    """A question with its statement; `problem` says why it no longer fits the schema."""

    id: str
    question: str
    sql: str
    language: str
    approved: bool
    mine: bool
    source: str
    problem: str


class GlossaryInfo(BaseModel):
    """The glossary of a connection as plain data."""

    glossary: dict[str, Any]


class Saved(BaseModel):
    version: int


class Imported(BaseModel):
    samples: int


@router.get("/connections/{connection_id}/samples")
async def samples(connection_id: str, user: CurrentUser, here: Here) -> list[SampleInfo]:
    """The approved samples of a database and your own; administrators see all, for review."""
    known, kept = await _kept(connection_id, here)
    rows = await kept.list(known, None if user.may("admin") else user.id)
    return [_info(row, user) for row in rows]


@router.post("/connections/{connection_id}/samples", status_code=201)
async def add_sample(connection_id: str, body: NewSample, user: Analyst, here: Here) -> SampleInfo:
    """Propose a pair: yours alone until it is approved."""
    source = await here.services.sources.open(connection_id)
    _, kept = await _kept(connection_id, here)
    row = await kept.add(source.id, body.question, body.sql, user=user.id, dialect=source.dialect)
    problem = await asyncio.to_thread(problem_of, row, source.catalog)
    if problem != row.problem:
        row = await asyncio.to_thread(lambda: kept.rows.change(row.id, problem=problem))
    return _info(row, user)


@router.get("/connections/{connection_id}/samples.yaml", response_class=PlainTextResponse)
async def export_samples(connection_id: str, user: CurrentUser, here: Here) -> PlainTextResponse:
    """The approved samples and your own as YAML."""
    known, kept = await _kept(connection_id, here)
    return PlainTextResponse(dump_samples(await kept.list(known, user.id)))


@router.post("/connections/{connection_id}/samples.yaml")
async def import_samples(connection_id: str, body: YamlText, user: Admin, here: Here) -> Imported:
    """Add approved samples from YAML."""
    source = await here.services.sources.open(connection_id)
    _, kept = await _kept(connection_id, here)
    pairs = await asyncio.to_thread(load_samples, body.yaml)
    made = await kept.add_all(source.id, pairs, approved=True, dialect=source.dialect, source="import")
    await kept.recheck(source.id, source.catalog)
    return Imported(samples=len(made))


@router.post("/samples/{sample_id}/approve")
async def approve_sample(sample_id: str, user: Admin, here: Here) -> SampleInfo:
    """Let everyone on the connection use a pair."""
    kept = _samples(here)
    await asyncio.to_thread(kept.rows.get, sample_id)
    return _info(await kept.approve(sample_id), user)


@router.delete("/samples/{sample_id}", status_code=204)
async def remove_sample(sample_id: str, user: CurrentUser, here: Here) -> Response:
    """Forget a pair of yours; administrators any."""
    kept = _samples(here)
    _, row = await asyncio.to_thread(kept.rows.get, sample_id)
    if row.owner != user.id and not user.may("admin"):
        raise Forbidden() if row.approved else NotFound(sample_id, what=Text("sample", "样例"), name=sample_id)
    await kept.remove(sample_id)
    return Response(status_code=204)


@router.get("/connections/{connection_id}/glossary")
async def glossary(connection_id: str, user: CurrentUser, here: Here) -> GlossaryInfo:
    """What a database's people call things."""
    connection = await here.services.sources.connection(connection_id)
    found = await asyncio.to_thread(glossary_for, connection, here.settings)
    return GlossaryInfo(glossary=plain_glossary(found))


@router.put("/connections/{connection_id}/glossary")
async def save(connection_id: str, body: GlossaryBody, user: Admin, here: Here) -> Saved:
    """Keep a glossary in place of the last one."""
    return await _saved(connection_id, parse_glossary(body.glossary), here)


@router.get("/connections/{connection_id}/glossary.yaml", response_class=PlainTextResponse)
async def glossary_yaml(connection_id: str, user: CurrentUser, here: Here) -> PlainTextResponse:
    """The glossary as YAML."""
    connection = await here.services.sources.connection(connection_id)
    return PlainTextResponse(dump_glossary(await asyncio.to_thread(glossary_for, connection, here.settings)))


@router.put("/connections/{connection_id}/glossary.yaml")
async def save_yaml(connection_id: str, body: YamlText, user: Admin, here: Here) -> Saved:
    """Keep a glossary given as YAML."""
    return await _saved(connection_id, await asyncio.to_thread(load_glossary, body.yaml), here)


async def _saved(connection_id: str, made: Any, here: Shared) -> Saved:
    connection = await here.services.sources.connection(connection_id)
    version = await asyncio.to_thread(save_glossary, connection.id, made, here.store)
    here.services.sources.forget(connection.id)
    return Saved(version=version)


async def _kept(connection_id: str, here: Shared) -> tuple[str, Samples]:
    connection = await here.services.sources.connection(connection_id)
    return connection.id, _samples(here)


def _samples(here: Shared) -> Samples:
    assert here.services.samples is not None
    return here.services.samples


def _info(row: SampleRow, user: User) -> SampleInfo:
    return SampleInfo(
        id=row.id, question=row.question, sql=row.sql, language=row.language, approved=row.approved,
        mine=row.owner == user.id, source=row.source, problem=row.problem,
    )  # fmt: skip
