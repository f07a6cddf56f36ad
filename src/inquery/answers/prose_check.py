"""Whether prose is fit to be read: it has the figure with its unit, no name of the database, two sentences at most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from inquery.answers.answer import AnswerColumn
from inquery.answers.facts import told_label
from inquery.answers.formats import CURRENCIES, as_number, format_cell
from inquery.answers.number_check import Quoted, is_known, quoted_numbers
from inquery.answers.shape import Rows

Fault = Literal["empty", "no figure", "no unit", "identifier", "too long", "no value", "mixed languages"]
MOST_SENTENCES = 2
_END = re.compile(r"[。！？]+|[.!?]+(?=\s|$)")
_IDENTIFIER = re.compile(
    r"`|(?<![\w@])[A-Za-z]\w*_\w+|(?<![\w@./])[a-z]\w*\.[a-z]\w*(?![\w.]*@)\b(?!\.)"
    r"|\b(?:SELECT|FROM|WHERE|COUNT|SUM|AVG|MIN|MAX|JOIN|NULL|LIMIT|DISTINCT|HAVING|CAST|GROUP BY|ORDER BY)\b|\w\(\*?\)"
)
_LATIN = re.compile(r"(?<![A-Za-z])[a-z]{3,}(?![A-Za-z])")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_CELL = "◻"


def sentences_in(text: str) -> int:
    """How many sentences a text has; a list is one."""
    return sum(1 for part in _END.split(text) if re.search(r"\w|◻", part))


def check_prose(text: str, columns: Sequence[AnswerColumn], rows: Rows, language: str = "") -> list[Fault]:
    """What is wrong with the prose of a result; nothing where it is fit.

    With a `language` the words around the data are to be of it; the rows have to be all of the result's then.
    """
    if not text.strip():
        return ["empty"]
    bare = _without_cells(text, columns, rows)
    found: list[Fault] = []
    if sentences_in(bare) > MOST_SENTENCES:
        found.append("too long")
    if _IDENTIFIER.search(bare):
        found.append("identifier")
    if re.search(r"(?:\bis |为|: |：)—", bare):
        found.append("no value")
    if language and (_LATIN if language == "zh" else _CJK).search(bare):
        found.append("mixed languages")
    return found + _figure_faults(text, columns, rows)


def _without_cells(text: str, columns: Sequence[AnswerColumn], rows: Rows) -> str:
    """The text without what the data itself says: a user may be called ann_lee, a firm Acme Inc."""
    cells = {told_label(cell, column) for row in rows for cell, column in zip(row, columns, strict=True)}
    cells |= {format_cell(cell) for row in rows for cell in row if isinstance(cell, str)}
    for cell in sorted(cells, key=len, reverse=True):
        if len(cell) > 1 and not as_digits(cell):
            text = text.replace(cell, _CELL)
    return text


def as_digits(cell: str) -> bool:
    """Whether a cell is a number as text: it must not eat parts of other numbers."""
    return cell.replace(".", "", 1).replace("-", "", 1).replace(",", "").isdigit()


def _figure_faults(text: str, columns: Sequence[AnswerColumn], rows: Rows) -> list[Fault]:
    if not rows:
        return []
    quoted = list(quoted_numbers(text))
    places = [at for at in range(len(columns)) if any(_says(row[at], columns[at], quoted) for row in rows)]
    first = [
        cell
        for cell, column in zip(rows[0], columns, strict=True)
        if (cell is not None and told_label(cell, column) in text)
        or (isinstance(cell, str) and format_cell(cell) in text)
    ]
    has_numbers = any(as_number(cell) is not None for cell in rows[0])
    if not places and (not first or (len(rows) == 1 and has_numbers and len(columns) == 1)):
        return [] if _only_empty(rows) else ["no figure"]
    units = [columns[at] for at in places if columns[at].format in {"money", "percent", "fraction"}]
    return ["no unit"] if any(not _has_unit(text, column) for column in units) else []


def _only_empty(rows: Rows) -> bool:
    return all(cell is None for row in rows for cell in row)


def _says(cell: Any, column: AnswerColumn, quoted: Sequence[Quoted]) -> bool:
    """Whether a number is quoted; 4.75 in per cent is written 4.75%."""
    number = as_number(cell)
    if number is None:
        return False
    return any(is_known(each, [number, number / 100] if column.format == "percent" else [number]) for each in quoted)


def _has_unit(text: str, column: AnswerColumn) -> bool:
    if column.format in {"percent", "fraction"}:
        return "%" in text
    return not column.unit or any(word in text for word in (*CURRENCIES.get(column.unit, ()), column.unit))
