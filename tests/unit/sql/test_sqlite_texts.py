"""Words in double quotes on SQLite: text where a value is expected and no column has the name, else a name."""

import sqlite3

import pytest

from inquery.sql import Catalog, Policy, SqlRefused, check

CATALOG = Catalog.of({"people": ["id", "city", "salary"]}, dialect="sqlite")


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ('SELECT id FROM people WHERE city = "Paris"', [(1,)]),
        ('SELECT id FROM people WHERE city IN ("Paris", "Rome") ORDER BY id', [(1,), (2,)]),
        ('SELECT id FROM people WHERE city LIKE "Ro%"', [(2,)]),
        ('SELECT id FROM people WHERE city BETWEEN "Paa" AND "Paz"', [(1,)]),
        ('SELECT "id" FROM people WHERE "city" = "Paris"', [(1,)]),
        ('SELECT city AS place FROM people WHERE "place" <> "Rome" AND id < 3', [("Paris",)]),
    ],
)
def test_a_quoted_value_is_text(sql: str, rows: list[tuple[object, ...]]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE people (id, city, salary); INSERT INTO people VALUES (1, 'Paris', 9), (2, 'Rome', 8);"
    )
    text = check(sql, dialect="sqlite", catalog=CATALOG).text
    assert connection.execute(text).fetchall() == rows == connection.execute(sql).fetchall()
    connection.close()


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "nothing" FROM people',
        'SELECT id FROM people ORDER BY "nothing"',
        'SELECT id FROM people WHERE "nothing" = 1',
        'SELECT id FROM people WHERE city = people."nothing"',
        "SELECT id FROM people WHERE city = [nothing]",
        "SELECT id FROM people WHERE city = `nothing`",
    ],
)
def test_elsewhere_an_unknown_name_stays_unknown(sql: str) -> None:
    with pytest.raises(SqlRefused) as refused:
        check(sql, dialect="sqlite", catalog=CATALOG)
    assert refused.value.rule == "unknown_column"


def test_a_hidden_column_is_never_text() -> None:
    hidden = Policy(hidden_columns=frozenset({"people.salary"}))
    with pytest.raises(SqlRefused):
        check('SELECT id FROM people WHERE id < "salary"', dialect="sqlite", catalog=CATALOG, policy=hidden)
