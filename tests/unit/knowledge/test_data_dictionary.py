"""Data dictionaries of every shape say the same, lie over the database's own comments, and break in one clear sentence."""

import io
import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from inquery.catalog.meanings import with_meanings
from inquery.errors import BadRequest
from inquery.knowledge.data_dictionary import (
    apply_dictionary,
    description_of,
    entries_of,
    import_dictionary,
    remove_dictionary,
    sort_entries,
)
from inquery.knowledge.dictionary_files import Entry, read_dictionary
from inquery.settings import Settings
from inquery.sql import Catalog, Column, Table
from inquery.sql.catalog import Meaning
from inquery.store import open_store

CATALOG = Catalog(
    "postgres",
    (
        Table(
            ("public", "orders"),
            (
                Column("id", "integer", primary_key=True),
                Column("status", "integer", comment="st", samples=("0", "1")),
                Column("pay_way", "text"),
            ),
        ),
        Table(("public", "customers"), (Column("id", "integer", primary_key=True), Column("name", "text"))),
    ),
)
WANTED = {
    ("orders", ""): "订单",
    ("orders", "status"): "订单状态",
    ("orders", "pay_way"): "how it was paid",
}
CODES = {("0", "待付款"), ("1", "已付款")}


def workbook(*sheets: list[list[object]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


ROWS: list[list[object]] = [
    ["table", "column", "comment", "value", "meaning"],
    ["orders", None, "订单", None, None],
    ["orders", "status", "订单状态", 0, "待付款"],
    [None, None, None, 1, "已付款"],
    ["orders", "pay_way", "how it was paid", None, None],
]
CHINESE: list[list[object]] = [
    ["系统数据字典"],
    ["序号", "表名", "字段名", "字段说明", "取值", "取值说明"],
    [1, "orders", None, "订单", None, None],
    [2, "orders", "status", "订单状态", "0", "待付款"],
    [3, "orders", "status", None, "1", "已付款"],
    [4, "orders", "pay_way", "how it was paid", None, None],
]
CSV = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in ROWS)
TREE = {
    "orders": {
        "comment": "订单",
        "columns": {
            "status": {"label": "订单状态", "values": {"0": "待付款", 1: "已付款"}},
            "pay_way": "how it was paid",
        },
    }
}
MANIFEST = {
    "metadata": {},
    "nodes": {
        "model.shop.orders": {
            "resource_type": "model",
            "name": "orders",
            "description": "订单",
            "columns": {
                "status": {
                    "name": "status",
                    "description": "订单状态",
                    "meta": {"values": {"0": "待付款", "1": "已付款"}},
                },
                "pay_way": {"name": "pay_way", "description": "how it was paid"},
            },
        },
        "test.shop.x": {"resource_type": "test", "name": "x"},
    },
}
SCHEMA_YML = """
version: 2
models:
  - name: orders
    description: 订单
    columns:
      - name: status
        description: 订单状态
        config: {meta: {values: [{value: 0, label: 待付款}, {value: 1, label: 已付款}]}}
      - {name: pay_way, description: how it was paid}
"""
COMMENTS = {"orders": {"": "订单", "status": "订单状态", "pay_way": "how it was paid"}}
FILES = {
    "d.csv": CSV.encode(),
    "gb.csv": CSV.encode("gb18030"),
    "utf16.csv": CSV.encode("utf-16"),
    "bom.csv": b"\xef\xbb\xbf" + CSV.encode(),
    "semicolons.csv": CSV.replace(",", ";").encode(),
    "d.tsv": CSV.replace(",", "\t").encode(),
    "d.xlsx": workbook([["notes"], ["made by hand"]], ROWS),
    "字典.xlsx": workbook(CHINESE),
    "tree.json": json.dumps(TREE).encode(),
    "rows.json": json.dumps([dict(zip(map(str, ROWS[0]), row, strict=True)) for row in ROWS[1:]]).encode(),
    "manifest.json": json.dumps(MANIFEST).encode(),
    "schema.yml": SCHEMA_YML.encode(),
    "tree.yaml": "orders:\n  comment: 订单\n  columns:\n    status: {comment: 订单状态, values: {0: 待付款, 1: 已付款}}\n"
    "    pay_way: how it was paid\n".encode(),
    "shop.comments.json": json.dumps(COMMENTS).encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_shape_says_the_same(name: str) -> None:
    entries = read_dictionary(FILES[name], name)
    assert {(e.table, e.column): e.comment for e in entries if e.comment} == WANTED
    codes = {pair for e in entries for pair in e.values if e.column == "status"}
    assert codes == (set() if name == "shop.comments.json" else CODES)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.json", b'{"orders": {', "it is not JSON (line 1)"),
        ("x.yaml", b"orders: [\n  a: b: c", "it is not YAML"),
        ("x.xlsx", b"PK\x03\x04 broken", "it is not an XLSX workbook"),
        ("x.csv", b"a,b\n1,2", "no row names its columns"),
        ("x.csv", b'table,comment\norders,"never closed', "a quotation mark is not closed"),
        ("x.csv", b"", "it is empty"),
        ("x.json", b"[1, 2]", "it names no tables"),
        ("x.json", b'{"orders": [1, 2]}', "a table is described by a text or by its columns"),
        ("x.json", b'{"orders": {}}', "it describes no table and no column"),
        ("x.docx", b"x", "a dictionary is a file that ends in"),
    ],
)
def test_a_broken_file_gives_one_clear_sentence_in_both_languages(name: str, content: bytes, says: str) -> None:
    with pytest.raises(BadRequest) as raised:
        read_dictionary(content, name)
    assert says in raised.value.public_message("en")
    assert any("一" <= letter <= "鿿" for letter in raised.value.public_message("zh"))


