"""Each part of a reading says what else could be meant, as a whole question that is read as meant."""

import asyncio
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inquery import Inquery
from inquery.settings import Settings

IN_2026 = "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= '2026-01-01' AND ordered_on < '2027-01-01'"
PAID = "SELECT COUNT(*) AS n FROM orders WHERE status = 'paid'"
TODAY = datetime.date(2026, 11, 17)


def parts(answer: Any, kind: str) -> list[dict[str, Any]]:
    return [part for part in answer.reading["parts"] if part["kind"] == kind]


def questions(part: dict[str, Any]) -> dict[str, str]:
    return {change["label"]: change["question"] for change in part["changes"]}


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        (
            "How many orders were placed in 2026?",
            {
                "2025": "How many orders were placed in 2025?",
                "last year": "How many orders were placed last year?",
                "this month": "How many orders were placed this month?",
                "without a period": "How many orders were placed?",
            },
        ),
        (
            "2026年有多少订单？",
            {
                "2025年": "2025年有多少订单？",
                "去年": "去年有多少订单？",
                "本月": "本月有多少订单？",
                "不限时间": "有多少订单？",
            },
        ),
    ],
)
async def test_a_period_may_be_another_or_none(desk, question, changed):
    opened = desk(lambda request: [IN_2026], today=TODAY)
    (period,) = parts(await opened.ask(question), "period")
    assert period["text"] in {"2026", "2026年"}
    found = questions(period)
    assert {label: found.get(label) for label in changed} == changed


async def test_an_article_goes_with_the_period_it_belongs_to(desk):
    sql = IN_2026.replace("2026-01-01", "2026-07-01").replace("2027-01-01", "2026-10-01")
    answer = await desk(lambda request: [sql], today=TODAY).ask("How many orders were placed in the last quarter?")
    (period,) = parts(answer, "period")
    found = questions(period)
    assert period["text"] == "Q3 2026"
    assert found["Q2 2026"] == "How many orders were placed in Q2 2026?"
    assert found["this year"] == "How many orders were placed this year?"


@pytest.mark.parametrize(
    ("question", "other", "without"),
    [
        ("How many paid orders are there?", "How many shipped orders are there?", "How many orders are there?"),
        ("paid的订单有多少？", "shipped的订单有多少？", "订单有多少？"),
    ],
)
async def test_a_condition_may_be_another_value_or_none(desk, question, other, without):
    opened = desk(lambda request: [PAID])
    (only,) = parts(await opened.ask(question), "filter")
    found = questions(only)
    assert found["shipped"] == other
    assert without in found.values()


async def test_a_change_is_answered_like_a_question_that_was_typed(desk):
    opened = desk(lambda request: [PAID.replace("paid", "shipped")] if "shipped" in request.question else [PAID])
    first = await opened.ask("How many paid orders are there?", "t")
    other = questions(parts(first, "filter")[0])["shipped"]
    assert (first.rows, (await opened.ask(other, "t")).rows) == ([[3]], [[1]])


async def test_what_was_ignored_can_be_left_out_and_the_database_is_told(desk):
    answer = await desk(lambda request: [PAID]).ask("How many paid orders in Paris are there?")
    assert parts(answer, "database")
    (ignored,) = parts(answer, "ignored")
    assert ignored["changes"] == [{"label": "ask without it", "question": "How many paid orders are there?"}]


@pytest.fixture
def refunds(tmp_path: Path, own_home: Path) -> Iterator[Inquery]:
    rows = [("东", "是"), ("东", "否"), ("东", "否"), ("西", "否"), ("西", "是")]
    lines = ["校区,是否退费,缴费金额", *(f"{campus},{flag},{100 + at}" for at, (campus, flag) in enumerate(rows * 5))]
    (tmp_path / "报名.csv").write_text("\n".join(lines), "utf-8")
    with Inquery.connect(tmp_path / "报名.csv", settings=Settings(home=own_home)) as client:
        yield client


async def test_a_rate_is_not_told_as_if_its_flagged_rows_alone_were_counted(refunds):
    rate = await asyncio.to_thread(refunds.ask, "各校区的退费率")
    assert [part["text"] for part in parts(rate, "measure")] == ["退费率"]
    assert parts(rate, "filter") == []


async def test_a_flag_is_told_with_its_value_and_not_with_its_own_name(refunds):
    answer = await asyncio.to_thread(refunds.ask, "退费的记录有多少？")
    (only,) = parts(answer, "filter")
    assert only["text"] == "是否退费为是"
    assert list(questions(only)) == ["不限"]


async def test_an_answer_from_the_cache_is_called_and_shown_as_it_was(refunds):
    first = await asyncio.to_thread(refunds.ask, "各校区的退费率", thread_id="t")
    again = await asyncio.to_thread(refunds.ask, "各校区的退费率", thread_id="t")
    elsewhere = await asyncio.to_thread(refunds.ask, "各校区的退费率")
    drawn = await asyncio.to_thread(refunds.ask, "画成饼图", thread_id="t")
    assert first.columns[1].format == "percent"
    assert [answer.cache is not None for answer in (first, again, elsewhere)] == [False, True, True]
    for answer in (again, elsewhere, drawn):
        assert answer.columns == first.columns


def texts(answer: Any, kind: str) -> list[str]:
    return [part["text"] for part in parts(answer, kind)]


@pytest.mark.parametrize(
    ("question", "sql", "measures", "groups", "filters"),
    [
        (
            "How many orders are there for each status?",
            "SELECT status, COUNT(*) AS n FROM orders GROUP BY status",
            ["number of orders"],
            ["status"],
            [],
        ),
        (
            "各状态的平均金额",
            "SELECT status, AVG(amount) FROM orders GROUP BY status",
            ["平均金额"],
            ["状态"],
            [],
        ),
        # Nobody asked for it, and it stands there to be seen.
        (
            "How many orders are there?",
            "SELECT COUNT(*) AS n FROM orders WHERE status = 'shipped' AND amount > 5",
            ["number of orders"],
            [],
            ["status shipped", "amount above 5"],
        ),
        (
            "有多少订单？",
            "SELECT COUNT(*) AS n FROM orders WHERE NOT status IN ('paid', 'new') AND amount <= 5",
            ["订单数"],
            [],
            ["状态不为paid或new", "金额不大于5"],
        ),
        (
            "Which statuses have more than two orders?",
            "SELECT status FROM orders GROUP BY status HAVING COUNT(*) > 2",
            ["number of orders"],
            ["status"],
            ["number of orders above 2"],
        ),
        (
            "Which status has the most orders?",
            "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY COUNT(*) DESC LIMIT 1",
            ["number of orders"],
            ["status"],
            ["highest 1 by number of orders"],
        ),
    ],
)
async def test_a_reading_tells_what_the_statement_does(desk, question, sql, measures, groups, filters):
    answer = await desk(lambda request: [sql]).ask(question)
    assert (texts(answer, "measure"), texts(answer, "group"), texts(answer, "filter")) == (measures, groups, filters)
    assert all(text in answer.reading["text"] for text in filters)
