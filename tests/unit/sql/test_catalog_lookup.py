"""What a question looks up in a catalogue is found without reading all of it, and is what reading all of it gives."""

from dataclasses import replace

from inquery.sql import Catalog, Column, Join, Table


def joined(left: str, right: str) -> Join:
    return Join((left,), ("id",), (right,), ("id",))


CATALOG = Catalog(
    "sqlite",
    (Table(("a",), (Column("Id"), Column("Total"))), Table(("b",), (Column("id"),)), Table(("x", "A"))),
    (joined("a", "b"), joined("b", "b"), joined("b", "a")),
)


def test_tables_are_found_by_their_full_and_by_their_last_name() -> None:
    assert CATALOG.by_name["x.A"].path == ("x", "A")
    assert [table.path for table in CATALOG.by_last_name["a"]] == [("a",), ("x", "A")]
    assert CATALOG.column_names == {"id", "total"}


def test_the_version_is_that_of_the_whole_written_at_once() -> None:
    """Answers are kept by it, so that it is the same however it is counted."""
    assert CATALOG.version == "6ddf9569b3e27d99"
    assert Catalog("sqlite").version == "9236fd1aec525e68"


def test_equal_catalogues_have_one_hash() -> None:
    assert hash(replace(CATALOG)) == hash(CATALOG)
    assert len({CATALOG, replace(CATALOG), Catalog("sqlite")}) == 2


def test_the_joins_of_some_tables_come_once_and_in_their_order() -> None:
    assert CATALOG.joins_of([("a",)]) == [CATALOG.joins[0], CATALOG.joins[2]]
    assert CATALOG.joins_of([("a",), ("b",), ("a",)]) == list(CATALOG.joins)
    assert CATALOG.joins_of([("x", "A"), ("nowhere",)]) == []
