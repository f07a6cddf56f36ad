"""What the regression guard calls worse, on given numbers; nothing is timed here."""

from pathlib import Path

import pytest
from benchmarks import quick
from benchmarks.machine import facts, keep
from benchmarks.quick import (
    MEASURES,
    TOLERANCE,
    Figure,
    better,
    compared,
    is_worse,
    measure_of,
    merged,
    missing,
    stored,
    told,
)


@pytest.mark.parametrize(
    ("kind", "before", "now", "worse"),
    [
        ("time", 2.0, 2.69, False),
        ("time", 2.0, 2.71, True),
        ("time", 2.0, 0.5, False),
        ("count", 2.0, 2.2, False),
        ("count", 2.0, 2.3, True),
        ("count", 0.0, 0.0, False),
        ("count", 0.0, 1.0, True),
        ("share", 0.95, 0.91, False),
        ("share", 0.95, 0.90, True),
        ("share", 0.95, 1.0, False),
    ],
)
def test_a_figure_is_worse_beyond_the_tolerance_of_its_kind(kind: str, before: float, now: float, worse: bool) -> None:
    assert is_worse(Figure("guard: x", now, kind), before) is worse


def test_a_figure_that_was_not_stored_cannot_be_worse() -> None:
    (row,) = compared([], [Figure("guard: new", 99, "time")])
    assert row.before is None
    assert not row.worse


def test_what_got_worse_is_named() -> None:
    before = [Figure("graph: a", 1.0, "time"), Figure("linking: b", 1.0, "share"), Figure("l1: c", 1.0, "time")]
    now = [Figure("graph: a", 2.0, "time"), Figure("linking: b", 0.5, "share"), Figure("l1: c", 1.1, "time")]
    text = told(compared(before, now), [], {"embedded": "no weights"})
    assert [line for line in text.splitlines() if line.startswith("worse: ")] == [
        "worse: graph: a",
        "worse: linking: b",
    ]
    assert "left out: embedded: no weights" in text
    assert "nothing got worse" in told(compared(before, before), [], {})


def test_a_stored_figure_that_is_gone_is_named_only_if_its_measure_ran() -> None:
    before = [Figure("graph: a", 1.0, "time"), Figure("l1: c", 1.0, "time")]
    assert missing(before, [], ["graph"]) == ["graph: a"]
    assert "not measured any more: graph: a" in told([], ["graph: a"], {})


def test_of_two_measurements_the_better_counts() -> None:
    first = [Figure("a: x", 2.0, "time"), Figure("a: y", 0.8, "share"), Figure("a: z", 1.0, "time")]
    second = [Figure("a: x", 1.5, "time"), Figure("a: y", 0.9, "share")]
    assert [figure.value for figure in better(first, second)] == [1.5, 0.9, 1.0]


def test_a_time_that_looks_worse_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([3.0, 1.0, 1.1])
    monkeypatch.setattr(quick, "measured", lambda name: [Figure(f"{name}: x", next(taken), "time")])
    before = [Figure("graph: x", 1.0, "time"), Figure("l1: x", 1.0, "time")]
    found, skipped = quick.run(["graph", "l1"], before)
    assert [figure.value for figure in found] == [1.0, 1.1]
    assert skipped == {}


def test_a_run_is_stored_and_read_back_with_what_it_did_not_measure(tmp_path: Path) -> None:
    before = [Figure("graph: a", 1.0, "time"), Figure("graph: old", 1.0, "time"), Figure("l1: c", 1.0, "time")]
    whole = merged(before, [Figure("graph: a", 2.0, "time")])
    assert whole == [Figure("l1: c", 1.0, "time"), Figure("graph: a", 2.0, "time")]
    path = tmp_path / "results" / "quick.json"
    keep(path, "quick", facts(), {}, rows=[vars(figure) for figure in whole])
    assert stored(path) == whole
    assert stored(tmp_path / "none.json") == []


def test_the_stored_run_has_figures_of_known_measures_and_kinds() -> None:
    figures = stored(quick.STORED)
    assert {measure_of(figure) for figure in figures} <= set(MEASURES)
    assert {figure.kind for figure in figures} <= set(TOLERANCE)
