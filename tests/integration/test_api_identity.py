"""Who may come in, and what each may do and read."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, NAMES, wait_until
from tests.integration.people import PASSWORD, PEOPLE, Town, town

from inquery.api.rights import RIGHTS
from inquery.memory.longterm import open_memory
from inquery.store import open_store
from inquery.store.audit import Audit
from inquery.store.credentials import ApiKeys
from inquery.store.users import RANK


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("town")) as found:
        yield found


def logged(people: Town, **filters: Any) -> list[dict[str, Any]]:
    with people.client("root") as root:
        found: list[dict[str, Any]] = root.get(API + "/audit", params=filters).json()["entries"]
    return found


def test_a_stranger_learns_how_to_sign_in_and_nothing_else(people: Town) -> None:
    with people.client(None) as stranger:
        assert stranger.get(API + "/auth/ways").json() == {"mode": "users", "password": True, "oidc": False}
        assert stranger.get("/health/live").status_code == 200
        for path in ("/auth/me", "/threads", "/connections", "/users", "/audit", "/model", "/metrics"):
            answer = stranger.get(API + path)
            assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        assert stranger.get("/metrics").status_code == 401


def test_a_browser_signs_in_and_out(people: Town) -> None:
    with people.server.client(headers={"origin": people.server.url}) as page:
        signed = page.post(API + "/auth/login", json={"name": "ANN", "password": PASSWORD})
        assert (signed.json()["name"], signed.json()["role"]) == ("ann", "analyst")
        cookie = signed.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert page.get(API + "/auth/me").json()["id"] == people.ids["ann"]
        assert page.post(API + "/threads", json={}).status_code == 201
        kept = dict(page.cookies)
        assert page.post(API + "/auth/logout").status_code == 204
        assert page.get(API + "/auth/me").status_code == 401
        page.cookies.update(kept)
        assert page.get(API + "/auth/me").status_code == 401, "the session itself has ended"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ],
)
def test_another_sites_page_cannot_use_a_session(people: Town, headers: dict[str, str]) -> None:
    with people.browser("ann") as page:
        del page.headers["origin"]
        assert page.post(API + "/threads", json={}, headers=headers).status_code == 403
        assert page.post(API + "/threads", json={}, headers={"sec-fetch-site": "same-origin"}).status_code == 201
        assert page.get(API + "/threads").status_code == 200


def test_wrong_passwords_are_refused_alike_and_then_slowed(tmp_path: Path) -> None:
    with town(tmp_path, identity={"login_failures": 3}) as small, small.client(None) as stranger:

        def tried(name: str, password: str) -> httpx.Response:
            return stranger.post(API + "/auth/login", json={"name": name, "password": password})

        told = [tried(name, "not this one at all").json() for name in ("ann", "nobody")]
        assert told[0] == told[1]
        assert told[0]["code"] == "login_failed"
        assert [tried("ann", "wrong again and again").status_code for _ in range(3)] == [401, 401, 429]
        slowed = tried("ann", PASSWORD)
        assert (slowed.status_code, slowed.json()["code"]) == (429, "quota_exceeded")
        assert int(slowed.headers["retry-after"]) >= 1
        assert tried("bob", PASSWORD).status_code == 200
        outcomes = [entry["outcome"] for entry in logged(small, action="auth.login")]
        assert {"login_failed", "quota_exceeded", "ok"} == set(outcomes)
        assert outcomes.count("quota_exceeded") == 1, "knocking on does not fill the log"


def test_a_new_password_ends_the_other_sessions(people: Town) -> None:
    other = "quite another phrase"
    with people.browser("bob") as first, people.browser("bob") as second:
        assert first.post(API + "/auth/password", json={"old": "wrong one here", "new": other}).status_code == 401
        weak = first.post(API + "/auth/password", json={"old": PASSWORD, "new": "password123"})
        assert (weak.status_code, weak.json()["code"]) == (422, "bad_request")
        assert first.post(API + "/auth/password", json={"old": PASSWORD, "new": other}).status_code == 200
        assert first.get(API + "/auth/me").status_code == 200
        assert second.get(API + "/auth/me").status_code == 401
    with people.client("root") as root:
        assert root.put(f"{API}/users/bob/password", json={"password": PASSWORD}).status_code == 200


def test_a_key_is_shown_once_expires_and_is_revoked(people: Town) -> None:
    store = open_store(people.server.settings)
    with people.client("ann") as ann, people.client("bob") as bob, people.client(None) as stranger:
        made = ann.post(API + "/keys", json={"name": "nightly"}).json()
        listed = ann.get(API + "/keys").json()
        assert made["key"].startswith(f"iq_{made['prefix']}_")
        assert all("key" not in key for key in listed)
        with_key = {"x-api-key": made["key"]}
        assert stranger.get(API + "/auth/me", headers=with_key).json()["name"] == "ann"
        assert bob.delete(f"{API}/keys/{made['id']}").status_code == 404
        assert bob.post(API + "/keys", json={"name": "x", "user_id": people.ids["ann"]}).status_code == 403
        assert ann.delete(f"{API}/keys/{made['id']}").status_code == 204
        assert stranger.get(API + "/auth/me", headers=with_key).status_code == 401
        _, expired = ApiKeys(store).create(people.ids["ann"], "old", -1)
        for bad in (expired, made["key"][:-1] + "x", "iq_", "iq__", "Bearer", "iq_" + "0" * 8 + "_x", "é" * 20):
            given = {"authorization": b"Bearer " + bad.encode()}
            assert stranger.get(API + "/auth/me", headers=given).status_code == 401
    store.close()


def test_a_disabled_or_removed_user_is_out_at_once_and_the_last_administrator_stays(people: Town) -> None:
    with people.client("root") as root:
        made = root.post(API + "/users", json={"name": "eve", "password": PASSWORD, "role": "viewer"}).json()
        key = root.post(API + "/keys", json={"name": "hers", "user_id": made["id"]}).json()["key"]
        hers = {"authorization": f"Bearer {key}"}
        with people.client(None) as eve:
            assert eve.get(API + "/threads", headers=hers).status_code == 200
            assert root.patch(f"{API}/users/eve", json={"disabled": True}).json()["disabled"] is True
            assert eve.get(API + "/threads", headers=hers).status_code == 401
            assert root.patch(f"{API}/users/eve", json={"disabled": False}).status_code == 200
            assert eve.get(API + "/threads", headers=hers).status_code == 200
            assert root.delete(f"{API}/users/eve").status_code == 204
            assert eve.get(API + "/threads", headers=hers).status_code == 401
        for changed in ({"role": "viewer"}, {"disabled": True}):
            assert root.patch(f"{API}/users/root", json=changed).status_code == 422
        assert root.delete(f"{API}/users/root").status_code == 422


def test_a_removed_user_is_forgotten(people: Town) -> None:
    async def remembered(*, learn: bool = False) -> list[object]:
        async with open_memory(people.server.settings) as memory:
            if learn:
                for who in (made["id"], people.ids["ann"]):
                    await memory.learn(who, "clarification", "revenue", {"column": "net"})
            return [await memory.recall(who, "clarification", "revenue") for who in (made["id"], people.ids["ann"])]

    with people.client("root") as root:
        made = root.post(API + "/users", json={"name": "ida", "password": PASSWORD, "role": "viewer"}).json()
        assert asyncio.run(remembered(learn=True)) == [{"column": "net"}] * 2
        assert root.delete(f"{API}/users/ida").status_code == 204
        assert asyncio.run(remembered()) == [None, {"column": "net"}]


def test_every_role_has_the_rights_of_the_table_and_the_docs_show_it(people: Town) -> None:
    for name, role in PEOPLE.items():
        with people.client(name) as client:
            expected = [right for right, needs in RIGHTS.items() if RANK[role] >= RANK[needs.role]]
            assert client.get(API + "/auth/me").json()["rights"] == expected
    page = (Path(__file__).parents[2] / "docs" / "identity.md").read_text("utf-8")
    assert dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE)) == {n: r.role for n, r in RIGHTS.items()}


def test_a_database_that_is_not_granted_does_not_exist(people: Town) -> None:
    with people.client("bob") as bob, people.client("ann") as ann:
        assert [each["name"] for each in bob.get(API + "/connections").json()] == ["demo"]
        assert [each["name"] for each in ann.get(API + "/connections").json()] == ["shop", "demo"]
        missing = bob.get(API + "/connections/sho").json()
        assert missing == bob.get(API + "/connections/shop").json() | {"message": missing["message"]}
        assert "Did you mean" not in missing["message"]
        for body in ({"connection_id": "shop"}, {"connection_id": people.shop}):
            assert bob.post(API + "/query", json={"question": HOW_MANY, **body}).status_code == 404
        assert ann.post(API + "/query", json={"question": HOW_MANY}).json()["rows"] == [["Beijing", 2], ["Paris", 2]]
        chosen = bob.post(API + "/query", json={"question": HOW_MANY, "connection_id": "auto"}).json()
        assert chosen["connection_id"] != people.shop


def granted(people: Town, kind: str, subject: str, **rules: Any) -> str:
    with people.client("root") as root:
        body = {"connection_id": "shop", "kind": kind, "subject": subject, "rules": rules}
        answer = root.put(API + "/grants", json=body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])


def test_a_grants_rules_hold_on_every_way_to_the_data(people: Town) -> None:
    rules = {
        "tables": ["customers", "orders"],
        "hidden_columns": ["customers.name"],
        "row_filters": {"orders": "order_id < 3"},
    }
    grant = granted(people, "user", "bob", **rules)
    shop = f"{API}/connections/shop"
    try:
        with people.client("bob") as bob, people.client("ann") as ann:
            assert {table["name"] for table in bob.get(shop + "/tables").json()["tables"]} == {"customers", "orders"}
            assert bob.get(shop + "/tables/stores").status_code == 404
            columns = bob.get(shop + "/tables/customers").json()["columns"]
            assert [column["name"] for column in columns] == ["customer_id", "city"]
            filtered = bob.get(shop + "/tables/orders").json()["columns"]
            assert all(column["samples"] == [] for column in filtered)
            refused = bob.post(shop + "/sql", json={"sql": "SELECT name FROM customers"})
            assert (refused.status_code, refused.json()["code"]) == (422, "sql_refused")
            assert bob.post(shop + "/sql", json={"sql": "SELECT * FROM stores"}).status_code == 422
            counted = bob.post(shop + "/sql", json={"sql": "SELECT COUNT(*) AS n FROM orders"}).json()
            assert counted["rows"] == [[2]]
            assert ann.post(API + "/query", json={"question": HOW_MANY}).json()["rows"] == [
                ["Beijing", 2],
                ["Paris", 2],
            ]
            narrow = bob.post(API + "/query", json={"question": HOW_MANY}).json()
            assert (narrow["rows"], narrow["cache"]) == ([["Beijing", 2]], None), "not ann's answer from the cache"
            assert bob.post(API + "/query", json={"question": NAMES}).json()["status"] != "answered"
            assert "Alpha" not in bob.get(shop + "/tables", params={"search": "Alpha store"}).text
    finally:
        with people.client("root") as root:
            assert root.delete(f"{API}/grants/{grant}").status_code == 204
    with people.client("bob") as bob:
        assert bob.get(shop + "/tables").status_code == 404


def test_the_narrowest_grant_decides(people: Town) -> None:
    everyone = granted(people, "all", "*", tables=["stores"])
    role = granted(people, "role", "analyst", tables=["orders"])
    with people.client("root") as root, people.client("bob") as bob, people.client("ann") as ann:
        assert [t["name"] for t in bob.get(f"{API}/connections/shop/tables").json()["tables"]] == ["orders"]
        assert len(ann.get(f"{API}/connections/shop/tables").json()["tables"]) == 4
        root.delete(f"{API}/grants/{role}")
        assert [t["name"] for t in bob.get(f"{API}/connections/shop/tables").json()["tables"]] == ["stores"]
        root.delete(f"{API}/grants/{everyone}")


@pytest.mark.parametrize(
    "rules",
    [
        {"tables": ["nowhere"]},
        {"hidden_columns": ["orders.nothing"]},
        {"row_filters": {"orders": "nothing = 1"}},
        {"row_filters": {"orders": "1 = 1; DROP TABLE orders"}},
        {"tables": ["stores"], "row_filters": {"orders": "order_id = 1"}},
        {"tables": "orders"},
        {"unknown": 1},
    ],
)
def test_a_grant_that_would_not_hold_is_refused(people: Town, rules: dict[str, Any]) -> None:
    with people.client("root") as root:
        body = {"connection_id": "shop", "kind": "user", "subject": "bob", "rules": rules}
        answer = root.put(API + "/grants", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


def test_what_people_taught_is_narrowed_too(people: Town) -> None:
    shop = f"{API}/connections/shop"
    glossary = {
        "tables": {"stores": {"description": "where we sell"}, "orders": {"columns": {"amount": "money"}}},
        "metrics": {"shops": {"expression": "COUNT(*)", "tables": ["stores"]}},
        "values": {"stores.city": {"Beijing": ["capital"]}},
        "joins": ["orders.store_id = stores.store_id"],
    }
    with people.client("root") as root, people.client("ann") as ann, people.client("bob") as bob:
        root.put(shop + "/glossary", json={"glossary": glossary}).raise_for_status()
        sample = ann.post(shop + "/samples", json={"question": "shops?", "sql": "SELECT COUNT(*) FROM stores"}).json()
        root.post(f"{API}/samples/{sample['id']}/approve").raise_for_status()
        grant = granted(people, "user", "bob", tables=["orders"])
        seen = bob.get(shop + "/glossary").text + bob.get(shop + "/glossary.yaml").text
        seen += bob.get(shop + "/samples").text + bob.get(shop + "/samples.yaml").text
        assert "stores" not in seen
        assert "money" in seen
        assert "stores" in ann.get(shop + "/glossary").text + ann.get(shop + "/samples").text
        asked = {"question": "How many shops are there for each customer city?", "refresh": True}
        assert "stores" not in bob.post(API + "/query", json=asked).text
        root.delete(f"{API}/grants/{grant}")
        root.delete(f"{API}/samples/{sample['id']}")
        root.put(shop + "/glossary", json={"glossary": {}})


def test_an_analyst_for_a_hidden_database_is_hidden(people: Town) -> None:
    with people.client("ann") as ann, people.client("bob") as bob, people.client("vic") as vic:
        made = ann.post(API + "/profiles", json={"name": "Shopper", "content": {"connections": ["shop"]}}).json()
        place = f"{API}/profiles/{made['id']}"
        assert vic.get(place).json()["name"] == "Shopper"
        assert (bob.get(place).status_code, bob.get(place + "/versions").status_code) == (404, 404)
        assert bob.patch(place, json={"name": "Mine"}).status_code == 404
        assert made["id"] not in bob.get(API + "/profiles").text
        asked = bob.post(API + "/query", json={"question": HOW_MANY, "agent_id": made["id"]})
        assert asked.status_code == 404
        assert ann.delete(place).status_code == 204


def test_a_person_describes_tables_and_columns(people: Town) -> None:
    shop = f"{API}/connections/shop"
    with people.client("root") as root, people.client("vic") as vic:
        said = {"table": "orders", "column": "amount", "en": "money paid", "zh": "实付金额"}
        assert vic.put(shop + "/descriptions", json=said).status_code == 403
        root.put(shop + "/descriptions", json=said).raise_for_status()
        columns = {c["name"]: c["comment"] for c in vic.get(shop + "/tables/orders").json()["columns"]}
        assert "money paid" in columns["amount"]
        assert root.put(shop + "/descriptions", json=said | {"column": "none"}).status_code == 404
        root.put(shop + "/descriptions", json={"table": "orders", "column": "amount"}).raise_for_status()
        columns = {c["name"]: c["comment"] for c in vic.get(shop + "/tables/orders").json()["columns"]}
        assert "money paid" not in columns["amount"]


def test_the_audit_log_says_who_ran_what_and_can_only_grow(people: Town) -> None:
    sql = "SELECT COUNT(*) AS audited FROM orders"
    with people.client("ann") as ann, people.client("vic") as vic:
        ann.post(f"{API}/connections/shop/sql", json={"sql": sql}).raise_for_status()
        answer = ann.post(API + "/query", json={"question": HOW_MANY, "refresh": True}).json()
        assert vic.post(f"{API}/connections/shop/sql", json={"sql": sql}).status_code == 403
        assert vic.get(API + "/audit").status_code == 403
    (ran,) = [each for each in logged(people, action="sql.run", user_id=people.ids["ann"]) if each["sql"] == sql]
    assert (ran["user_name"], ran["connection_id"], ran["outcome"], ran["rows"]) == ("ann", people.shop, "ok", 1)
    assert len(ran["sql_hash"]) == 64
    assert ran["address"] == "127.0.0.1"
    asked = {"action": "query.ask", "user_id": people.ids["ann"]}
    assert wait_until(lambda: answer["thread_id"] in {each["target"] for each in logged(people, **asked)}, 20)
    (entry,) = [each for each in logged(people, **asked) if each["target"] == answer["thread_id"]]
    assert (entry["sql"], entry["connection_id"], entry["outcome"]) == (answer["sql"], people.shop, "answered")
    with people.client("root") as root:
        csv = root.get(API + "/audit/export", params={"action": "sql.run"})
        assert csv.text.startswith("id,at,user_id")
        assert "audited" in csv.text
        first = root.get(API + "/audit", params={"limit": 1}).json()
        second = root.get(API + "/audit", params={"limit": 1, "before": first["next"]}).json()
        assert second["entries"][0]["id"] < first["entries"][0]["id"]
    store = open_store(people.server.settings)
    for change in ("UPDATE audit SET outcome = 'ok'", "DELETE FROM audit"):
        with pytest.raises(Exception, match="can only grow"), store.write() as connection:
            connection.exec_driver_sql(change)
    assert Audit(store).page(limit=1)
    store.close()


def test_a_thread_is_shared_with_those_who_could_have_asked(people: Town) -> None:
    with people.client("ann") as ann, people.client("vic") as vic, people.client("bob") as bob:
        answer = ann.post(API + "/query", json={"question": HOW_MANY, "refresh": True}).json()
        thread = f"{API}/threads/{answer['thread_id']}"
        link = ann.post(thread + "/share").json()
        assert ann.post(thread + "/share").json()["id"] == link["id"]
        assert vic.get(thread).status_code == 404
        seen = vic.get(f"{API}/shared/{link['id']}").json()
        assert (seen["owner"], seen["mine"], seen["answers"][0]["rows"]) == ("ann", False, answer["rows"])
        assert bob.get(f"{API}/shared/{link['id']}").status_code == 404
        grant = granted(people, "user", "bob", row_filters={"orders": "order_id < 3"})
        assert bob.get(f"{API}/shared/{link['id']}").status_code == 404, "narrower rights"
        with people.client("root") as root:
            root.delete(f"{API}/grants/{grant}")
            assert root.get(f"{API}/shared/{link['id']}").json()["hidden"] == 0
        assert vic.post(thread + "/share").status_code == 404
        assert ann.delete(thread + "/share").status_code == 204
        assert vic.get(f"{API}/shared/{link['id']}").status_code == 404


def test_questions_are_saved_pinned_and_shared(people: Town) -> None:
    with people.client("ann") as ann, people.client("vic") as vic, people.client("bob") as bob:
        made = ann.post(API + "/saved", json={"question": HOW_MANY, "connection_id": "shop"}).json()
        assert vic.get(API + "/saved").json() == []
        saved = f"{API}/saved/{made['id']}"
        assert vic.patch(saved, json={"pinned": True}).status_code == 404
        changed = ann.patch(saved, json={"pinned": True, "shared": True, "title": "by city"}).json()
        assert (changed["pinned"], changed["title"], changed["question"]) == (True, "by city", HOW_MANY)
        assert [(each["id"], each["mine"]) for each in vic.get(API + "/saved").json()] == [(made["id"], False)]
        assert bob.get(API + "/saved").json() == []
        assert vic.delete(saved).status_code == 404
        assert ann.delete(saved).status_code == 204


def test_a_file_becomes_a_database_of_its_uploader(people: Town) -> None:
    rows = b"city,visits\nBeijing,3\nParis,4\n"
    where = {"filename": "../visits.csv", "name": "Visits"}
    with (
        people.client("ann") as ann,
        people.client("bob") as bob,
        people.client("vic") as vic,
        people.client("root") as root,
    ):
        assert vic.post(API + "/uploads", params=where, content=rows).status_code == 403
        made = ann.post(API + "/uploads", params=where, content=rows).json()
        assert (made["name"], made["found"]["tables"], made["address"]) == ("Visits (ann)", 1, None)
        place = f"{API}/connections/{made['id']}"
        summed = ann.post(place + "/sql", json={"sql": "SELECT SUM(visits) AS n FROM visits"}).json()
        assert summed["rows"] == [[7]] or summed["rows"] == [["7"]]
        assert bob.get(place).status_code == 404
        assert ann.post(API + "/uploads", params={"filename": "x.exe"}, content=b"MZ").status_code == 422
        broken = ann.post(API + "/uploads", params={"filename": "x.parquet", "name": "x"}, content=b"not parquet")
        assert broken.status_code in {422, 502}
        files = people.server.settings.home / "files"
        assert len(list(files.iterdir())) == 1, "what could not be read is not kept"
        assert root.delete(place).status_code == 204
        assert list(files.iterdir()) == []
        assert ann.get(place).status_code == 404
