"""The evaluation over a real SQLite file, with a writer that follows a script."""

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from inquery.cli import cli
from inquery.errors import BadRequest, ModelTimeout, NotFound
from inquery.evals.progress import Log, OutcomeRow, read_rows
from inquery.evals.spider import GoldQuestion, evaluate_questions, figures_of, read_questions
from inquery.evals.subject import Subjects
from inquery.llm.scripted import ScriptedWriter
from inquery.llm.writer import Candidate, Failure, WriteRequest

QUESTIONS = [
    GoldQuestion("shop", "How many customers?", "SELECT count(*) FROM customer"),
    GoldQuestion("shop", "Names by age", 'SELECT name FROM customer WHERE city = "Oslo" ORDER BY age'),
    GoldQuestion("shop", "哪些城市？", "SELECT DISTINCT city FROM customer"),
    GoldQuestion("shop", "Total by city", "SELECT city, sum(age) FROM customer GROUP BY city"),
]
RIGHT = {
    "How many customers?": ["SELECT count(id) FROM customer"],
    "Names by age": ["SELECT name FROM customer WHERE city = 'Oslo' ORDER BY age"],
    "哪些城市？": ["SELECT city FROM customer GROUP BY id"],
    "Total by city": ["SELECT sum(age), city FROM customer GROUP BY city"],
}


@pytest.fixture
def databases(tmp_path: Path) -> Path:
    folder = tmp_path / "databases"
    folder.mkdir()
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER)")
        rows = [(i, f"n{i}", ["Oslo", "Rome"][i % 2], 20 + i) for i in range(1500)]
        connection.executemany("INSERT INTO customer VALUES (?, ?, ?, ?)", rows)
        # Latin-1 bytes stored as text, as several Spider databases have them.
        connection.execute("INSERT INTO customer VALUES (9999, CAST(X'4d656cef' AS TEXT), 'Oslo', 5)")
    connection.close()
    return folder


async def run(databases: Path, script: dict[str, list[str]], **options: object) -> list[OutcomeRow]:
    return await evaluate_questions(QUESTIONS, Subjects(databases), ScriptedWriter(script), run="r", **options)  # type: ignore[arg-type]


async def test_right_statements_in_other_words_are_right(databases: Path) -> None:
    figures = figures_of(await run(databases, RIGHT), "scripted")
    assert figures["ex"] == 1.0
    assert figures["n"] == figures["correct"] == figures["model_calls"] == 4
    assert figures["errors"] == figures["refusals"] == figures["unknown_names"] == 0
    assert figures["by_hardness"]["easy"] == {"n": 2, "ex": 1.0}
    assert figures["by_hardness"]["medium"] == {"n": 2, "ex": 1.0}
    assert 0 < figures["latency_p50"] <= figures["latency_p95"] < 30
    assert figures["peak_rss_mb"] > 10


async def test_rows_past_the_usual_cap_count(databases: Path) -> None:
    wrong = RIGHT | {"Names by age": ["SELECT name FROM customer WHERE city = 'Oslo' ORDER BY age LIMIT 750"]}
    rows = await run(databases, wrong)
    assert [row.correct for row in rows] == [True, False, True, True]


async def test_unknown_names_refusals_and_errors_are_told_apart(databases: Path) -> None:
    script = {
        "How many customers?": ["SELECT count(*) FROM clients"],
        "Names by age": ["DELETE FROM customer"],
        "哪些城市？": [],
        "Total by city": ["SELECT citty FROM customer"],
    }
    figures = figures_of(await run(databases, script), "scripted")
    assert (figures["refusals"], figures["unknown_names"], figures["errors"], figures["correct"]) == (3, 2, 1, 0)


async def test_the_next_candidate_is_taken_when_the_first_does_not_run(databases: Path) -> None:
    script = RIGHT | {"How many customers?": ["SELECT count(*) FROM clients", "SELECT count(*) FROM customer"]}
    first, *_ = rows = await run(databases, script, n=2)
    assert first.correct
    assert figures_of(rows, "scripted")["unknown_names"] == 1
    assert first.sql == "SELECT count(*) FROM customer"


