"""When reports are filled by themselves: kept with their target encrypted, and claimed by one worker at a time."""

from __future__ import annotations

import builtins
import datetime
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Row, delete, insert, select, update

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.tables import report_schedules as schedules

_WHAT = Text("schedule", "计划")
Next = Callable[["StoredSchedule", datetime.datetime], datetime.datetime]


@dataclass(frozen=True, slots=True)
class StoredSchedule:
    """One schedule; `target` is a folder or an address and may hold a secret."""

    id: str
    report_id: str
    owner: str
    cron: str
    timezone: str
    content: dict[str, Any]
    target: SecretStr
    enabled: bool
    next_at: datetime.datetime
    last_run: str
    last_outcome: str


class Schedules:
    """The schedules of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(
        self,
        report_id: str,
        owner: str,
        cron: str,
        timezone: str,
        next_at: datetime.datetime,
        content: Mapping[str, Any],
        target: str,
    ) -> StoredSchedule:
        """Keep a new schedule."""
        row: dict[str, Any] = {
            "id": secrets.token_hex(16),
            "report_id": report_id,
            "owner": owner,
            "cron": cron,
            "timezone": timezone,
            "content": dict(content),
            "enabled": True,
            "next_at": next_at,
            "last_run": "",
            "last_outcome": "",
        }
        kept = {"target_encrypted": self.store.keyring.encrypt(target), "lease_holder": "", "lease_until": 0}
        with self.store.write() as connection:
            connection.execute(insert(schedules).values(row | kept))
        return StoredSchedule(**row, target=SecretStr(target))

    def list(self, owner: str, report_id: str = "") -> builtins.list[StoredSchedule]:
        """The owner's schedules, of one report or of all."""
        wanted = select(schedules).where(schedules.c.owner == owner).order_by(schedules.c.next_at, schedules.c.id)
        if report_id:
            wanted = wanted.where(schedules.c.report_id == report_id)
        with self.store.read() as connection:
            return [self._made(row) for row in connection.execute(wanted)]

    def remove(self, owner: str, schedule_id: str) -> None:
        """Forget a schedule; raises NotFound."""
        gone = delete(schedules).where(schedules.c.id == schedule_id, schedules.c.owner == owner)
        with self.store.write() as connection:
            if connection.execute(gone).rowcount == 0:
                raise NotFound(schedule_id, what=_WHAT, name=schedule_id)

    def claim(self, now: datetime.datetime, holder: str, seconds: float, following: Next) -> StoredSchedule | None:
        """One schedule that is due, moved on to its next time; of several workers only one gets it.

        A worker that dies after claiming leaves a lease; its run is then resumed by whoever finds it, not begun twice.
        """
        due = select(schedules).where(schedules.c.enabled, schedules.c.next_at <= now).order_by(schedules.c.next_at)
        with self.store.read() as connection:
            found = [self._made(row) for row in connection.execute(due.limit(20))]
        for each in found:
            mine = update(schedules).where(
                schedules.c.id == each.id, schedules.c.next_at == each.next_at, schedules.c.lease_until < _ms()
            )
            lease = {"lease_holder": holder, "lease_until": _ms() + int(seconds * 1000)}
            with self.store.write() as connection:
                if connection.execute(mine.values(next_at=following(each, now), **lease)).rowcount == 1:
                    return each
        return None

    def finish(self, schedule_id: str, holder: str, run_id: str, outcome: str) -> None:
        """Say what became of a claimed schedule, and let it go."""
        mine = update(schedules).where(schedules.c.id == schedule_id, schedules.c.lease_holder == holder)
        done = {"last_run": run_id, "last_outcome": outcome[:500], "lease_holder": "", "lease_until": 0}
        with self.store.write() as connection:
            connection.execute(mine.values(done))

    def _made(self, row: Row[Any]) -> StoredSchedule:
        return StoredSchedule(
            row.id, row.report_id, row.owner, row.cron, row.timezone, dict(row.content),
            self.store.keyring.decrypt(row.target_encrypted), row.enabled, row.next_at, row.last_run, row.last_outcome,
        )  # fmt: skip


def _ms() -> int:
    return int(time.time() * 1000)
