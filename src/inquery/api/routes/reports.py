"""Reports: templates whose placeholders are questions, their statements, runs, documents and schedules."""

from __future__ import annotations

import asyncio
import base64
import datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from inquery.answers.answer import ChartSpec
from inquery.answers.formats import json_cell
from inquery.api.access import connection_of, require_download
from inquery.api.bodies import Body, Filled, Name
from inquery.api.reporting import Room, who_is
from inquery.api.rights import Reporter
from inquery.api.shared import Here, Language
from inquery.errors import BadRequest, NotFound, Text
from inquery.reports.blocks import DocumentBlock
from inquery.reports.deliver import file_name
from inquery.reports.desk import PlaceholderState, Sketch, library
from inquery.reports.parameters import Declared
from inquery.reports.pieces import Piece
from inquery.reports.render import OUTPUTS
from inquery.reports.template_files import format_of
from inquery.store.connections import RESERVED
from inquery.store.reports import StoredReport, StoredRun, StoredValue
from inquery.store.schedules import StoredSchedule

router = APIRouter(tags=["reports"])
Given = Annotated[
    dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=200)]], Field(max_length=50)
]
Output = Literal["html", "md", "docx", "pdf"]
PREVIEW = 20
SHOWN_CSP = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'"
)
"""A template may hold any HTML: it is shown as if it came from nowhere, and only in our own page."""


class NewReport(Body):
    """A template: its text, its file in base64, or the name of one that comes with Inquery."""

    name: Annotated[Filled, Field(max_length=100)]
    filename: str = Field("report.md", max_length=200, description="its ending says what the template is")
    connection_id: Name | None = None
    text: str | None = Field(None, max_length=8 << 20)
    content_base64: str | None = Field(None, max_length=48 << 20)
    template: Name | None = Field(None, description="one of the templates that come with Inquery")


class RunReport(Body):
    """Fill a report."""

    parameters: Given = Field(default_factory=dict)
    anew: bool = Field(False, description="solve every placeholder anew that no person pinned")


class DecidePlaceholder(Body):
    """What a person says of a placeholder's statement."""

    decision: Literal["pin", "unpin", "edit", "reject"] = "pin"
    sql: str | None = Field(None, max_length=100_000, description="the edited statement, with slots or without")
    parameters: Given = Field(default_factory=dict)


class NewSchedule(Body):
    """When a report is filled by itself, and where it goes."""

    cron: Annotated[str, Field(max_length=100, description="five fields: minute hour day month weekday")] = "0 8 * * 1"
    timezone: Annotated[str, Field(max_length=60)] = ""
    outputs: list[Output] = Field(["html"], max_length=4)
    target: Annotated[str, Field(max_length=2000, description="a folder of reports.folders, or a webhook")] = ""
    recipients: list[Annotated[str, Field(max_length=254)]] = Field(
        default_factory=list, max_length=50, description="addresses it is mailed to, by the settings of mail"
    )
    parameters: Given = Field(default_factory=dict)


class ReportInfo(BaseModel):
    """A report."""

    id: str
    name: str
    connection_id: str
    format: str
    version: int
    created: datetime.datetime
    changed: datetime.datetime


class ReportsInfo(BaseModel):
    """Your reports, and the templates that come with Inquery."""

    reports: list[ReportInfo]
    templates: list[str]
    mail: bool = Field(description="whether schedules may send by mail")


class PlaceholderInfo(BaseModel):
    """A placeholder with its statement."""

    key: str
    line: int
    title: str
    shape: str
    state: str
    sql: str


class ParameterInfo(BaseModel):
    """What may be given when a report is filled; without it the default counts."""

    name: str
    type: str
    default: str
    choices: list[str]


class TemplateDraft(Body):
    """A template that is being written."""

    text: str = Field(max_length=1 << 20)
    format: Literal["md", "html"] = "md"


class SketchRun(BaseModel):
    """Some characters of one look; `waiting` stands for what a run will find."""

    text: str
    bold: bool
    italic: bool
    code: bool
    problem: bool
    waiting: bool


class SketchBlock(BaseModel):
    """A block of the document: heading, paragraph, item, quote, code, rule or table."""

    kind: str
    level: int
    number: int
    runs: list[SketchRun]
    rows: list[list[str]]


class SketchPlace(BaseModel):
    """A question that the document asks."""

    line: int
    title: str
    shape: str


class SketchProblem(BaseModel):
    """What is wrong with a template, and where."""

    line: int
    message: str


