"""Oracle."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects import reserved_words
from inquery.sql.dialects.json_syntax import read_json_query, write_json_query
from inquery.sql.dialects.record import CASTS_AND_ILIKE, DateForms, Dialect, Fence, Members, guard_list


def write_words_of_old_releases(base: type[Generator], members: Members) -> None:
    """What has always been there: MINUS (EXCEPT came with release 21), VALUE in JSON (a colon with 19), APPLY."""

    def set_operation(self: Any, expression: exp.SetOperation) -> str:
        return base.set_operation(self, expression).replace("EXCEPT", "MINUS", 1)

    members |= {"set_operation": set_operation, "lateral_sql": _write_lateral, "JSON_KEY_VALUE_PAIR_SEP": " VALUE"}


def _write_lateral(self: Any, expression: exp.Lateral) -> str:
    """Oracle has APPLY itself, and no AS before the alias of a table."""
    words: dict[object, str] = {True: " CROSS APPLY", False: " OUTER APPLY"}
    word = words.get(expression.args.get("cross_apply"), "LATERAL")
    alias = self.sql(expression, "alias")
    return f"{word} {self.sql(expression, 'this')}{f' {alias}' if alias else ''}"


CONVERSIONS = """
TO_NUMBER TO_DATE TO_TIMESTAMP TO_TIMESTAMP_TZ TO_BINARY_DOUBLE TO_BINARY_FLOAT TO_DSINTERVAL TO_YMINTERVAL
"""


def read_conversion_defaults(base: type[Parser], members: Members) -> None:
    """TO_NUMBER(x DEFAULT 0 ON CONVERSION ERROR), which sqlglot does not read; of a CAST with a format it would lose the default."""

    def parse_cast(self: Any, strict: bool, safe: bool | None = None) -> exp.Expr:
        first = self._index
        cast = base._parse_cast(self, strict, safe)
        words = {token.text.upper() for token in self._tokens[first : self._index]}
        if isinstance(cast, exp.StrToDate | exp.StrToTime) and "CONVERSION" in words:
            self.raise_error("DEFAULT beside a format")
        return cast

    members["_parse_cast"] = parse_cast
    members["FUNCTION_PARSERS"] |= dict.fromkeys(CONVERSIONS.split(), _parse_conversion)


def _parse_conversion(parser: Any) -> exp.Expr:
    """TO_NUMBER(text [DEFAULT value ON CONVERSION ERROR] [, format [, parameter]])."""
    made = exp.Anonymous(this=parser._tokens[parser._index - 2].text)
    arguments = [parser._parse_disjunction()]
    if parser._match(TokenType.DEFAULT):
        made.set("conversion_default", parser._parse_bitwise())
        if not parser._match_text_seq("ON", "CONVERSION", "ERROR"):
            parser.raise_error("Expecting ON CONVERSION ERROR")
    if parser._match(TokenType.COMMA):
        arguments += parser._parse_csv(parser._parse_disjunction)
    made.set("expressions", [argument for argument in arguments if argument is not None])
    return made


def write_conversion_defaults(base: type[Generator], members: Members) -> None:
    """The other way."""

    def anonymous_sql(self: Any, expression: exp.Anonymous) -> str:
        default = self.sql(expression, "conversion_default")
        if not default:
            return base.anonymous_sql(self, expression)
        first, *others = (self.sql(argument) for argument in expression.expressions)
        inside = ", ".join([f"{first} DEFAULT {default} ON CONVERSION ERROR", *others])
        return f"{expression.name}({inside})"

    members["anonymous_sql"] = anonymous_sql


PSEUDO_COLUMNS = """
rownum rowid level connect_by_isleaf connect_by_iscycle sysdate systimestamp current_date current_timestamp
localtimestamp sessiontimezone dbtimezone
"""

DIALECT = Dialect(
    name="oracle",
    notes="Oracle; use TRUNC(x, 'MM'), FETCH FIRST n ROWS ONLY; FROM DUAL where no table is read.",
    quotes=('"', '"'),
    dates=DateForms(
        year="TO_CHAR({c}, 'YYYY')",
        quarter="TO_CHAR({c}, 'YYYY-\"Q\"Q')",
        month="TO_CHAR({c}, 'YYYY-MM')",
        week="TO_CHAR(TRUNC({c}, 'IW'), 'YYYY-MM-DD')",
        day="TO_CHAR({c}, 'YYYY-MM-DD')",
        quarterno="TO_NUMBER(TO_CHAR({c}, 'Q'))",
        monthno="TO_CHAR({c}, 'MM')",
        weekday="TO_CHAR(MOD(TRUNC({c}) - TRUNC({c}, 'IW') + 1, 7))",
        hour="TO_CHAR({c}, 'HH24')",
        days="CAST({e} AS DATE) - CAST({s} AS DATE)",
        from_seconds="DATE '1970-01-01' + {c} / 86400",
        text_is_cast=False,
        literal="to_date",
    ),
    foreign_words=CASTS_AND_ILIKE,
    parser_changes=(read_json_query, read_conversion_defaults),
    writer_changes=(write_json_query, write_words_of_old_releases, write_conversion_defaults),
    fence=Fence(clause="limit", rows=2**63 - 1, proven=False, may_be_left_out=False),
    functions=(guard_list("oracle"),),
    aggregate_suffixes=(),
    methods="of results",
    tables_are_types=False,
    default_schemas=frozenset(),
    exact_columns=True,
    reserved_words=reserved_words.ORACLE,
    pseudo_columns=frozenset(PSEUDO_COLUMNS.split()),
    quoted_texts=False,
    dollar_columns=False,
    rows_as_values=False,
    aliases_everywhere=False,
    first_of_same_names=False,
    in_reads_table="never",
    implied_recursion=True,
    dual_keyword=False,
    open_ended_statements=False,
    compares_any_types=False,
    smaller_of="LEAST",
    offset_needs_order=False,
    last_select_is_limited=False,
)
