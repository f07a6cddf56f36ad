"""Rows of an answer: page by page, and as files."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.answers.answer import AnswerColumn
from inquery.answers.export import told_rows, write_export
from inquery.answers.formats import json_rows_aside
from inquery.api.access import require_download
from inquery.api.bodies import LARGEST
from inquery.api.rights import Asker
from inquery.api.shared import Here
from inquery.errors import NotFound, Text
from inquery.store.results import KeptResult, ResultStore

router = APIRouter(prefix="/results", tags=["results"])
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

FOR_PEOPLE = ("csv", "xlsx")


class ResultRows(BaseModel):
    """One page; decimals and integers beyond 2^53 are strings."""

    columns: list[AnswerColumn]
    rows: list[list[Any]]
    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_next: bool
    has_prev: bool
    truncated: str | None


@router.get("/{result_id}")
async def page_of(
    result_id: str,
    user: Asker,
    here: Here,
    page: Annotated[int, Query(ge=1, le=LARGEST)] = 1,
    page_size: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> ResultRows:
    """A page of a result of yours."""
    found = await asyncio.to_thread(ResultStore(here.store).page, result_id, user.id, page, page_size)
    return ResultRows(
        columns=[AnswerColumn(**column) for column in found.columns],
        rows=await json_rows_aside(found.rows),
        page=found.page,
        page_size=found.page_size,
        total_count=found.total_count,
        total_pages=found.total_pages,
        has_next=found.has_next,
        has_prev=found.has_prev,
        truncated=found.truncated,
    )


@router.get("/{result_id}/export", response_class=Response)
async def export(
    result_id: str,
    user: Asker,
    here: Here,
    form: Annotated[Literal["csv", "xlsx", "parquet", "json", "jsonl"], Query(alias="format")] = "csv",
    name: Annotated[str, Query(max_length=200, description="of the file, without its ending")] = "inquery",
    told: Annotated[
        bool, Query(description="columns, codes and formats of csv and xlsx as the answer tells them")
    ] = False,
) -> Response:
    """A result of yours as a file; cells that a spreadsheet would run are made harmless."""
    kept = await asyncio.to_thread(ResultStore(here.store).load, result_id, user.id)
    if kept is None:
        raise NotFound(result_id, what=Text("result", "结果"), name=result_id)
    require_download(user, kept.connection_id)
    content = await asyncio.to_thread(_file, kept, form, told and form in FOR_PEOPLE)
    # The plain name is for readers that do not know the encoded one.
    encoded = quote(f"{name}.{form}", safe="")
    headers = {"content-disposition": f"attachment; filename=\"inquery.{form}\"; filename*=UTF-8''{encoded}"}
    if kept.truncated:
        headers["x-truncated"] = kept.truncated
    return Response(content, media_type=TYPES[form], headers=headers)


def _file(kept: KeptResult, form: str, told: bool) -> bytes:
    columns = [AnswerColumn(**column) for column in kept.columns]
    if not told:
        columns = [AnswerColumn(name=column.name, kind=column.kind) for column in columns]
    out = io.BytesIO()
    write_export(told_rows(columns, kept.rows), form, out)
    return out.getvalue()
