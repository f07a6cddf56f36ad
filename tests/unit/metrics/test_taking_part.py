"""Those who have rows of another thing, counted once, and further wordings of managers on a database that nobody described."""

import datetime
import sqlite3

import pytest

from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.plain_wording import put_plainly
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql import check
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2026, 6, 30)
ROWS = """
CREATE TABLE ward (ward_id INTEGER PRIMARY KEY, ward_name TEXT);
INSERT INTO ward VALUES (1, 'Elm'), (2, 'Oak');
CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, patient_name TEXT, ward_id INTEGER, channel TEXT);
INSERT INTO patient VALUES (1, 'Ann', 1, 'web'), (2, 'Ben', 1, 'desk'), (3, 'Cam', 2, 'web'), (4, 'Dot', 2, 'web');
CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, patient_id INTEGER, seen_on DATE, fee REAL);
INSERT INTO visit VALUES (1, 1, '2024-02-01', 10), (2, 1, '2024-03-01', 20), (3, 2, '2024-05-01', 30), (4, 2, '2025-01-09', 40),
  (5, 3, '2025-02-02', 50), (6, 3, '2025-07-07', 70), (7, 3, '2026-01-05', 5);
CREATE TABLE complaint (complaint_id INTEGER PRIMARY KEY, visit_id INTEGER, raised_on DATE);
INSERT INTO complaint VALUES (1, 1, '2024-02-03'), (2, 2, '2024-03-03'), (3, 4, '2024-05-03');
CREATE TABLE transfer (transfer_id INTEGER PRIMARY KEY, from_ward INTEGER, to_ward INTEGER, moved_on DATE);
"""


def _table(name: str, columns: dict[str, str], comment: str, **keys: tuple[str, str]) -> Table:
    return Table(
        (name,),
        tuple(Column(column, kind, primary_key=column == f"{name}_id") for column, kind in columns.items()),
        comment=comment,
        foreign_keys=tuple(ForeignKey((own,), (other,), (key,)) for own, (other, key) in keys.items()),
    )


TABLES = (
    _table("ward", {"ward_id": "INTEGER", "ward_name": "TEXT"}, "病区"),
    _table(
        "patient",
        {"patient_id": "INTEGER", "patient_name": "TEXT", "ward_id": "INTEGER", "channel": "TEXT"},
        "患者", ward_id=("ward", "ward_id"),
    ),
    _table(
        "visit", {"visit_id": "INTEGER", "patient_id": "INTEGER", "seen_on": "DATE", "fee": "REAL"}, "就诊",
        patient_id=("patient", "patient_id"),
    ),
    _table("complaint", {"complaint_id": "INTEGER", "visit_id": "INTEGER", "raised_on": "DATE"}, "投诉", visit_id=("visit", "visit_id")),
    _table(
        "transfer", {"transfer_id": "INTEGER", "from_ward": "INTEGER", "to_ward": "INTEGER", "moved_on": "DATE"}, "转区",
        from_ward=("ward", "ward_id"), to_ward=("ward", "ward_id"),
    ),
)  # fmt: skip
VALUES = {("patient", "channel"): ["web", "desk"]}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    catalog = with_joins(Catalog("sqlite", TABLES))
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


def rows_of(question: str, vocabulary: Vocabulary) -> list[tuple[object, ...]]:
    read = read_plan(question, vocabulary, today=TODAY)
    assert read.plan is not None, f"{read.why} {read.ignored}"
    made = compile_plan(read.plan, vocabulary.book, "sqlite", today=TODAY)
    assert check(made.sql, dialect="sqlite", catalog=vocabulary.book.catalog)
    database = sqlite3.connect(":memory:")
    database.executescript(ROWS)
    return database.execute(made.sql).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many patients had a visit in 2024?", [(2,)]),
        ("How many different patients had visits in 2025?", [(2,)]),
        ("2024年有过就诊的患者有多少人？", [(2,)]),
        ("2025年有多少个不同的患者就诊？", [(2,)]),
        ("How many patients had a visit in 2024 but none in 2025?", [(1,)]),
        ("2024年有就诊、2025年没有就诊的患者有多少？", [(1,)]),
        ("How many different patients raised a complaint in 2024?", [(2,)]),  # by the visits that were complained of
        ("How many patients had a visit in 2025 compared with 2024?", [(2, 2, 0, 0.0)]),
    ],
)
def test_those_who_have_rows_are_counted_once(
    question: str, rows: list[tuple[object, ...]], vocabulary: Vocabulary
) -> None:
    assert rows_of(question, vocabulary) == rows


@pytest.mark.parametrize(
    "question",
    [
        "How many patients had no visit in 2024?",  # those without any are none of those with one
        "How many visits did each patient have in 2024?",
        "2024年每个患者有多少次就诊？",
        "How many different wards had a transfer in 2024?",  # from or to
    ],
)
def test_who_has_none_or_how_many_each_has_is_no_such_count(question: str, vocabulary: Vocabulary) -> None:
    read = read_plan(question, vocabulary, today=TODAY)
    assert read.plan is None or not any(name.startswith("members_") for name in read.plan.measures)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many visits were there in 2025 compared with 2024, and by what percentage did that change?", [(3, 3, 0, 0.0)]),
        ("Fees in the first quarter of 2026 against the same period of 2025", [(5.0, 90.0, -85.0, pytest.approx(-94.44, abs=0.01))]),
        ("2026年一季度的费用与2025年同期相比增减多少", [(5.0, 90.0, -85.0, pytest.approx(-94.44, abs=0.01))]),
        ("Annual fees by sales channel in 2025", [("web", 120.0), ("desk", 40.0)]),
        ("2025年各病区的年费用", [("Oak", 120.0), ("Elm", 40.0)]),
        ("各病区人数", [("Elm", 2), ("Oak", 2)]),
        ("Headcount by ward", [("Elm", 2), ("Oak", 2)]),
        ("2024年平均每次就诊的费用是多少？", [(20.0,)]),
        ("Which wards had an average fee above 30?", [("Oak", pytest.approx(41.67, abs=0.01))]),
    ],
)  # fmt: skip
def test_what_managers_say_is_read(question: str, rows: list[tuple[object, ...]], vocabulary: Vocabulary) -> None:
    assert sorted(rows_of(question, vocabulary), key=str) == sorted(rows, key=str)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("2026年一季度的费用与2025年同期相比", "2026年一季度的费用与去年同期相比"),
        ("2026年与2023年同期相比", "2026年与2023年同期相比"),  # three years earlier
        ("2024年各月的费用和当年累计", "2024年各月的费用和累计"),
        ("当年累计费用", "当年累计费用"),
        ("Fees in May 2026 vs the same month of 2025", "Fees in May 2026 vs the same period a year earlier"),
    ],
)
def test_the_same_part_of_a_named_year_is_a_year_earlier(question: str, plain: str) -> None:
    assert put_plainly(question, lambda word: False) == plain
