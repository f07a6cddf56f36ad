"""Groups of users, to whom grants may be given as to one."""

from __future__ import annotations

import builtins
import datetime
import secrets
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import grants, group_members, user_groups

LONGEST_NAME = 100
_WHAT = Text("group", "用户组")


@dataclass(frozen=True, slots=True)
class Group:
    """A group; `members` are ids of users."""

    id: str
    name: str
    members: tuple[str, ...]
    created: datetime.datetime


class Groups:
    """The groups of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, name: str, members: Iterable[str] = ()) -> Group:
        """A new group; raises BadRequest for a bad name or one that is taken."""
        name = _good_name(name)
        row = {"id": secrets.token_hex(16), "name": name, "folded": _folded(name), "created": utc_now()}
        try:
            with self.store.write() as connection:
                connection.execute(insert(user_groups).values(row))
        except IntegrityError as error:
            raise _taken(name) from error
        return self.change(str(row["id"]), members=members)

    def get(self, id_or_name: str) -> Group:
        """A group by id or name; raises NotFound."""
        wanted = select(user_groups).where(
            (user_groups.c.id == id_or_name) | (user_groups.c.folded == _folded(id_or_name))
        )
        with self.store.read() as connection:
            found = connection.execute(wanted).first()
            if found is None:
                raise NotFound(id_or_name, what=_WHAT, name=id_or_name[:LONGEST_NAME])
            inside = select(group_members.c.user_id).where(group_members.c.group_id == found.id)
            return _made(found, connection.execute(inside.order_by(group_members.c.user_id)).scalars())

    def list(self) -> builtins.list[Group]:
        """All groups by name."""
        with self.store.read() as connection:
            found = connection.execute(select(user_groups).order_by(user_groups.c.folded)).all()
            inside = connection.execute(select(group_members).order_by(group_members.c.user_id)).all()
        return [_made(row, (each.user_id for each in inside if each.group_id == row.id)) for row in found]

    def change(self, id_or_name: str, *, name: str | None = None, members: Iterable[str] | None = None) -> Group:
        """Another name, or other members in place of all; raises BadRequest where the name is taken."""
        known = self.get(id_or_name)
        try:
            with self.store.write() as connection:
                if name is not None:
                    good = _good_name(name)
                    named = update(user_groups).where(user_groups.c.id == known.id)
                    connection.execute(named.values(name=good, folded=_folded(good)))
                if members is not None:
                    connection.execute(delete(group_members).where(group_members.c.group_id == known.id))
                    rows = [{"group_id": known.id, "user_id": each} for each in dict.fromkeys(members)]
                    if rows:
                        connection.execute(insert(group_members), rows)
        except IntegrityError as error:
            raise _taken(name or "") from error
        return self.get(known.id)

    def remove(self, id_or_name: str) -> Group:
        """Forget a group with what was granted to it; its members go by their other grants from now on."""
        gone = self.get(id_or_name)
        with self.store.write() as connection:
            connection.execute(delete(grants).where(grants.c.kind == "group", grants.c.subject == gone.id))
            connection.execute(delete(group_members).where(group_members.c.group_id == gone.id))
            connection.execute(delete(user_groups).where(user_groups.c.id == gone.id))
        return gone


def _good_name(name: str) -> str:
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadRequest.because(
            f"a group's name has 1 to {LONGEST_NAME} printable characters",
            f"用户组名称应为 1 到 {LONGEST_NAME} 个可打印字符",
        )
    return name


def _taken(name: str) -> BadRequest:
    return BadRequest.because(f"there is already a group named {name}", f"已有名为 {name} 的用户组")


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()[:LONGEST_NAME]


def _made(row: Row[Any], members: Iterable[str]) -> Group:
    return Group(row.id, row.name, tuple(members), row.created)
