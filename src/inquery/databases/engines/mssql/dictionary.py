"""SQL Server's dictionary queries, types and error numbers."""

from __future__ import annotations

from inquery import errors
from inquery.databases.engines.driver_errors import NO_ANSWER, by_code, class_names
from inquery.errors import InqueryError

SET_UP = (
    "SET NOCOUNT ON; SET LOCK_TIMEOUT 5000; SET DEADLOCK_PRIORITY LOW; SET TRANSACTION ISOLATION LEVEL READ COMMITTED;"
    " SET ANSI_NULLS ON; SET QUOTED_IDENTIFIER ON; SET ANSI_PADDING ON; SET ANSI_WARNINGS ON; SET CONCAT_NULL_YIELDS_NULL ON;"
    " SET ARITHABORT ON; SET NUMERIC_ROUNDABORT OFF; SET LANGUAGE us_english"
)
RESET = SET_UP + "; SET ROWCOUNT 0"
# Whether "x" is a name, and what equals NULL: how a statement and a row filter are read.
READING = {"QUOTED_IDENTIFIER": "1", "ANSI_NULLS": "1", "ANSI_PADDING": "1", "CONCAT_NULL_YIELDS_NULL": "1"}
READ = "SELECT " + ", ".join(f"CAST(SESSIONPROPERTY('{name}') AS int) AS {name.lower()}" for name in READING)
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

BY_NUMBER = by_code(
    {
        errors.SqlSyntax: (102, 105, 156, 170, 319),
        errors.UnknownColumn: (207, 4104),
        errors.UnknownTable: (208,),
        errors.AmbiguousColumn: (209,),
        errors.TypeMismatch: (206, 241, 242, 245, 248, 402, 529, 8114, 8117, 8169),
        errors.SubqueryCardinality: (116, 512),
        errors.AggregationError: (130, 147, 8120, 8121),
        errors.PermissionDenied: (229, 230, 262, 297, 300, 916),
        errors.ReadOnlyViolation: (3906,),
        errors.QueryTimeout: (1222,),
        errors.ResultTooLarge: (701, 1105),
        errors.AuthFailed: (4060, 18452, 18456),
        errors.ConnectionLost: (1205, 233, 10053, 10054, 596),
    }
)


def classify(error: BaseException) -> InqueryError:
    """By SQL Server's number, else by what kind of failure the driver met."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    number = getattr(error, "number", 0) or getattr(error, "msg_no", 0)
    if number in BY_NUMBER:
        return BY_NUMBER[number](text)
    if number:
        return errors.SqlFailed(text)
    names = class_names(error)
    if "LoginError" in names:
        return errors.AuthFailed(text)
    if "TimeoutError" in names:
        return errors.QueryTimeout(text)
    if "ClosedConnectionError" in names or "connection closed" in text.casefold():
        return errors.ConnectionLost(text)
    return errors.ConnectFailed(text, reason=NO_ANSWER) if isinstance(error, OSError) else errors.SqlFailed(text)
