"""ClickHouse."""

from __future__ import annotations

from typing import Any, cast

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.intervals import write_plain_intervals
from inquery.sql.dialects.record import DateForms, Dialect, Fence, Members, guard_list


def read_parameters_of_aggregates(base: type[Parser], members: Members) -> None:
    """f(a)(b) is an aggregate function with parameters, also where sqlglot does not know f."""

    def parse_function(self: Any, *args: Any, **options: Any) -> exp.Expr | None:
        call = base._parse_function(self, *args, **options)
        if not isinstance(call, exp.Anonymous) or self._curr.token_type is not TokenType.L_PAREN:
            return call
        made = exp.ParameterizedAgg(this=call.this, expressions=call.expressions, params=self._parse_func_params(call))
        return cast(exp.Expr, self._parse_window(made))

    members["_parse_function"] = parse_function


def read_two_limits(base: type[Parser], members: Members) -> None:
    """There are two limits: LIMIT n BY columns, then LIMIT n."""

    def parse_limit(parser: Any) -> tuple[str, exp.Expr | None]:
        limit = parser._parse_limit()
        if limit is not None and limit.expressions:
            return "limit_by", limit
        return "limit", limit

    members["QUERY_MODIFIER_PARSERS"] = {**base.QUERY_MODIFIER_PARSERS, TokenType.LIMIT: parse_limit}


def write_two_limits(base: type[Generator], members: Members) -> None:
    """The other way."""

    def offset_limit_modifiers(self: Any, expression: exp.Expr, fetch: bool, limit: Any) -> list[str]:
        return [self.sql(expression, "limit_by"), *base.offset_limit_modifiers(self, expression, fetch, limit)]

    members["offset_limit_modifiers"] = offset_limit_modifiers


COMBINATORS = """
if array map state merge mergestate foreach distinct ordefault ornull resample simplestate argmin argmax respectnulls
"""

DIALECT = Dialect(
    name="clickhouse",
    notes="ClickHouse; use toStartOfMonth() and its like, countIf(); joins need explicit ON.",
    quotes=('"', '"'),
    dates=DateForms(
        year="formatDateTime({c}, '%Y')",
        quarter="concat(toString(toYear({c})), '-Q', toString(toQuarter({c})))",
        month="formatDateTime({c}, '%Y-%m')",
        week="toString(toMonday({c}))",
        day="formatDateTime({c}, '%Y-%m-%d')",
        quarterno="toQuarter({c})",
        monthno="formatDateTime({c}, '%m')",
        weekday="formatDateTime({c}, '%w')",
        hour="formatDateTime({c}, '%H')",
        days="dateDiff('second', toDateTime({s}), toDateTime({e})) / 86400.0",
        from_seconds="toDateTime({c}, 'UTC')",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=frozenset(),
    parser_changes=(read_parameters_of_aggregates, read_two_limits),
    writer_changes=(write_two_limits, write_plain_intervals),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=True, may_be_left_out=False),
    functions=(guard_list("clickhouse"),),
    aggregate_suffixes=tuple(COMBINATORS.split()),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset({"default"}),
    exact_columns=True,
    reserved_words=reserved_words.CLICKHOUSE,
    pseudo_columns=frozenset({"inf", "nan"}),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=True,
    first_of_same_names=True,
    in_reads_table="unless a column",
    implied_recursion=False,
    dual_keyword=False,
    open_ended_statements=False,
    compares_any_types=False,
    smaller_of="least",
    offset_needs_order=False,
    last_select_is_limited=True,
)
