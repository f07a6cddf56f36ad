"""Names, formats and meanings of columns, set by people, are in the next answer; rows in view are one's own."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API
from tests.integration.people import Town, town

AMOUNTS = "What is the amount of each order?"
TOTAL = "各城市的订单金额"
STATEMENTS = {
    AMOUNTS: ["SELECT order_id, amount FROM orders ORDER BY order_id"],
    TOTAL: [
        "SELECT c.city, AVG(o.amount), SUM(o.amount) FROM orders o JOIN customers c ON c.customer_id = o.customer_id "
        "GROUP BY c.city ORDER BY c.city"
    ],
}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("words")) as found:
        found.server.writer._script = STATEMENTS
        yield found


def put_words(root: httpx.Client, place: str, **words: Any) -> httpx.Response:
    table, column = place.split(".")
    return root.put(f"{API}/connections/shop/tables/{table}/columns/{column}", json=words)


def columns_of(client: httpx.Client, question: str) -> list[tuple[str, str, str]]:
    answer = client.post(API + "/query", json={"question": question, "connection_id": "shop"}).json()
    return [(column["label"], column["format"], column["unit"]) for column in answer["columns"]]


def test_what_people_call_a_column_is_in_the_next_answer(people: Town) -> None:
    with people.client("root") as root:
        before = columns_of(root, AMOUNTS)
        label = {"en": "Order value", "zh": "订单价值"}
        put_words(root, "orders.amount", label=label, format="money", unit="EUR").raise_for_status()
        put_words(root, "customers.city", values={"Paris": ["巴黎"], "Beijing": ["北京"]}).raise_for_status()
        assert (before[1], columns_of(root, AMOUNTS)[1]) == (("amount", "", ""), ("Order value", "money", "EUR"))
        answer = root.post(API + "/query", json={"question": TOTAL, "connection_id": "shop"}).json()
        told = answer["columns"]
        assert [each["label"] for each in told[1:]] == ["平均订单价值", "订单价值合计"]
        assert told[0]["words"] == {"Beijing": "北京", "Paris": "巴黎"}
        file = f"{API}/results/{answer['result_id']}/export"
        assert root.get(file, params={"told": True}).text.startswith(
            f"{told[0]['label']},平均订单价值,订单价值合计\n北京,"
        )
        assert root.get(file).text.startswith("city,")
        assert next(iter(root.get(file, params={"format": "json", "told": True}).json()[0])) == "city"
        assert root.get(f"{API}/results/{answer['result_id']}").json()["columns"] == told
        put_words(root, "orders.amount", format="percent").raise_for_status()
        assert columns_of(root, AMOUNTS)[1] == ("amount", "percent", "")
        percent = columns_of(root, TOTAL)
        assert [style for _, style, _ in percent[1:]] == ["percent", ""]  # a sum of per cent is none
        put_words(root, "orders.amount").raise_for_status()
        assert columns_of(root, AMOUNTS) == before
        kept = root.get(f"{API}/connections/shop/glossary").json()["glossary"]
        assert "shown" not in kept
        assert set(kept["values"]) == {"customers.city"}


def test_a_column_that_is_not_there_and_one_who_may_not(people: Town) -> None:
    with people.client("root") as root, people.client("ann") as ann:
        assert put_words(root, "orders.mood", format="money").status_code == 404
        assert put_words(root, "orders.amount", format="bold").status_code == 422
        assert put_words(ann, "orders.amount", format="money").status_code == 403


def test_rows_in_view_are_those_one_may_read(people: Town) -> None:
    rules = {"row_filters": {"customers": "city = 'Paris'"}, "hidden_columns": ["customers.name"]}
    body = {"connection_id": "shop", "kind": "user", "subject": "bob", "rules": rules}
    with people.client("root") as root, people.client("bob") as bob:
        assert bob.get(f"{API}/connections/shop/tables/customers/rows").status_code == 404
        root.put(API + "/grants", json=body).raise_for_status()
        seen = bob.get(f"{API}/connections/shop/tables/customers/rows").json()
        assert ([each["name"] for each in seen["columns"]], seen["rows"]) == (["customer_id", "city"], [[2, "Paris"]])
        few = root.get(f"{API}/connections/shop/tables/numbers/rows", params={"limit": 3}).json()
        assert (few["rows"], few["cut"]) == ([[1], [2], [3]], True)
        drawn = bob.get(f"{API}/connections/shop/tables", params={"columns": True}).json()["tables"]
        names = {table["name"]: [column["name"] for column in table["column_names"]] for table in drawn}
        assert names["customers"] == ["customer_id", "city"]
