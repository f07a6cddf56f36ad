"""Custom analysts: stored, and versioned by every change; they style answers and never widen what may be read."""

from __future__ import annotations

import builtins
import datetime
import secrets
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator
from sqlalchemy import Row, func, insert, select
from sqlalchemy.exc import IntegrityError

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import profiles

_WHAT = Text("analyst", "分析师")


_RETIRED = frozenset({"streaming"})
"""Fields of llm that 0.1.0 kept and nobody read: profiles that have them open, without them."""


class ProfileContent(BaseModel, extra="forbid"):
    """What a profile says; `connections` and `tables` that are empty allow all that the user may read."""

    prompt: str = Field("", max_length=20_000)
    llm: dict[str, str | int | float | bool] = Field(default_factory=dict)
    connections: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    chart: Literal["", "none", "auto", "bar", "line", "pie", "scatter"] = ""
    analysis: Literal["", "none", "short", "full"] = ""
    language: Literal["", "en", "zh"] = ""

    @field_validator("llm")
    @classmethod
    def _without_retired(cls, llm: dict[str, str | int | float | bool]) -> dict[str, str | int | float | bool]:
        return {name: value for name, value in llm.items() if name not in _RETIRED}


# A profile names a model; where it is and which key opens it are settings, lest a shared profile sends data elsewhere.
_LLM_FIELDS = frozenset({"provider", "model", "temperature", "max_tokens", "candidates", "structured_output"})


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """One version of a profile."""

    id: str
    version: int
    name: str
    owner: str
    content: ProfileContent
    created: datetime.datetime


class Profiles:
    """The profiles of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, name: str, content: ProfileContent | dict[str, Any], *, owner: str = "") -> StoredProfile:
        """Keep a new profile; raises BadRequest when the name is taken or the content is wrong."""
        name = _good_name(name)
        if any(known.name.casefold() == name.casefold() for known in self.list()):
            raise BadRequest.because(f"there is already an analyst named {name}", f"已有名为 {name} 的分析师")
        return self._write(secrets.token_hex(16), 1, name, owner, _content(content))

    def change(
        self, id_or_name: str, content: ProfileContent | dict[str, Any] | None = None, *, name: str | None = None
    ) -> StoredProfile:
        """A new version with other content or another name; raises NotFound."""
        last = self.get(id_or_name)
        made = last.content if content is None else _content(content)
        new_name = last.name if name is None else _good_name(name)
        return self._write(last.id, self._last(last.id) + 1, new_name, last.owner, made)

    def get(self, id_or_name: str, version: int | None = None) -> StoredProfile:
        """The newest version of a profile, or a named one; raises NotFound."""
        for known in self.list():
            if id_or_name == known.id or id_or_name.casefold() == known.name.casefold():
                if version in (None, known.version):
                    return known
                for each in self.history(known.id):
                    if each.version == version:
                        return each
        raise NotFound(id_or_name, what=_WHAT, name=id_or_name)

    def list(self) -> builtins.list[StoredProfile]:
        """The newest version of every profile, by name."""
        newest = select(profiles.c.id, func.max(profiles.c.version).label("version")).group_by(profiles.c.id).subquery()
        here = (profiles.c.id == newest.c.id) & (profiles.c.version == newest.c.version)
        wanted = select(profiles).join(newest, here).where(~profiles.c.removed).order_by(profiles.c.name)
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def history(self, profile_id: str) -> builtins.list[StoredProfile]:
        """Every version of a profile, oldest first."""
        wanted = select(profiles).where(profiles.c.id == profile_id, ~profiles.c.removed).order_by(profiles.c.version)
        with self.store.read() as connection:
            return [_made(row) for row in connection.execute(wanted)]

    def remove(self, id_or_name: str) -> StoredProfile:
        """Retire a profile; its versions stay, since old threads name them."""
        gone = self.get(id_or_name)
        self._write(gone.id, self._last(gone.id) + 1, gone.name, gone.owner, gone.content, removed=True)
        return gone

    def _last(self, profile_id: str) -> int:
        wanted = select(func.coalesce(func.max(profiles.c.version), 0)).where(profiles.c.id == profile_id)
        with self.store.read() as connection:
            return connection.execute(wanted).scalar() or 0

    def _write(
        self, profile_id: str, version: int, name: str, owner: str, content: ProfileContent, removed: bool = False
    ) -> StoredProfile:
        now = utc_now()
        row = {"id": profile_id, "version": version, "name": name, "owner": owner, "removed": removed, "created": now}
        try:
            with self.store.write() as connection:
                connection.execute(insert(profiles).values(row | {"content": content.model_dump(mode="json")}))
        except IntegrityError as error:
            raise BadRequest.because("somebody else changed it at the same moment", "他人同时修改了它") from error
        return StoredProfile(profile_id, version, name, owner, content, now)


def _content(given: ProfileContent | dict[str, Any]) -> ProfileContent:
    try:
        made = given if isinstance(given, ProfileContent) else ProfileContent.model_validate(given)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise BadRequest.because(
            f"the value of {place} is not accepted", f"{place} 的值无效", detail=str(error)
        ) from error
    if set(made.llm) - _LLM_FIELDS:
        named = ", ".join(sorted(set(made.llm) - _LLM_FIELDS))
        raise BadRequest.because(f"an analyst cannot set llm.{named}", f"分析师不能设置 llm.{named}")
    return made


def _good_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise BadRequest.because("a name has 1 to 100 printable characters", "名称应为 1 到 100 个可打印字符")
    return name


def _made(row: Row[Any]) -> StoredProfile:
    return StoredProfile(row.id, row.version, row.name, row.owner, ProfileContent(**row.content), row.created)
