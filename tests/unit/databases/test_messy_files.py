"""Files as people make them are read as people see them, and what was read how is told."""

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("duckdb")

from inquery.databases.engine import Limits, no_progress
from inquery.databases.engines.files.engine import FilesEngine
from inquery.databases.note_words import note_text, notes_of, notes_on
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import BadDataFile
from inquery.sql import Table
from inquery.sql.policy import _mint

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "messy_files.yaml").read_text("utf-8"))


def read_all(path: Path) -> dict[str, tuple[Table, list[tuple[Any, ...]]]]:
    """Every table of a file with its rows."""
    engine = open_engine(parse_address(str(path)))
    assert isinstance(engine, FilesEngine)
    found = {}
    for table in engine.introspect(no_progress).tables:
        session = engine.open()
        batches = engine.stream(session, _mint(f'SELECT * FROM "{table.name}"', dialect="duckdb"), Limits(rows=None))
        found[table.name] = (table, [row for batch in batches for row in batch.rows])
        engine.close(session)
    return found


def read_one(path: Path) -> tuple[Table, list[tuple[Any, ...]]]:
    ((found),) = read_all(path).values()
    return found


def plain(value: object) -> object:
    return str(value) if isinstance(value, datetime.date) else value


def kinds(table: Table) -> list[str]:
    return [f"{note.kind}:{note.column}" if note.column else note.kind for note in table.notes]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_file_is_read_as_a_person_sees_it(tmp_path: Path, case: dict[str, Any]) -> None:
    (tmp_path / "file.csv").write_text(case["text"], "utf-8")
    table, rows = read_one(tmp_path / "file.csv")
    assert {c.name: c.type for c in table.columns} == {str(name): kind for name, kind in case["columns"].items()}
    assert [[plain(cell) for cell in row] for row in rows] == [[plain(cell) for cell in row] for row in case["rows"]]
    assert kinds(table) == case["notes"]
    for note in table.notes:
        assert all(note_text(note))


def test_one_cell_does_not_turn_ten_thousand_numbers_into_text(tmp_path: Path) -> None:
    lines = [f"{n},{n}.5" for n in range(1, 10_000)]
    (tmp_path / "a.csv").write_text("id,price\n" + "\n".join([*lines, "10000,call us"]) + "\n")
    table, rows = read_one(tmp_path / "a.csv")
    assert [c.type for c in table.columns] == ["BIGINT", "DOUBLE"]
    assert (sum(row[1] or 0 for row in rows), rows[-1]) == (sum(n + 0.5 for n in range(1, 10_000)), (10_000, None))
    (told,) = notes_on(table, {"price"})
    assert "1 of 10,000 cells" in told.en
    assert "“call us”" in told.en
    assert "10,000 个单元格中有 1 个" in told.zh
    assert notes_on(table, {"id"}) == []


def test_amounts_in_two_currencies_are_told_where_they_are_summed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("who,paid\na,$100\nb,€200\nc,$300\n", "utf-8")
    table, _ = read_one(tmp_path / "a.csv")
    (told,) = notes_on(table, {"paid"})
    assert "2 currencies" in told.en
    assert "2 种货币" in told.zh
    assert notes_on(table, {"who"}) == []


@pytest.mark.parametrize(
    ("encoding", "text", "names"),
    [
        ("big5", "產品,數量,單價\n電腦螢幕,10,1200\n無線滑鼠,5,900\n", ["產品", "數量", "單價"]),
        ("cp932", "商品,数量,価格\nりんごジュース,10,1200\nみかんゼリー,5,900\n", ["商品", "数量", "価格"]),
        ("gb18030", "产品,数量,单价\n电脑显示器,10,1200\n无线鼠标,5,900\n", ["产品", "数量", "单价"]),
        ("gb18030", "產品,數量,單價\n電腦螢幕,10,1200\n無線滑鼠,5,900\n", ["產品", "數量", "單價"]),
    ],
)
def test_scripts_of_two_bytes_are_told_apart(tmp_path: Path, encoding: str, text: str, names: list[str]) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    table, _ = read_one(tmp_path / "a.csv")
    assert [column.name for column in table.columns] == names


