"""The schema as a chat model reads it: compact, complete, nearest to DDL."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from inquery.llm.embedded.prompt import column_kind
from inquery.llm.writer import Example, SchemaView, ValueMatch
from inquery.sql import Column, Join, Table
from inquery.sql.dialects import DIALECTS

WIDE_TABLE = 100
"""Only tables with more columns are trimmed, and then by relevance."""
KEPT_BLOCKS = 2048
SURE_ENOUGH = 0.5
"""Joins that are less sure are not shown: a model takes every join it reads for one it may use."""
MOST_VALUES, MOST_CODES = 7, 3
"""So few samples, of text and of numbers, are a column's codes and shown all; catalogues keep up to eight."""


def dialect_notes(dialect: str) -> str:
    """What a model is told of a dialect; its bare name where nobody brings a record."""
    return DIALECTS[dialect].notes if dialect in DIALECTS else dialect


def schema_block(schema: SchemaView) -> str:
    """All tables with their columns, then the joins that no single column stands for."""
    wanted = set(schema.relevance)
    tables = "\n\n".join(table_block(table, wanted) for table in schema.tables)
    declared = {(table.path, key.columns, key.table) for table in schema.tables for key in table.foreign_keys}
    joins = "\n".join(
        join_line(join)
        for join in schema.joins
        if join.confidence >= SURE_ENOUGH
        if len(join.left_columns) > 1 or (join.left, join.left_columns, join.right) not in declared
    )
    return f"{tables}\n\nJoins:\n{joins}" if joins else tables


_written: OrderedDict[int, tuple[Table, str]] = OrderedDict()


def table_block(table: Table, wanted: set[tuple[str, str]]) -> str:
    """One table: a head line and a line a column; kept for tables that are always shown whole."""
    if len(table.columns) > WIDE_TABLE:
        return _table_block(table, wanted)
    known = _written.get(id(table))
    if known is None or known[0] is not table:
        known = _written[id(table)] = (table, _table_block(table, wanted))
        while len(_written) > KEPT_BLOCKS:
            _written.popitem(last=False)
    return known[1]


def _table_block(table: Table, wanted: set[tuple[str, str]]) -> str:
    rows = f", about {table.estimated_rows} rows" if table.estimated_rows is not None else ""
    comment = f" -- {table.comment}" if table.comment else ""
    columns, references = shown_columns(table, wanted), _references(table)
    lines = [f"{table.full_name} ({table.kind}{rows}){comment}"]
    lines += [column_line(column, references.get(column.name, "")) for column in columns]
    if len(columns) < len(table.columns):
        lines.append(f"  … {len(table.columns) - len(columns)} more columns")
    return "\n".join(lines)


def _references(table: Table) -> dict[str, str]:
    """What each column of a declared key of one column points to."""
    found: dict[str, str] = {}
    for key in table.foreign_keys:
        if len(key.columns) == 1:
            there = ".".join((*key.table, *key.references))
            found[key.columns[0]] = " or ".join(filter(None, (found.get(key.columns[0]), there)))
    return found


def shown_columns(table: Table, wanted: set[tuple[str, str]]) -> tuple[Column, ...]:
    """Every column; of a very wide table the keys and those ranked for the question first."""
    if len(table.columns) <= WIDE_TABLE:
        return table.columns
    keys = {column for key in table.foreign_keys for column in key.columns}
    ranked = sorted(
        table.columns,
        key=lambda c: not (c.primary_key or c.name in keys or (table.full_name, c.name) in wanted),
    )
    return tuple(ranked[:WIDE_TABLE])


def column_line(column: Column, reference: str = "") -> str:
    """Name, type, key, values that tell something, and comment."""
    parts = [f"  {column.name} {column.type}".rstrip()]
    if column.primary_key:
        parts.append("PK")
    if reference:
        parts.append(f"-> {reference}")
    samples = () if column.primary_key or reference else telling(column)
    if samples:
        parts.append("e.g. " + ", ".join(repr(sample) for sample in samples))
    return ", ".join(parts) + (f" -- {column.comment}" if column.comment else "")


def telling(column: Column) -> tuple[str, ...]:
    """Values worth their tokens: all of a short list, two of other texts, one date for its form, no measurements."""
    kind = column_kind(column.type, column.samples)
    short = len(column.samples) <= (MOST_CODES if kind == "#" else MOST_VALUES)
    return column.samples if short and kind != "@" else column.samples[: {"": 2, "@": 1, "#": 0}[kind]]


def join_line(join: Join) -> str:
    """One edge of the join graph."""
    left, right = ".".join(join.left), ".".join(join.right)
    pairs = zip(join.left_columns, join.right_columns, strict=True)
    said = [f"{left}.{a} = {right}.{b}" for a, b in pairs]
    if join.condition:
        column, value = join.condition
        said.append(f"{left}.{column} = {value!r}")
    return " and ".join(said)


def glossary_block(terms: Mapping[str, str]) -> str:
    """Business terms, or nothing."""
    return _listed("Business terms:", (f"{term}: {meaning}" for term, meaning in terms.items()))


def values_block(values: Iterable[ValueMatch]) -> str:
    """Phrases that are stored values, or nothing."""
    return _listed("Stored values:", (f"{v.phrase!r} is {v.value!r} in {v.table}.{v.column}" for v in values))


def samples_block(samples: Iterable[Example]) -> str:
    """Verified examples, or nothing."""
    return _listed("Verified examples:", (f"{s.question}\n  {s.sql}" for s in samples))


def _listed(title: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join([title, *lines]) if lines else ""
