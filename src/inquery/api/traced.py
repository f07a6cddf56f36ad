"""A span around every request, below the caller's own where it sends a `traceparent`."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inquery.api.headers import route_of
from inquery.tracing import incoming, server_span


class Traced:
    """Outermost: the runs of a request are below its span. Paths are named by their route, never as they were sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 500

        async def heard(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        with server_span(f"{scope['method']} request", incoming(headers)) as span:
            await self.app(scope, receive, heard)
            if span is not None:
                route = route_of(scope)
                span.update_name(f"{scope['method']} {route}")
                span.set_attributes({"http.route": route, "http.response.status_code": status})
