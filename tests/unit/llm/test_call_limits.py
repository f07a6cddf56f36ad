"""Calls to a model are tried again after pauses that grow, unless that cannot help."""

import asyncio
from types import SimpleNamespace

import pytest

from inquery.errors import BadRequest, CircuitOpen, ModelMissing, ModelUnavailable, ModelUnreachable
from inquery.llm.call_limits import LONGEST_PAUSE_S, Breaker, retried
from inquery.llm.provider_errors import model_error


class ServerError(OSError):
    """What a client raises; `after` is the header that asks for a pause."""

    def __init__(self, after: str | None = None) -> None:
        super().__init__("503")
        self.response = SimpleNamespace(headers={} if after is None else {"retry-after": after})


class Provider:
    """Fails as told, call by call, then answers; remembers the pauses between its calls."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)
        self.calls = 0
        self.pauses: list[float] = []

    async def answer(self) -> str:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return "42"

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def ask(self, *, retries: int = 2, breaker: Breaker | None = None) -> str:
        return await retried(
            self.answer, retries=retries, breaker=breaker or never_opens(), classify=model_error, sleep=self.pause
        )


def never_opens() -> Breaker:
    return Breaker(1000, 60)


async def test_pauses_double_and_are_spread_over_their_second_half() -> None:
    seen = []
    for _ in range(200):
        provider = Provider(*[ServerError() for _ in range(5)])
        assert await provider.ask(retries=5) == "42"
        seen.append(provider.pauses)
    for attempt, pauses in enumerate(zip(*seen, strict=True)):
        base = 0.5 * 2**attempt
        assert base / 2 <= min(pauses) < base * 0.6
        assert base * 0.9 < max(pauses) <= base


async def test_no_pause_is_longer_than_a_person_waits() -> None:
    provider = Provider(*[ServerError() for _ in range(12)])
    await provider.ask(retries=12)
    assert max(provider.pauses) <= LONGEST_PAUSE_S


async def test_the_pause_a_server_asks_for_is_kept() -> None:
    provider = Provider(ServerError("7"), ServerError("0"))
    await provider.ask()
    assert provider.pauses == [7.0, 0.0]


async def test_a_server_that_asks_for_too_long_a_pause_is_not_waited_for() -> None:
    provider = Provider(ServerError("21"))
    with pytest.raises(ModelUnavailable) as caught:
        await provider.ask()
    assert (provider.calls, provider.pauses) == (1, [])
    assert isinstance(caught.value.__cause__, ServerError)


async def test_the_last_failure_is_told_when_the_tries_are_used_up() -> None:
    provider = Provider(*[ServerError() for _ in range(9)])
    with pytest.raises(ModelUnavailable):
        await provider.ask(retries=2)
    assert provider.calls == 3


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ModelMissing("no key"), ModelMissing),
        (BadRequest("ours"), BadRequest),
        (ZeroDivisionError(), ZeroDivisionError),
        (asyncio.CancelledError(), asyncio.CancelledError),
    ],
)
async def test_what_another_try_cannot_mend_is_told_at_once(failure: BaseException, told: type[BaseException]) -> None:
    provider = Provider(failure)
    with pytest.raises(told):
        await provider.ask()
    assert (provider.calls, provider.pauses) == (1, [])


async def test_a_breaker_that_opens_between_two_tries_ends_them_with_their_own_failure() -> None:
    provider, breaker = Provider(*[ServerError() for _ in range(9)]), Breaker(2, 60)
    with pytest.raises(ModelUnavailable) as caught:
        await provider.ask(retries=5, breaker=breaker)
    assert (provider.calls, type(caught.value)) == (2, ModelUnreachable)
    with pytest.raises(CircuitOpen):
        await provider.ask(breaker=breaker)
    assert provider.calls == 2


async def test_only_failures_of_the_provider_count_for_the_breaker() -> None:
    breaker = Breaker(1, 60)
    with pytest.raises(ZeroDivisionError):
        await Provider(ZeroDivisionError()).ask(breaker=breaker)
    assert await Provider().ask(breaker=breaker) == "42"
