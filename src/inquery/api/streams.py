"""Server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal

from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from inquery.agents.events import Event
from inquery.api.error_answers import LOG
from inquery.api.runs import Live
from inquery.databases.engine import Progress
from inquery.errors import InqueryError, InternalError

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """The events of a run; a caller that leaves stops watching, whenever that is."""

    media_type = "text/event-stream"

    def __init__(self, live: Live, status_code: int = 200) -> None:
        self._live = live.join()
        named = {"x-run-id": live.run_id, "x-thread-id": live.thread_id}
        super().__init__(_sent(live), status_code, headers={**HEADERS, **named})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the run or the caller's patience ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._live.leave()


async def _sent(live: Live) -> AsyncIterator[str]:
    yield ": inquery\n\n"
    async for event in live.watch():
        yield ":\n\n" if event is None else encoded(event)


def encoded(event: Event) -> str:
    """An event as SSE: its type as the name, JSON as data, and its number as the id."""
    number = f"id: {event.run_id}:{event.seq}\n" if event.seq else ""
    return f"{number}event: {event.type}\ndata: {event.model_dump_json()}\n\n"


class WorkEvent(BaseModel):
    """One event of work that takes a while: how far it is, then what came of it."""

    type: Literal["progress", "done", "error"]
    stage: str = ""
    done: int = 0
    total: int = 0
    result: dict[str, Any] | None = None
    code: str = ""
    message: str = ""


class Progressing(StreamingResponse):
    """Work as server-sent events; a caller that leaves cancels it."""

    media_type = "text/event-stream"

    def __init__(self, work: Callable[[Progress], Awaitable[BaseModel]], language: str, status_code: int = 200) -> None:
        super().__init__(_worked(work, language), status_code, headers=HEADERS)


async def _worked(work: Callable[[Progress], Awaitable[BaseModel]], language: str) -> AsyncIterator[str]:
    loop, events = asyncio.get_running_loop(), asyncio.Queue[WorkEvent | None]()

    def report(stage: str, done: int, total: int) -> None:
        event = WorkEvent(type="progress", stage=stage, done=done, total=total)
        loop.call_soon_threadsafe(events.put_nowait, event)

    task = asyncio.ensure_future(work(report))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield _line(event)
        yield _line(WorkEvent(type="done", result=task.result().model_dump(mode="json")))
    except InqueryError as error:
        yield _line(WorkEvent(type="error", code=error.code, message=error.public_message(language)))
    except Exception as error:  # noqa: BLE001 - the status is sent already, so that an event has to tell it
        LOG.error("work failed", exc_info=error)
        hidden = InternalError()
        yield _line(WorkEvent(type="error", code=hidden.code, message=hidden.public_message(language)))
    finally:
        task.cancel()


def _line(event: WorkEvent) -> str:
    told = json.dumps(event.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
    return f"event: {event.type}\ndata: {told}\n\n"
