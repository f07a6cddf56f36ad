"""Messages that are no question about data get a helpful sentence and three questions, never an error or a guess."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from inquery.agents.questions.intents import read_intent
from inquery.agents.questions.other_messages import (
    is_about,
    is_nonsense,
    names_subject,
    read_other,
    split_questions,
    third_language,
    without_manners,
)
from inquery.sql import Catalog, Column, Table

CASES: dict[str, list[Any]] = yaml.safe_load((Path(__file__).parent / "other_messages.yaml").read_text("utf-8"))
COUNT = "SELECT COUNT(*) AS n FROM orders"


def fine(case: dict[str, Any], text: str) -> bool:
    return any(part in text for part in case["has"]) and not any(part in text for part in case.get("lacks", ()))


def test_there_are_cases_enough():
    assert sum(map(len, CASES.values())) >= 60


async def test_every_message_is_answered_with_words_and_three_questions(desk):
    opened = desk([])
    wrong = {}
    for kind, questions in (("chat", 3), ("leave", 0)):
        for number, case in enumerate(CASES[kind]):
            answer = await opened.ask(case["say"], f"{kind}{number}")
            got = (answer.status, len(answer.followups), answer.error, answer.sql, opened.calls)
            if got != ("chat", questions, None, None, 0) or not fine(case, answer.text):
                wrong[case["say"]] = (*got, answer.text)
    assert wrong == {}


@pytest.mark.parametrize("case", CASES["declined"], ids=lambda case: case["say"])
async def test_what_no_word_of_is_in_the_database_is_declined_whatever_is_written(desk, case):
    answer = await desk(lambda request: [COUNT]).ask(case["say"])
    assert (answer.status, len(answer.followups), answer.error, answer.sql) == ("declined", 3, None, None)
    assert fine(case, answer.text)


async def test_a_why_after_an_answer_is_not_answered_with_the_same_number(desk):
    opened = desk([COUNT])
    await opened.ask("How many orders are there?", "t")
    answer = await opened.ask("why?", "t")
    assert (answer.status, opened.calls, len(answer.followups)) == ("chat", 1, 3)


@pytest.mark.parametrize("case", CASES["two"], ids=lambda case: case["say"])
async def test_of_two_questions_the_first_is_answered_and_the_other_offered(desk, case):
    opened = desk([COUNT])
    answer = await opened.ask(case["say"])
    assert (answer.status, answer.rows, opened.calls) == ("answered", [[5]], 1)
    assert opened.writer.requests[0][0].question == case["first"]
    assert answer.followups[0] == case["then"]
    assert "first question" in answer.text or "第一个问题" in answer.text


@pytest.mark.parametrize("message", CASES["data"])
def test_a_question_about_data_stays_one(message):
    shop = Catalog(
        dialect="sqlite", tables=(Table(("orders",), (Column("order_id"), Column("cancel_reason"), Column("status"))),)
    )
    found = read_intent(message, None)
    assert found.intent == "data" or is_about(shop, message, read_other(message))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("weather_readings",), "What is the weather in Paris on May 1?"),
        (("天气",), "明天的天气怎么样"),
        (("clientes",), "¿Cuántos clientes hay por ciudad?"),
        (("jokes",), "Tell me a joke with more than ten likes"),
    ],
)
def test_what_the_database_speaks_of_is_no_small_talk(names, message):
    catalog = Catalog(dialect="sqlite", tables=(Table(names, (Column("id"),)),))
    assert is_about(catalog, message, read_other(message))


@pytest.mark.parametrize(
    "message", ["Show me the top ten customers", "orders in Paris", "各店销售额", "la la land revenue"]
)
def test_english_and_chinese_are_no_third_language(message):
    assert third_language(message) == ""
    assert not is_nonsense(message)


@pytest.mark.parametrize(
    "message",
    [
        "How many orders are there?",
        "Really? Show it by month",
        "订单有多少？谢谢",
        "Which stores are new? Show each with its city.",
        "Which stores are new? Who manages them?",
        "有哪些门店？其中哪个最大？",
        "How many orders were there in 2024 and how many in 2025?",
        "去年有多少订单，今年有多少？",
        "今年到现在一共借出多少册次，跟去年同期相比增长多少？",
        "How many loans did we make this year, and what was the growth over last year?",
        "What is the best film of 2020 and what did it earn in 2021?",
        "Which stores are open? Give me the names of the managers?",
        "有哪些门店？各有多少员工？",
    ],
)
def test_one_question_is_not_split(message):
    assert split_questions(message) == [message]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("2024年的合同都因为什么终止？原因和数量，多的在前", False),
        ("为什么退货这么多？按原因列出次数", False),
        ("Why are so many returned? Reasons and number of returns", False),
        ("Why were orders cancelled so much, by reason", False),
        ("为什么这个月的退货这么多？", True),
        ("退货增加的原因是什么", True),
        ("Why are returns up this month?", True),
    ],
)
def test_reasons_that_are_counted_are_asked_of_the_rows(message: str, why: bool) -> None:
    assert (read_other(message) == "why") is why


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("去年哪一天的订单最多？是多少？", "去年哪一天的订单最多？"),
        ("销售额增长最快的门店是哪个？增幅多少？", "销售额增长最快的门店是哪个？"),
        ("Which store has the most orders? And how many are there?", "Which store has the most orders?"),
    ],
)
def test_how_much_of_what_is_ranked_is_part_of_the_first_question(message: str, asked: str) -> None:
    assert split_questions(message) == [asked]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Hi, what is our revenue?", "what is our revenue?"),
        ("Hello what are the stores?", "what are the stores?"),
        ("Thanks a lot! And how many orders?", "how many orders?"),
        ("How many orders are there? Thanks!", "How many orders are there?"),
        ("您好，请问：有多少订单", "有多少订单"),
        ("谢谢，那有多少客户呢", "有多少客户呢"),
        ("有多少订单？谢谢", "有多少订单？"),
        ("Hello Kitty products", "Hello Kitty products"),
        ("great customers", "great customers"),
        ("good morning", "good morning"),
        ("你好", "你好"),
        ("好评率是多少", "好评率是多少"),
        ("thanks", "thanks"),
    ],
)
def test_manners_around_a_question_are_no_part_of_it(message: str, left: str) -> None:
    assert without_manners(message) == left


def test_a_subject_that_is_stored_as_a_value_is_asked_of_the_data() -> None:
    message = "Who is the president of the chess club?"
    assert read_other(message) == "off_topic"
    assert names_subject("President", message)
    assert not names_subject("Paris", "What is the weather in Paris tomorrow?")


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "How many orders came in yesterday and which store had the most orders last month?",
            ["How many orders came in yesterday?", "which store had the most orders last month?"],
        ),
        ("昨天有多少订单，上个月哪个门店订单最多？", ["昨天有多少订单？", "上个月哪个门店订单最多？"]),
    ],
)
def test_two_questions_with_a_period_each_are_two(message: str, asked: list[str]) -> None:
    assert split_questions(message) == asked
