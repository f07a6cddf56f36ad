"""Parts of dates that were worked out as numbers, in words: Q3 for 3, Sunday for 0, 20:00 for 20."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from inquery.sql.statement import Statement

QUARTERS = frozenset({"quarter", "季度"})
WEEKDAYS = frozenset({"weekday", "day_of_week", "dayofweek", "dow", "week_day", "星期", "星期几", "周几"})
HOURS = frozenset({"hour", "hour_of_day", "小时", "时段"})

# From Sunday as 0 and from Monday as 1 agree on every number: only 0 and 7 are the same day.
_DAYS = (
    "Sunday 周日", "Monday 周一", "Tuesday 周二", "Wednesday 周三", "Thursday 周四", "Friday 周五", "Saturday 周六", "Sunday 周日",
)  # fmt: skip
_SUNDAY_IS_NOUGHT = frozenset({"DOW", "ISODOW", "DAYOFWEEKISO", "DAYOFWEEK_ISO", "DOW_ISO"})


def date_part_words(
    name: str, item: exp.Expr | None, statement: Statement | None, cells: Sequence[object], language: str
) -> tuple[str, dict[str, str]]:
    """What a column that holds parts of dates is called, empty for its own name, and what its numbers stand for.

    Nothing is told of any other column, nor where it is not sure with which day the week begins.
    """
    called, held = name.casefold(), {str(cell) for cell in cells if cell is not None}
    if called in QUARTERS and held <= set("1234"):
        return "", {number: f"第{number}季度" if language == "zh" else f"Q{number}" for number in "1234"}
    if held <= set("01234567") and (_is_weekday(item) or (called in WEEKDAYS and _counts_days(statement))):
        words = {str(day): both.split()[language == "zh"] for day, both in enumerate(_DAYS)}
        return "星期" if language == "zh" else "weekday", words
    if called in HOURS and all(text.isdecimal() and len(text) <= 2 and int(text) < 24 for text in held):
        return "", {text: f"{int(text)}时" if language == "zh" else f"{int(text):02d}:00" for text in held}
    return "", {}


def goes_round(name: str) -> bool:
    """Whether a column's values come again every day or week: from midnight to eleven at night nothing has grown."""
    return name.casefold() in WEEKDAYS | HOURS


def _is_weekday(item: exp.Expr | None) -> bool:
    """Whether an expression is a day of the week, and nothing is worked out from it but whole weeks."""
    while isinstance(item, exp.Cast | exp.Paren) and isinstance(item.this, exp.Expr):
        item = item.this
    if isinstance(item, exp.Mod) and item.expression.name == "7":
        return _is_weekday(item.this)
    return item is not None and _tells_day(item)


def _tells_day(node: exp.Expr) -> bool:
    if isinstance(node, exp.TimeToStr):
        return node.text("format") == "%w"
    if isinstance(node, exp.Extract):
        return node.name.upper() in _SUNDAY_IS_NOUGHT
    return isinstance(node, exp.DayOfWeekIso)


def _counts_days(statement: Statement | None) -> bool:
    """Whether a statement takes days of the week somewhere, all in a way whose first day is known."""
    if statement is None:
        return False
    others = any(
        isinstance(node, exp.DayOfWeek) or (isinstance(node, exp.Anonymous) and node.name.casefold() == "weekday")
        for node in statement.tree.find_all(exp.DayOfWeek, exp.Anonymous)
    )
    return not others and any(_tells_day(node) for node in statement.tree.walk())