def test_it_lies_over_the_databases_own_comments_and_is_part_of_the_version() -> None:
    entries = read_dictionary(FILES["tree.json"], "tree.json")
    said = apply_dictionary(CATALOG, entries)
    orders = said.by_name["public.orders"]
    assert orders.comment == "订单"
    status = orders.column("status")
    assert status is not None
    assert status.comment == "订单状态"
    assert status.meanings == (Meaning("0", ("待付款",)), Meaning("1", ("已付款",)))
    assert said.by_name["public.customers"] == CATALOG.by_name["public.customers"]
    assert said.version != CATALOG.version
    assert with_meanings(said) == said


def test_an_enumeration_in_a_dictionarys_comment_is_read() -> None:
    said = with_meanings(apply_dictionary(CATALOG, [Entry("orders", "status", "状态 0待付款 1已付款")]))
    status = said.by_name["public.orders"].column("status")
    assert status is not None
    assert [m.words[0] for m in status.meanings] == ["待付款", "已付款"]


def test_what_is_not_there_is_listed_with_the_nearest_names() -> None:
    entries = [
        Entry("Orders", "STATUS", "x"),
        Entry("public.customers", "name", "x"),
        Entry("dbo.customers", "", "x"),
        Entry("oders", "", "x"),
        Entry("orders", "stauts", "x"),
        Entry("orders", "stauts", "y"),
    ]
    there, missing = sort_entries(entries, CATALOG)
    assert [entry.column for entry in there] == ["STATUS", "name", ""]
    assert [each.name for each in missing] == ["oders", "orders.stauts"]
    assert "orders" in {name.rpartition(".")[2] for name in missing[0].nearest}
    assert "status" in missing[1].nearest


@pytest.fixture
def settings(own_home: Path) -> Settings:
    return Settings(home=own_home)


def test_it_is_kept_with_the_connection_replaced_and_removed(settings: Settings) -> None:
    taken = import_dictionary("c1", FILES["tree.json"], "tree.json", CATALOG, settings)
    assert (taken.tables, taken.columns, taken.values, taken.not_there) == (1, 2, 2, 0)
    describe = description_of("c1", settings)
    assert describe is not None
    assert describe(CATALOG).by_name["public.orders"].comment == "订单"
    import_dictionary("c1", b'{"orders": "bought things"}', "x.json", CATALOG, settings)
    assert entries_of("c1", open_store(settings)) == (Entry("orders", "", "bought things"),)
    assert description_of("c2", settings) is None
    assert remove_dictionary("c1", settings)
    assert description_of("c1", settings) is None
    assert not remove_dictionary("c1", settings)


def test_a_file_of_another_database_changes_nothing(settings: Settings) -> None:
    import_dictionary("c1", FILES["tree.json"], "tree.json", CATALOG, settings)
    with pytest.raises(BadRequest) as raised:
        import_dictionary("c1", b'{"planets": {"": "x"}}', "space.json", CATALOG, settings)
    assert "space.json" in raised.value.public_message("en")
    assert "planets" in raised.value.public_message("zh")
    with pytest.raises(BadRequest):
        import_dictionary("c1", b"{", "broken.json", CATALOG, settings)
    assert len(entries_of("c1", open_store(settings))) == 3
