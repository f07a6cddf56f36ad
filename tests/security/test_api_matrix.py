"""Two users on every route of the OpenAPI document: what is one's is not there for the other."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, streamed
from tests.integration.people import PASSWORD, Town, town

BODIES: dict[str, dict[str, Any]] = {
    "Question": {"question": HOW_MANY}, "Resume": {}, "NewThread": {}, "Rename": {"title": "x"}, "Feedback": {"verdict": "up"},
    "Fork": {"checkpoint_id": "x"}, "NewConnection": {"name": "x", "url": "x"}, "TryConnection": {"url": "x"},
    "NewName": {"name": "x"}, "NewSample": {"question": "x", "sql": "SELECT 1"}, "YamlText": {"yaml": ""},
    "GlossaryBody": {"glossary": {}}, "NewProfile": {"name": "x"}, "ChangedProfile": {"name": "taken over"},
    "Description": {"table": "orders", "en": "x"}, "Statement": {"sql": "SELECT COUNT(*) AS n FROM orders"},
    "NewSaved": {"question": "x"}, "ChangedSaved": {"title": "taken over"}, "NewKey": {"name": "x"},
    "NewUser": {"name": "x", "password": PASSWORD}, "ChangedUser": {"role": "admin"}, "NewPassword": {"password": PASSWORD},
    "NewGrant": {"kind": "all", "subject": "*"}, "TryModel": {},
}  # fmt: skip
MINE = frozenset({"/auth/login", "/auth/logout", "/auth/password"})
"""Routes that are about the caller alone; what they do is tested elsewhere."""
OPEN = frozenset({"/auth/ways", "/auth/oidc/start", "/auth/oidc/callback", "/health/live", "/health/ready"})


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("matrix")) as found:
        yield found


@pytest.fixture(scope="module")
def belongings(people: Town) -> dict[str, str]:
    """One of everything that ann has."""
    with people.client("ann") as ann, people.client("root") as root:
        answer = streamed(ann, "/query/stream", {"question": HOW_MANY, "refresh": True})[-1]["answer"]
        thread = answer["thread_id"]
        sample = ann.post(f"{API}/connections/shop/samples", json={"question": "q", "sql": "SELECT 1 AS x"}).json()
        profile = ann.post(API + "/profiles", json={"name": "mine", "content": {}}).json()
        saved = ann.post(API + "/saved", json={"question": "x", "connection_id": "shop"}).json()
        key = ann.post(API + "/keys", json={"name": "x"}).json()
        share = ann.post(f"{API}/threads/{thread}/share").json()
        (grant,) = [g for g in root.get(API + "/grants").json() if g["subject"] == "ann"]
    return {
        "thread_id": thread, "result_id": answer["result_id"], "run_id": answer["run_id"], "sample_id": sample["id"],
        "profile_id": profile["id"], "saved_id": saved["id"], "key_id": key["id"], "share_id": share["id"],
        "grant_id": grant["id"], "user_id": people.ids["ann"], "connection_id": people.shop, "table": "orders",
    }  # fmt: skip


def operations(client: httpx.Client) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
    """Every operation of the document, with a body that would do if the caller might."""
    document = client.get(API + "/openapi.json").json()
    for path, found in document["paths"].items():
        for method, operation in found.items():
            content = operation.get("requestBody", {}).get("content", {})
            named = content.get("application/json", {}).get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
            yield method.upper(), path.removeprefix(API), example(named, document) if named else None


def example(named: str, document: dict[str, Any]) -> dict[str, Any]:
    """A body that is well formed: ours where it must mean something, else what the schema asks for."""
    if named in BODIES:
        return BODIES[named]
    schema = document["components"]["schemas"][named]
    kinds = {"string": "x", "integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
    return {name: kinds.get(schema["properties"][name].get("type"), {}) for name in schema.get("required", [])}


def sent(
    client: httpx.Client, method: str, path: str, body: dict[str, Any] | None, names: dict[str, str]
) -> httpx.Response:
    needed = {"thread_id", "connection_id"}
    given = None if body is None else body | {
        name: names[name] for name in needed if name in FIELDS.get(path, ())
    }  # fmt: skip
    params = {"filename": "x.csv"} if path == "/uploads" else {}
    where = API + re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], "nothing"), path)
    return client.request(method, where, json=given, params=params, timeout=60)


FIELDS = {
    "/query": ("thread_id",), "/query/stream": ("thread_id",), "/query/resume": ("thread_id",),
    "/query/resume/sync": ("thread_id",), "/feedback": ("thread_id",), "/saved": ("connection_id",),
    "/threads": ("connection_id",), "/grants": ("connection_id",),
}  # fmt: skip


def test_a_stranger_gets_into_no_route(people: Town, belongings: dict[str, str]) -> None:
    with people.client(None) as stranger:
        found = {(m, p): sent(stranger, m, p, body, belongings) for m, p, body in operations(stranger)}
    inside = {place: answer.status_code for place, answer in found.items() if place[1] not in OPEN | {"/auth/login"}}
    assert {place: status for place, status in inside.items() if status != 401} == {}
    assert len(inside) > 60


@pytest.mark.parametrize("name", ["bob", "vic"])
def test_another_users_things_look_as_if_they_were_not_there(
    people: Town, belongings: dict[str, str], name: str
) -> None:
    """bob is an analyst without a grant, vic a viewer who may ask the same database."""
    owned = {"thread_id", "result_id", "run_id", "saved_id", "key_id", "grant_id", "user_id"}
    owned |= {"connection_id", "share_id", "table"} if name == "bob" else set()
    checked = 0
    with people.client(name) as client:
        for method, path, body in operations(client):
            placed = set(re.findall(r"\{(\w+)\}", path))
            named = placed | set(FIELDS.get(path, ()) if method != "GET" else ())
            if path in MINE | OPEN or not (named & owned or (placed and method != "GET")):
                continue
            answer = sent(client, method, path, body, belongings)
            assert answer.status_code in {403, 404}, (method, path, answer.status_code, answer.text[:300])
            checked += 1
    assert checked >= 35


def test_kinds_of_database_are_told_to_those_who_may_bring_one(people: Town) -> None:
    for name, status in (("vic", 403), ("ann", 200), ("root", 200)):
        with people.client(name) as client:
            assert client.get(API + "/engines").status_code == status


def test_ann_has_lost_nothing(people: Town, belongings: dict[str, str]) -> None:
    with people.client("ann") as ann:
        assert ann.get(f"{API}/threads/{belongings['thread_id']}").status_code == 200
        assert ann.get(f"{API}/results/{belongings['result_id']}").status_code == 200
        assert ann.get(f"{API}/shared/{belongings['share_id']}").status_code == 200
        assert [s["title"] for s in ann.get(API + "/saved").json()] == [""]
        assert [k["revoked"] for k in ann.get(API + "/keys").json() if k["id"] == belongings["key_id"]] == [None]
        assert ann.get(f"{API}/profiles/{belongings['profile_id']}").json()["name"] == "mine"
        assert ann.get(f"{API}/connections/shop").status_code == 200
        assert ann.get(API + "/auth/me").json()["role"] == "analyst"


def test_lists_hold_only_ones_own(people: Town, belongings: dict[str, str]) -> None:
    with people.client("vic") as vic:
        for path in ("/threads", "/keys", "/saved"):
            ids = {each["id"] for each in vic.get(API + path).json()}
            assert not ids & set(belongings.values()), path
        assert {day["user_id"] for day in vic.get(API + "/usage").json()["days"]} <= {people.ids["vic"]}
