"""Trino."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.parser import Parser

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.record import CASTS_AND_ILIKE, DateForms, Dialect, Fence, Members, guard_list
from inquery.sql.dialects.typed_literals import read_sized_literals


def read_decimals_as_numbers(base: type[Parser], members: Members) -> None:
    """DECIMAL '1.5' is a number: as CAST('1.5' AS DECIMAL), which sqlglot makes of it, it would be 2."""

    def number(parser: Any, literal: exp.Expr, kind: exp.Expr) -> exp.Expr:
        return exp.Literal.number(literal.name)

    members["TYPE_LITERAL_PARSERS"] = {**base.TYPE_LITERAL_PARSERS, exp.DType.DECIMAL: number}


DIALECT = Dialect(
    name="trino",
    notes="Trino; use date_trunc(), double quotes around names.",
    quotes=('"', '"'),
    dates=DateForms(
        year="DATE_FORMAT({c}, '%Y')",
        quarter="DATE_FORMAT({c}, '%Y') || '-Q' || CAST(QUARTER({c}) AS VARCHAR)",
        month="DATE_FORMAT({c}, '%Y-%m')",
        week="DATE_FORMAT(DATE_TRUNC('week', {c}), '%Y-%m-%d')",
        day="DATE_FORMAT({c}, '%Y-%m-%d')",
        quarterno="QUARTER({c})",
        monthno="DATE_FORMAT({c}, '%m')",
        weekday="CAST(DAY_OF_WEEK({c}) % 7 AS VARCHAR)",
        hour="DATE_FORMAT({c}, '%H')",
        days="DATE_DIFF('second', CAST({s} AS TIMESTAMP), CAST({e} AS TIMESTAMP)) / 86400.0",
        from_seconds="FROM_UNIXTIME({c})",
        text_is_cast=True,
        literal="cast",
    ),
    foreign_words=CASTS_AND_ILIKE,
    parser_changes=(read_decimals_as_numbers, read_sized_literals),
    writer_changes=(),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=False, may_be_left_out=False),
    functions=(guard_list("trino"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset(),
    exact_columns=False,
    reserved_words=reserved_words.KNOWN_TO_WRITER,
    pseudo_columns=frozenset({"current_timezone"}),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="never",
    implied_recursion=False,
    dual_keyword=False,
    open_ended_statements=False,
    compares_any_types=False,
    smaller_of=None,
    offset_needs_order=False,
    last_select_is_limited=False,
)
