"""Snowflake's dictionary queries, types and error numbers."""

from __future__ import annotations

from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    AuthFailed,
    ConnectFailed,
    ConnectionLost,
    InqueryError,
    PermissionDenied,
    QueryCancelled,
    QueryTimeout,
    SqlFailed,
    SqlSyntax,
    SubqueryCardinality,
    Text,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)

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

BY_NUMBER: dict[int, type[InqueryError]] = {
    1003: SqlSyntax,
    904: UnknownColumn,
    2003: UnknownTable,
    2043: UnknownTable,
    1039: AmbiguousColumn,
    2090: AmbiguousColumn,
    100035: TypeMismatch,
    100037: TypeMismatch,
    100038: TypeMismatch,
    100039: TypeMismatch,
    100040: TypeMismatch,
    1007: TypeMismatch,
    1044: TypeMismatch,
    2016: TypeMismatch,
    90150: SubqueryCardinality,
    100078: SubqueryCardinality,
    2031: SubqueryCardinality,
    979: AggregationError,
    1104: AggregationError,
    3001: PermissionDenied,
    606: PermissionDenied,
    604: QueryCancelled,
    630: QueryTimeout,
    390100: AuthFailed,
    390102: AuthFailed,
    390144: AuthFailed,
    390101: AuthFailed,
    390111: ConnectionLost,
    390112: ConnectionLost,
    390114: ConnectionLost,
    250001: ConnectFailed,
    250003: ConnectFailed,
    251001: ConnectFailed,
}
BY_STATE: dict[str, type[InqueryError]] = {
    "42000": SqlSyntax,
    "42601": SqlSyntax,
    "42S02": UnknownTable,
    "02000": UnknownTable,
    "42S22": UnknownColumn,
    "22018": TypeMismatch,
    "42501": PermissionDenied,
    "57014": QueryCancelled,
    "28000": AuthFailed,
    "08001": ConnectFailed,
    "08003": ConnectionLost,
}
_NO_ANSWER = Text("the service did not answer", "服务没有响应")
# 2003 is given for tables that do not exist and for those the role may not see: Snowflake does not tell them apart.
_TEXTS: tuple[tuple[str, type[InqueryError]], ...] = (
    ("invalid identifier", UnknownColumn),
    ("ambiguous column", AmbiguousColumn),
    ("is not recognized", TypeMismatch),
    ("insufficient privileges", PermissionDenied),
)


def classify(error: BaseException) -> InqueryError:
    """By Snowflake's number, then by SQLSTATE, then by text."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    found = BY_NUMBER.get(abs(getattr(error, "errno", 0) or 0))
    if found is None:
        found = next((cls for piece, cls in _TEXTS if piece in text.casefold()), None)
    if found is None:
        found = BY_STATE.get(getattr(error, "sqlstate", None) or "")
    if found is None:
        found = ConnectFailed if isinstance(error, OSError) else SqlFailed
    return found(text, reason=_NO_ANSWER) if found is ConnectFailed else found(text)
