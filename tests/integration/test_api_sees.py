"""What a person sees, told to an administrator as the guard will have it."""

from collections.abc import Iterator

import pytest
from tests.integration.api_server import API
from tests.integration.people import Town, town


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("sees")) as found:
        yield found


def test_rules_are_told_with_the_persons_own_attributes(people: Town) -> None:
    with people.client("root") as root:
        tables = root.get(f"{API}/users/ann/sees").json()[0]["tables"]
        first = tables[0]["name"]
        column = root.get(f"{API}/connections/{people.shop}/tables/{first}").json()["columns"][0]["name"]
        root.patch(f"{API}/users/ann", json={"attributes": {"region": "east"}}).raise_for_status()
        rules = {"tables": [first], "row_filters": {first: f"{column} = {{user.region}}"}}
        body = {"connection_id": people.shop, "kind": "user", "subject": "ann", "rules": rules}
        root.put(f"{API}/grants", json=body).raise_for_status()
        seen = {each["connection_id"]: each for each in root.get(f"{API}/users/ann/sees").json()}
        shop = seen[people.shop]
        assert [each["name"] for each in shop["tables"]] == [first]
        assert shop["tables"][0]["rows"] == f"{column} = 'east'"
        assert shop["hidden_tables"] == len(tables) - 1
        assert people.shop not in {each["connection_id"] for each in root.get(f"{API}/users/bob/sees").json()}


def test_only_an_administrator_is_told(people: Town) -> None:
    with people.client("ann") as ann:
        assert ann.get(f"{API}/users/bob/sees").status_code == 403
