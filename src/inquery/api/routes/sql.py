"""Statements that a person wrote or edited, through the same guard as every other."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from inquery.agents.context import Kept
from inquery.answers.answer import AnswerColumn, ChartSpec
from inquery.answers.chart_choice import choose_chart
from inquery.answers.formats import json_rows_aside
from inquery.api.access import connection_of
from inquery.api.bodies import Statement
from inquery.api.presence import while_there
from inquery.api.rights import SqlRunner
from inquery.api.shared import Here
from inquery.api.statements import run_statement

router = APIRouter(tags=["sql"])


class SqlResult(BaseModel):
    """Rows of a statement; `sql` is what ran, `result_id` is for pages and files."""

    sql: str
    columns: list[AnswerColumn]
    rows: list[list[Any]]
    row_count: int
    truncated: str | None
    ms: float
    result_id: str
    chart: ChartSpec | None


@router.post("/connections/{connection_id}/sql")
async def run(connection_id: str, body: Statement, user: SqlRunner, here: Here, request: Request) -> SqlResult:
    """Check a statement and run it; leaving stops it on the database."""
    if body.thread_id:
        await asyncio.to_thread(here.threads.get, body.thread_id, user.id)
    ran = await while_there(request, run_statement(here, user, connection_id, body.sql, body.rows))
    connection = await connection_of(here, user, connection_id)
    columns = tuple(AnswerColumn(name=column.name, kind=column.kind) for column in ran.result.columns)
    kept = Kept(columns, [list(row) for row in ran.result.rows], ran.text, ran.result.truncated, connection.id)
    result_id = await here.services.results.save(user.id, body.thread_id or "", kept)
    chart = await asyncio.to_thread(choose_chart, body.question, columns, kept.rows)
    return SqlResult(
        sql=ran.text,
        columns=list(columns),
        rows=await json_rows_aside(kept.rows),
        row_count=ran.result.row_count,
        truncated=ran.result.truncated,
        ms=round(ran.result.ms, 1),
        result_id=result_id,
        chart=chart,
    )
