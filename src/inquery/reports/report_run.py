"""One filling of a report: its placeholders side by side within limits, each kept the moment it is known."""

from __future__ import annotations

import asyncio
import datetime
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from inquery.agents.bilingual import answer_language
from inquery.agents.context import Access, Context, Services
from inquery.agents.outcomes.local import LocalResults
from inquery.agents.outcomes.result_words import data_begins
from inquery.agents.sources import Source
from inquery.agents.statements.lost_rows import count_lost, telling
from inquery.answers.answer import AnswerColumn
from inquery.errors import BadRequest, InqueryError, Text
from inquery.llm.chat import ChatModel
from inquery.llm.model_choice import choose_model
from inquery.llm.usage import UsageMeter
from inquery.llm.writer import SqlWriter
from inquery.reports.goals import Goal, contradictions, full_question, goals_of
from inquery.reports.labels import labels_of, shown_columns
from inquery.reports.parameters import ReportClock, Value, declared_parameters, settle, with_days
from inquery.reports.problems import Problem
from inquery.reports.reuse import Binding, made, reuse
from inquery.reports.solve import Solved, solve_goal
from inquery.reports.template_files import Template, read_template
from inquery.settings import LLMSettings
from inquery.sql import Policy
from inquery.store import Store
from inquery.store.reports import ReportRuns, Reports, StoredBinding, StoredReport, StoredRun, StoredValue

LEASE_S = 20.0
"""A dead process holds its run no longer than this; a live one renews."""
UNCHANGED = frozenset({"values", "question", "connection", "wrong_shape"})
"""Reasons to solve anew that say nothing of the schema."""
Progress = Callable[[Goal, str, int, int], None]
"""Called as progress(goal, status, done, total) when a placeholder is known."""


@dataclass(frozen=True, slots=True)
class Who:
    """For whom a report is filled, and what they may read."""

    user: str = "local"
    tenant: str = "local"
    policy: Policy | None = None
    access: Access | None = None
    may_download: Callable[[str], bool] = lambda connection_id: True
    """Whether what was found in a database may be sent away as a file."""


@dataclass(slots=True)
class Prepared:
    """A run that is ready: template, goals, parameters, and the database, or the reason there is none."""

    template: Template
    goals: list[Goal]
    values: dict[str, Value]
    problems: list[Problem]
    contradictory: dict[str, Problem]
    clock: ReportClock
    context: Context
    closed: Problem | None = None
    currency: str = ""
    shown: dict[str, Value] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _anew: bool = False

    async def read_anew(self) -> Source:
        """The database with its catalogue of now; read once a run, since a statement that broke tells of a change."""
        async with self._reading:
            if not self._anew:
                sources = self.context.services.sources
                self.context.source, self._anew = await sources.open(self.context.here.id, anew=True), True
        return self.context.here


