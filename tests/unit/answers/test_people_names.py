"""People are called by first and last name, in sentences and charts."""

import pytest

from inquery.answers.answer import AnswerColumn
from inquery.answers.facts import compute_facts
from inquery.answers.people_names import with_whole_names
from inquery.answers.prose import explain_result

ROWS = [("Jane", "Peacock", 833.04), ("Jane", "Park", 775.4), ("Steve", None, 720.16)]


def columns(*names: str) -> list[AnswerColumn]:
    return [AnswerColumn(name=name, kind="number" if name == "total" else "text", label=name.lower()) for name in names]


@pytest.mark.parametrize(
    "names",
    [
        ("FirstName", "LastName"),
        ("given_name", "surname"),
        ("fname", "lname"),
        ("EMP_FNAME", "EMP_LNAME"),
        ("guest_first_name", "guest_last_name"),
    ],
)
def test_the_last_name_stands_behind_the_first(names: tuple[str, str]) -> None:
    kept, rows = with_whole_names(columns(*names, "total"), ROWS)
    assert [column.name for column in kept] == [names[0], "total"]
    assert rows == [("Jane Peacock", 833.04), ("Jane Park", 775.4), ("Steve", 720.16)]


def test_columns_of_one_part_stay_as_they_are() -> None:
    given = columns("FirstName", "City", "total")
    assert with_whole_names(given, ROWS) == (given, ROWS)


def test_a_first_and_a_last_of_something_else_are_no_names() -> None:
    given = columns("order_first", "order_last", "total")
    assert with_whole_names(given, ROWS) == (given, ROWS)


def test_a_sentence_calls_people_by_both() -> None:
    given = columns("FirstName", "LastName", "total")
    text = explain_result("sales by agent", compute_facts(given, ROWS), given, ROWS)
    assert "Jane Peacock 833.04" in text
    assert "Jane Park 775.4" in text
