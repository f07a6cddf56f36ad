"""Snowflake."""

from __future__ import annotations

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.record import DateForms, Dialect, Fence, guard_list

DIALECT = Dialect(
    name="snowflake",
    notes="Snowflake; unquoted names are upper case; use date_trunc(), dateadd().",
    quotes=('"', '"'),
    dates=DateForms(
        year="TO_CHAR({c}, 'YYYY')",
        quarter="CONCAT(TO_CHAR({c}, 'YYYY'), '-Q', DATE_PART(QUARTER, {c}))",
        month="TO_CHAR({c}, 'YYYY-MM')",
        week="TO_CHAR(DATE_TRUNC('WEEK', {c}), 'YYYY-MM-DD')",
        day="TO_CHAR({c}, 'YYYY-MM-DD')",
        quarterno="DATE_PART(QUARTER, {c})",
        monthno="TO_CHAR({c}, 'MM')",
        weekday="CAST(DATE_PART(DAYOFWEEK, {c}) AS VARCHAR)",
        hour="TO_CHAR({c}, 'HH24')",
        days="TIMESTAMPDIFF(SECOND, {s}, {e}) / 86400.0",
        from_seconds="TO_TIMESTAMP({c})",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=frozenset(),
    parser_changes=(),
    writer_changes=(),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=False, may_be_left_out=False),
    functions=(guard_list("snowflake"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset({"public"}),
    exact_columns=True,
    reserved_words=reserved_words.SNOWFLAKE,
    pseudo_columns=frozenset({"current_date", "current_timestamp", "level", "localtimestamp", "sysdate"}),
    quoted_texts=False,
    dollar_columns=True,
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
