"""Standard SQL about JSON and XML that sqlglot does not read in every dialect: what happens on empty and on error, wrappers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects.record import Members

# The words after the path, in the order of the standard.
WRAPPERS = (
    ("WITH", "CONDITIONAL", "ARRAY", "WRAPPER"),
    ("WITH", "UNCONDITIONAL", "ARRAY", "WRAPPER"),
    ("WITH", "CONDITIONAL", "WRAPPER"),
    ("WITH", "UNCONDITIONAL", "WRAPPER"),
    ("WITH", "ARRAY", "WRAPPER"),
    ("WITH", "WRAPPER"),
    ("WITHOUT", "ARRAY", "WRAPPER"),
    ("WITHOUT", "WRAPPER"),
)
QUOTES = (("KEEP", "QUOTES"), ("OMIT", "QUOTES"))
CONDITIONS = tuple(
    (*value, "ON", event)
    for value in (("NULL",), ("ERROR",), ("EMPTY", "ARRAY"), ("EMPTY", "OBJECT"), ("EMPTY",))
    for event in ("ERROR", "EMPTY")
)


def column_with_conditions(base: type[Parser]) -> Callable[..., exp.Expr]:
    """Columns of JSON_TABLE with NULL ON EMPTY, DEFAULT '0' ON ERROR and so on."""

    def parse_column(self: Any) -> exp.Expr:
        column = base._parse_json_column_def(self)
        column.set("on_condition", self._parse_on_condition())
        return column

    return parse_column


def write_column(base: type[Generator]) -> Callable[..., str]:
    """The other way."""

    def column_sql(self: Any, expression: exp.JSONColumnDef) -> str:
        condition = self.sql(expression, "on_condition")
        return base.jsoncolumndef_sql(self, expression) + (f" {condition}" if condition else "")

    return column_sql


def column_that_counts(base: type[Parser]) -> Callable[..., exp.Expr | None]:
    """A column of XMLTABLE that counts the rows, which sqlglot reads and does not write."""

    def parse_column(self: Any, this: exp.Expr | None, computed_column: bool = True) -> exp.Expr | None:
        if not self._match_text_seq("FOR", "ORDINALITY"):
            return base._parse_column_def(self, this, computed_column)
        name = this.this if isinstance(this, exp.Column) else this
        return exp.ColumnDef(this=name, constraints=[exp.Var(this="FOR ORDINALITY")])

    return parse_column


def read_json_query(base: type[Parser], members: Members) -> None:
    """JSON_QUERY with all its words, for the dialects whose parser knows the function only; Trino's reads it itself."""
    members["FUNCTION_PARSERS"]["JSON_QUERY"] = _parse_json_query


def write_json_query(base: type[Generator], members: Members) -> None:
    """The other way; other extractions are written as before."""
    transforms = members["TRANSFORMS"]
    transforms[exp.JSONExtract] = _write_json_query(transforms.get(exp.JSONExtract, base.function_fallback_sql))


def _parse_json_query(parser: Any) -> exp.Expr:
    """JSON_QUERY(document, path [RETURNING type] [wrapper] [quotes] [conditions])."""
    document = parser._parse_format_json(parser._parse_bitwise())
    path = parser._match(TokenType.COMMA) and parser._parse_bitwise()
    returning = parser._match_text_seq("RETURNING") and parser._parse_types()
    groups = (WRAPPERS, QUOTES, CONDITIONS, CONDITIONS)
    words = [" ".join(found) for group in groups if (found := _matched(parser, group))]
    made = exp.JSONExtract(this=document, expression=path, json_query=True)
    made.set("returning", returning or None)
    made.set("option", exp.Var(this=" ".join(words)) if words else None)
    return made


def _matched(parser: Any, group: tuple[tuple[str, ...], ...]) -> tuple[str, ...] | None:
    return next((words for words in group if parser._match_text_seq(*words)), None)


def _write_json_query(otherwise: Callable[..., str]) -> Callable[..., str]:

    def extract_sql(self: Any, expression: exp.JSONExtract) -> str:
        if not expression.args.get("json_query"):
            return otherwise(self, expression)
        returning = self.sql(expression, "returning")
        words = [self.sql(expression, "expression"), f"RETURNING {returning}" if returning else ""]
        words.append(self.sql(expression, "option"))
        return f"JSON_QUERY({self.sql(expression, 'this')}, {' '.join(word for word in words if word)})"

    return extract_sql
