"""Values a model misspelt: the question names a stored value, the statement compares its column with nearly that."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inquery.agents.context import Context
from inquery.agents.statements.filters import filters_of

SAME_WORD = 0.85
"""From this likeness on, two texts are one word with a slip; two values that are both stored are never taken for one."""
_TEXT = re.compile(r"'((?:[^']|'')+)'|\"([^\"\n]+)\"")


def correct_spelling(sql: str, question: str, values: Sequence[Mapping[str, Any]], context: Context) -> str:
    """The statement with such values as they are stored."""
    sql = _as_stored(sql, context)
    for literal, match in _slips(sql, question, values):
        place = (match["table"], match["column"])
        stored = context.stored(*place)
        if literal in stored or len(stored) >= context.settings.knowledge.values_per_column:
            continue  # a value that is there, or may be
        if any((t.full_name, column) == place and text == literal for t, column, _, text in filters_of(sql, context)):
            sql = _replaced(sql, literal, str(match["value"]))
    return sql


def _as_stored(sql: str, context: Context) -> str:
    """Texts that a column does not hold, but holds in another case, number or with other marks: tablets for tablet."""
    for table, column, operator, literal in list(filters_of(sql, context)):
        stored = context.stored(table.full_name, column)
        if operator not in {"EQ", "NEQ", "In"} or literal in stored:
            continue
        if len(stored) < context.settings.knowledge.values_per_column:
            same = [value for value in stored if _folded(value) == _folded(literal)]
            sql = _replaced(sql, literal, same[0]) if len(same) == 1 else sql
    return sql


def _folded(text: str) -> str:
    """A text without case, marks and plural."""
    return re.sub(r"[\W_]+", "", text.casefold()).removesuffix("s")


def _slips(sql: str, question: str, values: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Texts of the statement that the question does not have, each with the linked value it nearly is."""
    linked = {str(match["value"]) for match in values}
    for single, double in _TEXT.findall(sql) if values else ():
        literal = single.replace("''", "'") or double
        if literal in linked or _says(question, literal):
            continue
        near = difflib.get_close_matches(literal, linked, n=1, cutoff=SAME_WORD)
        yield from ((literal, match) for match in values if near and match["value"] == near[0])


def _says(question: str, literal: str) -> bool:
    """Whether the question has a text as it is, not as a part of a longer word."""
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(literal.casefold())}(?![a-z0-9])", question.casefold()))


def _replaced(sql: str, literal: str, value: str) -> str:
    """Another text in the place of one."""
    right = "'" + value.replace("'", "''") + "'"
    return sql.replace("'" + literal.replace("'", "''") + "'", right).replace(f'"{literal}"', right)
