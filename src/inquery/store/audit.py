"""The audit log: who did what, when, to which database, and how it went. It grows, and is pruned by age alone."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select

from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import audit, audit_prunings

BATCH = 500


@dataclass(frozen=True, slots=True)
class Deed:
    """One deed; `sql` is kept only where the settings say so, its hash always."""

    action: str
    user_id: str = ""
    user_name: str = ""
    address: str = ""
    target: str = ""
    connection_id: str = ""
    outcome: str = "ok"
    sql: str | None = None
    sql_hash: str = ""
    rows: int | None = None
    ms: float | None = None
    at: datetime.datetime = field(default_factory=utc_now)
    id: int = 0


class Audit:
    """The log of a store; `keep_sql` decides whether statements are kept in words."""

    def __init__(self, store: Store, *, keep_sql: bool = True) -> None:
        self.store = store
        self.keep_sql = keep_sql

    def append(self, entries: Sequence[Deed]) -> None:
        """Write entries in one transaction."""
        if entries:
            with self.store.write() as connection:
                connection.execute(insert(audit), [self._row(entry) for entry in entries])

    def _row(self, entry: Deed) -> dict[str, Any]:
        row = asdict(entry)
        del row["id"]
        if entry.sql:
            row["sql_hash"] = hashlib.sha256(entry.sql.encode("utf-8", "surrogatepass")).hexdigest()
        if not self.keep_sql:
            row["sql"] = None
        lengths = {"user_name": 100, "address": 64, "target": 200, "connection_id": 200, "action": 80, "outcome": 60}
        return row | {name: str(row[name])[:longest] for name, longest in lengths.items()}

    def prune(self, before: datetime.datetime) -> int:
        """Remove entries older than a moment, and keep an entry of having done so; returns how many there were.

        The database lets go of nothing that is not older than what a row of `audit_prunings` says, and those stay.
        """
        with self.store.write() as connection:
            old = audit.c.at < before
            count = connection.execute(select(func.count()).where(old)).scalar() or 0
            if count:
                connection.execute(insert(audit_prunings).values(at=utc_now(), before=before, entries=count))
                connection.execute(delete(audit).where(old))
                told = Deed("audit.prune", target=f"before {before.isoformat(timespec='seconds')}", rows=count)
                connection.execute(insert(audit), [self._row(told)])
        return count

    def page(
        self,
        *,
        before: int | None = None,
        limit: int = 100,
        user_id: str = "",
        action: str = "",
        connection_id: str = "",
        outcome: str = "",
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
    ) -> list[Deed]:
        """Entries newest first, those older than the id `before`."""
        equal = {"user_id": user_id, "action": action, "connection_id": connection_id, "outcome": outcome}
        wanted = _bounded(select(audit), since, until).order_by(audit.c.id.desc()).limit(limit)
        for name, value in equal.items():
            if value:
                wanted = wanted.where(audit.c[name] == value)
        if before is not None:
            wanted = wanted.where(audit.c.id < before)
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def all(self, **filters: Any) -> Iterator[Deed]:
        """Every entry that fits, newest first, a few hundred at a time."""
        before: int | None = None
        while batch := self.page(before=before, limit=BATCH, **filters):
            yield from batch
            before = batch[-1].id


def _bounded(wanted: Select[Any], since: datetime.datetime | None, until: datetime.datetime | None) -> Select[Any]:
    if since is not None:
        wanted = wanted.where(audit.c.at >= since)
    return wanted if until is None else wanted.where(audit.c.at < until)


def _made(row: Row[Any]) -> Deed:
    return Deed(**{name: getattr(row, name) for name in Deed.__dataclass_fields__})
