"""The ClickHouse engine over HTTP, against a small front on this machine with chdb behind it."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

pytest.importorskip("clickhouse_connect")
pytest.importorskip("chdb")

from inquery.databases.engine import Limits, no_progress
from inquery.databases.engines.clickhouse.engine import ClickhouseEngine, strong_grants
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import QueryTimeout, ReadOnlyViolation, UnknownTable
from inquery.sql.policy import _mint

# One request at a time; settings of the URL are set before the statement, readonly last, as a server does.
FRONT = """
import re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit
import chdb

db = chdb.connect(":memory:")
db.query("CREATE DATABASE shop")
db.query("CREATE TABLE shop.customer (id Int32, name Nullable(String) COMMENT 'n') ENGINE = MergeTree ORDER BY id COMMENT 'people'")
db.query("INSERT INTO shop.customer SELECT number + 1, '客户' || toString(number + 1) FROM numbers(40)")
KNOWN = {"max_execution_time", "timeout_overflow_mode", "max_result_rows", "result_overflow_mode", "readonly"}

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        params = dict(parse_qsl(urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        text = params.get("query", "") + body
        session = chdb.connect(":memory:")
        try:
            for name in sorted(params.keys() & KNOWN, key=lambda n: n == "readonly"):
                session.query(f"SET {name} = '{params[name]}'")
            for name in [n for n in params if n.startswith("param_")]:
                text = re.sub(r"{%s:\\w+}" % name[6:], "'" + params[name] + "'", text)
            if params.get("database"):
                session.query("USE " + params["database"])
            code, data = 200, session.query(text, "TabSeparated").bytes() or b""
        except Exception as error:
            code, data = 500, str(error).encode()
        finally:
            session.close()
        self.send_response(code)
        if code == 500:
            self.send_header("X-ClickHouse-Exception-Code", re.search(rb"Code: (\\d+)", data)[1].decode())
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    do_GET = do_POST
    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[ClickhouseEngine]:
    with subprocess.Popen([sys.executable, "-c", FRONT], stdout=subprocess.PIPE, text=True) as front:
        assert front.stdout is not None
        port = int(front.stdout.readline())
        made = open_engine(parse_address(f"clickhouse://default@127.0.0.1:{port}/shop"))
        assert isinstance(made, ClickhouseEngine)
        yield made
        front.kill()


def rows(engine: ClickhouseEngine, text: str, **limits: Any) -> list[tuple[Any, ...]]:
    session = engine.open()
    try:
        batches = engine.stream(session, _mint(text, dialect="clickhouse"), Limits(**limits))
        return [row for batch in batches for row in batch.rows]
    finally:
        engine.close(session)


def test_rows_and_caps(engine: ClickhouseEngine) -> None:
    assert rows(engine, "SELECT id, name FROM customer ORDER BY id LIMIT 2") == [(1, "客户1"), (2, "客户2")]
    assert len(rows(engine, "SELECT number FROM numbers(200000)", rows=100)) == 101


def test_an_empty_result_has_columns(engine: ClickhouseEngine) -> None:
    session = engine.open()
    try:
        sql = _mint("SELECT id, name FROM customer WHERE id < 0", dialect="clickhouse")
        (batch,) = engine.stream(session, sql, Limits())
    finally:
        engine.close(session)
    assert [(c.name, c.kind) for c in batch.columns] == [("id", "number"), ("name", "text")]


def test_the_catalogue_is_read(engine: ClickhouseEngine) -> None:
    (table,) = engine.introspect(no_progress).tables
    assert (table.full_name, table.comment, table.estimated_rows) == ("shop.customer", "people", 40)
    assert [(c.name, c.nullable, c.primary_key, c.comment) for c in table.columns] == [
        ("id", False, True, ""), ("name", True, False, "n"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [("SELECT * FROM nothing_such", UnknownTable), ("INSERT INTO customer VALUES (1, 'x')", ReadOnlyViolation)],
)
def test_errors_are_those_of_the_tree(engine: ClickhouseEngine, text: str, expected: type[Exception]) -> None:
    with pytest.raises(Exception) as caught:
        rows(engine, text)
    assert isinstance(engine.classify(caught.value), expected), caught.value


def test_the_limit_holds_on_the_server(engine: ClickhouseEngine) -> None:
    started = time.monotonic()
    with pytest.raises(Exception) as caught:
        rows(engine, "SELECT sum(sipHash64(number)) FROM numbers(100000000000000)", timeout_s=1)
    assert isinstance(engine.classify(caught.value), QueryTimeout)
    assert time.monotonic() - started < 10


def test_explain_counts_rows(engine: ClickhouseEngine) -> None:
    session = engine.open()
    try:
        estimate = engine.explain(session, _mint("SELECT name FROM customer", dialect="clickhouse"))
    finally:
        engine.close(session)
    assert estimate is not None
    assert (estimate.rows, estimate.full_scans) == (40, ("shop.customer",))


class Redirecting(BaseHTTPRequestHandler):
    """A server that sends its clients elsewhere."""

    seen: list[str]

    def do_POST(self) -> None:
        self.seen.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(307)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


def test_redirects_are_not_followed() -> None:
    Redirecting.seen = []
    with HTTPServer(("127.0.0.1", 0), Redirecting) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        engine = open_engine(parse_address(f"clickhouse://127.0.0.1:{server.server_port}/d"))
        with pytest.raises(Exception):  # noqa: B017
            engine.open()
        server.shutdown()
        thread.join()
    assert Redirecting.seen
    assert "/elsewhere" not in Redirecting.seen


def test_grants_that_reach_past_reading() -> None:
    reading = ["GRANT SELECT, SHOW ON shop.* TO r", "GRANT dictGet ON *.* TO r", "GRANT SELECT(id, name) ON a.b TO r"]
    assert strong_grants(reading) is None
    assert strong_grants([*reading, "GRANT INSERT, ALTER ON shop.* TO r"]) == "INSERT, ALTER"
