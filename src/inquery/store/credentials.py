"""What proves who a caller is: sessions of a browser and keys of a program; only hashes of them are stored."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import api_keys, sessions, users
from inquery.store.users import StoredUser, user_of

KEY_MARK = "iq"
TOUCH_S = 60
"""When something was last used is written at most this often."""
MOST_KEYS = 100
_WHAT = Text("key", "密钥")


class Sessions:
    """Signed-in browsers."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def open(self, user_id: str, hours: float) -> str:
        """A new session; returns its token, which is kept nowhere else."""
        token, now = secrets.token_urlsafe(32), utc_now()
        row = {"token_hash": _hash(token), "user_id": user_id, "created": now, "used": now}
        with self.store.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires < now))
            connection.execute(insert(sessions).values(**row, expires=now + datetime.timedelta(hours=hours)))
        return token

    def user(self, token: str) -> StoredUser | None:
        """Whose session a token is, unless it ended or the user may no longer come in."""
        now = utc_now()
        wanted = select(users, sessions.c.used, sessions.c.expires).join(sessions, sessions.c.user_id == users.c.id)
        with self.store.read() as connection:
            found = connection.execute(wanted.where(sessions.c.token_hash == _hash(token))).first()
        if found is None or found.expires < now or found.disabled:
            return None
        if now - found.used > datetime.timedelta(seconds=TOUCH_S):
            self._touch(token, now)
        return user_of(found)

    def _touch(self, token: str, now: datetime.datetime) -> None:
        with self.store.write() as connection:
            connection.execute(update(sessions).where(sessions.c.token_hash == _hash(token)).values(used=now))

    def close(self, token: str) -> None:
        """End a session."""
        with self.store.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.token_hash == _hash(token)))


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it may be shown: its prefix, never its secret."""

    id: str
    user_id: str
    name: str
    prefix: str
    created: datetime.datetime
    expires: datetime.datetime | None
    used: datetime.datetime | None
    revoked: datetime.datetime | None


class ApiKeys:
    """Keys of programs."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, user_id: str, name: str, days: float | None = None) -> tuple[ApiKey, str]:
        """A new key and its whole text, which is shown this once."""
        prefix, secret, now = secrets.token_hex(4), secrets.token_urlsafe(32), utc_now()
        expires = None if days is None else now + datetime.timedelta(days=days)
        made = ApiKey(secrets.token_hex(16), user_id, _good_name(name), prefix, now, expires, None, None)
        row = {name: getattr(made, name) for name in ApiKey.__dataclass_fields__}
        with self.store.write() as connection:
            known = connection.execute(select(api_keys.c.id).where(api_keys.c.user_id == user_id)).all()
            if len(known) >= MOST_KEYS:
                raise BadRequest.because(f"a user has at most {MOST_KEYS} keys", f"每个用户最多 {MOST_KEYS} 个密钥")
            connection.execute(insert(api_keys).values(**row, secret_hash=_hash(secret)))
        return made, f"{KEY_MARK}_{prefix}_{secret}"

    def user(self, text: str) -> StoredUser | None:
        """Whose key a text is, unless it expired, was revoked or the user may no longer come in."""
        mark, _, rest = text.partition("_")
        prefix, _, secret = rest.partition("_")
        wanted = select(
            users,
            api_keys.c.id.label("key_id"),
            api_keys.c.secret_hash,
            api_keys.c.expires,
            api_keys.c.used,
            api_keys.c.revoked,
        )
        with self.store.read() as connection:
            found = connection.execute(
                wanted.join(api_keys, api_keys.c.user_id == users.c.id).where(api_keys.c.prefix == prefix)
            ).first()
        right = hmac.compare_digest(found.secret_hash if found else "0" * 64, _hash(secret))
        if mark != KEY_MARK or found is None or not right or not _usable(found):
            return None
        now = utc_now()
        if found.used is None or now - found.used > datetime.timedelta(seconds=TOUCH_S):
            with self.store.write() as connection:
                connection.execute(update(api_keys).where(api_keys.c.id == found.key_id).values(used=now))
        return user_of(found)

    def list(self, user_id: str | None = None) -> list[ApiKey]:
        """The keys of a user, or of all, oldest first."""
        wanted = select(api_keys).order_by(api_keys.c.created, api_keys.c.id)
        if user_id is not None:
            wanted = wanted.where(api_keys.c.user_id == user_id)
        with self.store.read() as connection:
            return [_key(row) for row in connection.execute(wanted)]

    def get(self, key_id: str) -> ApiKey:
        """A key by its id or prefix; raises NotFound."""
        wanted = select(api_keys).where((api_keys.c.id == key_id) | (api_keys.c.prefix == key_id))
        with self.store.read() as connection:
            found = connection.execute(wanted).first()
        if found is None:
            raise NotFound(key_id, what=_WHAT, name=key_id[:100])
        return _key(found)

    def revoke(self, key_id: str) -> ApiKey:
        """End a key at once; it stays listed, so that one can see that it was."""
        known = self.get(key_id)
        if known.revoked is None:
            with self.store.write() as connection:
                connection.execute(update(api_keys).where(api_keys.c.id == known.id).values(revoked=utc_now()))
        return self.get(known.id)


def _usable(row: Row[Any]) -> bool:
    expired = row.expires is not None and row.expires < utc_now()
    return not (expired or row.revoked is not None or row.disabled)


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(**{name: getattr(row, name) for name in ApiKey.__dataclass_fields__})


def _good_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise BadRequest.because("a name has 1 to 100 printable characters", "名称应为 1 到 100 个可打印字符")
    return name


def _hash(token: str) -> str:
    # The tokens are 256 random bits, so that a plain hash cannot be searched; passwords are another matter.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
