"""Codes of a result in the reader's words, and its columns in a Chinese reader's, as the glossary has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypedDict

from inquery.agents.context import Context, Kept
from inquery.agents.outcomes.rows import check_again
from inquery.agents.questions.connection_glossary import short_names
from inquery.answers.answer import AnswerColumn
from inquery.answers.column_words import word_columns
from inquery.errors import SqlRefused
from inquery.knowledge.glossary import Glossary

_CHINESE = re.compile(r"[\u3400-\u9fff]")


COMMON = {
    "year": "年份", "quarter": "季度", "month": "月份", "week": "周", "day": "日期", "date": "日期", "count": "数量", "n": "数量",
    "total": "合计", "amount": "金额", "average": "平均值", "share": "占比",
}  # fmt: skip


class Labels(TypedDict, total=False):
    """Names for all columns, and by a column's place the words for its codes; blank where a result needs none."""

    names: list[str]
    words: dict[str, dict[str, str]]


def labels_of(kept: Kept, context: Context, language: str) -> Labels:
    """`names` for the columns, and `words` for the values of each column that is a code; English keeps the names."""
    try:
        statement = check_again(context, kept.sql)
    except SqlRefused:
        return {}
    glossary, tables = context.here.glossary, [".".join(path) for path in statement.tables]
    # By the statement, not by the name: a plan calls the column of codes 大区 already.
    seen, read = context.here.seen(context.rules), context.statement_of(kept.sql)
    worded = word_columns(kept.columns, kept.rows, read, glossary, seen, language)
    words = {str(place): column.words for place, column in enumerate(worded) if column.words}
    if language != "zh":
        return {"names": [column.name for column in kept.columns], "words": words} if words else {}
    named = short_names(glossary, language)
    names: list[str] = []
    for column in kept.columns:
        origin = next((f"{table}.{column.name}" for table in tables if f"{table}.{column.name}" in named), "")
        name = column.name.casefold()
        names.append(_metric(glossary, name) or named.get(origin) or named.get(name) or COMMON.get(name) or column.name)
    return {"names": names, "words": words}


def shown_columns(kept: Kept, context: Context, language: str, question: str) -> list[AnswerColumn]:
    """The columns with how their numbers are shown, as in answers; their names are what a template refers to."""
    seen, read = context.here.seen(context.rules), context.statement_of(kept.sql)
    worded = word_columns(kept.columns, kept.rows, read, context.here.glossary, seen, language, question)
    return [
        column.model_copy(update={"format": told.format, "unit": told.unit})
        for column, told in zip(kept.columns, worded, strict=True)
    ]


def _metric(glossary: Glossary, name: str) -> str:
    known = glossary.metrics.get(name)
    return next((word for word in known.synonyms if _CHINESE.search(word)), "") if known else ""


def labelled(columns: Sequence[Any], rows: Sequence[Sequence[Any]], labels: Labels) -> tuple[Any, Any]:
    """Columns and rows with their labels in place."""
    if not labels:
        return tuple(columns), rows
    words = {int(place): mapped for place, mapped in labels["words"].items()}
    made = tuple(c.model_copy(update={"name": name}) for c, name in zip(columns, labels["names"], strict=True))
    return made, [tuple(words.get(place, {}).get(str(cell), cell) for place, cell in enumerate(row)) for row in rows]
