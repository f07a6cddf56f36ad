"""Double quotes in gold queries."""

import pytest

from inquery.evals.gold import as_sqlite_reads
from inquery.sql import Catalog

CATALOG = Catalog.of({"city": ["name", "Status", "Total"], "farm": ["Village"]}, dialect="sqlite")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('SELECT name FROM city WHERE Status = "Town"', "SELECT name FROM city WHERE Status = 'Town'"),
        ('SELECT "name" FROM city', 'SELECT "name" FROM city'),
        # A column of a table that is not read is text all the same.
        ('SELECT name FROM city WHERE Status = "Village"', "SELECT name FROM city WHERE Status = 'Village'"),
        ('SELECT count(*) AS n FROM city ORDER BY "n"', 'SELECT count(*) AS n FROM city ORDER BY "n"'),
        ('SELECT T1."name" FROM city AS T1', 'SELECT T1."name" FROM city AS T1'),
        ("""SELECT name FROM city WHERE name = "L'Aquila" """, "SELECT name FROM city WHERE name = 'L''Aquila'"),
        ('SELECT "', 'SELECT "'),
        ("SELECT name FROM city", "SELECT name FROM city"),
    ],
)
def test_a_quoted_word_is_text_unless_it_names_a_column_in_reach(sql: str, expected: str) -> None:
    assert as_sqlite_reads(sql, CATALOG) == expected
