"""Days kept as numbers or text are known by their samples, and are spelled and read back as they are kept."""

from pathlib import Path

import pytest
import yaml

from inquery.sql.catalog import Column
from inquery.sql.stored_dates import SEPARATED, Kind, StoredDate, stored_date

CASES = yaml.safe_load((Path(__file__).parent / "stored_dates.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']} {case['kind']}")
def test_what_a_column_keeps_is_told_by_its_samples(case: dict) -> None:
    column = Column(
        case["name"], case["type"], comment=case.get("comment", ""), samples=tuple(map(str, case["samples"]))
    )
    expected = StoredDate(case["kind"], case.get("text", False)) if case["kind"] else None
    assert stored_date(column) == expected


@pytest.mark.parametrize(
    ("kind", "text", "start", "end"),
    [
        ("day", False, 20250101, 20260101),
        ("day", True, "20250101", "20260101"),
        ("month", False, 202501, 202601),
        ("iso_month", True, "2025-01", "2026-01"),
        ("seconds", False, 1735689600, 1767225600),
        ("millis", False, 1735689600000, 1767225600000),
        ("moment", True, "20250101", "20260101"),
        ("moment", False, 20250101000000, 20260101000000),
        ("slashed", True, "2025/01/01", "2026/01/01"),
        ("dotted", True, "2025.01.01", "2026.01.01"),
        ("slashed_month", True, "2025/01", "2026/01"),
    ],
)
def test_a_year_has_its_borders_as_they_are_kept(kind: Kind, text: bool, start: object, end: object) -> None:
    stored = StoredDate(kind, text)
    assert (stored.border("2025-01-01"), stored.after("2026-01-01")) == (start, end)


@pytest.mark.parametrize(
    "kind", ["day", "month", "iso_month", "slashed", "dotted", "slashed_month", "seconds", "millis"]
)
def test_a_border_read_back_begins_on_its_day(kind: Kind) -> None:
    stored = StoredDate(kind, text=kind == "iso_month" or kind in SEPARATED)
    period = stored.period(str(stored.border("2024-03-01")))
    assert period is not None
    assert period[0] == "2024-03-01"


def test_a_month_that_is_cut_is_kept_whole() -> None:
    assert StoredDate("month", text=False).after("2025-06-16") == 202507


def test_a_moment_within_a_day_is_no_period() -> None:
    assert StoredDate("seconds", text=False).period("1735689601") is None
    assert StoredDate("moment", text=True).period("20250101120000") is None
    assert StoredDate("day", text=False).period("20250230") is None
    assert StoredDate("slashed", text=True).period("2025/01/01 12:00") is None


def test_a_period_left_open_ends_with_time_itself() -> None:
    assert StoredDate("month", False).after("9999-12-31") == 999912
    assert StoredDate("iso_month", True).after("9999-12-31") == "9999-12"