def test_a_column_that_stays_text_is_told_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("项目,金额\n甲,1\n乙,待定\n丙,2\n丁,未定\n戊,3\n", "utf-8")
    table, _ = read_one(tmp_path / "a.csv")
    assert table.columns[1].type == "VARCHAR"
    (told,) = notes_on(table, {"金额"})
    assert "5 个单元格中有 2 个" in told.zh
    assert "待定" in told.zh
    assert "stays text" in told.en


@pytest.mark.parametrize(("encoding", "shown"), [("gbk", "GB18030"), ("utf-16", "UTF-16"), ("gb18030", "GB18030")])
def test_another_encoding_is_told(tmp_path: Path, encoding: str, shown: str) -> None:
    (tmp_path / "a.csv").write_text("部门,金额\n销售部门,￥5\n市场部门,￥7\n", encoding)
    table, rows = read_one(tmp_path / "a.csv")
    assert rows == [("销售部门", 5), ("市场部门", 7)]
    assert shown in note_text(table.notes[0]).zh


def test_a_mark_at_the_begin_is_not_part_of_the_first_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("报表\n部门,金额,月\n销售,5,1\n市场,7,2\n", "utf-8-sig")
    table, _ = read_one(tmp_path / "a.csv")
    assert [c.name for c in table.columns] == ["部门", "金额", "月"]


@pytest.mark.parametrize("text", ["", "\n\n", " \n", "﻿"])
def test_a_file_with_nothing_in_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(BadDataFile) as caught:
        read_one(tmp_path / "a.csv")
    assert "为空" in caught.value.public_message("zh")
    assert "empty" in caught.value.public_message("en")


def test_a_line_of_another_width_below_a_title_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Report\n\na,b,c\n1,2,3\n4,5\n6,7,8\n")
    with pytest.raises(BadDataFile) as caught:
        read_one(tmp_path / "a.csv")
    assert "line 5" in caught.value.public_message("en")


def test_three_hundred_columns(tmp_path: Path) -> None:
    names = [f"指标 {n}" for n in range(300)]
    rows = [",".join(f'"{n},{row:03}"' for n in range(1, 301)) for row in range(20)]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + "\n".join(rows) + "\n", "utf-8")
    table, _ = read_one(tmp_path / "wide.csv")
    assert [c.type for c in table.columns] == ["BIGINT"] * 300


def test_a_hand_made_sheet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "报表"
    for row in [
        ("2024 年度销售报表",),
        (),
        ("部门", "员工", "业绩", None, "入职"),
        (None, None, "金额", "完成率", None),
        ("销售", "张三", "1,200.50", "80%", datetime.datetime(2020, 1, 2)),
        (None, "李四", 300, 0.9, datetime.datetime(2021, 3, 4)),
        ("市场", "王五", "待定", "70%", datetime.datetime(2022, 5, 6)),
        (None, "赵六", "￥88", "65%", datetime.datetime(2022, 5, 6)),
        ("合计", None, 1588.5, None, None),
        ("制表：财务部",),
    ]:
        sheet.append(row)
    for area in ("A1:E1", "A3:A4", "B3:B4", "C3:D3", "E3:E4", "A5:A6", "A7:A8"):
        sheet.merge_cells(area)
    notes = book.create_sheet("说明")
    notes.append(("列", "含义"))
    notes.append(("金额", "元"))
    book.create_sheet("草稿").sheet_state = "hidden"
    book["草稿"].append(("x",))
    book.save(tmp_path / "年报.xlsx")
    found = read_all(tmp_path / "年报.xlsx")
    assert set(found) == {"年报_报表", "年报_说明"}
    table, rows = found["年报_报表"]
    assert {c.name: c.type for c in table.columns} == {
        "部门": "VARCHAR", "员工": "VARCHAR", "业绩 金额": "DOUBLE", "业绩 完成率": "DOUBLE", "入职": "DATE",
    }  # fmt: skip
    assert [row[3] for row in rows] == [0.8, 0.9, 0.7, 0.65]
    assert [row[:3] for row in rows] == [
        ("销售", "张三", 1200.5), ("销售", "李四", 300.0), ("市场", "王五", None), ("市场", "赵六", 88.0),
    ]  # fmt: skip
    told = [note.kind for note in table.notes]
    assert {"titles", "headers", "totals", "footnotes", "merged", "hidden", "number"} <= set(told)
    assert any("草稿" in text.zh for text in notes_of([table]))
