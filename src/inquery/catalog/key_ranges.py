"""Which key small numbers come from: of all keys that hold them, the one whose range they fill.

Numbers from 1 to 90 are found in every key of 90 rows and more. But forty of them, drawn from a key of 900, would hardly all
be below 90: a key far wider than what is referred to is not the one meant, and often only one key is left.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquery.catalog.key_names import is_doer
from inquery.language.text import fold, has_cjk, name_words

LEAST = 8
"""Distinct numbers without which no range is filled."""
CHANCE = 0.02
"""How likely numbers have to be of a key for it to be possible."""
_MARKS = frozenset({"id", "uid", "key", "fk", "sk", "by"})
_MARKS_ZH = re.compile("(?:编号|工号|人|员|者|方|商|店|主)$")


@dataclass(frozen=True)
class Range:
    """The numbers of a key in order; `size` where there are more than were read."""

    numbers: tuple[int, ...]
    size: int

    def holds(self, given: Sequence[int]) -> bool:
        """Whether all of some ordered numbers are of the key."""
        held = set(self.numbers)
        return all(number in held for number in given)

    def chance(self, given: Sequence[int]) -> float:
        """How likely as many of the key's numbers, drawn by chance, lie as close together as the ordered ones given."""
        within = bisect_right(self.numbers, given[-1]) - bisect_left(self.numbers, given[0])
        # The first and the last say where the others lie, so they speak for nothing.
        return float(min(1.0, within / self.size) ** max(len(given) - 2, 0)) if self.size else 0.0


def numbers_of(values: Iterable[str]) -> tuple[int, ...]:
    """The values in order if all are whole numbers, else nothing."""
    given = list(values)
    if not all(re.fullmatch(r"\d{1,18}", value) for value in given):
        return ()
    return tuple(sorted({int(value) for value in given}))


def only_fit(given: Sequence[int], keys: Sequence[Range]) -> int | None:
    """The place of the one key that the ordered numbers can come from, if there is one alone."""
    if len(given) < LEAST:
        return None
    possible = [place for place, key in enumerate(keys) if key.chance(given) >= CHANCE]
    # A key that was not read to its end may hold them all the same, and is then no less possible.
    held = [place for place in possible if len(keys[place].numbers) < keys[place].size or keys[place].holds(given)]
    if len(held) != 1 or len(keys[held[0]].numbers) < keys[held[0]].size:
        return None
    return held[0]


def may_refer(column: str) -> bool:
    """Whether a name says that its numbers are of something or somebody: maker_id, suggestedBy, 投保人."""
    if has_cjk(column):
        return _MARKS_ZH.search(fold(column)) is not None
    words = name_words(column)
    return bool(words) and (
        words[-1] in _MARKS
        or words[0] in {"fk", "id"}
        or re.fullmatch(r"[a-z]{3,}(?:id|by)", words[-1]) is not None
        or is_doer(column)
    )
