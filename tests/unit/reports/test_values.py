"""Formats, parameters and expressions: what a report does with numbers and words."""

import datetime
from decimal import Decimal
from typing import Any

import pytest

from inquery.answers.answer import AnswerColumn
from inquery.reports.expressions import BadExpression, work_out
from inquery.reports.goals import contradictions, full_question, goals_of
from inquery.reports.parameters import ReportClock, declared_parameters, settle
from inquery.reports.pieces import Manner, Value, grid_of
from inquery.reports.shown import look_of, shown
from inquery.reports.template import Placeholder, parse_template, walk_nodes

CLOCK = ReportClock(datetime.date(2026, 11, 15))


@pytest.mark.parametrize(
    ("hint", "value", "text"),
    [
        ("", 1234567, "1,234,567"),
        ("", 0.5, "0.50"),
        ("", Decimal("1234.5"), "1,234.50"),
        ("", None, "—"),
        ("empty=n/a", None, "n/a"),
        ("", datetime.date(2026, 1, 2), "2026-01-02"),
        ("", "text", "text"),
        ("currency", 1234.565, "¥1,234.57"),
        ("currency", -5, "-¥5.00"),
        ("currency=USD", 3, "$3.00"),
        ("percent", 0.1234, "12.3%"),
        ("format=percent 2", 0.12345, "12.35%"),
        ("百分比", 0.5, "50.0%"),
        ("decimals=0", 2.5, "3"),
        ("decimals=3", 2, "2.000"),
        ("integer", 1234.5, "1,235"),
        ("unit=万", 123456, "12.35万"),
        ("单位=万元|小数=1", 4567890, "456.8万元"),
        ("亿", 123456789, "1.23亿"),
        ("货币|单位=万元", 123456, "¥12.35万"),
        ("unit=M", 1234567, "1.23M"),
        ("decimals=2", -0.001, "0.00"),
        ("unit=kg", 12, "12kg"),
    ],
)
def test_a_value_looks_as_its_hint_says(hint: str, value: Any, text: str) -> None:
    (place,) = (
        n
        for n in walk_nodes(parse_template("{{value: x" + (f"|{hint}" if hint else "") + "}}"))
        if isinstance(n, Placeholder)
    )
    assert shown(value, look_of(place.options, "CNY")) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a / b", 2.5), ("(a - b) / b * 100", 150.0), ("a > b", True), ("a ≥ 5 and not (b > 2)", True), ("-a", -5.0),
        ("名 == 'x'", True), ("a × b", 10.0), ("a", 5), ("rows", [1]), ("a <= 4 or b == 2", True),
    ],
)  # fmt: skip
def test_expressions_are_worked_out(text: str, value: Any) -> None:
    assert work_out(text, {"a": 5, "b": 2, "名": "x", "rows": [1]}) == value


@pytest.mark.parametrize(
    "text",
    [
        "a / 0", "missing", "a.__class__", "__import__('os')", "a[0]", "(lambda: 1)()", "a if b else 1", "a +", "'x' * 9",
        "a ** 9999999", "[1, 2]", "f'{a}'", "x := 1", "1 < 2 < 3", "(" * 500, "9" * 600, "None", "a < 'x'",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(BadExpression):
        work_out(text, {"a": 5, "b": 2})


TEMPLATE = (
    "{{parameter: week = last week | type=period}}{{parameter: region = east | choices=east, west}}{{参数：top=5}}"
)


def test_given_values_win_over_defaults_and_are_typed() -> None:
    known, problems = declared_parameters(parse_template(TEMPLATE))
    assert not problems
    assert settle(known, {}, CLOCK) == ({"week": "last week", "region": "east", "top": 5}, [])
    values, problems = settle(known, {"week": "2024-01", "top": "7"}, CLOCK)
    assert (values["week"], values["top"], problems) == ("2024-01", 7, [])


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"week": "blue"}, "not a period"),
        ({"week": "2024-05 to 2024-02"}, "ends before it begins"),
        ({"region": "mars"}, "only east, west"),
        ({"top": "many"}, "not a number"),
        ({"nothing": "x"}, "no parameter named nothing"),
        ({"region": "x" * 300}, "too long"),
    ],
)
def test_a_value_that_cannot_be_is_named_and_the_default_stands(given: dict[str, str], named: str) -> None:
    known, _ = declared_parameters(parse_template(TEMPLATE))
    values, (problem,) = settle(known, given, CLOCK)
    assert named in problem.reason.en
    assert values == {"week": "last week", "region": "east", "top": 5}


def test_contradictions_are_named() -> None:
    nodes = parse_template(
        "{{参数：a=1}}{{参数：a=2}}\n{{value: revenue in 2023|period=2024}}\n{{value: sales|period=$when}}\n{{value: fine|period=last month}}\n{{value: turned|period=2024-05 to 2024-02}}"
    )
    known, problems = declared_parameters(nodes)
    assert [problem.code for problem in problems] == ["contradiction"]
    goals = goals_of(nodes)
    found = contradictions(goals, known, CLOCK)
    assert [(found[goal.key].line, found[goal.key].code) for goal in goals if goal.key in found] == [
        (2, "contradiction"), (3, "bad_parameter"), (5, "contradiction"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("{{value: revenue|period=last month|region=east}}", "revenue for region east last month"),
        ("{{value: revenue?|period=2024-01}}", "revenue in 2024-01"),
        ("{{统计：销售额|时间范围=上月|地区=华东}}", "上月地区为华东的销售额"),
        ("{{统计：$区销售额|时间=$月}}", "上月华南销售额"),
    ],
)
def test_a_question_is_asked_whole(text: str, question: str) -> None:
    (goal,) = goals_of(parse_template(text))
    assert full_question(goal, {"区": "华南", "月": "上月"}).question == question


def test_the_same_question_is_one_goal_whatever_it_looks_like() -> None:
    nodes = parse_template(
        "{{table: Sales by region|rows=3}}{{chart: sales by  region|type=bar}}{{value: sales by region}}"
    )
    assert len(goals_of(nodes)) == 2


def test_amounts_in_a_table_have_their_currency_where_nothing_else_is_asked_for() -> None:
    columns = (
        AnswerColumn(name="product", kind="text"),
        AnswerColumn(name="revenue", kind="number", format="money", unit="CNY"),
        AnswerColumn(name="rate", kind="number", format="fraction"),
        AnswerColumn(name="orders", kind="number", format="count"),
    )
    value = Value("solved", "?", columns=columns, rows=[("A", 364118.0, 0.125, 7)])
    assert grid_of(value, look_of(()), Manner()).rows == (("A", "¥364,118.00", "12.5%", "7"),)
    assert grid_of(value, look_of((("unit", "万元"),)), Manner()).rows[0][1] == "36.41万元"