@dataclass(slots=True)
class ReportRunner:
    """Fills reports with the services of a process."""

    services: Services
    store: Store
    writer: SqlWriter | None = None
    chat: ChatModel | None = None
    _shared: dict[str, dict[str, asyncio.Task[Any]]] = field(default_factory=dict)

    async def run(
        self,
        report: StoredReport,
        given: dict[str, str],
        who: Who,
        *,
        progress: Progress | None = None,
        schedule: str = "",
        today: datetime.date | None = None,
        anew: bool = False,
    ) -> StoredRun:
        """Fill a report; `anew` opens every binding that no person pinned."""
        begun, holder = await self.begin(report, given, schedule=schedule, today=today, anew=anew)
        return await self.fill(report, begun, holder, who, progress)

    async def begin(
        self,
        report: StoredReport,
        given: dict[str, str],
        *,
        schedule: str = "",
        today: datetime.date | None = None,
        anew: bool = False,
    ) -> tuple[StoredRun, str]:
        """A run that is not filled yet, and the name under which this process holds it."""
        content = {"given": given, "today": today.isoformat() if today else "", "schedule": schedule, "anew": anew}
        holder = secrets.token_hex(16)
        return await asyncio.to_thread(ReportRuns(self.store).begin, report, content, holder, LEASE_S), holder

    async def resume(
        self, report: StoredReport, run: StoredRun, who: Who, progress: Progress | None = None
    ) -> StoredRun:
        """Go on with a run that a dead process left; what it solved is not solved again."""
        holder = secrets.token_hex(16)
        if run.status != "running":
            return run
        if not await asyncio.to_thread(ReportRuns(self.store).take, run.id, holder, LEASE_S):
            raise BadRequest.because("this run is still under way", "该运行仍在进行中")
        return await self.fill(report, run, holder, who, progress)

    async def fill(
        self, report: StoredReport, run: StoredRun, holder: str, who: Who, progress: Progress | None = None
    ) -> StoredRun:
        """Fill a run that this process holds, and end it."""
        runs = ReportRuns(self.store)
        async with _renewed(runs, run.id, holder):
            try:
                content, status = await self._filled(report, run, who, progress)
            finally:
                self._shared.pop(run.id, None)
            await asyncio.to_thread(runs.finish, run.id, status, content)
            await asyncio.to_thread(runs.trim, report.id, self.services.settings.reports.keep_runs)
        return await asyncio.to_thread(runs.get, run.owner, run.id)

    async def _filled(
        self, report: StoredReport, run: StoredRun, who: Who, progress: Progress | None
    ) -> tuple[dict[str, Any], str]:
        started = time.perf_counter()
        ready = await self.prepare(report, run, who)
        runs, reports = ReportRuns(self.store), Reports(self.store)
        # Kept before the first value, so that the document can be read while it is filled.
        await asyncio.to_thread(runs.note, run.id, run.content | self._manner(ready))
        known = set(await asyncio.to_thread(runs.values, run.id))
        bindings = await asyncio.to_thread(reports.bindings, report.id)
        limit = asyncio.Semaphore(self.services.settings.reports.parallel)
        total, done = len(ready.goals), len(known)

        async def one(goal: Goal) -> None:
            nonlocal done
            async with limit:
                value = await self._one(goal, ready, run, bindings.get(goal.key), report)
                await asyncio.to_thread(runs.keep, run.id, value)
            done += 1
            if progress is not None:
                progress(goal, value.status, done, total)

        async with asyncio.TaskGroup() as group:
            for goal in ready.goals:
                if goal.key not in known:
                    group.create_task(one(goal))
        return await self._summary(run, ready, (time.perf_counter() - started) * 1000)

    async def prepare(self, report: StoredReport, run: StoredRun, who: Who) -> Prepared:
        """Everything a run needs before its first placeholder."""
        content = await asyncio.to_thread(Reports(self.store).template, run.template_id)
        template = await asyncio.to_thread(
            read_template, content, report.format, most=self.services.settings.reports.template_bytes
        )
        context = self._context(who)
        closed = await _opened(context, report.connection_id) or await self._settle_model(context)
        clock = _clock(context, str(run.content.get("today", "")))
        known, problems = declared_parameters(template.nodes)
        values, unfit = settle(known, run.content.get("given", {}), clock)
        goals = goals_of(template.nodes)
        currency = (context.source.connection.options.currency or "") if context.source else ""
        return Prepared(
            template,
            goals,
            values,
            [*problems, *unfit],
            contradictions(goals, known, clock),
            clock,
            context,
            closed,
            currency,
            with_days(values, known, clock),
        )

    async def _settle_model(self, context: Context) -> Problem | None:
        """Take the model that the database has of its own; one that is gone is a problem of every placeholder."""
        name = context.here.connection.options.model
        if not name:
            return None
        try:
            context.llm = self._several(await asyncio.to_thread(choose_model, name, self.services.settings))
        except InqueryError as error:
            return Problem(0, error.code, Text(error.public_message("en"), error.public_message("zh")))
        return None

    def _several(self, llm: LLMSettings) -> LLMSettings:
        """A model's settings with as many statements a call as reports compare."""
        return llm.model_copy(update={"candidates": max(llm.statements, self.services.settings.reports.candidates)})

    def _context(self, who: Who) -> Context:
        settings = self.services.settings
        llm = self._several(settings.llm)
        return Context(
            replace(self.services, results=LocalResults(most=8)),
            user=who.user,
            tenant=who.tenant,
            policy=who.policy or Policy(row_cap=settings.query.rows),
            access=who.access,
            can_ask=False,
            writer=self.writer,
            chat=self.chat,
            llm=llm,
        )

    async def _one(
        self, goal: Goal, ready: Prepared, run: StoredRun, stored: StoredBinding | None, report: StoredReport
    ) -> StoredValue:
        started = time.perf_counter()
        fault = ready.contradictory.get(goal.key) or ready.closed
        if fault is not None:
            unsolved = Solved("unsolved", problem=replace(fault, line=goal.line))
            return _value(goal, "", "en", unsolved, "", "", started)
        asked = full_question(goal, ready.values, self.services.settings.language)
        periods = ready.clock.periods(asked.question)
        context = self._for_goal(ready.context, ready.clock)
        reopened = ""
        if (
            stored is not None
            and (stored.state == "pinned" or not run.content.get("anew"))
            and stored.state != "rejected"
        ):
            used = await reuse(stored, goal, asked, periods, context, self._sharing(run.id))
            if used.solved is not None:
                told = await _told_of_rows(used.solved, context, asked.language)
                return _value(goal, asked.question, asked.language, used.solved, "binding", "", started, context, told)
            reopened = used.reopened
            if reopened not in UNCHANGED:
                context.source = await ready.read_anew()
        before = Binding.of(stored.content) if stored is not None else None
        solved = await solve_goal(goal, asked, context, rejected=tuple(before.rejected) if before else ())
        if solved.sql and solved.status in {"solved", "doubtful", "unverified"}:
            binding = made(solved, asked, periods, context, before)
            state = "unverified" if solved.status == "unverified" else "bound"
            await asyncio.to_thread(Reports(self.store).bind, report.id, goal.key, state, binding.to_dict())
        told = await _told_of_rows(solved, context, asked.language)
        return _value(goal, asked.question, asked.language, solved, "solved", reopened, started, context, told)

    def _for_goal(self, shared: Context, clock: ReportClock) -> Context:
        """A context of its own for each placeholder, so that pools and budgets do not grow with the report."""
        services = replace(shared.services, results=LocalResults(most=8))
        return Context(
            services, user=shared.user, tenant=shared.tenant, policy=shared.policy, access=shared.access, can_ask=False,
            today=clock.today, writer=shared.writer, chat=shared.chat, llm=shared.llm, source=shared.source,
            meter=UsageMeter.of(shared.model), run_id=secrets.token_urlsafe(12),
        )  # fmt: skip

    def _sharing(self, run_id: str) -> Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]:
        """One execution of each statement in a run, however many placeholders need it."""
        tasks = self._shared.setdefault(run_id, {})

        async def shared(text: str, job: Callable[[], Awaitable[Any]]) -> Any:
            if text not in tasks:
                tasks[text] = asyncio.ensure_future(job())
            return await asyncio.shield(tasks[text])

        return shared

    async def _summary(self, run: StoredRun, ready: Prepared, ms: float) -> tuple[dict[str, Any], str]:
        values = (await asyncio.to_thread(ReportRuns(self.store).values, run.id)).values()
        usages = [value.content.get("usage") or {} for value in values]
        good = sum(value.status == "solved" for value in values)
        doubtful = sum(value.status == "doubtful" for value in values)
        counts: dict[str, int] = {}
        for value in values:
            counts[value.status] = counts.get(value.status, 0) + 1
        problems = [*ready.template.problems, *ready.problems]
        status = _status(len(ready.goals), good, doubtful, len(problems))
        content = (
            run.content
            | self._manner(ready)
            | {
                "problems": [problem.to_dict() for problem in problems],
                "counts": counts,
                "ms": round(ms, 1),
                "model_calls": sum(int(usage.get("model_calls", 0)) for usage in usages),
                "tokens": sum(int(u.get("prompt_tokens", 0)) + int(u.get("completion_tokens", 0)) for u in usages),
            }
        )
        return content, status

    def _manner(self, ready: Prepared) -> dict[str, Any]:
        """What is known of a run before its first value: parameters, day, language, currency."""
        return {
            "parameters": ready.shown,
            "placeholders": len(ready.goals),
            "today": ready.clock.today.isoformat(),
            "language": _spoken(ready, self.services.settings.language),
            "currency": ready.currency,
        }


