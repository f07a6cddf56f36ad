"""Connections are kept by name; their passwords are never in clear, on disk or on screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inquery.errors import BadConnectionUrl, BadRequest, NotFound
from inquery.settings import Settings
from inquery.store import ConnectionOptions, Connections, make_options, open_store

CANARY = "canary-51c9-pässword"
URL = "postgresql://reader:canary-51c9-p%C3%A4ssword@db.example.com:5433/shop?sslmode=require"


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Connections]:
    store = open_store(Settings(home=tmp_path))
    yield Connections(store)
    store.close()


def test_an_address_comes_back_whole(known: Connections) -> None:
    made = known.add("shop", URL, options=ConnectionOptions(timezone="Asia/Shanghai", week_start=7))
    found = known.get("shop")
    assert found == made
    assert found.address.secret == CANARY
    assert (found.address.host, found.address.port, found.address.params) == (
        "db.example.com",
        5433,
        {"sslmode": "require"},
    )
    assert found.options.timezone == "Asia/Shanghai"


def test_the_password_is_nowhere_in_clear(known: Connections, tmp_path: Path) -> None:
    made = known.add("shop", URL)
    known.store.close()
    for shown in (repr(made), str(made), str(made.to_dict()), repr(known.list())):
        assert "canary" not in shown
    for file in tmp_path.iterdir():
        assert b"canary" not in file.read_bytes(), file.name


def test_a_connection_is_found_by_name_id_or_other_case(known: Connections) -> None:
    made = known.add("销售库 Sales", URL)
    assert known.get(made.id) == known.get("销售库 sales") == made


def test_an_unknown_name_comes_with_the_nearest(known: Connections) -> None:
    known.add("warehouse", URL)
    with pytest.raises(NotFound) as caught:
        known.get("warehous")
    assert "Did you mean: warehouse?" in caught.value.public_message("en")
    assert "您是否指：warehouse？" in caught.value.public_message("zh")
    with pytest.raises(NotFound) as caught:
        known.get("zzz")
    assert "mean" not in caught.value.public_message("en")


def test_a_name_is_taken_once(known: Connections) -> None:
    known.add("shop", URL)
    with pytest.raises(BadRequest) as caught:
        known.add("shop", "sqlite:///other.db")
    assert "shop" in caught.value.public_message("zh")
    assert known.get("shop").engine == "postgresql"


@pytest.mark.parametrize("name", ["", "  ", "demo", "Demo", "a\nb", "x" * 101])
def test_names_that_cannot_be_kept(known: Connections, name: str) -> None:
    with pytest.raises(BadRequest):
        known.add(name, URL)


def test_removing_and_renaming(known: Connections) -> None:
    first, second = known.add("a", URL), known.add("b", URL)
    assert known.rename("a", "c").id == first.id
    with pytest.raises(BadRequest):
        known.rename("c", "b")
    known.remove("c")
    assert known.list() == [second]
    with pytest.raises(NotFound):
        known.remove("c")


def test_a_relative_file_means_the_same_from_anywhere(
    known: Connections, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert known.add("file", "sqlite:///shop.db").address.database == str(tmp_path / "shop.db")


def test_a_bad_address_is_not_kept(known: Connections) -> None:
    with pytest.raises(BadConnectionUrl):
        known.add("x", "nonsense://host/db")
    assert known.list() == []


@pytest.mark.parametrize(
    "given", [{"timezone": "Mars/Base"}, {"week_start": 9}, {"privacy": "none"}, {"colour": "red"}]
)
def test_options_are_checked(given: dict[str, object]) -> None:
    with pytest.raises(BadRequest, match=next(iter(given))):
        make_options(**given)
