"""The columns of a table that say when, and the one a question about time most likely means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquery.catalog.key_names import entity_of
from inquery.language.text import fold, has_cjk, name_words, stem, word_set
from inquery.sql import Catalog, Column, Table
from inquery.sql.stored_dates import SEPARATED, stored_date

_DATETIME = re.compile(r"timestamp|datetime|smalldatetime", re.I)
_DATE = re.compile(r"\bdate", re.I)
_TEXT = re.compile(r"char|text|string|^$", re.I)
_WHOLE = re.compile(r"int|number|numeric|decimal", re.I)
_DATED = re.compile(r"^(?:1[89]|20)\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}")
_YEAR_VALUE = re.compile(r"^(?:1[89]|20)\d\d(?:\.0)?$")
_NAMED = re.compile(r"(?:^|_)(?:date|time|datetime|timestamp|day|at|on|dt|ts)$|日期|时间|日$")
_EVENTS = frozenset(
    map(
        stem,
        word_set(
            "created ordered order placed paid happened occurred event transaction sold sale posted issued booked "
            "registered registration signup joined opened launched hired started shipped"
        ),
    )
)
_ASIDE = frozenset(
    map(
        stem,
        word_set(
            "updated modified deleted changed synced loaded etl last expires expiry expired due end ends ended valid "
            "birth born death dob cancelled returned closed approved planned expected scheduled"
        ),
    )
)
_EVENTS_ZH, _ASIDE_ZH = (
    ("创建", "下单", "发生", "交易", "支付", "注册", "入职", "登记"),
    ("更新", "修改", "删除", "到期", "截止", "结束", "出生", "计划", "预计", "失效"),
)


STATED = 10.0
"""More than all that names can say."""


@dataclass(frozen=True, slots=True)
class TimeColumn:
    """A column that says when; `kind` is date, datetime, text or year."""

    name: str
    kind: str
    score: float
    recommended: bool = False


def time_columns(table: Table) -> list[TimeColumn]:
    """Time columns, best first; the first is recommended unless it only tells of something aside, such as a birth.

    Where people said which one dates the rows, that is the first, and no other is near.
    """
    found = [
        TimeColumn(column.name, kind, round(_score(table, column, kind) - 0.01 * place, 3))
        for place, column in enumerate(table.columns)
        if (kind := time_kind(column))
    ]
    found = [replace(each, score=each.score + STATED) if each.name == table.time_column else each for each in found]
    found.sort(key=lambda each: -each.score)
    if found and found[0].score > 0:
        found[0] = TimeColumn(found[0].name, found[0].kind, found[0].score, recommended=True)
    return found


def recommended_time(catalog: Catalog, names: Sequence[str]) -> str:
    """The column a question about time most likely means, as table.column, of the first table that has one."""
    for name in names:
        table = catalog.by_name.get(name)
        found = [each for each in time_columns(table) if each.recommended] if table else []
        if found:
            return f"{name}.{found[0].name}"
    return ""


def time_kind(column: Column) -> str | None:
    """date, datetime, text or year; None for a column that does not say when."""
    words = name_words(column.name)
    if stored := stored_date(column):
        return "date" if (stored.monthly or stored.kind == "day" or stored.kind in SEPARATED) else "datetime"
    if _DATETIME.search(column.type):
        return "datetime"
    if _DATE.search(column.type):
        return "date"
    samples = [sample for sample in column.samples if sample]
    if _TEXT.search(column.type) and samples:
        return "text" if all(_DATED.match(sample) for sample in samples) else None
    named = _NAMED.search("_".join(words)) is not None
    if _TEXT.search(column.type) and named and not samples:
        return "text"
    if (_WHOLE.search(column.type) or column.type.lower() == "year") and (
        words[-1:] == ("year",) or column.name.endswith(("年", "年份"))
    ):
        return "year" if all(_YEAR_VALUE.match(sample) for sample in samples) else None
    return None


def _score(table: Table, column: Column, kind: str) -> float:
    words = {stem(word) for word in name_words(column.name)}
    text = fold(column.name) + " " + fold(column.comment)
    score = 1.0
    score += 2.0 * bool(words & {stem(word) for word in entity_of(table.name)})
    score += 1.5 * (bool(words & _EVENTS) or any(word in text for word in _EVENTS_ZH))
    score -= 2.5 * (bool(words & _ASIDE) or (has_cjk(text) and any(word in text for word in _ASIDE_ZH)))
    score += 0.5 * (len(words) == 1)
    score += 0.3 * (not column.nullable) + 0.2 * (kind in {"date", "datetime"}) - 0.5 * (kind == "year")
    return score