class SketchInfo(BaseModel):
    """A template as a document while it is written."""

    blocks: list[SketchBlock]
    parameters: list[ParameterInfo]
    placeholders: list[SketchPlace]
    problems: list[SketchProblem]


class ValuePiece(BaseModel):
    """A value as the document has it: a text, a table of texts whose first row is its head, or a chart."""

    text: str
    rows: list[list[str]]
    numbers: list[int]
    left_out: int
    chart: ChartSpec | None


class ValueInfo(BaseModel):
    """What became of a placeholder in a run."""

    key: str
    line: int
    title: str
    shape: str
    status: str
    sql: str
    via: str
    reopened: str
    columns: list[dict[str, Any]]
    preview: list[list[Any]]
    row_count: int
    ms: float
    problem: dict[str, Any] | None
    notes: list[str]
    steps: list[dict[str, Any]]
    usage: dict[str, Any]
    document: ValuePiece | None


class RunInfo(BaseModel):
    """A run without its values."""

    id: str
    report_id: str
    status: str
    started: datetime.datetime
    finished: datetime.datetime | None
    content: dict[str, Any]


class RunDetails(RunInfo):
    """A run with its values and what changed since the one before."""

    values: list[ValueInfo]
    changes: list[dict[str, Any]]


class ScheduleInfo(BaseModel):
    """A schedule; where it delivers to may be a secret and is not told."""

    id: str
    report_id: str
    cron: str
    timezone: str
    outputs: list[str]
    parameters: dict[str, str]
    delivers: bool
    recipients: list[str]
    next_at: datetime.datetime
    last_run: str
    last_outcome: str


@router.get("/reports")
async def all_reports(user: Reporter, room: Room) -> ReportsInfo:
    """Your reports."""
    known = await asyncio.to_thread(room.desk.reports.list, user.id)
    mail = room.desk.runner.services.settings.mail
    return ReportsInfo(
        reports=[_report(each) for each in known], templates=list(library()), mail=bool(mail.host and mail.sender)
    )


@router.post("/reports", status_code=201)
async def add_report(body: NewReport, user: Reporter, here: Here, room: Room) -> ReportInfo:
    """Keep a template; one of the same name gets a new version and keeps its statements and runs."""
    path = library().get(body.template or "")
    if body.template and path is None:
        raise NotFound(body.template, what=Text("template", "模板"), name=body.template, nearest=tuple(library()))
    connection = await connection_of(here, user, body.connection_id or (RESERVED if path else None))
    content = await asyncio.to_thread(path.read_bytes) if path else _content(body)
    form = format_of(path.name if path else body.filename)
    return _report(await room.desk.add(user.id, body.name, connection.id, form, content))


def _content(body: NewReport) -> bytes:
    if body.text is not None:
        return body.text.encode()
    try:
        return base64.b64decode(body.content_base64 or "", validate=True)
    except ValueError as error:
        raise BadRequest.because(
            "content_base64 is not base64", "content_base64 不是 base64", detail=str(error)
        ) from error


@router.post("/report-sketches")
async def sketch(body: TemplateDraft, user: Reporter, room: Room, language: Language) -> SketchInfo:
    """A template as a document while it is written: nothing is asked of a database, nothing is kept."""
    return _sketch(await room.desk.sketch(body.text.encode(), body.format, language), language)


def _sketch(found: Sketch, language: str) -> SketchInfo:
    return SketchInfo(
        blocks=[_block(each) for each in found.blocks],
        parameters=[_parameter(each) for each in found.parameters],
        placeholders=[SketchPlace(line=each.line, title=each.title, shape=each.shape) for each in found.goals],
        problems=[
            SketchProblem(line=each.line, message=each.reason.zh if language == "zh" else each.reason.en)
            for each in found.problems
        ],
    )


@router.get("/reports/{report_id}")
async def one_report(report_id: str, user: Reporter, room: Room) -> ReportInfo:
    """A report of yours."""
    return _report(await asyncio.to_thread(room.desk.reports.get, user.id, report_id))


@router.delete("/reports/{report_id}", status_code=204)
async def remove_report(report_id: str, user: Reporter, room: Room) -> Response:
    """Forget a report with its statements, runs and schedules."""
    await asyncio.to_thread(room.desk.reports.remove, user.id, report_id)
    return Response(status_code=204)


