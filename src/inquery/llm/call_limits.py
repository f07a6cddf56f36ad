"""Bounds on calls to a model: a rate, retries with jitter, and a circuit breaker."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from inquery.errors import CircuitOpen, ModelTimeout, ModelUnavailable, RateLimited

T = TypeVar("T")

LONGEST_PAUSE_S = 20.0
"""A server that asks for a longer pause is treated as unavailable: a person is waiting."""


class RateLimiter:
    """At most `per_minute` calls in any minute; a caller waits for its turn, bounded."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._calls: deque[float] = deque()

    async def wait(self, longest_s: float = LONGEST_PAUSE_S) -> None:
        """Take a turn, or raise RateLimited when none comes within `longest_s`."""
        pause = self._pause()
        if pause > longest_s:
            raise RateLimited(f"{self.per_minute} requests a minute")
        self._calls.append(self._clock() + pause)
        if pause > 0:
            await asyncio.sleep(pause)

    def _pause(self) -> float:
        now = self._clock()
        while self._calls and self._calls[0] <= now - 60:
            self._calls.popleft()
        if len(self._calls) < self.per_minute:
            return 0.0
        return max(0.0, self._calls[len(self._calls) - self.per_minute] + 60 - now)


class Breaker:
    """Opens after `failures` in a row and refuses calls for `pause_s`; then lets one through."""

    def __init__(self, failures: int, pause_s: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.failures = failures
        self.pause_s = pause_s
        self._clock = clock
        self._in_a_row = 0
        self._opened_at: float | None = None

    def allow(self) -> None:
        """Raise CircuitOpen while the breaker is open."""
        if self._opened_at is None:
            return
        left = self._opened_at + self.pause_s - self._clock()
        if left > 0:
            raise CircuitOpen(f"{self._in_a_row} failures in a row", seconds=max(1, round(left)))
        self._opened_at = None
        self._in_a_row = self.failures - 1

    def succeeded(self) -> None:
        """A call ended well."""
        self._in_a_row = 0
        self._opened_at = None

    def failed(self) -> None:
        """A call failed for a reason of the provider's."""
        self._in_a_row += 1
        if self._in_a_row >= self.failures:
            self._opened_at = self._clock()


async def retried(
    call: Callable[[], Awaitable[T]],
    *,
    retries: int,
    breaker: Breaker,
    classify: Callable[[BaseException], ModelUnavailable | None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Call until it succeeds, a failure is final, or the tries are used up."""
    for attempt in range(retries + 1):
        breaker.allow()
        try:
            result = await call()
        except Exception as error:
            found = classify(error)
            if found is None:
                raise
            breaker.failed()
            pause = retry_after(error)
            if attempt == retries or not found.retryable or (pause or 0) > LONGEST_PAUSE_S:
                raise found from error
            await sleep(pause if pause is not None else backoff(attempt))
        else:
            breaker.succeeded()
            return result
    raise ModelTimeout("no tries left")


def backoff(attempt: int, *, rng: Callable[[], float] = random.random) -> float:
    """Half a second, doubled each time, with full jitter on the second half."""
    base: float = 0.5 * 2.0**attempt
    return min(base / 2 + base / 2 * rng(), LONGEST_PAUSE_S)


def retry_after(error: BaseException) -> float | None:
    """The pause a server asked for, in seconds."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    try:
        return None if value is None else float(str(value))
    except ValueError:
        return None
