"""Databases described in one file: read, built, judged and given to a second reader."""

import json
import re
import sys
from pathlib import Path

import pytest
from tests.training.small import ROOT
from training.columns import BadLine, read_column, split_cells
from training.judge import check_files
from training.second_reading import answers_agree
from training.systems import (
    FOLDER,
    KINDS,
    BadFile,
    build,
    find_files,
    read_system,
    systems_groups,
    write_database,
)

from training import second_reading, systems

PAGE = (ROOT / "training" / "data" / "systems" / "README.md").read_text("utf-8")
HEAD = """db_id: small
domain: test
style: test
names: en
comments: none
tables:
- name: shop
  columns: |
    id INTEGER pk
    city TEXT
  data: |
    1,Rome
    2,""
    3,
    4,"Bath, UK"
- name: sale
  rows: 60
  columns: |
    id INTEGER pk
"""
UNANSWERABLE = """- en: How is the weather?
  zh: 天气怎么样？
  kind: unanswerable
  sql: null
"""


def describe(folder: Path, columns: str = "", questions: str = UNANSWERABLE, db_id: str = "small") -> Path:
    """A file with a shop table and a table of sixty sales."""
    lines = "".join(f"    {line}\n" for line in columns.splitlines())
    file = folder / f"{db_id}.yaml"
    file.write_text(HEAD.replace("small", db_id) + lines + "questions:\n" + questions, "utf-8")
    return file


def ask(file: Path, sql: str) -> list[tuple[object, ...]]:
    return build(read_system(file)).execute(sql).fetchall()


def column(file: Path, name: str) -> list[object]:
    return [row[0] for row in ask(file, f'SELECT "{name}" FROM sale ORDER BY id')]


def problems(*files: Path) -> list[str]:
    return check_files(list(files), [])[0]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example of the page."""
    found = re.search(r"```yaml\n(.*?)```", PAGE, re.S)
    assert found
    file = tmp_path / "tractor_parts_desk.yaml"
    file.write_text(found.group(1), "utf-8")
    return file


def test_the_example_of_the_page_has_no_problem(example: Path) -> None:
    assert problems(example) == []
    assert list(build(read_system(example)).iterdump()) == list(build(read_system(example)).iterdump())


def test_the_page_names_every_kind_and_every_pool() -> None:
    assert [kind for kind in KINDS if not re.search(rf"\b{kind}\b", PAGE)] == []
    from training.columns import name_pools

    assert [pool for pool in name_pools() if pool not in PAGE] == []


def test_cells_keep_missing_and_empty_apart(tmp_path: Path) -> None:
    assert ask(describe(tmp_path), "SELECT city FROM shop") == [("Rome",), ("",), (None,), ("Bath, UK",)]
    assert split_cells('a,"say ""no""", ,""') == ["a", 'say "no"', None, ""]


def test_values_are_drawn_as_their_line_says(tmp_path: Path) -> None:
    file = describe(
        tmp_path,
        """kind TEXT in a|b*8|'c d'
price REAL 0.50..9.75 step 0.25
sold INTEGER 2024-01-01..2024-12-31 sorted as %Y%m%d
shipped TEXT after sold 1..3 until 2024-12-30 when kind=b|'c d'
code TEXT like "S{sold:%m}-{n:03d}"
worth REAL = price * 2
gap TEXT in x null 0.5 blank 0.3""",
    )
    kinds = column(file, "kind")
    assert set(kinds) == {"a", "b", "c d"}
    assert kinds.count("b") > 30
    assert {price * 4 % 1 for price in column(file, "price")} == {0}  # type: ignore[operator]
    sold = column(file, "sold")
    assert sold == sorted(sold)  # type: ignore[type-var]
    assert all(isinstance(day, int) and 20240101 <= day <= 20241231 for day in sold)
    for kind, start, end in zip(kinds, sold, column(file, "shipped"), strict=True):
        assert end is None if kind == "a" else end is None or str(end).replace("-", "") > str(start)
    assert column(file, "code")[4] == f"S{str(sold[4])[4:6]}-005"
    assert column(file, "worth") == [2 * price for price in column(file, "price")]  # type: ignore[operator]
    assert {None, "", "x"} == set(column(file, "gap"))


