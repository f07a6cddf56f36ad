"""SQLite has no comments but those in the text of CREATE TABLE, which it keeps as somebody wrote it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inquery.databases.engine import no_progress
from inquery.databases.engines.sqlite.ddl_comments import LONGEST_DDL, read_comments
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address

ORDERS = """CREATE TABLE orders ( -- 订单表
  id INTEGER PRIMARY KEY, -- order number
  -- who bought it
  -- (never empty)
  customer_id INTEGER REFERENCES customers (id),
  "状态" TEXT DEFAULT '-- none', -- 0待付款 1已付款
  `note` VARCHAR(20) CHECK (length(note) > 1) /* free text,
     * of two lines */,
  [total] DECIMAL(10, 2), /* 金额 */ paid INT, -- 0 = no, 1 = yes
  ------------------------------
  untold TEXT,
  -- a key of two
  UNIQUE (id, customer_id)
)"""


def test_comments_belong_to_the_column_they_stand_by() -> None:
    table, columns = read_comments(ORDERS, ["id", "customer_id", "状态", "note", "total", "paid", "untold"])
    assert table == "订单表"
    assert columns == {
        "id": "order number",
        "customer_id": "who bought it (never empty)",
        "状态": "0待付款 1已付款",
        "note": "free text, of two lines",
        "total": "金额",
        "paid": "0 = no, 1 = yes",
    }


@pytest.mark.parametrize(
    "ddl",
    [
        "CREATE TABLE t (a TEXT)",
        "CREATE TABLE t (a TEXT DEFAULT '--x')",
        "CREATE TABLE t (a TEXT /* never closed",
        "CREATE TABLE t (a TEXT, -- " + "x" * LONGEST_DDL + "\n)",
        "-- ' \" ` [",
        "",
    ],
)
def test_a_text_that_says_nothing_or_is_broken_gives_nothing_wrong(ddl: str) -> None:
    table, columns = read_comments(ddl, ["a"])
    assert not table
    assert set(columns) <= {"a"}
    assert columns.get("a", "") in {"", "never closed"}


def test_introspection_gives_them(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(ORDERS)
        db.execute("CREATE TABLE bare (id INTEGER)")
    catalog = open_engine(parse_address(str(path))).introspect(no_progress)
    orders, bare = catalog.by_name["orders"], catalog.by_name["bare"]
    assert orders.comment == "订单表"
    assert [column.comment for column in orders.columns[:3]] == [
        "order number",
        "who bought it (never empty)",
        "0待付款 1已付款",
    ]
    assert not bare.comment
    assert not bare.columns[0].comment
