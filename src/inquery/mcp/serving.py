"""The two transports: standard input and output for one program, streamable HTTP inside the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from inquery import tracing
from inquery.agents.opening import open_runner
from inquery.mcp.chart_server import open_charts
from inquery.mcp.door import Door, LocalDoor
from inquery.mcp.server import Server
from inquery.settings import Settings

App = Callable[[Any, Any, Any], Awaitable[None]]


async def serve_stdio(settings: Settings, connection: str | None = None) -> None:
    """Answer the program that started this one, until it closes our input."""
    tracing.start(settings.tracing)
    async with open_runner(settings) as runner, open_charts(settings) as charts:
        runner.services.charts = charts
        door = LocalDoor(runner, connection)
        if connection:
            await door.services.sources.connection(connection)  # a wrong name is told now, not at the first question
        await Server(door).run_stdio_async()
    tracing.stop()


@asynccontextmanager
async def serve_http(door: Door) -> AsyncIterator[App]:
    """The ASGI application of one endpoint; each request stands for itself, so that any worker can take it."""
    server = Server(door)
    server.streamable_http_app()  # makes the session manager; the route is the server's own
    async with server.session_manager.run():
        yield server.session_manager.handle_request
