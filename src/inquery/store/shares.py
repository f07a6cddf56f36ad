"""Shared threads: a link that nobody can guess, to a conversation of somebody else."""

from __future__ import annotations

import datetime
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, insert, select

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import shares

_WHAT = Text("shared conversation", "共享的对话")


@dataclass(frozen=True, slots=True)
class Share:
    """A link to a thread; who follows it sees what was read under rights like their own."""

    id: str
    thread_id: str
    owner: str
    created: datetime.datetime


class Shares:
    """The links of a store; a thread has at most one."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, thread_id: str, owner: str) -> Share:
        """A link to a thread, the same one while it is shared."""
        known = self.of_thread(thread_id)
        if known is not None:
            return known
        now = utc_now()
        made = Share(secrets.token_urlsafe(24), thread_id, owner, now)
        row = {name: getattr(made, name) for name in Share.__dataclass_fields__}
        with self.store.write() as connection:
            connection.execute(delete(shares).where(shares.c.thread_id == thread_id))
            connection.execute(insert(shares).values(row))
        return made

    def get(self, share_id: str) -> Share:
        """What a link leads to; raises NotFound."""
        with self.store.read() as connection:
            found = connection.execute(select(shares).where(shares.c.id == share_id)).first()
        if found is None:
            raise NotFound(share_id, what=_WHAT, name=share_id[:100])
        return _made(found)

    def of_thread(self, thread_id: str) -> Share | None:
        """The link of a thread, if it has one."""
        with self.store.read() as connection:
            found = connection.execute(select(shares).where(shares.c.thread_id == thread_id)).first()
        return _made(found) if found else None

    def remove_thread(self, thread_id: str) -> None:
        """Share no longer."""
        with self.store.write() as connection:
            connection.execute(delete(shares).where(shares.c.thread_id == thread_id))


def _made(row: Row[Any]) -> Share:
    return Share(row.id, row.thread_id, row.owner, row.created)
