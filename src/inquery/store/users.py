"""Users: who may sign in, and what they may do."""

from __future__ import annotations

import builtins
import datetime
import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.passwords import check_password, hash_password, is_outdated, verify_password
from inquery.store.tables import api_keys, grants, group_members, sessions, users

Role = Literal["viewer", "analyst", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
RANK: dict[Role, int] = {role: rank for rank, role in enumerate(ROLES)}
RESERVED = frozenset({"local"})
_WHAT = Text("user", "用户")


@dataclass(frozen=True, slots=True)
class StoredUser:
    """A user; `subject` names one that signs in elsewhere."""

    id: str
    name: str
    role: Role
    disabled: bool
    subject: str | None
    has_password: bool
    created: datetime.datetime
    attributes: Mapping[str, str] = field(default_factory=dict)


ALWAYS_KNOWN = ("id", "name", "role")
"""What a rule may go by of anybody."""


def known_attributes(users: Iterable[StoredUser]) -> set[str]:
    """The attributes that anybody has, for rules to go by."""
    return {*ALWAYS_KNOWN, *(name for user in users for name in user.attributes)}


class Users:
    """The users of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, name: str, password: str | None, role: Role = "viewer", *, subject: str | None = None) -> StoredUser:
        """A new user; raises BadRequest for a bad name or password, or a name that is taken."""
        name = _good_name(name)
        if password is not None:
            check_password(password, name)
        now = utc_now()
        row: dict[str, Any] = {
            "id": secrets.token_hex(16),
            "name": name,
            "folded": _folded(name),
            "role": role,
            "subject": subject,
            "password_hash": "" if password is None else hash_password(password),
            "disabled": False,
            "attributes": {},
            "created": now,
            "changed": now,
        }
        try:
            with self.store.write() as connection:
                connection.execute(insert(users).values(row))
        except IntegrityError as error:
            raise BadRequest.because(f"there is already a user named {name}", f"已有名为 {name} 的用户") from error
        return self.get(str(row["id"]))

    def get(self, id_or_name: str) -> StoredUser:
        """A user by id or name; raises NotFound."""
        wanted = select(users).where((users.c.id == id_or_name) | (users.c.folded == _folded(id_or_name)))
        with self.store.read() as connection:
            found = connection.execute(wanted).first()
        if found is None:
            raise NotFound(id_or_name, what=_WHAT, name=id_or_name[:100])
        return user_of(found)

    def by_subject(self, subject: str) -> StoredUser | None:
        """The user that an identity provider knows by a subject."""
        with self.store.read() as connection:
            found = connection.execute(select(users).where(users.c.subject == subject)).first()
        return user_of(found) if found else None

    def follow(self, subject: str, name: str, role: Role) -> StoredUser:
        """The user that a provider vouches for, made at the first sign-in; the provider decides the role.

        A name that somebody here has already gets a number: a provider's name is no proof that both are one person.
        """
        known = self.by_subject(subject)
        if known is not None:
            return known if known.role == role else self._set(known.id, role=role)
        taken = {_folded(user.name) for user in self.list()} | RESERVED
        names = (name if number == 1 else f"{name}-{number}" for number in count(1))
        return self.add(next(each for each in names if _folded(each) not in taken), None, role, subject=subject)

    def list(self) -> builtins.list[StoredUser]:
        """All users by name."""
        with self.store.read() as connection:
            return [user_of(row) for row in connection.execute(select(users).order_by(users.c.folded))]

    def count(self) -> int:
        """How many users may sign in."""
        with self.store.read() as connection:
            return connection.execute(select(func.count()).where(~users.c.disabled)).scalar() or 0

    def sign_in(self, name: str, password: str) -> StoredUser | None:
        """The user of a name and password, or None; both answers take the same time."""
        with self.store.read() as connection:
            found = connection.execute(select(users).where(users.c.folded == _folded(name))).first()
        stored = found.password_hash if found else ""
        if not verify_password(stored, password) or found is None or found.disabled:
            return None
        if is_outdated(stored):
            self._set(found.id, password_hash=hash_password(password))
        return user_of(found)

    def set_password(self, id_or_name: str, password: str) -> StoredUser:
        """Another password; every session ends, since whoever knew the old one may hold one."""
        known = self.get(id_or_name)
        check_password(password, known.name)
        return self._set(known.id, ends=True, password_hash=hash_password(password))

    def change(
        self,
        id_or_name: str,
        *,
        role: Role | None = None,
        disabled: bool | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> StoredUser:
        """Another role, in or out, or other attributes in place of all; the last administrator stays one."""
        known = self.get(id_or_name)
        fields: dict[str, Any] = {} if role is None else {"role": role}
        if disabled is not None:
            fields["disabled"] = disabled
        if attributes is not None:
            fields["attributes"] = _good_attributes(attributes)
        loses = known.role == "admin" and (disabled or role not in (None, "admin"))
        return self._set(known.id, ends=bool(disabled), keeps_admin=bool(loses), **fields) if fields else known

    def remove(self, id_or_name: str) -> StoredUser:
        """Forget a user with sessions, keys and grants; `inquery.agents.forgetting` sees to the rest."""
        gone = self.get(id_or_name)
        with self.store.write() as connection:
            if gone.role == "admin":
                _check_admin_left(connection, gone.id)
            connection.execute(delete(sessions).where(sessions.c.user_id == gone.id))
            connection.execute(delete(api_keys).where(api_keys.c.user_id == gone.id))
            connection.execute(delete(grants).where(grants.c.kind == "user", grants.c.subject == gone.id))
            connection.execute(delete(group_members).where(group_members.c.user_id == gone.id))
            connection.execute(delete(users).where(users.c.id == gone.id))
        return gone

    def _set(self, user_id: str, *, ends: bool = False, keeps_admin: bool = False, **fields: Any) -> StoredUser:
        with self.store.write() as connection:
            if keeps_admin:
                _check_admin_left(connection, user_id)
            connection.execute(update(users).where(users.c.id == user_id).values(**fields, changed=utc_now()))
            if ends:
                connection.execute(delete(sessions).where(sessions.c.user_id == user_id))
        return self.get(user_id)


def _check_admin_left(connection: Connection, without: str) -> None:
    others = select(func.count()).where(users.c.role == "admin", ~users.c.disabled, users.c.id != without)
    if not connection.execute(others).scalar():
        raise BadRequest.because("the last administrator must stay one", "必须保留至少一名管理员")


def _good_name(name: str) -> str:
    name = unicodedata.normalize("NFKC", name).strip()
    if not name or len(name) > 100 or not name.isprintable() or any(letter.isspace() for letter in name):
        raise BadRequest.because(
            "a user name has 1 to 100 printable characters and no spaces", "用户名应为 1 到 100 个可打印字符，不含空格"
        )
    if _folded(name) in RESERVED:
        raise BadRequest.because(
            f"the name {name} is kept for this machine's own user", f"{name} 这个名称保留给本机用户"
        )
    return name


_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_]{0,49}")
_VALUE = re.compile(r"[\w .,:;@#&+/()\-]{1,200}")
"""No quote and no backslash: the value becomes a literal in a row rule, in the dialect of any database."""
MOST_ATTRIBUTES = 50


def _good_attributes(given: Mapping[str, str]) -> dict[str, str]:
    good = {name.strip(): value.strip() for name, value in given.items()}
    known = all(_ATTRIBUTE.fullmatch(name) and _VALUE.fullmatch(value) for name, value in good.items())
    if not known or len(good) > MOST_ATTRIBUTES:
        raise BadRequest.because(
            "an attribute has a name of small letters, digits and _, and a value without quotes or backslashes",
            "属性名只能用小写字母、数字和下划线，属性值不能含引号或反斜杠",
        )
    return good


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()[:100]


def user_of(row: Row[Any]) -> StoredUser:
    """The user that a row of `users` holds."""
    return StoredUser(
        row.id,
        row.name,
        row.role,
        row.disabled,
        row.subject,
        bool(row.password_hash),
        row.created,
        dict(row.attributes or {}),
    )
