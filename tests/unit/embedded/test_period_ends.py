"""What happened in 2025 ends with 2025, though the model wrote where it begins alone."""

import pytest

from inquery.form.ast import Literal
from inquery.form.name_words import NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.llm.embedded.period_ends import kept_to_their_ends
from inquery.sql import Column, Table

SALES = Table(("sales",), (Column("id", "INTEGER", primary_key=True), Column("day", "TEXT"), Column("amount", "REAL")))
NAMES = NameMap((SALES,), lower=True)
SLOTS = {
    "t0": Literal(("2025-01-01", "2026-01-01"), "period"),
    "t1": Literal(("2026-01-01", "2027-01-01"), "period"),
    "t2": Literal(("2024-03-01", "9999-12-31"), "period"),
}
OPEN = "from sales show count where sales.day >= t0"


def kept(form: str, question: str, *said: tuple[str, str]) -> str:
    return write(kept_to_their_ends(read_form(form, NAMES), question, SLOTS, said), NAMES)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many sales were there in 2025?", "2025"),
        ("2025 sales by channel", "2025"),
        ("2025年有多少笔销售？", "2025年"),
        ("How many of 2025's sales were large?", "2025"),
    ],
)
def test_a_period_that_is_named_whole_is_kept_to_its_end(question: str, words: str) -> None:
    assert kept(OPEN, question, ("t0", words)) == OPEN.replace(">=", "in")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Sales for each year from 2025", "2025"),
        ("Sales since the year of 2025 on", "2025"),
        ("Sales in 2025 or later", "2025"),
        ("2025年起每年的销售", "2025年"),
        ("从2025年每年的销售", "2025年"),
        ("2025年以后的销售", "2025年"),
    ],
)
def test_what_goes_on_stays_open(question: str, words: str) -> None:
    assert kept(OPEN, question, ("t0", words)) == OPEN


def test_a_range_of_two_periods_and_one_that_is_open_by_itself_stay() -> None:
    both = "from sales show count where sales.day >= t0 and sales.day <= t1"
    assert kept(both, "sales in 2025 and 2026", ("t0", "2025"), ("t1", "2026")) == both
    since = "from sales show count where sales.day >= t2"
    assert kept(since, "sales since March 2024", ("t2", "since March 2024")) == since


def test_parts_of_a_sum_are_kept_too() -> None:
    parts = "from sales show count ( if sales.day >= t0 ) , count ( if sales.day >= t1 )"
    made = kept(parts, "sales in 2025 against those in 2026", ("t0", "2025"), ("t1", "2026"))
    assert made == parts.replace(">=", "in")


def test_a_year_that_a_column_keeps_as_a_number_is_that_year_alone() -> None:
    year = "from sales show count where sales.amount >= 2025 and sales.id >= 650"
    assert kept(year, "2025年650分以上的有多少", ("t0", "2025年")) == year.replace("amount >=", "amount =")
    assert kept(year, "2025年以后650分以上的有多少", ("t0", "2025年")) == year
    month = "from sales show count where sales.amount >= 2024"
    assert kept(month, "since March 2024", ("t2", "since March 2024")) == month
