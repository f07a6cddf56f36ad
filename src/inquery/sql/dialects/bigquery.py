"""BigQuery."""

from __future__ import annotations

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.intervals import write_plain_intervals
from inquery.sql.dialects.record import CASTS_AND_ILIKE, DateForms, Dialect, Fence, guard_list

DIALECT = Dialect(
    name="bigquery",
    notes="BigQuery standard SQL; quote names with backticks; use DATE_TRUNC(x, MONTH).",
    quotes=("`", "`"),
    dates=DateForms(
        year="FORMAT_TIMESTAMP('%Y', CAST({c} AS TIMESTAMP))",
        quarter="FORMAT_TIMESTAMP('%Y-Q%Q', CAST({c} AS TIMESTAMP))",
        month="FORMAT_TIMESTAMP('%Y-%m', CAST({c} AS TIMESTAMP))",
        week="FORMAT_DATE('%Y-%m-%d', DATE_TRUNC(CAST({c} AS DATE), WEEK(MONDAY)))",
        day="FORMAT_TIMESTAMP('%Y-%m-%d', CAST({c} AS TIMESTAMP))",
        quarterno="EXTRACT(QUARTER FROM {c})",
        monthno="FORMAT_TIMESTAMP('%m', CAST({c} AS TIMESTAMP))",
        weekday="FORMAT_TIMESTAMP('%w', CAST({c} AS TIMESTAMP))",
        hour="FORMAT_TIMESTAMP('%H', CAST({c} AS TIMESTAMP))",
        days="TIMESTAMP_DIFF(CAST({e} AS TIMESTAMP), CAST({s} AS TIMESTAMP), SECOND) / 86400.0",
        from_seconds="TIMESTAMP_SECONDS(CAST({c} AS INT64))",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=CASTS_AND_ILIKE,
    parser_changes=(),
    writer_changes=(write_plain_intervals,),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=False, may_be_left_out=False),
    functions=(guard_list("bigquery"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset(),
    exact_columns=False,
    reserved_words=reserved_words.KNOWN_TO_WRITER,
    pseudo_columns=frozenset({"_partitiondate", "_partitiontime"}),
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
    smaller_of=None,
    offset_needs_order=False,
    last_select_is_limited=False,
)
