"""ClickHouse's error numbers, on a server and in chdb."""

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
    TooManyRows,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)

IN_USE = Text("another program has the folder open", "文件夹正被其他程序使用")
"""Why a chdb folder could not be opened; it may pass."""

BY_CODE: dict[int, type[InqueryError]] = {
    62: SqlSyntax,
    46: SqlFailed,  # unknown function
    42: SqlFailed,  # number of arguments
    47: UnknownColumn,
    16: UnknownColumn,
    10: UnknownColumn,
    60: UnknownTable,
    81: UnknownTable,  # unknown database
    207: AmbiguousColumn,
    352: AmbiguousColumn,
    6: TypeMismatch,
    27: TypeMismatch,
    38: TypeMismatch,
    41: TypeMismatch,
    43: TypeMismatch,
    44: TypeMismatch,
    53: TypeMismatch,
    69: TypeMismatch,
    70: TypeMismatch,
    72: TypeMismatch,
    130: TypeMismatch,
    349: TypeMismatch,
    386: TypeMismatch,
    407: TypeMismatch,
    125: SubqueryCardinality,
    184: AggregationError,
    215: AggregationError,
    497: PermissionDenied,
    164: ReadOnlyViolation,
    452: ReadOnlyViolation,  # setting constraint
    159: QueryTimeout,
    160: QueryTimeout,  # estimated too slow
    209: ConnectionLost,  # socket timeout
    210: ConnectionLost,
    32: ConnectionLost,
    394: QueryCancelled,
    158: TooManyRows,
    241: ResultTooLarge,  # memory
    307: ResultTooLarge,
    396: ResultTooLarge,
    131: ResultTooLarge,  # string size
    192: AuthFailed,
    193: AuthFailed,
    194: AuthFailed,
    516: AuthFailed,
    202: ConnectionLost,  # too many simultaneous queries: worth another try
}
_CODE = re.compile(r"\bCode:\s*(\d+)")
_UNREACHABLE = Text("the server did not answer", "服务器没有响应")


def classify(error: BaseException) -> InqueryError:
    """By ClickHouse's number, else by what kind of failure the transport met."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    code = getattr(error, "code", None)
    if not isinstance(code, int):
        match = _CODE.search(text)
        code = int(match[1]) if match else None
    if code in BY_CODE:
        return BY_CODE[code](text)
    if code is not None:
        return SqlFailed(text)
    return _by_transport(error, text)


def _by_transport(error: BaseException, text: str) -> InqueryError:
    names = {cls.__name__ for cls in type(error).__mro__}
    if "HTTP driver received HTTP status 401" in text or ("HTTPDriver for" in text and " 401" in text):
        return AuthFailed(text)
    if "timed out" in text.casefold() or names & {"ReadTimeoutError", "TimeoutError"}:
        return ConnectFailed(text, reason=_UNREACHABLE)
    if names & {"OperationalError", "HTTPError", "OSError"}:
        return ConnectFailed(text, reason=_UNREACHABLE)
    if names & {"StreamFailureError", "StreamCompleteException"}:
        return ConnectionLost(text)
    return SqlFailed(text)
