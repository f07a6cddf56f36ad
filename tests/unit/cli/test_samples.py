"""`inquery samples`: kept, approved, checked against the schema, and carried from one database to another."""

import sqlite3
from pathlib import Path

import pytest

from inquery import demo

QUESTION = "How many orders are there?"
SQL = "SELECT COUNT(*) AS n FROM orders"


@pytest.fixture
def shop(inquery, tmp_path: Path) -> str:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (order_id INTEGER PRIMARY KEY, amount REAL)")
    connection.close()
    assert inquery("connections", "add", "shop", str(path)).code == 0
    return str(path)


def test_the_demo_comes_with_its_own(inquery) -> None:
    listed = inquery("samples", "list", "--json").json
    assert {row["question"] for row in listed} == {pair["question"] for pair in demo.samples()}
    assert all(row["approved"] and row["source"] == "demo" for row in listed)
    assert inquery("samples", "check", "--json").json["broken"] == []


def test_a_sample_is_added_approved_and_removed(inquery, shop) -> None:
    assert inquery("samples", "list", "-c", "shop", "--json").json == []
    made = inquery("samples", "add", QUESTION, SQL, "--draft", "--json").json
    assert (made["question"], made["approved"], made["owner"]) == (QUESTION, False, "local")
    assert "local" in inquery("samples", "list").out
    assert inquery("samples", "approve", made["id"][:8], "--json").json["approved"] is True
    assert inquery("samples", "approve", "nothing").code == 1
    assert inquery("samples", "remove", made["id"][:8], "--lang", "zh").out.startswith("已删除")
    assert inquery("samples", "list", "--json").json == []


def test_a_statement_that_does_not_fit_is_not_kept(inquery, shop) -> None:
    for sql in ("SELECT nothing FROM orders", "DELETE FROM orders", "SELECT 1; SELECT 2"):
        refused = inquery("samples", "add", QUESTION, sql)
        assert (refused.code, refused.err.startswith("error [sql_refused]")) == (1, True)
    assert inquery("samples", "list", "--json").json == []


def test_yaml_goes_out_and_comes_in(inquery, shop, tmp_path: Path) -> None:
    inquery("samples", "add", QUESTION, SQL)
    file = tmp_path / "samples.yaml"
    assert inquery("samples", "export", "--out", str(file)).out == ""
    assert inquery("samples", "import", str(file), "--json").json == {"read": 1, "added": 0}
    more = "- {question: 订单总金额是多少？, sql: SELECT SUM(amount) FROM orders}"
    assert inquery("samples", "import", "-", "--json", stdin=more).json == {"read": 1, "added": 1}
    kept = {row["question"]: row["language"] for row in inquery("samples", "list", "--json").json}
    assert kept == {QUESTION: "en", "订单总金额是多少？": "zh"}
    assert inquery("samples", "import", "-", stdin="- 3").code == 1
    assert inquery("samples", "import", str(tmp_path / "missing.yaml")).code == 1


def test_a_changed_schema_is_noticed(inquery, shop) -> None:
    inquery("samples", "add", "What is the total amount?", "SELECT SUM(amount) FROM orders")
    inquery("samples", "add", QUESTION, SQL)
    with sqlite3.connect(shop) as connection:
        connection.execute("ALTER TABLE orders RENAME COLUMN amount TO total")
    connection.close()
    checked = inquery("samples", "check")
    assert checked.code == 1
    assert "1 fit, 1 do not" in checked.out
    assert "unknown_column: amount" in checked.out
    assert "unknown_column" in inquery("samples", "list").out
