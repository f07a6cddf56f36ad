"""The profile and the set-up over HTTP, on a real server."""

import secrets
import time
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API

pytest.importorskip("duckdb")

SALES = "月份,部门,金额,实付金额\n2024年1月,A,￥5,￥4\n2024年2月,B,待定,￥4\n2024年3月,B,￥7,￥6\n2024年4月,B,￥9,￥8\n"


@pytest.fixture
def sales(client: httpx.Client) -> str:
    made = client.post(
        API + "/uploads",
        params={"filename": "sales.csv", "name": f"费用 {secrets.token_hex(4)}"},
        content=SALES.encode(),
    )
    assert made.status_code == 201, made.text
    assert any("待定" in text for text in made.json()["found"]["warnings"])
    return f"{API}/connections/{made.json()['id']}"


def ready(client: httpx.Client, sales: str) -> dict[str, Any]:
    for _ in range(200):
        found: dict[str, Any] = client.get(sales + "/profile", params={"language": "zh"}).json()
        if found["status"] == "ready":
            return found
        time.sleep(0.1)
    raise AssertionError("the first look never ended")


def test_a_profile_is_there_at_once_and_ends(client: httpx.Client, sales: str) -> None:
    first = client.get(sales + "/profile", params={"language": "zh"}).json()
    assert (first["tables"], first["rows"], first["first"]) == (1, 4, "2024-01-01")
    assert {note["column"] for note in first["notes"]} == {"月份", "金额", "实付金额"}
    found = ready(client, sales)
    assert found["done"] == found["total"] > 0


def test_replies_go_into_the_glossary(client: httpx.Client, sales: str) -> None:
    (asked, *_) = client.get(sales + "/setup").json()
    assert (asked["kind"], asked["state"]) == ("revenue", "open")
    left = client.post(sales + "/setup", json={"id": asked["id"], "reply": "实付金额"}).json()
    assert (left[0]["state"], left[0]["reply"]) == ("answered", "实付金额")
    glossary = client.get(sales + "/glossary").json()["glossary"]
    assert "实付金额" in glossary["metrics"]["revenue"]["expression"]
    assert client.post(sales + "/setup", json={"id": asked["id"], "reply": "x"}).status_code == 422
    assert client.post(sales + "/setup", json={"id": "time:x", "reply": "x"}).status_code == 404
