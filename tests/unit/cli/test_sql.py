"""`inquery sql` runs a person's statement, in every format, within its caps."""

import csv
import io
import json
import sqlite3
from pathlib import Path

import openpyxl
import pyarrow.parquet as pq
import pytest
from tests.unit.cli.conftest import Inquery

ORDERS = "SELECT order_id, channel, total_amount FROM orders ORDER BY order_id"


def test_a_table_is_printed(inquery: Inquery) -> None:
    ran = inquery("sql", "SELECT region, COUNT(*) AS stores FROM stores GROUP BY region ORDER BY region")
    assert ran.code == 0
    assert next(line.split() for line in ran.out.splitlines() if "st" in line) == ["region", "stores"]
    assert "east" in ran.out
    assert "4 rows" in ran.err


def test_json_holds_the_result(inquery: Inquery) -> None:
    result = inquery("sql", "SELECT code, name_zh FROM categories ORDER BY category_id LIMIT 1", "--json").json
    assert result["columns"] == ["code", "name_zh"]
    assert result["rows"] == [["mobile_phone", "手机"]]
    assert (result["row_count"], result["truncated"]) == (1, None)
    assert result["ms"] >= 0


def test_rows_are_capped_and_said_to_be(inquery: Inquery) -> None:
    result = inquery("sql", ORDERS, "--json").json
    assert (result["row_count"], result["truncated"]) == (1000, "rows")
    assert "--no-cap" in inquery("sql", ORDERS, "--limit", "3").err


def test_a_result_as_long_as_the_cap_is_whole(inquery: Inquery) -> None:
    assert inquery("sql", "SELECT * FROM stores", "--limit", "12", "--json").json["truncated"] is None


def test_a_limit_of_the_statement_stays(inquery: Inquery) -> None:
    assert inquery("sql", ORDERS + " LIMIT 5", "--json").json["row_count"] == 5


def test_pages_follow_each_other(inquery: Inquery) -> None:
    pages = [inquery("sql", ORDERS, "--page", str(n), "--page-size", "10", "--json").json["rows"] for n in (1, 2)]
    assert [row[0] for page in pages for row in page] == list(range(1, 21))


def test_pages_without_an_order_come_with_a_warning(inquery: Inquery) -> None:
    assert "ORDER BY" in inquery("sql", "SELECT name FROM stores", "--page", "1", "--lang", "zh").err


def test_csv_goes_to_standard_output(inquery: Inquery) -> None:
    ran = inquery("sql", ORDERS, "--format", "csv", "--limit", "7")
    rows = list(csv.reader(io.StringIO(ran.out)))
    assert rows[0] == ["order_id", "channel", "total_amount"]
    assert len(rows) == 8


def test_an_export_is_capped_too_and_says_so(inquery: Inquery) -> None:
    ran = inquery("sql", ORDERS, "--format", "jsonl")
    assert len(ran.out.splitlines()) == 1000
    assert "--no-cap" in ran.err
    assert inquery("sql", "SELECT * FROM stores", "--format", "csv", "--limit", "12").err == ""


def test_a_page_can_be_exported(inquery: Inquery) -> None:
    out = inquery("sql", ORDERS, "--page", "3", "--page-size", "10", "--format", "jsonl").out
    assert [json.loads(line)["order_id"] for line in out.splitlines()] == list(range(21, 31))


def test_no_cap_fetches_everything(inquery: Inquery, tmp_path: Path) -> None:
    ran = inquery("sql", ORDERS, "--no-cap", "--out", str(tmp_path / "orders.csv"))
    assert "45,000" in ran.err
    assert len((tmp_path / "orders.csv").read_text().splitlines()) == 45_001


def test_no_cap_and_json_give_one_whole_document(inquery: Inquery) -> None:
    result = inquery("sql", ORDERS, "--no-cap", "--json").json
    assert (result["row_count"], result["truncated"]) == (45_000, None)


