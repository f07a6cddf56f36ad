"""The audit log, for administrators: page by page, and as a file."""

from __future__ import annotations

import asyncio
import csv
import datetime
import io
import json
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, BaseModel

from inquery.answers.export import safe_text
from inquery.api.rights import Auditor
from inquery.api.shared import Here
from inquery.store.audit import Deed

router = APIRouter(prefix="/audit", tags=["audit"])
CHUNK = 500
COLUMNS = (
    "id",
    "at",
    "user_id",
    "user_name",
    "address",
    "action",
    "target",
    "connection_id",
    "outcome",
    "sql_hash",
    "sql",
    "rows",
    "ms",
)


class AuditEntry(BaseModel):
    """One deed."""

    id: int
    at: datetime.datetime
    user_id: str
    user_name: str
    address: str
    action: str
    target: str
    connection_id: str
    outcome: str
    sql_hash: str
    sql: str | None
    rows: int | None
    ms: float | None


class AuditPage(BaseModel):
    """Entries newest first; `next` is the `before` of the following page, None at the end."""

    entries: list[AuditEntry]
    next: int | None


class Filters:
    """What the entries have in common."""

    def __init__(
        self,
        user_id: Annotated[str, Query(max_length=200)] = "",
        action: Annotated[str, Query(max_length=80)] = "",
        connection_id: Annotated[str, Query(max_length=200)] = "",
        outcome: Annotated[str, Query(max_length=60)] = "",
        since: Annotated[AwareDatetime | None, Query()] = None,
        until: Annotated[AwareDatetime | None, Query()] = None,
    ) -> None:
        self.given: dict[str, Any] = {
            "user_id": user_id,
            "action": action,
            "connection_id": connection_id,
            "outcome": outcome,
            "since": since,
            "until": until,
        }


@router.get("")
async def entries(
    user: Auditor,
    here: Here,
    filters: Annotated[Filters, Depends()],
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> AuditPage:
    """What was done, newest first."""
    found = await asyncio.to_thread(lambda: here.audit.page(before=before, limit=limit, **filters.given))
    following = found[-1].id if len(found) == limit else None
    return AuditPage(entries=[_info(entry) for entry in found], next=following)


@router.get("/export", response_class=StreamingResponse)
async def export(
    user: Auditor,
    here: Here,
    filters: Annotated[Filters, Depends()],
    form: Annotated[Literal["csv", "jsonl"], Query(alias="format")] = "csv",
) -> StreamingResponse:
    """Every entry that fits, as a file."""
    kind = "text/csv; charset=utf-8" if form == "csv" else "application/x-ndjson"
    headers = {"content-disposition": f'attachment; filename="inquery-audit.{form}"'}
    found = here.audit.all(**filters.given)
    return StreamingResponse(_written(found, form), media_type=kind, headers=headers)


async def _written(found: Iterator[Deed], form: str) -> AsyncIterator[str]:
    if form == "csv":
        yield ",".join(COLUMNS) + "\r\n"
    while batch := await asyncio.to_thread(lambda: list(islice(found, CHUNK))):
        yield "".join(_line(entry, form) for entry in batch)


def _line(entry: Deed, form: str) -> str:
    row = _info(entry).model_dump(mode="json")
    if form == "jsonl":
        return json.dumps(row, ensure_ascii=False) + "\n"
    out = io.StringIO()
    csv.writer(out).writerow([safe_text(row[name]) if isinstance(row[name], str) else row[name] for name in COLUMNS])
    return out.getvalue()


def _info(entry: Deed) -> AuditEntry:
    return AuditEntry(**{name: getattr(entry, name) for name in AuditEntry.model_fields})
