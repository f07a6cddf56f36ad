"""Trino's error names."""

from __future__ import annotations

from inquery import errors
from inquery.databases.engines.driver_errors import NO_ANSWER, by_code, class_names
from inquery.errors import InqueryError

BY_NAME = by_code(
    {
        errors.SqlSyntax: ("SYNTAX_ERROR",),
        errors.UnknownColumn: ("COLUMN_NOT_FOUND",),
        errors.UnknownTable: (
            "TABLE_NOT_FOUND",
            "SCHEMA_NOT_FOUND",
            "CATALOG_NOT_FOUND",
            "MISSING_CATALOG_NAME",
            "MISSING_SCHEMA_NAME",
        ),
        errors.AmbiguousColumn: ("AMBIGUOUS_NAME",),
        errors.TypeMismatch: (
            "TYPE_MISMATCH",
            "INVALID_CAST_ARGUMENT",
            "INVALID_FUNCTION_ARGUMENT",
            "INVALID_LITERAL",
            "NUMERIC_VALUE_OUT_OF_RANGE",
        ),
        errors.SubqueryCardinality: ("SUBQUERY_MULTIPLE_ROWS",),
        errors.AggregationError: (
            "EXPRESSION_NOT_AGGREGATE",
            "MISSING_GROUP_BY",
            "NESTED_AGGREGATION",
            "EXPRESSION_NOT_SCALAR",
        ),
        errors.PermissionDenied: ("PERMISSION_DENIED",),
        errors.ReadOnlyViolation: ("READ_ONLY_VIOLATION",),
        errors.QueryTimeout: ("EXCEEDED_TIME_LIMIT", "ABANDONED_QUERY"),
        errors.QueryCancelled: ("USER_CANCELED", "ADMINISTRATIVELY_KILLED", "ADMINISTRATIVELY_PREEMPTED"),
        errors.ResultTooLarge: ("EXCEEDED_GLOBAL_MEMORY_LIMIT", "EXCEEDED_LOCAL_MEMORY_LIMIT"),
        errors.CostTooHigh: ("EXCEEDED_SCAN_LIMIT", "EXCEEDED_CPU_LIMIT", "QUERY_HAS_TOO_MANY_STAGES"),
        errors.ConnectionLost: ("QUERY_QUEUE_FULL", "SERVER_SHUTTING_DOWN", "SERVER_STARTING_UP"),
    }
)


def classify(error: BaseException) -> InqueryError:
    """By Trino's name of the error, else by what kind of failure the transport met."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    name = getattr(error, "error_name", None)
    if name in BY_NAME:
        return BY_NAME[name](text)
    if name:
        return errors.SqlFailed(text)
    names = class_names(error)
    if "TrinoAuthError" in names or "error 401" in text or "error 403" in text:
        return errors.AuthFailed(text)
    if names & {"TrinoConnectionError", "HttpError", "RequestException", "OSError", "Http503Error"}:
        return errors.ConnectFailed(text, reason=NO_ANSWER)
    return errors.SqlFailed(text)
