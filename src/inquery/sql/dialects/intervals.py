"""INTERVAL 1 DAY, where an engine takes a number and sqlglot would write a text."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator

from inquery.sql.dialects.record import Members


def write_plain_intervals(base: type[Generator], members: Members) -> None:
    """A whole number stays a number."""

    def interval_sql(self: Any, expression: exp.Interval) -> str:
        value = expression.this
        if isinstance(value, exp.Literal) and value.is_string and value.name.lstrip("-").isdigit():
            expression = expression.copy()
            expression.set("this", exp.Literal.number(value.name))
        return base.interval_sql(self, expression)

    members["interval_sql"] = interval_sql
