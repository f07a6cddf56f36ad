"""Questions people keep to ask again, pinned or shared with whoever may ask the same database."""

from __future__ import annotations

import builtins
import datetime
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, or_, select, update

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import saved_questions

MOST = 1000
_WHAT = Text("saved question", "已保存的问题")


@dataclass(frozen=True, slots=True)
class SavedQuestion:
    """A kept question."""

    id: str
    owner: str
    connection_id: str
    question: str
    title: str
    pinned: bool
    shared: bool
    created: datetime.datetime


class SavedQuestions:
    """The kept questions of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(
        self,
        owner: str,
        connection_id: str,
        question: str,
        *,
        title: str = "",
        pinned: bool = False,
        shared: bool = False,
    ) -> SavedQuestion:
        """Keep a question; raises BadRequest when there are too many."""
        now = utc_now()
        made = SavedQuestion(secrets.token_hex(16), owner, connection_id, question, title, pinned, shared, now)
        row = {name: getattr(made, name) for name in SavedQuestion.__dataclass_fields__}
        with self.store.write() as connection:
            kept = select(func.count()).where(saved_questions.c.owner == owner)
            if (connection.execute(kept).scalar() or 0) >= MOST:
                raise BadRequest.because(f"at most {MOST} questions are kept", f"最多保存 {MOST} 个问题")
            connection.execute(insert(saved_questions).values(row))
        return made

    def list(self, user: str) -> builtins.list[SavedQuestion]:
        """A user's own and the shared ones: pinned first, then the newest."""
        table = saved_questions.c
        wanted = select(saved_questions).where(or_(table.owner == user, table.shared))
        with self.store.read() as connection:
            ordered = wanted.order_by(table.pinned.desc(), table.created.desc(), table.id)
            return [_made(row) for row in connection.execute(ordered)]

    def get(self, saved_id: str, owner: str) -> SavedQuestion:
        """A kept question of an owner; raises NotFound for another's."""
        wanted = select(saved_questions).where(saved_questions.c.id == saved_id, saved_questions.c.owner == owner)
        with self.store.read() as connection:
            found = connection.execute(wanted).first()
        if found is None:
            raise NotFound(saved_id, what=_WHAT, name=saved_id[:100])
        return _made(found)

    def change(self, saved_id: str, owner: str, **fields: Any) -> SavedQuestion:
        """Set fields of a kept question; raises NotFound."""
        self.get(saved_id, owner)
        if fields:
            with self.store.write() as connection:
                connection.execute(update(saved_questions).where(saved_questions.c.id == saved_id).values(fields))
        return self.get(saved_id, owner)

    def remove(self, saved_id: str, owner: str) -> None:
        """Forget a kept question; raises NotFound."""
        self.get(saved_id, owner)
        with self.store.write() as connection:
            connection.execute(delete(saved_questions).where(saved_questions.c.id == saved_id))


def _made(row: Row[Any]) -> SavedQuestion:
    return SavedQuestion(**{name: getattr(row, name) for name in SavedQuestion.__dataclass_fields__})