@router.get("/reports/{report_id}/template", response_class=Response)
async def template_of(report_id: str, user: Reporter, room: Room) -> Response:
    """The template as it was sent."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    content = await asyncio.to_thread(room.desk.reports.template, found.template_id)
    return _download(f"{found.name}.{found.format}", OUTPUTS[found.format], content)


@router.get("/reports/{report_id}/sketch")
async def sketch_of(report_id: str, user: Reporter, room: Room, language: Language) -> SketchInfo:
    """The template as the document it will be, also of a Word file; nothing is asked of a database."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    content = await asyncio.to_thread(room.desk.reports.template, found.template_id)
    return _sketch(await room.desk.sketch(content, found.format, language), language)


@router.get("/reports/{report_id}/placeholders")
async def placeholders(report_id: str, user: Reporter, room: Room) -> list[PlaceholderInfo]:
    """What a report asks, and the statements it is bound to."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    return [_place(each) for each in await room.desk.placeholders(found)]


@router.get("/reports/{report_id}/parameters")
async def parameters(report_id: str, user: Reporter, room: Room) -> list[ParameterInfo]:
    """What may be given when a report is filled."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    return [_parameter(each) for each in await room.desk.parameters(found)]


@router.post("/reports/{report_id}/placeholders/{key}")
async def decide(report_id: str, key: str, body: DecidePlaceholder, user: Reporter, room: Room) -> PlaceholderInfo:
    """Pin, edit or reject a statement; an edited one passes the guard first."""
    desk = room.desk
    found = await asyncio.to_thread(desk.reports.get, user.id, report_id)
    if body.decision == "edit":
        if not body.sql:
            raise BadRequest.because("an edit needs a statement", "编辑需要给出语句", detail="sql")
        return _place(await desk.edit(found, key, body.sql, who_is(user), body.parameters))
    act = {"pin": desk.pin, "unpin": desk.unpin, "reject": desk.reject}[body.decision]
    return _place(await act(found, key))


@router.post("/reports/{report_id}/runs", status_code=202)
async def start_run(report_id: str, body: RunReport, user: Reporter, room: Room) -> RunInfo:
    """Begin to fill a report; look the run up until its status is no longer `running`."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    return _run(await room.start(found, body.parameters, user, anew=body.anew))


@router.get("/reports/{report_id}/runs")
async def all_runs(report_id: str, user: Reporter, room: Room) -> list[RunInfo]:
    """The runs of a report, the last first."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    return [_run(each) for each in await asyncio.to_thread(room.desk.runs.list, found.id)]


@router.get("/report-runs/{run_id}")
async def one_run(run_id: str, user: Reporter, room: Room) -> RunDetails:
    """A run with its values, statements and times, and what changed since the one before."""
    run = await asyncio.to_thread(room.desk.runs.get, user.id, run_id)
    values = await asyncio.to_thread(room.desk.runs.values, run.id)
    ordered = sorted(values.values(), key=lambda value: (value.content["line"], value.key))
    changed = [change.to_dict() for change in await room.desk.compared(run)]
    # While it is filled the document itself is in view.
    pieces = {} if run.status == "running" else await room.desk.pieces(run, values)
    told = [_value(each, pieces.get(each.key)) for each in ordered]
    return RunDetails(**_run(run).model_dump(), values=told, changes=changed)


@router.get("/report-runs/{run_id}/document", response_class=Response)
async def document(
    run_id: str, user: Reporter, room: Room, output: Annotated[Output, Query(alias="format")] = "html"
) -> Response:
    """A run as a document, made anew from what it found."""
    run = await asyncio.to_thread(room.desk.runs.get, user.id, run_id)
    report = await asyncio.to_thread(room.desk.reports.get, user.id, run.report_id)
    require_download(user, report.connection_id)
    made = await room.desk.document(run, output)
    name = file_name(report.name, run.started.isoformat(timespec="seconds"), output)
    return _download(name, OUTPUTS[output], made.content)


@router.get("/report-runs/{run_id}/view", response_class=Response)
async def view(run_id: str, user: Reporter, room: Room) -> Response:
    """A run as a document to be shown in a frame: the browser gives it no origin, no script and no other host."""
    run = await asyncio.to_thread(room.desk.runs.get, user.id, run_id)
    made = await room.desk.document(run, "html")
    headers = {"content-security-policy": SHOWN_CSP, "x-frame-options": "SAMEORIGIN"}
    return Response(made.content, media_type=OUTPUTS["html"], headers=headers)


