"""Two results that tell the same are no two readings, however they are written."""

import datetime
from decimal import Decimal

import pytest

from inquery.agents.truth.same_results import tell_same
from inquery.databases.engine import Result

MONTHS = [("2026-01", 0.0155), ("2026-02", 0.0555), ("2026-03", 0.025)]
AGENTS = [("Jane", "Peacock", 21), ("Margaret", "Park", 20), ("Steve", "Johnson", 18)]


def result(rows: list[tuple[object, ...]], truncated: str | None = None) -> Result:
    return Result("", (), rows, len(rows), truncated, 0.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MONTHS, [("2026/1/1", 0.0155), ("2026/2/1", 0.0555), ("2026/3/1", 0.025)]),
        (MONTHS, [("2026年1月", 0.0155), ("2026年2月", 0.0555), ("2026年3月", 0.025)]),
        (MONTHS, [(datetime.date(2026, month, 1), value) for month, (_, value) in enumerate(MONTHS, 1)]),
        (MONTHS, [("2026-03-01 00:00:00", 0.02500000001), ("2026-01-01 00:00:00", 0.0155), ("2026-02-01", 0.0555)]),
        ([("2025", 3), ("2026", 4)], [(2025, 3.0), (2026, Decimal("4.00"))]),
        ([("01", "1,200.5")], [(1, 1200.5)]),
        (AGENTS, [(first, last, f"{first}@shop.example".lower(), n) for first, last, n in AGENTS]),
        (AGENTS, [("Sales Support Agent", n) for _, _, n in AGENTS]),
        ([(n, last) for _, last, n in AGENTS], AGENTS),
        ([(1, 1, "a"), (1, 2, "b")], [(1, "a", 1), (1, "b", 2)]),
    ],
)
def test_spelling_order_and_what_stands_beside_make_no_other_reading(one, other):
    assert tell_same(result(one), result(other))
    assert tell_same(result(other), result(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MONTHS, [("2026-01", 0.0155), ("2026-02", 0.0555), ("2026-03", 0.026)]),
        (MONTHS, MONTHS[:2]),
        (MONTHS, [("2026-01-15", 0.0155), ("2026-02-01", 0.0555), ("2026-03-01", 0.025)]),
        (AGENTS, [("Jane", "Park", 21), ("Margaret", "Peacock", 20), ("Steve", "Johnson", 18)]),
        ([(59,)], [(21,), (20,), (18,)]),
        ([("x", 1), ("y", 1)], [("x", 1), ("z", 1)]),
        ([(None, 1)], [("x", 1)]),
    ],
)
def test_other_figures_rows_or_pairs_are_another_reading(one, other):
    assert not tell_same(result(one), result(other))


def test_of_results_that_were_cut_nothing_is_known():
    assert not tell_same(result(MONTHS, "rows"), result(MONTHS, "rows"))
