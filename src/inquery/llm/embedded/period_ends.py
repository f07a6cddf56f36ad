"""A period that is named whole is kept to its end.

Statements that people write for what happened in 2025 often have its first day alone, since their data ends there. The
model has learned that from them; in data that goes on, the next years come in too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from inquery.form.ast import Literal, Predicate, Slot, rebuild_tree, walk_tree
from inquery.language.dates import OPEN_END, OPEN_START

_FROM_BEFORE = re.compile(
    r"(?:\b(?:from|since|after|past|start(?:s|ed|ing)?(?: in)?|begin(?:s|ning)?(?: in)?|as of|at least|earliest)\s+(?:the\s+|in\s+|of\s+)*"
    r"|从|自从?|起自|始于|晚于|不早于)$",
    re.I,
)
_ON_AFTER = re.compile(
    r"\s*(?:on\b|onwards?\b|or (?:later|newer|after)|and (?:later|after|on|since|up|beyond)|\+"
    r"|起|开始|以来|以后|之后|及以后|后|至今|到现在|往后)",
    re.I,
)
_BOUNDS = frozenset({"<", "<=", "between"})


def kept_to_their_ends(query: Any, question: str, slots: Mapping[str, Literal], said: Sequence[tuple[str, str]]) -> Any:
    """The form with `>=` of a period that is named whole as `in`; what the question lets go on stays open.

    `said` are the names of the slots with their words in the question.
    """
    whole = {name for name, words in said if _is_whole(slots.get(name)) and not _goes_on(question, words)}
    if not whole:
        return query
    # From one period to another: the second closes it.
    bounded = [each.left for each in walk_tree(query) if isinstance(each, Predicate) and each.op in _BOUNDS]

    years = {year for name in whole if (year := _year_of(slots[name])) is not None}

    def closed(node: Any) -> Any:
        if not isinstance(node, Predicate) or node.op != ">=" or node.left in bounded:
            return node
        if isinstance(node.right, Slot) and node.right.name in whole:
            return Predicate("in", node.left, node.right)
        if isinstance(node.right, Literal) and node.right.kind == "number" and node.right.value in years:
            return Predicate("=", node.left, node.right)  # a column that holds years as numbers
        return node

    return rebuild_tree(query, closed)


def _year_of(slot: Literal) -> int | None:
    """The calendar year that a period is; None where it is none."""
    start, end = slot.value if isinstance(slot.value, tuple) else ("", "")
    year = int(start[:4]) if start[4:] == "-01-01" else None
    return year if year is not None and end == f"{year + 1}-01-01" else None


def _is_whole(slot: Literal | None) -> bool:
    if slot is None or not isinstance(slot.value, tuple):
        return False
    return slot.value[0] != OPEN_START.isoformat() and slot.value[1] != OPEN_END.isoformat()


def _goes_on(question: str, words: str) -> bool:
    """Whether the question lets a period go on: each year from 2018, 2018年起."""
    at = question.find(words)
    return at < 0 or bool(_FROM_BEFORE.search(question[:at]) or _ON_AFTER.match(question, at + len(words)))
