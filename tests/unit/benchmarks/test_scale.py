"""The warehouse of the scale benchmark: neutral, the same every time, and its questions still run on it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.scale import caches, tables
from benchmarks.scale.warehouse import Question, Source, compose, copies, dealt, moved, questions, read_by, read_source

GYM = """
CREATE TABLE Member (id INTEGER PRIMARY KEY, name TEXT, password TEXT);
CREATE TABLE visit (id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES Member (id), day TEXT);
INSERT INTO Member VALUES (1, 'Ada', 'x'), (2, 'Bo', 'y');
INSERT INTO visit VALUES (1, 1, 'Monday'), (2, 1, 'Friday'), (3, 2, 'Monday');
"""
QUERY = "SELECT T1.name, count(*) FROM member AS T1 JOIN visit ON T1.id = visit.member_id GROUP BY T1.id"


def source(name: str, script: str = GYM) -> Source:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        return read_source(name, connection)


def shops(number: int) -> list[Source]:
    return [
        source(f"shop{n}", f"CREATE TABLE items{n}x (id INTEGER, price REAL, load_id TEXT);") for n in range(number)
    ]


@pytest.fixture
def spider(tmp_path: Path) -> Path:
    (tmp_path / "databases").mkdir()
    with closing(sqlite3.connect(tmp_path / "databases" / "gym.sqlite")) as connection:
        connection.executescript(GYM)
    line = {"db_id": "gym", "split": "tune", "question": "How often did each member visit?", "query": QUERY}
    (tmp_path / "questions.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    return tmp_path


def test_a_source_is_read_as_a_refresh_would() -> None:
    read = source("gym")
    assert [table.name for table in read.tables] == ["Member", "visit"]
    assert read.values["visit", "day"] == ["Monday", "Friday"]
    assert ("Member", "password") not in read.values
    assert read.tables[1].foreign_keys[0].table == ("Member",)


def test_a_warehouse_has_the_size_asked_for_and_names_that_tell_nothing_of_the_source() -> None:
    made = compose([source("gym")], shops(3), 9)
    assert len(made.catalog.tables) == 9
    assert not any("gym" in table.name or "shop" in table.name for table in made.catalog.tables)
    assert {join.left[0][:5] for join in made.catalog.joins} == {made.codes["gym"]}
    assert compose([source("gym")], shops(3), 9).catalog.version == made.catalog.version


def test_sources_that_are_asked_about_are_whole_and_have_no_copies() -> None:
    made = compose([source("gym")], shops(1), 1)
    assert len(made.catalog.tables) == 2
    names = [name for name in compose([source("gym")], shops(2), 9).codes if "gym" in name]
    assert names == ["gym"]


def test_copies_have_no_column_twice() -> None:
    for copy in copies(shops(1)):
        columns = [column.name for column in copy.tables[0].columns]
        assert len(columns) == len(set(columns))


def test_sources_are_dealt_in_turn() -> None:
    first, second = shops(3)[:1], shops(3)[1:]
    assert [each.name for each in dealt(first, second)] == ["shop0", "shop1", "shop2"]


def test_the_tables_of_a_statement_are_spelt_as_the_database_does() -> None:
    assert read_by(QUERY, {"member": "Member", "visit": "visit"}) == {"Member", "visit"}


def test_a_statement_gives_the_same_rows_in_the_warehouse(spider: Path, tmp_path: Path) -> None:
    (question,) = questions(spider, "en", 5)
    warehouse = compose([source("gym")], shops(2), 6)
    tables.written(tmp_path / "warehouse.sqlite", warehouse, spider)
    with closing(sqlite3.connect(tmp_path / "warehouse.sqlite")) as connection:
        assert connection.execute(moved(question, warehouse)).fetchall() == [("Ada", 2), ("Bo", 1)]
    assert len(warehouse.gold(question)) == 2


def test_linking_is_counted_by_tables_and_by_questions() -> None:
    asked = [
        Question("How often did each member visit?", "en", "gym", QUERY, frozenset({"Member", "visit"})),
        Question("每个会员的到访次数", "zh", "gym", QUERY, frozenset({"Member", "visit"})),
    ]
    english, chinese = tables.linking(10, asked, [source("gym")], shops(8))
    assert (english["tables"], english["recall_5"], english["all_5"]) == (10, 1.0, 1.0)
    assert chinese["questions"] == 1


def test_what_was_promised_is_said_with_what_was_measured() -> None:
    row = {"size": 1000, "questions": 10}
    growth, recall = tables.summary([row | {"recall_10": 1.0}, row | {"recall_10": 0.8}], 2.5, (10, 10_000))
    assert (growth["measured"], growth["met"]) == (2.5, False)
    assert (recall["measured"], recall["met"]) == (0.9, False)


async def test_a_filled_store_finds_what_it_holds(tmp_path: Path) -> None:
    row = await caches.filled("builtin", 700, tmp_path) | await caches.looked_up("builtin", tmp_path)
    assert row["entries"] == 700
    assert row["file_mb"] >= 0
