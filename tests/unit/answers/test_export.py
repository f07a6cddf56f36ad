"""Exports open safely, keep numbers exact, and never hold a whole result in memory."""

import csv
import datetime
import io
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest

from inquery.answers.answer import AnswerColumn
from inquery.answers.export import FORMATS, json_value, safe_text, told_rows, write_export
from inquery.databases.engine import Batch, ResultColumn
from inquery.errors import BadRequest, TooManyRows


def batches(*rows: tuple[Any, ...], names: str = "a b") -> Iterator[Batch]:
    columns = tuple(ResultColumn(name) for name in names.split())
    yield Batch(columns, rows[:1])
    yield Batch(columns, rows[1:])


def written(form: str, *rows: tuple[Any, ...], names: str = "a b") -> bytes:
    out = io.BytesIO()
    assert write_export(batches(*rows, names=names), form, out) == len(rows)
    return out.getvalue()


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "\rx", "=cmd|' /C calc'!A0"])
def test_a_formula_becomes_text(text: str) -> None:
    assert safe_text(text) == "'" + text
    rows = list(csv.reader(io.StringIO(written("csv", (text, 1)).decode(), newline="")))
    assert rows[1][0] == "'" + text
    sheet = openpyxl.load_workbook(io.BytesIO(written("xlsx", (text, 1)))).active
    assert sheet is not None
    assert sheet["A2"].data_type != "f"


@pytest.mark.parametrize("text", ["-5", "-1.5e3", "+7", "plain", "", "中文", "a=b"])
def test_numbers_and_plain_text_stay(text: str) -> None:
    assert safe_text(text) == text


def test_negative_numbers_stay_numbers() -> None:
    assert written("csv", (-5, Decimal("-1.20"))).decode() == "a,b\n-5,-1.20\n"
    sheet = openpyxl.load_workbook(io.BytesIO(written("xlsx", (-5, Decimal("-1.20"))))).active
    assert sheet is not None
    assert [cell.value for cell in sheet[2]] == [-5, -1.2]


def test_a_persons_csv_has_the_decimals_they_may_want_and_other_files_have_all() -> None:
    columns = [
        AnswerColumn(name="average", kind="number", format="money", unit="CNY"),
        AnswerColumn(name="token_price", kind="number", format="money", unit="USD"),
        AnswerColumn(name="share", kind="number", format="fraction"),
        AnswerColumn(name="latitude", kind="number"),
    ]
    row = [3713.2646518987362, Decimal("0.00001234567890"), 0.0557741532978924, 31.230416700000001]
    files = {}
    for form in ("csv", "json"):
        out = io.BytesIO()
        write_export(told_rows(columns, [row]), form, out)
        files[form] = out.getvalue().decode()
    assert files["csv"].splitlines()[1] == "3713.2647,0.0000123457,0.0557742,31.2304167"
    assert "3713.2646518987362" in files["json"]


@pytest.mark.parametrize(
    ("value", "shown"), [(4618535.50999999, "4618535.51"), (0.1 + 0.2, "0.3"), (0.123456789012345, "0.123456789012345")]
)
def test_the_noise_of_adding_floats_is_left_out_and_nothing_else(value: float, shown: str) -> None:
    assert written("csv", (value, 1)).decode().splitlines()[1] == f"{shown},1"


def test_a_workbook_has_number_formats_and_columns_wide_enough() -> None:
    rows = [(2026, "华东地区的第一家门店", 1234567.5, 0.042, 12), (2025, "b", 3, 0.5, None)]
    content = written("xlsx", *rows, names="order_year store_name revenue rate orders")
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    formats = [cell.number_format for cell in sheet[2]]
    assert formats == ["General", "General", "#,##0.00", "0.0000", "#,##0"]
    assert sheet.column_dimensions["B"].width >= 20  # ten Chinese characters
    assert (sheet["A1"].font.bold, sheet.freeze_panes) == (True, "A2")


