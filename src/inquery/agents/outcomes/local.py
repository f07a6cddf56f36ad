"""In-process stores: what a run uses when nothing durable was opened for it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cachetools import TTLCache

if TYPE_CHECKING:
    from inquery.agents.context import Kept
    from inquery.answers.answer import AnswerColumn

MOST = 100
TTL_S = 3600.0


class LocalResults:
    """Results of this process, the last hundred, for an hour."""

    def __init__(self, most: int = MOST, ttl_s: float = TTL_S) -> None:
        self._kept: TTLCache[str, tuple[str, Kept]] = TTLCache(most, ttl_s)

    async def save(self, owner: str, thread_id: str, kept: Kept) -> str:
        """Keep a result and return its id."""
        result_id = secrets.token_urlsafe(16)
        self._kept[result_id] = (owner, kept)
        return result_id

    async def name_columns(self, result_id: str, owner: str, columns: Sequence[AnswerColumn]) -> None:
        """Keep what the owner calls the columns."""
        found = self._kept.get(result_id)
        if found is not None and found[0] == owner:
            self._kept[result_id] = (owner, replace(found[1], columns=tuple(columns)))

    async def load(self, result_id: str, owner: str) -> Kept | None:
        """The result, unless it expired or is another owner's."""
        found = self._kept.get(result_id)
        return found[1] if found is not None and found[0] == owner else None


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

    async def forget_user(self, user: str, *, tenant: str = "local") -> int:
        """Forget everything about a user; returns how much there was."""
        gone = [known for known in self._known if known[:2] == (tenant, user)]
        for known in gone:
            del self._known[known]
        return len(gone)
