"""Data files become tables with clean names and right types; what cannot be read says why."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb")

from inquery.databases.engine import Limits, no_progress
from inquery.databases.engines.files.engine import FilesEngine
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import BadDataFile, InqueryError, NotADatabase, PermissionDenied, ReadOnlyViolation
from inquery.sql import Catalog
from inquery.sql.policy import _mint

Read = Callable[[Path, str], list[tuple[Any, ...]]]


def engine_for(path: Path) -> FilesEngine:
    engine = open_engine(parse_address(f"files:///{path}"))
    assert isinstance(engine, FilesEngine)
    return engine


def catalogue(path: Path) -> Catalog:
    return engine_for(path).introspect(no_progress)


@pytest.fixture
def read() -> Read:
    """Rows of a statement over a file or folder."""

    def run(path: Path, sql: str) -> list[tuple[Any, ...]]:
        engine = engine_for(path)
        session = engine.open()
        try:
            batches = engine.stream(session, _mint(sql, dialect="duckdb"), Limits())
            return [row for batch in batches for row in batch.rows]
        finally:
            engine.close(session)

    return run


PEOPLE = '姓名,城市,amount,amount,日期\n张三,上海,1.5,2,2024-01-01\n李四,"北京,海淀",3,4,2024-02-01\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_csv_in_any_usual_encoding(tmp_path: Path, read: Read, encoding: str) -> None:
    (tmp_path / "人员 名单 (1).csv").write_text(PEOPLE, encoding)
    (table,) = catalogue(tmp_path).tables
    assert table.name == "人员_名单_1"
    assert [(c.name, c.type) for c in table.columns] == [
        ("姓名", "VARCHAR"), ("城市", "VARCHAR"), ("amount", "DOUBLE"), ("amount_1", "BIGINT"), ("日期", "DATE"),
    ]  # fmt: skip
    assert (table.kind, table.comment, table.estimated_rows) == ("table", "人员 名单 (1).csv", 2)
    assert read(tmp_path, "SELECT * FROM 人员_名单_1 ORDER BY amount") == [
        ("张三", "上海", 1.5, 2, datetime.date(2024, 1, 1)),
        ("李四", "北京,海淀", 3.0, 4, datetime.date(2024, 2, 1)),
    ]


def test_western_text_is_not_taken_for_chinese(tmp_path: Path, read: Read) -> None:
    (tmp_path / "a.csv").write_text("name\nZürich\nGenève\n", "cp1252")
    assert read(tmp_path, "SELECT name FROM a ORDER BY 1") == [("Genève",), ("Zürich",)]


@pytest.mark.parametrize(
    ("text", "line"), [("a,b\n1,2\n3\n4,5\n", "3"), ("a,b\n1,2\n3,4\n5,6,7\n", "4"), ("a,b\n1,2\n5,6,7\n8\n", "3")]
)
def test_ragged_rows_name_the_file_and_the_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "rag.csv").write_text(text)
    with pytest.raises(BadDataFile) as caught:
        engine_for(tmp_path).open()
    assert "rag.csv" in caught.value.public_message("en")
    assert f"第 {line} 行" in caught.value.public_message("zh")


@pytest.mark.parametrize(
    ("name", "content"), [("empty.csv", b""), ("x.parquet", b"no parquet"), ("x.xlsx", b"no zip"), ("x.json", b"{{{")]
)
def test_a_file_that_is_not_what_it_says(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadDataFile) as caught:
        engine_for(tmp_path).open()
    assert name in caught.value.public_message("zh")


def test_a_folder_without_data_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(NotADatabase):
        engine_for(tmp_path)


def test_a_folder_of_kinds(tmp_path: Path, read: Read) -> None:
    import duckdb

    (tmp_path / "t.tsv").write_text("a\tb\n1\tx\n")
    (tmp_path / "2024 sales.csv").write_text("id;price\n1;2.5\n")
    (tmp_path / "j.jsonl").write_text('{"a": 1, "b": {"c": 2}}\n{"a": 2}\n')
    duckdb.sql("SELECT 7 AS n, DATE '2024-05-06' AS d").write_parquet(str(tmp_path / "p.parquet"))
    assert [t.name for t in catalogue(tmp_path).tables] == ["j", "p", "t", "t_2024_sales"]
    sql = "SELECT t.a, t.b, s.price, p.n, p.d, j.b.c FROM t, t_2024_sales s, p, j WHERE j.a = 1"
    assert read(tmp_path, sql) == [(1, "x", 2.5, 7, datetime.date(2024, 5, 6), 2)]


def test_a_workbook_is_a_table_a_sheet(tmp_path: Path, read: Read) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "订单"
    for row in [
        ("编号", "金额", "日期", None, "编号", "备注"),
        (1, 2.5, datetime.date(2024, 1, 2), "x", True, 'say "hi", ok'),
        (2, 3, datetime.date(2024, 1, 3), None, False, None),
    ]:
        book.active.append(row)
    book.create_sheet("empty")
    book.create_sheet("other").append(("only",))
    book.save(tmp_path / "账.xlsx")
    tables = {t.name: [(c.name, c.type) for c in t.columns] for t in catalogue(tmp_path / "账.xlsx").tables}
    assert tables == {
        "账_订单": [
            ("编号", "BIGINT"), ("金额", "DOUBLE"), ("日期", "DATE"), ("column_4", "VARCHAR"), ("编号_1", "BOOLEAN"),
            ("备注", "VARCHAR"),
        ],
        "账_other": [("only", "VARCHAR")],
    }  # fmt: skip
    assert read(tmp_path, "SELECT * FROM 账_订单 ORDER BY 1") == [
        (1, 2.5, datetime.date(2024, 1, 2), "x", True, 'say "hi", ok'),
        (2, 3.0, datetime.date(2024, 1, 3), None, False, None),
    ]


def test_names_that_look_like_patterns(tmp_path: Path, read: Read) -> None:
    (tmp_path / "a[1]*.csv").write_text("n\n5\n")
    assert read(tmp_path, "SELECT n FROM a_1") == [(5,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('{folder}/secret.txt')",
        "SELECT * FROM read_text('{folder}/secret.txt')",
        "SELECT * FROM '{folder}/../outside.csv'",
        "SELECT * FROM read_text('/etc/passwd')",
        "COPY a TO '{folder}/a.csv'",
        "COPY a TO '{folder}/b.csv'",
        "SET enable_external_access = true",
    ],
)
def test_only_the_registered_files_are_reached(tmp_path: Path, read: Read, sql: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.csv").write_text("n\n5\n")
    (folder / "secret.txt").write_text("hidden")
    (tmp_path / "outside.csv").write_text("n\n9\n")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    with pytest.raises((PermissionDenied, ReadOnlyViolation)):
        read(folder, sql.replace("{folder}", str(folder)))
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_links_that_lead_out_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.csv").write_text("n\n5\n")
    (tmp_path / "outside.csv").write_text("n\n9\n")
    (folder / "b.csv").symlink_to(tmp_path / "outside.csv")
    assert [t.name for t in catalogue(folder).tables] == ["a"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("n\n5\n")
    engine = engine_for(tmp_path)
    session = engine.open()
    file.write_text("n,m\n5,text\n6,more\n")
    with pytest.raises(InqueryError):
        engine.reset(session)
    engine.close(session)
    (table,) = engine.introspect(no_progress).tables
    assert ([c.name for c in table.columns], table.estimated_rows) == (["n", "m"], 2)
