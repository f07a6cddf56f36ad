"""What names and data say together: which of the joins that names suggest are believed, and how far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from inquery.catalog.infer import Candidate
from inquery.catalog.table_names import OWN_WORDS
from inquery.sql import Join
from inquery.sql.catalog import Cardinality

ENOUGH = 4
"""Distinct values from which on data may refute a name."""
REFUTED, SUPPORTED, PROVED = 0.5, 0.9, 0.98
AT_LEAST = 3
"""Distinct values without which data proves nothing that the name does not say."""
SEVERAL = 10
"""Distinct values of which none comes twice, from which on it is more than chance."""
SEVERAL_TABLES = 3
"""Tables in which a name means the same, from which on it means that in a table that has lost some of what it refers to."""
SUREST = 0.97
Ends = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Tested:
    """What data says of two ends: of `sampled` distinct values on the left `found` are on the right.

    `unique` and `left_unique` say whether no value comes twice on a side; `distinctive` whether the values could hardly be
    found there by chance, as numbers from 1 to 50 are found in every key; `fits` whether no other key has their range.
    """

    ends: Ends
    found: int
    sampled: int
    unique: bool
    left_unique: bool
    distinctive: bool
    fits: bool = False

    @property
    def share(self) -> float:
        """The share of the sampled values that was found."""
        return self.found / self.sampled if self.sampled else 0.0


Tests = Mapping[Ends, Tested]


def ends_of(join: Join) -> Ends:
    """What a test is about."""
    return (*join.ends, join.condition)


def believed(candidates: Iterable[Candidate], tests: Tests) -> list[Join]:
    """The joins to keep, for each column the surest that data does not refute.

    Where there is no data for a column, it means what columns of its name mean elsewhere by data.
    """
    groups = [list(group) for _, group in groupby(candidates, key=lambda c: (c.join.left, c.join.left_columns))]
    kept = [_of_one_column(group, tests) for group in groups]
    meant: dict[tuple[str, ...], Counter[tuple[tuple[str, ...], tuple[str, ...]]]] = defaultdict(Counter)
    for join in (join for joins in kept for join in joins):
        if join.sampled and not join.condition and join.left != join.right:
            meant[_folded(join.left_columns)][join.right, join.right_columns] += 1
    found: list[Join] = []
    for group, joins in zip(groups, kept, strict=True):
        there = meant.get(_folded(group[0].join.left_columns), Counter())
        known = any((join.right, join.right_columns) in there for join in joins)
        untested = not any(tests.get(ends_of(each.join)) for each in group)
        # What a table's own words say of its column is no matter of what the name means elsewhere.
        own = any(join.confidence >= OWN_WORDS for join in joins)
        if len(there) == 1 and not known and not own and (not joins or untested):
            joins = [_meant(each.join, tests) for each in group if _says_so(each.join, there, tests)] or joins
        found += joins
    return found


def _says_so(join: Join, there: Counter[tuple[tuple[str, ...], tuple[str, ...]]], tests: Tests) -> bool:
    """Whether a join is what its name means elsewhere, and its own data does not speak against it.

    Little data has to bear it out; but where several tables say so, rows that were deleted since are no objection.
    """
    often = there[join.right, join.right_columns]
    test = tests.get(ends_of(join))
    least = REFUTED if often >= SEVERAL_TABLES else SUPPORTED
    return often > 0 and (test is None or (test.unique and test.share >= least))


def _meant(join: Join, tests: Tests) -> Join:
    found = replace(join, confidence=0.7, reason="columns of this name refer there elsewhere")
    test = tests.get(ends_of(join))
    return _with_evidence(found, test) if test else found


def _folded(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(column.casefold() for column in columns)


def _of_one_column(candidates: list[Candidate], tests: Tests) -> list[Join]:
    judged = [(each, tests.get(ends_of(each.join))) for each in candidates]
    by_condition = [(each, test) for each, test in judged if each.join.condition]
    if by_condition:
        return [_weighed(each.join, test) for each, test in by_condition if not refuted(test)]
    strong = [(each.join, test) for each, test in judged if not each.weak and not refuted(test)]
    proved = [(each.join, test) for each, test in judged if each.weak and test is not None and _proves(test)]
    if strong and not any(test is None or test.share >= SUPPORTED for _, test in strong):
        # A name may mean another key of the table it names: a code where the id is found only now and then.
        tables = {join.right for join, _ in strong}
        strong = [] if any(join.right in tables for join, _ in proved) else strong
    if strong:
        # Of several that names hold for equally likely, data leaves those where every value is found.
        supported = [(join, test) for join, test in strong if test and test.share >= SUPPORTED]
        kept = supported or strong
        alone = len(kept) == 1 and sum(not each.weak for each in candidates) > 1
        return [_weighed(_lifted(join) if alone else join, test) for join, test in kept]
    if not proved:
        return []
    top = max(_rank(join, test) for join, test in proved)
    best = [(join, test) for join, test in proved if _rank(join, test) == top]
    if len(best) > 1:
        best = [(join, test) for join, test in best if test.fits]
    if len(best) != 1:
        return []
    join, test = best[0]
    return [_with_evidence(replace(join, confidence=0.85 if test.distinctive else 0.65, how="data"), test)]


def refuted(test: Tested | None) -> bool:
    """Whether data speaks against a join."""
    if test is None or not test.sampled:
        return False
    least = REFUTED if len(test.ends[1]) == 1 else SUPPORTED  # two parts that agree by chance agree often
    return not test.unique or (test.sampled >= ENOUGH and test.share < least)


def _proves(test: Tested) -> bool:
    return test.unique and test.sampled >= AT_LEAST and test.share >= PROVED


def _rank(join: Join, test: Tested) -> tuple[float, bool]:
    return join.confidence, test.distinctive


def _lifted(join: Join) -> Join:
    """An edge that shared its name's confidence with others that data refuted."""
    return replace(join, confidence=round(min(join.confidence + 0.15, SUREST), 2))


def _weighed(join: Join, test: Tested | None) -> Join:
    """The edge with what data adds to its confidence, or takes from it."""
    if test is None or not test.sampled:
        return join
    sure = join.confidence
    if test.share >= SUPPORTED:
        doubt = (1 - sure) * (0.4 if test.distinctive else 0.7)
        sure = max(sure, min(SUREST, round(1 - doubt, 2)))
    elif test.sampled >= ENOUGH:
        sure = round(max(sure - 0.15, 0.3), 2)
    return _with_evidence(replace(join, confidence=sure), test)


def _with_evidence(join: Join, test: Tested) -> Join:
    once = test.left_unique and test.sampled >= SEVERAL
    cardinality: Cardinality = "unknown" if not test.unique else "one_to_one" if once else "many_to_one"
    return replace(join, found=test.found, sampled=test.sampled, cardinality=cardinality)
