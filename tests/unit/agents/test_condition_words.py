"""What a statement leaves out is told as left out, whoever wrote it and however it says so."""

import re
from typing import Any

import pytest

DENYING = {"en": re.compile(r"\b(?:without|not|no)\b"), "zh": re.compile(r"不|无|没|非")}
QUESTIONS = {"en": "How many orders are there?", "zh": "有多少订单？"}
KEPT = (
    "status = 'paid'",
    "status IN ('paid', 'shipped')",
    "NOT status <> 'paid'",
    "NOT (NOT status = 'paid')",
    "status LIKE '%aid%'",
    "status LIKE 'p%d'",
    "store_id IS NULL",
    "NOT store_id IS NOT NULL",
    "amount BETWEEN 20 AND 70",
    "amount > 20 AND amount <= 70",
    "NOT amount > 70",
    "status = 'paid' OR amount >= 50",
    "status IS NOT DISTINCT FROM 'paid'",
)
LEFT_OUT = (
    "status <> 'paid'",
    "status != 'paid'",
    "NOT status = 'paid'",
    "status NOT IN ('paid', 'shipped')",
    "NOT (status IN ('paid', 'shipped'))",
    "status <> 'paid' AND status <> 'shipped'",
    "NOT (status = 'paid' OR status = 'shipped')",
    "status NOT LIKE '%aid%'",
    "status NOT LIKE 'p%d'",
    "store_id IS NOT NULL",
    "NOT (store_id IS NULL)",
    "amount NOT BETWEEN 20 AND 70",
    "status IS DISTINCT FROM 'paid'",
)
ONE_VALUE = (
    "status <> 'paid'",
    "NOT status = 'paid'",
    "status NOT IN ('paid')",
    "order_id NOT IN (SELECT order_id FROM orders WHERE status = 'paid')",
    "NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.order_id = orders.order_id AND o.status = 'paid')",
    "order_id IN (SELECT order_id FROM orders EXCEPT SELECT order_id FROM orders WHERE status = 'paid')",
)


def texts(answer: Any, kind: str) -> list[str]:
    return [part["text"] for part in answer.reading["parts"] if part["kind"] == kind]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("condition", "denied"), [*((each, False) for each in KEPT), *((each, True) for each in LEFT_OUT)]
)
async def test_a_condition_is_told_in_its_sense(desk, condition: str, denied: bool, language: str) -> None:
    sql = f"SELECT COUNT(*) AS n FROM orders WHERE {condition}"
    answer = await desk(lambda request: [sql]).ask(QUESTIONS[language])
    told = texts(answer, "filter")
    assert told
    words = re.sub("不[大小]于", "", "".join(told))  # a bound is no denial, though Chinese says it with one
    assert bool(DENYING[language].search(words)) == denied
    assert all(text in answer.reading["text"] for text in told)


@pytest.mark.parametrize("condition", ONE_VALUE)
@pytest.mark.parametrize(
    ("question", "without", "line", "lead"),
    [
        ("How many orders are there without paid ones?", "status paid", "without status paid", "Without status paid, "),
        ("不含paid的订单有多少？", "状态为paid", "状态不含paid", "状态不含paid："),
    ],
)
async def test_a_value_of_the_question_that_is_left_out_is_told_so_everywhere(
    desk, condition: str, question: str, without: str, line: str, lead: str
) -> None:
    sql = f"SELECT COUNT(*) AS n FROM orders WHERE {condition}"
    answer = await desk(lambda request: [sql]).ask(question)
    assert texts(answer, "without") == [without]
    assert without not in texts(answer, "filter")
    assert [each["denied"] for each in answer.reading["filters"]] == [True]
    assert line in answer.reading["text"]
    assert answer.text.startswith(lead)


async def test_those_without_a_match_are_left_out_too(desk) -> None:
    sql = (
        "SELECT COUNT(*) AS n FROM customers LEFT JOIN orders ON orders.customer_id = customers.customer_id"
        " AND orders.status = 'paid' WHERE orders.order_id IS NULL"
    )
    answer = await desk(lambda request: [sql]).ask("How many customers are there without paid orders?")
    assert texts(answer, "without") == ["status paid"]


async def test_a_value_that_is_left_out_may_be_another_or_none(desk) -> None:
    answer = await desk(lambda request: ["SELECT COUNT(*) AS n FROM orders WHERE status <> 'paid'"]).ask(
        "How many orders are there excluding paid?"
    )
    (part,) = [part for part in answer.reading["parts"] if part["kind"] == "without"]
    found = {change["label"]: change["question"] for change in part["changes"]}
    assert found["shipped"] == "How many orders are there excluding shipped?"
    assert found["any"] == "How many orders are there?"
