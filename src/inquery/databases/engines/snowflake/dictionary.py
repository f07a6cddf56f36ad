"""Snowflake's dictionary queries, types and error numbers."""

from __future__ import annotations

from inquery import errors
from inquery.databases.engines.driver_errors import SERVICE_SILENT, Patterns, by_code, by_text
from inquery.errors import InqueryError

# An account may have it on: then "a" and "A" are one name, and the guard would have looked at another column.
READING = {"QUOTED_IDENTIFIERS_IGNORE_CASE": "FALSE"}
READ = "SHOW PARAMETERS LIKE 'QUOTED_IDENTIFIERS_IGNORE_CASE' IN SESSION"
INTROSPECTION = {
    "tables": """
        SELECT table_schema, table_name, table_type, comment, row_count FROM information_schema.tables
        WHERE table_schema NOT ILIKE 'information_schema'""",
    "columns": """
        SELECT table_schema, table_name, column_name, data_type, is_nullable, comment FROM information_schema.columns
        WHERE table_schema NOT ILIKE 'information_schema'
        ORDER BY table_schema, table_name, ordinal_position""",
}
KEYS = {"primary": "SHOW PRIMARY KEYS IN DATABASE", "foreign": "SHOW IMPORTED KEYS IN DATABASE"}
ROLE = "SELECT CURRENT_ROLE()"

# The connector's type numbers in a cursor's description.
TYPES: dict[int, str] = {
    0: "NUMBER", 1: "FLOAT", 2: "TEXT", 3: "DATE", 4: "TIMESTAMP", 5: "VARIANT", 6: "TIMESTAMP_LTZ",
    7: "TIMESTAMP_TZ", 8: "TIMESTAMP_NTZ", 9: "OBJECT", 10: "ARRAY", 11: "BINARY", 12: "TIME", 13: "BOOLEAN",
    14: "GEOGRAPHY", 15: "GEOMETRY", 16: "VECTOR", 17: "MAP",
}  # fmt: skip

BY_NUMBER = by_code(
    {
        errors.SqlSyntax: (1003,),
        errors.UnknownColumn: (904,),
        errors.UnknownTable: (2003, 2043),
        errors.AmbiguousColumn: (1039, 2090),
        errors.TypeMismatch: (100035, 100037, 100038, 100039, 100040, 1007, 1044, 2016),
        errors.SubqueryCardinality: (90150, 100078, 2031),
        errors.AggregationError: (979, 1104),
        errors.PermissionDenied: (3001, 606),
        errors.QueryCancelled: (604,),
        errors.QueryTimeout: (630,),
        errors.AuthFailed: (390100, 390102, 390144, 390101),
        errors.ConnectionLost: (390111, 390112, 390114),
        errors.ConnectFailed: (250001, 250003, 251001),
    }
)
BY_STATE = by_code(
    {
        errors.SqlSyntax: ("42000", "42601"),
        errors.UnknownTable: ("42S02", "02000"),
        errors.UnknownColumn: ("42S22",),
        errors.TypeMismatch: ("22018",),
        errors.PermissionDenied: ("42501",),
        errors.QueryCancelled: ("57014",),
        errors.AuthFailed: ("28000",),
        errors.ConnectFailed: ("08001",),
        errors.ConnectionLost: ("08003",),
    }
)
# 2003 is given for tables that do not exist and for those the role may not see: Snowflake does not tell them apart.
_TEXTS: Patterns = (
    ("invalid identifier", errors.UnknownColumn),
    ("ambiguous column", errors.AmbiguousColumn),
    ("is not recognized", errors.TypeMismatch),
    ("insufficient privileges", errors.PermissionDenied),
)


def classify(error: BaseException) -> InqueryError:
    """By Snowflake's number, then by SQLSTATE, then by text."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    found = BY_NUMBER.get(abs(getattr(error, "errno", 0) or 0))
    if found is None:
        found = by_text(_TEXTS, text)
    if found is None:
        found = BY_STATE.get(getattr(error, "sqlstate", None) or "")
    if found is None:
        found = errors.ConnectFailed if isinstance(error, OSError) else errors.SqlFailed
    return found(text, reason=SERVICE_SILENT) if found is errors.ConnectFailed else found(text)
