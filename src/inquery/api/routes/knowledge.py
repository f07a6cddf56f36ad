"""What a connection's people taught: samples and the glossary."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from inquery.agents.questions.connection_glossary import glossary_for
from inquery.api.access import connection_of, source_of
from inquery.api.bodies import ColumnWords, Description, GlossaryBody, NewSample, YamlText
from inquery.api.identity import User
from inquery.api.rights import RIGHTS, Browser, GlossaryEditor, Reviewer, Sampler
from inquery.api.shared import Here, Shared
from inquery.catalog.browse import named_table
from inquery.catalog.visible import visible_catalog
from inquery.errors import Forbidden, NotFound, Text
from inquery.knowledge.glossary import About, Both, Glossary, Shown, parse_glossary, plain_glossary
from inquery.knowledge.glossary_files import dump_glossary, glossary_of, load_glossary, save_glossary
from inquery.knowledge.narrowing import seen_glossary, seen_samples
from inquery.knowledge.samples import Samples, dump_samples, load_samples, problem_of
from inquery.store.sample_rows import SampleRow

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
async def samples(connection_id: str, user: Browser, here: Here) -> list[SampleInfo]:
    """The approved samples of a database and your own; administrators see all, for review."""
    source, policy = await source_of(here, user, connection_id)
    await here.services.samples_for(source)  # the demo's own are there before its first question
    rows = await _samples(here).list(source.id, None if user.may(RIGHTS["review"].role) else user.id)
    seen = await asyncio.to_thread(seen_samples, rows, source.catalog, policy, user.id)
    return [_info(row, user) for row in seen]


@router.post("/connections/{connection_id}/samples", status_code=201)
async def add_sample(connection_id: str, body: NewSample, user: Sampler, here: Here) -> SampleInfo:
    """Propose a pair: yours alone until it is approved."""
    source, policy = await source_of(here, user, connection_id)
    kept = _samples(here)
    row = await kept.add(source.id, body.question, body.sql, user=user.id, dialect=source.dialect)
    problem = await asyncio.to_thread(problem_of, row, visible_catalog(source.catalog, policy))
    if problem != row.problem:
        row = await asyncio.to_thread(lambda: kept.rows.change(row.id, problem=problem))
    return _info(row, user)


@router.get("/connections/{connection_id}/samples.yaml", response_class=PlainTextResponse)
async def export_samples(connection_id: str, user: Browser, here: Here) -> PlainTextResponse:
    """The approved samples and your own as YAML."""
    source, policy = await source_of(here, user, connection_id)
    await here.services.samples_for(source)  # the demo's own are there before its first question
    rows = await _samples(here).list(source.id, user.id)
    seen = await asyncio.to_thread(seen_samples, rows, source.catalog, policy, user.id)
    return PlainTextResponse(dump_samples(seen))


@router.post("/connections/{connection_id}/samples.yaml")
async def import_samples(connection_id: str, body: YamlText, user: Reviewer, here: Here) -> Imported:
    """Add approved samples from YAML."""
    source, _ = await source_of(here, user, connection_id)
    kept = _samples(here)
    pairs = await asyncio.to_thread(load_samples, body.yaml)
    made = await kept.add_all(source.id, pairs, approved=True, dialect=source.dialect, source="import")
    await kept.recheck(source.id, source.catalog)
    return Imported(samples=len(made))


@router.post("/samples/{sample_id}/approve")
async def approve_sample(sample_id: str, user: Reviewer, here: Here) -> SampleInfo:
    """Let everyone on the connection use a pair."""
    kept = _samples(here)
    await asyncio.to_thread(kept.rows.get, sample_id)
    return _info(await kept.approve(sample_id), user)


@router.delete("/samples/{sample_id}", status_code=204)
async def remove_sample(sample_id: str, user: Browser, here: Here) -> Response:
    """Forget a pair of yours; administrators any."""
    kept = _samples(here)
    place, row = await asyncio.to_thread(kept.rows.get, sample_id)
    if row.owner != user.id and not user.may(RIGHTS["review"].role):
        told = row.approved and user.sees(place)
        raise Forbidden() if told else NotFound(sample_id, what=Text("sample", "样例"), name=sample_id)
    await kept.remove(sample_id)
    return Response(status_code=204)


@router.get("/connections/{connection_id}/glossary")
async def glossary(connection_id: str, user: Browser, here: Here) -> GlossaryInfo:
    """What a database's people call things."""
    return GlossaryInfo(glossary=plain_glossary(await _glossary(connection_id, user, here)))


