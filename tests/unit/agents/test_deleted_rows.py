"""Rows that were deleted and are still there: when they are left out, and how."""

import pytest

from inquery.agents.statements.without_deleted import without_deleted
from inquery.catalog.deleted_rows import deletion_of
from inquery.knowledge.glossary import Glossary, parse_glossary
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.catalog import Meaning
from inquery.sql.statement import read_statement


def marked(name: str, kind: str, *samples: str, **more: object) -> Column:
    return Column(name, kind, samples=samples, **more)  # type: ignore[arg-type]


DOCTOR = Table(
    ("doctor",),
    (
        Column("id", "INTEGER", primary_key=True),
        Column("dept_id"),
        Column("name", "TEXT"),
        marked("del_flag", "CHAR(1)", "0", "2"),
    ),
)
DEPT = Table(
    ("dept",),
    (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT"), marked("is_deleted", "INTEGER", "0", "1")),
)
NOTE = Table(
    ("note",), (Column("id", "INTEGER", primary_key=True), marked("deleted_at", "TEXT", "2025-01-02 10:00:00"))
)
EPOCH = Table(
    ("card",), (Column("id", "INTEGER", primary_key=True), marked("delete_time", "INTEGER", "0", "1735689600"))
)
CLEAN = Table(("bed",), (Column("id", "INTEGER", primary_key=True), marked("is_deleted", "INTEGER", "0")))
CATALOG = Catalog(
    dialect="sqlite",
    tables=(DOCTOR, DEPT, NOTE, EPOCH, CLEAN),
    joins=(Join(("doctor",), ("dept_id",), ("dept",), ("id",)),),
)


def without(sql: str, question: str = "how many are there?", glossary: Glossary | None = None) -> str:
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    return without_deleted(statement, question, glossary or Glossary())


@pytest.mark.parametrize(
    ("sql", "condition"),
    [
        ("SELECT COUNT(*) FROM doctor", """"del_flag" = '0'"""),
        ("SELECT COUNT(*) FROM dept", '"is_deleted" = 0'),
        ("SELECT COUNT(*) FROM note", '"deleted_at" IS NULL'),
        ("SELECT COUNT(*) FROM card", '"delete_time" = 0'),
    ],
)
def test_deleted_rows_are_left_out(sql: str, condition: str) -> None:
    assert without(sql) == f"{sql} WHERE {condition}"


def test_of_joined_tables_the_rows_that_are_asked_for_are_meant() -> None:
    joined = "SELECT d.name, COUNT(*) FROM dept AS d JOIN doctor AS o ON o.dept_id = d.id GROUP BY d.id, d.name"
    made = without(joined)
    assert """WHERE "o"."del_flag" = '0'""" in made
    assert "is_deleted" not in made  # a doctor works where he works, though the department was closed since


def test_an_outer_join_keeps_its_rows() -> None:
    made = without(
        "SELECT d.name, COUNT(o.id) FROM dept AS d LEFT JOIN doctor AS o ON o.dept_id = d.id GROUP BY d.id, d.name"
    )
    assert """ON o.dept_id = d.id AND "o"."del_flag" = '0'""" in made
    assert "WHERE" not in made


def test_each_select_is_about_rows_of_its_own() -> None:
    made = without("SELECT name FROM dept WHERE NOT id IN (SELECT dept_id FROM doctor)")
    assert made.count("is_deleted") == 1
    assert """SELECT dept_id FROM doctor WHERE "del_flag" = '0'""" in made


@pytest.mark.parametrize(
    "question",
    [
        "how many deleted doctors are there?",
        "all doctors, deleted ones too",
        "已删除的医生有多少",
        "回收站里有几位医生",
    ],
)
def test_who_speaks_of_deleted_rows_means_them(question: str) -> None:
    assert without("SELECT COUNT(*) FROM doctor", question) == "SELECT COUNT(*) FROM doctor"


def test_nothing_is_added_where_nothing_was_deleted_or_the_statement_says_itself() -> None:
    for sql in (
        "SELECT COUNT(*) FROM bed",
        "SELECT COUNT(*) FROM doctor WHERE del_flag = '2'",
        "SELECT del_flag FROM doctor",
    ):
        assert without(sql) == sql


@pytest.mark.parametrize(
    "said", [{"tables": {"doctor": {"leave_out": {"del_flag": ["2"]}}}}, {"setup": {"leave_out:doctor.del_flag": "-"}}]
)
def test_what_people_said_in_the_set_up_comes_first(said: dict[str, object]) -> None:
    assert without("SELECT COUNT(*) FROM doctor", glossary=parse_glossary(said)) == "SELECT COUNT(*) FROM doctor"


def test_a_question_that_was_passed_over_decides_nothing() -> None:
    skipped = parse_glossary({"setup": {"leave_out:doctor.del_flag": "~"}})
    assert "del_flag" in without("SELECT COUNT(*) FROM doctor", glossary=skipped)


def test_a_column_that_only_sounds_so_marks_nothing() -> None:
    other = Table(
        ("route",),
        (marked("delivered", "INTEGER", "0", "1"), marked("model", "TEXT", "a"), marked("delay", "INTEGER", "0", "1")),
    )
    assert deletion_of(other) is None
    told = marked(
        "del_flag", "CHAR(1)", "1", "9", meanings=(Meaning("9", ("deleted",)), Meaning("1", ("not deleted",)))
    )
    assert deletion_of(Table(("odd",), (told,))) is None  # 1 is no usual word for what is there


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("SELECT COUNT(*) FROM doctor WHERE del_flag = '0'", "SELECT COUNT(*) FROM doctor"),
        (
            "SELECT COUNT(*) FROM doctor WHERE dept_id = 3 AND del_flag = '0'",
            "SELECT COUNT(*) FROM doctor WHERE dept_id = 3",
        ),
        ("SELECT COUNT(*) FROM note WHERE deleted_at IS NULL", "SELECT COUNT(*) FROM note"),
        ("SELECT COUNT(*) FROM doctor WHERE del_flag = '2'", "SELECT COUNT(*) FROM doctor WHERE del_flag = '2'"),
        (
            "SELECT COUNT(*) FROM doctor WHERE dept_id = 3 OR del_flag = '0'",
            "SELECT COUNT(*) FROM doctor WHERE dept_id = 3 OR TRUE",
        ),
    ],
)
@pytest.mark.parametrize(
    "question", ["How many, deleted ones too?", "How many, including deleted doctors?", "一共多少，包括已删除的？"]
)
def test_who_takes_them_in_gets_them_though_the_writer_left_them_out(sql: str, whole: str, question: str) -> None:
    assert without(sql, question) == whole


@pytest.mark.parametrize(
    "question",
    [
        "How many doctors are not deleted?",
        "doctors (deleted ones left out)",
        "不含已删除的医生有多少",
        "未删除的医生有几位",
        "How many, excluding deleted ones?",
    ],
)
def test_who_leaves_them_out_is_understood(question: str) -> None:
    assert "del_flag" in without("SELECT COUNT(*) FROM doctor", question)
    kept = "SELECT COUNT(*) FROM doctor WHERE del_flag = '0'"
    assert without(kept, question) == kept
