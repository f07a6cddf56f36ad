"""Question–SQL pairs as rows; `inquery.knowledge.samples` finds and checks them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, or_, select, update

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import samples

_WHAT = Text("sample", "样例")


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A pair with who may use it; `problem` says why it no longer fits the schema."""

    question: str
    sql: str
    language: str = "en"
    dialect: str = ""
    owner: str = ""
    approved: bool = False
    source: str = "user"
    problem: str = ""
    checked_version: str = ""
    id: str = ""


class SampleRows:
    """The pairs of all connections."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, connection_id: str, rows: Sequence[SampleRow]) -> list[SampleRow]:
        """Keep pairs; the same question and SQL of the same owner are kept once."""
        with self.store.write() as connection:
            known = connection.execute(select(samples).where(samples.c.connection_id == connection_id)).all()
            seen = {(row.question, row.sql, row.owner): _made(row) for row in known}
            revision, made = _next(connection), []
            for row in rows:
                key = (row.question, row.sql, row.owner)
                if key not in seen:
                    fresh = {**asdict(row), "id": secrets.token_hex(16)}
                    seen[key] = SampleRow(**fresh)
                    extra = {"connection_id": connection_id, "revision": revision, "created": utc_now()}
                    connection.execute(insert(samples).values(fresh | extra))
                made.append(seen[key])
        return made

    def get(self, sample_id: str) -> tuple[str, SampleRow]:
        """The connection of a pair and the pair; raises NotFound."""
        with self.store.read() as connection:
            row = connection.execute(select(samples).where(samples.c.id == sample_id)).one_or_none()
        if row is None:
            raise NotFound(sample_id, what=_WHAT, name=sample_id)
        return row.connection_id, _made(row)

    def list(self, connection_id: str, user: str | None = None) -> list[SampleRow]:
        """The pairs of a connection, oldest first: those approved and the user's own, or all where no user is given."""
        wanted = (
            select(samples).where(samples.c.connection_id == connection_id).order_by(samples.c.created, samples.c.id)
        )
        if user is not None:
            wanted = wanted.where(or_(samples.c.approved, samples.c.owner == user))
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def change(self, sample_id: str, **fields: Any) -> SampleRow:
        """Set fields of a pair; raises NotFound."""
        with self.store.write() as connection:
            values = {**fields, "revision": _next(connection)}
            connection.execute(update(samples).where(samples.c.id == sample_id).values(values))
        return self.get(sample_id)[1]

    def remove(self, sample_id: str) -> None:
        """Forget a pair; raises NotFound."""
        self.get(sample_id)
        with self.store.write() as connection:
            connection.execute(delete(samples).where(samples.c.id == sample_id))

    def state(self, connection_id: str) -> tuple[int, int]:
        """Changes whenever a pair of the connection was added, changed or removed."""
        wanted = select(func.count(), func.coalesce(func.max(samples.c.revision), 0))
        with self.store.read() as connection:
            count, revision = connection.execute(wanted.where(samples.c.connection_id == connection_id)).one()
        return count, revision


def _next(connection: Any) -> int:
    last: int = connection.execute(select(func.coalesce(func.max(samples.c.revision), 0))).scalar()
    return last + 1


def _made(row: Row[Any]) -> SampleRow:
    return SampleRow(**{name: getattr(row, name) for name in SampleRow.__dataclass_fields__})
