"""SQLite."""

from __future__ import annotations

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.record import CASTS_AND_ILIKE, DateForms, Dialect, Fence, guard_list

DIALECT = Dialect(
    name="sqlite",
    notes="SQLite; dates are text in ISO form, use strftime() and date(); no FULL JOIN before 3.39;"
    " 1.0 * a / b for ratios.",
    quotes=('"', '"'),
    dates=DateForms(
        year="STRFTIME('%Y', {c})",
        quarter="STRFTIME('%Y', {c}) || '-Q' || ((CAST(STRFTIME('%m', {c}) AS INTEGER) + 2) / 3)",
        month="STRFTIME('%Y-%m', {c})",
        week="DATE({c}, 'weekday 0', '-6 days')",
        day="STRFTIME('%Y-%m-%d', {c})",
        quarterno="(CAST(STRFTIME('%m', {c}) AS INTEGER) + 2) / 3",
        monthno="STRFTIME('%m', {c})",
        weekday="STRFTIME('%w', {c})",
        hour="STRFTIME('%H', {c})",
        days="JULIANDAY({e}) - JULIANDAY({s})",
        from_seconds="DATETIME({c}, 'unixepoch')",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=CASTS_AND_ILIKE,
    parser_changes=(),
    writer_changes=(),
    fence=Fence(clause="limit", rows=-1, proven=True, may_be_left_out=True),
    functions=(guard_list("sqlite"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset({"main"}),
    exact_columns=False,
    reserved_words=reserved_words.SQLITE,
    pseudo_columns=frozenset({"_rowid_", "oid", "rank", "rowid"}),
    quoted_texts=True,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="always",
    implied_recursion=True,
    dual_keyword=False,
    open_ended_statements=False,
    compares_any_types=True,
    smaller_of="MIN",
    offset_needs_order=False,
    last_select_is_limited=False,
)
