"""Promise 3: whatever door, cache, retry, export or report a statement comes through, it was checked before it ran."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.integration.api_server import API, HOW_MANY, Served, served, streamed, wait_until

from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.sql import CheckedSql


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What reached the engine, in order."""
    found: list[Any] = []
    really = SqliteEngine.stream

    def spied(self: SqliteEngine, session: Any, sql: Any, limits: Any) -> Any:
        found.append(sql)
        return really(self, session, sql, limits)

    monkeypatch.setattr(SqliteEngine, "stream", spied)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("gate"), query={"cache_entries": 0}) as found:
        yield found


def test_every_door_runs_checked_statements_alone(server: Served, ran: list[Any]) -> None:
    reached: dict[str, int] = {}

    def through(door: str) -> None:
        reached[door] = len(ran)
        assert all(type(sql) is CheckedSql for sql in ran), door
        ran.clear()

    body = {"question": HOW_MANY, "connection_id": "shop"}
    with server.client() as client:
        asked = streamed(client, "/query/stream", {**body, "refresh": True})[-1]["answer"]
        through("stream")
        assert client.post(API + "/query", json={**body, "refresh": True}).json()["status"] == "answered"
        through("sync")
        assert client.post(API + "/query", json=body).json()["cache"] is not None
        through("cache")
        shop = next(each["id"] for each in client.get(API + "/connections").json() if each["name"] == "shop")
        assert client.post(f"{API}/connections/{shop}/sql", json={"sql": "SELECT 1 AS one"}).is_success
        through("own statement")
        assert client.get(f"{API}/results/{asked['result_id']}/export", params={"format": "csv"}).is_success
        through("export")
        assert client.post(f"{API}/connections/{shop}/refresh").is_success
        through("catalogue")
        report = {"name": "g", "connection_id": shop, "text": "# R\n\n{{table: SELECT COUNT(*) AS n FROM orders}}\n"}
        made = client.post(API + "/reports", json=report).json()["id"]
        run = client.post(f"{API}/reports/{made}/runs", json={}).json()["id"]
        assert wait_until(lambda: client.get(f"{API}/report-runs/{run}").json()["status"] != "running", 60)
        through("report")
    assert {door for door, times in reached.items() if times} >= {"stream", "sync", "own statement", "report"}, reached
