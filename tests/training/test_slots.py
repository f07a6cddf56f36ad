"""Periods of a form become the slots that code reads from the question."""

import pytest
from tests.unit.form.shop import NAMES
from training.slots import FIRST, LAST, slotted

from inquery.form.ast import Literal
from inquery.form.printing import write
from inquery.form.reader import read_form

YEAR = ("2024-01-01", "2025-01-01")
SHOW = "from orders show count where"


def written(form: str, *spans: tuple[str, str]) -> str | None:
    """The form with its periods as slots of a question that says these spans."""
    periods = {f"t{i}": Literal(span, "period") for i, span in enumerate(spans)}
    made = slotted(read_form(form, NAMES), periods)
    return None if made is None else write(made, NAMES)


@pytest.mark.parametrize(
    ("condition", "span", "expected"),
    [
        ("in 2024-01-01..2025-01-01", YEAR, "in t0"),
        ("= 2024-01-01..2025-01-01", YEAR, "in t0"),
        (">= 2024-01-01..2025-01-01", YEAR, ">= t0"),
        (">= 2024-01-01..2025-01-01", ("2024-01-01", LAST), "in t0"),
        ("> 2024-01-01..2025-01-01", ("2025-01-01", LAST), "in t0"),
        ("< 2024-01-01..2025-01-01", (FIRST, "2024-01-01"), "in t0"),
        ("<= 2024-01-01..2025-01-01", (FIRST, "2025-01-01"), "in t0"),
        ("<= 2024-01-01..2025-01-01", YEAR, "<= t0"),
        ("= 2024-05-01..2024-05-02", ("2024-05-01", "2024-06-01"), "in t0"),  # a column of months
        ("in 2024-01-01..2024-12-02", YEAR, "in t0"),
    ],
)
def test_a_comparison_with_a_period_becomes_one_with_its_slot(
    condition: str, span: tuple[str, str], expected: str
) -> None:
    assert written(f"{SHOW} orders.ordered_at {condition}", span) == f"{SHOW} orders.ordered_at {expected}"


def test_two_bounds_of_one_column_are_one_period() -> None:
    bounds = "orders.ordered_at >= 2024-01-01..2024-01-02 and orders.ordered_at < 2025-01-01..2025-01-02"
    assert written(f"{SHOW} {bounds}", YEAR) == f"{SHOW} orders.ordered_at in t0"
    other = f"{SHOW} orders.status = 'paid' and {bounds}"
    assert written(other, YEAR) == f"{SHOW} orders.status = 'paid' and orders.ordered_at in t0"


def test_bounds_of_two_columns_stay_two() -> None:
    form = f"{SHOW} orders.ordered_at >= 2024-01-01..2024-01-02 and orders.paid_at < 2025-01-01..2025-01-02"
    assert written(form, YEAR) == f"{SHOW} orders.ordered_at >= t0 and orders.paid_at <= t0"


def test_each_period_finds_its_own_slot() -> None:
    later = ("2025-01-01", "2026-01-01")
    form = "from orders show count ( if orders.ordered_at in 2025-01-01..2026-01-01 ) , count ( if orders.ordered_at in 2024-01-01..2025-01-01 )"
    made = written(form, YEAR, later)
    assert made == "from orders show count ( if orders.ordered_at in t1 ) , count ( if orders.ordered_at in t0 )"


def test_a_period_that_the_question_does_not_say_drops_the_form() -> None:
    assert written(f"{SHOW} orders.ordered_at in 2023-01-01..2024-01-01", YEAR) is None
    assert written(f"{SHOW} orders.ordered_at in 2024-01-01..2025-01-01") is None


def test_a_form_without_periods_is_left_alone() -> None:
    form = "from customers show customers.name where customers.country = 'France'"
    assert written(form, YEAR) == form
