"""Numbers said as per cent, as the column they are compared with holds them: 20% is 0.2 of a rate from 0 to 1."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from inquery.llm.embedded.prompt import PromptTable
from inquery.sql.catalog import Table

_NUMBER = re.compile(r"-?\d+(\.\d+)?$")


def fractions(shown: Sequence[PromptTable], tables: Sequence[Table]) -> dict[str, bool]:
    """Columns, as a form spells them, that hold fractions (true) or larger numbers (false); others are left out."""
    found = {}
    for spelled, table in zip(shown, tables, strict=True):
        for word, column in zip(spelled.columns, table.columns, strict=True):
            held = [abs(float(sample)) for sample in column.samples if _NUMBER.match(sample)]
            if held and (max(held) > 1 or any(0 < value < 1 for value in held)):
                found[f"{spelled.name}.{word.name}"] = max(held) <= 1
    return found


def scaled(words: Sequence[str], percents: Mapping[str, str], columns: Mapping[str, bool]) -> tuple[str, ...]:
    """The words of a form, its per cents turned to the scale of the column before them; `percents` has 20 → 0.2."""
    whole = {fraction: number for number, fraction in percents.items()}
    made = []
    scale: bool | None = None
    for word in words:
        scale = columns.get(word) if "." in word and not _NUMBER.match(word) else scale
        made.append(word if scale is None else (percents if scale else whole).get(word, word))
    return tuple(made)
