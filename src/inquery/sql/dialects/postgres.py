"""PostgreSQL."""

from __future__ import annotations

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.json_syntax import read_json_query, write_json_query
from inquery.sql.dialects.record import DateForms, Dialect, Fence, guard_list
from inquery.sql.dialects.typed_literals import read_unbounded_literals

DIALECT = Dialect(
    name="postgres",
    notes="PostgreSQL; use date_trunc() and interval; quote mixed-case names with double quotes.",
    quotes=('"', '"'),
    dates=DateForms(
        year="TO_CHAR({c}, 'YYYY')",
        quarter="TO_CHAR({c}, 'YYYY-\"Q\"Q')",
        month="TO_CHAR({c}, 'YYYY-MM')",
        week="TO_CHAR(DATE_TRUNC('week', {c}), 'YYYY-MM-DD')",
        day="TO_CHAR({c}, 'YYYY-MM-DD')",
        quarterno="CAST(EXTRACT(QUARTER FROM {c}) AS INT)",
        monthno="TO_CHAR({c}, 'MM')",
        weekday="CAST(EXTRACT(DOW FROM {c}) AS TEXT)",
        hour="TO_CHAR({c}, 'HH24')",
        days="EXTRACT(EPOCH FROM (CAST({e} AS TIMESTAMP) - CAST({s} AS TIMESTAMP))) / 86400.0",
        from_seconds="TIMESTAMP '1970-01-01' + {c} * INTERVAL '1 second'",
        text_is_cast=True,
        literal="text",
    ),
    foreign_words=frozenset(),
    parser_changes=(read_json_query, read_unbounded_literals),
    writer_changes=(write_json_query,),
    fence=Fence(clause="offset", rows=0, proven=True, may_be_left_out=True, matching_fails=True),
    functions=(guard_list("postgres"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=True,
    default_schemas=frozenset({"public"}),
    exact_columns=True,
    reserved_words=reserved_words.POSTGRES,
    pseudo_columns=frozenset(),
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
