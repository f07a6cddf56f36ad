"""What a user leaves behind in the store, and its end when the user goes."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, select, update

from inquery.store.database import Store
from inquery.store.reports import Reports
from inquery.store.tables import (
    model_usage,
    profiles,
    report_runs,
    report_schedules,
    report_values,
    results,
    samples,
    saved_questions,
    shares,
    threads,
    thumbs,
    usage,
)

NOBODY = ""
"""The owner of what others go on using: approved samples and analysts. Administrators look after it."""


@dataclass(frozen=True, slots=True)
class Leavings:
    """Where more of a user is kept than rows: conversations have checkpoints, and samples vectors."""

    threads: tuple[str, ...]
    samples: tuple[str, ...]
    connections: frozenset[str]


def find_leavings(store: Store, owner: str) -> Leavings:
    """The conversations and private samples of a user, and the databases that they asked."""
    own = select(threads.c.id, threads.c.connection_id).where(threads.c.owner == owner)
    private = select(samples.c.id).where(samples.c.owner == owner, ~samples.c.approved)
    with store.read() as connection:
        found = connection.execute(own).all()
        ids = tuple(connection.execute(private).scalars())
    return Leavings(tuple(row.id for row in found), ids, frozenset(row.connection_id for row in found) - {""})


def forget_rows(store: Store, owner: str) -> None:
    """Remove every row that is the user's alone; what was approved for all stays, as nobody's."""
    for report in Reports(store).list(owner):
        Reports(store).remove(owner, report.id)
    runs = select(report_runs.c.id).where(report_runs.c.owner == owner)
    with store.write() as connection:
        connection.execute(delete(report_values).where(report_values.c.run_id.in_(runs)))
        for table in (results, saved_questions, shares, report_runs, report_schedules, thumbs):
            connection.execute(delete(table).where(table.c.owner == owner))
        for table in (usage, model_usage):
            connection.execute(delete(table).where(table.c.user_id == owner))
        for table in (samples, profiles):
            connection.execute(update(table).where(table.c.owner == owner).values(owner=NOBODY))
