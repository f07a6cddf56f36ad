"""Measures of the glossary as columns of a table: the model asks for `sum ( order_items.revenue )`, code knows the rest.

A small model cannot carry a definition from a text into a query. So a measure is shown as one more number of its
first table, and where the model uses it, its expression, condition and tables take its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.form.ast import Agg, And, Block, ColumnRef, Expr, Predicate, Source, TableRef, rebuild_tree, walk_tree
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError
from inquery.form.to_sql import to_sql
from inquery.sql.catalog import Column, Table

if TYPE_CHECKING:  # training renders with this file, and has no settings
    from inquery.llm.writer import Measure


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a measure stands for: its table, whole expression, condition and sources."""

    table: str
    name: str
    whole: Expr
    condition: Any
    sources: tuple[Source, ...]

    @property
    def row(self) -> Expr:
        """Its value for one row, where the expression is a plain aggregate of one; else the whole."""
        of = self.whole.of if isinstance(self.whole, Agg) and self.whole.func in {"sum", "avg"} else None
        return self.whole if of is None or isinstance(of, Block) else of  # type: ignore[return-value]


Meanings = Mapping[tuple[str, str], Meaning]


def understood(measures: Sequence[Measure], schema: FormSchema) -> dict[tuple[str, str], Meaning]:
    """The measures this schema can express, by (table, name); others are left out."""
    found = {}
    for measure in measures:
        meaning = _meaning(measure, schema)
        if meaning is not None:
            found[meaning.table, meaning.name] = meaning
    return found


def _meaning(measure: Measure, schema: FormSchema) -> Meaning | None:
    tables = [name for name in measure.tables if name in schema.tables]
    if not tables or len(tables) < len(measure.tables) or schema.tables[tables[0]].column(measure.name):
        return None
    try:
        frame = to_sql(Block(_sources(tables, schema), (Agg("count"),)), schema)
        tree = sqlglot.parse_one(frame, dialect="sqlite")
        expression = sqlglot.parse_one(measure.expression, dialect="sqlite")
        tree.set("expressions", [expression])
        if measure.condition:
            tree.set("where", exp.Where(this=sqlglot.parse_one(measure.condition, dialect="sqlite")))
        block = from_sql(tree.sql(dialect="sqlite"), schema)
    except (SqlglotError, Unsupported, FormError):
        return None
    if not isinstance(block, Block) or len(block.show) != 1 or block.by or block.distinct:
        return None
    shown = block.show[0]
    return None if isinstance(shown, TableRef) else Meaning(tables[0], measure.name, shown, block.where, block.sources)


def _sources(tables: Sequence[str], schema: FormSchema) -> tuple[Source, ...]:
    """The measure's tables; one that refers to the first is optional, for a rate counts rows that have none of it."""
    first = schema.tables[tables[0]].path
    refers = {name: any(key.table == first for key in schema.tables[name].foreign_keys) for name in tables[1:]}
    return (Source(tables[0]), *(Source(name, optional=optional) for name, optional in refers.items()))


def with_measures(tables: Sequence[Table], meanings: Meanings) -> tuple[Table, ...]:
    """The tables as shown to the model, each with its measures as further numbers."""
    made = []
    for table in tables:
        added = tuple(Column(name, "REAL") for owner, name in meanings if owner in {table.name, table.full_name})
        made.append(replace(table, columns=(*table.columns, *added)) if added else table)
    return tuple(made)


def expanded(query: Any, meanings: Meanings) -> Any:
    """The query with every measure replaced by what it means, in the block that uses it."""
    return rebuild_tree(query, lambda node: _expand(node, meanings) if isinstance(node, Block) else node)


def _expand(block: Block, meanings: Meanings) -> Block:
    used = [meanings[key] for key in dict.fromkeys(_places(block)) if key in meanings]
    if not used:
        return block
    tables = {source.name: source.table for source in block.sources}

    def put(node: Any) -> Any:
        if isinstance(node, Agg) and isinstance(node.of, ColumnRef):
            meaning = meanings.get((tables.get(node.of.source, ""), node.of.column))
            return node if meaning is None else meaning.whole
        return node

    def put_rows(node: Any) -> Any:
        if isinstance(node, ColumnRef):
            meaning = meanings.get((tables.get(node.source, ""), node.column))
            return node if meaning is None else meaning.row
        return node

    grown: Block = rebuild_tree(rebuild_tree(block, put, into_blocks=False), put_rows, into_blocks=False)
    for meaning in used:
        known = {source.table for source in grown.sources}
        more = tuple(source for source in meaning.sources if source.table not in known)
        grown = replace(grown, sources=(*grown.sources, *more), where=_both(grown.where, meaning.condition))
    return grown


def _places(block: Block) -> list[tuple[str, str]]:
    """(table, column) of every reference in the block itself."""
    tables = {source.name: source.table for source in block.sources}
    found: list[tuple[str, str]] = []

    def look(node: Any) -> Any:
        if isinstance(node, ColumnRef):
            found.append((tables.get(node.source, ""), node.column))
        return node

    rebuild_tree(block, look, into_blocks=False)
    return found


def _both(where: Any, condition: Any) -> Any:
    """The condition added, unless the question already speaks of the same columns."""
    if condition is None:
        return where
    said = {node for node in walk_tree(where) if isinstance(node, ColumnRef)} if where is not None else set()
    if said & {node for node in walk_tree(condition) if isinstance(node, ColumnRef)}:
        return where
    if where is None:
        return condition
    items = where.items if isinstance(where, And) else (where,)
    return And(
        (*items, condition)
        if isinstance(condition, Predicate)
        else (*items, *getattr(condition, "items", (condition,)))
    )
