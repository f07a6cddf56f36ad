"""Of several statements, the first that reads a table; and words that a dialect does not have."""

import pytest

from inquery.sql.native import write_natively
from inquery.sql.several import first_of_several


@pytest.mark.parametrize(
    ("sql", "first"),
    [
        ("SELECT a FROM t; SELECT 1", "SELECT a FROM t"),
        ("SELECT 1; SELECT ';' FROM t;", "SELECT ';' FROM t"),
        ("SELECT a FROM t", None),
        ("SELECT a FROM t;", None),
        ("SELECT a FROM t; DELETE FROM t", None),
        ("SELECT a FROM t; this is no SQL at all (", None),
        ("SELECT 1; SELECT 2", None),
    ],
)
def test_the_first_statement_is_found_only_where_all_read(sql: str, first: str | None) -> None:
    assert first_of_several(sql, "sqlite") == first


@pytest.mark.parametrize(
    ("dialect", "sql", "written"),
    [
        ("sqlite", "SELECT COUNT(*)::BIGINT FROM t", "SELECT CAST(COUNT(*) AS INTEGER) FROM t"),
        ("sqlite", "SELECT a FROM t WHERE b ILIKE 'x'", "SELECT a FROM t WHERE LOWER(b) LIKE LOWER('x')"),
        ("tsql", "SELECT a::INT FROM t", "SELECT CAST(a AS INTEGER) FROM t"),
        ("postgres", "SELECT a::int  FROM t", "SELECT a::int  FROM t"),
        ("sqlite", "SELECT '::',  'ilike' FROM t", "SELECT '::',  'ilike' FROM t"),
        ("sqlite", "SELECT a::", "SELECT a::"),
    ],
)
def test_words_a_dialect_lacks_are_written_in_its_own(dialect: str, sql: str, written: str) -> None:
    assert write_natively(sql, dialect) == written
