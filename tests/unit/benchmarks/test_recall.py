"""What the prompts hold: measured through the graph, on a database with a table too many."""

import asyncio
import json
import sqlite3
from pathlib import Path

from benchmarks.recall import Needs, Score, Scores, Shown, measure
from benchmarks.table import recalled

from inquery.evals.product import Item


def test_recall_is_the_share_of_what_is_needed_that_is_shown() -> None:
    score = Score()
    needs = Needs(frozenset({"a", "b"}), frozenset({"a.x", "b.y"}))
    score.add(needs, Shown(frozenset({"a", "c"}), frozenset({"a.x"}), 100))
    score.add(needs, Shown(frozenset({"a", "b"}), frozenset({"a.x", "b.y", "b.z"}), 200))
    row = score.row()
    assert (row["n"], row["table_recall"], row["table_whole_share"], row["column_recall"]) == (2, 0.75, 0.5, 0.75)
    assert (row["tokens_p50"], row["tokens_p90"]) == (150, 200)


def test_questions_go_through_the_graph_to_every_prompt(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "zoo.sqlite") as database:
        database.executescript(
            """
            CREATE TABLE keeper (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, weight REAL, keeper_id INTEGER);
            INSERT INTO keeper VALUES (1, 'Ann'); INSERT INTO animal VALUES (1, 'Otto', 12.5, 1);
            """
        )
    gold = "SELECT k.name, AVG(a.weight) FROM animal a JOIN keeper k ON a.keeper_id = k.id GROUP BY k.id"
    items = [
        Item("zoo", "What is the average weight of the animals of each keeper?", (gold,), "en"),
        Item("zoo", "每位饲养员的动物平均体重是多少？", (gold,), "zh"),
        Item("zoo", "Which animal will be born next?", (), "en"),
    ]
    scores: Scores = {}
    missed: list[str] = []
    asyncio.run(measure("zoo", items, tmp_path, scores, missed))
    assert missed == []
    rows = [
        {"set": name, "language": language, "prompt": prompt} | score.row()
        for (name, language, prompt), score in scores.items()
    ]
    prompts = ["linked", "embedded, format D", "embedded, format E", "chat"]
    assert [(row["language"], row["prompt"]) for row in rows] == [(lang, p) for lang in ("en", "zh") for p in prompts]
    assert {row["table_recall"] for row in rows} == {row["column_recall"] for row in rows} == {1.0}
    page = recalled(json.loads(json.dumps({"rows": rows})))[0]
    assert "| zoo | Chinese | chat | 1 | 100" in page
