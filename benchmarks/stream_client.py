"""A client that costs little: it shares its two cores with the servers it measures, so it reads streams as bytes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

PATH = "/api/v1/query/stream"
LONGEST_S = 120.0


@dataclass
class Seen:
    """One request: its status, when its first event came, when it ended, and whether its answer was right."""

    status: int = 0
    first_s: float = 0.0
    total_s: float = 0.0
    whole: bool = False
    retry_after: bool = False
    error: str = ""

    @property
    def honest(self) -> bool:
        """A refusal that says when to come back."""
        return self.status in {429, 503} and self.retry_after


@dataclass
class Client:
    """Asks one server."""

    url: str
    question: str
    right: str
    """What the last event must hold."""
    number: int = field(default=0)

    async def ask(self) -> Seen:
        """Stream one question in a connection of its own."""
        seen, started = Seen(), time.perf_counter()
        try:
            async with asyncio.timeout(LONGEST_S):
                await self._streamed(seen, started)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            seen.error = seen.error or type(error).__name__
        seen.total_s = time.perf_counter() - started
        return seen

    async def _streamed(self, seen: Seen, started: float) -> None:
        body = json.dumps({"question": self.question, "refresh": True, "can_ask": False}).encode()
        reader, writer = await self.opened()
        try:
            writer.write(self._head("POST", PATH, len(body)) + body)
            await writer.drain()
            seen.status, headers = await _answered(reader)
            seen.retry_after = b"retry-after:" in headers.lower()
            if seen.status != 200:
                seen.error = f"{seen.status} {(await reader.read(300)).decode('utf-8', 'replace')}"
                return
            last = b""
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    seen.first_s = seen.first_s or time.perf_counter() - started
                    last = line
                elif line.startswith(b"data: ") and last in {b"event: done\n", b"event: error\n"}:
                    seen.whole = last == b"event: done\n" and self.right.encode() in line
                    seen.error = "" if seen.whole else seen.error or line[:300].decode("utf-8", "replace")
                    if last == b"event: done\n":
                        return
        finally:
            writer.close()

    async def opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        place = urlsplit(self.url)
        return await asyncio.open_connection(place.hostname, place.port, limit=1 << 20)

    async def lives(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the server answers on a connection."""
        writer.write(self._head("GET", "/health/live", 0))
        await writer.drain()
        status, _ = await _answered(reader)
        return status == 200

    def _head(self, method: str, path: str, length: int) -> bytes:
        host = urlsplit(self.url).netloc
        lines = [
            f"{method} {path} HTTP/1.1",
            f"host: {host}",
            "content-type: application/json",
            f"content-length: {length}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()


async def _answered(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), head


Ask = Callable[[], Coroutine[Any, Any, Seen]]
"""A question, asked anew."""


async def closed_loop(ask: Ask, at_once: int, total: int) -> tuple[list[Seen], float]:
    """`total` questions, so many at a time; with the seconds they took together."""
    left = total
    found: list[Seen] = []

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            found.append(await ask())

    started = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    return found, time.perf_counter() - started


async def open_loop(ask: Ask, rate: float, seconds: float) -> list[Seen]:
    """Questions at a rate, whether or not the earlier ones were answered."""
    asking: list[asyncio.Task[Seen]] = []
    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        asking.append(asyncio.create_task(ask()))
    return list(await asyncio.gather(*asking))


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))] if ranked else 0.0
