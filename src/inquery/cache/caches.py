"""The three caches together: opened by settings, emptied by a thumbs-down or a change of the schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inquery.cache.answer_key import CacheKey
from inquery.cache.calibrate import threshold_for
from inquery.cache.exact import ExactCache, open_exact
from inquery.cache.semantic import SemanticCache
from inquery.cache.thread import ThreadCache
from inquery.knowledge.embedders import embedder_for
from inquery.knowledge.vectors import open_vectors
from inquery.settings import Settings, get_settings


@dataclass(slots=True)
class Caches:
    """L1 and L2 of a process; L0 belongs to its thread's state and is handed in."""

    exact: ExactCache
    semantic: SemanticCache
    thread_ttl_s: float = 300

    def thread(self, kept: dict[str, Any] | None) -> ThreadCache:
        """L0 of a thread."""
        return ThreadCache(kept, ttl_s=self.thread_ttl_s)

    async def reject(
        self, key: CacheKey, *, user: str = "", template_id: str = "", thread: ThreadCache | None = None
    ) -> None:
        """A thumbs-down: all three forget the answer."""
        if thread is not None:
            await thread.evict(key)
        await self.exact.evict(key)
        await self.semantic.evict(key, user=user, template_id=template_id)

    def stats(self) -> dict[str, Any]:
        """How each is used."""
        return {"thread": ThreadCache().stats(), "exact": self.exact.stats(), "semantic": self.semantic.stats()}

    async def close(self) -> None:
        """Give connections back."""
        await self.exact.close()


def open_caches(settings: Settings | None = None, *, privacy: str = "full") -> Caches:
    """The caches of the settings; a connection that is `local_only` has its questions encoded here."""
    settings = settings or get_settings()
    embedder = embedder_for(settings, privacy=privacy)
    threshold = threshold_for(embedder, settings.cache)
    semantic = SemanticCache(open_vectors(settings), embedder, threshold)
    return Caches(open_exact(settings.cache), semantic, settings.cache.thread_ttl_s)
