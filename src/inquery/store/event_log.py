"""The events of runs, numbered, so that a stream that broke off can be taken up where it ended."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import events

LoggedEvent = Mapping[str, Any]
"""An event as a stream sends it, with its `seq` and `type`."""
LAST = ("done", "error")
CLAIM = "claim"
"""Event 0 of a run that was asked for under a key: no stream sends it."""
TURN = "turn"
MOVED = "moved"
"""An entry of a thread that is no run's: from here on another way is shown (`inquery.store.paths`)."""


class EventLog:
    """Events by run and sequence number; the content is what a stream sends."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def append(self, thread_id: str, run_id: str, batch: Sequence[LoggedEvent]) -> None:
        """Keep events that have their `seq` and `type`; one that is kept already stays as it is."""
        self.append_all({(thread_id, run_id): batch})

    def append_all(self, runs: Mapping[tuple[str, str], Sequence[LoggedEvent]]) -> None:
        """The same for several runs, each by its thread and id, in one transaction."""
        if not any(runs.values()):
            return
        now, rows = utc_now(), []
        with self.store.write() as connection:
            for (thread_id, run_id), batch in runs.items():
                last = connection.execute(select(func.max(events.c.seq)).where(events.c.run_id == run_id)).scalar()
                rows += [
                    {
                        "run_id": run_id,
                        "seq": e["seq"],
                        "thread_id": thread_id,
                        "type": e["type"],
                        "content": dict(e),
                        "at": now,
                    }
                    for e in batch
                    if last is None or e["seq"] > last
                ]
            if rows:
                connection.execute(insert(events), rows)

    def claim(self, thread_id: str, run_id: str, mark: str) -> str | None:
        """Be the first to start a run; None to the first, to all others the mark that the first one left."""
        content = {"seq": 0, "type": CLAIM, "mark": mark}
        row = {"run_id": run_id, "seq": 0, "thread_id": thread_id, "type": CLAIM, "content": content}
        try:
            with self.store.write() as connection:
                connection.execute(insert(events).values(row | {"at": utc_now()}))
        except IntegrityError:
            return str(self.read(run_id)[0].get("mark", ""))
        return None

    def thread_of(self, run_id: str) -> str:
        """The thread of a run, empty where the run is unknown."""
        wanted = select(events.c.thread_id).where(events.c.run_id == run_id).limit(1)
        with self.store.read() as connection:
            return connection.execute(wanted).scalar() or ""

    def read(self, run_id: str, *, after: int = -1, limit: int = 10_000) -> list[dict[str, Any]]:
        """The events of a run behind a sequence number, in order."""
        wanted = select(events.c.content).where(events.c.run_id == run_id, events.c.seq > after)
        with self.store.read() as connection:
            return list(connection.execute(wanted.order_by(events.c.seq).limit(limit)).scalars())

    def ended(self, run_id: str) -> bool:
        """Whether the run has sent its last event."""
        wanted = select(func.count()).where(events.c.run_id == run_id, events.c.type.in_(LAST))
        with self.store.read() as connection:
            return bool(connection.execute(wanted).scalar())

    def runs(self, thread_id: str) -> list[str]:
        """The runs of a thread, oldest first."""
        first = func.min(events.c.at)
        known = select(events.c.run_id).where(events.c.thread_id == thread_id, events.c.type != MOVED)
        wanted = known.group_by(events.c.run_id).order_by(first)
        with self.store.read() as connection:
            return list(connection.execute(wanted).scalars())

    def last_question(self, thread_id: str) -> str:
        """The question that began the last turn of a thread; empty where none was kept."""
        wanted = select(events.c.content).where(events.c.thread_id == thread_id, events.c.type == TURN)
        with self.store.read() as connection:
            found = connection.execute(wanted.order_by(events.c.at.desc()).limit(1)).scalar()
        return str(found["question"]) if found else ""

    def delete_thread(self, thread_id: str) -> int:
        """Forget every event of a thread; returns how many there were."""
        with self.store.write() as connection:
            return connection.execute(delete(events).where(events.c.thread_id == thread_id)).rowcount

    def delete_older(self, moment: datetime.datetime) -> int:
        """Forget what is older than a moment: a log serves streams, not history."""
        with self.store.write() as connection:
            return connection.execute(delete(events).where(events.c.at < moment)).rowcount
