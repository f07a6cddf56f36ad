"""Custom analysts: every change is a version, and none of them opens a door."""

import pytest
from sqlalchemy import update

from inquery.errors import BadRequest, NotFound
from inquery.store import Store
from inquery.store.profiles import Profiles
from inquery.store.tables import profiles as profile_rows


def test_each_change_is_a_version(store: Store) -> None:
    profiles = Profiles(store)
    first = profiles.add("Finance 财务", {"prompt": "Be brief.", "tables": ["orders"]}, owner="ann")
    second = profiles.change(first.id, {"prompt": "Be precise.", "chart": "bar"})
    assert (first.version, second.version) == (1, 2)
    assert profiles.get("finance 财务").content.prompt == "Be precise."
    assert profiles.get(first.id, version=1).content.tables == ("orders",)
    assert [each.version for each in profiles.history(first.id)] == [1, 2]
    assert profiles.change(first.id, first.content).version == 3
    assert profiles.get(first.id).content.prompt == "Be brief."
    assert profiles.change(first.id, name="Money").name == "Money"


def test_a_removed_profile_is_not_found_and_its_name_is_free(store: Store) -> None:
    profiles = Profiles(store)
    gone = profiles.add("Finance", {})
    profiles.remove("Finance")
    with pytest.raises(NotFound):
        profiles.get(gone.id)
    assert profiles.list() == []
    assert profiles.add("Finance", {}).id != gone.id
    assert [each.version for each in profiles.history(gone.id)] == [1]


@pytest.mark.parametrize(
    "content",
    [
        {"chart": "hologram"},
        {"sql": "DROP TABLE x"},
        {"llm": {"base_url": "http://elsewhere"}},
        {"llm": {"api_key": "k"}},
        {"prompt": "x" * 20_001},
    ],
)
def test_what_a_profile_may_not_say_is_refused(store: Store, content: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        Profiles(store).add("Finance", content)


def test_a_profile_with_a_field_that_is_gone_opens_without_it(store: Store) -> None:
    profiles = Profiles(store)
    made = profiles.add("Finance", {"llm": {"streaming": True, "model": "small"}})
    assert made.content.llm == {"model": "small"}
    with store.write() as connection:
        old = {"prompt": "Be brief.", "llm": {"streaming": False}}
        connection.execute(update(profile_rows).values(content=old))
    assert (profiles.get("Finance").content.prompt, profiles.get("Finance").content.llm) == ("Be brief.", {})


def test_names_are_taken_once(store: Store) -> None:
    profiles = Profiles(store)
    profiles.add("Finance", {"llm": {"model": "small"}})
    for name in ("finance", "", "x" * 101):
        with pytest.raises(BadRequest):
            profiles.add(name, {})
