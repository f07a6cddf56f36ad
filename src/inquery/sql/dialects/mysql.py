"""MySQL and MariaDB."""

from __future__ import annotations

from typing import Any, cast

from sqlglot import exp
from sqlglot.generator import Generator

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.intervals import write_plain_intervals
from inquery.sql.dialects.record import CASTS_AND_ILIKE, DateForms, Dialect, Fence, Members, guard_list


def write_words_of_mariadb(base: type[Generator], members: Members) -> None:
    """MariaDB has no REGEXP_LIKE, and its own words for time travel; sqlglot would write FOR TIMESTAMP."""

    def regexp(self: Any, expression: exp.Expr) -> str:
        return cast(str, self.binary(expression, "REGEXP"))

    def version(self: Any, expression: exp.Version) -> str:
        return f"FOR SYSTEM_TIME {expression.text('kind')} {self.sql(expression, 'expression')}"

    members["TRANSFORMS"][exp.RegexpLike] = regexp
    members["version_sql"] = version


DIALECT = Dialect(
    name="mysql",
    notes="MySQL or MariaDB; use DATE_FORMAT(); quote names with backticks; no FULL JOIN.",
    quotes=("`", "`"),
    dates=DateForms(
        year="DATE_FORMAT({c}, '%Y')",
        quarter="CONCAT(YEAR({c}), '-Q', QUARTER({c}))",
        month="DATE_FORMAT({c}, '%Y-%m')",
        week="DATE_FORMAT(DATE_SUB({c}, INTERVAL WEEKDAY({c}) DAY), '%Y-%m-%d')",
        day="DATE_FORMAT({c}, '%Y-%m-%d')",
        quarterno="QUARTER({c})",
        monthno="DATE_FORMAT({c}, '%m')",
        weekday="DATE_FORMAT({c}, '%w')",
        hour="DATE_FORMAT({c}, '%H')",
        days="TIMESTAMPDIFF(SECOND, {s}, {e}) / 86400.0",
        from_seconds="DATE_ADD('1970-01-01', INTERVAL {c} SECOND)",
        text_is_cast=False,
        literal="text",
    ),
    foreign_words=CASTS_AND_ILIKE,
    parser_changes=(),
    writer_changes=(write_words_of_mariadb, write_plain_intervals),
    fence=Fence(clause="limit", rows=2**64 - 1, proven=True, may_be_left_out=True),
    functions=(guard_list("mysql"),),
    aggregate_suffixes=(),
    methods="none",
    tables_are_types=False,
    default_schemas=frozenset(),
    exact_columns=False,
    reserved_words=reserved_words.KNOWN_TO_WRITER,
    pseudo_columns=frozenset({"sysdate", "utc_date", "utc_time", "utc_timestamp"}),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="never",
    implied_recursion=False,
    dual_keyword=True,
    open_ended_statements=False,
    compares_any_types=True,
    smaller_of=None,
    offset_needs_order=False,
    last_select_is_limited=False,
)
