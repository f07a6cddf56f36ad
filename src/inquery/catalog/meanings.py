"""What stored values stand for, put into a catalogue: as a dictionary says, as comments say, as look-up tables say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from inquery.catalog.enumerations import read_enumeration, read_known_codes
from inquery.language.text import fold
from inquery.sql import Catalog, Column
from inquery.sql.catalog import Meaning

Pairs = Sequence[tuple[str, str]]
_BOOLEANS = {"1": "true", "y": "true", "是": "true", "0": "false", "n": "false", "否": "false"}


def with_meanings(catalog: Catalog, looked_up: Mapping[tuple[str, str], Pairs] | None = None) -> Catalog:
    """The catalogue with the meanings of its codes; what a dictionary gave already comes first.

    `looked_up` are codes and labels that tables hold for (full table name, column).
    """
    known = looked_up or {}
    tables = []
    for table in catalog.tables:
        columns = tuple(_meant(column, known.get((table.full_name, column.name), ())) for column in table.columns)
        tables.append(table if columns == table.columns else replace(table, columns=columns))
    return replace(catalog, tables=tuple(tables))


def _meant(column: Column, looked_up: Pairs) -> Column:
    told = [(meaning.value, word) for meaning in column.meanings for word in meaning.words]
    written = read_enumeration(column.comment) if column.comment else ()
    known = read_known_codes(column.comment, column.samples) if column.comment and column.samples else ()
    written = known if len(known) > len(written) else written
    found = meanings_of([*told, *as_stored(written, column), *as_stored(looked_up, column)])
    return column if found == column.meanings else replace(column, meanings=found)


def written_meanings(column: Column) -> tuple[Meaning, ...]:
    """Those meanings that the comment itself says: what rows of a look-up table told is as private as those rows."""
    return tuple(each for each in column.meanings if all(word in column.comment for word in each.words))


def meanings_of(pairs: Iterable[tuple[str, str]]) -> tuple[Meaning, ...]:
    """Codes and words as meanings, each code once, in the order in which they are told."""
    words: dict[str, dict[str, None]] = {}
    for value, word in pairs:
        words.setdefault(value, {})[word] = None
    return tuple(Meaning(value, tuple(said)) for value, said in words.items())


def as_stored(pairs: Pairs, column: Column) -> list[tuple[str, str]]:
    """Codes as the column spells them: 1 as true, 01 as 1; nothing where none of its values is such a code.

    "1. cash 2. card" beside a column that holds the words themselves explains nothing.
    """
    if not pairs or not column.samples:
        return list(pairs)
    stored = {_key(sample): sample for sample in column.samples}
    if stored.keys() <= {"true", "false"}:
        pairs = [(_BOOLEANS.get(fold(code), code), word) for code, word in pairs]
    if not any(_key(code) in stored for code, _ in pairs):
        return []
    return [(stored.get(_key(code), code), word) for code, word in pairs]


def _key(code: str) -> str:
    """A code without what only its spelling differs in: 01, 1 and 1.0."""
    text = fold(code.strip())
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text
