"""Keeps what a model is shown within its budget: results by sample, messages by age."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from langchain_core.messages import AnyMessage, BaseMessage

from inquery.llm.chat import text_of
from inquery.llm.token_count import count_tokens, last_tokens

SHOWN_ROWS, SAMPLED_ROWS = 50, 10
KEPT_MESSAGES = 5


class Statistics(TypedDict):
    """The span and the middle of a column's numbers."""

    min: float
    max: float
    mean: float


class ShownRows(TypedDict):
    """A result as a prompt shows it; the count and the statistics are there where it has not all of the rows."""

    columns: list[str]
    rows: list[list[Any]]
    row_count: NotRequired[int]
    statistics: NotRequired[dict[str, Statistics]]


def compressed(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> ShownRows:
    """A result for a prompt: whole when short, else ten rows and each number column's statistics."""
    if len(rows) <= SHOWN_ROWS:
        return {"columns": list(columns), "rows": [list(row) for row in rows]}
    step = max(1, len(rows) // SAMPLED_ROWS)
    found: dict[str, Statistics] = {}
    for place, name in enumerate(columns):
        numbers = [
            float(r[place]) for r in rows if isinstance(r[place], int | float) and not isinstance(r[place], bool)
        ]
        if numbers:
            found[name] = {"min": min(numbers), "max": max(numbers), "mean": statistics.fmean(numbers)}
    sampled = [list(row) for row in rows[::step][:SAMPLED_ROWS]]
    return {"columns": list(columns), "rows": sampled, "row_count": len(rows), "statistics": found}


def too_long(messages: Sequence[BaseMessage], most: int, budget: int) -> bool:
    """Whether a history is past its bounds."""
    return len(messages) > most or sum(count_tokens(text_of(message)) for message in messages) > budget


def split(messages: Sequence[AnyMessage]) -> tuple[list[AnyMessage], list[AnyMessage]]:
    """The old messages and the last few that stay."""
    return list(messages[:-KEPT_MESSAGES]), list(messages[-KEPT_MESSAGES:])


def summarised(summary: str, old: Sequence[BaseMessage], budget: int) -> str:
    """The summary with the old messages added, newest kept when it grows too long."""
    lines = [summary] if summary else []
    lines += [f"{message.type}: {' '.join(text_of(message).split())[:200]}" for message in old]
    text = "\n".join(lines)
    return last_tokens(text, budget)
