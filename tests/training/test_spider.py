"""Spider's training part is made from the original files, and from nothing else."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from training.spider import (
    CHINESE,
    LEFT_OUT,
    WrongFile,
    chinese_by_line,
    digest_of,
    joined,
    keyed_by_question,
    main,
    make,
    require_known,
    training_databases,
)

FARM = [
    ("farm", "How many farms are there?", "SELECT count(*) FROM farm"),
    ("farm", "Count the number of cities.", "SELECT count(*) FROM city"),
]
MUSICAL = [("musical", "How many actors are there? ", "SELECT count(*) FROM actor")]
PLAYERS = [("soccer_1", "How many players?", "SELECT count(*) FROM Player")]
REWORDED = {
    "Count the number of cities.": "Count the number of towns.",
    "How many actors are there? ": "How many performers?",
}
Asked = list[tuple[str, str, str]]


def originals(folder: Path, asked: Asked, name: str = "train_spider.json") -> tuple[Path, Path]:
    """A made-up sample in the formats of Spider and of Spider-Syn."""
    (folder / "syn").mkdir()
    spider = [
        {
            "db_id": db,
            "query": sql,
            "query_toks": sql.split(),
            "question": text,
            "question_toks": text.split(),
            "sql": {},
        }
        for db, text, sql in asked
    ]
    syn = [
        {"db_id": db, "SpiderQuestion": text, "SpiderSynQuestion": REWORDED.get(text, text), "query": sql}
        for db, text, sql in asked
    ]
    (folder / name).write_text(json.dumps(spider), "utf-8")
    (folder / "syn" / name).write_text(json.dumps(syn), "utf-8")
    return folder / name, folder / "syn" / name


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_list_of_databases_keeps_twenty_for_tuning_and_leaves_two_out() -> None:
    listed = training_databases().values()
    found = {split: [each for each in listed if each.split == split] for split in ("train", "tune", LEFT_OUT)}
    assert {split: len(each) for split, each in found.items()} == {"train": 118, "tune": 20, LEFT_OUT: 2}
    assert sum(each.questions for each in found["train"]) == 5953
    assert sum(each.questions for each in found["tune"]) == 951


def test_questions_keep_their_order_and_have_the_paraphrases_that_say_something_else(tmp_path: Path) -> None:
    spider, syn = originals(tmp_path, FARM + PLAYERS + MUSICAL)
    found = list(joined(spider, syn, training_databases()))
    assert [(row["db_id"], row["split"], row["query"]) for row in found] == [
        ("farm", "tune", FARM[0][2]),
        ("farm", "tune", FARM[1][2]),
        ("musical", "train", MUSICAL[0][2]),
    ]
    assert [(row["question"], row["paraphrase"]) for row in found] == [
        ("How many farms are there?", None),
        ("Count the number of cities.", "Count the number of towns."),
        ("How many actors are there?", "How many performers?"),
    ]


def test_what_is_made_is_written_only_when_it_is_what_the_rounds_were_trained_on(tmp_path: Path) -> None:
    spider, syn = originals(tmp_path, FARM)
    with pytest.raises(WrongFile, match="138 databases differ"):
        make(spider, syn, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_databases_asked_about_are_copied_with_the_questions(tmp_path: Path) -> None:
    spider, syn = originals(tmp_path, FARM)
    text = "".join(json.dumps(row) + "\n" for row in joined(spider, syn, training_databases()))
    for name in training_databases():
        (tmp_path / "database" / name).mkdir(parents=True)
        (tmp_path / "database" / name / f"{name}.sqlite").write_bytes(name.encode())
    make(spider, syn, tmp_path / "out", tmp_path / "database", hashlib.sha256(text.encode()).hexdigest())
    assert (tmp_path / "out" / "questions.jsonl").read_text("utf-8") == text
    copied = {path.stem for path in (tmp_path / "out" / "databases").iterdir()}
    assert copied == {name for name, each in training_databases().items() if each.split != LEFT_OUT}


@pytest.mark.parametrize("name", ["dev.json", "test.json", "train_others.json", "train_dev.json", "questions.json"])
def test_a_file_of_another_part_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    spider, syn = originals(tmp_path, FARM, name)
    with pytest.raises(WrongFile, match="only the training files"):
        list(joined(spider, syn, training_databases()))


def test_a_file_of_another_part_is_refused_by_its_databases_whatever_its_name(tmp_path: Path) -> None:
    spider, syn = originals(tmp_path, [*FARM, ("made_up_evaluation", "How many?", "SELECT 1")])
    with pytest.raises(WrongFile, match="not databases of Spider's training part: made_up_evaluation"):
        list(joined(spider, syn, training_databases()))


def test_a_file_in_another_format_is_refused(tmp_path: Path) -> None:
    spider, syn = originals(tmp_path, FARM)
    with pytest.raises(WrongFile, match="not a list of objects with db_id, SpiderQuestion"):
        list(joined(spider, spider, training_databases()))
    with pytest.raises(WrongFile, match="not a list of objects with db_id, question, query"):
        list(joined(syn, syn, training_databases()))


def test_a_changed_question_is_found_by_its_database() -> None:
    changed = json.dumps({"db_id": "farm", "split": "tune", "question": "?", "paraphrase": None, "query": ""}) + "\n"
    with pytest.raises(WrongFile, match="it is not what the rounds were trained on; 138 databases differ: activity_1"):
        require_known(changed, "it", training_databases(), "0" * 64)


def test_a_refusal_is_one_line_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "questions.jsonl").write_text("", "utf-8")
    monkeypatch.setattr(sys, "argv", ["spider", "check", str(tmp_path / "questions.jsonl")])
    with pytest.raises(SystemExit, match=r"^questions.jsonl is not what the rounds were trained on"):
        main()


def question(text: str, query: str = "SELECT 1", db_id: str = "farm") -> Any:
    return {"db_id": db_id, "split": "tune", "question": text, "paraphrase": None, "query": query}


def test_chinese_wordings_named_by_line_are_converted_to_name_the_question(tmp_path: Path) -> None:
    asked = [question("How many?"), question("Which?"), question("How many?", db_id="musical")]
    by_line = tmp_path / "by_line.jsonl"
    by_line.write_text('{"id": 1, "question": "哪个？"}\n{"id": 2, "question": "多少？"}\n', "utf-8")
    converted = list(keyed_by_question(by_line, asked))
    assert converted == [
        {"db_id": "farm", "english": digest_of("Which?"), "chinese": "哪个？"},
        {"db_id": "musical", "english": digest_of("How many?"), "chinese": "多少？"},
    ]
    (tmp_path / "zh.jsonl").write_text("".join(json.dumps(each) + "\n" for each in converted), "utf-8")
    assert chinese_by_line(asked, tmp_path / "zh.jsonl") == {1: "哪个？", 2: "多少？"}
    assert chinese_by_line(asked[::-1], tmp_path / "zh.jsonl") == {1: "哪个？", 0: "多少？"}
    with pytest.raises(WrongFile, match="names questions by line"):
        chinese_by_line(asked, by_line)


def test_a_question_asked_twice_has_its_wordings_in_their_order(tmp_path: Path) -> None:
    said = [{"db_id": "farm", "english": digest_of("How many?"), "chinese": text} for text in ("多少？", "有几个？")]
    (tmp_path / "zh.jsonl").write_text("".join(json.dumps(each) + "\n" for each in said), "utf-8")
    asked = [question("How many?"), question("Which?"), question("How many?"), question("How many?")]
    assert chinese_by_line(asked, tmp_path / "zh.jsonl") == {0: "多少？", 2: "有几个？"}


def test_every_chinese_wording_names_a_question_of_a_training_database() -> None:
    wordings = rows(CHINESE)
    assert len(wordings) == 3926
    assert {each["db_id"] for each in wordings} <= training_databases().keys()
    assert len({(each["db_id"], each["english"]) for each in wordings}) == 3925
    assert all(len(each["english"]) == 16 and not each["chinese"].isascii() for each in wordings)
