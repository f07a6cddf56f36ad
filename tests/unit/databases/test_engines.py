"""What can be shown of the engines that have no server here: arguments, dictionary queries, errors, refusals."""

import socket
import ssl
import sys

import pytest
import sqlglot

from inquery.databases.engines.bigquery import dictionary as bigquery_sql
from inquery.databases.engines.clickhouse import statements as clickhouse_sql
from inquery.databases.engines.cursors import only_query
from inquery.databases.engines.mssql import dictionary as mssql_sql
from inquery.databases.engines.oracle import dictionary as oracle_sql
from inquery.databases.engines.snowflake import dictionary as snowflake_sql
from inquery.databases.engines.trino import engine as trino
from inquery.databases.registry import ENGINES, open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import BadConnectionUrl, HostNotAllowed, InqueryError, MissingDriver, ReadOnlyViolation, SqlSyntax
from inquery.settings import DatabaseSettings

SETTINGS = DatabaseSettings()
DICTIONARIES = {
    "oracle": [*oracle_sql.INTROSPECTION.values(), oracle_sql.ROLE],
    "tsql": [*mssql_sql.INTROSPECTION.values(), mssql_sql.ROLE],
    "snowflake": [*snowflake_sql.INTROSPECTION.values(), snowflake_sql.ROLE],
    "bigquery": [
        sql.replace("{dataset}", "`p`.`d`")
        for sql in (*bigquery_sql.INTROSPECTION.values(), *bigquery_sql.EXTRAS.values())
    ],
    "trino": list(trino.INTROSPECTION.values()),
    "clickhouse": list(clickhouse_sql.INTROSPECTION.values()),
}


@pytest.mark.parametrize(
    ("dialect", "sql"), [(dialect, sql) for dialect, texts in DICTIONARIES.items() for sql in texts]
)
def test_dictionary_queries_are_queries_of_their_dialect(dialect: str, sql: str) -> None:
    (statement,) = sqlglot.parse(sql, read=dialect)
    assert isinstance(statement, sqlglot.exp.Query)
    assert not list(statement.find_all(sqlglot.exp.Command))


URLS = {
    "clickhouse": "clickhouse://u:p@127.0.0.1/d",
    "oracle": "oracle://u:p@127.0.0.1/service",
    "mssql": "mssql://u:p@127.0.0.1/d",
    "trino": "trino://u@127.0.0.1/c/s",
    "snowflake": "snowflake://u:p@account/d/s",
    "bigquery": "bigquery://project/dataset",
}


@pytest.mark.parametrize(("scheme", "url"), sorted(URLS.items()))
def test_a_missing_driver_names_the_extra(scheme: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, ENGINES[scheme].drivers[0].module, None)
    with pytest.raises(MissingDriver) as caught:
        open_engine(parse_address(url))
    assert f"inquery[{ENGINES[scheme].extra}]" in caught.value.public_message("zh")


@pytest.mark.parametrize(("scheme", "url"), sorted(URLS.items()))
def test_parameters_that_are_not_listed_are_refused(scheme: str, url: str) -> None:
    with pytest.raises(BadConnectionUrl) as caught:
        open_engine(parse_address(url + "?proxy_host=evil"))
    assert "proxy_host" in caught.value.public_message("en")


SINGLE = ["SELECT 1", "WITH a AS (SELECT 1 AS b) SELECT b FROM a", "(SELECT 1) UNION ALL (SELECT 2)"]
NOT_SINGLE = [
    "SELECT 1; SELECT 2", "DROP TABLE a", "INSERT INTO a VALUES (1)", "DELETE FROM a", "UPDATE a SET b = 1",
    "COMMIT", "", "EXEC xp_cmdshell 'x'", "MERGE INTO a USING b ON a.i = b.i WHEN MATCHED THEN DELETE",
    "WITH a AS (SELECT 1 AS b) DELETE FROM c",
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["tsql", "oracle", "snowflake", "trino"])
@pytest.mark.parametrize("text", SINGLE)
def test_one_query_passes(dialect: str, text: str) -> None:
    only_query(text, dialect)


@pytest.mark.parametrize("dialect", ["tsql", "oracle", "snowflake", "trino"])
@pytest.mark.parametrize("text", NOT_SINGLE)
def test_nothing_else_passes(dialect: str, text: str) -> None:
    with pytest.raises((ReadOnlyViolation, SqlSyntax)):
        only_query(text, dialect)


