"""Fits the schema into what a model can read: wide tables lose columns, then the least relevant tables go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inquery.llm.schema_text import schema_block
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import SchemaView
from inquery.sql import Table

WIDE = 100
"""Only tables with more columns than this lose any."""


def fitted(view: SchemaView, budget: int) -> SchemaView:
    """The view within a budget: wide tables lose unranked columns, then the last tables go; the first stays whole."""
    view = replace(view, tables=tuple(_narrowed(table, view.relevance) for table in view.tables))
    while len(view.tables) > 1 and not _fits(schema_block(view), budget):
        view = without_last(view)
    return view


def _fits(text: str, budget: int) -> bool:
    """Whether a text is within a budget; none has more tokens than letters, so that most need no counting."""
    return len(text) <= budget or count_tokens(text) <= budget


def without_last(view: SchemaView) -> SchemaView:
    """The view without its last quarter of tables, which matter least."""
    keep = view.tables[: max(1, len(view.tables) * 3 // 4)]
    paths = {table.path for table in keep}
    joins = tuple(join for join in view.joins if join.left in paths and join.right in paths)
    return replace(view, tables=keep, joins=joins)


def _narrowed(table: Table, relevance: Sequence[tuple[str, str]]) -> Table:
    if len(table.columns) <= WIDE:
        return table
    ranked = [column for name, column in relevance if name == table.full_name][:WIDE]
    keys = {column for key in table.foreign_keys for column in key.columns}
    first = [c for c in table.columns if c.primary_key or c.name in keys or c.name in ranked]
    rest = [c for c in table.columns if c not in first]
    kept = {c.name for c in [*first, *rest][:WIDE]}
    return replace(table, columns=tuple(c for c in table.columns if c.name in kept))
