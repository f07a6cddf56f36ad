"""Oracle's dictionary queries and error numbers."""

from __future__ import annotations

import re

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

_OWNERS = "SELECT username FROM all_users WHERE oracle_maintained = 'N'"
INTROSPECTION = {
    "tables": f"""
        SELECT o.owner, o.table_name, o.kind, c.comments, o.num_rows
        FROM (SELECT t.owner, t.table_name, CASE WHEN m.mview_name IS NULL THEN 'table' ELSE 'materialized view' END
                     AS kind, t.num_rows
              FROM all_tables t LEFT JOIN all_mviews m ON m.owner = t.owner AND m.mview_name = t.table_name
              WHERE t.nested = 'NO' AND t.secondary = 'N'
              UNION ALL SELECT owner, view_name, 'view', NULL FROM all_views) o
        LEFT JOIN all_tab_comments c ON c.owner = o.owner AND c.table_name = o.table_name
        WHERE o.owner IN ({_OWNERS}) AND o.table_name NOT LIKE 'BIN$%'""",
    "columns": f"""
        SELECT t.owner, t.table_name, t.column_name,
               CASE WHEN t.data_type = 'NUMBER' AND t.data_precision IS NOT NULL
                    THEN 'NUMBER(' || t.data_precision || ',' || t.data_scale || ')'
                    WHEN t.data_type LIKE '%CHAR%' THEN t.data_type || '(' || t.char_length || ')'
                    ELSE t.data_type END,
               t.nullable, c.comments
        FROM all_tab_columns t
        LEFT JOIN all_col_comments c
          ON c.owner = t.owner AND c.table_name = t.table_name AND c.column_name = t.column_name
        WHERE t.owner IN ({_OWNERS}) AND t.table_name NOT LIKE 'BIN$%'
        ORDER BY t.owner, t.table_name, t.column_id""",
    "keys": f"""
        SELECT k.owner, k.table_name, c.column_name
        FROM all_constraints k
        JOIN all_cons_columns c ON c.owner = k.owner AND c.constraint_name = k.constraint_name
        WHERE k.constraint_type = 'P' AND k.owner IN ({_OWNERS})""",
    "foreign": f"""
        SELECT k.constraint_name, k.owner, k.table_name, c.column_name, r.owner, r.table_name, r.column_name
        FROM all_constraints k
        JOIN all_cons_columns c ON c.owner = k.owner AND c.constraint_name = k.constraint_name
        JOIN all_cons_columns r
          ON r.owner = k.r_owner AND r.constraint_name = k.r_constraint_name AND r.position = c.position
        WHERE k.constraint_type = 'R' AND k.owner IN ({_OWNERS})
        ORDER BY k.owner, k.table_name, k.constraint_name, c.position""",
}
ROLE = """
    SELECT privilege FROM session_privs
    WHERE privilege NOT IN ('CREATE SESSION', 'ALTER SESSION', 'SELECT ANY TABLE', 'READ ANY TABLE',
                            'SELECT ANY DICTIONARY', 'SELECT ANY SEQUENCE', 'SET CONTAINER', 'UNLIMITED TABLESPACE')
    ORDER BY privilege"""

_NO_SERVICE = Text("the server does not know this service", "服务器没有该服务名")
_NO_ANSWER = Text("the server did not answer", "服务器没有响应")
BY_NUMBER: dict[int, type[InqueryError]] = {
    904: UnknownColumn,
    942: UnknownTable,
    4043: UnknownTable,
    918: AmbiguousColumn,
    900: SqlSyntax,
    903: SqlSyntax,
    905: SqlSyntax,
    906: SqlSyntax,
    907: SqlSyntax,
    911: SqlSyntax,
    917: SqlSyntax,
    920: SqlSyntax,
    923: SqlSyntax,
    933: SqlSyntax,
    936: SqlSyntax,
    1756: SqlSyntax,
    3048: SqlSyntax,
    932: TypeMismatch,
    1722: TypeMismatch,
    1830: TypeMismatch,
    1840: TypeMismatch,
    1841: TypeMismatch,
    1843: TypeMismatch,
    1847: TypeMismatch,
    1858: TypeMismatch,
    1861: TypeMismatch,
    1427: SubqueryCardinality,
    913: SubqueryCardinality,
    947: SubqueryCardinality,
    934: AggregationError,
    937: AggregationError,
    979: AggregationError,
    1031: PermissionDenied,
    41900: PermissionDenied,
    1456: ReadOnlyViolation,
    16000: ReadOnlyViolation,
    1013: QueryCancelled,
    3156: QueryTimeout,
    1652: ResultTooLarge,
    4030: ResultTooLarge,
    1005: AuthFailed,
    1017: AuthFailed,
    28000: AuthFailed,
    28001: AuthFailed,
    28: ConnectionLost,
    1012: ConnectionLost,
    2396: ConnectionLost,
    3113: ConnectionLost,
    3114: ConnectionLost,
    3135: ConnectionLost,
}
# The driver's own codes, where there is no number of the server.
BY_DRIVER: dict[str, type[InqueryError]] = {
    "DPY-4024": QueryTimeout,
    "DPY-1001": ConnectionLost,
    "DPY-4011": ConnectionLost,
    "DPY-4001": AuthFailed,
}
_UNREACHED = {12154, 12505, 12514, 12541, 12170, 12535, 12543, 12545}
_CODE = re.compile(r"\b(?:ORA-0*(\d+)|(DPY-\d{4}))")


def classify(error: BaseException) -> InqueryError:
    """The error of the tree for a driver's error, by ORA number, then by the driver's own code."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    for number, driver in _CODE.findall(text):
        if number and int(number) in BY_NUMBER:
            return BY_NUMBER[int(number)](text)
        if driver in BY_DRIVER:
            return BY_DRIVER[driver](text)
        if driver == "DPY-6003" or (number and int(number) in _UNREACHED):
            return ConnectFailed(text, reason=_NO_SERVICE)
        if driver in {"DPY-6000", "DPY-6001", "DPY-6005"}:
            return ConnectFailed(text, reason=_NO_SERVICE if driver == "DPY-6001" else _NO_ANSWER)
    return ConnectFailed(text, reason=_NO_ANSWER) if isinstance(error, OSError) else SqlFailed(text)
