"""What one user may ask of the server: requests in a minute, runs at a time, and what they spend in a day."""

from __future__ import annotations

import asyncio
import time

from inquery.api.counters import Counters
from inquery.errors import QuotaExceeded, Text
from inquery.settings import Settings
from inquery.store import Store
from inquery.store.spending import Spending, spending_day

MINUTE_S = 60
DAY_S = 86_400
RUN_S = 900.0
"""A place that a dead worker never gave back is free again after this long."""
TRIES_S = 900
TRIES_OF_ADDRESS = 5
TRIES_OF_NAME = 10
"""Wrong passwords allowed from an address for all names, and for a name from all addresses, in units of the setting."""


class RequestLimits:
    """The limits of the settings, counted together with the other workers."""

    def __init__(self, settings: Settings, store: Store, counters: Counters) -> None:
        self.settings = settings.server
        self.tries = settings.identity.login_failures
        self.counters = counters
        self.spending = Spending(store)

    async def request(self, user_id: str) -> None:
        """Count a request; raises QuotaExceeded when there were too many in this minute."""
        most = self.settings.user_requests
        if most and await self.counters.add(f"requests:{user_id}", MINUTE_S) > most:
            raise _exceeded("requests in a minute", "每分钟请求数", MINUTE_S)

    async def enter(self, user_id: str, run_id: str) -> None:
        """Take one of the user's places for a run, within the day's budget; raises QuotaExceeded."""
        await self._check_budget(user_id)
        most = self.settings.user_runs
        if most and not await self.counters.hold(f"runs:{user_id}", run_id, most, RUN_S):
            raise QuotaExceeded(user_id, what=Text("questions at a time", "同时进行的提问"), seconds=1)

    async def leave(self, user_id: str, run_id: str) -> None:
        """Give the place back."""
        if self.settings.user_runs:
            await self.counters.release(f"runs:{user_id}", run_id)

    async def _check_budget(self, user_id: str) -> None:
        tokens, cost = self.settings.user_tokens, self.settings.user_cost
        if not tokens and not cost:
            return
        spent = await asyncio.to_thread(self.spending.of, user_id, spending_day())
        if tokens and spent.tokens >= tokens:
            raise _exceeded("model tokens today", "今日模型令牌", DAY_S)
        if cost and spent.cost >= cost:
            raise _exceeded("money for models today", "今日模型费用", DAY_S)

    async def try_login(self, name: str, address: str) -> None:
        """Raise QuotaExceeded when there were too many wrong passwords lately."""
        for key, most in self._tries(name, address):
            if await self.counters.count(key, TRIES_S) >= most:
                raise _exceeded("wrong passwords", "密码错误次数", TRIES_S)

    async def first_refusal(self, name: str, address: str) -> bool:
        """Whether this is the first time lately that a name is refused to an address."""
        return await self.counters.add("refused-" + self._tries(name, address)[0][0], TRIES_S) == 1

    async def failed_login(self, name: str, address: str) -> None:
        """Count a wrong password."""
        for key, _ in self._tries(name, address):
            await self.counters.add(key, TRIES_S)

    async def good_login(self, name: str, address: str) -> None:
        """Whoever knows the password has no wrong tries; the address keeps its own."""
        (pair, _), (named, _), _ = self._tries(name, address)
        await self.counters.clear(pair, TRIES_S)
        await self.counters.clear(named, TRIES_S)

    def _tries(self, name: str, address: str) -> tuple[tuple[str, int], ...]:
        folded = name.strip().casefold()[:100]
        return (
            (f"login:{address}:{folded}", self.tries),
            (f"login-name:{folded}", self.tries * TRIES_OF_NAME),
            (f"login-address:{address}", self.tries * TRIES_OF_ADDRESS),
        )


def _exceeded(en: str, zh: str, window_s: int) -> QuotaExceeded:
    left = window_s - int(time.time()) % window_s
    return QuotaExceeded(en, what=Text(en, zh), seconds=max(1, left))
