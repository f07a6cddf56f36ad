"""DuckDB."""

from __future__ import annotations

from typing import Any, cast

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.record import DateForms, Dialect, Fence, Members, guard_list
from inquery.sql.interpreted import interpreted


def read_modifiers_of_pivots(base: type[Parser], members: Members) -> None:
    """PIVOT ... ORDER BY x LIMIT n, which sqlglot does not read, is a query over the PIVOT."""

    def parse_pivot(self: Any, is_unpivot: bool | None = None) -> exp.Expr:
        pivot = base._parse_simplified_pivot(self, is_unpivot)
        if self._curr.token_type not in (TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET):
            return pivot
        around = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Subquery(this=pivot)))
        return cast(exp.Expr, self._parse_query_modifiers(around))

    members["_parse_simplified_pivot"] = parse_pivot


def write_aggregates_as_they_are(base: type[Generator], members: Members) -> None:
    """sqlglot places WITHIN GROUP and IGNORE NULLS by the function's class, which the guard's parser leaves out."""
    plain = interpreted(Generator)
    members["withingroup_sql"] = plain.withingroup_sql
    members["ignorenulls_sql"] = plain.ignorenulls_sql
    members["respectnulls_sql"] = plain.respectnulls_sql


DIALECT = Dialect(
    name="duckdb",
    notes="DuckDB; use date_trunc() and interval.",
    quotes=('"', '"'),
    dates=DateForms(
        year="STRFTIME({c}, '%Y')",
        quarter="STRFTIME({c}, '%Y') || '-Q' || QUARTER({c})",
        month="STRFTIME({c}, '%Y-%m')",
        week="STRFTIME(DATE_TRUNC('week', {c}), '%Y-%m-%d')",
        day="STRFTIME({c}, '%Y-%m-%d')",
        quarterno="QUARTER({c})",
        monthno="STRFTIME({c}, '%m')",
        weekday="STRFTIME({c}, '%w')",
        hour="STRFTIME({c}, '%H')",
        days="DATE_DIFF('second', CAST({s} AS TIMESTAMP), CAST({e} AS TIMESTAMP)) / 86400.0",
        from_seconds="MAKE_TIMESTAMP(CAST({c} AS BIGINT) * 1000000)",
        text_is_cast=True,
        literal="text",
    ),
    foreign_words=frozenset(),
    parser_changes=(read_modifiers_of_pivots,),
    writer_changes=(write_aggregates_as_they_are,),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=True, may_be_left_out=False),
    functions=(guard_list("duckdb"),),
    aggregate_suffixes=(),
    methods="of columns",
    tables_are_types=False,
    default_schemas=frozenset({"main", "memory"}),
    exact_columns=False,
    reserved_words=reserved_words.KNOWN_TO_WRITER,
    pseudo_columns=frozenset({"current_date", "current_time", "current_timestamp", "rowid"}),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=True,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="never",
    implied_recursion=False,
    dual_keyword=False,
    open_ended_statements=False,
    compares_any_types=False,
    smaller_of="LEAST",
    offset_needs_order=False,
    last_select_is_limited=False,
)
