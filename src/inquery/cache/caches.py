"""The caches that all runs of a process share, opened by settings."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.cache.calibrate import threshold_for
from inquery.cache.exact import ExactCache, open_exact
from inquery.cache.semantic import SemanticCache
from inquery.knowledge.embedders import embedder_for
from inquery.knowledge.vectors import open_vectors
from inquery.settings import Settings, get_settings


@dataclass(slots=True)
class Caches:
    """L1 and L2 of a process; L0 belongs to its thread's state."""

    exact: ExactCache
    semantic: SemanticCache

    async def close(self) -> None:
        """Give connections back."""
        await self.exact.close()


def open_caches(settings: Settings | None = None, *, privacy: str = "full") -> Caches:
    """The caches of the settings; a connection that is `local_only` has its questions encoded here."""
    settings = settings or get_settings()
    embedder = embedder_for(settings, privacy=privacy)
    threshold = threshold_for(embedder, settings.cache)
    semantic = SemanticCache(open_vectors(settings), embedder, threshold)
    return Caches(open_exact(settings.cache), semantic)
