"""What cannot be answered is declined with what is missing and what could be asked, whatever the writer writes."""

import pytest
from tests.unit.agents.conftest import Opened

ANY = ["SELECT SUM(amount) FROM orders"]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How much rent do we pay for our stores?", "“rent”"),
        ("门店的房租是多少？", "“房租”"),
        ("How much electricity do our stores use?", "“electricity”"),
        ("How many days pass from delivery to refund of orders?", "“delivery”"),
        ("订单从签收到退款平均要几天？", "“签收”"),
    ],
)
async def test_what_is_not_there_is_declined_with_questions_that_can_be_asked(
    desk: Opened, question: str, missing: str
) -> None:
    answer = await desk({question: ANY}).ask(question, can_ask=False)
    assert (answer.status, answer.sql) == ("declined", None)
    assert missing in answer.text
    assert 2 <= len(answer.followups) <= 3
    assert all(each in answer.text for each in answer.followups)


@pytest.mark.parametrize(
    ("question", "start", "end", "says"),
    [
        ("What was the amount of orders in 2011?", "2011-01-01", "2012-01-01", "begins on 2025-03-01"),
        ("2011年的订单金额是多少？", "2011-01-01", "2012-01-01", "2025-03-01"),
        ("What will the amount of orders be in 2031?", "2031-01-01", "2032-01-01", "ends on 2026-07-09"),
    ],
)
async def test_a_period_without_data_is_told_with_what_there_is(
    desk: Opened, question: str, start: str, end: str, says: str
) -> None:
    sql = f"SELECT SUM(amount) FROM orders WHERE ordered_on >= '{start}' AND ordered_on < '{end}'"
    answer = await desk({question: [sql]}).ask(question, can_ask=False)
    assert answer.status == "declined"
    assert says in answer.text


async def test_what_is_there_is_answered(desk: Opened) -> None:
    for question, sql in {
        "How many days pass from opening to start of events?": "SELECT AVG(julianday(starts_on) - julianday(opens_on)) FROM events",
        "What was the amount of orders in 2025?": "SELECT SUM(amount) FROM orders WHERE ordered_on < '2026-01-01'",
    }.items():
        answer = await desk({question: [sql]}).ask(question, can_ask=False)
        assert answer.status == "answered", answer.text
