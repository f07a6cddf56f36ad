"""The BigQuery engine against bqemulator; billing bounds and IAM are not emulated and not shown here."""

import datetime
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from google.api_core.exceptions import GoogleAPIError
from google.auth.credentials import AnonymousCredentials
from google.cloud import bigquery

from inquery.databases.engine import Limits, Result, no_progress
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import InqueryError, ReadOnlyViolation, SqlFixable, SqlSyntax, UnknownTable
from inquery.sql import Policy, SqlRefused, check
from inquery.sql.policy import _mint

PROGRAM = os.environ["INQUERY_TEST_BQEMULATOR"]  # set by run.sh
URL = "bigquery://acme/shop"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "the emulator ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the emulator did not start")


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    port = free_port()
    command = [PROGRAM, "start", "--rest-port", str(port), "--grpc-port", str(free_port()), "--project", "acme"]
    environment = os.environ | {"HOME": str(Path(PROGRAM).parents[1] / "home")}
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        wait_for(port, server)
        os.environ["BIGQUERY_EMULATOR_HOST"] = f"http://127.0.0.1:{port}"
        fill()
        executor.attach("shop", open_engine(parse_address(URL)))
        yield "shop"
        executor.detach("shop")
    finally:
        os.environ.pop("BIGQUERY_EMULATOR_HOST", None)
        server.terminate()
        server.wait(10)


def fill() -> None:
    client = bigquery.Client(project="acme", credentials=AnonymousCredentials())
    client.create_dataset("shop")
    client.query(
        "CREATE TABLE shop.customer (id INT64 NOT NULL, name STRING OPTIONS(description='客户名称'), amount NUMERIC,"
        " born DATE, seen DATETIME, active BOOL) OPTIONS(description='people')"
    ).result()
    values = ", ".join(
        f"({i}, '客户 {i}', {i} * 1.25, DATE '2024-01-02', DATETIME '2024-01-02 03:04:05', {i % 2 == 0})"
        for i in range(1, 41)
    )
    client.query(f"INSERT INTO shop.customer VALUES {values}").result()
    client.query("CREATE VIEW shop.grown AS SELECT id FROM shop.customer WHERE id > 18").result()
    client.close()


async def run(text: str, **limits: object) -> Result:
    return await executor.execute("shop", _mint(text, dialect="bigquery"), limits=Limits(**limits), fresh=True)  # type: ignore[arg-type]


async def test_values_come_as_plain_python(shop: str) -> None:
    result = await run("SELECT id, name, amount, born, seen, active, [1, 2] AS list FROM shop.customer WHERE id = 3")
    assert result.rows == [
        (3, "客户 3", Decimal("3.75"), datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), False, [1, 2])
    ]
    kinds = [column.kind for column in result.columns]
    assert kinds == ["number", "text", "number", "date", "datetime", "boolean", "json"]


async def test_rows_are_capped_and_empty_results_have_columns(shop: str) -> None:
    capped = await run("SELECT id FROM customer", rows=10)
    assert (capped.row_count, capped.truncated) == (10, "rows")
    empty = await run("SELECT id, name FROM customer WHERE id < 0")
    assert (empty.rows, [c.name for c in empty.columns]) == ([], ["id", "name"])


def test_the_catalogue_is_read(shop: str) -> None:
    catalog = open_engine(parse_address(URL)).introspect(no_progress)
    tables = {table.full_name: table for table in catalog.tables}
    assert set(tables) == {"shop.customer", "shop.grown"}
    customer = tables["shop.customer"]
    assert (customer.kind, tables["shop.grown"].kind) == ("table", "view")
    assert [(c.name, c.nullable) for c in customer.columns][:2] == [("id", False), ("name", True)]


async def test_checked_sql_runs(shop: str) -> None:
    catalog = open_engine(parse_address(URL)).introspect(no_progress)
    sql = check("SELECT name FROM customer ORDER BY id", dialect="bigquery", catalog=catalog, policy=Policy(row_cap=5))
    assert (await executor.execute("shop", sql)).row_count == 5
    with pytest.raises(SqlRefused):
        check("DROP TABLE shop.customer", dialect="bigquery", catalog=catalog)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM shop.nothing_such", UnknownTable),
        ("SELECT nothing_such FROM shop.customer", SqlFixable),
        ("SELECT FROM WHERE", SqlSyntax),
        ("SELECT CAST(name AS INT64) FROM shop.customer", SqlFixable),
    ],
)
async def test_errors_are_those_of_the_tree(shop: str, text: str, expected: type[InqueryError]) -> None:
    with pytest.raises(expected):
        await run(text)


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE shop.customer",
        "DELETE FROM shop.customer WHERE TRUE",
        "INSERT INTO shop.customer (id) VALUES (99)",
        "SELECT 1; DROP TABLE shop.customer",
        "CREATE TABLE shop.evil AS SELECT 1 AS a",
        "EXPORT DATA OPTIONS(uri='gs://x/*', format='CSV') AS SELECT 1 AS a",
    ],
)
async def test_nothing_but_a_query_runs_even_without_the_guard(shop: str, text: str) -> None:
    with pytest.raises((ReadOnlyViolation, SqlFixable)):
        await run(text)
    assert (await run("SELECT count(*) FROM shop.customer")).rows == [(40,)]


def test_a_dry_run_reads_nothing(shop: str) -> None:
    engine = open_engine(parse_address(URL))
    session = engine.open()
    try:
        assert engine.explain(session, _mint("SELECT * FROM shop.customer", dialect="bigquery")) is not None
        with pytest.raises((InqueryError, GoogleAPIError)):
            engine.explain(session, _mint("SELECT * FROM shop.nothing_such", dialect="bigquery"))
    finally:
        engine.close(session)
