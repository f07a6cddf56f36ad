"""A data dictionary over HTTP: sent as a file, seen in the catalogue, taken away again."""

import json
from pathlib import Path

import httpx
from tests.integration.api_server import API, make_shop

WORDS = {
    "customers": {"": "客户", "city": {"label": "城市", "values": {"Beijing": ["京城", "the capital"]}}},
    "oders": "x",
}


def test_a_dictionary_is_sent_seen_and_removed(client: httpx.Client, tmp_path: Path) -> None:
    made = client.post(API + "/connections", json={"name": "worded", "url": make_shop(tmp_path / "worded.sqlite")})
    here = f"{API}/connections/{made.json()['id']}"
    before = client.get(here + "/tables").json()["version"]
    sent = client.put(here + "/dictionary", params={"filename": "w.json"}, content=json.dumps(WORDS).encode())
    assert sent.status_code == 200, sent.text
    assert (sent.json()["tables"], sent.json()["columns"], sent.json()["values"]) == (1, 1, 2)
    (missing,) = sent.json()["missing"]
    assert (missing["name"], missing["nearest"][0]) == ("oders", "orders")
    customers = client.get(here + "/tables/customers").json()
    assert (customers["comment"], customers["display"]) == ("客户", ["name"])
    city = next(column for column in customers["columns"] if column["name"] == "city")
    assert (city["comment"], city["meanings"]) == ("城市", {"Beijing": ["京城", "the capital"]})
    assert client.get(here + "/tables").json()["version"] != before
    assert client.get(here + "/dictionary").json() == {"tables": 1, "columns": 1, "values": 2}
    broken = client.put(here + "/dictionary", params={"filename": "w.yaml"}, content=b"a: [")
    assert broken.status_code == 422
    assert "w.yaml cannot be read as a dictionary" in broken.json()["message"]
    assert client.get(here + "/dictionary").json()["values"] == 2
    assert client.delete(here + "/dictionary").status_code == 204
    assert client.get(here + "/tables").json()["version"] == before
    assert client.delete(here).status_code == 204
