"""Periods: kept to the day, by the column that says when."""

from __future__ import annotations

import datetime
import re

from sqlglot import exp

from inquery.agents.questions.spans import period_warnings
from inquery.agents.state_types import FoundPeriod
from inquery.agents.statements.numeric_date_terms import days_as_written
from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import column_names, stems
from inquery.catalog.time_columns import time_columns, time_kind
from inquery.errors import Text
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.language.text import name_stems
from inquery.sql.statement import Filter, Place, Statement, read_statement

_NOW = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime, exp.CurrentDatetime)
_SAID_NOW = re.compile(r"'now'|\b(now|today|sysdate|getdate|curdate|current_date|current_timestamp)\b", re.I)


def named_period(statement: Statement, claims: Claims) -> Breach | None:
    """The period that was asked for is in the statement: a sum over all time looks just as good."""
    statement = _with_days(statement, claims)
    today, open_end = claims.today.isoformat(), datetime.date.max.isoformat()
    # What is not over yet may be left open, and spring of 2025 says more than 2025.
    outer = [p for p in claims.periods if not any(_is_within(other, p) for other in claims.periods)]
    asked_for = [p if p["end"] <= today else p | {"end": open_end} for p in outer]
    if not asked_for:
        return None
    if not _is_dated(statement):
        asked = asked_for[0]["text"]
        reason = Text(f"the statement does not filter by “{asked}”", f"语句没有按“{asked}”筛选")
    elif warned := period_warnings(statement.text, asked_for, "en"):
        reason = Text(warned[0], period_warnings(statement.text, asked_for, "zh")[0])
    else:
        return None
    column = claims.time_column or "the time column"
    wanted = "; ".join(f"filter {column} from {p['start']} to before {p['end']}" for p in claims.periods)
    return Breach("wrong_period", reason, wanted)


def _with_days(statement: Statement, claims: Claims) -> Statement:
    """The statement with its days as they are written, where columns keep them as numbers or with slashes."""
    text = days_as_written(statement.text, claims.catalog)
    return statement if text == statement.text else read_statement(text, claims.catalog) or statement


def _is_within(inner: FoundPeriod, outer: FoundPeriod) -> bool:
    return (inner["start"], inner["end"]) != (outer["start"], outer["end"]) and (
        outer["start"] <= inner["start"] and inner["end"] <= outer["end"]
    )


def _is_dated(statement: Statement) -> bool:
    """Whether a statement speaks of time at all: a date, a year, or the database's own today."""
    if _SAID_NOW.search(statement.text) or re.search(r"\b(19|20)\d{2}\b", statement.text):
        return True
    return statement.tree.find(*_NOW) is not None


def kept_period(statement: Statement, claims: Claims) -> Breach | None:
    """A period is kept to its last hour and not a day more, by the column that says when."""
    statement = _with_days(statement, claims)
    for period in claims.periods:
        start, end = (datetime.date.fromisoformat(period[key]) for key in ("start", "end"))
        for each in statement.filters():
            if (why := _off_by_one(each, start, end)) is not None:
                column = each.place.name if each.place else "the time column"
                return Breach("wrong_period", why, f"filter {column} >= '{start}' and < '{end}'")
        if (
            start > OPEN_START
            and end <= claims.today
            and end < OPEN_END
            and (why := _open_side(statement, start, end)) is not None
        ):
            return Breach("wrong_period", why, f"filter from '{start}' to before '{end}'")
    return None


def right_time_column(statement: Statement, claims: Claims) -> Breach | None:
    """A period is kept by the time that the rows are dated by, unless another was named."""
    for period in claims.periods:
        start, end = (datetime.date.fromisoformat(period[key]) for key in ("start", "end"))
        for each in statement.filters():
            if (other := _other_time(each, start, end, claims)) is not None:
                return other
    return None


