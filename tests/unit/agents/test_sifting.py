"""Statements are held against their question at every door, before they run."""

from typing import Any

import pytest

from inquery.agents.truth import sifting
from inquery.agents.truth.rules import RULES
from inquery.agents.truth.sureness import Firings, read_firings
from inquery.llm.writer import Candidate, Failure, WriteRequest

ASKED = "total amount of orders in 2025"
ALL_TIME = "SELECT SUM(amount) AS total FROM orders"
IN_2026 = "SELECT SUM(amount) AS total FROM orders WHERE ordered_on >= '2026-01-01' AND ordered_on < '2027-01-01'"
IN_2025 = "SELECT SUM(amount) AS total FROM orders WHERE ordered_on >= '2025-01-01' AND ordered_on < '2026-01-01'"


@pytest.fixture
def all_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rule was right often enough."""
    monkeypatch.setattr(sifting, "sure_rules", lambda: frozenset(rule.__name__ for rule in RULES))


class Corrected:
    """Writes one statement, and others when it is told what was wrong."""

    def __init__(self, first: str, *then: str) -> None:
        self.first, self.then = first, then
        self.told: list[Failure] = []

    async def write(self, request: WriteRequest) -> list[Candidate]:
        return [Candidate(self.first)]

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        self.told.append(failed)
        return [Candidate(sql) for sql in self.then]


@pytest.mark.usefixtures("all_sure")
async def test_a_clean_statement_of_the_same_call_is_taken(desk: Any) -> None:
    here = desk({ASKED: [IN_2026, IN_2025]})
    answer = await here.ask(ASKED, "t")
    assert (answer.sql, answer.rows, here.calls) == (IN_2025, [[150.0]], 1)
    found = {c["sql"]: c["breaches"] for c in (await here.state("t"))["candidates"]}
    assert found == {IN_2026: ["wrong_period"], IN_2025: []}
    assert [event.sql for event in here.seen("sql")][-1] == IN_2025


@pytest.mark.usefixtures("all_sure")
async def test_the_writer_is_told_once_what_its_statement_breaks(desk: Any) -> None:
    writer = Corrected(IN_2026, IN_2025)
    answer = await desk(writer=writer).ask(ASKED)
    assert (answer.rows, [each.error_class for each in writer.told]) == ([[150.0]], ["wrong_period"])
    assert "2025-01-01" in writer.told[0].suggestions[0]


@pytest.mark.usefixtures("all_sure")
@pytest.mark.parametrize("then", [(IN_2026,), ("SELECT nothing FROM nowhere",), ()])
async def test_a_breach_that_stays_is_told_with_the_answer(desk: Any, then: tuple[str, ...]) -> None:
    writer = Corrected(IN_2026, *then)
    answer = await desk(writer=writer).ask(ASKED)
    assert (answer.status, answer.rows) == ("answered", [[120.0]])
    [told] = [text for text in answer.warnings if "2025" in text]  # once, be it a warning or the reason of a doubt
    assert told.endswith("The period “2025” may not be what the statement filters by.")


async def test_a_rule_that_was_never_measured_takes_no_answer_away(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sifting, "sure_rules", frozenset)
    here = desk({ASKED: [IN_2026]})
    answer = await here.ask(ASKED, "t")
    assert (answer.rows, here.calls) == ([[120.0]], 1)
    assert [c["breaches"] for c in (await here.state("t"))["candidates"]] == [["wrong_period"]]


async def test_a_period_that_was_left_out_is_put_in(desk: Any) -> None:
    here = desk({ASKED: [ALL_TIME]})
    answer = await here.ask(ASKED, "t")
    assert (answer.rows, here.calls, answer.warnings) == ([[150.0]], 1, [])
    assert "2025-01-01" in answer.sql
    assert [c["breaches"] for c in (await here.state("t"))["candidates"]] == [[]]


async def test_a_persons_own_statement_is_not_held_against_anything(desk: Any) -> None:
    here = desk()
    answer = await here.ask("SELECT name FROM customers ORDER BY name LIMIT 2", "t")
    assert answer.status == "answered"
    assert all(not c.get("breaches") for c in (await here.state("t"))["candidates"])


def test_the_table_of_firings_is_of_the_rules_there_are() -> None:
    assert set(read_firings()) == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize(
    ("firings", "right", "sure"), [(30, 29, True), (29, 29, False), (100, 94, False), (100, 95, True), (0, 0, False)]
)
def test_a_rule_is_sure_when_it_was_right_often_enough(firings: int, right: int, sure: bool) -> None:
    assert Firings(firings, right).is_sure is sure
