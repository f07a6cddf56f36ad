"""Grants: which user, group or role may read what of a connection, and take it away as a file."""

from __future__ import annotations

import builtins
import datetime
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from sqlalchemy import Row, delete, insert, or_, select

from inquery.errors import BadRequest, NotFound, Text
from inquery.sql import Policy
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import grants, group_members

Kind = Literal["user", "group", "role", "all"]
EVERYONE = "*"
MOST_RULES = 5000
ORDER: dict[str, int] = {"user": 0, "group": 1, "role": 2, "all": 3}
"""The narrowest subject that has a grant decides alone; of several groups the rules of all hold."""
_WHAT = Text("grant", "授权")


_Word = Annotated[str, Field(min_length=1, max_length=500)]


class Rules(BaseModel, extra="forbid"):
    """What a grant lets through: `tables` None for all; columns are `table.column`; filters are SQL conditions.

    In a filter `{user.region}` stands for the attribute `region` of whoever asks; `id`, `name` and `role` are always there.
    `downloads` says whether rows and documents may be taken away as files; it is no part of the guard's policy.
    """

    tables: tuple[_Word, ...] | None = Field(None, max_length=MOST_RULES)
    hidden_columns: tuple[_Word, ...] = Field((), max_length=MOST_RULES)
    row_filters: dict[_Word, Annotated[str, Field(min_length=1, max_length=4000)]] = Field(
        default_factory=dict, max_length=MOST_RULES
    )
    views: tuple[_Word, ...] = Field((), max_length=MOST_RULES)
    downloads: bool = True

    def policy(self, row_cap: int | None, person: Mapping[str, str] | None = None) -> Policy:
        """The guard's policy for somebody with these attributes."""
        return Policy(
            None if self.tables is None else frozenset(self.tables),
            frozenset(self.hidden_columns),
            {table: for_person(condition, person or {}) for table, condition in self.row_filters.items()},
            row_cap,
            frozenset(),
            frozenset(self.views),
        )


def join_rules(first: Rules, second: Rules) -> Rules:
    """The rules of two groups for somebody who is in both: what either closes is closed.

    The other way round would leak: one group without a column and one without some rows do not add up to all cells.
    """
    tables = first.tables if second.tables is None else second.tables
    if first.tables is not None and second.tables is not None:
        others = {name.casefold() for name in second.tables}
        tables = tuple(name for name in first.tables if name.casefold() in others)
    granted = None if tables is None else {name.casefold() for name in tables}
    filters = {name.casefold(): (name, condition) for name, condition in first.row_filters.items()}
    for name, condition in second.row_filters.items():
        known = filters.get(name.casefold())
        joined = condition if known is None else f"({known[1]}) AND ({condition})"
        filters[name.casefold()] = (name if known is None else known[0], joined)
    return Rules(
        tables=tables,
        hidden_columns=tuple(dict.fromkeys((*first.hidden_columns, *second.hidden_columns))),
        row_filters=dict(pair for key, pair in filters.items() if granted is None or key in granted),
        views=_views_of_both(first, second),
        downloads=first.downloads and second.downloads,
    )


def _views_of_both(first: Rules, second: Rules) -> tuple[str, ...]:
    """Views that both open; where nothing is hidden or filtered no view is closed, and none needs to be opened."""
    closing = [rules for rules in (first, second) if rules.hidden_columns or rules.row_filters]
    named = [{name.casefold() for name in rules.views} for rules in closing]
    listed = dict.fromkeys((*first.views, *second.views))
    return tuple(name for name in listed if all(name.casefold() in views for views in named))


_ATTRIBUTE = re.compile(r"'?\{user\.(\w+)\}'?")
NO_ROWS = "1 = 0"


def attributes_in(condition: str) -> list[str]:
    """The attributes of a person that a condition goes by."""
    return _ATTRIBUTE.findall(condition)


