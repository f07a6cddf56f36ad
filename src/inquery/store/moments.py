"""Moments in the store: written and read as UTC, with their zone, whatever the database keeps of it."""

from __future__ import annotations

import datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


def utc_now() -> datetime.datetime:
    """This moment, with its zone."""
    return datetime.datetime.now(datetime.UTC)


def as_utc(moment: datetime.datetime) -> datetime.datetime:
    """The moment in UTC; one without a zone is meant as UTC."""
    return moment.astimezone(datetime.UTC) if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)


class UtcDateTime(TypeDecorator[datetime.datetime]):
    """A moment in UTC.

    SQLite keeps the digits and drops the zone, so another zone's digits would be compared as if they were UTC's; PostgreSQL
    answers in the zone of the session.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        return None if value is None else as_utc(value)

    def process_result_value(self, value: datetime.datetime | None, dialect: Dialect) -> datetime.datetime | None:
        return None if value is None else as_utc(value)