def _status(goals: int, good: int, doubtful: int, problems: int) -> str:
    """A run is done where every value is sure: one that nobody confirmed is shown, but not counted as found."""
    if good + doubtful == goals and not problems:
        return "doubtful" if doubtful else "done"
    return "partial" if good or doubtful or not goals else "failed"


def _spoken(ready: Prepared, setting: str) -> str:
    """The language of the questions; a template's own text is full of markup."""
    text = ready.template.content.decode("utf-8", "ignore")[:20_000] if ready.template.form != "docx" else ""
    return answer_language(" ".join(goal.question for goal in ready.goals) or text or "en", setting)


async def _opened(context: Context, connection_id: str) -> Problem | None:
    """Open the database of a run; one that cannot be reached is a problem of every placeholder, not of the report."""
    try:
        await context.prepare(connection_id, "")
    except InqueryError as error:
        return Problem(0, error.code, Text(error.public_message("en"), error.public_message("zh")))
    return None


def _clock(context: Context, today: str) -> ReportClock:
    fixed = datetime.date.fromisoformat(today) if today else None
    if context.source is None:
        return ReportClock(fixed or context.settings.day("UTC"))
    options = context.source.connection.options
    return ReportClock(
        fixed or context.settings.day(options.timezone), options.week_start or 1, options.fiscal_year_start or 1
    )


