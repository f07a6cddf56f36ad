"""Pins: two runs of one question give the same values, and every kind of change is seen and named."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.pin import __main__ as pin
from benchmarks.pin.answers import Values, trace

from inquery.agents.opening import open_runner
from inquery.agents.run import Request
from inquery.databases.executor.execute import attached_ids, detach
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings

QUESTION = "How many towns are there in each country?"
RIGHT = "SELECT country, COUNT(*) AS towns FROM towns GROUP BY country ORDER BY country"


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "towns.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("CREATE TABLE towns (name TEXT, country TEXT, coast TEXT); INSERT INTO towns VALUES ('Bergen', 'NO', 'west'), ('Oslo', 'NO', 'south'), ('Umeå', 'SE', 'east'), ('Lund', 'SE', 'south'), ('Mora', 'SE', 'west');")  # fmt: skip
    yield file
    for connection_id in attached_ids():
        detach(connection_id)


async def values_of(file: Path, home: Path, sql: str) -> Values:
    async with open_runner(Settings(home=home), writer=ScriptedWriter({QUESTION: [sql]})) as runner:
        return await trace(runner, Request(QUESTION, connection_id=runner.services.sources.add(str(file))))


async def test_what_is_new_in_every_run_is_no_difference(towns: Path, tmp_path: Path) -> None:
    once, twice = [await values_of(towns, tmp_path / home, RIGHT) for home in ("a", "b")]
    assert list(pin.compare({"q": once}, {"q": twice})) == []
    assert once["status"] == "answered"
    assert '["NO", 2]' in once["rows"]
    assert '"type": "followups"' in once["events"]


async def test_another_answer_is_named_by_its_values(towns: Path, tmp_path: Path) -> None:
    before = await values_of(towns, tmp_path / "a", RIGHT)
    now = await values_of(towns, tmp_path / "b", RIGHT.replace("ORDER BY country", "ORDER BY country DESC"))
    names = {difference.name for difference in pin.compare({"q": before}, {"q": now})}
    assert {"q:sql", "q:rows", "q:events"} <= names
    assert "q:status" not in names


def test_pins_that_came_and_went_are_differences() -> None:
    found = list(pin.compare({"gone": {}, "same": {"a": "1"}}, {"same": {"a": "1"}, "new": {}}))
    assert [(d.name, d.before, d.now) for d in found] == [("gone", "there", ""), ("new", "", "there")]


def test_a_line_explains_by_pattern_and_one_that_explains_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "differences.yaml"
    file.write_text("- {pin: 'demo/*:text', why: the unit is said}\n- {pin: 'guard/*', why: a new rule}\n")
    monkeypatch.setattr(pin, "EXPLAINED", file)
    text, rows = pin.Difference("demo/01:text", "5", "5 km"), pin.Difference("demo/01:rows", "[5]", "[6]")
    assert pin.explained([text, rows]) == ([rows], ["guard/*"])


def test_a_line_without_a_why_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "differences.yaml"
    file.write_text("- pin: demo/01:text\n")
    monkeypatch.setattr(pin, "EXPLAINED", file)
    with pytest.raises(SystemExit, match="why"):
        pin.explained([])


def test_a_long_value_differs_by_its_digest() -> None:
    kept = pin.short({"a": "x" * 500, "b": "short"})
    assert kept["b"] == "short"
    assert len(kept["a"]) < 30
    assert kept["a"] != pin.short({"a": "x" * 499 + "y"})["a"]
