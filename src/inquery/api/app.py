"""The application: made from settings, it opens what runs need when it starts and closes it when it stops."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI

from inquery import tracing
from inquery.agents.opening import open_runner
from inquery.api import doors, reporting
from inquery.api import error_answers as errors
from inquery.api import web_page as page
from inquery.api.auditing import Trail, pruning
from inquery.api.counters import open_counters
from inquery.api.gate import Gate
from inquery.api.headers import PREFIX, Doorkeeper
from inquery.api.identity import Identity, asks_for_users, refuse_unsafe
from inquery.api.metrics import Metrics
from inquery.api.oidc_client import Provider
from inquery.api.request_limits import RequestLimits
from inquery.api.routes import ROOMS, health
from inquery.api.runs import Runs
from inquery.api.shared import Shared
from inquery.api.traced import Traced
from inquery.api.uploaded import with_own_folder
from inquery.home import marks_of
from inquery.lasting import collect_as_server
from inquery.llm.writer import SqlWriter
from inquery.settings import Settings, get_settings
from inquery.store.audit import Audit

THREADS = 32


def create_app(settings: Settings | None = None, *, writer: SqlWriter | None = None) -> FastAPI:
    """The server of the settings; raises UnsafeServer when it would be open to strangers."""
    settings = with_own_folder(settings or get_settings())
    refuse_unsafe(settings)
    gate = Gate(settings.server)
    metrics = Metrics(gate)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # The default has a few threads more than cores: six databases that do not answer would stop the server.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "inquery"))
        _match_routes(app)
        async with open_runner(settings, writer=writer) as runner:
            assert runner.services.threads is not None
            store = runner.services.threads.store
            counters = open_counters(settings, store)
            gate.open(counters)
            limits, audit = RequestLimits(settings, store, counters), Audit(store, keep_sql=settings.identity.audit_sql)
            runs = Runs(runner, runner.services.threads, gate, metrics, limits, audit)
            oldest = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=settings.server.event_days)
            await asyncio.to_thread(runs.log.delete_older, oldest)
            app.state.shared = Shared(settings, runner, runs, gate, metrics, limits, audit, marks_of(settings.home))
            app.state.identity = Identity(settings, store, limits)
            app.state.provider = Provider(settings, store)
            try:
                async with (
                    doors.opened(app, app.state.shared),
                    reporting.opened(app, writer),
                    pruning(audit, settings.identity.audit_days),
                ):
                    with collect_as_server():
                        yield
            finally:
                await app.state.shared.looks.close()
                await runs.close()
                await gate.close()
                await asyncio.to_thread(tracing.stop)
                await counters.close()

    app = FastAPI(
        title="Inquery",
        version=version("inquery"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
        responses=errors.ERRORS,
    )
    errors.install(app)
    _install_routes(app)
    _describe_streams(app)
    app.add_middleware(Trail)
    app.add_middleware(Doorkeeper, settings=settings, local=not asks_for_users(settings), answered=metrics.answered)
    if tracing.start(settings.tracing):
        app.add_middleware(Traced)
    return app


def _install_routes(app: FastAPI) -> None:
    api = APIRouter(prefix=PREFIX)
    for room in ROOMS:
        api.include_router(room.router)
    app.include_router(api)
    app.include_router(health.router, include_in_schema=False)
    doors.install(app)
    page.install(app)


def _match_routes(app: FastAPI) -> None:
    """Have FastAPI make its routes, which it does when one is first looked for: a fifth of a second in which nobody is answered."""
    nowhere = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in app.routes:
        route.matches(dict(nowhere))


def _describe_streams(app: FastAPI) -> None:
    """Name the type of a stream's events alone, which FastAPI would call strings as well, and failures as JSON."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        found = described()
        for operations in found["paths"].values():
            for operation in operations.values():
                for status, answer in operation["responses"].items():
                    content = answer.get("content", {})
                    if status == "200":
                        content.get("text/event-stream", {}).get("schema", {}).pop("type", None)
                    elif status >= "4" and content and "application/json" not in content:
                        answer["content"] = {"application/json": next(iter(content.values()))}
        return found

    app.openapi = openapi  # type: ignore[method-assign]
