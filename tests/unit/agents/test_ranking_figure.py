"""Rankings show their figure."""

import pytest

from inquery.agents.statements.ranking_figure import with_figure
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

COLUMNS = tuple(Column(name, "INTEGER", primary_key=name == "id") for name in ("id", "name", "a", "b", "x", "y"))
CATALOG = Catalog(dialect="sqlite", tables=(Table(("t",), COLUMNS),), joins=())


def figured(sql: str) -> str:
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    return with_figure(statement, {"SUM(x*y)": "revenue"})


TOP = "SELECT name FROM t GROUP BY name ORDER BY SUM(x) DESC LIMIT 3"


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        (TOP, "name, SUM(x) AS total_x"),
        ("SELECT name FROM t GROUP BY id ORDER BY COUNT(*) LIMIT 5", "name, COUNT(*) AS count"),
        ("SELECT a, b FROM t GROUP BY a, b ORDER BY AVG(x) DESC, a LIMIT 5", "a, b, AVG(x) AS average_x"),
        ("SELECT a FROM t GROUP BY a ORDER BY SUM(x * y) DESC LIMIT 5", "a, SUM(x * y) AS revenue"),
        ("SELECT a FROM t GROUP BY a ORDER BY MAX(x) DESC LIMIT 5", "a, MAX(x)"),
        ("SELECT name FROM t ORDER BY x LIMIT 3", "name, x"),
        ("SELECT name FROM t ORDER BY x DESC, y LIMIT 1", "name, x"),
        ("SELECT name, a FROM t GROUP BY name, a HAVING SUM(x) > 200", "name, a, SUM(x) AS total_x"),
        ("SELECT name FROM t GROUP BY name HAVING COUNT(*) >= 3 ORDER BY name", "name, COUNT(*) AS count"),
    ],
)
def test_the_figure_of_a_ranking_is_shown(sql: str, columns: str) -> None:
    assert figured(sql).startswith(f"SELECT {columns} FROM")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, SUM(x) FROM t GROUP BY name ORDER BY SUM(x) DESC LIMIT 3",
        "SELECT name, SUM(x) AS y FROM t GROUP BY name ORDER BY y DESC LIMIT 3",
        "SELECT name FROM t GROUP BY name ORDER BY SUM(x)",
        "SELECT name, x FROM t ORDER BY x LIMIT 3",
        "SELECT name FROM t ORDER BY x",
        "SELECT name FROM t ORDER BY id DESC LIMIT 3",
        "SELECT DISTINCT name FROM t ORDER BY name LIMIT 3",
        "SELECT * FROM t ORDER BY x LIMIT 3",
        "SELECT name, COUNT(*) FROM t GROUP BY name HAVING COUNT(*) > 3",
        "SELECT name FROM t GROUP BY name HAVING COUNT(*) > 3 AND SUM(x) > 5",
        "SELECT name, 100 * AVG(x) FROM t GROUP BY name HAVING 100 * AVG(x) > 20",
        "SELECT name FROM t GROUP BY name HAVING SUM(x) > (SELECT AVG(y) FROM t)",
        "SELECT name FROM t GROUP BY name ORDER BY name LIMIT 3",
        "SELECT COUNT(*) FROM t",
    ],
)
def test_other_statements_stay(sql: str) -> None:
    assert figured(sql) == sql
