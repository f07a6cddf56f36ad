"""Keeps what a model is shown within its budget: schema by relevance, results by sample, messages by age."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NotRequired, TypedDict

from langchain_core.messages import AnyMessage, BaseMessage

from inquery.llm.chat import CHARACTERS_PER_TOKEN, text_of
from inquery.llm.schema_text import schema_block
from inquery.llm.writer import SchemaView
from inquery.sql import Table

WIDE = 100
"""Only tables with more columns than this lose any."""
SHOWN_ROWS, SAMPLED_ROWS = 50, 10
KEPT_MESSAGES = 5


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return round(len(text) / CHARACTERS_PER_TOKEN) + 1


def fitted(view: SchemaView, budget: int) -> SchemaView:
    """The view within a budget: wide tables lose unranked columns, then the last tables go; the first stays whole."""
    view = replace(view, tables=tuple(_narrowed(table, view.relevance) for table in view.tables))
    while len(view.tables) > 1 and tokens(schema_block(view)) > budget:
        keep = view.tables[: max(1, len(view.tables) * 3 // 4)]
        paths = {table.path for table in keep}
        joins = tuple(join for join in view.joins if join.left in paths and join.right in paths)
        view = replace(view, tables=keep, joins=joins)
    return view


def _narrowed(table: Table, relevance: Sequence[tuple[str, str]]) -> Table:
    if len(table.columns) <= WIDE:
        return table
    ranked = [column for name, column in relevance if name == table.full_name][:WIDE]
    keys = {column for key in table.foreign_keys for column in key.columns}
    first = [c for c in table.columns if c.primary_key or c.name in keys or c.name in ranked]
    rest = [c for c in table.columns if c not in first]
    kept = {c.name for c in [*first, *rest][:WIDE]}
    return replace(table, columns=tuple(c for c in table.columns if c.name in kept))


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
    return len(messages) > most or sum(tokens(text_of(message)) for message in messages) > budget


def split(messages: Sequence[AnyMessage]) -> tuple[list[AnyMessage], list[AnyMessage]]:
    """The old messages and the last few that stay."""
    return list(messages[:-KEPT_MESSAGES]), list(messages[-KEPT_MESSAGES:])


def summarised(summary: str, old: Sequence[BaseMessage], budget: int) -> str:
    """The summary with the old messages added, newest kept when it grows too long."""
    lines = [summary] if summary else []
    lines += [f"{message.type}: {' '.join(text_of(message).split())[:200]}" for message in old]
    text = "\n".join(lines)
    return text[-round(budget * CHARACTERS_PER_TOKEN) :]
