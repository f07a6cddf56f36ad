"""Names that look like one that is not there."""

from __future__ import annotations

from collections.abc import Iterable

MOST, LEAST_SCORE = 3, 60


def nearest_names(name: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Up to three of the choices that look like the name, best first, whatever their case."""
    from rapidfuzz import fuzz, process

    found = process.extract(name, list(dict.fromkeys(choices)), scorer=fuzz.WRatio, processor=str.casefold, limit=MOST)
    return tuple(choice for choice, score, _ in found if score >= LEAST_SCORE)
