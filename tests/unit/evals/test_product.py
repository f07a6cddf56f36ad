"""Whole answers are judged as people would: by what is shown, and by what it claimed of itself."""

import json
import sqlite3
from pathlib import Path

import pytest

from inquery.errors import BadRequest, NotFound
from inquery.evals.compare import fits_rows
from inquery.evals.product import (
    Outcome,
    calibration_error,
    coverage,
    figures_of,
    measure_answers,
    parts_of,
    ranking_quality,
    read_items,
)
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import LLMSettings, Settings


@pytest.mark.parametrize(
    ("gold", "shown", "fits"),
    [
        ([("Ann",), ("Bo",)], [("Ann", 12), ("Bo", 7)], True),  # the figure that ranks
        ([("Ann",), ("Bo",)], [(1, "A", "Ann", 12), (2, "B", "Bo", 7)], False),  # three columns too many
        ([("Ann", 12)], [("Ann",)], False),  # a column too few
        ([(2 / 3,)], [(0.67,)], True),  # rounded
        ([(2 / 3,)], [(0.66,)], False),
        ([(66.666,)], [(67,)], False),  # nobody asked for whole numbers
        ([(1.5, "x"), (2.5, "y")], [("x", 1.5), ("y", 2.5)], True),  # columns in another order
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], False),  # the right cells in the wrong rows
        ([(3,), (1,)], [(1,), (3,)], False),  # an order that was asked for
        ([], [], True),
        ([(1,)], [], False),
    ],
)
def test_a_result_fits_with_further_columns_and_rounded(gold: list, shown: list, fits: bool) -> None:
    assert fits_rows(gold, shown, ordered=True) is fits


def test_without_an_order_rows_are_a_bag() -> None:
    assert fits_rows([("a", 1), ("b", 2)], [("b", 2, 0.1), ("a", 1, 0.2)], ordered=False)
    assert not fits_rows([("a", 1), ("a", 1)], [("a", 1), ("b", 1)], ordered=False)


SURE_RIGHT = [(0.9, True)] * 9 + [(0.9, False)]


def test_confidence_that_keeps_its_word_has_no_error() -> None:
    assert calibration_error(SURE_RIGHT * 5) == pytest.approx(0.0, abs=1e-9)
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error([]) is None


def test_ranking_quality_counts_pairs_and_halves_ties() -> None:
    assert ranking_quality([(0.9, True), (0.1, False)]) == 1.0
    assert ranking_quality([(0.1, True), (0.9, False)]) == 0.0
    assert ranking_quality([(0.5, True), (0.5, False)]) == 0.5
    assert ranking_quality([(0.5, True)]) is None


def test_coverage_takes_equal_confidence_together() -> None:
    assert coverage([(0.9, True), (0.8, True), (0.7, False)], 0.1, 4) == 0.5
    assert coverage([(0.9, True), (0.9, False)], 0.1, 2) == 0.0


def outcome(status: str = "answered", right: bool = True, confidence: float | None = 0.9, **other: str) -> Outcome:
    fields = {
        "db_id": "d",
        "question": "q",
        "language": "en",
        "kind": "",
        "sql": "",
        "gold": "",
        "text": "",
        "error": "",
    }
    return Outcome(**{**fields, **other}, status=status, right=right, confidence=confidence, ms=10.0)  # type: ignore[arg-type]


def test_declined_and_asked_back_are_neither_sure_nor_wrong() -> None:
    found = figures_of([
        outcome(), outcome(right=False), outcome("declined", False, None), outcome("clarification", False, None)
    ])  # fmt: skip
    assert (found["n"], found["right"], found["answered"], found["declined"], found["asked"]) == (
        4,
        0.25,
        0.5,
        0.25,
        0.25,
    )
    assert found["wrong_at_08"] == found["realised_error"] == 0.5


def test_parts_come_where_there_are_several() -> None:
    parts = list(parts_of([outcome(language="en"), outcome(language="zh")]))
    assert [(what, which, len(those)) for what, which, those in parts] == [("language", "en", 1), ("language", "zh", 1)]


def write(path: Path, *items: dict) -> Path:
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), "utf-8")
    return path


def test_items_come_in_the_languages_asked_for(tmp_path: Path) -> None:
    file = write(
        tmp_path / "q.jsonl",
        {"db_id": "shop", "question": "How many?", "question_zh": "多少？", "query": "SELECT 1"},
        {"db_id": "shop", "question": "Weather?", "query": None},
    )
    found = read_items(file, ("en", "zh"))
    assert [(item.question, item.answerable) for item in found] == [
        ("How many?", True),
        ("多少？", True),
        ("Weather?", False),
    ]
    with pytest.raises(BadRequest) as refused:
        read_items(write(tmp_path / "bad.jsonl", {"question": "x"}), ("en",))
    assert "line 1" in refused.value.public_message("en")


async def test_questions_run_whole_against_a_file(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as made:
        made.executescript(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, city TEXT); INSERT INTO orders VALUES(1,'Rome'),(2,'Oslo');"
        )
    answers = {
        "How many orders are there?": ["SELECT COUNT(*) AS n FROM orders"],
        "In which city is order 2?": ["SELECT city FROM orders WHERE id = 1"],
    }
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"answers": answers}), "utf-8")
    settings = Settings(home=tmp_path / "home", llm=LLMSettings(provider="scripted", model=str(script)))
    file = write(
        tmp_path / "q.jsonl",
        {"db_id": "shop", "question": "How many orders are there?", "query": "SELECT COUNT(*) FROM orders"},
        {"db_id": "shop", "question": "In which city is order 2?", "query": "SELECT city FROM orders WHERE id = 2"},
    )
    first, second = await measure_answers(read_items(file, ("en",)), tmp_path, settings)
    assert (first.right, second.right) == (True, False)
    assert second.status == "answered"
    with pytest.raises(NotFound):
        await measure_answers(
            read_items(write(file, {"db_id": "x", "question": "?", "query": "SELECT 1"}), ("en",)), tmp_path, settings
        )


async def test_what_people_say_of_the_tables_is_given_to_those_that_have_a_dictionary(tmp_path: Path) -> None:
    for name in ("shop", "mill"):
        with sqlite3.connect(tmp_path / f"{name}.sqlite") as made:
            made.executescript("CREATE TABLE t_po(id INTEGER PRIMARY KEY, st INTEGER); INSERT INTO t_po VALUES(1,3);")
        made.close()
    said = tmp_path / "said"
    said.mkdir()
    (said / "shop.comments.json").write_text(json.dumps({"t_po": {"st": "状态：3已作废"}}), "utf-8")
    (said / "mill.comments.json").write_text(json.dumps({"t_po": {}}), "utf-8")
    asked = {"question": "How many purchases?", "query": "SELECT COUNT(*) FROM t_po"}
    file = write(tmp_path / "q.jsonl", *({"db_id": name, **asked} for name in ("shop", "mill")))
    writer = ScriptedWriter(lambda _: ["SELECT COUNT(*) AS n FROM t_po"])
    settings = Settings(home=tmp_path / "home")
    await measure_answers(read_items(file, ("en",)), tmp_path, settings, writer=writer, dictionaries=said)
    shown = [request.schema.tables[0].columns[1].comment for request, _ in writer.requests]
    assert ["已作废" in comment for comment in shown] == [True, False]
