"""A join that a form says itself and that nothing bears out is replaced by the one that is known."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.part_rules import key_joins
from inquery.catalog.joins import with_joins
from inquery.form.join_paths import FormSchema
from inquery.form.known_joins import with_known_joins
from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.knowledge.glossary import Glossary
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table
from inquery.sql.statement import read_statement


def table(name: str, columns: str, *references: str) -> Table:
    """A table whose first column is its key; a reference is `column table`."""
    names = columns.split()
    keys = tuple(ForeignKey((column,), (other,), (f"{other}_id",)) for column, other in map(str.split, references))
    return Table(
        (name,), tuple(Column(each, "INTEGER", primary_key=each == names[0]) for each in names), foreign_keys=keys
    )


CATALOG = with_joins(
    Catalog(
        "sqlite",
        (
            table("genre", "genre_id name"),
            table("album", "album_id title genre_id", "genre_id genre"),
            table("track", "track_id album_id genre_id", "album_id album", "genre_id genre"),
            table("city", "city_id name"),
            table("flight", "flight_id from_id to_id", "from_id city", "to_id city"),
            table("note", "note_id about"),
        ),
    )
)
SCHEMA = FormSchema.of(CATALOG)
NAMES = NameMap(CATALOG.tables, lower=True)


@pytest.mark.parametrize("order", [("platform", "kind"), ("kind", "platform")])
def test_of_two_ways_as_long_the_one_whose_keys_must_be_filled_is_taken(order: tuple[str, str]) -> None:
    key = Column("id", "INTEGER", primary_key=True)
    maker = Column("maker_id", "INTEGER", nullable=False)
    ways = {name: Column(f"{name}_id", "INTEGER", nullable=name == "platform") for name in order}
    tables = (
        Table(("maker",), (key, Column("name", "TEXT"))),
        *(
            Table((name,), (key, maker), foreign_keys=(ForeignKey(("maker_id",), ("maker",), ("id",)),))
            for name in order
        ),
        Table(
            ("device",),
            (key, *ways.values()),
            foreign_keys=tuple(ForeignKey((f"{name}_id",), (name,), ("id",)) for name in order),
        ),
    )
    hops = FormSchema(tables).path(["device"], {"maker"})
    assert hops is not None
    assert [hop.far for hop in hops] == ["kind", "maker"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("from track , album via album.album_id = track.genre_id", "from track , album"),
        ("from track , album via album.title = track.genre_id", "from track , album"),
        ("from track , album via album.album_id = track.album_id", None),
        ("from track , album via album.genre_id = track.genre_id", None),  # both are of a genre
        ("from flight , city via city.city_id = flight.to_id", None),  # one of two keys
        ("from note , city via city.city_id = note.about", None),  # nothing is known of it
    ],
)
def test_a_join_that_nothing_knows_gives_way_to_the_one_that_is_known(said: str, meant: str | None) -> None:
    shown = said.split()[1]
    form = read_form(f"{said} show {shown}.{shown}_id", NAMES)
    assert with_known_joins(form, SCHEMA) == read_form(f"{meant or said} show {shown}.{shown}_id", NAMES)


@pytest.mark.parametrize(
    ("sql", "odd"),
    [
        ("SELECT t.track_id FROM track AS t JOIN album AS a ON t.genre_id = a.album_id", True),
        ("SELECT t.track_id FROM track AS t JOIN album AS a ON t.album_id = a.album_id", False),
        ("SELECT t.track_id FROM track AS t JOIN album AS a ON t.genre_id = a.genre_id", False),
        ("SELECT n.note_id FROM note AS n JOIN city AS c ON n.about = c.city_id", False),
    ],
)
def test_a_reference_to_something_else_is_no_join(sql: str, odd: bool) -> None:
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    assert (key_joins(statement, Claims("Which tracks?", "rows", CATALOG, Glossary())) is not None) is odd
