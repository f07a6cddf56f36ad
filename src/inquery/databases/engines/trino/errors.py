"""Trino's error names."""

from __future__ import annotations

from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    AuthFailed,
    ConnectFailed,
    ConnectionLost,
    CostTooHigh,
    InqueryError,
    PermissionDenied,
    QueryCancelled,
    QueryTimeout,
    ReadOnlyViolation,
    ResultTooLarge,
    SqlFailed,
    SqlSyntax,
    SubqueryCardinality,
    Text,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)

BY_NAME: dict[str, type[InqueryError]] = {
    "SYNTAX_ERROR": SqlSyntax,
    "COLUMN_NOT_FOUND": UnknownColumn,
    "TABLE_NOT_FOUND": UnknownTable,
    "SCHEMA_NOT_FOUND": UnknownTable,
    "CATALOG_NOT_FOUND": UnknownTable,
    "MISSING_CATALOG_NAME": UnknownTable,
    "MISSING_SCHEMA_NAME": UnknownTable,
    "AMBIGUOUS_NAME": AmbiguousColumn,
    "TYPE_MISMATCH": TypeMismatch,
    "INVALID_CAST_ARGUMENT": TypeMismatch,
    "INVALID_FUNCTION_ARGUMENT": TypeMismatch,
    "INVALID_LITERAL": TypeMismatch,
    "NUMERIC_VALUE_OUT_OF_RANGE": TypeMismatch,
    "SUBQUERY_MULTIPLE_ROWS": SubqueryCardinality,
    "EXPRESSION_NOT_AGGREGATE": AggregationError,
    "MISSING_GROUP_BY": AggregationError,
    "NESTED_AGGREGATION": AggregationError,
    "EXPRESSION_NOT_SCALAR": AggregationError,
    "PERMISSION_DENIED": PermissionDenied,
    "READ_ONLY_VIOLATION": ReadOnlyViolation,
    "EXCEEDED_TIME_LIMIT": QueryTimeout,
    "ABANDONED_QUERY": QueryTimeout,
    "USER_CANCELED": QueryCancelled,
    "ADMINISTRATIVELY_KILLED": QueryCancelled,
    "ADMINISTRATIVELY_PREEMPTED": QueryCancelled,
    "EXCEEDED_GLOBAL_MEMORY_LIMIT": ResultTooLarge,
    "EXCEEDED_LOCAL_MEMORY_LIMIT": ResultTooLarge,
    "EXCEEDED_SCAN_LIMIT": CostTooHigh,
    "EXCEEDED_CPU_LIMIT": CostTooHigh,
    "QUERY_HAS_TOO_MANY_STAGES": CostTooHigh,
    "QUERY_QUEUE_FULL": ConnectionLost,
    "SERVER_SHUTTING_DOWN": ConnectionLost,
    "SERVER_STARTING_UP": ConnectionLost,
}
_NO_ANSWER = Text("the server did not answer", "服务器没有响应")


def classify(error: BaseException) -> InqueryError:
    """By Trino's name of the error, else by what kind of failure the transport met."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    name = getattr(error, "error_name", None)
    if name in BY_NAME:
        return BY_NAME[name](text)
    if name:
        return SqlFailed(text)
    names = {cls.__name__ for cls in type(error).__mro__}
    if "TrinoAuthError" in names or "error 401" in text or "error 403" in text:
        return AuthFailed(text)
    if names & {"TrinoConnectionError", "HttpError", "RequestException", "OSError", "Http503Error"}:
        return ConnectFailed(text, reason=_NO_ANSWER)
    return SqlFailed(text)
