"""A change against the period before is worked out before the first periods are cut off.

Months from February on, each against the month before it: the first of them is held against January, which a condition on
the rows would have taken away, so that its change is unknown. What begins the span is therefore asked of the groups when
all of them are there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from inquery.form.ast import (
    Agg,
    And,
    Block,
    Bucket,
    ColumnRef,
    Condition,
    Literal,
    Over,
    Predicate,
    Slot,
    rebuild_tree,
    time_keys,
    walk_tree,
)
from inquery.language.dates import OPEN_END, OPEN_START

_LOOKING_BACK = frozenset({"previous", "change", "growth"})
_FROM = frozenset({">=", ">"})
_BEGINNINGS: Mapping[str, str] = {
    "year": r"-01-01$",
    "quarter": r"-(?:04|07|10)-01$",
    "month": r"-(?:0[2-9]|1[0-2])-01$",
}
"""How the first day of a span ends whose first period is held against the one before it.

It begins with a whole period, and not with a year: of 100 statements that people wrote for changes by month or quarter from a
January on, 96 leave the first one open, of thirteen that begin later nine look back, of six by year three.
"""


def with_periods_before(query: Any, slots: Mapping[str, Literal]) -> Any:
    """The form with the beginning of a span asked of groups rather than rows, where figures look back."""
    return rebuild_tree(query, lambda node: _looking_back(node, slots) if isinstance(node, Block) else node)


def _looking_back(block: Block, slots: Mapping[str, Literal]) -> Block:
    windows = {node.func for node in walk_tree(block.show) if isinstance(node, Over)}
    keys = time_keys(block.by)
    # A running sum is one from its first period on, and a rank is one among those that are asked for.
    if len(keys) != 1 or not windows or not windows <= _LOOKING_BACK:
        return block
    key = keys[0]
    if not isinstance(key, Bucket | ColumnRef):
        return block
    rows: list[Condition] = []
    groups: list[Condition] = []
    for test in _parts(block.where):
        early, late = _cut(test, key, slots)
        rows += late
        groups += early
    groups += [_of_the_group(test, key, block) for test in _parts(block.having)]
    if rows == list(_parts(block.where)) and groups == list(_parts(block.having)):
        return block
    return replace(block, where=_joined(rows), having=_joined(groups))


def _parts(condition: Condition | None) -> Iterator[Condition]:
    if isinstance(condition, And):
        yield from condition.items
    elif condition is not None:
        yield condition


def _joined(parts: list[Condition]) -> Condition | None:
    return And(tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _cut(
    test: Condition, key: Bucket | ColumnRef, slots: Mapping[str, Literal]
) -> tuple[list[Condition], list[Condition]]:
    """What is asked of groups and what stays with the rows."""
    kept: tuple[list[Condition], list[Condition]] = [], [test]
    if not isinstance(test, Predicate):
        return kept
    if test.left == key and (isinstance(key, ColumnRef) or key.unit == "year"):
        if test.op in _FROM:
            return [test], []
        if test.op == "between" and isinstance(test.right, tuple) and len(test.right) == 2:
            low, high = test.right
            return [Predicate(">=", key, low)], [Predicate("<=", key, high)]
    if not isinstance(key, Bucket) or test.left != key.of:
        return kept
    last = Agg("max", key.of)
    if test.op == ">=" and _looks_back(test.right, key, slots):
        return [Predicate(">=", last, test.right)], []
    if test.op in ("in", "=") and _looks_back(test.right, key, slots):
        late = [] if _is_open(test.right, slots) else [Predicate("<=", key.of, test.right)]
        return [Predicate(">=", last, test.right)], [*late]
    if test.op == "between" and isinstance(test.right, tuple) and len(test.right) == 2:
        low, high = test.right
        if _looks_back(low, key, slots):
            return [Predicate(">=", last, low)], [Predicate("<=", key.of, high)]
    return kept


def _looks_back(start: object, key: Bucket, slots: Mapping[str, Literal]) -> bool:
    """Whether a date or period begins as spans do that look back; of half a month nothing could be told by its group."""
    first = _ends(start, slots)[0]
    pattern = _BEGINNINGS.get(key.unit)
    return pattern is not None and first != OPEN_START.isoformat() and re.search(pattern, first) is not None


def _is_open(period: object, slots: Mapping[str, Literal]) -> bool:
    """Whether a period has no end: since March."""
    return _ends(period, slots)[1] == OPEN_END.isoformat()


def _ends(date: object, slots: Mapping[str, Literal]) -> tuple[str, str]:
    literal = slots.get(date.name) if isinstance(date, Slot) else date
    if not isinstance(literal, Literal) or literal.kind not in ("date", "period"):
        return "", ""
    return literal.value if isinstance(literal.value, tuple) else (str(literal.value), "")


def _of_the_group(test: Condition, key: Bucket | ColumnRef, block: Block) -> Condition:
    """A test of a group's date as one of its last day: the date of single rows would be a key of its own."""
    if not isinstance(key, Bucket) or not isinstance(test, Predicate) or test.left != key.of or key.of in block.by:
        return test
    return replace(test, left=Agg("max", key.of)) if test.op in (">=", ">") else test
