"""Groups of people, and the right to download: two groups, two sets of rows, and no door that forgets to ask."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, ONCE, wait_until
from tests.integration.people import Town, town

from inquery.store.grants import Rules, join_rules

TEMPLATE = "# R\n\n{{ " + ONCE + " }}\n"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("groups")) as found:
        yield found


@pytest.fixture
def root(people: Town) -> Iterator[httpx.Client]:
    """An administrator, who leaves neither groups nor grants of groups behind."""
    with people.client("root") as client:
        yield client
        for group in client.get(API + "/groups").json():
            client.delete(f"{API}/groups/{group['id']}").raise_for_status()


def add_group(root: httpx.Client, name: str, members: list[str], **rules: Any) -> str:
    made = root.post(API + "/groups", json={"name": name, "members": members})
    made.raise_for_status()
    body = {"connection_id": "shop", "kind": "group", "subject": name, "rules": rules}
    root.put(API + "/grants", json=body).raise_for_status()
    return str(made.json()["id"])


def rows_of(client: httpx.Client) -> Any:
    return client.post(API + "/query", json={"question": HOW_MANY, "connection_id": "shop"}).json()["rows"]


def test_members_read_what_their_group_may_until_it_is_gone(people: Town, root: httpx.Client) -> None:
    with people.client("bob") as bob:
        closed = bob.get(API + "/connections/shop").status_code
        made = add_group(root, "Paris team", ["bob"], row_filters={"customers": "city = 'Paris'"})
        assert (closed, rows_of(bob)) == (404, [["Paris", 2]])
        assert root.get(API + "/users/bob").json()["groups"] == ["Paris team"]
        root.patch(f"{API}/groups/{made}", json={"members": []}).raise_for_status()
        assert bob.get(API + "/connections/shop").status_code == 404
        root.patch(f"{API}/groups/{made}", json={"members": ["bob"], "name": "Paris"}).raise_for_status()
        seen = root.get(API + "/users/bob/sees").json()[0]
        assert (seen["by"], seen["groups"], seen["downloads"]) == ("group", ["Paris"], True)
        root.delete(f"{API}/groups/{made}").raise_for_status()
        assert bob.get(API + "/connections/shop").status_code == 404


def test_of_several_groups_all_rules_hold_and_ones_own_grant_comes_first(people: Town, root: httpx.Client) -> None:
    add_group(root, "one", ["bob", "ann"], row_filters={"customers": "city = 'Paris'"})
    add_group(root, "two", ["bob"], row_filters={"customers": "name = 'Ann'"}, hidden_columns=["stores.city"])
    with ExitStack() as opened:
        ann, bob = (opened.enter_context(people.client(each)) for each in ("ann", "bob"))
        assert rows_of(bob) == []
        assert "city" not in bob.get(f"{API}/connections/shop/tables/stores").text
        assert rows_of(ann) == [["Beijing", 2], ["Paris", 2]]


def test_a_name_is_taken_once_and_a_stranger_is_no_member(root: httpx.Client) -> None:
    add_group(root, "Sales", [])
    assert root.post(API + "/groups", json={"name": "ＳＡＬＥＳ"}).status_code == 422
    assert root.post(API + "/groups", json={"name": "x", "members": ["nobody"]}).status_code == 404
    with_role = {"connection_id": "shop", "kind": "group", "subject": "none such"}
    assert root.put(API + "/grants", json=with_role).status_code == 404


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"tables": ["a", "B"]}, {"tables": ["b", "c"]}, {"tables": ("B",)}),
        ({}, {"tables": ["a"], "row_filters": {"a": "x = 1"}}, {"tables": ("a",), "row_filters": {"a": "x = 1"}}),
        ({"tables": ["b"]}, {"row_filters": {"a": "x = 1"}}, {"tables": ("b",)}),
        ({"hidden_columns": ["a.x"]}, {"hidden_columns": ["a.y"]}, {"hidden_columns": ("a.x", "a.y")}),
        ({"hidden_columns": ["a.x"], "views": ["v", "w"]}, {}, {"hidden_columns": ("a.x",), "views": ("v", "w")}),
        (
            {"hidden_columns": ["a.x"], "views": ["v", "w"]},
            {"row_filters": {"a": "x = 1"}, "views": ["W"]},
            {"hidden_columns": ("a.x",), "row_filters": {"a": "x = 1"}, "views": ("w", "W")},
        ),
        ({"downloads": False}, {}, {"downloads": False}),
    ],
)
def test_rules_of_two_groups_close_what_either_closes(
    first: dict[str, Any], second: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert join_rules(Rules(**first), Rules(**second)) == Rules(**expected)


def test_who_may_not_download_gets_no_file_by_any_door(people: Town, root: httpx.Client) -> None:
    add_group(root, "readers", ["bob"], downloads=False)
    with people.client("bob") as bob:
        listed = {each["name"]: each["downloads"] for each in bob.get(API + "/connections").json()}
        assert listed == {"shop": False, "demo": True}
        asked = bob.post(API + "/query", json={"question": HOW_MANY, "connection_id": "shop"}).json()["result_id"]
        ran = bob.post(f"{API}/connections/shop/sql", json={"sql": "SELECT 1 AS n FROM orders"}).json()["result_id"]
        for result in (asked, ran):
            assert bob.get(f"{API}/results/{result}").status_code == 200
            for form in ("csv", "xlsx", "parquet", "json", "jsonl"):
                assert bob.get(f"{API}/results/{result}/export", params={"format": form}).status_code == 403
        made = bob.post(API + "/reports", json={"name": "r", "connection_id": "shop", "text": TEMPLATE}).json()["id"]
        run = bob.post(f"{API}/reports/{made}/runs", json={}).json()["id"]
        assert wait_until(lambda: bob.get(f"{API}/report-runs/{run}").json()["status"] != "running", 60)
        assert bob.get(f"{API}/report-runs/{run}/view").status_code == 200
        for form in ("html", "docx", "pdf", "md"):
            assert bob.get(f"{API}/report-runs/{run}/document", params={"format": form}).status_code == 403
        sent = {"cron": "0 0 1 1 *", "target": "https://example.org/hook"}
        assert bob.post(f"{API}/reports/{made}/schedules", json=sent).status_code == 403
        kept = {"connection_id": "shop", "kind": "user", "subject": "bob"}
        grant = root.put(API + "/grants", json=kept).json()["id"]
        assert bob.get(f"{API}/results/{asked}/export").status_code == 200
        root.delete(f"{API}/grants/{grant}").raise_for_status()
        assert bob.get(f"{API}/results/{asked}/export").status_code == 403
