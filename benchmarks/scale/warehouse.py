"""A warehouse of any number of tables, put together from real and written schemas as one that landed many sources.

Every source system has a neutral code, and each of its tables is named `<code>_<table>`: the code says nothing of what the
source is about. Sources come in a fixed order: the tune databases of Spider that the questions are about, then its
other databases and the databases described in training/data, dealt like cards; when those end, staging and archive
copies of the sources that no question is about.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path

from benchmarks.items import spaced
from sqlglot import exp, parse_one
from training.business import build
from training.coverage import read_tables
from training.descriptions import DATA, specs
from training.seeds import column_values
from training.spider import chinese_by_line, read_questions

from inquery.catalog.joins import with_joins
from inquery.catalog.suitable import private
from inquery.catalog.value_index import Place, ValueIndex
from inquery.sql import Catalog, Column, ForeignKey, Table

WRITTEN = ("business", "general", "society", "enterprise")
LAYERS = (
    ("stg_{}", ("load_id", "loaded_at")),
    ("{}_archive", ("archived_at",)),
    ("{}_2023", ()),
    ("tmp_{}", ("run_id",)),
)
"""How a copy of a table is named, and the columns it has besides."""


@dataclass(frozen=True, slots=True)
class Source:
    """One system's tables by their own names, with what their text columns hold."""

    name: str
    tables: tuple[Table, ...]
    values: dict[Place, list[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one source, and the tables its SQL reads."""

    text: str
    language: str
    source: str
    sql: str
    tables: frozenset[str]


@dataclass(frozen=True)
class Warehouse:
    """A catalogue of many sources, its values, and where each source's tables are."""

    catalog: Catalog
    values: ValueIndex
    codes: dict[str, str]
    asked: frozenset[str]
    """The sources that questions are about."""

    def gold(self, question: Question) -> set[str]:
        """The question's tables by their names here."""
        return {f"{self.codes[question.source]}_{name}" for name in question.tables}


def read_source(name: str, connection: sqlite3.Connection) -> Source:
    """A database as a refresh would describe it: keys, samples, and the values of its text columns."""
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    tables, values = [], {}
    for table in read_tables(connection):
        columns = []
        for column in table.columns:
            samples, texts = ([], []) if private(column.name) else column_values(connection, table.name, column.name)
            columns.append(replace(column, samples=tuple(samples)))
            if texts:
                values[table.name, column.name] = texts
        tables.append(replace(table, columns=tuple(columns)))
    return Source(name, tuple(tables), values)


def spider_sources(spider: Path) -> tuple[list[Source], list[Source]]:
    """Spider's tune databases, and the others."""
    tune = {each["db_id"] for each in read_questions(spider / "questions.jsonl") if each["split"] == "tune"}
    found: tuple[list[Source], list[Source]] = ([], [])
    for file in sorted((spider / "databases").glob("*.sqlite")):
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            found[file.stem not in tune].append(read_source(file.stem, connection))
    return found


def written_sources() -> Iterator[Source]:
    """The databases described in training/data."""
    for kind in WRITTEN:
        for spec in specs(DATA / kind):
            with closing(build(spec)) as connection:
                yield read_source(spec["db_id"], connection)


def dealt(first: Sequence[Source], second: Sequence[Source]) -> Iterator[Source]:
    """One of each in turn, so that a warehouse of any size has both."""
    return (source for source in chain.from_iterable(zip_longest(first, second)) if source is not None)


def copies(sources: Sequence[Source]) -> Iterator[Source]:
    """Staging, archive, yearly and temporary copies of sources, layer by layer."""
    for name, added in LAYERS:
        for source in sources:
            renamed = {table.name: name.format(table.name) for table in source.tables}
            tables = tuple(
                _renamed(table, renamed, tuple(Column(each, "TEXT") for each in added)) for table in source.tables
            )
            values = {(renamed[table], column): given for (table, column), given in source.values.items()}
            yield Source(name.format(source.name), tables, values)


def _renamed(table: Table, names: dict[str, str], added: tuple[Column, ...] = ()) -> Table:
    keys = tuple(
        ForeignKey(key.columns, (names[key.table[-1]],), key.references)
        for key in table.foreign_keys
        if key.table[-1] in names
    )
    new = tuple(column for column in added if table.column(column.name) is None)
    return replace(table, path=(names[table.name],), columns=(*table.columns, *new), foreign_keys=keys)


def compose(first: Sequence[Source], others: Sequence[Source], size: int) -> Warehouse:
    """The first sources whole, then others until there are so many tables."""
    tables: list[Table] = []
    values: dict[Place, list[str]] = {}
    codes: dict[str, str] = {}
    for number, source in enumerate(chain(first, others, copies(others))):
        left = size - len(tables)
        if number >= len(first) and left <= 0:
            break
        code = codes[source.name] = f"s{_shuffled(number):04d}"
        kept = source.tables if number < len(first) else source.tables[:left]
        names = {table.name: f"{code}_{table.name}" for table in kept}
        tables += [_renamed(table, names) for table in kept]
        values |= {(names[t], column): given for (t, column), given in source.values.items() if t in names}
    catalog = with_joins(Catalog("sqlite", tuple(sorted(tables, key=lambda table: table.name))))
    return Warehouse(catalog, ValueIndex.of(values), codes, frozenset(source.name for source in first))


def _shuffled(number: int) -> int:
    """A code that tells nothing of the order: 7919 is prime to 10,000."""
    return (number * 7919 + 4242) % 10_000


def questions(spider: Path, language: str, most: int) -> list[Question]:
    """Evenly spaced tune questions in one language, with the tables their SQL reads."""
    asked = read_questions(spider / "questions.jsonl")
    said = chinese_by_line(asked) if language == "zh" else {at: row["question"] for at, row in enumerate(asked)}
    tune = [(said[at], row) for at, row in enumerate(asked) if row["split"] == "tune" and at in said]
    chosen = spaced(tune, most)
    files = {row["db_id"]: _names(spider, row["db_id"]) for _, row in chosen}
    return [
        Question(text, language, row["db_id"], row["query"], read_by(row["query"], files[row["db_id"]]))
        for text, row in chosen
    ]


def read_by(sql: str, names: dict[str, str]) -> frozenset[str]:
    """The tables a statement reads, spelt as the database spells them."""
    return frozenset(names[table.name.lower()] for table in parse_one(sql, dialect="sqlite").find_all(exp.Table))


def moved(question: Question, warehouse: Warehouse) -> str:
    """The question's SQL over the warehouse's tables; every table keeps its own name as an alias."""
    tree = parse_one(question.sql, dialect="sqlite")
    code = warehouse.codes[question.source]
    names = {name.lower(): name for name in question.tables}
    for table in list(tree.find_all(exp.Table)):
        alias = table.alias or table.name
        table.set("this", exp.to_identifier(f"{code}_{names[table.name.lower()]}", quoted=True))
        table.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    return tree.sql("sqlite")


def copied_names(connection: sqlite3.Connection) -> list[str]:
    """The tables of the database attached as `source`."""
    found = connection.execute(
        "SELECT name FROM source.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return [name for (name,) in found]


def _names(spider: Path, database: str) -> dict[str, str]:
    with closing(sqlite3.connect(f"file:{spider / 'databases' / database}.sqlite?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        return {name.lower(): name for (name,) in found}