def test_select_into_writes() -> None:
    with pytest.raises(ReadOnlyViolation):
        only_query("SELECT 1 AS a INTO evil", "tsql")


def test_oracle_arguments() -> None:
    pytest.importorskip("oracledb")
    from inquery.databases.engines.oracle.engine import connect_arguments

    plain = connect_arguments(parse_address("oracle://u:p%40w@127.0.0.1:1600/sales"), SETTINGS)
    assert (plain["host"], plain["port"], plain["service_name"], plain["password"]) == (
        "127.0.0.1", 1600, "sales", "p@w",
    )  # fmt: skip
    secure = connect_arguments(parse_address("oracle://u:p@localhost/x?protocol=tcps&sid=S"), SETTINGS)
    assert (secure["host"], secure["port"], secure["sid"]) == ("localhost", 2484, "S")
    assert secure["ssl_server_dn_match"] is True
    import oracledb

    oracledb.ConnectParams(**{k: v for k, v in secure.items() if k != "wallet_location"})
    with pytest.raises(BadConnectionUrl):
        open_engine(parse_address("oracle://u:p@127.0.0.1"))
    with pytest.raises(BadConnectionUrl):
        open_engine(parse_address("oracle://u:p@127.0.0.1/x?protocol=beq"))


def test_mssql_arguments() -> None:
    from inquery.databases.engines.mssql.engine import connect_arguments

    arguments = connect_arguments(parse_address("mssql://u:p@db.example/shop?ca_file=/x.pem"), SETTINGS)
    assert (arguments["dsn"], arguments["database"], arguments["readonly"], arguments["autocommit"]) == (
        "db.example", "shop", True, False,
    )  # fmt: skip
    assert (arguments["cafile"], arguments["validate_host"], arguments["enc_login_only"]) == ("/x.pem", True, False)


def test_snowflake_arguments_and_accounts() -> None:
    from inquery.databases.engines.snowflake.engine import connect_arguments

    arguments = connect_arguments(parse_address("snowflake://u:p@acme-x/DB/S?warehouse=W&role=R"), SETTINGS)
    assert [arguments[k] for k in ("account", "database", "schema", "warehouse", "role")] == [
        "acme-x", "DB", "S", "W", "R",
    ]  # fmt: skip
    assert arguments["session_parameters"]["MULTI_STATEMENT_COUNT"] == 1


def test_clickhouse_arguments() -> None:
    pytest.importorskip("clickhouse_connect")
    from inquery.databases.engine import Limits
    from inquery.databases.engines.clickhouse.engine import client_arguments, query_settings

    arguments = client_arguments(parse_address("clickhouse://u:p@localhost:8443/d"), SETTINGS)
    assert (arguments["interface"], arguments["host"], arguments["server_host_name"]) == (
        "https", "127.0.0.1", "localhost",
    )  # fmt: skip
    assert arguments["pool_mgr"].connection_pool_kw["cert_reqs"] in {"CERT_REQUIRED", ssl.CERT_REQUIRED}
    assert query_settings(Limits(timeout_s=5, rows=10), 0)["readonly"] == 1
    assert "readonly" not in query_settings(Limits(), 2)
    assert query_settings(Limits(), 1) == {}


@pytest.mark.parametrize("url", [URLS[name] for name in ("clickhouse", "oracle", "mssql", "trino")])
def test_private_hosts_are_refused_where_the_settings_say_so(url: str) -> None:
    engine = open_engine(parse_address(url), settings=DatabaseSettings(private_networks=False))
    with pytest.raises(HostNotAllowed):
        engine.open()


@pytest.mark.parametrize("scheme", ["clickhouse", "oracle", "mssql", "trino"])
def test_a_port_where_nobody_listens(scheme: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    engine = open_engine(parse_address(URLS[scheme].replace("127.0.0.1", f"127.0.0.1:{port}")))
    with pytest.raises(Exception) as caught:
        engine.open()
    error = engine.classify(caught.value)
    assert isinstance(error, InqueryError)
    assert error.code == "connect_failed", repr(caught.value)
    assert "127.0.0.1" not in error.public_message("zh")
