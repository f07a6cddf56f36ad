"""Driver errors are mapped by their codes; every code table leads into the tree."""

from typing import Any

import pytest

from inquery.databases.engines.bigquery import dictionary as bigquery_sql
from inquery.databases.engines.clickhouse import errors as clickhouse_errors
from inquery.databases.engines.mssql import dictionary as mssql_sql
from inquery.databases.engines.oracle import dictionary as oracle_sql
from inquery.databases.engines.snowflake import dictionary as snowflake_sql
from inquery.databases.engines.trino import errors as trino_errors
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    AuthFailed,
    ConnectFailed,
    ConnectionLost,
    CostTooHigh,
    InqueryError,
    PermissionDenied,
    QueryCancelled,
    QueryTimeout,
    ReadOnlyViolation,
    SqlFailed,
    SqlSyntax,
    SubqueryCardinality,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)


def clickhouse(code: int) -> BaseException:
    from clickhouse_connect.driver.exceptions import DatabaseError

    return DatabaseError(f"Code: {code}. DB::Exception: text", code=code)


def oracle(text: str) -> BaseException:
    import oracledb

    return oracledb.DatabaseError(text)


def mssql(number: int) -> BaseException:
    import pytds

    error = pytds.ProgrammingError("text")
    error.number = number
    return error


def trino(name: str) -> BaseException:
    from trino.exceptions import TrinoUserError

    return TrinoUserError({"errorName": name, "errorType": "USER_ERROR", "errorCode": 1, "message": "text"}, "id")


class Coded(Exception):
    """An error with a driver's attributes, for drivers that are not installed here."""

    def __init__(self, text: str, **attributes: Any) -> None:
        super().__init__(text)
        self.__dict__.update(attributes)


CLICKHOUSE = [
    (47, UnknownColumn), (60, UnknownTable), (62, SqlSyntax), (43, TypeMismatch), (125, SubqueryCardinality),
    (215, AggregationError), (497, PermissionDenied), (164, ReadOnlyViolation), (159, QueryTimeout),
    (394, QueryCancelled), (516, AuthFailed), (999_999, SqlFailed),
]  # fmt: skip
ORACLE = [
    ('ORA-00904: "X": invalid identifier', UnknownColumn), ("ORA-00942: table or view does not exist", UnknownTable),
    ("ORA-00918: column ambiguously defined", AmbiguousColumn), ("ORA-00933: not properly ended", SqlSyntax),
    ("ORA-01722: invalid number", TypeMismatch), ("ORA-01427: more than one row", SubqueryCardinality),
    ("ORA-00979: not a GROUP BY expression", AggregationError), ("ORA-01031: privileges", PermissionDenied),
    ("ORA-01456: READ ONLY transaction", ReadOnlyViolation), ("ORA-01013: user requested cancel", QueryCancelled),
    ("DPY-4024: call timeout of 1 ms exceeded", QueryTimeout), ("ORA-01017: invalid username", AuthFailed),
    ("DPY-6005: cannot connect to database", ConnectFailed), ("ORA-03113: end-of-file", ConnectionLost),
    ("ORA-12514: listener does not know of service", ConnectFailed), ("ORA-01476: divisor is zero", SqlFailed),
]  # fmt: skip
MSSQL = [
    (207, UnknownColumn), (208, UnknownTable), (209, AmbiguousColumn), (102, SqlSyntax), (245, TypeMismatch),
    (512, SubqueryCardinality), (8120, AggregationError), (229, PermissionDenied), (3906, ReadOnlyViolation),
    (18456, AuthFailed), (8134, SqlFailed),
]  # fmt: skip
TRINO = [
    ("COLUMN_NOT_FOUND", UnknownColumn), ("TABLE_NOT_FOUND", UnknownTable), ("SYNTAX_ERROR", SqlSyntax),
    ("AMBIGUOUS_NAME", AmbiguousColumn), ("TYPE_MISMATCH", TypeMismatch), ("PERMISSION_DENIED", PermissionDenied),
    ("EXCEEDED_TIME_LIMIT", QueryTimeout), ("USER_CANCELED", QueryCancelled), ("DIVISION_BY_ZERO", SqlFailed),
]  # fmt: skip
SNOWFLAKE = [
    (904, "42000", "invalid identifier 'X'", UnknownColumn), (2003, "42S02", "does not exist", UnknownTable),
    (1003, "42000", "SQL compilation error: syntax error", SqlSyntax), (100038, "22018", "Numeric value", TypeMismatch),
    (630, "57014", "reached its statement timeout", QueryTimeout), (604, "57014", "SQL execution canceled", QueryCancelled),
    (390100, "08001", "Incorrect username or password", AuthFailed), (250001, "08001", "Could not connect", ConnectFailed),
    (0, "42501", "Insufficient privileges to operate", PermissionDenied), (100051, "22012", "Division by zero", SqlFailed),
]  # fmt: skip
BIGQUERY = [
    ("invalidQuery", 400, "Unrecognized name: x at [1:8]", UnknownColumn),
    ("invalidQuery", 400, "Syntax error: Unexpected end of script", SqlSyntax),
    ("notFound", 404, "Not found: Table p:d.t was not found in location US", UnknownTable),
    ("invalidQuery", 400, "Column name id is ambiguous at [1:8]", AmbiguousColumn),
    ("invalidQuery", 400, "SELECT list expression references column a which is neither grouped nor aggregated", AggregationError),
    ("invalidQuery", 400, "No matching signature for operator + for argument types: INT64, STRING", TypeMismatch),
    ("accessDenied", 403, "Access Denied: Table p:d.t", PermissionDenied),
    ("bytesBilledLimitExceeded", 400, "Query exceeded limit for bytes billed", CostTooHigh),
    ("stopped", 400, "Job execution was cancelled", QueryCancelled),
    ("authError", 401, "Invalid Credentials", AuthFailed),
    ("backendError", 503, "Error encountered", SqlFailed),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), CLICKHOUSE)