def test_references_leave_some_parents_without_a_row_and_are_declared_only_by_fk(tmp_path: Path) -> None:
    file = describe(
        tmp_path,
        """boss INTEGER ref sale.id tree 3
shop_id INTEGER fk shop.id each
other INTEGER ref sale.id
city TEXT from shop.city via shop_id
late_n INTEGER late = (SELECT COUNT(*) FROM sale s WHERE s.boss = sale.id)""",
    )
    assert column(file, "shop_id")[:5] == [1, 2, 3, 4, 1]
    assert column(file, "city")[:4] == ["Rome", "", None, "Bath, UK"]
    assert [row[2] for row in ask(file, "SELECT * FROM pragma_foreign_key_list('sale')")] == ["shop"]
    parents = dict(zip(column(file, "id"), column(file, "boss"), strict=True))
    assert all(parent is None or parent < row for row, parent in parents.items())  # type: ignore[operator]
    depth = max(sum(1 for _ in climb(row, parents)) for row in parents)
    assert depth == 3
    assert sum(column(file, "late_n")) == 59  # type: ignore[arg-type]


def climb(row: object, parents: dict[object, object]) -> list[object]:
    path = [row]
    while parents[path[-1]] is not None:
        path.append(parents[path[-1]])
    return path


def test_many_parents_of_a_plain_reference_have_no_child(tmp_path: Path) -> None:
    file = describe(tmp_path, "twin INTEGER ref sale.id")
    text = file.read_text("utf-8").replace(
        "questions:", "- name: line\n  rows: 500\n  columns: |\n    id INT pk\n    sale INT ref sale.id\nquestions:"
    )
    file.write_text(text, "utf-8")
    assert ask(file, "SELECT COUNT(*) FROM sale WHERE id NOT IN (SELECT sale FROM line)")[0][0] >= 10  # type: ignore[operator]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("price", "a name and a type"),
        ("price REAL 1..5 in a|b", "two ways"),
        ("price REAL aroung 5", "unknown word aroung"),
        ("sent TEXT after sold", "needs a range"),
        ("city TEXT from shop.city", "via"),
        ("shop INT fk shop", "not table.column"),
    ],
)
def test_a_line_that_cannot_be_read_is_explained(line: str, why: str) -> None:
    with pytest.raises(BadLine, match=why):
        read_column(line)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("x INT fk shop.code", "sale: x refers to shop.code, which is not there"),
        ("x INT 1..5 unique", "table sale: x: 60 rows, but only 5 numbers"),
        ("x TEXT like {y}", "table sale: x: like"),
        ("x INT = y + 1", "table sale: x: = y"),
        ("x INT", "nothing says how x is filled"),
    ],
)
def test_a_problem_names_file_table_and_column(tmp_path: Path, columns: str, why: str) -> None:
    file = describe(tmp_path, columns)
    with pytest.raises(BadFile, match=re.escape(why)) as error:
        build(read_system(file))
    assert str(file) in str(error.value)


def test_keys_and_kinds_outside_the_lists_are_refused(tmp_path: Path) -> None:
    for old, new in (("kind: unanswerable", "kind: odd"), ("zh: 天", "cn: 天"), ("sql: null", "sql: SELECT 1")):
        with pytest.raises(BadFile, match="question 1"):
            read_system(describe(tmp_path, questions=UNANSWERABLE.replace(old, new)))


