"""Thumbs of people for answers, with what was wrong; one for each run, gone with its conversation."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import Row, delete, insert, select, update

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import thumbs

Verdict = Literal["up", "down"]
MOST = 200
_WHAT = Text("feedback", "反馈")


@dataclass(frozen=True, slots=True)
class Thumb:
    """What somebody said of an answer; `settled` when whoever looks after answers has seen to it."""

    run_id: str
    thread_id: str
    owner: str
    connection_id: str
    question: str
    sql: str
    verdict: Verdict
    reason: str
    note: str
    settled: bool
    at: datetime.datetime


class ThumbRows:
    """The thumbs of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(
        self,
        run_id: str,
        thread_id: str,
        owner: str,
        connection_id: str,
        *,
        question: str,
        sql: str,
        verdict: Verdict,
        reason: str = "",
        note: str = "",
    ) -> Thumb:
        """Keep a thumb in place of the one that the run had."""
        made = Thumb(
            run_id, thread_id, owner, connection_id, question, sql, verdict, reason, note, settled=False, at=utc_now()
        )
        with self.store.write() as connection:
            connection.execute(delete(thumbs).where(thumbs.c.run_id == run_id))
            connection.execute(insert(thumbs).values(**asdict(made)))
        return made

    def remove(self, run_id: str) -> None:
        """Take a thumb back."""
        with self.store.write() as connection:
            connection.execute(delete(thumbs).where(thumbs.c.run_id == run_id))

    def of_thread(self, thread_id: str) -> dict[str, Verdict]:
        """The verdicts of a conversation by run."""
        wanted = select(thumbs.c.run_id, thumbs.c.verdict).where(thumbs.c.thread_id == thread_id)
        with self.store.read() as connection:
            return {row.run_id: row.verdict for row in connection.execute(wanted)}

    def waiting(self, connection_id: str) -> list[Thumb]:
        """Answers about a database that somebody called wrong and nobody has seen to, the last first."""
        wanted = (
            select(thumbs)
            .where(thumbs.c.connection_id == connection_id, thumbs.c.verdict == "down", ~thumbs.c.settled)
            .order_by(thumbs.c.at.desc())
            .limit(MOST)
        )
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def settle(self, run_id: str) -> Thumb:
        """Take a wrong answer off the queue; raises NotFound."""
        with self.store.write() as connection:
            connection.execute(update(thumbs).where(thumbs.c.run_id == run_id).values(settled=True))
            found = connection.execute(select(thumbs).where(thumbs.c.run_id == run_id)).first()
        if found is None:
            raise NotFound(run_id, what=_WHAT, name="…")
        return _made(found)

    def delete_thread(self, thread_id: str) -> None:
        """Forget the thumbs of a conversation."""
        with self.store.write() as connection:
            connection.execute(delete(thumbs).where(thumbs.c.thread_id == thread_id))

    def remove_connection(self, connection_id: str) -> None:
        """Forget the thumbs of a database that is no more."""
        with self.store.write() as connection:
            connection.execute(delete(thumbs).where(thumbs.c.connection_id == connection_id))


def _made(row: Row[Any]) -> Thumb:
    return Thumb(**row._mapping)