async def test_a_refused_gold_query_is_counted_and_named(databases: Path) -> None:
    asked = [GoldQuestion("shop", "How many customers?", "SELECT load_extension('x') FROM customer")]
    rows = await evaluate_questions(asked, Subjects(databases), ScriptedWriter(RIGHT), run="r")
    figures = figures_of(rows, "scripted")
    assert figures["n"] == 1
    assert figures["correct"] == 0
    assert figures["gold_refused"][0]["question"] == "How many customers?"
    assert "load_extension" in figures["gold_refused"][0]["rule"]


async def test_a_model_that_fails_is_a_wrong_answer_and_not_the_end(databases: Path) -> None:
    class Failing:
        async def write(self, request: WriteRequest) -> list[Candidate]:
            raise ModelTimeout("late")

        async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
            return []

    rows = await evaluate_questions(QUESTIONS, Subjects(databases), Failing(), run="r")
    assert figures_of(rows, "x")["errors"] == 4
    assert rows[0].error == "model_timeout: late"


async def test_a_missing_database_is_told_before_the_first_question(databases: Path) -> None:
    writer = ScriptedWriter(RIGHT)
    with pytest.raises(NotFound):
        await evaluate_questions(
            [*QUESTIONS, GoldQuestion("gone", "x", "SELECT 1")], Subjects(databases), writer, run="r"
        )
    assert not writer.requests


async def test_a_run_continues_where_it_stopped(databases: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    await evaluate_questions(QUESTIONS[:2], Subjects(databases), ScriptedWriter(RIGHT), run="r", out=out)
    out.write_text(out.read_text("utf-8") + '{"db_id": "shop", "quest', "utf-8")
    writer = ScriptedWriter(RIGHT)
    rows = await evaluate_questions(QUESTIONS, Subjects(databases), writer, run="r", out=out)
    assert [request.question for request, _ in writer.requests] == ["哪些城市？", "Total by city"]
    assert all(row.correct for row in rows)
    assert [json.loads(line)["question"] for line in out.read_text("utf-8").splitlines()] == [
        question.question for question in QUESTIONS
    ]


async def test_another_model_or_code_starts_over_and_keeps_the_old_rows(databases: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    await evaluate_questions(QUESTIONS, Subjects(databases), ScriptedWriter(RIGHT), run="one", out=out)
    writer = ScriptedWriter(RIGHT)
    await evaluate_questions(QUESTIONS, Subjects(databases), writer, run="two", out=out)
    assert len(writer.requests) == len(QUESTIONS)
    assert {row.run for row in read_rows(out.read_text("utf-8").splitlines())} == {"two"}
    assert Log(tmp_path / "rows.jsonl.old", "one").done.keys() == Log(out, "two").done.keys()


def test_a_limit_takes_questions_evenly(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    lines = [json.dumps({"db_id": str(i), "question": "q", "query": "x"}) for i in range(10)]
    path.write_text("\n".join(lines))
    assert [question.db_id for question in read_questions(path, 4)] == ["0", "2", "5", "7"]
    assert len(read_questions(path, 99)) == 10


def test_a_bad_line_is_named_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"db_id": "a", "question": "q", "query": "x"}\n{"db_id": "a"}')
    with pytest.raises(BadRequest) as caught:
        read_questions(path)
    assert "line 2" in caught.value.public_message("en")
    assert "第 2 行" in caught.value.public_message("zh")


def test_the_command_prints_one_json_document(databases: Path, tmp_path: Path) -> None:
    questions, script = tmp_path / "q.jsonl", tmp_path / "script.json"
    items = [{"db_id": q.db_id, "question": q.question, "query": q.query} for q in QUESTIONS]
    questions.write_text("".join(json.dumps(item) + "\n" for item in items))
    script.write_text(json.dumps({"answers": RIGHT}))
    arguments = ["eval", "spider", "--questions", str(questions), "--databases", str(databases)]
    arguments += ["--model", f"scripted:{script}", "--out", str(tmp_path / "rows.jsonl"), "--json"]
    first = CliRunner().invoke(cli, arguments)
    assert first.exit_code == 0, first.stderr
    figures = json.loads(first.stdout)
    assert figures["ex"] == 1.0
    assert "4/4" in first.stderr
    again = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert again["latency_p50"] == figures["latency_p50"]
