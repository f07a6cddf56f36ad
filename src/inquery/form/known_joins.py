"""Joins that a form fixes itself, held against the keys that are known.

A writer may say `via album.album_id = track.genre_id`, though genres are what `genre_id` refers to and one key alone leads
from tracks to albums. Where a join that is said is none that anything knows, and one that is known is there, that is meant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from inquery.form.ast import Block, ColumnRef, Source, rebuild_tree
from inquery.form.join_paths import Edge, FormSchema


def with_known_joins(query: Any, schema: FormSchema) -> Any:
    """The form with the known join in the place of one that nothing bears out."""

    def change(node: Any) -> Any:
        if not isinstance(node, Block):
            return node
        tables = {source.name: source.table for source in node.sources}
        return replace(node, sources=tuple(_mended(source, tables, schema) for source in node.sources))

    return rebuild_tree(query, change)


def _mended(source: Source, tables: dict[str, str], schema: FormSchema) -> Source:
    if source.via is None or source.also or source.role:
        return source
    own, other = source.via
    far = tables.get(other.source)
    if far is None or far == source.table or own.source != source.name:
        return source
    ends = {_end(source.table, own), _end(far, other)}
    direct = [each for each in schema.edges[source.table] if each.other(source.table) == far]
    if len(direct) != 1 or _ends(direct[0]) == ends or _refer_alike(source.table, own, far, other, schema):
        return source
    return replace(source, via=None)


def _end(table: str, column: ColumnRef) -> tuple[str, tuple[str, ...]]:
    return table, (column.column.casefold(),)


def _ends(edge: Edge) -> set[tuple[str, tuple[str, ...]]]:
    return {
        (edge.child, tuple(map(str.casefold, edge.child_columns))),
        (edge.parent, tuple(map(str.casefold, edge.parent_columns))),
    }


def _refer_alike(table: str, own: ColumnRef, far: str, other: ColumnRef, schema: FormSchema) -> bool:
    """Whether both columns refer to the same thing: payments and orders of one customer."""

    def homes(place: str, column: ColumnRef) -> set[tuple[str, tuple[str, ...]]]:
        end = _end(place, column)
        found = {
            (edge.parent, edge.parent_columns)
            for edge in schema.edges[place]
            if (edge.child, tuple(map(str.casefold, edge.child_columns))) == end
        }
        return found or {end}

    return bool(homes(table, own) & homes(far, other))
