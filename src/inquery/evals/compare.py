"""Whether two queries mean the same on a database, by the test-suite definition of execution match.

Rows are a multiset, or a list when the gold query has ORDER BY; any permutation of the columns will do;
DISTINCT is stripped from both queries before they run; two empty results are equal; an error is wrong.
"""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from inquery.errors import InqueryError

Row = Sequence[Any]
Run = Callable[[str], Sequence[Row]]
"""Runs a query and returns all of its rows; raises RunFailed or an InqueryError where it cannot."""

_DISTINCT = re.compile(r"\bdistinct\b(?:\s+on\b)?", re.I)
_ORDER = re.compile(r"\border\s+by\b", re.I)
_BRACKETS = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`")
_DIGITS = 6
_MOST_ORDERS = 5_000
"""Column orders tried; many columns with equal values would make the number explode."""
MOST_FURTHER = 2
"""Columns beyond those asked for that do no harm: the figure that ranks, a second name."""
_EXACT = 4
"""Decimals from which on a figure counts as not rounded."""


class RunFailed(Exception):
    """A query that did not run: an error of the database, or a time limit."""


@dataclass(frozen=True, slots=True)
class Match:
    """The outcome for one question; `error` says why a query did not run."""

    correct: bool
    error: str = ""


def execution_match(gold: str, predicted: str, run: Run) -> Match:
    """Run both queries, DISTINCT stripped, and compare their rows; a gold query that fails raises RunFailed."""
    try:
        expected = run(strip_distinct(gold))
    except InqueryError as error:
        raise RunFailed(f"the gold query failed: {error}") from error
    try:
        found = run(strip_distinct(predicted))
    except (RunFailed, InqueryError) as error:
        return Match(False, str(error))
    return Match(same_rows(expected, found, ordered=is_ordered(gold)))


def strip_distinct(sql: str) -> str:
    """The query with every DISTINCT removed, outside quoted text."""
    return _outside_quotes(sql, lambda part: _DISTINCT.sub(" ", part))


def is_ordered(sql: str) -> bool:
    """Whether the query has ORDER BY anywhere, which is how the test suite decides."""
    return bool(_ORDER.search(_QUOTED.sub("''", sql)))


def orders_rows(sql: str) -> bool:
    """Whether the query orders its rows: ORDER BY in brackets orders a window or a subquery, not what is shown."""
    text = _QUOTED.sub("''", sql)
    while (flat := _BRACKETS.sub(" ", text)) != text:
        text = flat
    return bool(_ORDER.search(text))


def same_rows(expected: Sequence[Row], found: Sequence[Row], *, ordered: bool) -> bool:
    """Whether two results are equal under some permutation of the columns."""
    if not expected and not found:
        return True
    if len(expected) != len(found) or len(expected[0]) != len(found[0]):
        return False
    gold = [tuple(map(plain_value, row)) for row in expected]
    other = [tuple(map(plain_value, row)) for row in found]
    if _unordered_cells(gold) != _unordered_cells(other):
        return False
    wanted = Counter(gold)
    return any(_equal(gold, wanted, other, order, ordered) for order in _column_orders(gold, other))


def plain_value(value: Any) -> Any:
    """A cell in comparable form: numbers rounded and of one type, bytes as text, dates as ISO text."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float | decimal.Decimal):
        return _rounded(float(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if value is None or isinstance(value, int | str):
        return value
    return str(value)


def _rounded(value: float) -> float | int | str:
    """Six significant decimals relative to the size, so that the order of summation does not matter."""
    if not math.isfinite(value):
        return repr(value)
    digits = _DIGITS if abs(value) < 1 else max(_DIGITS - math.floor(math.log10(abs(value))), 0) + 3
    rounded = round(value, digits)
    return int(rounded) if rounded == int(rounded) else rounded


def _unordered_cells(rows: Sequence[tuple[Any, ...]]) -> Counter[frozenset[tuple[Any, int]]]:
    """Rows with their cells as a bag: equal for equal results, and cheap to compare before permuting."""
    return Counter(frozenset(Counter(row).items()) for row in rows)


def _column_orders(gold: Sequence[tuple[Any, ...]], other: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, ...]]:
    """Permutations of `other`'s columns in which every column has the same bag of values as gold's."""
    width = len(gold[0])
    gold_bags = [Counter(row[i] for row in gold) for i in range(width)]
    other_bags = [Counter(row[i] for row in other) for i in range(width)]
    choices = [[j for j in range(width) if other_bags[j] == bag] for bag in gold_bags]
    if all(len(options) == 1 for options in choices):
        yield tuple(options[0] for options in choices)
        return
    yield from islice(_assign(choices, ()), _MOST_ORDERS)


def _assign(choices: list[list[int]], taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(taken) == len(choices):
        yield taken
        return
    for column in choices[len(taken)]:
        if column not in taken:
            yield from _assign(choices, (*taken, column))


def _equal(
    gold: list[tuple[Any, ...]],
    wanted: Counter[tuple[Any, ...]],
    other: list[tuple[Any, ...]],
    order: tuple[int, ...],
    ordered: bool,
) -> bool:
    moved = [tuple(row[i] for i in order) for row in other]
    return moved == gold if ordered else Counter(moved) == wanted


def _outside_quotes(sql: str, change: Callable[[str], str]) -> str:
    parts: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(sql):
        parts += [change(sql[at : quoted.start()]), quoted.group()]
        at = quoted.end()
    return "".join([*parts, change(sql[at:])])


def fits_rows(expected: Sequence[Row], found: Sequence[Row], *, ordered: bool) -> bool:
    """Whether a result holds another: `same_rows`, but with up to two further columns and with rounded figures."""
    if not expected or not found:
        return not expected and not found
    width, wide = len(expected[0]), len(found[0])
    if len(expected) != len(found) or not width <= wide <= width + MOST_FURTHER:
        return False
    gold = [tuple(map(plain_value, row)) for row in expected]
    other = [tuple(map(plain_value, row)) for row in found]
    columns = [[row[j] for row in other] for j in range(wide)]
    decimals = [max(map(_decimals, column), default=_DIGITS) for column in columns]
    # Gold's columns as each of the other's would show them; equal bags make two columns candidates for each other.
    wanted = [[row[i] for row in gold] for i in range(width)]
    choices = [
        [j for j in range(wide) if Counter(_rounded_to(wanted[i], decimals[j])) == Counter(columns[j])]
        for i in range(width)
    ]
    for order in islice(_assign(choices, ()), _MOST_ORDERS):
        shown = list(zip(*(_rounded_to(wanted[i], decimals[j]) for i, j in enumerate(order)), strict=True))
        moved = [tuple(row[j] for j in order) for row in other]
        if moved == shown if ordered else Counter(moved) == Counter(shown):
            return True
    return False


def _decimals(value: Any) -> int:
    """The decimals of a number as it is written; whole numbers have none."""
    if not isinstance(value, float):
        return 0
    return min(len(repr(value).partition(".")[2]), _DIGITS) if "e" not in repr(value) else _DIGITS


def _rounded_to(column: Sequence[Any], decimals: int) -> list[Any]:
    """A column with its figures at so many decimals; none and many leave it as it is, since nobody rounded then."""
    if not 0 < decimals < _EXACT:
        return list(column)
    return [_whole(round(value, decimals)) if isinstance(value, float) else value for value in column]


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else value
