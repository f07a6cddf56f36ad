"""What a question asks for, part by part, in two languages."""

from pathlib import Path

import pytest

from inquery.language.parts import MOST, parts_in

CASES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "parts.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("question", "expected"), CASES)
def test_a_question_is_read_in_parts(question: str, expected: str) -> None:
    found = [" ".join(filter(None, (part.kind, part.number, part.words))) for part in parts_in(question)]
    assert " ; ".join(found) == expected


def test_words_stand_where_a_part_says() -> None:
    for question, _ in CASES:
        for part in parts_in(question):
            if not part.number:
                assert question[part.start : part.end] == part.words


def test_a_year_is_a_period_and_an_ordinal_a_place() -> None:
    assert parts_in("What happened in 2024?") == []
    assert parts_in("Who came 3rd?") == []


def test_a_long_question_has_few_parts() -> None:
    assert len(parts_in("How many dogs, " * 300)) == MOST
