"""Spans of time in the unit that is asked for: weights of edition D can say days between two moments and nothing finer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from inquery.form.ast import Days, Span, rebuild_tree

_UNITS: dict[Span, re.Pattern[str]] = {
    "days": re.compile(r"\b(?:days?|nights?|weeks?)\b|[天晚周]|[几少]日", re.I),
    "hours": re.compile(r"\b(?:hours?|hrs?)\b|小时|钟头", re.I),
    "minutes": re.compile(r"\b(?:minutes?|mins?)\b|分钟", re.I),
}


def asked_span(question: str) -> Span | None:
    """The unit of time that a question is asked in: the only one that it says, hours or minutes."""
    said = [unit for unit, word in _UNITS.items() if word.search(question)]
    return said[0] if len(said) == 1 and said[0] != "days" else None


def in_asked_span(query: Any, unit: Span) -> Any:
    """The form with the days between two moments in another unit."""
    return rebuild_tree(query, lambda node: replace(node, unit=unit) if isinstance(node, Days) else node)
