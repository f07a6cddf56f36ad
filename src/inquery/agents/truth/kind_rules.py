"""Comparisons in kind: a number is held against what holds numbers, not against names."""

from __future__ import annotations

import re

from inquery.agents.truth.claims import Breach, Claims
from inquery.catalog.key_names import type_family
from inquery.errors import Text
from inquery.sql.statement import Place, Statement

_ORDERING = frozenset({"GT", "GTE", "LT", "LTE", "Between"})
_LIKE_A_NUMBER = re.compile(r"\W*\d")
"""￥3,000, 45 kg and 2024-01 begin with their number; 第1中学 is a name."""


def compared_in_kind(statement: Statement, claims: Claims) -> Breach | None:
    """No name is said to be above or below a number: an engine takes all of them, or none."""
    for each in statement.filters():
        if each.place is None or each.is_text or not each.bare or each.operator not in _ORDERING:
            continue
        if _holds_words(each.place):
            called = claims.called(each.place)
            reason = Text(
                f"{called.en} holds words, and the statement compares them with {each.literal}",
                f"{called.zh}中存的是文字，语句却拿它与{each.literal}比较",
            )
            return Breach("other_kind", reason, f"compare a column of numbers with {each.literal}")
    return None


def _holds_words(place: Place) -> bool:
    column = place.table.column(place.column)
    if column is None or type_family(column.type) != "text" or not column.samples:
        return False
    return not any(_LIKE_A_NUMBER.match(sample) for sample in column.samples)
