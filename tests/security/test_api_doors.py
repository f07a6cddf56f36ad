"""What the server refuses, hides and promises whoever knocks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, Served, served
from tests.integration.people import town

from inquery.api.app import create_app
from inquery.errors import UnsafeServer
from inquery.settings import Settings
from inquery.store import open_store
from inquery.store.users import Users

CANARY = "canary-4f1d"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("doors"), server={"body_bytes": 100_000}) as found:
        yield found


@pytest.fixture
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as found:
        yield found


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])
def test_a_server_that_others_can_reach_does_not_start_without_users(host: str, own_home: Path) -> None:
    with pytest.raises(UnsafeServer):
        create_app(Settings(home=own_home, server={"host": host}))


def test_a_server_that_asks_for_users_needs_one_and_may_make_the_first(own_home: Path) -> None:
    settings = Settings(home=own_home, identity={"mode": "users"})
    with pytest.raises(UnsafeServer):
        create_app(settings)
    given = Settings(home=own_home, server={"host": "0.0.0.0"}, identity={"admin_password": "correct horse battery"})
    create_app(given)
    create_app(settings)  # there is one now, from whatever address it is reached
    store = open_store(settings)
    (made,) = Users(store).list()
    assert (made.name, made.role) == ("admin", "admin")
    Users(store).set_password("admin", "another phrase here")
    create_app(given)
    assert Users(store).sign_in("admin", "correct horse battery") is None, "the environment's is used once"
    store.close()


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded", "x-real-ip"])
def test_whom_a_proxy_brings_is_not_this_machines_user(client: httpx.Client, name: str) -> None:
    answer = client.get(API + "/threads", headers={name: "203.0.113.7"})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_a_trusted_proxy_says_where_a_caller_is(tmp_path: Path) -> None:
    with town(tmp_path, server={"trusted_proxies": ["127.0.0.0/8"]}) as people, people.client("ann") as ann:
        passed = {"x-forwarded-for": "198.51.100.9, 203.0.113.7, 127.0.0.2"}
        ann.post(API + "/threads", json={}, headers=passed).raise_for_status()
        with people.client("root") as root:
            (entry,) = root.get(API + "/audit", params={"action": "threads.begin"}).json()["entries"]
    assert entry["address"] == "203.0.113.7", "what the caller itself wrote before it is not believed"


def test_behind_tls_the_cookie_is_bound_to_it(tmp_path: Path) -> None:
    public = "https://ask.example.org"
    with town(tmp_path, server={"public_url": public}) as people, people.server.client() as browser:
        body = {"name": "ann", "password": "correct horse battery"}
        signed = browser.post(API + "/auth/login", json=body, headers={"origin": public})
        cookie = signed.headers["set-cookie"]
        assert cookie.startswith("__Host-inquery=")
        assert "Secure" in cookie
        held = {"cookie": cookie.partition(";")[0], "origin": public}
        assert browser.post(API + "/threads", json={}, headers=held).status_code == 201


def test_a_file_that_is_too_large_is_refused_and_not_kept(tmp_path: Path) -> None:
    with served(tmp_path, server={"upload_bytes": 1000}) as small, small.client() as client:
        where = {"filename": "x.csv"}
        assert client.post(API + "/uploads", params=where, content=b"a,b\n" * 1000).status_code == 413
        assert client.post(API + "/uploads", params=where, content=(b"a,b\n" for _ in range(1000))).status_code == 413
        assert [path for path in (small.settings.home / "files").glob("*/*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 422, "bad_request"),
        (b"[]", 422, "bad_request"),
        (b'{"question": 3}', 422, "bad_request"),
        (b'{"question": "x", "unknown": 1}', 422, "bad_request"),
        (b'{"question": "   "}', 422, "question_empty"),
        (json.dumps({"question": "x" * 5000}).encode(), 422, "question_too_long"),
        (b'{"question": "\\ud800"}', 422, "bad_request"),
        (b'{"question": "x", "page": 0}', 422, "bad_request"),
        (b'{"question": "x", "thread_id": "somebody-elses"}', 404, "not_found"),
        (b'{"question": "x", "connection_id": "nowhere"}', 404, "not_found"),
        (b'{"question": "x", "agent_id": "nobody"}', 404, "not_found"),
        (b'{"question": "' + b"x" * 200_000 + b'"}', 413, "body_too_large"),
    ],
)
@pytest.mark.parametrize("route", ["/query", "/query/stream"])
def test_a_bad_question_is_refused_with_its_reason(
    client: httpx.Client, route: str, body: bytes, status: int, code: str
) -> None:
    answer = client.post(API + route, content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"code", "message", "retryable"}


def test_a_body_without_a_length_is_bounded_too(client: httpx.Client) -> None:
    answer = client.post(API + "/query", content=(b"x" * 10_000 for _ in range(50)))
    assert answer.status_code == 413


def test_errors_speak_the_callers_language(client: httpx.Client) -> None:
    told = [
        client.get(API + "/threads/none", headers={"accept-language": wanted}).json()["message"]
        for wanted in ("en", "zh-CN,zh;q=0.9,en;q=0.8", "fr, zh;q=0.1, en;q=0.5")
    ]
    assert told == [
        "There is no conversation named none.",
        "没有名为 none 的对话。",
        "There is no conversation named none.",
    ]


@pytest.mark.parametrize("path", ["/", "/health/live", API + "/threads", API + "/nothing", API + "/openapi.json"])
def test_every_answer_has_a_strict_policy(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


def test_other_sites_pages_and_names_are_turned_away(client: httpx.Client, server: Served) -> None:
    assert client.get(API + "/threads", headers={"host": "evil.example"}).status_code == 403
    body = {"question": HOW_MANY}
    assert client.post(API + "/query", json=body, headers={"origin": "https://evil.example"}).status_code == 403
    assert client.post(API + "/query", json=body, headers={"origin": server.url}).status_code == 200


def test_a_connections_secret_is_never_told(client: httpx.Client, server: Served) -> None:
    url = f"postgresql://reader:{CANARY}@127.0.0.1:1/none"
    failed = client.post(API + "/connections", json={"name": "far", "url": url})
    assert failed.status_code == 502
    from inquery.store import Connections, open_store

    kept = Connections(open_store(server.settings)).add("far", url)
    try:
        told = [failed.text, client.get(API + "/connections").text, client.get(f"{API}/connections/{kept.id}").text]
        told.append(client.get(f"{API}/connections/{kept.id}/tables").text)
        told.append(client.post(API + "/query", json={"question": HOW_MANY, "connection_id": "far"}).text)
        told.append(client.get("/metrics").text)
        assert [text for text in told if CANARY in text] == []
        files = [path for path in server.settings.home.rglob("*") if path.is_file()]
        assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []
    finally:
        client.delete(f"{API}/connections/{kept.id}")


@pytest.mark.parametrize(
    "glossary",
    [
        {"terms": 3},
        {"joins": 3},
        {"metrics": [1]},
        {"values": {"a": {"b": 3}, "c": 1}},
        {"tables": {"t": {"columns": 3}}},
    ],
)
def test_a_glossary_of_any_shape_is_kept_or_refused(client: httpx.Client, glossary: dict[str, Any]) -> None:
    answer = client.put(f"{API}/connections/shop/glossary", json={"glossary": glossary})
    assert answer.status_code in {200, 422}, answer.text


def test_paths_that_climb_out_of_the_page_lead_nowhere(client: httpx.Client) -> None:
    for path in ("/../pyproject.toml", "/%2e%2e/%2e%2e/pyproject.toml", "/assets/..%2f..%2fapi/app.py", "/%00"):
        answer = client.get(path)
        assert "inquery" not in answer.text or "doctype" in answer.text
        assert answer.status_code in {200, 400, 404, 422}
