"""Values a model misspelt: the question names a stored value, the statement compares its column with nearly that."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from inquery.agents.context import Context
from inquery.catalog.key_names import type_family
from inquery.sql.statement import Filter, Place, Statement

SAME_WORD = 0.85
"""From this likeness on, two texts are one word with a slip; two values that are both stored are never taken for one."""
_WHOLE_VALUES = frozenset({"EQ", "NEQ", "In"})
_PATTERNS = frozenset({"Like", "ILike"})
_QUOTES = ("'", '"')


def correct_spelling(statement: Statement, question: str, values: Sequence[Mapping[str, Any]], context: Context) -> str:
    """The text of the statement with such values as they are stored.

    Only the literal that is compared is written anew: the same text beside another column may be right there.
    """
    text = statement.text
    for found in sorted(statement.filters(), key=lambda each: each.span or (0, 0), reverse=True):
        start, end = found.span or (0, 0)
        # What a function makes of a column is not what is stored: LOWER(city) = 'beijing' finds Beijing.
        if found.place is None or not found.bare or not found.is_text or not text[start:end].startswith(_QUOTES):
            continue
        code = _as_code(found)
        if code is not None:
            text = text[:start] + code + text[end:]
            continue
        stored = context.stored(found.place.table.full_name, found.place.column)
        if found.literal in stored or len(stored) >= context.settings.knowledge.values_per_column:
            continue  # a value that is there, or may be
        right = _as_stored(found, stored) or _as_linked(found, found.place, question, values)
        if right is not None:
            text = text[:start] + "'" + right.replace("'", "''") + "'" + text[end:]
    return text


def _as_code(found: Filter) -> str | None:
    """The code, as SQL, that a column stores for a word: status = 'paid' where 1 is stored and means paid."""
    column = found.place.table.column(found.place.column) if found.place else None
    if column is None or found.operator not in _WHOLE_VALUES or column.meaning_of(found.literal):
        return None
    said = _folded(found.literal)
    codes = [m.value for m in column.meanings if said in {_folded(word) for word in m.words}]
    if not said or len(codes) != 1:
        return None
    number = type_family(column.type) == "number" and re.fullmatch(r"-?\d+(\.\d+)?", codes[0])
    return codes[0] if number else "'" + codes[0].replace("'", "''") + "'"


def _as_stored(found: Filter, stored: Sequence[str]) -> str | None:
    """A text that the column holds in another case, number or with other marks: tablets for tablet."""
    same = [value for value in stored if _folded(value) == _folded(found.literal)]
    return same[0] if len(same) == 1 and found.operator in _WHOLE_VALUES else None


def _folded(text: str) -> str:
    """A text without case, marks and plural."""
    return re.sub(r"[\W_]+", "", text.casefold()).removesuffix("s")


def _as_linked(found: Filter, place: Place, question: str, values: Sequence[Mapping[str, Any]]) -> str | None:
    """The value of this column that the question names, where the literal is nearly that and is not said itself."""
    linked = {str(match["value"]) for match in values}
    if found.operator in _PATTERNS or found.literal in linked or _says(question, found.literal):
        return None
    near = difflib.get_close_matches(found.literal, linked, n=1, cutoff=SAME_WORD)
    here = {
        match["value"] for match in values if (match["table"], match["column"]) == (place.table.full_name, place.column)
    }
    return near[0] if here.intersection(near) else None


def _says(question: str, literal: str) -> bool:
    """Whether the question has a text as it is, not as a part of a longer word."""
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(literal.casefold())}(?![a-z0-9])", question.casefold()))
