"""Secrets appear nowhere: not in files, logs, events, checkpoints, the audit log or any answer."""

import logging
from pathlib import Path

import pytest
from tests.integration.api_server import API, HOW_MANY, streamed, wait_until
from tests.integration.people import PASSWORD, town

PROVIDER_KEY = "sk-canary-provider-7c1f"
DATABASE = "canary-database-2b8e"
CLIENT_SECRET = "canary-oidc-91aa"
ADMIN = "canary-admin-5d0c!"


def files_with(folder: Path, secret: str) -> list[str]:
    """The files that hold a secret, among them the store, the checkpoints, the memory and the vectors."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert {"inquery.sqlite"} <= {path.name for path in found}
    return [path.name for path in found if secret.encode() in path.read_bytes()]


def test_a_canary_is_found_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "httpcore")  # the test's own client lives in this process and logs its cookies
    llm = {
        "provider": "openai",
        "model": "m",
        "base_url": "http://127.0.0.1:1/v1",
        "api_key": PROVIDER_KEY,
        "retries": 0,
    }
    oidc = {"client_secret": CLIENT_SECRET}
    identity = {"admin_password": ADMIN}
    told: list[str] = []
    with town(tmp_path, llm=llm, oidc=oidc, identity=identity) as people:
        url = f"postgresql://reader:{DATABASE}@127.0.0.1:1/none"
        with people.browser("root") as root, people.client("ann") as ann:
            session = next(iter(root.cookies.values()))
            made = ann.post(API + "/keys", json={"name": "canary"}).json()
            secrets = [PROVIDER_KEY, DATABASE, CLIENT_SECRET, ADMIN, PASSWORD, session, people.keys["ann"], made["key"]]
            secrets.append(made["key"].split("_", 2)[2])
            with ann.stream("GET", API + "/keys", headers={"authorization": f"Bearer {made['key']}"}) as listed:
                told.append(listed.read().decode())
            for answer in (
                root.post(API + "/connections", json={"name": "far", "url": url}),
                root.post(API + "/connections/test", json={"url": url}),
                root.post(API + "/model/test", json={}),
                root.post(API + "/model/test", json={"api_key": "wrong", "provider": "nothing"}),
                root.get(API + "/model"),
                root.get(API + "/connections"),
                root.post(API + "/auth/login", json={"name": "root", "password": PASSWORD + "x"}),
                root.get(API + "/audit"),
                root.get(API + "/audit/export"),
                root.get(API + "/users"),
                root.get("/metrics"),
                root.get(API + "/openapi.json"),
                ann.post(API + "/query", json={"question": HOW_MANY, "connection_id": "shop"}),
            ):
                told.append(answer.text + str(dict(answer.headers)))
            events = streamed(ann, "/query/stream", {"question": HOW_MANY, "connection_id": "shop", "refresh": True})
            told.append(str(events))
            thread = events[-1]["answer"]["thread_id"]
            told.append(ann.get(f"{API}/threads/{thread}").text + ann.get(f"{API}/threads/{thread}/checkpoints").text)
            assert wait_until(lambda: thread in root.get(API + "/audit").text, 20)
    told.append(caplog.text)
    assert [secret for secret in secrets if any(secret in text for text in told)] == []
    for secret in secrets:
        assert files_with(tmp_path / "home", secret) == []
