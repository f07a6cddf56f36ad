"""The judge: what it makes of evidence, what it lets through under a promise, and that it fits the weights it ships with."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from inquery.agents.state import fill_blanks
from inquery.agents.statements.candidate_choice import Choice, Tried
from inquery.agents.truth.doubts import tell_doubts
from inquery.agents.truth.judge import FILE, Judge, grade_of, shipped_judge
from inquery.agents.truth.weighing import judge_choice, not_surer_than_before
from inquery.llm.embedded.weights import find_model
from inquery.llm.writer import Candidate, Failure, Signs, WriteRequest

SURE = Signs(logprob=-0.01, least=-0.005, forced=0.0, again=-0.01, words=10, nothing=-8.0)
LOST = Signs(logprob=-14.0, least=-5.0, forced=-6.0, again=-20.0, words=30, nothing=-3.0, verdict=-5.0)
TORN = Signs(logprob=-2.2, least=-1.3, forced=-0.2, again=-2.6, words=12, nothing=-4.0)
COUNT = "SELECT COUNT(*) AS n FROM customers"
CITIES = "SELECT city FROM stores"


@dataclass
class Fixed:
    """A writer whose doubts are given."""

    candidates: list[Candidate]

    async def write(self, request: WriteRequest) -> list[Candidate]:
        return self.candidates

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        return []


def test_weights_move_the_value_as_they_say_and_missing_features_do_not() -> None:
    judge = Judge.of({"intercept": 0.0, "weights": {"least": [-1.0, 1.0, 2.0], "lost": [0.2, 0.1, -1.0]}})
    assert judge.p_right({}) == 0.5
    assert (
        judge.p_right({"least": 0.0}) > 0.85 > judge.p_right({"least": 0.0, "lost": 0.4}) > judge.p_right({"lost": 0.4})
    )
    assert judge.p_right({"least": 1e9}) == judge.p_right({"least": 5.0}), "an outlier counts as much as a clear case"


def test_steps_bend_the_value_and_never_leave_it_certain() -> None:
    judge = Judge.of({"intercept": 0.0, "weights": {"a": [0, 1, 3]}, "steps": [[0.2, 0.05], [0.5, 0.3], [0.9, 0.7]]})
    assert judge.p_right({"a": 0.0}) == 0.3
    assert judge.p_right({"a": -3.0}) == 0.05
    assert judge.p_right({"a": 3.0}) == 0.7


@pytest.mark.parametrize(("promise", "least"), [(0.04, None), (0.1, 0.9), (0.12, 0.9), (0.2, 0.7)])
def test_a_promise_takes_the_threshold_that_was_shown_to_hold(promise: float, least: float | None) -> None:
    judge = Judge.of({"intercept": 0, "weights": {}, "promises": [[0.1, 0.9], [0.2, 0.7]]})
    assert judge.least(promise) == least


def test_nothing_is_promised_beyond_the_databases_of_the_fit() -> None:
    judge = Judge.of({"intercept": 0, "weights": {}, "ranges": {"tables": [1.0, 4.0]}})
    assert judge.knows({"tables": 4.0})
    assert not judge.knows({"tables": 6.5})


def test_grades() -> None:
    assert [grade_of(p, verified=v) for p, v in [(0.3, True), (0.8, False), (0.79, False)]] == [
        "verified",
        "likely",
        "check",
    ]


def test_the_shipped_judge_was_fitted_for_the_shipped_weights() -> None:
    data = json.loads(FILE.read_text("utf-8"))
    assert data["fitted"]["model"] == find_model().digest, "run python -m benchmarks.judge collect and fit --write"
    assert data["fitted"]["databases"] >= 60
    assert data["fitted"]["unanswerable"] >= 0.1 * data["fitted"]["asked"]
    signs = {"least": 1, "lost": -1, "empty": -1, "others": -1}
    for name, sign in signs.items():
        weight = shipped_judge().weights.get(name)
        assert weight is None or weight.weight * sign >= 0, name


async def test_a_writers_doubt_reaches_the_confidence(desk: Callable[..., Any]) -> None:
    asked = "How many customers are there?"
    sure = await desk({}, writer=Fixed([Candidate(COUNT, 0.0, "x", SURE)])).ask(asked)
    lost = await desk({}, writer=Fixed([Candidate(COUNT, 0.0, "x", LOST)])).ask(asked)
    assert sure.confidence - lost.confidence > 0.2
    assert lost.grade == "check"
    assert sure.provenance["evidence"]["least"] > lost.provenance["evidence"]["least"]


@pytest.mark.parametrize("question", ["List the city of each one", "列出每个城市"])
async def test_the_judge_takes_another_candidate_than_the_votes_where_it_is_likelier_right(
    desk: Callable[..., Any], question: str
) -> None:
    cities = "SELECT city FROM customers"
    answer = await desk({}, writer=Fixed([Candidate(CITIES, -1.0, "a", LOST), Candidate(cities, -1.2, "b", SURE)])).ask(
        question
    )
    assert answer.sql == cities
    assert answer.provenance["evidence"]["agreement"] < 0.5, "votes would have taken the other"


async def test_votes_decide_where_a_writer_gives_no_probabilities(desk: Callable[..., Any]) -> None:
    empty = "SELECT city FROM customers WHERE city = 'Nowhere'"
    answer = await desk({}, writer=Fixed([Candidate(empty, -1.0, "a"), Candidate(CITIES, -1.2, "b")])).ask(
        "List the city of each one"
    )
    assert answer.sql == CITIES


@pytest.mark.parametrize(
    ("question", "words"),
    [("List the city of each one", "Please check: "), ("列出每个城市", "请核对：")],
)
async def test_an_answer_that_wants_checking_says_why(desk: Callable[..., Any], question: str, words: str) -> None:
    sure = await desk({}, writer=Fixed([Candidate(CITIES, 0.0, "x", SURE)])).ask(question)
    doubts = [Candidate(CITIES, -1.2, "a", LOST), Candidate("SELECT city FROM customers", -1.3, "b", LOST)]
    lost = await desk({}, writer=Fixed(doubts)).ask(question)
    (why,) = [each for each in lost.warnings if each.startswith(words)]
    assert ("wavered" in why) or ("把握不大" in why)
    assert not any(each.startswith(words) for each in sure.warnings)


@pytest.mark.parametrize(
    ("why", "before", "expected"),
    [("template", 0.3, 0.3), ("template", 0.9, 0.6), ("template", None, 0.6), ("", 0.3, 0.6)],
)
def test_a_statement_is_not_surer_when_it_is_asked_for_again(why: str, before: float | None, expected: float) -> None:
    state = fill_blanks({"question": "x", "template_p": before})
    assert not_surer_than_before(0.6, Tried(Candidate(COUNT, 0.0, why), 1.0), state) == expected


async def test_two_readings_are_shown_where_their_rows_differ(desk: Callable[..., Any]) -> None:
    doubts = [Candidate(CITIES, -1.2, "a", TORN), Candidate("SELECT city FROM customers", -1.3, "b", TORN)]
    answer = await desk({}, writer=Fixed(doubts)).ask("List the city of each one")
    (other,) = answer.alternatives
    assert {answer.sql, other.sql} == {CITIES, "SELECT city FROM customers"}
    assert other.rows
    assert other.text
    assert [column.name for column in other.words] == other.columns
    assert all(column.label for column in other.words)


async def test_what_is_not_sure_enough_for_a_promise_is_declined_with_the_guess(
    desk: Callable[..., Any],
) -> None:
    promised = {"promise": 0.1, "least": 0}
    for question, words in [("How many customers are there?", "not sure enough"), ("有多少客户？", "把握不足")]:
        answer = await desk({}, answers=promised, writer=Fixed([Candidate(COUNT, 0.0, "x", LOST)])).ask(question)
        assert (answer.status, answer.guess, answer.sql, answer.confidence) == ("declined", COUNT, None, None)
        assert words in answer.text
        assert not answer.rows


async def test_what_would_only_be_guessed_is_declined_where_the_writer_says_how_much_it_doubts(
    desk: Callable[..., Any],
) -> None:
    lost, silent = Fixed([Candidate(COUNT, 0.0, "x", LOST)]), Fixed([Candidate(COUNT, 0.0, "x")])
    for question, words in [("How many customers are there?", "guessing"), ("有多少客户？", "靠猜")]:
        answer = await desk({}, answers={"least": 0.95}, writer=lost).ask(question)
        assert (answer.status, answer.guess, answer.confidence) == ("declined", COUNT, None)
        assert len(answer.followups) >= 2, "what can be asked instead"
        assert words in answer.text
        assert (await desk({}, answers={"least": 0}, writer=lost).ask(question)).status == "answered"
        assert (await desk({}, answers={"least": 0.95}, writer=silent).ask(question)).status == "answered"


async def test_a_writer_that_finds_no_answer_likely_is_believed_only_where_what_it_wrote_is_not_sure(
    desk: Callable[..., Any],
) -> None:
    def writes(signs: Signs, likely: float, verdict: float) -> Fixed:
        return Fixed([Candidate(COUNT, 0.0, "x", replace(signs, nothing=math.log(likely), verdict=verdict))])

    for question, words in [("How many customers are there?", "You could ask: "), ("有多少客户？", "可以这样问：")]:
        declined = await desk({}, writer=writes(LOST, 0.9, -6.0)).ask(question)
        assert (declined.status, declined.guess, declined.error["code"]) == ("declined", COUNT, "unanswerable")
        assert words in declined.text
        assert declined.followups
        assert (await desk({}, writer=writes(LOST, 0.01, 0.0)).ask(question)).status == "answered"
        assert (await desk({}, writer=writes(SURE, 0.5, 2.0)).ask(question)).status == "answered"
        assert (await desk({}, answers={"least": 0}, writer=writes(LOST, 0.9, -6.0)).ask(question)).status == "answered"


@pytest.mark.parametrize(("read", "told"), [(1, "another table"), (2, "how its tables belong together")])
def test_one_table_belongs_to_no_other(read: int, told: str) -> None:
    some = next(iter(shipped_judge().weights.values()))
    judge = replace(shipped_judge(), weights={"ranks": replace(some, weight=-1.0, ordinary=0.0, spread=1.0)})
    assert told in tell_doubts(judge, {"read": read, "ranks": 2.0}, None, (), "en")


@pytest.mark.parametrize(
    ("fields", "rows", "verified"),
    [
        ({"threshold": {"least": 50_000}}, [], False),
        ({"threshold": {"least": 20}}, [("a", 21)], True),
        ({}, [], True),
    ],
)
def test_a_limit_that_no_group_reaches_may_have_been_read_wrongly(
    fields: dict[str, Any], rows: list[tuple[Any, ...]], verified: bool
) -> None:
    state = fill_blanks({"plan": {"sql": COUNT, "accepted": True, "fields": fields}})  # type: ignore[typeddict-item]
    result: Any = SimpleNamespace(rows=rows)
    choice = Choice((Tried(Candidate(COUNT, 0.0, "plan"), 1.0, result),))
    context: Any = None  # what people own is not weighed
    _, judged = judge_choice(choice, state, context)
    assert judged.get("verified") is verified
    assert ("doubt" in judged) is not verified


@pytest.mark.parametrize(("plain", "grade"), [(True, "likely"), (False, "check")])
def test_what_defines_nothing_is_likely_without_a_doubt_and_never_verified(plain: bool, grade: str) -> None:
    """`How many tracks are there?` on a database that nobody described."""
    plan = {"sql": COUNT, "accepted": False, "plain": plain, "fields": {}}
    state: Any = {"repairs": [], "candidates": [], "plan": plan, "language": "en"}
    result: Any = SimpleNamespace(rows=[(3503,)])
    choice = Choice((Tried(Candidate(COUNT, 0.0, "plan"), 1.0, result),))
    context: Any = None  # a plan is not weighed
    _, judged = judge_choice(choice, state, context)
    assert (judged["verified"], "doubt" in judged) == (False, not plain)
    assert grade_of(judged["p"], verified=judged["verified"]) == grade
