"""Periods in both languages; the cases are data in periods.tsv."""

from datetime import date
from pathlib import Path

import pytest

from inquery.language.period_rules import TRIGGER
from inquery.language.period_words import HOLIDAYS
from inquery.language.periods import periods_in

TODAY = date(2026, 11, 15)
LINES = (Path(__file__).parent / "periods.tsv").read_text("utf-8").splitlines()
CASES = [tuple(line.split("\t")) for line in LINES if line and not line.startswith("#")]


def shown(day: date) -> str:
    return "*" if day in {date.min, date.max} else day.isoformat()


def spans(question: str, **options: int) -> list[str]:
    return [f"{shown(p.start)}..{shown(p.end)}" for p in periods_in(question, today=TODAY, **options)]


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 120


@pytest.mark.parametrize(("question", "expected"), CASES, ids=[question for question, _ in CASES])
def test_a_period_is_resolved(question: str, expected: str) -> None:
    assert spans(question) == expected.split()


@pytest.mark.parametrize("question", [question for question, expected in CASES if expected])
def test_the_span_is_the_text(question: str) -> None:
    for period in periods_in(question, today=TODAY):
        assert question[slice(*period.span)] == period.text
        assert period.text


def test_a_week_may_begin_on_sunday() -> None:
    assert spans("this week", week_start=7) == ["2026-11-15..2026-11-22"]
    assert spans("上周", week_start=7) == ["2026-11-08..2026-11-15"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("FY2025", "2024-04-01..2025-04-01"),
        ("this fiscal year", "2026-04-01..2027-04-01"),
        ("last fiscal year", "2025-04-01..2026-04-01"),
        ("上财年", "2025-04-01..2026-04-01"),
        ("2025财年", "2024-04-01..2025-04-01"),
        ("FY25-Q2", "2024-07-01..2024-10-01"),
        ("this fiscal quarter", "2026-10-01..2027-01-01"),
    ],
)
def test_a_fiscal_year_begins_where_the_connection_says(question: str, expected: str) -> None:
    assert spans(question, fiscal_start=4) == [expected]


def test_relative_words_cross_the_year() -> None:
    found = periods_in("last month and last quarter", today=date(2026, 1, 31))
    assert [(p.start, p.end) for p in found] == [
        (date(2025, 12, 1), date(2026, 1, 1)),
        (date(2025, 10, 1), date(2026, 1, 1)),
    ]


def test_a_leap_day_said_in_a_common_year_is_the_latest_one() -> None:
    assert [p.start for p in periods_in("2月29日", today=TODAY)] == [date(2024, 2, 29)]


@pytest.mark.parametrize("question", ["2025-02-30", "February 30, 2025", "13月", "99月99日"])
def test_days_that_do_not_exist_are_no_periods(question: str) -> None:
    assert all(p.grain != "day" for p in periods_in(question, today=TODAY))


@pytest.mark.parametrize(
    ("question", "grain"),
    [
        ("last month", "month"),
        ("近7天", "day"),
        ("2024年", "year"),
        ("Q3", "quarter"),
        ("上半年", "half"),
        ("上周", "week"),
    ],
)
def test_the_grain_is_the_unit_said(question: str, grain: str) -> None:
    assert [p.grain for p in periods_in(question, today=TODAY)] == [grain]


@pytest.mark.parametrize(
    "question", ["last 999 years", "未来999年", "", "？", "9999年", "0年0月0日", "last 100 weeks " * 40]
)
def test_odd_input_does_not_fail(question: str) -> None:
    assert isinstance(periods_in(question, today=TODAY), list)


@pytest.mark.parametrize("holiday", HOLIDAYS)
def test_every_holiday_is_looked_for(holiday: str) -> None:
    assert TRIGGER.search(holiday), "a piece of it must stand in TRIGGER, else no rule is tried"
