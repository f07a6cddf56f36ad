"""Thirty conversations of several turns in both languages; final rows equal those of hand-written SQL."""

import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from langgraph.checkpoint.memory import InMemorySaver

from inquery.agents.context import Services
from inquery.agents.run import Request, Runner
from inquery.databases.executor.execute import attached_ids, detach
from inquery.demo import ensure_demo
from inquery.evals.compare import fits_rows
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings

TALKS = yaml.safe_load(Path(__file__).with_name("conversations.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose demo and catalogue are made once."""
    home = tmp_path_factory.mktemp("demo-home")
    ensure_demo(home, datetime.date.today())
    yield home
    for connection_id in attached_ids():
        detach(connection_id)


@pytest.fixture(scope="module")
def services(demo_home: Path) -> Services:
    return Services.of(Settings(home=demo_home))


def rows_of(home: Path, sql: str) -> list[list[Any]]:
    """Rows by the driver itself, past everything that is tested."""
    path = next((home / "demo").glob("*.sqlite"))
    connection = sqlite3.connect(path)
    try:
        return [list(row) for row in connection.execute(sql)]
    finally:
        connection.close()


def test_there_are_thirty_conversations_of_four_to_six_turns():
    assert len(TALKS) >= 30
    assert all(4 <= len(talk["turns"]) <= 6 for talk in TALKS)


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk["name"])
async def test_conversation(talk: dict[str, Any], services: Services, demo_home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("INQUERY_HOME", str(demo_home))
    writer = ScriptedWriter({turn.get("means", turn["say"]): [turn["sql"]] for turn in talk["turns"] if "sql" in turn})
    runner = Runner(services, InMemorySaver(), writer=writer)
    # Each conversation has its own user, since chosen readings are remembered.
    for turn in talk["turns"]:
        before = len(writer.requests)
        answer = await runner.ask(Request(turn["say"], thread_id="talk", connection_id="demo", user=talk["name"]))
        calls = len(writer.requests) - before
        assert answer.status == turn.get("status", "answered"), (turn["say"], answer.text)
        planned = "plan" in answer.reading  # what accepted metrics say whole needs no writer
        assert calls == (1 if "sql" in turn and not planned else 0), (
            turn["say"],
            [r.question for r, _ in writer.requests],
        )
        assert answer.question == turn.get("question", turn["say"])
        if answer.status != "answered":
            continue
        expected = rows_of(demo_home, turn.get("rows") or turn["sql"])
        got = sorted(answer.rows, key=str) if turn.get("loose") else answer.rows
        if planned:
            assert fits_rows(expected, [tuple(row) for row in answer.rows], ordered=False), turn["say"]
        elif not turn.get("loose"):
            assert got == [[pytest.approx(c) if isinstance(c, float) else c for c in row] for row in expected], turn[
                "say"
            ]
        if "chart" in turn:
            assert answer.chart is not None
            assert answer.chart.type == turn["chart"]