def test_an_answer_is_taken_away_in_its_readers_words() -> None:
    columns = [
        AnswerColumn(name="order_year", kind="number", label="年份"),
        AnswerColumn(name="status", kind="text", label="状态", words={"3": "已取消"}),
        AnswerColumn(name="r", kind="number", label="销售额", format="money", unit="CNY"),
        AnswerColumn(name="p", kind="number", label="占比", format="fraction"),
        AnswerColumn(name="c", kind="number", label="同比", format="percent"),
        AnswerColumn(name="store_name", kind="text"),
    ]
    rows = [[2026, "3", 1234567.5, 0.042, 12.5, "=a"], [2025, 3, 2, 0.5, None, "b"]]
    out = io.BytesIO()
    assert write_export(told_rows(columns, rows), "xlsx", out) == 2
    sheet = openpyxl.load_workbook(out).active
    assert sheet is not None
    assert [cell.value for cell in sheet[1]] == ["年份", "状态", "销售额", "占比", "同比", "store_name"]
    assert [cell.value for cell in sheet[2]] == [2026, "已取消", 1234567.5, 0.042, 12.5, "'=a"]
    assert sheet["B3"].value == "已取消"
    shown = [cell.number_format for cell in sheet[2]]
    assert shown == ["General", "General", '"¥"#,##0.00', "0.00%", '0.00"%"', "General"]
    out = io.BytesIO()
    write_export(told_rows(columns, rows), "csv", out)
    assert out.getvalue().decode().splitlines()[:2] == [
        "年份,状态,销售额,占比,同比,store_name",
        "2026,已取消,1234567.5,0.042,12.5,'=a",
    ]


def test_a_column_of_what_is_no_number_is_not_formatted() -> None:
    out = io.BytesIO()
    write_export([Batch((ResultColumn("a"),), [(Decimal("NaN"),), (Decimal("1.5"),)])], "xlsx", out)
    assert openpyxl.load_workbook(out).active is not None


def test_a_header_cannot_be_a_formula_either() -> None:
    assert written("csv", (1,), names="=x").decode().startswith("'=x")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("1.10"), "1.10"),
        (2**53, 2**53),
        (2**53 + 1, str(2**53 + 1)),
        (-(2**60), str(-(2**60))),
        (True, True),
        (float("nan"), None),
        (float("inf"), None),
        (b"\x00\xff", "AP8="),
        (datetime.date(2026, 11, 15), "2026-11-15"),
        (datetime.datetime(2026, 11, 15, 8, 30), "2026-11-15T08:30:00"),
        ({"a": [Decimal(1)]}, {"a": ["1"]}),
        (None, None),
    ],
)
def test_json_values_lose_nothing(value: Any, expected: Any) -> None:
    assert json_value(value) == expected
    json.dumps(json_value(value), allow_nan=False)


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_result_is_a_whole_file(form: str) -> None:
    out = io.BytesIO()
    assert write_export(iter([Batch((ResultColumn("a"),), [])]), form, out) == 0
    if form == "csv":
        assert out.getvalue() == b"a\n"
    elif form == "json":
        assert json.loads(out.getvalue()) == []
    elif form == "parquet":
        assert pq.read_table(io.BytesIO(out.getvalue())).column_names == ["a"]


def test_two_columns_of_one_name_are_both_kept() -> None:
    assert json.loads(written("json", (1, 2), names="id id")) == [{"id": 1, "id_2": 2}]
    assert pq.read_table(io.BytesIO(written("parquet", (1, 2), names="id id"))).to_pylist() == [{"id": 1, "id_2": 2}]


def test_parquet_keeps_types() -> None:
    day = datetime.date(2026, 11, 15)
    table = pq.read_table(io.BytesIO(written("parquet", (Decimal("1.25"), day), (None, None), (Decimal("20.50"), day))))
    assert table.to_pylist()[2] == {"a": Decimal("20.50"), "b": day}


def test_parquet_says_when_types_are_mixed() -> None:
    with pytest.raises(BadRequest) as caught:
        written("parquet", (1, "x"), ("one", "y"))
    assert "csv" in caught.value.public_message("zh")


def test_a_sheet_has_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(1,)] * 100
    many = (Batch((ResultColumn("a"),), rows) for _ in range(11))
    monkeypatch.setattr("inquery.answers.export.XLSX_ROWS", 250)
    with pytest.raises(TooManyRows):
        write_export(many, "xlsx", io.BytesIO())
