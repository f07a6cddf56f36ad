"""ClickHouse's error numbers, on a server and in chdb."""

from __future__ import annotations

import re

from inquery import errors
from inquery.databases.engines.driver_errors import NO_ANSWER, by_code, class_names
from inquery.errors import InqueryError, Text

IN_USE = Text("another program has the folder open", "文件夹正被其他程序使用")
"""Why a chdb folder could not be opened; it may pass."""

BY_CODE = by_code(
    {
        errors.SqlSyntax: (62,),
        errors.SqlFailed: (46, 42),  # unknown function, number of arguments
        errors.UnknownColumn: (47, 16, 10),
        errors.UnknownTable: (60, 81),  # 81: unknown database
        errors.AmbiguousColumn: (207, 352),
        errors.TypeMismatch: (6, 27, 38, 41, 43, 44, 53, 69, 70, 72, 130, 349, 386, 407),
        errors.SubqueryCardinality: (125,),
        errors.AggregationError: (184, 215),
        errors.PermissionDenied: (497,),
        errors.ReadOnlyViolation: (164, 452),  # 452: a setting's constraint
        errors.QueryTimeout: (159, 160),  # 160: estimated too slow
        # 209: the socket's timeout; 202: too many simultaneous queries, worth another try
        errors.ConnectionLost: (209, 210, 32, 202),
        errors.QueryCancelled: (394,),
        errors.TooManyRows: (158,),
        errors.ResultTooLarge: (241, 307, 396, 131),  # 241: memory, 131: size of a string
        errors.AuthFailed: (192, 193, 194, 516),
    }
)
_CODE = re.compile(r"\bCode:\s*(\d+)")


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
        return errors.SqlFailed(text)
    return _by_transport(error, text)


def _by_transport(error: BaseException, text: str) -> InqueryError:
    names = class_names(error)
    if "HTTP driver received HTTP status 401" in text or ("HTTPDriver for" in text and " 401" in text):
        return errors.AuthFailed(text)
    if "timed out" in text.casefold() or names & {"ReadTimeoutError", "TimeoutError"}:
        return errors.ConnectFailed(text, reason=NO_ANSWER)
    if names & {"OperationalError", "HTTPError", "OSError"}:
        return errors.ConnectFailed(text, reason=NO_ANSWER)
    if names & {"StreamFailureError", "StreamCompleteException"}:
        return errors.ConnectionLost(text)
    return errors.SqlFailed(text)
