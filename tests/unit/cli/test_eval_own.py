"""`inquery eval product -c`: one's own questions on one's own database."""

import json
import sqlite3
from pathlib import Path

import pytest
import yaml
from tests.unit.cli.conftest import Inquery

from inquery.settings import get_settings

PAIRS = [
    {"question": "How many orders are there?", "sql": "SELECT COUNT(*) FROM orders"},
    {"question": "订单 2 在哪个城市？", "sql": "SELECT city FROM orders WHERE id = 2"},
]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with sqlite3.connect(tmp_path / "shop.sqlite") as made:
        made.executescript(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, city TEXT); INSERT INTO orders VALUES(1,'Rome'),(2,'Oslo');"
        )
    made.close()
    answers = {
        "How many orders are there?": ["SELECT COUNT(*) AS n FROM orders"],
        "订单 2 在哪个城市？": ["SELECT city FROM orders WHERE id = 1"],
    }
    (tmp_path / "script.json").write_text(json.dumps({"answers": answers}), "utf-8")
    monkeypatch.setenv("INQUERY_LLM__PROVIDER", "scripted")
    monkeypatch.setenv("INQUERY_LLM__MODEL", str(tmp_path / "script.json"))
    get_settings.cache_clear()
    return tmp_path / "shop.sqlite"


def test_a_file_of_questions_on_a_file(inquery: Inquery, shop: Path) -> None:
    file = shop.parent / "questions.yaml"
    file.write_text(yaml.safe_dump(PAIRS, allow_unicode=True), "utf-8")
    found = inquery("eval", "product", str(file), "-c", str(shop), "--promise", "0.1", "--json").json
    assert (found["n"], found["right"], found["promise"]) == (2, 0.5, 0.1)
    assert [(each["question"], each["right"]) for each in found["questions"]] == [
        (PAIRS[0]["question"], True),
        (PAIRS[1]["question"], False),
    ]


def test_the_verified_samples_of_a_connection(inquery: Inquery, shop: Path) -> None:
    inquery("connections", "add", "shop", str(shop))
    for pair in PAIRS:
        assert inquery("samples", "add", pair["question"], pair["sql"], "-c", "shop").code == 0
    found = inquery("eval", "product", "-c", "shop", "--language", "zh", "--json").json
    # The sample itself would have given the answer away.
    assert [(each["question"], each["right"]) for each in found["questions"]] == [(PAIRS[1]["question"], False)]
    shown = inquery("eval", "product", "-c", "shop")
    assert "✓" in shown.out
    assert "✗" in shown.out


def test_lines_without_a_database_and_without_an_answer(inquery: Inquery, shop: Path) -> None:
    file = shop.parent / "q.jsonl"
    file.write_text(json.dumps({"question": "Who will win?", "query": None}) + "\n", "utf-8")
    found = inquery("eval", "product", str(file), "-c", str(shop), "--json").json
    assert (found["n"], found["questions"][0]["gold"]) == (1, "")


def test_a_statement_that_does_not_fit_is_named(inquery: Inquery, shop: Path) -> None:
    file = shop.parent / "q.yaml"
    file.write_text(yaml.safe_dump([{"question": "How much?", "sql": "SELECT price FROM orders"}]), "utf-8")
    ran = inquery("eval", "product", str(file), "-c", str(shop), "--json")
    assert ran.code != 0
    assert "How much?" in ran.err
    assert "price" in ran.err


def test_nothing_to_ask(inquery: Inquery, shop: Path) -> None:
    assert "not_found" in inquery("eval", "product", "-c", str(shop)).err
    assert inquery("eval", "product").code != 0
    assert inquery("eval", "product", "--databases", str(shop.parent)).code != 0