@router.post("/report-runs/{run_id}/resume")
async def resume_run(run_id: str, user: Reporter, room: Room) -> RunInfo:
    """Go on with a run that was cut short; what it solved is not solved again."""
    run = await asyncio.to_thread(room.desk.runs.get, user.id, run_id)
    await room.resume(run, user)
    return _run(await asyncio.to_thread(room.desk.runs.get, user.id, run_id))


@router.get("/reports/{report_id}/schedules")
async def all_schedules(report_id: str, user: Reporter, room: Room) -> list[ScheduleInfo]:
    """When a report is filled by itself."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    return [_schedule(s) for s in await asyncio.to_thread(room.scheduler.schedules.list, user.id, found.id)]


@router.post("/reports/{report_id}/schedules", status_code=201)
async def add_schedule(report_id: str, body: NewSchedule, user: Reporter, room: Room) -> ScheduleInfo:
    """Fill a report by a cron expression, in any one of the workers."""
    found = await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    if body.target:
        require_download(user, found.connection_id)
    made = await room.scheduler.add(
        found,
        body.cron,
        outputs=[*body.outputs],
        target=body.target,
        recipients=body.recipients,
        timezone=body.timezone,
        given=body.parameters,
    )
    return _schedule(made)


@router.delete("/reports/{report_id}/schedules/{schedule_id}", status_code=204)
async def remove_schedule(report_id: str, schedule_id: str, user: Reporter, room: Room) -> Response:
    """Forget a schedule."""
    await asyncio.to_thread(room.desk.reports.get, user.id, report_id)
    await asyncio.to_thread(room.scheduler.schedules.remove, user.id, schedule_id)
    return Response(status_code=204)


def _download(name: str, kind: str, content: bytes) -> Response:
    # A page among our own would be under our name: a report is saved, never shown here.
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=kind, headers=headers)


def _parameter(each: Declared) -> ParameterInfo:
    return ParameterInfo(name=each.name, type=each.type, default=each.default, choices=list(each.choices))


def _block(each: DocumentBlock) -> SketchBlock:
    return SketchBlock(
        kind=each.kind,
        level=each.level,
        number=each.number,
        runs=[SketchRun(**{name: getattr(run, name) for name in SketchRun.model_fields}) for run in each.runs],
        rows=[list(each.grid.columns), *(list(row) for row in each.grid.rows)] if each.grid else [],
    )


def _report(each: StoredReport) -> ReportInfo:
    return ReportInfo(**{name: getattr(each, name) for name in ReportInfo.model_fields})


def _run(each: StoredRun) -> RunInfo:
    return RunInfo(**{name: getattr(each, name) for name in RunInfo.model_fields})


def _place(each: PlaceholderState) -> PlaceholderInfo:
    goal, bound = each.goal, each.binding
    sql = str(bound.content["bound"]["sql"]) if bound else ""
    return PlaceholderInfo(
        key=goal.key, line=goal.line, title=goal.in_words, shape=goal.shape, state=each.state, sql=sql
    )


def _piece(each: Piece) -> ValuePiece:
    grid = each.grid
    return ValuePiece(
        text=each.text,
        rows=[list(grid.columns), *(list(row) for row in grid.rows[:PREVIEW])] if grid else [],
        numbers=sorted(grid.numbers) if grid else [],
        left_out=grid.left_out + max(0, len(grid.rows) - PREVIEW) if grid else 0,
        chart=each.chart,
    )


def _value(each: StoredValue, piece: Piece | None) -> ValueInfo:
    said = each.content
    named = {name: str(said.get(name) or "") for name in ("sql", "via", "reopened", "shape")}
    return ValueInfo(
        **named, key=each.key, title=each.title, line=said["line"], status=each.status, columns=said["columns"], row_count=len(each.rows),
        preview=[[json_cell(cell) for cell in row] for row in each.rows[:PREVIEW]], ms=each.ms, problem=said["problem"],
        notes=said["notes"], steps=said["steps"], usage=said["usage"],
        document=_piece(piece) if piece is not None and piece.kind != "problem" else None,
    )  # fmt: skip


def _schedule(each: StoredSchedule) -> ScheduleInfo:
    return ScheduleInfo(
        id=each.id,
        report_id=each.report_id,
        cron=each.cron,
        timezone=each.timezone,
        next_at=each.next_at,
        outputs=each.content.get("outputs", []),
        parameters=each.content.get("given", {}),
        delivers=bool(each.target.get_secret_value()),
        recipients=each.content.get("recipients", []),
        last_run=each.last_run,
        last_outcome=each.last_outcome,
    )
