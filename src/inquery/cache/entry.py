"""What the caches hold: an answer without its rows, and counts of how they are used."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass
from typing import Any, NotRequired, TypedDict

from inquery.store.moments import as_utc, utc_now


class CacheEntry(TypedDict):
    """A statement, the answer it gave without rows, where the rows are kept, and when they were read."""

    sql: str
    as_of: str
    answer: NotRequired[dict[str, Any]]
    result_id: NotRequired[str | None]
    proof: NotRequired[str]


@dataclass(slots=True)
class Stats:
    """How often a cache was asked, answered, filled and emptied."""

    hits: int = 0
    misses: int = 0
    puts: int = 0
    evictions: int = 0
    errors: int = 0

    def to_dict(self) -> dict[str, float]:
        """The counts and the share of hits."""
        asked = self.hits + self.misses
        return {**asdict(self), "hit_rate": round(self.hits / asked, 4) if asked else 0.0}


def age_s(entry: CacheEntry) -> float:
    """Seconds since the rows were read; an entry without a readable moment is endlessly old."""
    try:
        moment = datetime.datetime.fromisoformat(entry["as_of"])
    except (KeyError, TypeError, ValueError):
        return float("inf")
    return (utc_now() - as_utc(moment)).total_seconds()