def for_person(condition: str, person: Mapping[str, str]) -> str:
    """A condition with a person's attributes as literals; who lacks one sees no row, lest a gap opens everything."""
    if any(name not in person for name in attributes_in(condition)):
        return NO_ROWS
    return _ATTRIBUTE.sub(lambda found: _literal(person[found.group(1)]), condition)


def _literal(value: str) -> str:
    # Attributes are kept without quotes and backslashes; names of people who sign in elsewhere are not ours to choose.
    if "'" in value or "\\" in value:
        raise BadRequest.because("a quote in an attribute of the user", "用户属性中含有引号")
    return f"'{value}'"


@dataclass(frozen=True, slots=True)
class Grant:
    """One grant."""

    id: str
    connection_id: str
    kind: Kind
    subject: str
    rules: Rules
    created: datetime.datetime


class Grants:
    """The grants of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, connection_id: str, kind: Kind, subject: str, rules: Rules) -> Grant:
        """Grant, in place of what the subject had on the connection before."""
        made = Grant(secrets.token_hex(16), connection_id, kind, subject, rules, utc_now())
        same = (grants.c.connection_id == connection_id, grants.c.kind == kind, grants.c.subject == subject)
        row = {name: getattr(made, name) for name in ("id", "connection_id", "kind", "subject", "created")}
        with self.store.write() as connection:
            connection.execute(delete(grants).where(*same))
            connection.execute(insert(grants).values(**row, rules=rules.model_dump(mode="json")))
        return made

    def list(self, connection_id: str | None = None) -> builtins.list[Grant]:
        """The grants of a connection, or all."""
        wanted = select(grants).order_by(grants.c.connection_id, grants.c.kind, grants.c.subject)
        if connection_id is not None:
            wanted = wanted.where(grants.c.connection_id == connection_id)
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def get(self, grant_id: str) -> Grant:
        """One grant; raises NotFound."""
        with self.store.read() as connection:
            found = connection.execute(select(grants).where(grants.c.id == grant_id)).first()
        if found is None:
            raise NotFound(grant_id, what=_WHAT, name=grant_id[:100])
        return _made(found)

    def remove(self, grant_id: str) -> Grant:
        """Take a grant back; raises NotFound."""
        gone = self.get(grant_id)
        with self.store.write() as connection:
            connection.execute(delete(grants).where(grants.c.id == grant_id))
        return gone

    def remove_connection(self, connection_id: str) -> None:
        """Forget the grants of a connection that is no more."""
        with self.store.write() as connection:
            connection.execute(delete(grants).where(grants.c.connection_id == connection_id))

    def of(self, user_id: str, role: str) -> dict[str, Grant]:
        """What a user may read, by connection."""
        groups = select(group_members.c.group_id).where(group_members.c.user_id == user_id)
        mine = or_(
            (grants.c.kind == "user") & (grants.c.subject == user_id),
            (grants.c.kind == "group") & (grants.c.subject.in_(groups)),
            (grants.c.kind == "role") & (grants.c.subject == role),
            grants.c.kind == "all",
        )
        with self.store.read() as connection:
            # By id, so that the rules of several groups are joined in the same order each time: caches go by them.
            return narrowest(_made(row) for row in connection.execute(select(grants).where(mine).order_by(grants.c.id)))


def narrowest(found: Iterable[Grant]) -> dict[str, Grant]:
    """The deciding grant of each connection: the user's own, else those of groups, else the role's, else everyone's."""
    decided: dict[str, Grant] = {}
    for grant in found:
        last = decided.get(grant.connection_id)
        if last is None or ORDER[grant.kind] < ORDER[last.kind]:
            decided[grant.connection_id] = grant
        elif grant.kind == last.kind == "group":
            decided[grant.connection_id] = replace(last, rules=join_rules(last.rules, grant.rules))
    return decided


def _made(row: Row[Any]) -> Grant:
    return Grant(row.id, row.connection_id, row.kind, row.subject, Rules(**row.rules), row.created)
