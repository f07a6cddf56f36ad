"""Phrases of the data engine are text files: each is well formed, named by the code, and said in both languages."""

import re
import string
from pathlib import Path

import pytest
from training.engine.build import make
from training.engine.phrases import FOLDER, BadPhrases, phrases, read_phrases

ENGINE = FOLDER.parent
CODE = "".join(path.read_text("utf-8") for path in ENGINE.glob("*.py"))
NAMED = re.findall(rf'"((?:{"|".join(path.stem for path in FOLDER.glob("*.txt"))})\.\w+)"', CODE)


def test_a_phrase_has_its_wordings_in_their_order_by_language() -> None:
    text = '# about\n\ncount\n  en how many {np}\n  zh 多少{np}\n  en {np}\n  en {np}\n\ntail\n  en " and how many"\n'
    assert read_phrases("rows", text) == {
        ("rows.count", "en"): ("how many {np}", "{np}", "{np}"),
        ("rows.count", "zh"): ("多少{np}",),
        ("rows.tail", "en"): (" and how many",),
    }


@pytest.mark.parametrize(
    "text", ["  en without a name\n", "count\n  fr combien\n", "count\n  en\n", "count\n  en a\ncount\n  en b\n"]
)
def test_a_file_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadPhrases):
        read_phrases("rows", text)


def test_every_phrase_the_code_names_is_there() -> None:
    known = {name for name, _ in phrases()}
    assert len(NAMED) > 80
    assert [name for name in NAMED if name not in known] == []


def test_wordings_are_in_their_language_and_their_slots_can_be_filled() -> None:
    for (name, language), wordings in phrases().items():
        for wording in wordings:
            slots = {slot: "" for _, slot, _, _ in string.Formatter().parse(wording) if slot}
            said = wording.format(**slots)
            assert said.isascii() == (language == "en") or not said.strip(), (name, wording)


def test_a_seed_asks_the_same_again_in_both_languages() -> None:
    first, second = make(3, 1, 40), make(3, 1, 40)
    assert first["questions"] == second["questions"]
    assert {question["lang"] for question in first["questions"]} == {"en", "zh"}
    assert not [q["question"] for q in first["questions"] if re.search(r"[{}]", q["question"])]


def test_phrases_of_another_folder_are_read_as_well(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("hello\n  en hello\n", "utf-8")
    assert phrases(tmp_path) == {("own.hello", "en"): ("hello",)}
