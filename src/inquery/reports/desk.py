"""The desk of reports: everything a person does with them, the same from the command line, the server and Python."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inquery.agents.context import Context
from inquery.agents.outcomes.rows import check_again
from inquery.errors import BadRequest, NotFound, Text
from inquery.reports.bindings import Bound, fill_binding, fingerprint
from inquery.reports.blocks import DocumentBlock
from inquery.reports.difference import Change, changes
from inquery.reports.filling import Filling
from inquery.reports.goals import Goal, full_question, goal_key, goals_of
from inquery.reports.labels import Labels, labelled
from inquery.reports.parameters import Declared, ReportClock, declared_parameters, with_days
from inquery.reports.pieces import Manner, Piece
from inquery.reports.pieces import Value as Shown
from inquery.reports.problems import Problem
from inquery.reports.render import Document, render_document, sketch_blocks
from inquery.reports.report_run import Prepared, Progress, ReportRunner, Who, value_columns
from inquery.reports.reuse import Binding, plain_periods, speller
from inquery.reports.template import Placeholder, walk_nodes
from inquery.reports.template_files import FORMATS, format_of, read_template
from inquery.store.connections import RESERVED
from inquery.store.reports import ReportRuns, Reports, StoredBinding, StoredReport, StoredRun, StoredValue

LIBRARY = Path(__file__).parent / "library"
_PLACEHOLDER = Text("placeholder", "占位符")


def library() -> dict[str, Path]:
    """The templates that come with Inquery, by name."""
    found = sorted(path for path in LIBRARY.iterdir() if path.suffix in FORMATS)
    return {path.stem.replace("_", "-"): path for path in found}


@dataclass(frozen=True, slots=True)
class PlaceholderState:
    """One placeholder of a report with its statement, if it has one."""

    goal: Goal
    binding: StoredBinding | None

    @property
    def state(self) -> str:
        """bound, pinned, unverified, rejected, or open."""
        return self.binding.state if self.binding else "open"


@dataclass(frozen=True, slots=True)
class Sketch:
    """A template as it is being written."""

    blocks: list[DocumentBlock]
    parameters: list[Declared]
    goals: list[Goal]
    problems: list[Problem]


class ReportDesk:
    """Reports of one store, filled with the services of one process."""

    def __init__(self, runner: ReportRunner) -> None:
        self.runner = runner
        self.reports = Reports(runner.store)
        self.runs = ReportRuns(runner.store)

    async def add(self, owner: str, name: str, connection_id: str, form: str, content: bytes) -> StoredReport:
        """Keep a template under a name; a known name gets a new version."""
        most = self.runner.services.settings.reports.template_bytes
        await asyncio.to_thread(read_template, content, form, most=most)
        return await asyncio.to_thread(self.reports.save, owner, name, connection_id, form, content)

    async def find(self, owner: str, name: str, connection_id: str = "") -> StoredReport:
        """A report by id or name; a template of the library, or a file, is kept under its own name first."""
        path = library().get(name) or (Path(name) if Path(name).suffix.lower() in FORMATS else None)
        if path is None:
            return await asyncio.to_thread(self.reports.get, owner, name)
        try:
            content = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise NotFound(str(error), what=Text("file", "文件"), name=path.name) from error
        kept = path.stem.replace("_", "-") if path.parent == LIBRARY else path.stem
        connection = connection_id or (RESERVED if path.parent == LIBRARY else await self._connection(owner, kept))
        return await self.add(owner, kept, connection, format_of(path.name), content)

    async def _connection(self, owner: str, name: str) -> str:
        known = {report.name: report.connection_id for report in await asyncio.to_thread(self.reports.list, owner)}
        return known.get(name) or (await self.runner.services.sources.connection(None)).id

    async def run(
        self,
        report: StoredReport,
        given: Mapping[str, str],
        who: Who,
        *,
        progress: Progress | None = None,
        today: datetime.date | None = None,
        anew: bool = False,
        schedule: str = "",
    ) -> StoredRun:
        """Fill a report."""
        return await self.runner.run(
            report, dict(given), who, progress=progress, today=today, anew=anew, schedule=schedule
        )

    async def resume(self, owner: str, run_id: str, who: Who, progress: Progress | None = None) -> StoredRun:
        """Go on with a run that was cut short."""
        run = await asyncio.to_thread(self.runs.get, owner, run_id)
        report = await asyncio.to_thread(self.reports.get, owner, run.report_id)
        return await self.runner.resume(report, run, who, progress)

    async def document(self, run: StoredRun, output: str, *, beside: str = "") -> Document:
        """A finished run as a document; nothing is asked of a database or a model."""
        report = await asyncio.to_thread(self.reports.get, run.owner, run.report_id)
        content = await asyncio.to_thread(self.reports.template, run.template_id)
        values = await asyncio.to_thread(self.runs.values, run.id)
        return await asyncio.to_thread(self._rendered, report, run, content, values, output, beside)

    def _rendered(
        self,
        report: StoredReport,
        run: StoredRun,
        content: bytes,
        values: dict[str, StoredValue],
        output: str,
        beside: str,
    ) -> Document:
        settings = self.runner.services.settings.reports
        template = read_template(content, report.format, most=settings.template_bytes)
        filling = self._filling(run, values)
        places = {problem.line for problem in template.problems}
        loose = [Problem.of(each) for each in run.content.get("problems", [])]
        unplaced = [each for each in loose if each.line not in places or each.code in {"too_large", "macros"}]
        return render_document(template, filling, output, title=report.name, beside=beside, problems=unplaced)

    def _filling(self, run: StoredRun, values: dict[str, StoredValue]) -> Filling:
        said = run.content
        today = datetime.date.fromisoformat(said["today"]) if said.get("today") else None
        language, currency = str(said.get("language", "en")), str(said.get("currency", ""))
        building = run.status == "running"
        rows = self.runner.services.settings.reports.table_rows
        manner = Manner(language, currency, rows, today, building=building)
        return Filling({key: _shown(value) for key, value in values.items()}, said.get("parameters", {}), manner)

    async def pieces(self, run: StoredRun, values: dict[str, StoredValue]) -> dict[str, Piece]:
        """What stands in the document in place of each value of a run."""
        report = await asyncio.to_thread(self.reports.get, run.owner, run.report_id)
        content = await asyncio.to_thread(self.reports.template, run.template_id)
        return await asyncio.to_thread(self._pieces, report, run, content, values)

    def _pieces(
        self, report: StoredReport, run: StoredRun, content: bytes, values: dict[str, StoredValue]
    ) -> dict[str, Piece]:
        most = self.runner.services.settings.reports.template_bytes
        filling = self._filling(run, values)
        found: dict[str, Piece] = {}
        for node in walk_nodes(read_template(content, report.format, most=most).nodes):
            key = goal_key(node) if isinstance(node, Placeholder) else ""
            if key in values and key not in found and isinstance(node, Placeholder):
                found[key] = filling.placeholder(node)
        return found

    async def sketch(self, content: bytes, form: str, language: str) -> Sketch:
        """A template as a document that asks nothing yet: its text, its placeholders in place, and what is wrong with it."""
        return await asyncio.to_thread(self._sketched, content, form, language)

    def _sketched(self, content: bytes, form: str, language: str) -> Sketch:
        settings = self.runner.services.settings.reports
        template = read_template(content, form, most=settings.template_bytes)
        known, problems = declared_parameters(template.nodes)
        given: dict[str, str | int | float] = {each.name: each.default or each.name for each in known.values()}
        values = with_days(given, known, ReportClock(self.runner.services.settings.day("UTC")))
        filling = Filling({}, values, Manner(language, building=True, sketch=True))
        blocks = sketch_blocks(template, filling)
        return Sketch(blocks, list(known.values()), goals_of(template.nodes), [*template.problems, *problems])

    async def parameters(self, report: StoredReport) -> list[Declared]:
        """What may be given when a report is filled."""
        content = await asyncio.to_thread(self.reports.template, report.template_id)
        most = self.runner.services.settings.reports.template_bytes
        template = await asyncio.to_thread(read_template, content, report.format, most=most)
        return list(declared_parameters(template.nodes)[0].values())

    async def placeholders(self, report: StoredReport) -> list[PlaceholderState]:
        """The placeholders of a report with their statements."""
        content = await asyncio.to_thread(self.reports.template, report.template_id)
        most = self.runner.services.settings.reports.template_bytes
        template = await asyncio.to_thread(read_template, content, report.format, most=most)
        bindings = await asyncio.to_thread(self.reports.bindings, report.id)
        return [PlaceholderState(goal, bindings.get(goal.key)) for goal in goals_of(template.nodes)]

    async def placeholder(self, report: StoredReport, key: str) -> PlaceholderState:
        """One placeholder: by its key or the beginning of it, its line, or its question; raises NotFound."""
        known = await self.placeholders(report)
        found = [each for each in known if key in {each.goal.key, str(each.goal.line), each.goal.question}]
        found = found or [each for each in known if len(key) >= 4 and each.goal.key.startswith(key)]
        if len(found) != 1:
            names = tuple(each.goal.key[:8] for each in known[:5])
            raise NotFound(key, what=_PLACEHOLDER, name=key, nearest=names)
        return found[0]

    async def pin(self, report: StoredReport, key: str) -> PlaceholderState:
        """Keep a placeholder's statement as it is: no run opens it again."""
        found = await self.placeholder(report, key)
        if found.binding is None or found.state == "rejected":
            raise BadRequest.because("it has no statement yet; run the report first", "尚无语句，请先运行报告")
        await self._bound(report, found, "pinned", found.binding.content)
        return await self.placeholder(report, found.goal.key)

    async def unpin(self, report: StoredReport, key: str) -> PlaceholderState:
        """Let runs solve a placeholder anew when it fails."""
        found = await self.placeholder(report, key)
        if found.binding is not None:
            await self._bound(report, found, "bound", found.binding.content)
        return await self.placeholder(report, found.goal.key)

    async def edit(
        self, report: StoredReport, key: str, sql: str, who: Who, given: Mapping[str, str]
    ) -> PlaceholderState:
        """Give a placeholder a statement of a person's own, with slots or without; raises SqlRefused."""
        found = await self.placeholder(report, key)
        ready = await self._ready(report, who, given)
        asked = full_question(found.goal, ready.values)
        periods = ready.clock.periods(asked.question)
        bound = Bound(sql, "any", {})
        whole = fill_binding(bound, ready.context.here.dialect, periods, asked.values, speller(ready.context, asked))
        if whole is None:
            raise BadRequest.because("a slot of the statement has no value here", "语句中的某个参数在此没有值")
        needs = _needs(ready.context, whole)
        before = Binding.of(found.binding.content) if found.binding else None
        made = Binding(
            bound,
            asked.question,
            plain_periods(periods),
            dict(asked.values),
            needs,
            ready.context.here.id,
            before.rejected if before else [],
        )
        await self._bound(report, found, "pinned", made.to_dict())
        return await self.placeholder(report, found.goal.key)

    async def reject(self, report: StoredReport, key: str) -> PlaceholderState:
        """Say that a statement is not what was meant: the next run writes another."""
        found = await self.placeholder(report, key)
        if found.binding is None:
            raise BadRequest.because("it has no statement to reject", "没有可否决的语句")
        before = Binding.of(found.binding.content)
        runs = await asyncio.to_thread(self.runs.list, report.id, limit=1)
        values = await asyncio.to_thread(self.runs.values, runs[0].id) if runs else {}
        shown = [values[found.goal.key].content["sql"]] if found.goal.key in values else []
        refused = [*dict.fromkeys([*before.rejected, before.bound.sql, *shown])]
        await self._bound(report, found, "rejected", replace(before, rejected=refused).to_dict())
        return await self.placeholder(report, found.goal.key)

    async def _bound(self, report: StoredReport, found: PlaceholderState, state: str, content: dict[str, Any]) -> None:
        await asyncio.to_thread(self.reports.bind, report.id, found.goal.key, state, content)

    async def _ready(self, report: StoredReport, who: Who, given: Mapping[str, str]) -> Prepared:
        now = datetime.datetime.now(datetime.UTC)
        probe = StoredRun("", report.id, report.owner, "", {"given": dict(given)}, report.template_id, now, None)
        ready = await self.runner.prepare(report, probe, who)
        if ready.closed is not None:
            raise BadRequest(ready.closed.code, reason=ready.closed.reason)
        return ready

    async def compared(self, run: StoredRun, with_id: str = "") -> list[Change]:
        """What changed since an earlier run, by default the one before."""
        if with_id:
            earlier: StoredRun | None = await asyncio.to_thread(self.runs.get, run.owner, with_id)
        else:
            earlier = await asyncio.to_thread(self.runs.before, run)
        if earlier is None:
            return []
        old = await asyncio.to_thread(self.runs.values, earlier.id)
        return changes(old, await asyncio.to_thread(self.runs.values, run.id))


def _needs(context: Context, sql: str) -> str:
    return fingerprint(check_again(context, sql), context.here.catalog)


def _shown(value: StoredValue) -> Shown:
    said = value.content
    problem = Problem.of(said["problem"]) if said.get("problem") else None
    labels: Labels = said.get("labels") or Labels()
    columns, rows = labelled(value_columns(value), value.rows, labels)
    return Shown(
        value.status,
        said["question"],
        said["language"],
        said["sql"],
        columns,
        rows,
        said.get("truncated"),
        problem,
        list(said.get("notes", [])),
        said.get("left_out", ""),
        datetime.date.fromisoformat(said["since"]) if said.get("since") else None,
    )
