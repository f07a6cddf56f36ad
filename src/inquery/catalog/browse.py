"""A catalogue as people and programs read it: tables, their columns and the joins that touch them."""

from __future__ import annotations

from pydantic import BaseModel

from inquery.databases.note_words import note_text
from inquery.errors import NotFound, Text
from inquery.language.nearest import nearest_names
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.catalog import Cardinality, How, NoteKind, ReadNote

LONGEST_NAME = 200


class ColumnInfo(BaseModel):
    name: str
    type: str
    nullable: bool
    primary_key: bool
    comment: str
    samples: list[str]
    meanings: dict[str, list[str]] = {}


class ColumnName(BaseModel):
    name: str
    type: str
    primary_key: bool


class TableInfo(BaseModel):
    """A table in one line; `column_names` only where they were asked for."""

    name: str
    kind: str
    rows: int | None
    comment: str
    columns: int
    column_names: list[ColumnName] = []


class JoinInfo(BaseModel):
    left: str
    left_columns: list[str]
    right: str
    right_columns: list[str]
    declared: bool
    confidence: float
    how: How
    found: int
    sampled: int
    cardinality: Cardinality
    condition: tuple[str, str] | None


class NoteInfo(BaseModel):
    """How a data file was read, as a sentence in either language; of one column, or of the table."""

    column: str
    kind: NoteKind
    en: str
    zh: str


class TableDetails(BaseModel):
    """A table with all its columns and the joins that touch it."""

    name: str
    kind: str
    rows: int | None
    comment: str
    display: list[str] = []
    columns: list[ColumnInfo]
    joins: list[JoinInfo]
    notes: list[NoteInfo]


def table_info(table: Table, *, with_columns: bool = False) -> TableInfo:
    """A table in one line, or with the names of its columns."""
    named = table.columns if with_columns else ()
    return TableInfo(
        name=table.full_name,
        kind=table.kind,
        rows=table.estimated_rows,
        comment=table.comment,
        columns=len(table.columns),
        column_names=[ColumnName(name=c.name, type=c.type, primary_key=c.primary_key) for c in named],
    )


def table_details(catalog: Catalog, name: str) -> TableDetails:
    """One table by its full or last name; raises NotFound with the nearest names."""
    found = named_table(catalog, name)
    joins = [join_info(join) for join in catalog.joins if found.path in {join.left, join.right}]
    return TableDetails(
        name=found.full_name,
        kind=found.kind,
        rows=found.estimated_rows,
        comment=found.comment,
        display=list(found.display),
        columns=[_column_info(column) for column in found.columns],
        joins=joins,
        notes=[note_info(note) for note in found.notes],
    )


def note_info(note: ReadNote) -> NoteInfo:
    """A note in words."""
    text = note_text(note)
    return NoteInfo(column=note.column, kind=note.kind, en=text.en, zh=text.zh)


def join_info(join: Join) -> JoinInfo:
    """How two tables meet."""
    return JoinInfo(
        left=".".join(join.left),
        left_columns=list(join.left_columns),
        right=".".join(join.right),
        right_columns=list(join.right_columns),
        declared=join.declared,
        confidence=join.confidence,
        how=join.how,
        found=join.found,
        sampled=join.sampled,
        cardinality=join.cardinality,
        condition=join.condition,
    )


def named_table(catalog: Catalog, name: str) -> Table:
    """The table of a name, without regard to case; raises NotFound with the nearest names."""
    folded = name.casefold()
    for table in catalog.tables:
        if folded in (table.full_name.casefold(), table.name.casefold()):
            return table
    nearest = nearest_names(name, (table.full_name for table in catalog.tables))
    raise NotFound(name, what=Text("table", "表"), name=name[:LONGEST_NAME], nearest=nearest)


def _column_info(column: Column) -> ColumnInfo:
    return ColumnInfo(
        name=column.name,
        type=column.type,
        nullable=column.nullable,
        primary_key=column.primary_key,
        comment=column.comment,
        samples=[str(sample) for sample in column.samples],
        meanings={meaning.value: list(meaning.words) for meaning in column.meanings},
    )