def question(sql: str, en: str = "How many?", zh: str = "多少？", kind: str = "count", more: str = "") -> str:
    return f"- en: {en}\n  zh: {zh}\n  kind: {kind}\n  sql: {json.dumps(sql)}\n{more}"


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT COUNT(*) FROM shops", "fails"),
        ("SELECT id FROM shop WHERE id > 9", "no rows"),
        ("SELECT MAX(city) FROM shop WHERE id > 9", "nothing but NULL"),
        ("SELECT * FROM shop", "SELECT *"),
        ("SELECT COUNT(*) FROM sale WHERE date('now') > '2020'", "changes"),
        ("SELECT a.id FROM sale a, sale b, sale c LIMIT 5000", "2000 rows"),
        ("SELECT id FROM sale ORDER BY grade DESC LIMIT 3", "a tie at LIMIT 3"),
        ("SELECT grade AS g FROM sale GROUP BY grade ORDER BY COUNT(*) * 0 LIMIT 1", "a tie at LIMIT 1"),
        ("WITH s AS (SELECT * FROM sale) SELECT COUNT(*) FROM s WHERE id = (SELECT id FROM s ORDER BY grade LIMIT 1)", "a tie"),
        (
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY grade ORDER BY grade) AS n FROM sale) WHERE n = 1",
            "ties under ROW_NUMBER",
        ),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_found(tmp_path: Path, sql: str, why: str) -> None:
    file = describe(tmp_path, "grade INTEGER in 1|2", UNANSWERABLE + question(sql))
    assert [why in problem and "question 2" in problem for problem in problems(file)] == [True]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM sale ORDER BY grade DESC, id LIMIT 3",
        "SELECT grade, COUNT(*) AS n FROM sale GROUP BY grade ORDER BY n DESC LIMIT 2",
        "SELECT COUNT(*) FROM sale WHERE EXISTS (SELECT * FROM shop)",
    ],
)
def test_a_good_answer_is_let_be(tmp_path: Path, sql: str) -> None:
    assert problems(describe(tmp_path, "grade INTEGER in 1|2", UNANSWERABLE + question(sql))) == []


def test_languages_pairs_and_repetitions_are_judged(tmp_path: Path) -> None:
    count = "SELECT COUNT(*) FROM sale"
    found = {
        "zh has no Chinese": question(count, zh="how many"),
        "en has Chinese": question(count, en="How many 单?"),
        "the wording of 1 again": UNANSWERABLE.replace("天气怎么样？", "下雨吗？"),
        "the SQL of 2 again": question(count) + question(count, "What number?", "几个？"),
        "the rows of 2, its pair p": question(count, more="  pair: p\n")
        + question("SELECT COUNT(id) FROM sale", "What number?", "几个？", more="  pair: p\n"),
        "the only one of the pair p": question(count, more="  pair: p\n"),
    }
    for why, text in found.items():
        assert [why in problem for problem in problems(describe(tmp_path, questions=UNANSWERABLE + text))] == [True], (
            why
        )
    assert ["no question that cannot" in p for p in problems(describe(tmp_path, questions=question(count)))] == [True]
    said = question("SELECT COUNT(*) FROM shop WHERE city <> '罗马'", en="How many are not in 罗马?")
    assert problems(describe(tmp_path, questions=UNANSWERABLE + said)) == []


def test_copies_in_another_file_are_found(tmp_path: Path) -> None:
    long = "For every town with a shop give the number of sales, the total worth and the average, largest total first."
    one = describe(tmp_path, questions=UNANSWERABLE + question("SELECT COUNT(*) FROM sale", long))
    two = describe(tmp_path, questions=UNANSWERABLE + question("SELECT COUNT(*) FROM shop", long), db_id="other")
    text = two.read_text("utf-8").replace("name: sale", "name: visit").replace("name: shop", "name: town")
    two.write_text(text.replace("FROM shop", "FROM town"), "utf-8")
    assert problems(one) == []
    assert ["much like 2 of small" in problem for problem in problems(one, two)] == [True]


def test_groups_have_comments_references_and_only_questions_that_were_read(tmp_path: Path) -> None:
    read = question("SELECT COUNT(*) FROM sale", more="  read: agreed\n")
    unread = question("SELECT COUNT(*) FROM shop", "How many shops?", "多少家店？")
    file = describe(tmp_path, "shop INTEGER ref shop.id -- where it was", UNANSWERABLE + read + unread)
    system = read_system(file)
    write_database(system, tmp_path)
    comments = json.loads((tmp_path / "small.comments.json").read_text("utf-8"))
    assert comments == {"shop": {"": ""}, "sale": {"": "", "shop": "where it was"}}
    [group] = systems_groups([system], tmp_path)
    assert [(q["lang"], q["sql"]) for q in group["questions"]] == [
        (x, "SELECT COUNT(*) FROM sale") for x in ("en", "zh")
    ]
    kept = group["tables"][1]["columns"][1]
    assert (kept["fk"], kept["declared"], kept["comment"]) == ("shop.id", False, "where it was")


