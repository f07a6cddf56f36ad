"""Whether a result has the shape that its placeholder asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from inquery.agents.state_types import Fault, make_fault
from inquery.answers.answer import AnswerColumn
from inquery.answers.formats import as_number
from inquery.errors import Text
from inquery.reports.goals import Goal

_SHARE = re.compile(r"\b(share|rate|ratio|percent\w*|proportion)\b|率|占比|比例|份额|百分比", re.I)
_NUMBERS = frozenset({"currency", "percent", "number", "integer", "decimals", "unit"})
MOST_PERCENT = 10.0


def unlikely(goal: Goal, columns: Sequence[AnswerColumn], rows: Sequence[Sequence[Any]], sql: str) -> Fault | None:
    """A result that does not fit the way it is shown: a text as money, 45.3 as a percentage, a chart of one column."""
    found = wrong_shape(goal.shape, columns, rows, sql)
    if found is not None or not rows:
        return found
    if goal.shape == "value":
        cell = single_cell(columns, rows)
        return _wrong_number(goal, cell[1], sql) if cell and cell[1] is not None and goal.hints & _NUMBERS else None
    numbers = any(as_number(cell) is not None for row in rows for cell in row)
    if "chart" in goal.hints and (len(columns) < 2 or not numbers):
        reason = Text("a chart needs a name and a number for each row", "图表的每一行需要名称和数值")
        return make_fault("wrong_shape", reason, sql=sql, suggestions=["select the name and the number of each group"])
    return None


def _wrong_number(goal: Goal, value: Any, sql: str) -> Fault | None:
    number = as_number(value)
    if number is None:
        reason = Text(f"a number was asked for, and “{str(value)[:40]}” came", f"需要数值，却得到“{str(value)[:40]}”")
        return make_fault("wrong_shape", reason, sql=sql, suggestions=["return one number"])
    most = 1.0 if _SHARE.search(goal.question) else MOST_PERCENT
    if "percent" in goal.hints and abs(number) > most + 1e-6:
        reason = Text(f"{number:g} is no fraction to show as a percentage", f"{number:g} 不是可显示为百分比的比例")
        return make_fault("wrong_shape", reason, sql=sql, suggestions=["return a fraction: 0.25 for 25%"])
    return None


def wrong_shape(shape: str, columns: Sequence[AnswerColumn], rows: Sequence[Sequence[Any]], sql: str) -> Fault | None:
    """A single value must be one row with one value; rows must have a column."""
    if shape != "value" or not rows:
        return None
    if len(rows) > 1:
        reason = Text(f"a single value was asked for and {len(rows)} rows came", f"需要单个数值，却得到 {len(rows)} 行")
        return make_fault(
            "wrong_shape", reason, sql=sql, suggestions=["return one row with one number: aggregate without GROUP BY"]
        )
    if len(columns) > 1 and single_cell(columns, rows) is None:
        reason = Text(
            f"a single value was asked for and {len(columns)} columns came", f"需要单个数值，却得到 {len(columns)} 列"
        )
        return make_fault("wrong_shape", reason, sql=sql, suggestions=["select one column"])
    return None


def single_cell(columns: Sequence[AnswerColumn], rows: Sequence[Sequence[Any]]) -> tuple[int, Any] | None:
    """The one value of a row: its only column, or its only number."""
    if not rows:
        return None
    if len(columns) == 1:
        return 0, rows[0][0]
    numbers = [(place, cell) for place, cell in enumerate(rows[0]) if as_number(cell) is not None]
    return numbers[0] if len(numbers) == 1 else None
