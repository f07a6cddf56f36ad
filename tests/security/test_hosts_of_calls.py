"""Promise 28: what Inquery calls by itself follows one policy, and a key goes to no host but its own."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import SecretStr
from tests.integration.api_server import API, served
from tests.integration.people import Town, town
from tests.sink import Sink, sink

from inquery.api.oidc_client import Provider
from inquery.databases.transport import hosts
from inquery.databases.transport.outgoing import (
    OF_SETTINGS,
    Outgoing,
    check_url,
    checked_client,
    pinned,
    rules_of_people,
)
from inquery.errors import BadRequest, ConnectFailed, HostNotAllowed, InqueryError, ProviderUnavailable
from inquery.llm.providers import open_chat
from inquery.reports.deliver import check_target, delivered, to_webhook
from inquery.reports.render import Document
from inquery.settings import LLMSettings, Settings
from inquery.store import open_store
from inquery.store.model_rows import SavedModels

NEVER = [
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://224.0.0.1/",
    "http://[fd00:ec2::254]/",
]
INSIDE = ["http://127.0.0.1/", "http://[::1]/", "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/", "http://localhost/", "http://127.1/", "http://[::ffff:10.0.0.1]/", "http://100.64.0.1/", "http://[fd00::1]/"]  # fmt: skip
CLOSED = Outgoing([], False)
PAPER = Document("md", b"x")


@pytest.mark.parametrize("url", NEVER)
def test_no_setting_lets_a_metadata_address_be_called(url: str) -> None:
    for rules in (OF_SETTINGS, CLOSED, Outgoing(["*", "0.0.0.0/0", "::/0"], True)):
        with pytest.raises(HostNotAllowed):
            check_url(url, rules)


@pytest.mark.parametrize("url", INSIDE)
def test_private_addresses_are_called_where_the_rules_let_it(url: str) -> None:
    check_url(url, OF_SETTINGS)
    with pytest.raises(HostNotAllowed):
        check_url(url, CLOSED)


@pytest.mark.parametrize(
    "url", ["", "x", "ftp://host/", "file:///etc/passwd", "http://", "http://a:b@host/", "http://host\\@other/", "http://host:x/", "http://ho\nst/"]
)  # fmt: skip
def test_what_programs_read_differently_is_no_address(url: str) -> None:
    with pytest.raises(BadRequest):
        check_url(url, OF_SETTINGS)


def test_a_name_that_nobody_knows_is_told_like_a_private_one() -> None:
    with pytest.raises(ConnectFailed):
        check_url("http://no-such-host.invalid/", OF_SETTINGS)
    with pytest.raises(HostNotAllowed):
        check_url("http://no-such-host.invalid/", CLOSED)


@pytest.mark.parametrize(
    ("settings", "private"),
    [
        ({}, True),
        ({"identity": {"mode": "users"}}, False),
        ({"server": {"host": "0.0.0.0"}}, False),
        ({"identity": {"mode": "users"}, "outgoing": {"private_networks": True}}, True),
        ({"outgoing": {"private_networks": False}}, False),
        ({"database": {"private_networks": False}}, False),
    ],
)
def test_people_call_private_addresses_where_they_own_the_machine(settings: dict[str, Any], private: bool) -> None:
    assert rules_of_people(Settings(**settings)).private_networks is private


def test_a_list_of_hosts_holds_for_people() -> None:
    rules = rules_of_people(Settings(outgoing={"allowed_hosts": ["hooks.example.org"]}))
    with pytest.raises(HostNotAllowed):
        check_url("http://127.0.0.1/", rules)
    assert rules_of_people(Settings(database={"allowed_hosts": ["db"]})).allowed_hosts == ["db"]


@pytest.fixture
def listener() -> Iterator[Sink]:
    with sink() as found:
        yield found


async def get(client: httpx.AsyncClient, url: str) -> int:
    async with client:
        return (await client.get(url)).status_code


def test_a_client_connects_to_the_address_that_was_checked(listener: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once; a server of names that changes its mind between check and call changes nothing."""
    port = int(listener.url.rsplit(":", 1)[1])
    looked: list[str] = []
    really = socket.getaddrinfo

    def changing(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "rebinding.example":
            return really(host, *args, **kwargs)
        looked.append(host)
        return really("127.0.0.1" if len(looked) == 1 else "169.254.169.254", *args, **kwargs)

    monkeypatch.setattr(hosts.socket, "getaddrinfo", changing)
    assert asyncio.run(get(checked_client(), f"http://rebinding.example:{port}/x")) == 200
    assert looked == ["rebinding.example"]
    assert listener.received[0].headers["host"] == f"rebinding.example:{port}"


def test_a_client_of_closed_rules_does_not_connect(listener: Sink) -> None:
    for url in (listener.url, listener.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(HostNotAllowed):
            asyncio.run(get(checked_client(CLOSED), url))
    assert listener.received == []


def test_a_proxy_of_the_environment_is_told_no_forbidden_address(
    listener: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", listener.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(HostNotAllowed):
        asyncio.run(get(checked_client(), "http://169.254.169.254/latest"))
    assert listener.received == []
    assert asyncio.run(get(checked_client(), "http://models.example/v1")) == 200
    assert listener.received[0].path == "http://models.example/v1"


def test_every_library_of_a_model_can_be_pinned() -> None:
    """Its clients are of httpx's shape; one that is not any more is found here, not by a key that went elsewhere."""
    clients: list[Any] = [httpx.AsyncClient()]
    anthropic = pytest.importorskip("anthropic")
    clients.append(anthropic.DefaultAsyncHttpxClient())

    async def refused(client: Any) -> None:
        async with client:
            await client.get("http://169.254.169.254/")

    for client in clients:
        with pytest.raises(HostNotAllowed):
            asyncio.run(refused(pinned(client)))


def model(provider: str, address: str) -> LLMSettings:
    key = SecretStr("sk-of-the-company")
    return LLMSettings(provider=provider, model="m", base_url=address, api_key=key, retries=0, timeout_s=10)


@pytest.fixture
def moved(listener: Sink) -> Iterator[str]:
    """A server that sends everybody on to the sink."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(307)
            self.send_header("location", listener.url + self.path)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_model_that_sends_us_on_is_not_followed_with_its_key(provider: str, moved: str, listener: Sink) -> None:
    async def call() -> None:
        await open_chat(model(provider, moved)).complete([HumanMessage("hello")])

    with pytest.raises(InqueryError):
        asyncio.run(call())
    assert listener.received == []


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
def test_no_model_is_called_at_a_metadata_address(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[Any] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: connected.append(address))

    async def call() -> None:
        await open_chat(model(provider, "http://169.254.169.254/v1")).complete([HumanMessage("hello")])

    with pytest.raises(InqueryError):
        asyncio.run(call())
    assert not [address for address in connected if "169.254" in str(address)]


async def test_a_sign_in_provider_at_a_metadata_address_is_unusable(tmp_path: Any) -> None:
    settings = Settings(home=tmp_path, oidc={"issuer": "https://169.254.169.254", "client_id": "x"})
    with pytest.raises(ProviderUnavailable):
        await Provider(settings, open_store(settings)).start("http://localhost/", "/")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("hosts")) as found:
        yield found


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_trying_a_model_does_not_tell_what_runs_inside(people: Town, listener: Sink) -> None:
    """An open port, a closed one, a name nobody knows and the metadata service are one to an administrator."""
    targets = [listener.url, f"http://127.0.0.1:{closed_port()}", "http://no-such-host.invalid", NEVER[0]]
    with people.client("root") as root:
        told = []
        for target in targets:
            body = {"provider": "openai", "model": "m", "base_url": target + "/v1", "api_key": "own"}
            found = root.post(API + "/model/test", json=body).json()
            told.append((found["ok"], found["code"], found["message"]))
    assert set(told) == {(False, "host_not_allowed", told[0][2])}
    assert listener.received == []


def test_a_model_that_is_kept_is_not_called_where_the_settings_close_private_networks(
    listener: Sink, tmp_path: Any
) -> None:
    content = {"provider": "openai", "model": "m", "base_url": listener.url + "/v1"}
    with served(tmp_path, outgoing={"private_networks": False}) as server, server.client() as client:
        kept = client.put(API + "/models/inside", json={"content": content, "api_key": "own"})
        assert kept.json()["code"] == "host_not_allowed"
        # One that was kept before the settings closed them.
        SavedModels(open_store(server.settings)).save("before", content, SecretStr("own"))
        assert client.post(API + "/models/before/test").json()["code"] == "host_not_allowed"
    assert listener.received == []


def test_a_webhook_does_not_tell_what_runs_inside(people: Town, listener: Sink) -> None:
    targets = [listener.url + "/in", f"http://127.0.0.1:{closed_port()}/", "http://no-such-host.invalid/", NEVER[0]]
    settings = people.server.settings
    with people.client("ann") as ann:
        body = {"name": "w", "connection_id": people.shop, "text": "# R\n"}
        report = ann.post(API + "/reports", json=body).json()["id"]
        for target in targets:
            made = ann.post(f"{API}/reports/{report}/schedules", json={"cron": "* * * * *", "target": target})
            assert made.json()["code"] == "host_not_allowed", made.text
            # One that was kept before the rules were: it is not called, and its outcome is the same.
            said = delivered(target, "r.md", PAPER, settings, run_id="r", status="done")
            assert said == "failed: host_not_allowed"
    assert listener.received == []


def test_outcomes_of_webhooks_do_not_tell_why_they_failed(listener: Sink) -> None:
    open_to_all = Settings(outgoing={"private_networks": True}, identity={"mode": "users"})
    closed = f"http://127.0.0.1:{closed_port()}/"
    assert check_target(closed, open_to_all) == closed
    assert delivered(closed, "r.md", PAPER, open_to_all, run_id="r", status="done") == "failed: webhook"
    assert delivered(listener.url, "r.md", PAPER, open_to_all, run_id="r", status="done") == "webhook"
    assert to_webhook(listener.url, "r.md", PAPER, open_to_all, run_id="r", status="done") == 200