def test_a_second_reading_marks_the_file_and_leaves_its_other_lines(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = example.parent
    answers = {
        1: "SELECT COUNT(*) FROM ord WHERE st = 'X' AND ord_dt BETWEEN 20250101 AND 20250630",
        2: "SELECT c.city, ROUND(AVG(o.amt), 2), COUNT(*), SUM(o.amt) FROM cust c, ord o WHERE c.id = o.cust_id AND st = 'S' AND ord_dt / 10000 = 2024 GROUP BY 1 HAVING COUNT(*) > 4",
        3: "SELECT DISTINCT cname FROM cust JOIN ord ON cust.id = bill_to",
        4: "SELECT DISTINCT cname, cust.id FROM cust JOIN ord ON cust.id = bill_to",
        5: None,
        6: None,
    }  # fmt: skip
    lines = (json.dumps({"db_id": example.stem, "n": n, "sql": sql}) for n, sql in answers.items())
    (folder / "answers.jsonl").write_text("\n".join(lines), "utf-8")
    call(monkeypatch, "sheet", str(example), "--language", "zh", "--out", str(folder / "sheet.md"))
    sheet = (folder / "sheet.md").read_text("utf-8")
    assert "没要的单子" in sheet
    assert "SELECT" not in sheet
    assert "已取消" in sheet
    arguments = ("--answers", str(folder / "answers.jsonl"), "--out", str(folder / "verdicts.jsonl"))
    call(monkeypatch, "compare", str(example), *arguments)
    assert "role                 1 of     2" in capsys.readouterr().out
    before = example.read_text("utf-8")
    for _ in range(2):
        call(monkeypatch, "apply", str(example), "--verdicts", str(folder / "verdicts.jsonl"))
    after = example.read_text("utf-8")
    assert [q.read for q in read_system(example).questions] == [
        "agreed",
        "agreed",
        "differs",
        "agreed",
        "differs",
        "agreed",
    ]
    assert [line for line in after.splitlines() if not line.startswith("  read: ")] == before.splitlines()


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["second_reading", *words])
    second_reading.main()


def test_rounding_and_two_further_columns_are_allowed_and_nothing_else() -> None:
    rows: list[tuple[object, ...]] = [("a", 1.23456), ("b", 2.0)]
    assert answers_agree(rows, [(2, "b", "x"), (1.23, "a", "y")])
    assert not answers_agree(rows, [("a", 1.3), ("b", 2.0)])
    assert not answers_agree(rows, [("a",), ("b",)])
    assert answers_agree([("",), (None,), ("b",)], [("b",), ("",), (None,)])
    assert not answers_agree(rows, [("a", 1.23456, 1, 2, 3), ("b", 2.0, 1, 2, 3)])
    assert not answers_agree(rows, [("b", 1.23456), ("a", 2.0)])


def test_the_command_line_checks_and_builds(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = example.parent / "out"
    monkeypatch.setattr(sys, "argv", ["systems", "build", str(example), "--out", str(out), "--questions", "all"])
    systems.main()
    assert sorted(path.name for path in out.iterdir()) == [
        "en.jsonl", "tractor_parts_desk.comments.json", "tractor_parts_desk.sqlite", "zh.jsonl",
    ]  # fmt: skip
    assert len((out / "zh.jsonl").read_text("utf-8").splitlines()) == 5
    monkeypatch.setattr(sys, "argv", ["systems", "check", str(example)])
    with pytest.raises(SystemExit) as ended:
        systems.main()
    assert not ended.value.code
    assert "0 problems in 1 files" in capsys.readouterr().out


def test_the_given_databases_have_no_problem() -> None:
    assert problems(*find_files([FOLDER])[::12]) == []
