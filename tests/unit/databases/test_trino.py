"""The Trino engine against a server on this machine that speaks Trino's protocol."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("trino")

from inquery.databases.engine import Limits, no_progress
from inquery.databases.engines.trino.engine import TrinoEngine, TrinoSession, estimate
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import HostNotAllowed, InqueryError, ReadOnlyViolation, UnknownColumn
from inquery.sql.policy import _mint

NUMBER = {"name": "n", "type": "bigint", "typeSignature": {"rawType": "bigint", "arguments": []}}
TEXT = {"name": "t", "type": "varchar", "typeSignature": {"rawType": "varchar", "arguments": [{"value": 9}]}}


class Server(ThreadingHTTPServer):
    """Answers statements with the pages a test gives, and remembers what it was asked."""

    pages: list[dict[str, Any]]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.statements, self.deleted, self.headers = [], [], [], {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def page(self, number: int) -> dict[str, Any]:
        page = {"id": "q1", "infoUri": self.url, "stats": {"state": "RUNNING"}, **self.pages[number]}
        if number + 1 < len(self.pages):
            page.setdefault("nextUri", f"{self.url}/v1/statement/executing/q1/{number + 1}")
        return page


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.statements.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.headers = dict(self.headers)
        self._reply(self.server.page(0))

    def do_GET(self) -> None:
        self._reply(self.server.page(int(self.path.rpartition("/")[2])))

    def do_DELETE(self) -> None:
        self.server.deleted.append(self.path)
        self.send_response(204)
        self.end_headers()

    def _reply(self, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def engine(server: Server) -> TrinoEngine:
    made = open_engine(parse_address(f"trino://ann@127.0.0.1:{server.server_port}/lake/shop"))
    assert isinstance(made, TrinoEngine)
    return made


def rows(engine: TrinoEngine, text: str, **limits: Any) -> list[tuple[Any, ...]]:
    batches = engine.stream(TrinoSession(), _mint(text, dialect="trino"), Limits(**limits))
    return [row for batch in batches for row in batch.rows]


def test_pages_become_rows(engine: TrinoEngine, server: Server) -> None:
    server.pages = [
        {},
        {"columns": [NUMBER, TEXT], "data": [[1, "一"]]},
        {"columns": [NUMBER, TEXT], "data": [[2, None]]},
        {},
    ]
    assert rows(engine, "SELECT n, t FROM x", timeout_s=7) == [(1, "一"), (2, None)]
    assert server.statements == ["SELECT n, t FROM x"]
    assert server.headers["X-Trino-Catalog"] == "lake"
    assert server.headers["X-Trino-Schema"] == "shop"
    assert "query_max_run_time=7000ms" in server.headers["X-Trino-Session"]


def test_leaving_early_ends_the_statement(engine: TrinoEngine, server: Server) -> None:
    page = {"columns": [NUMBER], "data": [[i] for i in range(100)]}
    server.pages = [page] * 50
    assert len(rows(engine, "SELECT n FROM x", rows=120)) == 121
    assert server.deleted


def test_a_page_elsewhere_is_not_followed(engine: TrinoEngine, server: Server) -> None:
    server.pages = [{"nextUri": "http://169.254.169.254/latest/meta-data"}, {}]
    with pytest.raises(HostNotAllowed):
        rows(engine, "SELECT 1")


def test_an_error_of_the_server(engine: TrinoEngine, server: Server) -> None:
    error = {"errorName": "COLUMN_NOT_FOUND", "errorType": "USER_ERROR", "errorCode": 47, "message": "Column 'x'"}
    server.pages = [{"error": error}]
    with pytest.raises(Exception) as caught:
        rows(engine, "SELECT x FROM y")
    assert isinstance(engine.classify(caught.value), UnknownColumn)


def test_only_queries_are_sent(engine: TrinoEngine, server: Server) -> None:
    for text in ("DROP TABLE x", "SELECT 1; SELECT 2", "SET SESSION a = 1", "CALL system.x()"):
        with pytest.raises(InqueryError):
            rows(engine, text)
    with pytest.raises(ReadOnlyViolation):
        rows(engine, "DELETE FROM x")
    assert server.statements == []


def test_the_catalogue_is_read_in_two_statements(engine: TrinoEngine, server: Server) -> None:
    kinds = [dict(TEXT, name=f"c{i}") for i in range(7)]
    answers = [
        [{"columns": kinds[:5], "data": [["lake", "shop", "t", "TABLE", "a table"], ["lake", "shop", "v", "VIEW", None]]}],
        [{"columns": kinds, "data": [["lake", "shop", "t", "id", "bigint", "NO", None], ["lake", "shop", "v", "id", "bigint", "YES", "c"]]}],
    ]  # fmt: skip
    server.page = lambda number: {  # type: ignore[method-assign]
        "id": "q", "infoUri": server.url, "stats": {"state": "FINISHED"}, **answers[len(server.statements) - 1][number]
    }  # fmt: skip
    catalog = engine.introspect(no_progress)
    assert [(t.full_name, t.kind, t.comment) for t in catalog.tables] == [
        ("lake.shop.t", "table", "a table"), ("lake.shop.v", "view", ""),
    ]  # fmt: skip
    assert [c.nullable for t in catalog.tables for c in t.columns] == [False, True]
    assert all("table_cat = 'lake'" in text for text in server.statements)


def test_estimates_that_are_unknown() -> None:
    assert estimate('{"estimates": [{"outputRowCount": "NaN"}]}').rows is None
    assert estimate('{"estimates": [{"outputRowCount": 41.6, "outputSizeInBytes": 100}]}').rows == 42
