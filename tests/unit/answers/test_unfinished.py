"""A period that is not over is told as such: never as a fall, never as the lowest."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquery.answers.answer import AnswerColumn, Fact
from inquery.answers.facts import compute_facts
from inquery.answers.number_check import drop_unknown_numbers, is_known, known_numbers, quoted_numbers
from inquery.answers.prose import explain_result

TODAY = datetime.date(2026, 11, 15)
NUMBERS = [100.0, 150.0, 120.0, 30.0]
Day = datetime.date
Moment = datetime.datetime


def columns(*names: str) -> list[AnswerColumn]:
    return [AnswerColumn(name=name) for name in names]


def series(labels: list[Any], numbers: list[float] = NUMBERS) -> list[tuple[Any, float]]:
    return list(zip(labels, numbers, strict=True))


def facts_of(name: str, rows: list[Any], today: datetime.date | None = TODAY) -> list[Fact]:
    return compute_facts(columns(name, "revenue"), rows, today=today)


def told(name: str, rows: list[Any], language: str = "en", today: datetime.date | None = TODAY) -> str:
    return explain_result("?", facts_of(name, rows, today), columns(name, "revenue"), rows, language=language)


def of_kind(facts: list[Fact], kind: str) -> list[Fact]:
    return [fact for fact in facts if fact.kind == kind]


MONTHS = ["2026-08", "2026-09", "2026-10", "2026-11"]
WEEKS = ["2026-10-19", "2026-10-26", "2026-11-02", "2026-11-09"]
QUARTERS = ["2026-01-01", "2026-04-01", "2026-07-01", "2026-10-01"]
YEARS = ["2023-01-01", "2024-01-01", "2025-01-01", "2026-01-01"]

NOT_OVER = [
    ("month", MONTHS, "November 2026", "2026年11月"),
    ("月份", MONTHS, "November 2026", "2026年11月"),
    ("周期", MONTHS, "November 2026", "2026年11月"),
    ("month", ["2026/08", "2026/09", "2026/10", "2026/11"], "November 2026", "2026年11月"),
    ("month", ["202608", "202609", "202610", "202611"], "November 2026", "2026年11月"),
    ("month", [f"{label}-01" for label in MONTHS], "November 2026", "2026年11月"),
    ("date", [f"{label}-01" for label in MONTHS], "November 2026", "2026年11月"),
    ("date", ["2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30"], "November 2026", "2026年11月"),
    ("month", [f"{label}-01 00:00:00" for label in MONTHS], "November 2026", "2026年11月"),
    ("month", [f"{label}-01T00:00:00+00:00" for label in MONTHS], "November 2026", "2026年11月"),
    ("month", [Day(2026, month, 1) for month in range(8, 12)], "November 2026", "2026年11月"),
    ("month", [Moment(2026, month, 1) for month in range(8, 12)], "November 2026", "2026年11月"),
    ("month", [Moment(2026, month, 1, tzinfo=datetime.UTC) for month in range(8, 12)], "November 2026", "2026年11月"),
    ("quarter", ["2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"], "Q4 2026", "2026年第4季度"),
    ("季度", ["2026Q1", "2026Q2", "2026Q3", "2026Q4"], "Q4 2026", "2026年第4季度"),
    ("quarter", QUARTERS, "Q4 2026", "2026年第4季度"),
    ("period", QUARTERS, "Q4 2026", "2026年第4季度"),
    ("month", [*QUARTERS[:3], "2026-11-01"], "November 2026", "2026年11月"),
    ("week", ["2026-W43", "2026-W44", "2026-W45", "2026-W46"], "The week of November 9, 2026", "2026年11月9日当周"),
    ("week", WEEKS, "The week of November 9, 2026", "2026年11月9日当周"),
    ("date", WEEKS, "The week of November 9, 2026", "2026年11月9日当周"),
    ("week", WEEKS[2:], "The week of November 9, 2026", "2026年11月9日当周"),
    ("week_end", ["2026-11-01", "2026-11-08", "2026-11-15"], "The week of November 9, 2026", "2026年11月9日当周"),
    ("year", [2023, 2024, 2025, 2026], "2026", "2026年"),
    ("year", [2023.0, 2024.0, 2025.0, 2026.0], "2026", "2026年"),
    ("year", [Decimal(2023), Decimal(2024), Decimal(2025), Decimal(2026)], "2026", "2026年"),
    ("年份", ["2023", "2024", "2025", "2026"], "2026", "2026年"),
    ("year", YEARS, "2026", "2026年"),
    ("day", ["2026-11-12", "2026-11-13", "2026-11-14", "2026-11-15"], "November 15, 2026", "2026年11月15日"),
    ("日期", [Day(2026, 11, day) for day in (12, 13, 14, 15)], "November 15, 2026", "2026年11月15日"),
]


@pytest.mark.parametrize(("name", "labels", "en", "zh"), NOT_OVER)
def test_the_last_period_is_told_as_not_over(name: str, labels: list[Any], en: str, zh: str) -> None:
    rows = series(labels, NUMBERS[-len(labels) :])
    assert f"{en} is not over: 30 so far." in told(name, rows)
    assert f"{zh}尚未结束，目前为30。" in told(name, rows, "zh")


@pytest.mark.parametrize(("name", "labels"), [(name, labels) for name, labels, _, _ in NOT_OVER])
@pytest.mark.parametrize("turned", [False, True])
def test_the_change_ends_at_the_last_finished_period(name: str, labels: list[Any], turned: bool) -> None:
    rows = series(labels, NUMBERS[-len(labels) :])
    finished = facts_of(name, rows[:-1], None)
    facts = facts_of(name, rows[::-1] if turned else rows)
    assert of_kind(facts, "change") == of_kind(finished, "change")


def test_the_text_before_and_after() -> None:
    rows = series(MONTHS)
    assert told("month", rows, today=None).startswith(
        "From 2026-08 to 2026-11, revenue fell from 100 to 30 (down 70%)."
    )
    assert told("month", rows) == (
        "From 2026-08 to 2026-10, revenue rose from 100 to 120 (up 20%). November 2026 is not over: 30 so far."
    )
    assert told("month", rows, "zh") == (
        "从2026-08到2026-10，revenue由100变为120，增长20%。2026年11月尚未结束，目前为30。"
    )


@pytest.mark.parametrize(
    ("since", "cut"), [(Day(2026, 8, 17), True), (Day(2026, 8, 2), False), (Day(2026, 7, 1), False)]
)
def test_a_first_period_that_is_cut_is_not_compared(since: Day, cut: bool) -> None:
    cols, rows = columns("month", "revenue"), series(MONTHS)
    facts = compute_facts(cols, rows, today=TODAY, since=since)
    change = of_kind(facts, "change")[0]
    assert change.detail["from"] == ("2026-09" if cut else "2026-08")
    text = explain_result("?", facts, cols, rows, language="zh")
    assert ("2026年8月不完整，未参与比较" in text) is cut


AS_BEFORE = [
    ("month", ["07", "08", "09", "10"]),
    ("month", ["8", "9", "10", "11"]),
    ("month", [8, 9, 10, 11]),
    ("quarter", [1, 2, 3, 4]),
    ("week", ["2026-08", "2026-09", "2026-10", "2026-11"]),
    ("fiscal_year", [2023, 2024, 2025, 2026]),
    ("财年", [2023, 2024, 2025, 2026]),
    ("学年", ["2023", "2024", "2025", "2026"]),
    ("time", [1990, 2000, 2010, 2026]),
    ("ordered_at", ["2026-11-12 09:10", "2026-11-13 10:20", "2026-11-14 11:30", "2026-11-15 12:40"]),
    ("ordered_at", [Moment(2026, 11, day, 9, 30) for day in (12, 13, 14, 15)]),
    ("date", ["2026-11-13", "2026-11-14", "2026-11-15", "2026-11-15"]),
    ("date", [Day(2026, 11, 13), Day(2026, 11, 14), Day(2026, 11, 15), Day(9999, 12, 31)]),
    ("quarter", ["2026-02-01", "2026-05-01", "2026-08-01", "2026-11-01"]),
    ("city", ["Beijing", "Paris", "Rome", "Shanghai"]),
    ("month", ["2026-07", "2026-08", "2026-09", "2026-10"]),
    ("day", ["2026-11-11", "2026-11-12", "2026-11-13", "2026-11-14"]),
    ("year", [2022, 2023, 2024, 2025]),
]


@pytest.mark.parametrize(("name", "labels"), AS_BEFORE)
def test_what_is_over_or_has_no_date_is_told_as_before(name: str, labels: list[Any]) -> None:
    rows = series(labels)
    assert facts_of(name, rows) == facts_of(name, rows, None)


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (("month", "region", "revenue"), [("2026-10", "N", 9), ("2026-10", "S", 8), ("2026-11", "N", 1)]),
        (("title", "year", "gross"), [("A", 2025, 9), ("B", 2026, 1)]),
        (("order_id", "order_date", "amount"), [(1, "2026-11-12", 9), (2, "2026-11-14", 8), (3, "2026-11-15", 1)]),
        (("year", "month", "revenue"), [(2025, 12, 9), (2026, 10, 1)]),
    ],
)
def test_rows_that_are_not_one_series_of_periods_are_told_as_before(names: tuple[str, ...], rows: list[Any]) -> None:
    assert compute_facts(columns(*names), rows, today=TODAY) == compute_facts(columns(*names), rows)


@pytest.mark.parametrize(
    ("rows", "unfinished"),
    [
        ([("2026-10", 120.0), ("2026-11", 30.0)], ["2026-11"]),
        ([("2026-11", 30.0), ("2026-12", 40.0)], ["2026-11", "2026-12"]),
        ([("2026-12", 30.0), ("2027-01", 40.0)], ["2027-01"]),
    ],
)
def test_fewer_than_two_finished_periods_have_no_change_and_no_lowest(rows: list[Any], unfinished: list[str]) -> None:
    facts = facts_of("month", rows)
    assert not of_kind(facts, "change") + of_kind(facts, "bottom")
    assert [fact.label for fact in of_kind(facts, "unfinished")] == unfinished
    assert all("From" not in told("month", rows, language) for language in ("en", "zh"))


@pytest.mark.parametrize(
    ("language", "now", "later"),
    [
        ("en", "November 2026 is not over: 30 so far", "December 2026 has not begun"),
        ("zh", "2026年11月尚未结束，目前为30", "2026年12月尚未开始"),
    ],
)
def test_a_period_ahead_is_told_apart_from_the_one_that_runs(language: str, now: str, later: str) -> None:
    rows = [*series(MONTHS), ("2026-12", 0.0)]
    text = told("month", rows, language)
    assert now in text
    assert later in text
    assert of_kind(facts_of("month", rows), "change") == of_kind(facts_of("month", rows[:3], None), "change")


def test_an_unfinished_period_may_be_the_highest_but_not_the_lowest() -> None:
    highest = facts_of("month", series(MONTHS, [100.0, 150.0, 120.0, 500.0]))
    assert [fact.label for fact in of_kind(highest, "top") + of_kind(highest, "bottom")] == ["2026-11", "2026-08"]
    lowest = facts_of("month", series(MONTHS))
    assert [fact.label for fact in of_kind(lowest, "top") + of_kind(lowest, "bottom")] == ["2026-09", "2026-08"]


def test_equal_finished_periods_have_no_lowest() -> None:
    assert not of_kind(facts_of("month", series(MONTHS, [100.0, 100.0, 100.0, 30.0])), "bottom")


def test_the_order_of_the_rows_does_not_matter_to_the_lowest() -> None:
    rows = sorted(series(MONTHS), key=lambda row: row[1])
    assert [fact.label for fact in of_kind(facts_of("month", rows), "bottom")] == ["2026-08"]


@pytest.mark.parametrize(("last", "among"), [(30.0, True), (110.0, False)])
def test_the_lowest_says_when_an_unfinished_period_is_lower(last: float, among: bool) -> None:
    facts = compute_facts(columns("month", "price"), series(MONTHS, [100.0, 150.0, 120.0, last]), today=TODAY)
    lowest = of_kind(facts, "bottom")[0]
    assert (lowest.label, lowest.detail.get("finished_only", False)) == ("2026-08", among)


def test_an_unfinished_period_is_no_outlier() -> None:
    rows = [(f"2026-{month:02}", 100.0 + month % 3) for month in range(1, 11)] + [("2026-11", 2.0)]
    assert of_kind(facts_of("month", rows, None), "outlier")
    assert not of_kind(facts_of("month", rows), "outlier")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "November 2026 is not over: revenue 30, orders 3 so far."),
        ("zh", "2026年11月尚未结束，目前revenue为30、orders为3。"),
    ],
)
def test_several_measures_share_one_sentence(language: str, expected: str) -> None:
    cols, rows = columns("month", "revenue", "orders"), [("2026-09", 90, 9), ("2026-10", 80, 8), ("2026-11", 30, 3)]
    text = explain_result("?", compute_facts(cols, rows, today=TODAY), cols, rows, language=language)
    assert text.count(expected) == 1


def test_a_period_without_a_number_is_not_spoken_of() -> None:
    rows = [("2026-09", 90), ("2026-10", 80), ("2026-11", None)]
    assert not of_kind(facts_of("month", rows), "unfinished")


@pytest.mark.parametrize(("name", "labels", "en", "zh"), NOT_OVER)
def test_the_facts_alone_hold_every_number_of_the_sentence(name: str, labels: list[Any], en: str, zh: str) -> None:
    facts = of_kind(facts_of(name, series(labels, NUMBERS[-len(labels) :])), "unfinished")
    for sentence in (f"{en} is not over: 30 so far.", f"{zh}尚未结束，目前为30。"):
        assert drop_unknown_numbers(sentence, facts, []) == (sentence, [])


@settings(max_examples=100, deadline=None)
@given(
    days=st.lists(st.dates(), min_size=2, max_size=12, unique=True).map(sorted),
    today=st.dates(),
    name=st.sampled_from(["date", "day", "week", "week_end", "month", "quarter", "year", "日期", "月份"]),
    language=st.sampled_from(["en", "zh"]),
)
def test_any_dates_make_checked_prose(days: list[Day], today: Day, name: str, language: str) -> None:
    rows = [(day, float(index)) for index, day in enumerate(days)]
    facts = facts_of(name, rows, today)
    known = known_numbers(facts, rows)
    assert all(is_known(number, known) for number in quoted_numbers(told(name, rows, language, today)))
