"""Metrics over HTTP, MCP and Python: the same figures for all, and for each no more than their rights."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from tests.integration.api_server import API, make_shop
from tests.integration.people import Town, town

from inquery import Inquery
from inquery.errors import BadRequest
from inquery.settings import Settings
from inquery.sql import Policy

AMOUNT = {"expression": "SUM(orders.amount)", "entity": "orders", "label": {"en": "Sales", "zh": "销售额"}}
SHOP = {"connection_id": "shop"}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("metrics")) as found:
        with found.client("root") as root:
            kept = root.patch(API + "/metrics/sales", params=SHOP, json={"changes": AMOUNT})
            assert kept.status_code == 200, kept.text
            grant = {"connection_id": "shop", "kind": "user", "subject": "ann"}
            rules: dict[str, Any] = {"row_filters": {"customers": "city = 'Beijing'"}}
            root.put(API + "/grants", json=grant | {"rules": rules}).raise_for_status()
            hidden = {"hidden_columns": ["orders.amount"]}
            root.put(API + "/grants", json=grant | {"subject": "bob", "rules": hidden}).raise_for_status()
        yield found


def test_metrics_are_listed_queried_and_answered_as_questions_are(people: Town) -> None:
    with people.client("root") as root:
        listed = root.get(API + "/metrics/definitions", params=SHOP).json()
        (sales,) = [each for each in listed["metrics"] if each["name"] == "sales"]
        assert (sales["definition"], sales["status"], sales["problem"]) == ("SUM(orders.amount)", "accepted", "")
        body = SHOP | {"metrics": ["sales"], "by": ["stores.city"], "top": 1}
        answer = root.post(API + "/metrics/query", json=body).json()
        assert (answer["status"], answer["rows"]) == ("answered", [["Beijing", 80.0]])
        assert answer["reading"]["plan"]["accepted"] is True
        assert root.get(f"{API}/results/{answer['result_id']}").json()["rows"] == [["Beijing", 80.0]]
        again = root.post(API + "/metrics/query", json=SHOP | {"plan": answer["reading"]["plan"]["fields"]}).json()
        assert again["rows"] == answer["rows"]
        asked = root.post(API + "/metrics/query", json=SHOP | {"question": "What are sales by store city?"}).json()
        assert (asked["status"], asked["row_count"]) == ("answered", 2)


def test_a_label_is_changed_in_one_language(people: Town) -> None:
    with people.client("root") as root:
        changed = root.patch(API + "/metrics/sales", params=SHOP, json={"changes": {"label.zh": "营业额"}}).json()
        assert changed["label"] == {"en": "Sales", "zh": "营业额"}
        back = root.patch(API + "/metrics/sales", params=SHOP, json={"changes": {"label": AMOUNT["label"]}}).json()
        assert back["label"] == AMOUNT["label"]


def test_rows_that_are_not_ones_own_are_not_counted(people: Town) -> None:
    with people.client("ann") as ann:
        body = SHOP | {"metrics": ["sales"], "by": ["customers.city"]}
        assert ann.post(API + "/metrics/query", json=body).json()["rows"] == [["Beijing", 30.0]]


def test_a_metric_of_a_hidden_column_is_not_there_and_says_so(people: Town) -> None:
    with people.client("bob") as bob:
        listed = bob.get(API + "/metrics/definitions", params=SHOP).json()["metrics"]
        assert all("amount" not in each["definition"] for each in listed)
        refused = bob.post(API + "/metrics/query", json=SHOP | {"metrics": ["sales"]})
        assert refused.status_code == 422
        assert "sales" in refused.json()["message"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"metrics": ["turnover"]}, "there is no metric turnover"),
        ({"metrics": ["sales"], "by": ["weather"]}, "there is no dimension weather"),
        ({"metrics": ["sales"], "period": "last month"}, "has no time column"),
        ({"metrics": ["sales"], "against": "previous"}, "a comparison needs a period"),
        ({"metrics": ["sales"], "period": "sometime"}, "is no single period"),
        ({"plan": {"measures": ["sales"], "grouping": 1}}, "the plan is wrong at grouping"),
        ({}, "give metrics, a plan or a question"),
    ],
)
def test_what_cannot_be_computed_is_told_in_a_sentence(people: Town, body: dict[str, Any], says: str) -> None:
    with people.client("root") as root:
        refused = root.post(API + "/metrics/query", json=SHOP | body)
    assert refused.status_code == 422
    assert says in refused.text


def test_only_those_who_may_change_the_glossary_keep_metrics(people: Town) -> None:
    with people.client("ann") as ann:
        assert ann.patch(API + "/metrics/x", params=SHOP, json={"changes": AMOUNT}).status_code == 403
        assert ann.post(API + "/metrics/orders_count/accept", params=SHOP).status_code == 403


def test_a_proposal_is_accepted_and_a_broken_metric_is_not_kept(people: Town) -> None:
    with people.client("root") as root:
        names = [each["name"] for each in root.get(API + "/metrics/proposals", params=SHOP).json()]
        assert "customers_count" in names
        accepted = root.post(API + "/metrics/customers_count/accept", params=SHOP).json()
        assert accepted["status"] == "accepted"
        broken = root.patch(API + "/metrics/odd", params=SHOP, json={"changes": {"expression": "SUM(orders.nothing)"}})
        assert (broken.status_code, "orders.nothing" in broken.json()["message"]) == (422, True)
        twice = root.patch(API + "/metrics/odd", params=SHOP, json={"changes": AMOUNT | {"synonyms": ["sales"]}})
        assert (twice.status_code, "names sales already" in twice.json()["message"]) == (422, True)
        assert all(
            each["name"] != "odd" for each in root.get(API + "/metrics/definitions", params=SHOP).json()["metrics"]
        )


async def test_tools_give_the_same_figures(people: Town) -> None:
    with people.client("root") as root:
        key = root.post(API + "/keys", json={"name": "tools"}).json()["key"]
    async with (
        httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {key}"}) as http,
        streamable_http_client(people.server.url + "/mcp", http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        listed = await session.call_tool("list_metrics", {"connection": "shop"})
        assert listed.structuredContent is not None
        assert "sales" in {each["name"] for each in listed.structuredContent["metrics"]}
        asked = {"metrics": ["sales"], "by": ["stores.city"], "where": {"stores.city": ["Paris"]}, "connection": "shop"}
        found = await session.call_tool("query_metric", asked)
        assert found.structuredContent is not None
        assert found.structuredContent["rows"] == [["Paris", 20.0]]
        wrong = await session.call_tool("query_metric", {"metrics": ["nothing"], "connection": "shop"})
        assert wrong.isError


def test_python_measures_under_a_policy(tmp_path: Path) -> None:
    path = make_shop(tmp_path / "shop.sqlite")
    with Inquery.connect(path, settings=Settings(home=tmp_path / "home")) as whole:
        assert "total_orders_amount" in {each["name"] for each in whole.list_metrics()}
        assert whole.query_metric("total_orders_amount").rows == [[100.0]]
    narrowed = Policy(row_filters={"orders": "order_id < 3"})
    with Inquery.connect(path, settings=Settings(home=tmp_path / "other"), policy=narrowed) as part:
        assert part.query_metric("total_orders_amount").rows == [[30.0]]
        with pytest.raises(BadRequest):
            part.query_metric("total_orders_amount", by=["mood"])


FILE = """
metrics:
  paid_orders: {expression: COUNT(*), entity: orders, label: {en: Paid orders, zh: 已付订单}}
  ghosts: {expression: SUM(orders.nothing), entity: orders, label: {en: Ghosts, zh: 幽灵}}
"""


def test_a_file_is_imported_over_http_and_what_cannot_be_used_says_why(people: Town) -> None:
    where = API + "/metrics/import"
    with people.client("ann") as ann:
        assert ann.put(where, params=SHOP | {"filename": "m.yaml"}, content=FILE.encode()).status_code == 403
    with people.client("root") as root:
        taken = root.put(where, params=SHOP | {"filename": "../m.yaml"}, content=FILE.encode()).json()
        assert taken["kept"] == ["paid_orders"]
        assert [(each["name"], "orders.nothing" in each["why"]) for each in taken["left_out"]] == [("ghosts", True)]
        answer = root.post(API + "/metrics/query", json=SHOP | {"metrics": ["paid_orders"]}).json()
        assert answer["rows"][0][0] > 0
        broken = root.put(where, params=SHOP | {"filename": "m.json"}, content=b"{")
        assert (broken.status_code, "m.json" in broken.text) == (422, True)
