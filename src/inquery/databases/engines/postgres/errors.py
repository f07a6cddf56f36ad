"""PostgreSQL's errors as errors of the tree: SQLSTATE first, then its class, then libpq's words."""

from __future__ import annotations

import re

from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    AuthFailed,
    ConnectFailed,
    ConnectionLost,
    DatabaseBusy,
    InqueryError,
    InternalError,
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

NO_DATABASE = Text("there is no database of that name", "没有该名称的数据库")
REFUSED = Text("nothing answers at that host and port", "该主机和端口没有响应")
TIMED_OUT = Text("the host did not answer in time", "主机未在规定时间内响应")
NOT_POSTGRES = Text("what answers there is not PostgreSQL", "该处响应的不是 PostgreSQL")
NO_TLS = Text("an encrypted connection could not be made", "无法建立加密连接")
OTHER = Text("the server refused the connection", "服务器拒绝了连接")

_CODES: dict[str, type[InqueryError]] = {
    "42703": UnknownColumn,
    "42P01": UnknownTable,
    "3F000": UnknownTable,
    "42702": AmbiguousColumn,
    "42P09": AmbiguousColumn,
    "42601": SqlSyntax,
    "42803": AggregationError,
    "42P20": AggregationError,
    "21000": SubqueryCardinality,
    "42501": PermissionDenied,
    "25006": ReadOnlyViolation,
    "42883": TypeMismatch,
    "42804": TypeMismatch,
    "42846": TypeMismatch,
    "42725": TypeMismatch,
    "22012": SqlFailed,
    "55P03": QueryTimeout,
    "53300": DatabaseBusy,
    "53100": ResultTooLarge,
    "53200": ResultTooLarge,
    "53400": ResultTooLarge,
    "25P02": ConnectionLost,
    "25P03": ConnectionLost,
    "XX000": SqlFailed,
}
# The first two characters of a SQLSTATE are its class.
_CLASSES: dict[str, type[InqueryError]] = {
    "22": TypeMismatch,
    "42": SqlSyntax,
    "0A": SqlSyntax,
    "28": AuthFailed,
    "08": ConnectionLost,
    "57": ConnectionLost,
    "25": ReadOnlyViolation,
}
_CONNECTING: tuple[tuple[str, type[InqueryError], Text | None], ...] = (
    (r"authentication failed|no password supplied|role .* does not exist|pg_hba\.conf|认证失败", AuthFailed, None),
    (r"database .* does not exist|数据库.*不存在", ConnectFailed, NO_DATABASE),
    (r"too many clients|remaining connection slots", DatabaseBusy, None),
    (r"invalid response to SSL|expected authentication request", ConnectFailed, NOT_POSTGRES),
    (r"connection refused|no such file|no route to host|unreachable", ConnectFailed, REFUSED),
    (r"timeout expired|timed out", ConnectFailed, TIMED_OUT),
    (r"\bSSL\b|certificate", ConnectFailed, NO_TLS),
    (r"server closed the connection|connection is (closed|lost)|terminating connection|EOF", ConnectionLost, None),
    (r"connection (to server|failed|timeout)|could not", ConnectFailed, OTHER),
)


def classify(error: BaseException) -> InqueryError:
    """The error of the tree for a psycopg error."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    code = getattr(error, "sqlstate", None)
    if code == "57014":
        return QueryTimeout(text) if "timeout" in text or "超时" in text else QueryCancelled(text)
    if code == "3D000":
        return ConnectFailed(text, reason=NO_DATABASE)
    if code == "53300":
        return DatabaseBusy(text, seconds=0)
    if code:
        cls = _CODES.get(code) or _CLASSES.get(code[:2], SqlFailed)
        return cls(text)
    return _by_text(error, text)


def _by_text(error: BaseException, text: str) -> InqueryError:
    for pattern, cls, reason in _CONNECTING:
        if re.search(pattern, text, re.IGNORECASE):
            return cls(text, reason=reason) if reason else cls(text, seconds=0)
    name = type(error).__name__
    if name in {"OperationalError", "InterfaceError", "ConnectionTimeout"}:
        return ConnectionLost(text)
    return SqlFailed(text) if type(error).__module__.startswith("psycopg") else InternalError(repr(error))
