"""First and last name as one name: people are called Jane Peacock in sentences and charts, though two columns say so."""

from __future__ import annotations

from collections.abc import Sequence

from inquery.answers.answer import AnswerColumn
from inquery.answers.shape import Rows
from inquery.language.person_names import name_part


def with_whole_names(columns: Sequence[AnswerColumn], rows: Rows) -> tuple[Sequence[AnswerColumn], Rows]:
    """The columns and rows with the last name behind the first, in the place of the first; as they are where there is none."""
    parts = [name_part(column.name) for column in columns]
    if parts.count("first") != 1 or parts.count("last") != 1:
        return columns, rows
    first, last = parts.index("first"), parts.index("last")
    kept = [at for at in range(len(columns)) if at != last]

    def whole(row: Sequence[object]) -> object:
        told = [str(row[at]) for at in (first, last) if row[at] is not None]
        return " ".join(told) if told else None

    return [columns[at] for at in kept], [tuple(whole(row) if at == first else row[at] for at in kept) for row in rows]
