"""Doors of other rooms that the server opens: the same identity, the same limits, the same runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from inquery.agents.context import Services
from inquery.agents.events import DoneEvent, Event
from inquery.agents.metric_desk import MetricDesk
from inquery.agents.own_sql import OwnResult
from inquery.agents.run import Request as RunRequest
from inquery.agents.sources import Source
from inquery.answers.answer import Answer
from inquery.api.access import connection_of, source_of
from inquery.api.error_answers import error_answer, preferred_language
from inquery.api.headers import PREFIX
from inquery.api.identity import User, current_user
from inquery.api.measuring import run_plan
from inquery.api.rights import RIGHTS
from inquery.api.routes import charts
from inquery.api.runs import Live
from inquery.api.shared import Shared
from inquery.api.statements import run_statement
from inquery.errors import Forbidden, InqueryError, InternalError, NotFound, Text
from inquery.metrics.plan_types import Plan
from inquery.sql import Policy

MCP = "/mcp"


class ServerDoor:
    """What MCP is given of this server: `mcp.door.Door`."""

    def __init__(self, here: Shared) -> None:
        self.here = here

    @property
    def services(self) -> Services:
        """Databases, samples and settings."""
        return self.here.services

    async def caller(self, http: Request, right: str) -> User:
        """Who calls, with the right that the call needs."""
        user = await current_user(http)
        if not user.may(RIGHTS[right].role):
            raise Forbidden(right)
        return user

    async def open(self, caller: User, connection: str | None) -> tuple[Source, Policy]:
        """A database, and what the caller may see of it."""
        return await source_of(self.here, caller, connection)

    async def run_sql(self, caller: User, connection: str | None, sql: str, rows: int) -> OwnResult:
        """The rows of the caller's own statement, and its text as it ran."""
        return await run_statement(self.here, caller, connection, sql, rows)

    async def measure(self, caller: User, desk: MetricDesk, plan: Plan) -> Answer:
        """The figures of a plan; they count among this worker's runs."""
        return await run_plan(self.here, caller, desk, plan)

    async def answer(self, caller: User, request: RunRequest, reply: Any) -> AsyncIterator[Event]:
        """The events of a run that counts among this worker's; leaving stops it."""
        live = await self._started(caller, request, reply)
        live.join()
        try:
            async for event in live.watch():
                if event is not None:
                    yield event
                if isinstance(event, DoneEvent):
                    return
            raise live.error or InternalError("the run ended without an answer")
        finally:
            live.leave()

    async def _started(self, caller: User, request: RunRequest, reply: Any) -> Live:
        if request.thread_id:
            await asyncio.to_thread(self.here.threads.get, request.thread_id, caller.id)
        if request.connection_id != "auto" and (request.connection_id or not request.thread_id):
            connection = await connection_of(self.here, caller, request.connection_id or None)
            request = replace(request, connection_id=connection.id)
        request = replace(request, access=caller.policy)
        if reply is not None:
            return await self.here.runs.resume(caller, request, reply, "en")
        return await self.here.runs.ask(caller, request, key="", mark="", language="en")


class Opening:
    """The route of a door: refuses strangers, and says where it is not installed."""

    def __init__(self, path: str) -> None:
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        request = Request(scope, receive)
        app = scope["app"].state.doors.get(self.path)
        try:
            if app is None:
                raise NotFound(self.path, what=Text("page", "页面"), name=self.path)
            await current_user(request)
        except InqueryError as error:
            await error_answer(error, preferred_language(request.headers.get("accept-language")))(scope, receive, send)
            return
        await app(scope, receive, send)


def install(app: FastAPI) -> None:
    """Make the routes; what serves them is opened with the server."""
    app.state.doors = {}
    app.include_router(charts.router, prefix=PREFIX)
    app.router.routes.append(Route(MCP, Opening(MCP), include_in_schema=False))


@asynccontextmanager
async def opened(app: FastAPI, here: Shared) -> AsyncIterator[None]:
    """Open every door whose extra is installed, and the chart server of the settings."""
    async with AsyncExitStack() as stack:
        mcp = await asyncio.to_thread(_mcp)
        if mcp is not None:
            serve_http, open_charts = mcp
            app.state.doors[MCP] = await stack.enter_async_context(serve_http(ServerDoor(here)))
            here.services.charts = await stack.enter_async_context(open_charts(here.settings))
        yield


def _mcp() -> tuple[Any, Any] | None:
    """What serves MCP and asks a chart server; None where the extra is not installed."""
    try:
        from inquery.mcp.chart_server import open_charts
        from inquery.mcp.serving import serve_http
    except ImportError:
        return None
    return serve_http, open_charts
