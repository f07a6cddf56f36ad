"""The row cap in each dialect's own words, and paging by the tree."""

import sqlite3

import pytest

from inquery.sql import Catalog, Policy, SqlRefused, check
from inquery.sql.dialects import DIALECTS
from inquery.sql.paging import page_of

CAP = Policy(row_cap=50)


def capped(sql: str, dialect: str, policy: Policy = CAP) -> str:
    upper = dialect in {"oracle", "snowflake"}
    columns = [name.upper() if upper else name for name in ("id", "total")]
    names = ["T", "U"] if upper else ["t", "u"]
    return check(
        sql, dialect=dialect, catalog=Catalog.of(dict.fromkeys(names, columns), dialect=dialect), policy=policy
    ).text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_cap_is_added(dialect: str) -> None:
    assert "50" in capped("SELECT id FROM t", dialect)
    assert "50" in capped("SELECT id FROM t UNION ALL SELECT id FROM u", dialect)
    assert "50" in capped("WITH x AS (SELECT id FROM t) SELECT id FROM x ORDER BY id", dialect)
    assert "50" not in capped("SELECT id FROM t", dialect, Policy(row_cap=None))


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("sqlite", "SELECT id FROM t LIMIT 7", "LIMIT 7"),
        ("sqlite", "SELECT id FROM t LIMIT 700", "LIMIT 50"),
        ("sqlite", "SELECT id FROM t LIMIT -1", "LIMIT 50"),
        ("sqlite", "SELECT id FROM t LIMIT 5 * 3", "LIMIT 5 * 3"),
        ("sqlite", "SELECT id FROM t LIMIT (SELECT COUNT(*) FROM t)", "LIMIT MIN((SELECT COUNT(*) FROM t), 50)"),
        ("sqlite", "SELECT id FROM t LIMIT 700 OFFSET 3", "LIMIT 50 OFFSET 3"),
        ("postgres", "SELECT id FROM t LIMIT ALL", "LIMIT 50"),
        ("postgres", "SELECT id FROM t LIMIT NULL", "LIMIT 50"),
        ("postgres", "SELECT id FROM t FETCH FIRST 700 ROWS ONLY", "50"),
        ("postgres", "SELECT id FROM t LIMIT LEAST(3, 9)", "LEAST(LEAST(3, 9), 50)"),
        ("tsql", "SELECT TOP 700 id FROM t", "TOP 50"),
        ("tsql", "SELECT TOP 7 id FROM t", "TOP 7"),
        ("tsql", "SELECT id FROM t ORDER BY id OFFSET 1 ROWS", "FETCH NEXT 50 ROWS ONLY"),
        ("oracle", "SELECT id FROM t FETCH FIRST 700 ROWS ONLY", "FETCH FIRST 50 ROWS ONLY"),
        ("duckdb", "SELECT id FROM t LIMIT 90%", "LIMIT 50"),
        ("clickhouse", "SELECT id FROM t LIMIT 3 BY id", "LIMIT 3 BY id LIMIT 50"),
        ("clickhouse", "SELECT id FROM t UNION ALL SELECT id FROM u LIMIT 1", "SELECT * FROM (SELECT id FROM t UNION ALL SELECT id FROM u LIMIT 1) AS capped LIMIT 50"),
        ("mysql", "(SELECT id FROM t LIMIT 700)", "LIMIT 50"),
    ],
)  # fmt: skip
def test_the_statement_s_own_limit(dialect: str, sql: str, expected: str) -> None:
    assert expected in capped(sql, dialect)


def test_ordered_says_whether_the_outermost_query_is() -> None:
    catalog = Catalog.of({"t": ["id"]}, dialect="clickhouse")
    for sql, ordered in [
        ("SELECT id FROM t ORDER BY id", True),
        ("SELECT id FROM (SELECT id FROM t ORDER BY id)", False),
        ("SELECT id FROM t UNION ALL SELECT id FROM t ORDER BY id", False),
    ]:
        assert check(sql, dialect="clickhouse", catalog=catalog).ordered is ordered


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_passes_the_guard(dialect: str) -> None:
    for sql in ("SELECT id FROM t ORDER BY id", "SELECT id FROM t", "SELECT id FROM t UNION ALL SELECT id FROM u"):
        page = page_of(sql, dialect=dialect, page=3, page_size=20)
        assert "40" in page.text
        assert page.stable is ("ORDER" in sql)
        assert capped(page.text, dialect, Policy())


def test_pages_of_an_ordered_statement_are_its_rows_in_order() -> None:
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE t (id)")
        db.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(95)])
        sql = "SELECT id FROM t WHERE id > 2 ORDER BY id LIMIT 45 OFFSET 4"
        pages = [page_of(sql, dialect="sqlite", page=n, page_size=20).text for n in (1, 2, 3, 4)]
        found = [row for text in pages for row in db.execute(text)]
        assert found == db.execute(sql).fetchall()
    db.close()


def test_page_bounds_and_note() -> None:
    page = page_of("SELECT 1", dialect="sqlite", page=-4, page_size=100_000)
    assert (page.page, page.page_size) == (1, 1000)
    assert "ORDER BY" in (page.note("zh") or "")
    assert page.note("en") != page.note("zh")
    assert page_of("SELECT 1 ORDER BY 1", dialect="sqlite").note() is None
    with pytest.raises(SqlRefused):
        page_of("DELETE FROM t", dialect="sqlite")
