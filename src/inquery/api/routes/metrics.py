"""Metrics: what can be measured and by what, their figures by a plan, and the proposals that people accept."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field, model_validator

from inquery.agents.bilingual import Language as Spoken
from inquery.agents.metric_desk import (
    DimensionInfo,
    ImportReport,
    MetricDesk,
    MetricInfo,
    info_of,
    open_desk,
    parse_plan,
)
from inquery.answers.answer import Answer
from inquery.api.access import source_of
from inquery.api.auditing import deed
from inquery.api.bodies import Body, Filled, Name, Question
from inquery.api.identity import User
from inquery.api.measuring import run_plan
from inquery.api.presence import while_there
from inquery.api.rights import Asker, Browser, GlossaryEditor
from inquery.api.routes.query import Key, query
from inquery.api.routes.uploads import BINARY
from inquery.api.shared import Here, Language, Shared
from inquery.metrics.imports.metric_files import read_metric_file
from inquery.metrics.plan_types import Plan

router = APIRouter(prefix="/metrics", tags=["metrics"])
MOST = 20
Connection = Annotated[str | None, Query(max_length=200, description="id or name; without one as for a question")]
Word = Annotated[str, Field(min_length=1, max_length=200)]


class MetricList(BaseModel):
    """What can be measured, and what it can be split by."""

    metrics: list[MetricInfo]
    dimensions: list[DimensionInfo]


class MetricQuery(Body):
    """What is wanted: metrics with words for the rest, a whole plan, or a question. Exactly one of the three."""

    connection_id: Name | None = Field(None, description="id or name; without one the only database, else the demo")
    metrics: list[Word] = Field(default_factory=list, max_length=MOST, description="names of metrics")
    by: list[Word] = Field(default_factory=list, max_length=MOST, description="dimensions, or day, week, month, …")
    period: str = Field("", max_length=200, description="as people say it: last month, 2025")
    against: Literal["", "previous", "year_before"] = ""
    where: dict[str, list[str]] = Field(default_factory=dict, description="members of dimensions that count")
    top: Annotated[int, Field(ge=1, le=1000)] | None = None
    plan: dict[str, Any] | None = Field(None, description="all fields of a plan, as reading.plan.fields gives them")
    question: Annotated[Filled, Field(max_length=100_000)] | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> MetricQuery:
        if sum((bool(self.metrics), self.plan is not None, self.question is not None)) != 1:
            raise ValueError("give metrics, a plan or a question")
        return self


class MetricChange(Body):
    """Fields of a metric that change, by name; `label.en` and `label.zh` set one language, `label: {en, zh}` both."""

    changes: dict[str, Any]


@router.get("/definitions")  # /metrics itself counts for Prometheus
async def definitions(user: Browser, here: Here, language: Language, connection_id: Connection = None) -> MetricList:
    """The metrics of a database with what they can be split by; one that cannot be used says why."""
    desk = await _desk(here, user, connection_id, language)
    return MetricList(metrics=desk.metrics(), dimensions=desk.dimensions())


@router.get("/proposals")
async def proposals(
    user: Browser, here: Here, language: Language, connection_id: Connection = None
) -> list[MetricInfo]:
    """Metrics that the columns suggest and nobody keeps yet."""
    desk = await _desk(here, user, connection_id, language)
    return [info_of(metric) for metric in desk.proposals()]


@router.post("/query")
async def query_metrics(
    body: MetricQuery, user: Asker, here: Here, language: Language, request: Request, key: Key = None
) -> Answer:
    """The figures of a plan under your rights, answered as a question is; a question is asked as any other."""
    if body.question is not None:
        asked = Question(question=body.question, connection_id=body.connection_id)
        return await query(asked, user, here, language, request, key)
    desk = await _desk(here, user, body.connection_id, language)
    return await while_there(request, run_plan(here, user, desk, _plan(body, desk)))


@router.put("/import", openapi_extra={"requestBody": BINARY})
async def import_metrics(
    request: Request,
    user: GlossaryEditor,
    here: Here,
    language: Language,
    filename: Annotated[str, Query(min_length=1, max_length=200, description="its ending says what the file is")],
    connection_id: Connection = None,
) -> ImportReport:
    """Send our YAML, dbt's manifest.json, Cube, OSI or Excel as the body; what can be used is kept, the rest is told with why."""
    desk = await _desk(here, user, connection_id, language)
    given = PurePath(filename.replace("\\", "/")).name
    deed(request, target=given)
    content = await request.body()
    return await desk.import_metrics(await asyncio.to_thread(read_metric_file, given, content))


@router.post("/{name}/accept")
async def accept(
    name: str, user: GlossaryEditor, here: Here, language: Language, connection_id: Connection = None
) -> MetricInfo:
    """Keep a proposal; from then on answers may rely on it."""
    return await (await _desk(here, user, connection_id, language)).accept(name)


@router.patch("/{name}")
async def edit(
    name: str,
    body: MetricChange,
    user: GlossaryEditor,
    here: Here,
    language: Language,
    connection_id: Connection = None,
) -> MetricInfo:
    """Change a metric or make one; it is tried before it is kept."""
    return await (await _desk(here, user, connection_id, language)).edit(name, body.changes)


async def _desk(here: Shared, user: User, connection: str | None, language: str) -> MetricDesk:
    source, policy = await source_of(here, user, connection)
    return open_desk(here.services, source, policy, cast(Spoken, language), user=user.id, tenant=user.tenant)


def _plan(body: MetricQuery, desk: MetricDesk) -> Plan:
    if body.plan is not None:
        return parse_plan(body.plan)
    return desk.simple_plan(body.metrics, body.by, body.period, body.against, body.where, body.top)
