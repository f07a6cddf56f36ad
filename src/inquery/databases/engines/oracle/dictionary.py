"""Oracle's dictionary queries and error numbers."""

from __future__ import annotations

import re

from inquery import errors
from inquery.databases.engines.driver_errors import NO_ANSWER, by_code
from inquery.errors import InqueryError, Text

_OWNERS = "SELECT username FROM all_users WHERE oracle_maintained = 'N'"
# A logon trigger may make comparisons regardless of case or accent, in a row filter too, or a comma the decimal sign.
READING = {"NLS_COMP": "BINARY", "NLS_SORT": "BINARY", "NLS_NUMERIC_CHARACTERS": ".,"}
SET_UP = "ALTER SESSION SET " + " ".join(f"{name} = '{value}'" for name, value in READING.items())
READ = "SELECT parameter, value FROM nls_session_parameters"
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
BY_NUMBER = by_code(
    {
        errors.UnknownColumn: (904,),
        errors.UnknownTable: (942, 4043),
        errors.AmbiguousColumn: (918,),
        errors.SqlSyntax: (900, 903, 905, 906, 907, 911, 917, 920, 923, 933, 936, 1756, 3048),
        errors.TypeMismatch: (932, 1722, 1830, 1840, 1841, 1843, 1847, 1858, 1861),
        errors.SubqueryCardinality: (1427, 913, 947),
        errors.AggregationError: (934, 937, 979),
        errors.PermissionDenied: (1031, 41900),
        errors.ReadOnlyViolation: (1456, 16000),
        errors.QueryCancelled: (1013,),
        errors.QueryTimeout: (3156,),
        errors.ResultTooLarge: (1652, 4030),
        errors.AuthFailed: (1005, 1017, 28000, 28001),
        errors.ConnectionLost: (28, 1012, 2396, 3113, 3114, 3135),
    }
)
# The driver's own codes, where there is no number of the server.
BY_DRIVER = by_code(
    {
        errors.QueryTimeout: ("DPY-4024",),
        errors.ConnectionLost: ("DPY-1001", "DPY-4011"),
        errors.AuthFailed: ("DPY-4001",),
    }
)
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
            return errors.ConnectFailed(text, reason=_NO_SERVICE)
        if driver in {"DPY-6000", "DPY-6001", "DPY-6005"}:
            return errors.ConnectFailed(text, reason=_NO_SERVICE if driver == "DPY-6001" else NO_ANSWER)
    return errors.ConnectFailed(text, reason=NO_ANSWER) if isinstance(error, OSError) else errors.SqlFailed(text)