def test_json_lines_and_json(inquery: Inquery) -> None:
    lines = inquery("sql", ORDERS, "--format", "jsonl", "--limit", "2").out.splitlines()
    records = json.loads(inquery("sql", ORDERS, "--format", "json", "--limit", "2").out)
    assert [json.loads(line) for line in lines] == records
    assert records[0]["order_id"] == 1


def test_parquet_and_xlsx_are_written_whole(inquery: Inquery, tmp_path: Path) -> None:
    statement = "SELECT name, email, price FROM (SELECT 'a' AS name, NULL AS email, 2.5 AS price)"
    assert inquery("sql", statement, "--out", str(tmp_path / "x.parquet")).code == 0
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == [{"name": "a", "email": None, "price": 2.5}]
    assert inquery("sql", statement, "--out", str(tmp_path / "x.xlsx")).code == 0
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert [[cell.value for cell in row] for row in sheet.rows] == [["name", "email", "price"], ["a", None, 2.5]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.parquet", "x.xlsx"]


def test_a_failed_export_leaves_the_old_file(inquery: Inquery, tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    assert inquery("sql", "SELECT nothing FROM orders", "--out", str(target)).code == 1
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_statement_can_come_from_standard_input(inquery: Inquery) -> None:
    assert inquery("sql", "-", "--json", stdin="SELECT COUNT(*) FROM stores").json["rows"] == [[12]]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["DROP TABLE orders"], "sql_refused"),
        (["SELECT * FROM nowhere"], "sql_refused"),
        (["SELECT * FROM sqlite_master"], "sql_refused"),
        ([""], "sql_refused"),
        (["SELECT 1", "--format", "parquet"], "bad_request"),
        (["SELECT 1", "--out", "result.unknown"], "bad_request"),
        (["SELECT 1", "--no-cap", "--limit", "3"], "bad_request"),
        (["SELECT 1", "--json", "--out", "x.csv"], "bad_request"),
        (["SELECT 1", "--format", "table", "--out", "x.csv"], "bad_request"),
        (["SELECT 1", "--limit", "0"], "bad_request"),
        (["SELECT 1", "--limit", "many"], "bad_request"),
        (["SELECT 1", "--connection", "nobody"], "not_found"),
    ],
)
def test_what_cannot_be_done_is_one_line_in_either_language(inquery: Inquery, arguments: list[str], code: str) -> None:
    for language in ("en", "zh"):
        ran = inquery("sql", *arguments, "--lang", language)
        assert ran.code == 1
        assert ran.err.startswith(f"error [{code}]: ")
        assert any("一" <= letter <= "鿿" for letter in ran.err) == (language == "zh")
        assert "Traceback" not in ran.err
        assert ran.out == ""


def test_a_query_that_takes_too_long_is_stopped(inquery: Inquery) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000000) SELECT COUNT(*) FROM n AS a, n AS b"
    ran = inquery("sql", endless, "--timeout", "0.5")
    assert (ran.code, ran.err.split(":")[0]) == (1, "error [timeout]")


def test_cells_cannot_steer_the_terminal(inquery: Inquery) -> None:
    out = inquery("sql", "SELECT 'a' || char(27) || '[31mred' || char(10) || '[bold]b' AS x").out
    assert "\x1b" not in out
    assert "⏎[bold]b" in out


def test_a_keyword_that_names_a_table_is_said_to_want_quotes(inquery: Inquery, tmp_path: Path) -> None:
    place = tmp_path / "shop.sqlite"
    with sqlite3.connect(place) as made:
        made.execute('CREATE TABLE "order" (id INTEGER, total REAL)')
        made.execute('CREATE TABLE "values" (id INTEGER)')
    assert inquery("connections", "add", "shop", str(place)).code == 0
    ran = inquery("sql", "SELECT * FROM values", "-c", "shop")
    assert ran.code == 1
    assert 'Quote it in the statement: "values"' in ran.err
    assert "须加引号" in inquery("sql", "SELECT * FROM values", "-c", "shop", "--format", "csv", "--lang", "zh").err
    assert inquery("sql", "SELECT * FROM order", "-c", "shop").code == 0
