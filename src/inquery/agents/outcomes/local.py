"""In-process stores: what a run uses when nothing durable was opened for it."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inquery.agents.context import Kept

MOST = 100
TTL_S = 3600.0


class LocalResults:
    """Results of this process, the last hundred, for an hour."""

    def __init__(self, most: int = MOST, ttl_s: float = TTL_S) -> None:
        self._kept: OrderedDict[str, tuple[float, str, Kept]] = OrderedDict()
        self._most = most
        self._ttl_s = ttl_s

    async def save(self, owner: str, thread_id: str, kept: Kept) -> str:
        """Keep a result and return its id."""
        result_id = secrets.token_urlsafe(16)
        self._kept[result_id] = (time.monotonic(), owner, kept)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return result_id

    async def load(self, result_id: str, owner: str) -> Kept | None:
        """The result, unless it expired or is another owner's."""
        found = self._kept.get(result_id)
        if found is None or found[1] != owner or time.monotonic() - found[0] > self._ttl_s:
            return None
        return found[2]


class LocalMemory:
    """What this process learnt of its users."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str, str], dict[str, Any]] = {}

    async def recall(self, user: str, kind: str, key: str, *, tenant: str = "local") -> dict[str, Any] | None:
        """What was remembered, if anything."""
        return self._known.get((tenant, user, kind, key))

    async def learn(self, user: str, kind: str, key: str, value: dict[str, Any], *, tenant: str = "local") -> None:
        """Remember something."""
        self._known[tenant, user, kind, key] = value
