"""The data dictionary of a database: what its tables, columns and codes mean, from a file."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.access import source_of
from inquery.api.auditing import deed
from inquery.api.rights import GlossaryEditor
from inquery.api.routes.uploads import BINARY
from inquery.api.shared import Here
from inquery.knowledge.data_dictionary import entries_of, import_dictionary, remove_dictionary

router = APIRouter(prefix="/connections/{connection_id}/dictionary", tags=["dictionary"])


class MissingName(BaseModel):
    """A name of the file that is not there, and the nearest that are."""

    name: str
    nearest: list[str]


class DictionaryTaken(BaseModel):
    """What was taken of a file; `not_there` counts all names that are not, `missing` lists the first."""

    tables: int
    columns: int
    values: int
    not_there: int
    missing: list[MissingName]


class DictionaryKept(BaseModel):
    """What a database's dictionary describes."""

    tables: int
    columns: int
    values: int


@router.get("")
async def kept_dictionary(connection_id: str, user: GlossaryEditor, here: Here) -> DictionaryKept:
    """How much is described."""
    source, _ = await source_of(here, user, connection_id)
    entries = await asyncio.to_thread(entries_of, source.id, here.store)
    return DictionaryKept(
        tables=sum(not entry.column for entry in entries),
        columns=sum(bool(entry.column and entry.comment) for entry in entries),
        values=sum(len(entry.values) for entry in entries),
    )


@router.put("", openapi_extra={"requestBody": BINARY})
async def put_dictionary(
    connection_id: str,
    request: Request,
    user: GlossaryEditor,
    here: Here,
    filename: Annotated[str, Query(min_length=1, max_length=200, description="its ending says what the file is")],
) -> DictionaryTaken:
    """Send a CSV, XLSX, JSON, YAML or dbt file as the body; what it says of this database replaces what was kept."""
    source, policy = await source_of(here, user, connection_id)
    given = PurePath(filename.replace("\\", "/")).name
    deed(request, target=given)
    content = await request.body()
    seen = source.seen(policy)  # whose nearest names are told
    taken = await asyncio.to_thread(import_dictionary, source.id, content, given, seen, here.settings)
    here.services.sources.forget(source.id)
    return DictionaryTaken(
        tables=taken.tables,
        columns=taken.columns,
        values=taken.values,
        not_there=taken.not_there,
        missing=[MissingName(name=each.name, nearest=list(each.nearest)) for each in taken.missing],
    )


@router.delete("", status_code=204)
async def delete_dictionary(connection_id: str, user: GlossaryEditor, here: Here) -> Response:
    """Forget it; the comments of the database itself count again."""
    source, _ = await source_of(here, user, connection_id)
    await asyncio.to_thread(remove_dictionary, source.id, here.settings)
    here.services.sources.forget(source.id)
    return Response(status_code=204)
