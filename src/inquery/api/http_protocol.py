"""HTTP as uvicorn speaks it, with an end for requests that never become one: uvicorn waits for headers for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as Parser
else:
    Parser = asyncio.Protocol

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class HeaderBounds(Parser):
    """Before one of uvicorn's protocols: ends a connection whose headers are not there in time, or are too large."""

    headers_s: ClassVar[float] = 15.0
    headers_bytes: ClassVar[int] = 64 << 10

    _ending: asyncio.TimerHandle | None = None
    _received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection that sends nothing is as slow as one that sends a letter now and then."""
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        """What both parsers have in common: a new cycle begins when the headers are complete."""
        before = self.cycle
        super().data_received(data)
        if self.transport.is_closing() or self.cycle is not before:
            self._stop_waiting()
        elif self.cycle is None or self.cycle.response_complete:
            if self._ending is None:
                self._await_headers()
            self._received += len(data)
            if self._received > self.headers_bytes:
                self._end(TOO_LARGE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._ending = self.loop.call_later(self.headers_s, self._end, TOO_SLOW)

    def _stop_waiting(self) -> None:
        self._received = 0
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    def _end(self, answer: bytes) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


class BoundedHeaders(HeaderBounds, AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Over httptools where it is installed, else over h11."""
