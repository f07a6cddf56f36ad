"""SQL Server's Transact-SQL."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.record import CASTS, DateForms, Dialect, Fence, Members, guard_list


def write_subqueries_as_they_are(base: type[Generator], members: Members) -> None:
    """sqlglot gives every column of a derived table an alias."""
    del members["TRANSFORMS"][exp.Subquery]


DIALECT = Dialect(
    name="tsql",
    notes="SQL Server (T-SQL); use TOP n or OFFSET … FETCH, DATETRUNC(), square brackets around names.",
    quotes=("[", "]"),
    dates=DateForms(
        year="FORMAT({c}, 'yyyy')",
        quarter="CONCAT(DATEPART(YEAR, {c}), '-Q', DATEPART(QUARTER, {c}))",
        month="FORMAT({c}, 'yyyy-MM')",
        week="FORMAT(DATEADD(DAY, -(DATEDIFF(DAY, '19000101', {c}) % 7), {c}), 'yyyy-MM-dd')",
        day="FORMAT({c}, 'yyyy-MM-dd')",
        quarterno="DATEPART(QUARTER, {c})",
        monthno="FORMAT({c}, 'MM')",
        weekday="CAST(DATEDIFF(DAY, '19000107', {c}) % 7 AS VARCHAR)",
        hour="FORMAT({c}, 'HH')",
        days="DATEDIFF(SECOND, {s}, {e}) / 86400.0",
        from_seconds="DATEADD(SECOND, {c}, '1970-01-01')",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=CASTS,
    parser_changes=(),
    writer_changes=(write_subqueries_as_they_are,),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=False, may_be_left_out=False),
    functions=(guard_list("tsql"),),
    aggregate_suffixes=(),
    methods="of columns",
    tables_are_types=False,
    default_schemas=frozenset({"dbo"}),
    exact_columns=False,
    reserved_words=reserved_words.TSQL,
    pseudo_columns=frozenset(),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="never",
    implied_recursion=True,
    dual_keyword=False,
    open_ended_statements=True,
    compares_any_types=False,
    smaller_of=None,
    offset_needs_order=True,
    last_select_is_limited=False,
)
