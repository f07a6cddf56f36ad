"""First looks at databases, in the background: what is known is shown at once, questions as they were tried."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from cachetools import LRUCache

from inquery.agents.data_profile import DataProfile, outline_database, try_questions
from inquery.agents.run import Request, Runner
from inquery.agents.sources import Source
from inquery.errors import InqueryError
from inquery.sql import Policy

LOG = logging.getLogger("inquery.api")
AT_ONCE = 1
"""Tries of questions at a time: people who ask now come first."""


@dataclass(slots=True)
class _Look:
    profile: DataProfile
    task: asyncio.Task[None] | None = None


class FirstLooks:
    """The looks of this worker, each kept while the database and what was taught of it stay as they were."""

    def __init__(self) -> None:
        self._looks: LRUCache[tuple[object, ...], _Look] = LRUCache(128)
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def get(self, runner: Runner, source: Source, policy: Policy, request: Request, language: str) -> DataProfile:
        """The look as far as it is; the first call begins it."""
        key = (source.id, source.catalog.version, source.glossary_version, source.mark, policy.hash, language)
        known = self._looks.get(key)
        if known is None:
            outline = await outline_database(source, policy, language)
            known = self._looks.setdefault(key, _Look(outline.model_copy(update={"status": "working"})))
            if known.task is None:
                known.task = asyncio.create_task(self._try(known, runner, source, request, language))
        return known.profile

    async def _try(self, look: _Look, runner: Runner, source: Source, request: Request, language: str) -> None:
        def tell(done: int, total: int) -> None:
            look.profile = look.profile.model_copy(update={"done": done, "total": total})

        tried = []
        try:
            async with self._turn:
                tried = await try_questions(runner, source, request, language, tell)
        except InqueryError as error:
            LOG.warning("a first look at %s ended early: %s", source.id, error.code)
        finally:
            look.profile = look.profile.model_copy(update={"status": "ready", "questions": tried})

    async def close(self) -> None:
        """Stop what is being tried."""
        running = [look.task for look in self._looks.values() if look.task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
