"""Server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from inquery.agents.events import Event
from inquery.api.runs import Live

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
