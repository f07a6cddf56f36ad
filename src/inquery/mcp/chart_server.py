"""A client of MCP chart servers: a chart's spec goes to the server's tool, a picture's address comes back."""

from __future__ import annotations

import asyncio
import base64
import binascii
import ipaddress
import logging
import os
import shlex
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
from anyio import BrokenResourceError, ClosedResourceError
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import get_default_environment, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import McpError
from mcp.types import CallToolResult, ImageContent, TextContent

from inquery.answers.answer import ChartSpec
from inquery.answers.chart_requests import request_of, tool_of
from inquery.databases.transport.outgoing import checked_client
from inquery.settings import ChartSettings, Settings
from inquery.store.pictures import Pictures

LOG = logging.getLogger("inquery.charts")
AGAIN_S = 30.0
"""A server that could not be started is left alone for so long."""
LONGEST_ADDRESS = 2000
OPEN_S = 300.0
"""How long a session's stream may say nothing; each call has a bound of its own."""
PICTURES = "/api/v1/charts/pictures/"


class ChartServer:
    """A chart server whose session stays open: opening one for each picture would cost five times as much."""

    def __init__(self, settings: Settings) -> None:
        self.settings: ChartSettings = settings.charts
        self.pictures = Pictures(settings.home, settings.charts.picture_days)
        self._session: ClientSession | None = None
        self._tools: frozenset[str] = frozenset()
        self._living: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._opening = asyncio.Lock()
        self._failed = -AGAIN_S

    @property
    def keeps_data(self) -> bool:
        """Whether what is drawn stays on this machine, as far as settings can tell."""
        return bool(self.settings.command) and _on_this_machine(self.settings.render_url)

    async def draw(self, spec: ChartSpec) -> str:
        """The address of a picture, empty where the server has none; never raises what an answer could fail by."""
        tool = tool_of(spec)
        try:
            async with asyncio.timeout(self.settings.timeout_s):
                session = await self._opened()
                if session is None or tool not in self._tools:
                    return ""
                return await asyncio.to_thread(self._address, await session.call_tool(tool, {**request_of(spec)}))
        except (TimeoutError, McpError, OSError, ClosedResourceError, BrokenResourceError) as error:
            LOG.warning("the chart server failed: %s", type(error).__name__)
            if not isinstance(error, TimeoutError):
                self._drop()
            return ""

    def _drop(self) -> None:
        """Give a session up that does not work, so that the next picture opens another."""
        if self._living is not None:
            self._living.cancel()

    async def close(self) -> None:
        """End the session, and the server if it was started here."""
        self._stop.set()
        if self._living is not None:
            await asyncio.wait([self._living], timeout=10)

    async def _opened(self) -> ClientSession | None:
        async with self._opening:
            alive = self._living is not None and not self._living.done()
            if self._session is not None and alive:
                return self._session
            if time.monotonic() - self._failed < AGAIN_S:
                return None
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            # A task of its own: a session must be closed by the task that opened it.
            self._living = asyncio.create_task(self._live(ready), name="chart server")
            await ready
            return self._session

    async def _live(self, ready: asyncio.Future[None]) -> None:
        try:
            async with _session(self.settings) as session:
                self._tools = frozenset(tool.name for tool in (await session.list_tools()).tools)
                self._session = session
                if not ready.done():
                    ready.set_result(None)
                await self._stop.wait()
        except Exception:
            self._failed = time.monotonic()
            LOG.warning("the chart server could not be used", exc_info=True)
        finally:
            self._session = None
            if not ready.done():
                ready.set_result(None)

    def _address(self, result: CallToolResult) -> str:
        """The first picture of a result: an address as it is, bytes as one of our own."""
        if result.isError:
            return ""
        for content in result.content:
            if isinstance(content, TextContent) and _is_address(content.text.strip()):
                return content.text.strip()
            if isinstance(content, ImageContent) and content.mimeType == "image/png":
                try:
                    return PICTURES + self.pictures.save(base64.b64decode(content.data, validate=True))
                except binascii.Error:
                    continue
        return ""


@asynccontextmanager
async def open_charts(settings: Settings) -> AsyncIterator[ChartServer | None]:
    """The chart server of the settings, None where there is none; it is started when it is first needed."""
    if not (settings.charts.command or settings.charts.url):
        yield None
        return
    server = ChartServer(settings)
    try:
        yield server
    finally:
        await server.close()


@asynccontextmanager
async def _session(settings: ChartSettings) -> AsyncIterator[ClientSession]:
    async with AsyncExitStack() as stack:
        if settings.command:
            # It writes what it draws to its standard error; cells have no place in our log.
            nowhere = stack.enter_context(Path(os.devnull).open("w"))  # noqa: ASYNC230, SIM115 - no disk is behind it
            streams: Any = await stack.enter_async_context(stdio_client(_command(settings), errlog=nowhere))
        else:
            patient = httpx.Timeout(settings.timeout_s, read=OPEN_S)
            client = await stack.enter_async_context(checked_client(timeout=patient))
            streams = await stack.enter_async_context(streamable_http_client(settings.url, http_client=client))
        patience = timedelta(seconds=settings.timeout_s)
        session = await stack.enter_async_context(ClientSession(streams[0], streams[1], read_timeout_seconds=patience))
        await session.initialize()
        yield session


def _command(settings: ChartSettings) -> StdioServerParameters:
    """The command, with nothing of our own environment but what every program needs."""
    command, *arguments = shlex.split(settings.command)
    variables = get_default_environment()
    if settings.render_url:
        key = settings.render_key.get_secret_value()
        variables["VIS_REQUEST_SERVER"] = settings.render_url + (f"?key={quote(key, safe='')}" if key else "")
    return StdioServerParameters(command=command, args=arguments, env=variables)


def _is_address(text: str) -> bool:
    parts = urlsplit(text)
    return (
        parts.scheme in {"http", "https"} and bool(parts.netloc) and len(text) <= LONGEST_ADDRESS and text.isprintable()
    )


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
