"""The prompt of the embedded writer: schema first, question next, hints last.

Pure text over plain data and the standard library alone, because training renders millions of prompts with
this file on a machine that has nothing else. The schema comes first and does not depend on the question, so
that its prefix is computed once; hints depend on the question and follow it.

    singer .singer_id*# .name .country=France|US .birthday@
    concert .concert_id*# .singer_id#>singer .year#
    ? How many singers are from France?
    ~ singer.country=France
    = from singer show count ( singer ) where singer.country = 'France'

`*` marks a key, `!` the name people call a row by, `#` a number, `@` a date or time, `>` a reference, `=` the values of a
categorical column, `"…"` a comment. In format E a line `parts: …` before the last says what the question asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

MAX_VALUES = 7
"""A column with more distinct values is not categorical: its values come as hints, not in the schema."""
VALUE_CHARACTERS = 64
"""Longest list of values of one column; a longer one is left out whole, since half a list misleads."""

_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float|money|bool|bit|serial|fixed", re.I)
_DATE_TYPE = re.compile(r"date|time|year\b", re.I)
_DATE_TEXT = re.compile(r"^\d{4}[-/]\d{1,2}[-/]\d{1,2}([ T]\d{1,2}:\d{2}.*)?$")


@dataclass(frozen=True, slots=True)
class PromptFormat:
    """What a set of weights was trained to read; a model reads no other format well, so its config.json names its own.

    `undeclared`: joins that nobody declared are references like declared ones. `display`: the name people call a row by is
    marked. `bound`: a number comes with its word, a phrase with two values at most, a word with a translation only where
    all of it is in the schema. `parts`: the line of what the question asks for. `plain`, of a schema that does not
    fit: names without the prefix that all tables share, and European words in English. `filled`, of such a schema: columns
    without values are left out first.
    """

    version: int
    undeclared: bool = False
    display: bool = False
    bound: bool = False
    parts: bool = False
    plain: bool = False
    filled: bool = False


FORMAT_D = PromptFormat(2, plain=True, filled=True)
FORMAT_E = PromptFormat(3, undeclared=True, display=True, bound=True, parts=True, plain=True, filled=True)
FORMATS = {"D": FORMAT_D, "E": FORMAT_E}


def format_of(version: int, *, parts: bool = True) -> PromptFormat:
    """The format of weights whose config.json has this `prompt_version` and perhaps `parts`."""
    return replace(FORMAT_E, parts=parts) if version >= FORMAT_E.version else FORMAT_D


@dataclass(frozen=True, slots=True)
class PromptColumn:
    """A column as the prompt spells it; `kind` is '' for text, '#' for numbers, '@' for dates."""

    name: str
    kind: str = ""
    key: bool = False
    ref: str = ""
    values: tuple[str, ...] = ()
    comment: str = ""
    display: bool = False


@dataclass(frozen=True, slots=True)
class PromptTable:
    """A table as the prompt spells it."""

    name: str
    columns: tuple[PromptColumn, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Hints:
    """What code found in the question.

    `values` are (table.column, value), `numbers` (phrase, digits) where they differ, `periods` (slot, phrase),
    `gloss` (Chinese phrase, English words).
    """

    values: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    periods: tuple[tuple[str, str], ...] = ()
    gloss: tuple[tuple[str, str], ...] = ()


def column_kind(type_name: str, samples: Sequence[str] = ()) -> str:
    """'#' for numbers, '@' for dates and date-like text, '' for other text."""
    if _DATE_TYPE.search(type_name):
        return "@"
    if _NUMBER_TYPE.search(type_name):
        return "#"
    dated = [sample for sample in samples if sample]
    return "@" if dated and all(_DATE_TEXT.match(sample) for sample in dated) else ""


def categorical_values(kind: str, samples: Sequence[str], rows: int | None, *, key: bool = False) -> tuple[str, ...]:
    """The values worth showing in the schema: few, short and repeated in the data."""
    if key or kind == "@" or not 2 <= len(samples) <= MAX_VALUES:
        return ()
    if rows is not None and len(samples) * 2 > rows:
        return ()
    if kind == "#" and (len(samples) > 3 or any(len(sample) > 2 for sample in samples)):
        return ()
    if sum(len(sample) + 1 for sample in samples) > VALUE_CHARACTERS or any("|" in s or "\n" in s for s in samples):
        return ()
    return tuple(samples)


def column_text(column: PromptColumn) -> str:
    """One column of the schema text."""
    parts = [".", column.name, "*" if column.key else "", "!" if column.display else "", column.kind]
    if column.ref:
        parts.append(">" + column.ref)
    if column.values:
        parts.append("=" + "|".join(column.values))
    if column.comment:
        parts.append(f'"{one_line(column.comment)}"')
    return "".join(parts)


def schema_text(tables: Iterable[PromptTable]) -> str:
    """The schema part of the prompt: a line a table."""
    return "".join(_table_line(table) for table in tables)


def _table_line(table: PromptTable) -> str:
    comment = f' "{one_line(table.comment)}"' if table.comment else ""
    return f"{table.name}{comment} {' '.join(map(column_text, table.columns))}\n"


def question_text(question: str, hints: Hints | None = None, parts: Sequence[str] = ()) -> str:
    """The part after the schema; the form follows it, each word with a space before."""
    found = hint_text(hints) if hints else ""
    asked = one_line(" ; ".join(parts))
    return (
        f"? {one_line(question)}\n" + (f"~ {found}\n" if found else "") + (f"parts: {asked}\n" if asked else "") + "="
    )


def hint_text(hints: Hints) -> str:
    """Hints in one line, values first."""
    parts = [f"{column}={value}" for column, value in hints.values]
    parts += [f"{phrase}={digits}" for phrase, digits in hints.numbers]
    parts += [f"{slot}={phrase}" for slot, phrase in hints.periods]
    parts += [f"{phrase}={words}" for phrase, words in hints.gloss]
    return one_line(" ; ".join(parts))


def one_line(text: str) -> str:
    """Text with every run of white space as one space: a line break would end a part of the prompt."""
    return " ".join(text.split())