@dataclass(frozen=True, slots=True)
class _ToldOfRows:
    """What the document must say of rows it does not show: those left out, and when the data begin."""

    left_out: str = ""
    since: str = ""


async def _told_of_rows(solved: Solved, context: Context, language: str) -> _ToldOfRows:
    """71% of orders have no region; a month that the data begin in the middle of is compared with no whole one."""
    kept = solved.kept
    statement = context.statement_of(solved.sql) if kept is not None and kept.rows else None
    if kept is None or statement is None:
        return _ToldOfRows()
    since = await data_begins(context, statement) if len(kept.rows) > 2 else None
    return _ToldOfRows(
        telling(await count_lost(context, statement, language)), since.isoformat() if since is not None else ""
    )


def _value(
    goal: Goal,
    question: str,
    language: str,
    solved: Solved,
    via: str,
    reopened: str,
    started: float,
    context: Context | None = None,
    told: _ToldOfRows | None = None,
) -> StoredValue:
    kept = solved.kept
    columns = list(kept.columns) if kept else []
    if kept and context:
        columns = shown_columns(kept, context, language, question)
    content = {
        "title": goal.title, "line": goal.line, "shape": goal.shape, "question": question, "language": language,
        "sql": solved.sql, "columns": [column.model_dump() for column in columns],
        "truncated": kept.truncated if kept else None, "notes": solved.notes, "via": via, "reopened": reopened,
        "problem": solved.problem.to_dict() if solved.problem else None, "agreement": solved.agreement,
        "left_out": told.left_out if told else "", "since": told.since if told else "",
        "steps": solved.steps, "usage": solved.usage,
        "labels": labels_of(kept, context, language) if kept and context else {},
    }  # fmt: skip
    rows = [tuple(row) for row in kept.rows] if kept else []
    return StoredValue(goal.key, solved.status, content, rows, round((time.perf_counter() - started) * 1000, 2))


def value_columns(value: StoredValue) -> tuple[AnswerColumn, ...]:
    """The columns of a kept value."""
    return tuple(AnswerColumn(**column) for column in value.content["columns"])


@asynccontextmanager
async def _renewed(runs: ReportRuns, run_id: str, holder: str) -> AsyncIterator[None]:
    """Hold a run while it lasts."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE_S / 3)
            await asyncio.to_thread(runs.take, run_id, holder, LEASE_S)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
