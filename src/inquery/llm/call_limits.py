"""Bounds on calls to a model: a rate, retries with jitter, and a circuit breaker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_exponential, wait_random_exponential

from inquery.errors import CircuitOpen, ModelUnavailable, RateLimited
from inquery.llm.provider_errors import is_providers_fault
from inquery.settings import LLMSettings

T = TypeVar("T")

LONGEST_PAUSE_S = 20.0
"""A server that asks for a longer pause is treated as unavailable: a person is waiting."""


class RateLimiter:
    """At most `per_minute` calls in any minute; a caller waits for its turn, bounded."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._calls: deque[float] = deque()
        self._lock = threading.Lock()  # loops of several threads share one limit

    async def wait(self, longest_s: float = LONGEST_PAUSE_S) -> None:
        """Take a turn, or raise RateLimited when none comes within `longest_s`."""
        with self._lock:
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
        self._said = ""

    def allow(self) -> None:
        """Raise CircuitOpen while the breaker is open."""
        if self._opened_at is None:
            return
        left = self._opened_at + self.pause_s - self._clock()
        if left > 0:
            open_now = CircuitOpen(f"{self._in_a_row} failures in a row: {self._said}", seconds=max(1, round(left)))
            open_now.said = self._said  # why it failed before is why it is paused now
            raise open_now
        self._opened_at = None
        self._in_a_row = self.failures - 1

    @property
    def is_open(self) -> bool:
        """Whether calls are refused now."""
        return self._opened_at is not None and self._opened_at + self.pause_s > self._clock()

    def succeeded(self) -> None:
        """A call ended well."""
        self._in_a_row = 0
        self._opened_at = None

    def failed(self, said: str = "") -> None:
        """A call failed for a reason of the provider's, which is told to those who then find it open."""
        self._in_a_row += 1
        self._said = said
        if self._in_a_row >= self.failures:
            self._opened_at = self._clock()


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The rate and the breaker of one model, shared by everything in a process that calls it."""

    limiter: RateLimiter
    breaker: Breaker

    @classmethod
    def of(cls, settings: LLMSettings) -> CallLimits:
        """The limits that the settings name."""
        breaker = Breaker(settings.breaker_failures, settings.breaker_pause_s)
        return cls(RateLimiter(settings.requests_per_minute), breaker)


async def retried(
    call: Callable[[], Awaitable[T]],
    *,
    retries: int,
    breaker: Breaker,
    classify: Callable[[BaseException], ModelUnavailable | None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Call until it succeeds, a failure is final, or the tries are used up.

    Whose own tries open the breaker is told why they failed, not that it is open.
    """

    async def once() -> T:
        try:
            result = await call()
        except Exception as error:
            found = classify(error)
            if found is None:
                raise
            # What one person's request was (a wrong key, a long prompt) must not close the model to everybody.
            if found.retryable and is_providers_fault(found):
                breaker.failed(found.said)
            raise found from error
        breaker.succeeded()
        return result

    breaker.allow()
    tries = AsyncRetrying(
        retry=retry_if_exception(lambda error: _may_pass(error) and not breaker.is_open),
        wait=_pause,
        stop=stop_after_attempt(retries + 1),
        sleep=sleep,
        reraise=True,
    )
    return await tries(once)


def _may_pass(error: BaseException) -> bool:
    """Whether a failure is worth another try: the provider's, not final, and over before a person has gone."""
    if not isinstance(error, ModelUnavailable) or not error.retryable:
        return False
    return (retry_after(error.__cause__) or 0) <= LONGEST_PAUSE_S


# Half a second, doubled each time, with full jitter on the second half: clients that failed together come back apart.
_backoff = wait_exponential(0.25, LONGEST_PAUSE_S / 2) + wait_random_exponential(0.25, LONGEST_PAUSE_S / 2)


def _pause(state: RetryCallState) -> float:
    """The pause that the server asked for, else one that grows."""
    error = state.outcome.exception() if state.outcome else None
    asked = retry_after(error.__cause__) if error else None
    return _backoff(state) if asked is None else asked


def retry_after(error: BaseException | None) -> float | None:
    """The pause a server asked for, in seconds."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    try:
        return None if value is None else float(str(value))
    except ValueError:
        return None