def _open_side(statement: Statement, start: datetime.date, end: datetime.date) -> Text | None:
    """One border of a period that is over, without the other."""
    last = end - datetime.timedelta(1)
    found = [each for each in statement.filters() if each.operator in {"GTE", "GT", "LT", "LTE"}]
    low = any(each.literal[:10] == start.isoformat() and each.operator in {"GTE", "GT"} for each in found)
    high = any(
        each.literal[:10] in {end.isoformat(), last.isoformat()} and each.operator in {"LT", "LTE"} for each in found
    )
    if low == high:
        return None
    missing = end if low else start
    return Text(f"the period is open at {missing}", f"时间范围在 {missing} 一侧没有限定")


def _off_by_one(each: Filter, start: datetime.date, end: datetime.date) -> Text | None:
    day = each.literal[:10]
    whole = len(each.literal) == 10
    if day == end.isoformat() and (each.operator == "LTE" or each.last):
        return Text(f"{day} is the day after the period", f"{day} 已在所需时间之后")
    if day == start.isoformat() and each.operator == "GT" and whole:
        return Text(f"the first day, {day}, is left out", f"漏掉了第一天 {day}")
    last = end - datetime.timedelta(1) if end > datetime.date.min else end
    if day == last.isoformat() and each.operator == "LT" and whole and last > start:
        return Text(f"the last day, {day}, is left out", f"漏掉了最后一天 {day}")
    timed = (
        each.place is not None
        and (column := each.place.table.column(each.place.column)) is not None
        and time_kind(column) == "datetime"
    )
    if timed and whole and day == last.isoformat() and (each.operator == "LTE" or each.last):
        return Text(f"the hours of the last day, {day}, are left out", f"漏掉了最后一天 {day} 的部分时间")
    return None


def _other_time(each: Filter, start: datetime.date, end: datetime.date, claims: Claims) -> Breach | None:
    """A column aside, such as one of updates, in place of the table's own time, though nobody named it."""
    if each.place is None or each.literal[:10] not in {start.isoformat(), end.isoformat()}:
        return None
    known = time_columns(each.place.table)
    best = next((column.name for column in known if column.recommended), "")
    if not best or each.place.column == best or _fits_question(each.place, claims):
        return None
    wanted = f"{each.place.table.full_name}.{best}"
    used, other = claims.called(each.place), claims.called(Place(each.place.table, best))
    reason = Text(
        f"the period is one of {used.en}, and {other.en} may be meant",
        f"时间按{used.zh}筛选，而所指的可能是{other.zh}",
    )
    # Names alone say which column is meant: of real systems the rule is wrong more often than right.
    return Breach("wrong_time_column", reason, f"filter {wanted}", sure=False)


def _fits_question(place: Place, claims: Claims) -> bool:
    if {word[:4] for word in name_stems(place.column)} & {word[:4] for word in stems(claims.question)}:
        return True
    words = [part for name in column_names(place, claims.glossary) for part in re.findall(r"[\u4e00-\u9fff]+", name)]
    pairs = {word[at : at + 2] for word in words for at in range(len(word) - 1)} - {"时间", "日期"}
    return any(pair in claims.question for pair in pairs)


_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?")
"""No year, no day written as digits, no count of seconds: nothing that a moment could be."""


def dates_as_dates(statement: Statement, claims: Claims) -> Breach | None:
    """A moment is not compared with a bare number: 9 is an hour of it, and before 9 there is none or all of them."""
    for each in statement.filters():
        column = each.place.table.column(each.place.column) if each.place else None
        if each.place is None or column is None or not each.bare or each.is_text or not _NUMBER.fullmatch(each.literal):
            continue
        if time_kind(column) in {"date", "datetime"} and not re.search(r"int|num|dec|real|float", column.type, re.I):
            called = claims.called(each.place)
            reason = Text(
                f"{called.en} is a date and is compared with {each.literal}",
                f"{called.zh}是日期，却与 {each.literal} 比较",
            )
            return Breach(
                "odd_comparison", reason, f"take the hour, day or year of {column.name}, or compare with a date"
            )
    return None
