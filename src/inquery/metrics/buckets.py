"""The labels of calendar buckets, as every dialect's templates write them."""

from __future__ import annotations

import datetime

from inquery.language.dates import add_months

MONTHS = {"month": 1, "quarter": 3, "year": 12}


def bucket_starts(unit: str, day: datetime.date) -> datetime.date:
    """The first day of the bucket that holds a day; weeks begin on Monday, as the dialects' templates have it."""
    if unit == "day":
        return day
    if unit == "week":
        return day - datetime.timedelta(day.weekday())
    size = MONTHS[unit]
    return datetime.date(day.year, (day.month - 1) // size * size + 1, 1)


def label_of(unit: str, day: datetime.date) -> str:
    """What a bucket is called: 2025, 2025-Q3, 2025-07, the Monday of a week, a day."""
    start = bucket_starts(unit, day)
    if unit == "year":
        return f"{start.year:04d}"
    if unit == "quarter":
        return f"{start.year:04d}-Q{(start.month + 2) // 3}"
    return start.isoformat()[:7] if unit == "month" else start.isoformat()


def bucket_labels(unit: str, start: datetime.date, end: datetime.date) -> list[str]:
    """Every bucket with a day from `start` up to, not including, `end`."""
    found: list[str] = []
    day = bucket_starts(unit, start)
    while day < end and len(found) <= 400:
        found.append(label_of(unit, day))
        day = (
            day + datetime.timedelta(7 if unit == "week" else 1)
            if unit in ("day", "week")
            else add_months(day, MONTHS[unit])
        )
    return found
