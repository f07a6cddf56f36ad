"""`inquery schema` shows tables, columns and joins, and why they are believed."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.unit.cli.conftest import Inquery


def test_tables_and_joins_are_shown_with_the_reason(inquery: Inquery) -> None:
    out = inquery("schema").out
    assert "order_items" in out
    assert "orders (ship_address_id)" in out
    assert "declared foreign key" in out
    assert "已声明的外键" in inquery("schema", "--lang", "zh").out


def test_two_references_to_one_table_stay_two(inquery: Inquery) -> None:
    joins = inquery("schema", "orders", "--json").json["joins"]
    columns = {tuple(j["left_columns"]) for j in joins if j["left"] == "orders" and j["right"] == "addresses"}
    assert columns == {("ship_address_id",), ("bill_address_id",)}


def test_one_table_shows_its_columns_and_comments(inquery: Inquery) -> None:
    ran = inquery("schema", "ORDERS")
    assert "total_amount" in ran.out
    assert "订单总金额" in ran.out
    assert "customers" in ran.out


def test_json_carries_everything(inquery: Inquery) -> None:
    found = inquery("schema", "--json").json
    assert (found["dialect"], len(found["tables"])) == ("sqlite", 15)
    orders = next(table for table in found["tables"] if table["name"] == "orders")
    assert orders["rows"] == 45_000
    assert orders["columns"][0]["primary_key"] is True
    assert {"left", "right", "reason", "confidence", "declared"} <= set(found["joins"][0])


def test_search_in_both_languages(inquery: Inquery) -> None:
    assert "inventory" in [t["name"] for t in inquery("schema", "--search", "库存", "--json").json["tables"]]
    assert inquery("schema", "--search", "stock level", "--json").json["tables"][0]["name"] == "inventory"


def test_one_table_shows_a_few_values(inquery: Inquery) -> None:
    columns = inquery("schema", "stores", "--json").json["tables"][0]["columns"]
    assert set(next(c for c in columns if c["name"] == "region")["samples"]) == {"east", "south", "north", "west"}


def test_values_count_in_a_search_once_they_were_read(inquery: Inquery) -> None:
    inquery("schema", "--refresh", "--json")
    assert inquery("schema", "--search", "Nippon Optics", "--json").json["tables"][0]["name"] == "suppliers"


def test_only_joins(inquery: Inquery) -> None:
    found = inquery("schema", "--joins", "--json").json
    assert found["tables"] == []
    assert len(found["joins"]) >= 22


def test_an_unknown_table_comes_with_the_nearest(inquery: Inquery) -> None:
    ran = inquery("schema", "custmers", "--lang", "zh")
    said = "error [not_found]: 没有名为 custmers 的表。您是否指：customers？\n查看已有的：inquery schema"
    assert (ran.code, ran.err.strip()) == (1, said)


def test_a_join_that_is_only_inferred_says_so(inquery: Inquery, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "loose.db")) as database:
        database.executescript(
            "CREATE TABLE client (id INTEGER PRIMARY KEY); CREATE TABLE bill (id INTEGER PRIMARY KEY, client_id INT)"
        )
    inquery("connections", "add", "loose", str(tmp_path / "loose.db"))
    (join,) = inquery("schema", "--connection", "loose", "--json").json["joins"]
    assert (join["left"], join["right"], join["declared"]) == ("bill", "client", False)
    assert 0 < join["confidence"] < 1


def test_joins_are_shown_with_how_they_are_known_and_what_data_says(inquery: Inquery, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "loose.db")) as database:
        database.executescript(
            "CREATE TABLE client (id INTEGER PRIMARY KEY); CREATE TABLE bill (id INTEGER PRIMARY KEY, client_id INT)"
        )
        database.executemany("INSERT INTO client VALUES (?)", [(n,) for n in range(1, 21)])
        database.executemany("INSERT INTO bill VALUES (?, ?)", [(n, n % 10 + 1) for n in range(1, 31)])
        database.commit()
    inquery("connections", "add", "loose", str(tmp_path / "loose.db"))
    (join,) = inquery("schema", "--connection", "loose", "--joins", "--json").json["joins"]
    assert (join["how"], join["found"], join["sampled"], join["cardinality"]) == ("name", 10, 10, "many_to_one")
    out = " ".join(inquery("schema", "--connection", "loose", "--joins").out.split())
    assert "100% of 10 sampled values found" in out
    # What was learnt is kept: a look at the tables shows it without waiting.
    assert inquery("schema", "--connection", "loose", "--json").json["joins"] == [join]
