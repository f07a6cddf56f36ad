"""Chooses among candidates by running them: errors are out, empty results are distrusted, equal results vote."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inquery.databases.engine import Result
from inquery.errors import InqueryError, SqlFailed, SqlFixable, SqlRefused
from inquery.llm.writer import Candidate

MOST = 5
SURE = 0.97
"""A best candidate with this share of the probability is taken without running the others."""
EMPTY_WEIGHT = 0.15
"""How much an empty result counts against one with rows: a filter on a value that is not there is a likely fault."""
TEMPERATURE = 1.0

Run = Callable[[str], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate and what became of it."""

    candidate: Candidate
    weight: float
    result: Result | None = None
    error: InqueryError | None = None
    agreement: float = 1.0
    """The share of the weight behind its rows."""
    rows: Any = None
    """What candidates with the same rows share."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates in the order they should be used."""

    tried: tuple[Tried, ...]

    @property
    def best(self) -> Tried:
        """The one to use."""
        return self.tried[0]

    @property
    def taken(self) -> tuple[Result, str]:
        """The rows and the text of the one to use; raises what became of it where it has no rows."""
        if self.best.result is None:
            raise self.best.error or SqlFailed()
        return self.best.result, self.best.candidate.sql

    @property
    def agreement(self) -> float:
        """The share of the weight behind the rows of the first."""
        return self.best.agreement


def weights(candidates: Sequence[Candidate]) -> list[float]:
    """The candidates' scores as shares of one."""
    top = max(candidate.score for candidate in candidates)
    raw = [math.exp((candidate.score - top) / TEMPERATURE) for candidate in candidates]
    return [value / sum(raw) for value in raw]


async def choose_candidate(candidates: Sequence[Candidate], run: Run, *, vote: bool = True) -> Choice:
    """Run candidates until one is sure, or all, and let equal results vote.

    `run` checks and executes; it raises SqlRefused or a SqlFixable for a candidate that is no good. Any other
    error (a lost connection, a limit) ends the choice and is raised.
    """
    shares = weights(candidates[:MOST])
    tried: list[Tried] = []
    for candidate, share in zip(candidates[:MOST], shares, strict=True):
        tried.append(await _try(candidate, share, run))
        if tried[-1].result is not None and (not vote or (share >= SURE and not _is_empty(tried[-1].result))):
            break
    return _ranked(tried)


async def _try(candidate: Candidate, share: float, run: Run) -> Tried:
    try:
        return Tried(candidate, share, await run(candidate.sql))
    except (SqlRefused, SqlFixable) as error:
        return Tried(candidate, share, error=error)


def _ranked(tried: list[Tried]) -> Choice:
    votes: dict[Any, float] = {}
    keys = [_key(item, place) for place, item in enumerate(tried)]
    for item, key in zip(tried, keys, strict=True):
        votes[key] = votes.get(key, 0.0) + _weight(item)
    total = sum(votes.values()) or 1.0
    voted = [replace(item, agreement=votes[key] / total, rows=key) for item, key in zip(tried, keys, strict=True)]
    return Choice(tuple(sorted(voted, key=lambda item: (-item.agreement, -item.weight))))


def _weight(item: Tried) -> float:
    if item.result is None:
        return 0.0
    return item.weight * (EMPTY_WEIGHT if _is_empty(item.result) else 1.0)


def _is_empty(result: Result) -> bool:
    """No rows, or one row of nothing (SUM over no rows)."""
    return not result.rows or (len(result.rows) == 1 and all(cell is None for cell in result.rows[0]))


def _key(item: Tried, place: int) -> Any:
    """What equal results share; a failed or truncated one stands alone."""
    if item.result is None or item.result.truncated:
        return place
    return tuple(sorted(tuple(sorted(map(_cell, row))) for row in item.result.rows))


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
