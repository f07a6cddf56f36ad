"""MySQL's and MariaDB's errors as errors of the tree, by the server's number."""

from __future__ import annotations

from inquery import errors
from inquery.databases.engines.driver_errors import by_code
from inquery.databases.engines.postgres.errors import NO_DATABASE, NO_TLS, OTHER, REFUSED, TIMED_OUT
from inquery.errors import InqueryError, Text

_BY_NUMBER = by_code(
    {
        errors.UnknownColumn: (1054, 1247),
        errors.UnknownTable: (1146, 1109, 1051),
        errors.AmbiguousColumn: (1052,),
        errors.SqlSyntax: (1064, 1149, 1065, 1305, 1630, 1582, 1583, 1235, 1248, 1060, 1066),
        errors.TypeMismatch: (1267, 1271, 1292, 1366, 1690, 1411, 3140, 3141, 1270, 4078),
        errors.SubqueryCardinality: (1241, 1242, 1222),
        errors.AggregationError: (1055, 1056, 1111, 1140, 3593, 4015),
        errors.PermissionDenied: (1142, 1143, 1227, 1370, 1290, 1410),
        errors.ReadOnlyViolation: (1792, 1836, 1568),
        errors.QueryTimeout: (1969, 3024, 1205),
        errors.QueryCancelled: (1317, 1028),
        errors.ResultTooLarge: (1038, 1041, 1114, 1153, 1301),
        errors.ConnectionLost: (2006, 2013, 2014, 2055, 1053, 1158, 1159, 1160, 1161, 1927),
        errors.AuthFailed: (1045, 1698, 1251, 1862, 2059, 2061),
    }
)
_NO_ACCESS, _NO_DATABASE, _NO_ZONE = 1044, 1049, 1298
_BUSY, _CONNECT = (1040, 1203, 1226), (2002, 2003, 2005, 2026, 1129, 1130)
NO_ZONE = Text("the server does not know the timezone; give an offset", "服务器不识别该时区；请使用偏移量")


def classify(error: BaseException) -> InqueryError:
    """The error of the tree for a PyMySQL error."""
    if isinstance(error, InqueryError):
        return error
    if type(error).__module__.partition(".")[0] != "pymysql":
        return errors.ConnectionLost(str(error)) if isinstance(error, OSError) else errors.InternalError(repr(error))
    number = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    text = str(error.args[-1]) if error.args else ""
    if number == _NO_ACCESS:
        return errors.PermissionDenied(text)
    if number == _NO_DATABASE:
        return errors.ConnectFailed(text, reason=NO_DATABASE)
    if number == _NO_ZONE:
        return errors.ConnectFailed(text, reason=NO_ZONE)
    if number in _BUSY:
        return errors.DatabaseBusy(text, seconds=0)
    if number in _CONNECT:
        return _not_connected(number, text)
    if number == 4078 and " row " in text:  # comparing with a subquery of several columns
        return errors.SubqueryCardinality(text)
    if number == 0:
        return errors.ConnectionLost(text) if type(error).__name__ == "InterfaceError" else errors.SqlFailed(text)
    return _BY_NUMBER.get(number, errors.SqlFailed)(text)


def _not_connected(number: int, text: str) -> InqueryError:
    lowered = text.lower()
    if number == 2026 or "ssl" in lowered:
        return errors.ConnectFailed(text, reason=NO_TLS)
    if "timed out" in lowered:
        return errors.ConnectFailed(text, reason=TIMED_OUT)
    return errors.ConnectFailed(text, reason=REFUSED if number in (2002, 2003, 2005) else OTHER)
