"""Threads of conversation: whose they are, and which run holds one at a time."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.event_log import EventLog
from inquery.store.moments import utc_now
from inquery.store.results import ResultStore
from inquery.store.tables import threads
from inquery.store.thumb_rows import ThumbRows

LONGEST_TITLE = 200
_WHAT = Text("conversation", "对话")
# Every run takes and releases a thread; building a statement anew costs as much as running it.
_BEGIN = insert(threads)
_RELEASE = (
    update(threads)
    .where(threads.c.id == bindparam("thread"), threads.c.lease_holder == bindparam("holder"))
    .values(lease_holder="", lease_until=0)
)


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation."""

    id: str
    owner: str
    connection_id: str
    title: str
    created: datetime.datetime
    changed: datetime.datetime


class Threads:
    """The conversations of a store; another owner's are as if they were not there."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def open(self, thread_id: str, owner: str, *, connection_id: str = "", title: str = "") -> Thread:
        """The thread, made where it is new; raises NotFound when the id is another owner's."""
        now = utc_now()
        row = {"id": thread_id, "owner": owner, "connection_id": connection_id, "title": title[:LONGEST_TITLE]}
        blank = {"created": now, "changed": now, "lease_holder": "", "lease_until": 0}
        try:
            with self.store.write() as connection:
                known = connection.execute(select(threads).where(threads.c.id == thread_id)).one_or_none()
                if known is None:
                    connection.execute(insert(threads).values(row | blank))
                    return Thread(**row, created=now, changed=now)
                if known.owner == owner:
                    fresh = {key: value for key, value in row.items() if value and not getattr(known, key)}
                    if connection_id:
                        fresh["connection_id"] = connection_id
                    connection.execute(update(threads).where(threads.c.id == thread_id).values(**fresh, changed=now))
        except IntegrityError:
            pass  # two processes made it at once on PostgreSQL; the one that came first is read below
        return self.get(thread_id, owner)

    def get(self, thread_id: str, owner: str) -> Thread:
        """The owner's thread; raises NotFound."""
        wanted = select(threads).where(threads.c.id == thread_id, threads.c.owner == owner)
        with self.store.read() as connection:
            row = connection.execute(wanted).one_or_none()
        if row is None:
            raise NotFound(thread_id, what=_WHAT, name=thread_id)
        return _made(row)

    def list(self, owner: str, *, limit: int = 100, offset: int = 0) -> list[Thread]:
        """The owner's threads, the last used first."""
        wanted = select(threads).where(threads.c.owner == owner).order_by(threads.c.changed.desc(), threads.c.id)
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted.limit(limit).offset(offset))]

    def rename(self, thread_id: str, owner: str, title: str) -> Thread:
        """Give a thread another title; raises NotFound."""
        self.get(thread_id, owner)
        with self.store.write() as connection:
            connection.execute(update(threads).where(threads.c.id == thread_id).values(title=title[:LONGEST_TITLE]))
        return self.get(thread_id, owner)

    def delete(self, thread_id: str, owner: str) -> None:
        """Forget a thread with its results and events; checkpoints are `inquery.memory.thread_history`'s."""
        self.get(thread_id, owner)
        ResultStore(self.store).delete_thread(thread_id)
        EventLog(self.store).delete_thread(thread_id)
        ThumbRows(self.store).delete_thread(thread_id)
        with self.store.write() as connection:
            connection.execute(delete(threads).where(threads.c.id == thread_id))

    def take(self, thread_id: str, holder: str, seconds: float) -> bool:
        """Hold the thread for a run, if nobody does or their time is up; a holder may take it again to go on."""
        now = _ms()
        free = (threads.c.lease_until < now) | (threads.c.lease_holder.in_(["", holder]))
        taken = update(threads).where(threads.c.id == thread_id, free)
        with self.store.write() as connection:
            values = {"lease_holder": holder, "lease_until": now + int(seconds * 1000)}
            return connection.execute(taken.values(values)).rowcount == 1

    def begin(
        self, thread_id: str, owner: str, holder: str, seconds: float, *, connection_id: str = "", title: str = ""
    ) -> bool:
        """Open the thread and take it, a new one in one transaction; raises NotFound as `open` does."""
        now = utc_now()
        row = {"id": thread_id, "owner": owner, "connection_id": connection_id, "title": title[:LONGEST_TITLE]}
        lease = {"lease_holder": holder, "lease_until": _ms() + int(seconds * 1000)}
        try:
            with self.store.write() as connection:
                connection.execute(_BEGIN, row | lease | {"created": now, "changed": now})
        except IntegrityError:
            self.open(thread_id, owner, connection_id=connection_id, title=title)
            return self.take(thread_id, holder, seconds)
        return True

    def release(self, thread_id: str, holder: str) -> None:
        """Let the thread go; another's hold is not touched."""
        with self.store.write() as connection:
            connection.execute(_RELEASE, {"thread": thread_id, "holder": holder})


def _made(row: Row[Any]) -> Thread:
    return Thread(row.id, row.owner, row.connection_id, row.title, row.created, row.changed)


def _ms() -> int:
    """Leases outlive processes, so the wall clock is used; workers of one store need roughly equal clocks."""
    return int(time.time() * 1000)
