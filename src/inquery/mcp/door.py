"""What the tools need of the process they live in: who calls, what they may see, and how questions are run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from inquery.agents.context import Services
from inquery.agents.events import Event
from inquery.agents.metric_desk import MetricDesk
from inquery.agents.own_sql import OwnResult, limits_for, run_own_sql
from inquery.agents.run import Request, Runner
from inquery.agents.sources import Source
from inquery.answers.answer import Answer
from inquery.metrics.plan_types import Plan
from inquery.sql import Policy


class Caller(Protocol):
    """The person behind a call."""

    @property
    def id(self) -> str: ...

    @property
    def tenant(self) -> str: ...


class Door(Protocol):
    """A process that can answer: this one over stdio, or the HTTP server with its identity and its limits."""

    @property
    def services(self) -> Services:
        """Databases, samples and settings."""

    async def caller(self, http: Any, right: str) -> Caller:
        """Who calls, by the request that carried the call (none over stdio); raises Forbidden without the right."""

    async def open(self, caller: Caller, connection: str | None) -> tuple[Source, Policy]:
        """A database the caller may use, and what they may see of it; raises NotFound."""

    async def run_sql(self, caller: Caller, connection: str | None, sql: str, rows: int) -> OwnResult:
        """The rows of a statement and its text as it ran; raises what the guard or the database says."""

    async def measure(self, caller: Caller, desk: MetricDesk, plan: Plan) -> Answer:
        """The figures of a plan at a desk that was opened for the caller."""

    def answer(self, caller: Caller, request: Request, reply: Any) -> AsyncIterator[Event]:
        """The events of a question, or of a thread that goes on with a reply."""


@dataclass(frozen=True, slots=True)
class Local:
    """The user of this machine."""

    id: str = "local"
    tenant: str = "local"


class LocalDoor:
    """The one user of this machine, with a default database of their choice."""

    def __init__(self, runner: Runner, connection: str | None = None) -> None:
        self.runner = runner
        self.connection = connection

    @property
    def services(self) -> Services:
        """Databases, samples and settings."""
        return self.runner.services

    async def caller(self, http: Any, right: str) -> Caller:
        """Always the local user, who may do anything."""
        return Local()

    async def open(self, caller: Caller, connection: str | None) -> tuple[Source, Policy]:
        """The named database, else the default one."""
        source = await self.services.sources.open(connection or self.connection)
        return source, Policy(row_cap=self.services.settings.query.rows)

    async def run_sql(self, caller: Caller, connection: str | None, sql: str, rows: int) -> OwnResult:
        """Checked, then executed."""
        source, policy = await self.open(caller, connection)
        limits = limits_for(self.services.settings.query, rows)
        return await run_own_sql(source.id, sql, catalog=source.catalog, policy=policy, limits=limits)

    async def measure(self, caller: Caller, desk: MetricDesk, plan: Plan) -> Answer:
        """Straight from the desk."""
        return await desk.answer(plan)

    def answer(self, caller: Caller, request: Request, reply: Any) -> AsyncIterator[Event]:
        """Straight from the runner."""
        if reply is not None:
            return self.runner.resume(request, reply)
        connection = request.connection_id or self.connection or ""
        return self.runner.stream(replace(request, connection_id=connection))
