"""Follow-ups become questions of their own by rules, in both languages."""

import datetime

import pytest

from inquery.agents.questions.followup import bare, dated_question, leans, merge_followup, stands_alone
from inquery.agents.statements.edits import explain_statement, limited, sorted_as
from inquery.catalog.value_index import ValueIndex

TODAY = datetime.date(2026, 11, 15)
VALUES = ValueIndex.of(
    {
        ("customers", "province"): ["广东", "北京", "上海", "Guangdong", "Beijing"],
        ("orders", "channel"): ["web", "app", "store"],
        ("orders", "status"): ["cancelled", "paid"],
    }
)

ALONE = [
    "How many orders are there?", "各省份销售额是多少", "What was the revenue in 2023?", "List the top 10 products by revenue",
    "去年每个月的订单数", "and how many customers registered in each city last year?", "显示库存最少的五个商品",
    "What share of revenue is online?", "线上占销售额的比例是多少", "各级别的品牌各有几家",
]  # fmt: skip
LEANING = ["and in 2023?", "那去年呢", "only top 3", "按月看", "换成广东", "what about Beijing?", "by month", "前三名", "那北京呢？", "sort ascending", "exclude cancelled", "how many of them are new?", "as a share of the total", "各占多少比例？"]  # fmt: skip


@pytest.mark.parametrize("message", ALONE)
def test_whole_questions_stand_alone(message):
    assert stands_alone(message, topical=True)


@pytest.mark.parametrize(
    "message", ["Monthly revenue in 2026", "2026年每月成交额", "Orders per channel in October 2026"]
)
def test_a_question_without_a_verb_does_not_lean_by_its_words(message):
    assert not leans(message)


@pytest.mark.parametrize(
    "message", ["what about revenue in 2026?", "那2026年的成交额呢", "only revenue in 2026", "it in 2026"]
)
def test_words_that_go_on_from_the_question_before_lean(message):
    assert leans(message)


@pytest.mark.parametrize("message", LEANING)
def test_fragments_lean_on_the_question_before(message):
    assert not stands_alone(message)


@pytest.mark.parametrize(
    ("before", "message", "expected"),
    [
        ("What was the revenue in 2022?", "and in 2023?", "What was the revenue in 2023?"),
        ("What was the revenue in 2022?", "what about last year?", "What was the revenue in last year?"),
        ("What was the revenue?", "and in 2023?", "What was the revenue in 2023?"),
        ("2022年的销售额是多少", "那2023年呢", "2023年的销售额是多少"),
        ("今年的销售额是多少", "那去年呢", "去年的销售额是多少"),
        ("北京的销售额是多少", "换成广东", "广东的销售额是多少"),
        ("How many orders came from Beijing?", "what about Guangdong?", "How many orders came from Guangdong?"),
        ("How many orders on the web?", "and app?", "How many orders on the app?"),
        ("各省份的销售额", "按月看", "各省份的销售额，按月统计"),
        ("What is the revenue?", "by month", "What is the revenue by month?"),
        ("What is the revenue by region?", "by month instead", "What is the revenue by month?"),
        ("How many orders are there?", "exclude cancelled", "How many orders are there excluding cancelled?"),
        ("2022年北京的订单数", "不对，我说的是2023年", "2023年北京的订单数"),
        ("What was revenue in 2022?", "no, I meant 2021", "What was revenue in 2021?"),
    ],
)
def test_follow_ups_edit_the_question_before(before, message, expected):
    edit = merge_followup(message, before, match=VALUES.match, today=TODAY)
    assert edit is not None
    assert edit.question == expected


@pytest.mark.parametrize(("message", "number", "ascending"), [("only top 3", 3, False), ("前三名", 3, False), ("只看前5个", 5, False), ("bottom 2", 2, True), ("后两名", 2, True), ("the first ten", 10, False)])  # fmt: skip
def test_fewer_rows_edit_the_statement(message, number, ascending):
    edit = merge_followup(message, "Revenue by region", match=VALUES.match, today=TODAY)
    assert edit is not None
    assert (edit.kind, edit.number, edit.ascending) == ("top", number, ascending)


def test_statements_are_cut_and_turned():
    sql = "SELECT city, COUNT(*) AS n FROM customers GROUP BY city"
    assert limited(sql, "sqlite", 3) == f"{sql} ORDER BY n DESC LIMIT 3"
    assert limited(f"{sql} ORDER BY n DESC LIMIT 10", "sqlite", 2, ascending=True) == f"{sql} ORDER BY n ASC LIMIT 2"
    assert sorted_as(f"{sql} ORDER BY n DESC", "sqlite", ascending=True) == f"{sql} ORDER BY n ASC"
    assert limited("SELECT name FROM customers", "sqlite", 3) is None
    months = "SELECT month, SUM(v) AS total FROM t GROUP BY month ORDER BY month"
    assert limited(months, "sqlite", 3, ranked=True) == f"{months[:-5]}total DESC LIMIT 3"
    assert limited(months, "sqlite", 3) == f"{months} LIMIT 3"
    plain = "SELECT name, price FROM t ORDER BY price DESC"
    assert limited(plain, "sqlite", 3, ranked=True) == f"{plain} LIMIT 3"


def test_a_statement_is_explained_in_both_languages():
    sql = "SELECT city, COUNT(*) AS n FROM customers WHERE segment = 'x' GROUP BY city ORDER BY n DESC LIMIT 3"
    assert "customers" in explain_statement(sql, "sqlite", "en")
    assert "分组" in explain_statement(sql, "sqlite", "zh")


def test_another_metric_takes_the_place_of_the_first():
    def metrics(text):
        return [word for word in ("销售额", "订单数", "revenue", "profit") if word in text.casefold()]

    for before, message, expected in (
        ("去年各省的订单数", "销售额呢", "去年各省的销售额"),
        ("What was the revenue in 2022?", "and the profit?", "What was the profit in 2022?"),
    ):
        edit = merge_followup(message, before, match=VALUES.match, today=TODAY, metrics=metrics)
        assert edit is not None
        assert edit.question == expected


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("Top 3 stores by revenue this month", "2025-11-01 to 2025-11-18", "Top 3 stores by revenue 2025-11-01 to 2025-11-18"),
        ("第三季度销售额前三的门店", "2025年第3季度", "2025年第3季度销售额前三的门店"),
    ],
)  # fmt: skip
def test_a_question_gets_the_days_that_a_follow_up_came_to(before, said, after):
    assert dated_question(before, said, TODAY) == after


@pytest.mark.parametrize("message", ["and the same period last year?", "what about the same month last year?"])
def test_the_same_period_is_not_the_same_again(message):
    assert bare(message).startswith("the same")
