"""Names, counts and metrics tell nobody of what they may not see; one user's files are bounded."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, ONCE, events_of
from tests.integration.people import Town, town

from inquery.agents.sources import Source
from inquery.api.routes.uploads import LONGEST_NAME, own_name
from inquery.catalog.visible import without_filtered_samples
from inquery.sql import Catalog, Column, Join, Policy, Table
from inquery.store import open_store
from inquery.store.grants import Grants, Rules

ROWS = b"city,visits\nBeijing,3\nParis,4\n"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("names"), server={"user_uploads": 3, "user_upload_bytes": 200}) as found:
        yield found


@pytest.fixture
def clean(people: Town) -> Iterator[None]:
    yield
    with people.client("root") as root:
        for each in root.get(API + "/connections").json():
            if each["engine"] == "files":
                root.delete(f"{API}/connections/{each['id']}").raise_for_status()


@pytest.mark.usefixtures("clean")
def test_a_name_of_somebody_elses_is_told_as_any_other(people: Town) -> None:
    """bob sees no database; `shop` is one, `nothing` is none, and the file of ann is hers."""
    with people.client("ann") as ann, people.client("bob") as bob:
        assert ann.post(API + "/uploads", params={"filename": "a.csv", "name": "hers"}, content=ROWS).is_success
        for name in ("shop", "hers", "nothing"):
            made = bob.post(API + "/uploads", params={"filename": "a.csv", "name": name}, content=ROWS)
            assert (made.status_code, made.json()["name"]) == (201, f"{name} (bob)"), made.text


@pytest.mark.usefixtures("clean")
def test_ones_own_name_is_taken(people: Town) -> None:
    with people.client("bob") as bob:
        params = {"filename": "a.csv", "name": "mine"}
        assert bob.post(API + "/uploads", params=params, content=ROWS).status_code == 201
        again = bob.post(API + "/uploads", params=params, content=ROWS)
        assert (again.status_code, "mine (bob)" in again.json()["message"]) == (422, True)


def test_a_long_name_keeps_the_users() -> None:
    assert own_name("x" * 200, "bob").endswith("x (bob)")
    assert len(own_name("x" * 200, "bob")) == LONGEST_NAME


@pytest.mark.usefixtures("clean")
def test_one_user_keeps_so_many_files(people: Town) -> None:
    with people.client("bob") as bob, people.client("ann") as ann:
        for number in range(3):
            params = {"filename": "a.csv", "name": f"n{number}"}
            assert bob.post(API + "/uploads", params=params, content=ROWS).status_code == 201
        for language, said in (("en", "3 data files"), ("zh", "3 个数据文件")):
            more = bob.post(
                API + "/uploads", params={"filename": "a.csv"}, content=ROWS, headers={"accept-language": language}
            )
            assert (more.status_code, more.json()["code"]) == (429, "quota_exceeded")
            assert said in more.json()["message"]
        assert ann.post(API + "/uploads", params={"filename": "a.csv"}, content=ROWS).status_code == 201


@pytest.mark.usefixtures("clean")
def test_one_user_keeps_so_many_bytes(people: Town) -> None:
    with people.client("bob") as bob:
        assert (
            bob.post(API + "/uploads", params={"filename": "a.csv", "name": "a"}, content=ROWS * 5).status_code == 201
        )
        large = bob.post(API + "/uploads", params={"filename": "a.csv", "name": "b"}, content=ROWS * 5)
        assert (large.status_code, large.json()["code"]) == (413, "body_too_large")


def test_rows_are_not_counted_for_whom_they_are_filtered(people: Town) -> None:
    store = open_store(people.server.settings)
    with people.client("vic") as vic, people.client("ann") as ann:
        for each in (vic, ann):
            each.post(API + "/query", json={"question": ONCE, "connection_id": "shop"})  # reads the catalogue
        whole = {
            each["name"]: each["rows"] for each in ann.get(f"{API}/connections/{people.shop}/tables").json()["tables"]
        }
        assert whole["orders"] == 4
        Grants(store).put(people.shop, "user", people.ids["vic"], Rules(row_filters={"orders": "store_id = 1"}))
        try:
            seen = {
                each["name"]: each["rows"]
                for each in vic.get(f"{API}/connections/{people.shop}/tables").json()["tables"]
            }
            assert (seen["orders"], seen["customers"]) == (None, whole["customers"])
            assert vic.get(f"{API}/connections/{people.shop}/tables/orders").json()["rows"] is None
        finally:
            Grants(store).put(people.shop, "user", people.ids["vic"], Rules())


def stages(client: httpx.Client, shop: str) -> list[str]:
    with client.stream("POST", f"{API}/connections/{shop}/refresh/stream") as response:
        return [event["type"] for event in events_of(response)]


def test_how_far_a_refresh_is_counts_no_tables_for_whom_some_are_hidden(people: Town) -> None:
    grants = Grants(open_store(people.server.settings))
    with people.client("ann") as ann:
        assert "progress" in stages(ann, people.shop)
        try:
            grants.put(people.shop, "user", people.ids["ann"], Rules(tables=("customers",)))
            assert set(stages(ann, people.shop)) == {"done"}
        finally:
            grants.put(people.shop, "user", people.ids["ann"], Rules())


@pytest.mark.parametrize(
    ("policy", "all_of_them"),
    [
        (Policy(), True),
        (Policy(hidden_columns=frozenset({"a.id"})), False),
        (Policy(row_filters={"a": "id = 1"}), False),
        (Policy(row_filters={"a": "id = 1"}, views=frozenset({"v"})), True),
        (Policy(tables=frozenset({"a", "v"})), False),
    ],
)
def test_tables_are_counted_for_whom_none_is_hidden(policy: Policy, all_of_them: bool) -> None:
    """A filter hides the views, whose definition nobody knows here."""
    columns = (Column("id", "INTEGER"), Column("name", "TEXT"))
    catalog = Catalog("sqlite", (Table(("a",), columns), Table(("v",), columns, kind="view")))
    nothing: Any = None
    assert Source(nothing, catalog, nothing).shows_all(policy) is all_of_them


def test_joins_do_not_count_hidden_rows() -> None:
    def table(name: str) -> Table:
        return Table((name,), (Column("id", "INTEGER", samples=("1",)),), estimated_rows=60)

    join = Join(("a",), ("id",), ("b",), ("id",), how="data", found=9, sampled=10)
    catalog = Catalog("sqlite", (table("a"), table("b")), (join,))
    seen = without_filtered_samples(catalog, Policy(row_filters={"a": "id = 1"}))
    assert [(each.estimated_rows, each.columns[0].samples) for each in seen.tables] == [(None, ()), (60, ("1",))]
    assert [(each.found, each.sampled) for each in seen.joins] == [(0, 0)]


@pytest.mark.parametrize(("name", "status"), [("root", 200), ("ann", 403), ("vic", 403), (None, 401)])
def test_metrics_are_for_who_operates(people: Town, name: str | None, status: int) -> None:
    with people.client(name) as client:
        assert client.get("/metrics").status_code == status
