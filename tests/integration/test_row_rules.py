"""A row rule by an attribute of the person: two people, two sets of numbers, on every way to the data."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, wait_until
from tests.integration.people import Town, town

from inquery.errors import BadRequest
from inquery.store.grants import NO_ROWS, for_person

CITIES = {"ann": "Beijing", "bob": "Paris"}
OF_CITIES = "orders of each city"
AMOUNTS = "What is the amount of each order by customer?"
COUNTED = "SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.city"
STATEMENTS = {
    HOW_MANY: [COUNTED],
    OF_CITIES: [COUNTED],
    AMOUNTS: [
        "SELECT o.order_id, c.city, SUM(o.amount) AS amount FROM orders o "
        "JOIN customers c ON c.customer_id = o.customer_id GROUP BY o.order_id, c.city ORDER BY o.order_id"
    ],
}
TEMPLATE = "# R\n\n{{table: " + OF_CITIES + "}}\n"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("rules")) as found:
        found.server.writer._script = STATEMENTS
        with found.client("root") as root:
            for name, city in CITIES.items():
                root.patch(f"{API}/users/{name}", json={"attributes": {"city": city}}).raise_for_status()
            for subject in ("ann", "bob", "vic"):
                body = {"connection_id": "shop", "kind": "user", "subject": subject}
                rules = {"row_filters": {"customers": "city = {user.city}"}}
                root.put(API + "/grants", json=body | {"rules": rules}).raise_for_status()
        yield found


@pytest.fixture(params=sorted(CITIES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def other(name: str) -> str:
    return next(city for each, city in CITIES.items() if each != name)


def test_answers_tables_charts_exports_and_suggestions_are_of_ones_own_rows(people: Town, name: str) -> None:
    with people.client(name) as client:
        answer = client.post(API + "/query", json={"question": AMOUNTS, "connection_id": "shop"}).json()
        assert ({row[1] for row in answer["rows"]}, answer["row_count"]) == ({CITIES[name]}, 2)
        paged = client.get(f"{API}/results/{answer['result_id']}").json()
        assert {row[1] for row in paged["rows"]} == {CITIES[name]}
        file = client.get(f"{API}/results/{answer['result_id']}/export", params={"name": "订单"})
        assert (CITIES[name] in file.text, other(name) in file.text) == (True, False)
        assert "filename*=UTF-8''%E8%AE%A2%E5%8D%95.csv" in file.headers["content-disposition"]
        assert other(name) not in str((answer["chart"], answer["followups"], answer["facts"], answer["text"]))
        sql = {"sql": "SELECT COUNT(*) AS n FROM customers"}
        assert client.post(f"{API}/connections/shop/sql", json=sql).json()["rows"] == [[1]]
        assert other(name) not in client.get(f"{API}/connections/shop/tables/customers").text


def test_a_report_is_of_the_rows_of_whoever_runs_it(people: Town, name: str) -> None:
    with people.client(name) as client:
        made = client.post(API + "/reports", json={"name": "r", "connection_id": "shop", "text": TEMPLATE}).json()
        begun = client.post(f"{API}/reports/{made['id']}/runs", json={}).json()
        where = f"{API}/report-runs/{begun['id']}"
        assert wait_until(lambda: client.get(where).json()["status"] != "running", 60)
        assert client.get(where).json()["values"][0]["preview"] == [[CITIES[name], 2]]


def test_who_lacks_the_attribute_sees_no_row_and_a_new_one_counts_at_once(people: Town) -> None:
    asked = {"question": HOW_MANY, "connection_id": "shop"}
    with ExitStack() as opened:
        vic, root = (opened.enter_context(people.client(each)) for each in ("vic", "root"))
        assert _rows(vic, asked) == []
        root.patch(API + "/users/vic", json={"attributes": {"city": "Paris"}}).raise_for_status()
        assert _rows(vic, asked) == [["Paris", 2]]
        assert root.get(API + "/users/vic").json()["attributes"] == {"city": "Paris"}
        root.patch(API + "/users/vic", json={"role": "viewer"}).raise_for_status()
        assert root.get(API + "/users/vic").json()["attributes"] == {"city": "Paris"}


def _rows(client: httpx.Client, asked: dict[str, Any]) -> Any:
    return client.post(API + "/query", json=asked).json()["rows"]


@pytest.mark.parametrize(
    "attributes",
    [{"city": "x' OR 1=1 --"}, {"city": "x\\"}, {"City": "x"}, {"a.b": "x"}, {"city": ""}, {"city": "x\ny"}],
)
def test_an_attribute_that_could_break_out_of_a_rule_is_refused(people: Town, attributes: dict[str, str]) -> None:
    with people.client("root") as root:
        before = root.get(API + "/users/ann").json()["attributes"]
        assert root.patch(API + "/users/ann", json={"attributes": attributes}).status_code == 422
        assert root.get(API + "/users/ann").json()["attributes"] == before


def put_rule(root: httpx.Client, condition: str, language: str = "en") -> httpx.Response:
    rules = {"row_filters": {"customers": condition}}
    body = {"connection_id": "shop", "kind": "role", "subject": "analyst", "rules": rules}
    return root.put(API + "/grants", json=body, headers={"accept-language": language})


def test_a_rule_by_an_attribute_that_nobody_has_is_told_of_with_those_that_are_there(people: Town) -> None:
    with people.client("root") as root:
        told = {language: put_rule(root, "city = {user.citty}", language).json() for language in ("en", "zh")}
        assert told["en"]["warnings"] == [
            "nobody has the attribute citty, so that these rules show nobody a row; "
            "attributes that are there: city, id, name, role"
        ]
        assert "属性 citty" in told["zh"]["warnings"][0]
        assert put_rule(root, "city = {user.city} OR name = {user.name}").json()["warnings"] == []
        root.delete(f"{API}/grants/{told['en']['id']}")


@pytest.mark.parametrize(
    ("condition", "en", "zh"),
    [
        ("town = 'Paris'", "town", "town"),
        ("city = = 'Paris'", "no condition in SQL", "不是 SQL 条件"),
        ("city = (", "no condition in SQL", "不是 SQL 条件"),
    ],
)
def test_a_condition_that_cannot_be_applied_says_why(people: Town, condition: str, en: str, zh: str) -> None:
    with people.client("root") as root:
        for language, why in (("en", en), ("zh", zh)):
            answer = put_rule(root, condition, language)
            message = answer.json()["message"]
            assert (answer.status_code, why in message.partition("customers")[2]) == (422, True), message


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("city = {user.city}", "city = 'Paris'"),
        ("city = '{user.city}'", "city = 'Paris'"),
        ("owner = {user.name} OR city = {user.city}", "owner = 'bob' OR city = 'Paris'"),
        ("city = {user.team}", NO_ROWS),
        ("city = 'Rome'", "city = 'Rome'"),
    ],
)
def test_a_condition_is_filled_with_the_persons_attributes(condition: str, expected: str) -> None:
    assert for_person(condition, {"city": "Paris", "name": "bob"}) == expected


def test_a_name_with_a_quote_never_becomes_a_literal() -> None:
    with pytest.raises(BadRequest):
        for_person("owner = {user.name}", {"name": "O'Neil"})
