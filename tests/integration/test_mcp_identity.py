"""MCP where people sign in: the same keys, rights, grants and audit as every other route."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from tests.integration.api_server import API, HOW_MANY, IN_BEIJING
from tests.integration.people import Town, town
from tests.integration.test_mcp import called, told

from inquery.store import open_store
from inquery.store.grants import Grants, Rules

LISTED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPTS = {"accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("town"), charts={"render_key": "let me draw"}) as found:
        yield found


@asynccontextmanager
async def session_of(place: Town, name: str) -> AsyncIterator[ClientSession]:
    headers = {"authorization": f"Bearer {place.keys[name]}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(place.server.url + "/mcp", http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield session


def test_a_stranger_is_turned_away_and_told_so(place: Town) -> None:
    with place.client(None) as stranger:
        sent = stranger.post("/mcp", json=LISTED, headers=ACCEPTS)
        assert (sent.status_code, sent.json()["code"]) == (401, "not_signed_in")
    with place.client("vic") as known:
        assert known.post("/mcp", json=LISTED, headers=ACCEPTS).status_code == 200


async def test_a_viewer_asks_but_writes_no_sql(place: Town) -> None:
    async with session_of(place, "vic") as session:
        assert (await called(session, "ask", question=HOW_MANY))["rows"] == [["Beijing", 2], ["Paris", 2]]
        error = told(await session.call_tool("run_sql", {"sql": "SELECT COUNT(*) FROM orders", "connection": "shop"}))
        assert error["code"] == "forbidden"


async def test_a_grant_bounds_every_tool(place: Town) -> None:
    grants = Grants(open_store(place.server.settings))
    rules = Rules(
        tables=("customers",), hidden_columns=("customers.name",), row_filters={"customers": "city = 'Paris'"}
    )
    grants.put(place.shop, "user", place.ids["ann"], rules)
    try:
        async with session_of(place, "ann") as session:
            shop: dict[str, Any] = {"connection": "shop"}
            tables = await called(session, "list_tables", **shop)
            assert [table["name"] for table in tables["tables"]] == ["customers"]
            columns = (await called(session, "describe_table", name="customers", **shop))["columns"]
            assert [column["name"] for column in columns] == ["customer_id", "city"]
            rows = await called(session, "run_sql", sql="SELECT * FROM customers", **shop)
            assert (rows["columns"], rows["rows"]) == (["customer_id", "city"], [[2, "Paris"]])
            for sql in ("SELECT name FROM customers", "SELECT * FROM orders"):
                assert told(await session.call_tool("run_sql", {"sql": sql, **shop}))["code"] == "sql_refused"
    finally:
        grants.put(place.shop, "user", place.ids["ann"], Rules())


async def test_what_is_anothers_does_not_exist(place: Town) -> None:
    async with session_of(place, "ann") as session:
        asked = await called(session, "ask", question=IN_BEIJING)
    async with session_of(place, "bob") as session:
        for arguments in ({"reply": "1"}, {"question": "thanks"}):
            error = told(await session.call_tool("ask", {"thread_id": asked["thread_id"], **arguments}))
            assert error["code"] == "not_found"
        assert told(await session.call_tool("list_tables", {"connection": "shop"}))["code"] == "not_found"


async def test_statements_are_written_down(place: Town) -> None:
    async with session_of(place, "ann") as session:
        await called(session, "run_sql", sql="SELECT COUNT(*) AS n FROM stores", connection="shop")
        told(await session.call_tool("run_sql", {"sql": "DROP TABLE stores", "connection": "shop"}))
    with place.client("root") as root:
        entries = root.get(API + "/audit", params={"action": "sql.run", "limit": 2}).json()
    found = entries["entries"] if isinstance(entries, dict) else entries
    assert {(entry["user_name"], entry["outcome"]) for entry in found[:2]} == {("ann", "ok"), ("ann", "sql_refused")}


def test_the_renderer_lets_in_users_and_who_has_its_key(place: Town) -> None:
    body = {"type": "pie", "data": [{"category": "A", "value": 1}, {"category": "B", "value": 2}]}
    with place.client(None) as stranger, place.client("vic") as user:
        assert stranger.post(API + "/charts/render", json=body).status_code == 401
        assert stranger.post(API + "/charts/render", json=body, params={"key": "let me"}).status_code == 401
        drawn = stranger.post(API + "/charts/render", json=body, params={"key": "let me draw"}).json()
        assert drawn["success"]
        assert stranger.get(drawn["resultObj"]).status_code == 401
        assert user.get(drawn["resultObj"]).headers["content-type"] == "image/png"
