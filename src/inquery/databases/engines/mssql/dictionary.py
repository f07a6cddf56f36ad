"""SQL Server's dictionary queries, types and error numbers."""

from __future__ import annotations

from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    AuthFailed,
    ConnectFailed,
    ConnectionLost,
    InqueryError,
    PermissionDenied,
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

SET_UP = (
    "SET NOCOUNT ON; SET LOCK_TIMEOUT 5000; SET DEADLOCK_PRIORITY LOW; SET TRANSACTION ISOLATION LEVEL READ COMMITTED;"
    " SET ANSI_NULLS ON; SET QUOTED_IDENTIFIER ON; SET LANGUAGE us_english"
)
RESET = SET_UP + "; SET ROWCOUNT 0"
INTROSPECTION = {
    "tables": """
        SELECT s.name, o.name, CASE o.type WHEN 'V' THEN 'view' ELSE 'table' END,
               CAST(e.value AS nvarchar(4000)),
               (SELECT SUM(p.rows) FROM sys.partitions AS p WHERE p.object_id = o.object_id AND p.index_id IN (0, 1))
        FROM sys.objects AS o
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        LEFT JOIN sys.extended_properties AS e
          ON e.class = 1 AND e.major_id = o.object_id AND e.minor_id = 0 AND e.name = 'MS_Description'
        WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0""",
    "columns": """
        SELECT s.name, o.name, c.name, t.name, c.is_nullable, CAST(e.value AS nvarchar(4000))
        FROM sys.columns AS c
        JOIN sys.objects AS o ON o.object_id = c.object_id
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        JOIN sys.types AS t ON t.user_type_id = c.user_type_id
        LEFT JOIN sys.extended_properties AS e
          ON e.class = 1 AND e.major_id = c.object_id AND e.minor_id = c.column_id AND e.name = 'MS_Description'
        WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
        ORDER BY s.name, o.name, c.column_id""",
    "keys": """
        SELECT s.name, o.name, c.name
        FROM sys.indexes AS i
        JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
        JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
        JOIN sys.objects AS o ON o.object_id = i.object_id
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        WHERE i.is_primary_key = 1""",
    "foreign": """
        SELECT k.constraint_object_id, s.name, o.name, c.name, rs.name, r.name, rc.name
        FROM sys.foreign_key_columns AS k
        JOIN sys.objects AS o ON o.object_id = k.parent_object_id
        JOIN sys.schemas AS s ON s.schema_id = o.schema_id
        JOIN sys.columns AS c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
        JOIN sys.objects AS r ON r.object_id = k.referenced_object_id
        JOIN sys.schemas AS rs ON rs.schema_id = r.schema_id
        JOIN sys.columns AS rc ON rc.object_id = k.referenced_object_id AND rc.column_id = k.referenced_column_id
        ORDER BY s.name, o.name, k.constraint_object_id, k.constraint_column_id""",
}
ROLE = """
    SELECT r.name FROM (VALUES ('sysadmin'), ('securityadmin'), ('serveradmin'), ('dbcreator'), ('bulkadmin')) AS r(name)
    WHERE IS_SRVROLEMEMBER(r.name) = 1
    UNION ALL
    SELECT r.name FROM (VALUES ('db_owner'), ('db_ddladmin'), ('db_datawriter'), ('db_securityadmin')) AS r(name)
    WHERE IS_ROLEMEMBER(r.name) = 1"""

# The protocol's type numbers, as python-tds gives them in a cursor's description.
TYPES: dict[int, str] = {
    36: "uniqueidentifier", 38: "int", 40: "date", 41: "time", 42: "datetime2", 43: "datetimeoffset", 48: "tinyint",
    50: "boolean", 52: "smallint", 56: "int", 58: "smalldatetime", 59: "real", 60: "money", 61: "datetime",
    62: "float", 104: "boolean", 106: "decimal", 108: "numeric", 109: "float", 110: "money", 111: "datetime",
    122: "smallmoney", 127: "bigint", 165: "varbinary", 167: "varchar", 173: "binary", 175: "char", 231: "nvarchar",
    239: "nchar", 241: "xml", 34: "image", 35: "text", 99: "ntext", 98: "sql_variant",
}  # fmt: skip

BY_NUMBER: dict[int, type[InqueryError]] = {
    102: SqlSyntax,
    105: SqlSyntax,
    156: SqlSyntax,
    170: SqlSyntax,
    319: SqlSyntax,
    207: UnknownColumn,
    4104: UnknownColumn,
    208: UnknownTable,
    209: AmbiguousColumn,
    206: TypeMismatch,
    241: TypeMismatch,
    242: TypeMismatch,
    245: TypeMismatch,
    248: TypeMismatch,
    402: TypeMismatch,
    529: TypeMismatch,
    8114: TypeMismatch,
    8117: TypeMismatch,
    8169: TypeMismatch,
    116: SubqueryCardinality,
    512: SubqueryCardinality,
    130: AggregationError,
    147: AggregationError,
    8120: AggregationError,
    8121: AggregationError,
    229: PermissionDenied,
    230: PermissionDenied,
    262: PermissionDenied,
    297: PermissionDenied,
    300: PermissionDenied,
    916: PermissionDenied,
    3906: ReadOnlyViolation,
    1222: QueryTimeout,
    701: ResultTooLarge,
    1105: ResultTooLarge,
    4060: AuthFailed,
    18452: AuthFailed,
    18456: AuthFailed,
    1205: ConnectionLost,
    233: ConnectionLost,
    10053: ConnectionLost,
    10054: ConnectionLost,
    596: ConnectionLost,
}
_NO_ANSWER = Text("the server did not answer", "服务器没有响应")


def classify(error: BaseException) -> InqueryError:
    """By SQL Server's number, else by what kind of failure the driver met."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    number = getattr(error, "number", 0) or getattr(error, "msg_no", 0)
    if number in BY_NUMBER:
        return BY_NUMBER[number](text)
    if number:
        return SqlFailed(text)
    names = {cls.__name__ for cls in type(error).__mro__}
    if "LoginError" in names:
        return AuthFailed(text)
    if "TimeoutError" in names:
        return QueryTimeout(text)
    if "ClosedConnectionError" in names or "connection closed" in text.casefold():
        return ConnectionLost(text)
    return ConnectFailed(text, reason=_NO_ANSWER) if isinstance(error, OSError) else SqlFailed(text)
