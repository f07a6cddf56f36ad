"""One stream of random numbers and the calendar that every part of the generator shares."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Columns = list[Sequence[Any]]
"""The values of one table, column by column, in the schema's order."""


def years_before(day: datetime.date, years: int) -> datetime.date:
    """The same day some years earlier; 29 February becomes 28 February."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


@dataclass
class Draw:
    """The generator's randomness and its three years, ending with the whole of `today`."""

    seed: int
    today: datetime.date
    rng: np.random.Generator = field(init=False)
    start: datetime.date = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.start = years_before(self.today, 3) + datetime.timedelta(days=1)

    @property
    def days(self) -> int:
        """How many days the data covers."""
        return (self.today - self.start).days + 1

    @property
    def last_second(self) -> int:
        """Seconds from the start of the data to its end."""
        return self.days * 86_400 - 1

    def pick(self, words: Sequence[Any], n: int, weights: Sequence[float] | None = None) -> list[Any]:
        """n words, with repetition."""
        p = None if weights is None else np.asarray(weights, float) / np.sum(weights)
        return [words[i] for i in self.rng.choice(len(words), n, p=p)]

    def between(self, low: datetime.date, high: datetime.date, n: int) -> Array:
        """n day numbers relative to the start, both ends included."""
        return self.rng.integers((low - self.start).days, (high - self.start).days + 1, n)

    def dates(self, days: Array) -> list[str]:
        """Day numbers as ISO dates."""
        moments = np.datetime64(self.start, "D") + days.astype("timedelta64[D]")
        return [str(text) for text in np.datetime_as_string(moments).tolist()]

    def times(self, seconds: Array) -> list[str]:
        """Seconds from the start as ISO timestamps; nothing happens after today."""
        bounded = np.minimum(seconds, self.last_second).astype("timedelta64[s]")
        moments = np.datetime64(self.start, "s") + bounded
        return [str(text).replace("T", " ") for text in np.datetime_as_string(moments, unit="s").tolist()]

    def calendar(self) -> tuple[Array, Array]:
        """Weekday (Monday is 0) and month of every day."""
        all_days = np.datetime64(self.start, "D") + np.arange(self.days)
        weekday = (all_days.astype("datetime64[D]").astype(np.int64) + 3) % 7
        month = all_days.astype("datetime64[M]").astype(np.int64) % 12 + 1
        return weekday, month


def pick_available(rng: np.random.Generator, since: Array, weights: Array, days: Array) -> Array:
    """For each day the index of a weighted thing that exists by then; `since` is ascending."""
    totals = np.cumsum(weights)
    usable = np.searchsorted(since, days, side="right")
    limit = totals[np.maximum(usable, 1) - 1]
    found: Array = np.searchsorted(totals, rng.random(len(days)) * limit, side="right")
    return np.asarray(np.minimum(found, np.maximum(usable, 1) - 1))


def money(cents: Array) -> list[float]:
    """Whole cents as amounts."""
    return [value / 100 for value in cents.tolist()]


def or_null(values: Array | Sequence[Any], present: Array) -> list[Any]:
    """Values where present, else None."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return [value if here else None for value, here in zip(listed, present.tolist(), strict=True)]
