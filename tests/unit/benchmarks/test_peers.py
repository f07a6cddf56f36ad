"""The comparison with other systems: its faults, its model and its figures."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from benchmarks.peers.bare import Bare
from benchmarks.peers.faults import KINDS, faulted, is_text
from benchmarks.peers.figures import above, by_node, figures
from benchmarks.peers.installed import needed
from benchmarks.peers.oracle import Oracle, serving
from benchmarks.peers.ours import Ours
from benchmarks.peers.tutorial import Tutorial
from benchmarks.peers.worker import System, answer

SQL = "SELECT name FROM people WHERE city = 'Rome'"
QUESTION = "Which people live in Rome?"


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = tmp_path / "people.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
            "INSERT INTO people VALUES (1, 'Ann', 'Rome'), (2, 'Bob', 'Oslo');"
        )
    connection.close()
    (tmp_path / "people.sqlite.kept").write_bytes(path.read_bytes())
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_changes_the_statement_and_comes_again_by_its_seed(kind: str) -> None:
    drawn = {faulted(SQL, f"seed {number}", 1.0) for number in range(200)}
    assert kind in {found for _, found in drawn}
    assert all(text != SQL for text, _ in drawn)
    assert faulted(SQL, "seed 1") == faulted(SQL, "seed 1")


def test_a_name_that_is_a_text_in_double_quotes_is_a_wrong_value() -> None:
    assert is_text('SELECT a FROM t WHERE b = "Rome"', 'SELECT a FROM t WHERE b = "Romes"')
    assert not is_text('SELECT a FROM t WHERE b = "Rome"', 'SELECT as FROM t WHERE b = "Rome"')


def test_the_model_knows_a_result_from_an_error_and_from_a_write() -> None:
    oracle = Oracle({QUESTION: SQL})
    oracle.attempts[QUESTION] = 1
    call = {"id": "1", "function": {"name": "run_sql", "arguments": "{}"}}
    asked = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "name,status\nAnn,failed: error"},
    ]
    assert oracle.with_run_sql(QUESTION, asked)[1] is None
    oracle.wrote = "write"
    assert oracle.with_run_sql(QUESTION, asked)[1] == ("run_sql", {"sql": SQL})
    oracle.wrote = ""
    refused = [*asked[:2], {"role": "tool", "tool_call_id": "1", "content": "no such column: nam"}]
    assert oracle.with_run_sql(QUESTION, refused)[1] == ("run_sql", {"sql": SQL})


def test_a_question_is_known_with_a_reading_written_into_it() -> None:
    oracle = Oracle({QUESTION: SQL, "Which people are called Ann?": "SELECT 1"})
    prompt = "Question: Which people live in Rome (people city)?\n\nAnswer with JSON"
    assert oracle.question([{"role": "user", "content": prompt}]) == QUESTION
    schema = {"role": "tool", "content": "which people are called, live: Ann"}
    assert oracle.question([{"role": "user", "content": QUESTION}, schema]) == QUESTION


@pytest.mark.parametrize(("made", "least"), [(Bare, 1), (Tutorial, 4), (Ours, 1)])
def test_a_system_answers_through_the_shared_model(database: str, made: type[System], least: int) -> None:
    with serving({QUESTION: SQL}) as oracle:
        system = made(database, oracle.url)
        row = asyncio.run(answer(system, database, oracle.url, QUESTION))
        system.close()
    assert (row["sql"], row["error"], row["harmed"], row["calls"]) == (SQL, "", False, least)


def test_a_changed_database_counts_as_harm_and_is_put_back(database: str) -> None:
    with serving({QUESTION: "DELETE FROM people"}) as oracle:
        row = asyncio.run(answer(Bare(database, oracle.url), database, oracle.url, QUESTION))
    assert row["harmed"]
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT COUNT(*) FROM people").fetchone() == (2,)
    connection.close()


def row(question: str, wall_s: float, *, right: bool = True, ms: float = 1.0) -> dict[str, object]:
    return {
        "question": question, "sql": SQL, "error": "" if right else "no", "right": right, "harmed": False, "calls": 2,
        "prompt_tokens": 100, "wall_s": wall_s, "cpu_s": 0.1, "first_s": 0.1, "model_s": 0.5, "faults": {"fence": 1},
        "nodes": {"write_sql": ms},
    }  # fmt: skip


def test_figures_are_of_a_question_and_name_what_was_wrong() -> None:
    found = figures([row("a", 1.0), row("b", 2.0, right=False)])
    assert (found["n"], found["ex"], found["errors"], found["calls"]) == (2, 0.5, 1, 2.0)
    assert (found["wall_s"], found["outside_model_p50_ms"], found["faults"]) == (3.0, 1000.0, {"fence": 2})
    assert [each["question"] for each in found["wrong"]] == ["b"]


def test_the_floor_is_taken_away_question_by_question() -> None:
    assert above([row("a", 1.2), row("b", 2.2)], [row("b", 2.0), row("a", 1.0)]) == 200.0


def test_nodes_have_their_medians() -> None:
    assert by_node([row("a", 1, ms=1), row("b", 1, ms=3)]) == [{"node": "write_sql", "p50_ms": 2.0, "runs": 2}]


def test_what_a_package_needs_is_followed_to_the_end() -> None:
    found = needed(["langgraph"])
    assert {"langgraph", "langchain-core", "pydantic", "typing-extensions"} <= set(found)
    assert "pytest" not in found