@router.put("/connections/{connection_id}/glossary")
async def save(connection_id: str, body: GlossaryBody, user: GlossaryEditor, here: Here) -> Saved:
    """Keep a glossary in place of the last one."""
    return await _saved(connection_id, parse_glossary(body.glossary), user, here)


@router.get("/connections/{connection_id}/glossary.yaml", response_class=PlainTextResponse)
async def glossary_yaml(connection_id: str, user: Browser, here: Here) -> PlainTextResponse:
    """The glossary as YAML."""
    return PlainTextResponse(dump_glossary(await _glossary(connection_id, user, here)))


@router.put("/connections/{connection_id}/glossary.yaml")
async def save_yaml(connection_id: str, body: YamlText, user: GlossaryEditor, here: Here) -> Saved:
    """Keep a glossary given as YAML."""
    return await _saved(connection_id, await asyncio.to_thread(load_glossary, body.yaml), user, here)


@router.put("/connections/{connection_id}/descriptions")
async def describe(connection_id: str, body: Description, user: GlossaryEditor, here: Here) -> Saved:
    """Say what a table or a column holds, in either language; an empty text takes it back."""
    source, policy = await source_of(here, user, connection_id)
    found = named_table(source.seen(policy), body.table)
    if body.column is not None and body.column not in {column.name for column in found.columns}:
        raise NotFound(body.column, what=Text("column", "列"), name=body.column)
    kept = await asyncio.to_thread(glossary_of, source.id, here.store)
    about = kept.tables.get(found.full_name, About())
    said = Both(en=body.en.strip(), zh=body.zh.strip())
    if body.column is None:
        about = about.model_copy(update={"description": said})
    else:
        columns = {name: text for name, text in about.columns.items() if name != body.column}
        about = about.model_copy(update={"columns": columns | ({body.column: said} if said else {})})
    return await _saved(
        connection_id, kept.model_copy(update={"tables": {**kept.tables, found.full_name: about}}), user, here
    )


@router.put("/connections/{connection_id}/tables/{table}/columns/{column}")
async def word_column(
    connection_id: str, table: str, column: str, body: ColumnWords, user: GlossaryEditor, here: Here
) -> Saved:
    """Say what a column is called and means, how its numbers look and what its codes stand for."""
    source, policy = await source_of(here, user, connection_id)
    found = named_table(source.seen(policy), table)
    known = found.column(column)
    if known is None:
        raise NotFound(column, what=Text("column", "列"), name=column)
    place = f"{found.full_name}.{known.name}"
    kept = await asyncio.to_thread(glossary_of, source.id, here.store)
    about = kept.tables.get(found.full_name, About())
    columns = {name: text for name, text in about.columns.items() if name != known.name}
    columns |= {known.name: body.description} if body.description else {}
    shown = Shown(label=body.label, format=body.format, unit=body.unit.strip())
    values = dict(kept.values)
    if body.values is not None:
        values.pop(place, None)
        meant = {code: tuple(word for word in words if word.strip()) for code, words in body.values.items()}
        values |= {place: told} if (told := {code: words for code, words in meant.items() if words}) else {}
    changed = {
        "tables": {**kept.tables, found.full_name: about.model_copy(update={"columns": columns})},
        "shown": {name: each for name, each in kept.shown.items() if name != place} | ({place: shown} if shown else {}),
        "values": values,
    }
    return await _saved(connection_id, kept.model_copy(update=changed), user, here)


async def _glossary(connection_id: str, user: User, here: Shared) -> Glossary:
    """The glossary, without what it says of tables and columns the user may not see."""
    connection = await connection_of(here, user, connection_id)
    found = await asyncio.to_thread(glossary_for, connection, here.settings)
    policy = user.policy(connection.id)
    if policy.tables is None and not policy.hidden_columns:
        return found
    source = await here.services.sources.open(connection.id)
    return seen_glossary(found, source.seen(policy))


async def _saved(connection_id: str, made: Glossary, user: User, here: Shared) -> Saved:
    connection = await connection_of(here, user, connection_id)
    version = await asyncio.to_thread(save_glossary, connection.id, made, here.store)
    here.services.sources.forget(connection.id)
    return Saved(version=version)


def _samples(here: Shared) -> Samples:
    assert here.services.samples is not None
    return here.services.samples


def _info(row: SampleRow, user: User) -> SampleInfo:
    return SampleInfo(
        id=row.id,
        question=row.question,
        sql=row.sql,
        language=row.language,
        approved=row.approved,
        mine=row.owner == user.id,
        source=row.source,
        problem=row.problem,
    )