def test_clickhouse(code: int, expected: type[InqueryError]) -> None:
    pytest.importorskip("clickhouse_connect")
    assert type(clickhouse_errors.classify(clickhouse(code))) is expected


@pytest.mark.parametrize(("text", "expected"), ORACLE)
def test_oracle(text: str, expected: type[InqueryError]) -> None:
    pytest.importorskip("oracledb")
    assert type(oracle_sql.classify(oracle(text))) is expected


@pytest.mark.parametrize(("number", "expected"), MSSQL)
def test_mssql(number: int, expected: type[InqueryError]) -> None:
    pytest.importorskip("pytds")
    assert type(mssql_sql.classify(mssql(number))) is expected


@pytest.mark.parametrize(("name", "expected"), TRINO)
def test_trino(name: str, expected: type[InqueryError]) -> None:
    pytest.importorskip("trino")
    assert type(trino_errors.classify(trino(name))) is expected


@pytest.mark.parametrize(("errno", "sqlstate", "text", "expected"), SNOWFLAKE)
def test_snowflake(errno: int, sqlstate: str, text: str, expected: type[InqueryError]) -> None:
    assert type(snowflake_sql.classify(Coded(text, errno=errno, sqlstate=sqlstate))) is expected


@pytest.mark.parametrize(("reason", "status", "text", "expected"), BIGQUERY)
def test_bigquery(reason: str, status: int, text: str, expected: type[InqueryError]) -> None:
    error = Coded(text, errors=[{"reason": reason, "message": text}], code=status)
    assert type(bigquery_sql.classify(error)) is expected


@pytest.mark.parametrize(
    "table",
    [clickhouse_errors.BY_CODE, oracle_sql.BY_NUMBER, oracle_sql.BY_DRIVER, mssql_sql.BY_NUMBER, trino_errors.BY_NAME,
     snowflake_sql.BY_NUMBER, snowflake_sql.BY_STATE, bigquery_sql.BY_REASON],
)  # fmt: skip
def test_every_code_leads_into_the_tree(table: dict[Any, type[InqueryError]]) -> None:
    assert all(issubclass(cls, InqueryError) and cls.code != "internal" for cls in table.values())
