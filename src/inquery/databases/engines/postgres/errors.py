"""PostgreSQL's errors as errors of the tree: SQLSTATE first, then its class, then libpq's words."""

from __future__ import annotations

import re

from inquery import errors
from inquery.databases.engines.driver_errors import by_code
from inquery.errors import InqueryError, Text

NO_DATABASE = Text("there is no database of that name", "没有该名称的数据库")
REFUSED = Text("nothing answers at that host and port", "该主机和端口没有响应")
TIMED_OUT = Text("the host did not answer in time", "主机未在规定时间内响应")
NOT_POSTGRES = Text("what answers there is not PostgreSQL", "该处响应的不是 PostgreSQL")
NO_TLS = Text("an encrypted connection could not be made", "无法建立加密连接")
OTHER = Text("the server refused the connection", "服务器拒绝了连接")

_CODES = by_code(
    {
        errors.UnknownColumn: ("42703",),
        errors.UnknownTable: ("42P01", "3F000"),
        errors.AmbiguousColumn: ("42702", "42P09"),
        errors.SqlSyntax: ("42601",),
        errors.AggregationError: ("42803", "42P20"),
        errors.SubqueryCardinality: ("21000",),
        errors.PermissionDenied: ("42501",),
        errors.ReadOnlyViolation: ("25006",),
        errors.TypeMismatch: ("42883", "42804", "42846", "42725"),
        errors.SqlFailed: ("22012", "XX000"),
        errors.QueryTimeout: ("55P03",),
        errors.DatabaseBusy: ("53300",),
        errors.ResultTooLarge: ("53100", "53200", "53400"),
        errors.ConnectionLost: ("25P02", "25P03"),
    }
)
# The first two characters of a SQLSTATE are its class.
_CLASSES = by_code(
    {
        errors.TypeMismatch: ("22",),
        errors.SqlSyntax: ("42", "0A"),
        errors.AuthFailed: ("28",),
        errors.ConnectionLost: ("08", "57"),
        errors.ReadOnlyViolation: ("25",),
    }
)
_CONNECTING: tuple[tuple[str, type[InqueryError], Text | None], ...] = (
    (
        r"authentication failed|no password supplied|role .* does not exist|pg_hba\.conf|认证失败",
        errors.AuthFailed,
        None,
    ),
    (r"database .* does not exist|数据库.*不存在", errors.ConnectFailed, NO_DATABASE),
    (r"too many clients|remaining connection slots", errors.DatabaseBusy, None),
    (r"invalid response to SSL|expected authentication request", errors.ConnectFailed, NOT_POSTGRES),
    (r"connection refused|no such file|no route to host|unreachable", errors.ConnectFailed, REFUSED),
    (r"timeout expired|timed out", errors.ConnectFailed, TIMED_OUT),
    (r"\bSSL\b|certificate", errors.ConnectFailed, NO_TLS),
    (
        r"server closed the connection|connection is (closed|lost)|terminating connection|EOF",
        errors.ConnectionLost,
        None,
    ),
    (r"connection (to server|failed|timeout)|could not", errors.ConnectFailed, OTHER),
)


def classify(error: BaseException) -> InqueryError:
    """The error of the tree for a psycopg error."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    code = getattr(error, "sqlstate", None)
    if code == "57014":
        return errors.QueryTimeout(text) if "timeout" in text or "超时" in text else errors.QueryCancelled(text)
    if code == "3D000":
        return errors.ConnectFailed(text, reason=NO_DATABASE)
    if code == "53300":
        return errors.DatabaseBusy(text, seconds=0)
    if code:
        cls = _CODES.get(code) or _CLASSES.get(code[:2], errors.SqlFailed)
        return cls(text)
    return _by_text(error, text)


def _by_text(error: BaseException, text: str) -> InqueryError:
    for pattern, cls, reason in _CONNECTING:
        if re.search(pattern, text, re.IGNORECASE):
            return cls(text, reason=reason) if reason else cls(text, seconds=0)
    name = type(error).__name__
    if name in {"OperationalError", "InterfaceError", "ConnectionTimeout"}:
        return errors.ConnectionLost(text)
    return errors.SqlFailed(text) if type(error).__module__.startswith("psycopg") else errors.InternalError(repr(error))
