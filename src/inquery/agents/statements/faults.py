"""Which class a failure belongs to, and what may help: by the error's type first, which engines map from codes."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from inquery.agents.state_types import Fault, Stage, make_fault
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    DatabaseUnavailable,
    InqueryError,
    ModelUnavailable,
    PermissionDenied,
    QueryLimit,
    QueryTimeout,
    ReadOnlyViolation,
    SqlDenied,
    SqlRefused,
    SqlSyntax,
    SubqueryCardinality,
    Text,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)
from inquery.sql import Catalog

_TYPES: tuple[tuple[type[InqueryError], str], ...] = (
    (SqlSyntax, "sql_syntax"),
    (UnknownTable, "unknown_table"),
    (UnknownColumn, "unknown_column"),
    (AmbiguousColumn, "ambiguous_column"),
    (TypeMismatch, "type_mismatch"),
    (SubqueryCardinality, "subquery_cardinality"),
    (AggregationError, "aggregation"),
    (PermissionDenied, "permission"),
    (ReadOnlyViolation, "read_only"),
    (SqlDenied, "permission"),
    (QueryTimeout, "timeout"),
    (QueryLimit, "limit"),
    (DatabaseUnavailable, "connection"),
    (ModelUnavailable, "model"),
)
_RULES = {
    "syntax": "sql_syntax",
    "empty": "sql_syntax",
    "bad_text": "sql_syntax",
    "several_statements": "sql_syntax",
    "too_long": "sql_syntax",
    "too_complex": "sql_syntax",
    "unchecked": "sql_syntax",
    "no_grammar": "unknown",
    "hidden_code": "sql_syntax",
    "unknown_table": "unknown_table",
    "ambiguous_table": "unknown_table",
    "forbidden_source": "unknown_table",
    "unknown_column": "unknown_column",
    "ambiguous_column": "ambiguous_column",
    "forbidden_function": "sql_syntax",
    "forbidden_type": "sql_syntax",
    "forbidden_operator": "sql_syntax",
    "not_a_query": "not_a_query",
    "forbidden_clause": "not_a_query",
    "bad_filter": "permission",
}


def class_of(error: InqueryError) -> str:
    """One of recover's classes."""
    if isinstance(error, SqlRefused):
        return _RULES.get(error.rule, "sql_syntax")
    return next((name for kind, name in _TYPES if isinstance(error, kind)), "unknown")


def recorded(error: InqueryError, stage: Stage, sql: str = "") -> Fault:
    """An error as plain data for the history of a run."""
    refusal = error if isinstance(error, SqlRefused) else None
    said = error.public_message("en") if refusal else error.detail or str(error)
    fault = make_fault(
        class_of(error),
        Text(error.public_message("en"), error.public_message("zh")),
        stage=stage,
        sql=sql,
        message=said[:500],
        code=error.code,
        rule=refusal.rule if refusal else "",
        name=refusal.name if refusal else None,
        nearest=refusal.nearest if refusal else (),
        retryable=error.retryable,
        refused=refusal is not None,
    )
    return fault | {"said": error.said} if error.said else fault


def suggestions(error: Fault, catalog: Catalog, tables: Sequence[str]) -> list[str]:
    """What the writer is told besides the message; names come from the catalogue the user may see."""
    kind = str(error["class"])
    by_name = {table.full_name: table for table in catalog.tables}
    shown = [by_name[name] for name in tables if name in by_name]
    if kind == "unknown_column":
        wrong = str(error.get("name") or "").rsplit(".", 1)[-1]
        names = [f"{t.name}.{c.name}" for t in shown for c in t.columns]
        near = difflib.get_close_matches(wrong, [n.split(".")[1] for n in names], n=5, cutoff=0.5) if wrong else []
        found = [name for name in names if name.split(".")[1] in near]
        return (
            [f"use one of: {', '.join(dict.fromkeys([*error['nearest'], *found]))}"] if near or error["nearest"] else []
        )
    if kind == "unknown_table":
        return [f"use one of: {', '.join(error['nearest'] or [table.full_name for table in shown][:10])}"]
    return list(_ADVICE.get(str(error.get("rule")), _ADVICE.get(kind, ())))


def plainer(told: Sequence[str], history: Sequence[Fault]) -> list[str]:
    """What was not heeded is said again in other words: the same prompt would bring the same statement."""
    again = sum(error["class"] == history[-1]["class"] for error in history)
    if again < 2 or history[-1]["class"] != "not_a_query":
        return list(told)
    verbs = {str(error["sql"]).split(maxsplit=1)[0].upper() for error in history if error["class"] == "not_a_query"}
    return [
        *told,
        f"this is answer {again} that does not read: begin with SELECT or WITH, never with {', '.join(sorted(verbs))}",
    ]


_ADVICE: dict[str, tuple[str, ...]] = {
    "sql_syntax": ("write one SELECT statement in the dialect given, without comments",),
    "several_statements": ("send one statement; put together what belongs together with joins, subqueries or UNION",),
    "not_a_query": ("nothing may be changed, and the question only asks for data: read it with one SELECT statement",),
    "ambiguous_column": ("qualify every column with its table",),
    "type_mismatch": ("compare values of one type; cast where it is needed",),
    "subquery_cardinality": ("use IN instead of =, or aggregate or limit the subquery to one row and column",),
    "aggregation": ("put every column that is not aggregated into GROUP BY",),
    "timeout": ("add a filter or a LIMIT, read fewer rows, avoid cross joins",),
    "no_sql": ("answer with one SELECT statement",),
}
