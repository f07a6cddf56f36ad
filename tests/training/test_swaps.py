"""Questions that ask for something else: question and form change together, and only where the question says it."""

import random
from typing import Any

import pytest
from training.swaps import other_number, said_once, swapped

SINGERS = {
    "schema_id": "singers",
    "tables": [
        {"name": "singer", "rows": 9, "columns": [
            {"name": "singer_id", "type": "integer", "pk": True, "samples": []},
            {"name": "stage_name", "type": "text", "samples": []},
            {"name": "country", "type": "text", "samples": ["France", "Spain"]},
            {"name": "age", "type": "integer", "samples": []},
            {"name": "height", "type": "integer", "samples": []},
        ]},
    ],
    "values": {"singer.country": ["France", "Spain"], "singer.stage_name": ["Ada", "Bo"]},
}  # fmt: skip


def asked(question: str, form: str, lang: str = "en") -> set[tuple[str, str]]:
    """What a question becomes over many copies."""
    group: dict[str, Any] = {**SINGERS, "questions": [{"lang": lang, "question": question, "form": form, "sql": ""}]}
    made = (swapped(group, random.Random(seed))["questions"][0] for seed in range(60))
    return {(item["question"], item["form"]) for item in made}


def test_a_value_becomes_another_one_of_its_column_in_question_and_form() -> None:
    form = "from singer show count where singer.country = '{}'"
    found = asked("How many singers are from France?", form.format("France"))
    assert found == {(f"How many singers are from {c}?", form.format(c)) for c in ("France", "Spain")}


def test_a_column_becomes_another_one_of_its_kind_in_both_languages() -> None:
    english = asked("What is the average age of singers?", "from singer show avg ( singer.age )")
    assert ("What is the average height of singers?", "from singer show avg ( singer.height )") in english
    chinese = asked("歌手的平均年龄", "from singer show avg ( singer.age )", "zh")
    assert {form for _, form in chinese} == {f"from singer show avg ( singer.{c} )" for c in ("age", "height")}
    assert all(("年龄" in question) == ("singer.age" in form) for question, form in chinese)


def test_a_number_changes_in_both_places_and_a_date_stays() -> None:
    found = asked("Singers older than 30: top 5", "from singer show singer.stage_name where singer.age > 30 top 5")
    assert len(found) > 5
    for question, form in found:
        age, top = form.split(" > ")[1].split(" top ")
        assert f"older than {age}" in question
        assert question.endswith(f"top {top}")
    assert asked("2024年5月有几位歌手", "from singer show count where singer.age > 5", "zh") == {
        ("2024年5月有几位歌手", "from singer show count where singer.age > 5")
    }


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many French singers are there?", "from singer show count where singer.country = 'France'"),
        ("法国(France)歌手有几位", "from singer show count where singer.country = 'France'"),
        ("Who is the oldest singer?", "from singer show singer.stage_name sort singer.age desc top 1"),
        ("Singers from France, and how many from France?", "from singer show count where singer.country = 'France'"),
    ],
)
def test_what_is_not_said_word_for_word_and_once_stays(question: str, form: str) -> None:
    assert asked(question, form) == {(question, form)}


def test_numbers_keep_their_size_and_values_stand_alone() -> None:
    rng = random.Random(4)
    assert all(1990 <= other_number(1999, rng) <= 2008 for _ in range(50))
    assert all(other_number(2500, rng) % 100 == 0 for _ in range(50))
    assert said_once("Spanish singers from Spain", "Spain") == 21
    assert said_once("from Spain to Spain", "Spain") is None
