"""What the ablations switch off, and how they count."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from benchmarks.ablations import (
    VARIANTS,
    Greedy,
    Seat,
    Unbound,
    Unhinted,
    Verdict,
    continued,
    figures,
    tune_items,
    without_values,
)
from benchmarks.items import Item, judged, spaced
from benchmarks.wide import TABLES, widened
from tests.unit.embedded.test_writer import SHOP, request
from training.spider import digest_of

from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.llm.embedded.runtime import Branch, Model
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.writer import Candidate, Failure, SchemaView, WriteRequest

TINY = Path(__file__).parents[1] / "embedded" / "tiny_model"


def made(kind: type[EmbeddedWriter]) -> EmbeddedWriter:
    return kind("tiny", Model.load(TINY, threads=1), Tokens.load(TINY / "tokenizer.json"))


class Noting:
    """A writer that keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[WriteRequest] = []

    async def write(self, request: WriteRequest) -> list[Candidate]:
        self.asked.append(request)
        return [Candidate("SELECT 1"), Candidate("SELECT 2")]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        return await self.write(request)


def named(name: str) -> Seat:
    return Seat(next(each for each in VARIANTS if each.name == name), Noting())


def database(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


def tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute(TABLES)]


@pytest.mark.parametrize("kind", [Unhinted, Greedy, Unbound])
async def test_a_writer_without_a_piece_still_writes_what_reads_back(kind: type[EmbeddedWriter]) -> None:
    found = await made(kind).write(request())
    assert all(candidate.sql.startswith(("SELECT", "WITH")) for candidate in found)


def test_a_free_search_keeps_the_likeliest_texts_that_are_not_far_behind() -> None:
    here, there = Branch((1,), 6), Branch((2,), 6)
    rows = np.log(np.array([[0.7, 0.2999, 0.0001], [0.6, 0.4, 1e-9]]))
    found = continued([(-0.1, here, (8,)), (-2.0, there, (9,))], rows, 3)
    assert [text for _, _, text in found] == [(8, 0), (8, 1), (9, 0)]
    assert [branch for _, branch, _ in found] == [here, here, there]
    assert found[0][0] == pytest.approx(-0.1 + np.log(0.7))
    sure = np.log(np.array([[1 - 1e-6, 1e-6]]))
    assert [text for _, _, text in continued([(0.0, here, ())], sure, 2)] == [(0,)]


def test_without_hints_the_grammar_keeps_what_was_read() -> None:
    plain, bare = made(EmbeddedWriter), made(Unhinted)
    view = plain.view(request())
    with_hints, without = plain._read(request(), view), bare._read(request(), view)
    assert with_hints.hints.values
    assert not without.hints.values
    assert without.values == with_hints.values


def test_without_values_none_is_shown_or_allowed() -> None:
    changed = without_values(request())
    assert changed.values == ()
    assert [column.samples for table in changed.schema.tables for column in table.columns if column.samples] == []
    assert [table.name for table in changed.schema.tables] == [table.name for table in SHOP]


async def test_all_candidates_are_judged_though_one_alone_may_be_used() -> None:
    seat = named("no candidates")
    assert await seat.write(request()) == [Candidate("SELECT 1")]
    assert len(seat.wrote) == 2
    assert len(await named("whole").write(request())) == 2


async def test_without_linking_the_whole_schema_is_given() -> None:
    whole = SchemaView(SHOP[::-1])
    seat = Seat(VARIANTS[-1], writer := Noting(), whole)
    await seat.write(request(schema=SchemaView(SHOP[:1], relevance=(("customers", "city"),))))
    assert writer.asked[0].schema == whole


def test_figures_are_shares_of_all_questions_asked() -> None:
    verdicts = [
        Verdict(True, ((False, False), (True, True)), 1.0),
        Verdict(True, ((True, True),), 2.0),
        Verdict(False, (), 0.5, "not_found"),
        Verdict(False, ((False, True),), 4.0),
    ]
    assert figures(verdicts) == {
        "n": 4, "ex": 0.5, "first": 0.25, "any": 0.5, "executes": 0.5, "unwritten": 1, "errors": {"not_found": 1},
        "p50_s": 1.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "verdict"),
    [("SELECT 1 + 1", (True, True)), ("SELECT 3", (False, True)), ("SELECT x", (False, False)), ("", (False, False))],
)
def test_a_statement_is_right_by_its_rows(tmp_path: Path, sql: str, verdict: Sequence[bool]) -> None:
    item = Item(database(tmp_path / "shop.sqlite", "CREATE TABLE t (a)"), "How many?", "SELECT 2")
    assert judged(item, sql) == verdict


def test_tune_questions_are_evenly_spaced_and_have_their_chinese_wordings(tmp_path: Path) -> None:
    lines = [
        {"db_id": "shop", "split": "tune" if at % 2 else "train", "question": f"q{at}", "query": f"SELECT {at}"}
        for at in range(20)
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [item.question for item in tune_items(tmp_path, "en", 5)] == ["q1", "q5", "q9", "q13", "q17"]
    said = [{"db_id": "shop", "english": digest_of(f"q{at}"), "chinese": f"问{at}"} for at in (0, 3, 9)]
    (tmp_path / "zh.jsonl").write_text("".join(json.dumps(line) + "\n" for line in said))
    chinese = tune_items(tmp_path, "zh", 100, tmp_path / "zh.jsonl")
    assert [(item.question, item.sql) for item in chinese] == [("问3", "SELECT 3"), ("问9", "SELECT 9")]


def test_all_are_taken_where_fewer_are_there_than_wanted() -> None:
    item = Item(Path("a"), "q", "SELECT 1")
    assert spaced([item], 3) == [item]


def test_a_widened_database_keeps_its_names_and_gets_those_of_others(tmp_path: Path) -> None:
    shop = database(
        tmp_path / "shop.sqlite", "CREATE TABLE city (id PRIMARY KEY, name); INSERT INTO city VALUES (1, 'Paris')"
    )
    farm = database(
        tmp_path / "farm.sqlite",
        "CREATE TABLE City (id PRIMARY KEY); INSERT INTO City VALUES (7);"
        "CREATE TABLE farm (id, city_id REFERENCES City(id)); INSERT INTO farm VALUES (1, 7)",
    )
    wide = tmp_path / "wide.sqlite"
    assert widened(shop, [shop, farm], wide) == 3
    assert tables(wide) == ["city", "farm_City", "farm"]
    with closing(sqlite3.connect(wide)) as connection:
        assert connection.execute("SELECT name FROM city").fetchall() == [("Paris",)]
        assert connection.execute("SELECT id FROM farm_City").fetchall() == [(7,)]
        assert connection.execute("PRAGMA foreign_key_list(farm)").fetchone()[2] == "farm_City"
