"""What every request passes first: bounded bodies, hosts that are meant, no other site's pages; and the answer's headers."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inquery.settings import Settings

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PREFIX = "/api/v1"
UPLOADS = PREFIX + "/uploads"
"""The one route that reads its body itself, piece by piece, into a file."""
BODY_S = 30.0
Answered = Callable[[str, str, int, float], None]
"""Told of every answer: method, route, status, seconds."""
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Doorkeeper:
    """Outermost of our own: refuses before a route is looked for, and stamps every answer."""

    def __init__(self, app: ASGIApp, *, settings: Settings, local: bool, answered: Answered) -> None:
        self.app = app
        self.answered = answered
        self.settings = settings
        self.body_bytes = settings.server.body_bytes
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()

        async def stamped(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.answered(scope["method"], route_of(scope), message["status"], time.perf_counter() - started)
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._entered(scope, receive, stamped)

    async def _entered(self, scope: Scope, receive: Receive, send: Send) -> None:
        from inquery.api.error_answers import error_answer, preferred_language
        from inquery.errors import BadRequest, BodyTooLarge, Forbidden, InqueryError, Text

        headers = Headers(scope=scope)
        error: InqueryError | None = None
        again = receive
        if "\x00" in scope["path"] or b"%00" in scope["query_string"]:
            reason = Text("a NUL character", "包含 NUL 字符")
            error = BadRequest(reason.en, reason=reason)
        elif not self._meant(scope, headers):
            error = Forbidden("host or origin")
        elif scope["path"] == UPLOADS and scope["method"] == "POST":
            if _length(headers) > self.settings.server.upload_bytes:
                error = BodyTooLarge(limit=self.settings.server.upload_bytes)
        else:
            body = await self._body(headers, receive)
            if body is None:
                error = BodyTooLarge(limit=self.body_bytes)
            else:
                again = _replay(body, receive)
        if error is None:
            await self.app(scope, again, send)
        else:
            await error_answer(error, preferred_language(headers.get("accept-language")))(scope, receive, send)

    def _meant(self, scope: Scope, headers: Headers) -> bool:
        """No name that another site points at this machine, and no page of another site."""
        named = headers.get("host", "")
        if self.local and came_by_network(scope) and _name(named) not in LOCAL_NAMES:
            return False
        origin = headers.get("origin")
        return origin is None or origin.lower().partition("://")[2] in own_hosts(self.settings, headers)

    async def _body(self, headers: Headers, receive: Receive) -> bytes | None:
        """The whole body, None when it is too large or too slow."""
        if _length(headers) > self.body_bytes:
            return None
        found = bytearray()
        try:
            async with asyncio.timeout(BODY_S):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return bytes(found)
                    found += message.get("body", b"")
                    if len(found) > self.body_bytes:
                        return None
                    if not message.get("more_body", False):
                        return bytes(found)
        except TimeoutError:
            return None


def _length(headers: Headers) -> int:
    given = headers.get("content-length", "0")
    return int(given) if given.isdigit() and len(given) < 20 else 0


def route_of(scope: Scope) -> str:
    """The pattern of the route, with the prefix that some versions of FastAPI leave out."""
    found = str(getattr(scope.get("route"), "path", "none"))
    bare = scope["path"].startswith(PREFIX) and found.startswith("/") and not found.startswith(PREFIX)
    return PREFIX + found if bare else found


def came_by_network(scope: Scope) -> bool:
    """Whether the caller has an address; one in this process or behind a socket file has none."""
    peer = (scope.get("client") or ("", 0))[0]
    try:
        ipaddress.ip_address(peer)
    except ValueError:
        return False
    return True


def own_hosts(settings: Settings, headers: Headers) -> set[str]:
    """The names this server goes by."""
    public = settings.server.public_url.lower().partition("://")[2].partition("/")[0]
    return {name for name in (headers.get("host", "").lower(), public) if name}


def _name(host: str) -> str:
    try:
        return urlsplit("//" + host).hostname or ""
    except ValueError:
        return ""


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body once, then what the server says: that the caller has gone."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
