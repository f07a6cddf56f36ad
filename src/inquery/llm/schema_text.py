"""The schema as a chat model reads it: compact, nearest to DDL; whole where it is small, else what the question needs."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inquery.llm.embedded.prompt import column_kind
from inquery.llm.schema_choice import choose, is_aside
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import Example, SchemaView, ValueMatch
from inquery.sql import Column, Join, Table
from inquery.sql.catalog import with_references
from inquery.sql.dialects import DIALECTS

WHOLE_TABLES, WHOLE_TOKENS = 16, 3300
"""A schema of so many tables that is no longer is shown whole, and alike for every question: a provider's cache has it."""
CHOSEN_TOKENS = 1600
"""Of a larger one so much is shown; with rules, values and question a prompt has some 1,800 tokens in the median.

With 1,350 a prompt had 1,520 and lost a needed table in one of eight questions about larger systems.
"""
NAMED_TOKENS = 200
"""What the names of the other tables may take."""
WIDE_TABLE = 100
"""Only tables with more columns are trimmed where a schema is shown whole, and then by relevance."""
KEPT_BLOCKS = 2048
SURE_ENOUGH = 0.5
"""Joins that are less sure are not shown: a model takes every join it reads for one it may use."""
MOST_VALUES, MOST_CODES = 7, 3
"""So few samples, of text and of numbers, are a column's codes and shown all; catalogues keep up to eight."""
LONGEST_SAMPLE = 40
_UNTELLING = re.compile(
    r"""\s*$ | [\[{<] | \w+://\S+$ | www\.\S+$ | data: | /\S*/ | \S+\.(?:jpe?g|png|gif|svg|webp|pdf|mp4|html?)$
      | \{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$ | [0-9a-f]{16,}$ | \$2[aby]\$ | [A-Za-z0-9+/]{32,}={0,2}$
      | [^@\s]+@[^@\s]+\.\w+$ | \+?[\d()\s.\-]{9,}$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Blanks, JSON, addresses of pages, pictures and mail, hashes, telephone numbers: they cost tokens and say nothing of a column."""


@dataclass(frozen=True, slots=True)
class ShownSchema:
    """What a chat model is shown: tables with the columns that are listed, and the names of others."""

    tables: tuple[Table, ...]
    others: tuple[Table, ...] = ()


def dialect_notes(dialect: str) -> str:
    """What a model is told of a dialect; its bare name where nobody brings a record."""
    return DIALECTS[dialect].notes if dialect in DIALECTS else dialect


def schema_block(schema: SchemaView, question: str = "", values: Sequence[ValueMatch] = ()) -> str:
    """The tables with their columns, then the joins that no single column stands for.

    Without a question all of it, whatever its length.
    """
    shown = shown_schema(schema, question, values)
    if not shown.others and shown.tables is schema.tables:
        return _whole_block(schema)
    joins, whole = _sure_joins(schema.joins), {table.path: len(table.columns) for table in schema.tables}
    tables = with_references(shown.tables, joins)
    parts = ["\n\n".join(_table_block(table, table.columns, whole[table.path]) for table in tables)]
    parts += [_joins_block(joins, tables), _others_line(shown.others)]
    return "\n\n".join(part for part in parts if part)


def _whole_block(schema: SchemaView) -> str:
    wanted, joins = set(schema.relevance), _sure_joins(schema.joins)
    tables = "\n\n".join(table_block(table, wanted) for table in with_references(schema.tables, joins))
    return "\n\n".join(filter(None, (tables, _joins_block(joins, schema.tables))))


def shown_schema(schema: SchemaView, question: str = "", values: Sequence[ValueMatch] = ()) -> ShownSchema:
    """All of a small schema; of a larger one what a question needs most, with the names of the rest."""
    most = WHOLE_TOKENS if len(schema.tables) <= WHOLE_TABLES else CHOSEN_TOKENS
    wide = any(len(table.columns) > WIDE_TABLE for table in schema.tables)
    if not question or (not wide and _within(_whole_block(schema), most)):
        return ShownSchema(schema.tables)
    joins = _sure_joins(schema.joins)
    tables = with_references(schema.tables, joins)
    references = {table.path: _references(table) for table in tables}

    def cost(table: Table, column: Column | None) -> int:
        if column is None:
            return count_tokens(_head_line(table)) + 4
        return count_tokens(column_line(column, references[table.path].get(column.name, ""))) + 1

    chosen = choose(question, tables, joins, values, cost, CHOSEN_TOKENS - NAMED_TOKENS)
    kept = {table.path for table in chosen}
    rest = sorted((t for t in schema.tables if t.path not in kept), key=is_aside)
    by_path = {table.path: table for table in schema.tables}
    shown = (_only(by_path[table.path], {column.name for column in table.columns}) for table in chosen)
    return ShownSchema(tuple(shown), tuple(rest))


def _within(text: str, tokens: int) -> bool:
    """Whether a text is within so many tokens; none has more of them than letters, so that most need no counting."""
    return len(text) <= tokens or count_tokens(text) <= tokens


def _only(table: Table, names: set[str]) -> Table:
    """The table with some of its columns, as they are stored."""
    return replace(table, columns=tuple(column for column in table.columns if column.name in names))


def _sure_joins(joins: Iterable[Join]) -> tuple[Join, ...]:
    return tuple(join for join in joins if join.confidence >= SURE_ENOUGH)


def _joins_block(joins: Iterable[Join], tables: Iterable[Table]) -> str:
    """Joins that no column's line can say: of several columns, for some rows only, or of a column that is not listed."""
    columns = {table.path: {column.name for column in table.columns} for table in tables}
    lines = [
        join_line(join)
        for join in joins
        if join.left in columns and join.right in columns
        if len(join.left_columns) > 1 or join.condition or join.left_columns[0] not in columns[join.left]
    ]
    return "\n".join(["Joins:", *lines]) if lines else ""


def _others_line(tables: Sequence[Table]) -> str:
    """The names of tables that are not shown, as many as there is room for; empty ones are marked."""
    names: list[str] = []
    left = NAMED_TOKENS - 10
    for table in tables:
        name = table.full_name + (" (empty)" if table.is_empty else "")
        left -= count_tokens(name) + 1
        if left < 0:
            names.append("…")
            break
        names.append(name)
    return f"Other tables: {', '.join(names)}" if names else ""


_written: OrderedDict[int, tuple[Table, str]] = OrderedDict()


def table_block(table: Table, wanted: set[tuple[str, str]]) -> str:
    """One table: a head line and a line a column; kept for tables that are always shown whole."""
    if len(table.columns) > WIDE_TABLE:
        return _table_block(table, shown_columns(table, wanted), len(table.columns))
    known = _written.get(id(table))
    if known is None or known[0] is not table:
        known = _written[id(table)] = (table, _table_block(table, table.columns, len(table.columns)))
        while len(_written) > KEPT_BLOCKS:
            _written.popitem(last=False)
    return known[1]


def _table_block(table: Table, columns: Sequence[Column], whole: int) -> str:
    references = _references(table)
    lines = [_head_line(table), *(column_line(column, references.get(column.name, "")) for column in columns)]
    return "\n".join(lines + [f"  … {whole - len(columns)} more columns"] * (len(columns) < whole))


def _head_line(table: Table) -> str:
    told = ", ".join(filter(None, (table.kind, _rows(table))))
    return f"{table.full_name} ({told})" + (f" -- {table.comment}" if table.comment else "")


def _rows(table: Table) -> str:
    """How many rows there are; an estimate says so, and one of none says nothing."""
    if table.is_empty:
        return "empty"
    about = "" if table.counted else "about "
    return f"{about}{table.estimated_rows} rows" if table.estimated_rows else ""


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
    if not column.primary_key and not reference:
        parts += [f"e.g. {values}"] if (values := ", ".join(_values(column))) else []
    return ", ".join(parts) + (f" -- {column.comment}" if column.comment else "")


def _values(column: Column) -> list[str]:
    """Values as they are listed: a code with what it stands for."""
    if column.meanings:
        return [f"{meaning.value!r} {meaning.words[0]}" for meaning in column.meanings[:MOST_VALUES]]
    return [repr(sample) for sample in telling(column)]


def telling(column: Column) -> tuple[str, ...]:
    """Values worth their tokens: all of a short list, two of other texts, one date for its form, no measurements."""
    kind = column_kind(column.type, column.samples)
    samples = tuple(s for s in column.samples if kind == "@" or not (len(s) > LONGEST_SAMPLE or _UNTELLING.match(s)))
    if len(samples) * 2 < len(column.samples):  # what is left is the exception
        return ()
    short = len(column.samples) <= (MOST_CODES if kind == "#" else MOST_VALUES)
    return samples if short and kind != "@" else samples[: {"": 2, "@": 1, "#": 0}[kind]]


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
