"""Connections to users' databases: kept by name, their addresses encrypted."""

from __future__ import annotations

import builtins
import datetime
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, SecretStr, ValidationError, field_validator
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.databases.transport.address import Address, parse_address
from inquery.errors import BadRequest, NotFound, Text
from inquery.language.nearest import nearest_names
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import connections

RESERVED = "demo"
"""The connection that ships with Inquery and stands in where none is registered (`store.shipped`)."""
_WHAT = Text("connection", "连接")


class ConnectionOptions(BaseModel, extra="forbid"):
    """How answers about this database are made; empty values follow the settings."""

    privacy: Literal["full", "schema_only", "local_only"] | None = None
    timezone: str = ""
    week_start: int = Field(1, ge=1, le=7)
    fiscal_year_start: int = Field(1, ge=1, le=12)
    currency: str = Field("", max_length=8)
    allow_superuser: bool = False
    model: str = Field("", max_length=100, description="name of a saved model that answers questions about it")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        from zoneinfo import available_timezones

        if name and name not in available_timezones():
            raise ValueError("unknown timezone")
        return name


@dataclass(frozen=True, slots=True)
class Connection:
    """A registered database; `url` is whole and secret, `shown` is for people."""

    id: str
    name: str
    engine: str
    shown: str
    url: SecretStr
    options: ConnectionOptions
    created: datetime.datetime

    @property
    def address(self) -> Address:
        """The parsed address, secrets included."""
        return parse_address(self.url.get_secret_value())

    def to_dict(self) -> dict[str, Any]:
        """Everything that may be shown; the address has its password starred out."""
        return {
            "id": self.id,
            "name": self.name,
            "engine": self.engine,
            "address": self.shown,
            "options": self.options.model_dump(),
            "created": self.created.isoformat(),
        }


class Connections:
    """The connections of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, name: str, url: str, *, options: ConnectionOptions | None = None) -> Connection:
        """Register an address under a new name; nothing is connected here, see `inquery.store.probe`."""
        name = _good_name(name)
        address = absolute_address(parse_address(url))
        made = Connection(
            id=uuid.uuid4().hex,
            name=name,
            engine=address.scheme,
            shown=address.redacted,
            url=SecretStr(address.url),
            options=options or ConnectionOptions(),
            created=utc_now(),
        )
        row = {
            "id": made.id,
            "name": made.name,
            "engine": made.engine,
            "shown": made.shown,
            "url_encrypted": self.store.keyring.encrypt(address.url),
            "options": made.options.model_dump(),
            "created": made.created,
        }
        try:
            with self.store.write() as connection:
                connection.execute(insert(connections).values(row))
        except IntegrityError as error:
            raise _taken(name) from error
        return made

    def get(self, name: str) -> Connection:
        """The connection of that name or id; raises NotFound with the nearest names."""
        with self.store.read() as connection:
            rows = connection.execute(select(connections)).all()
        exact = [row for row in rows if name in (row.name, row.id)]
        loose = [row for row in rows if row.name.casefold() == name.casefold()]
        for found in (exact, loose):
            if len(found) == 1:
                return self._made(found[0])
        raise NotFound(name, what=_WHAT, name=name, nearest=nearest_names(name, [row.name for row in rows]))

    def list(self) -> builtins.list[Connection]:
        """All connections by name."""
        with self.store.read() as connection:
            rows = connection.execute(select(connections).order_by(connections.c.name)).all()
        return [self._made(row) for row in rows]

    def remove(self, name: str) -> Connection:
        """Forget a connection; the database itself is not touched."""
        gone = self.get(name)
        with self.store.write() as connection:
            connection.execute(delete(connections).where(connections.c.id == gone.id))
        return gone

    def rename(self, name: str, new_name: str) -> Connection:
        """Give a connection another name; its id stays."""
        found, new_name = self.get(name), _good_name(new_name)
        try:
            with self.store.write() as connection:
                connection.execute(update(connections).where(connections.c.id == found.id).values(name=new_name))
        except IntegrityError as error:
            raise _taken(new_name) from error
        return replace(found, name=new_name)

    def set_model(self, name: str, model: str) -> Connection:
        """Have a saved model answer questions about a database; empty for the one of the settings."""
        found = self.get(name)
        options = found.options.model_copy(update={"model": model})
        with self.store.write() as connection:
            connection.execute(
                update(connections).where(connections.c.id == found.id).values(options=options.model_dump())
            )
        return replace(found, options=options)

    def _made(self, row: Row[Any]) -> Connection:
        return Connection(
            id=row.id,
            name=row.name,
            engine=row.engine,
            shown=row.shown,
            url=self.store.keyring.decrypt(row.url_encrypted),
            options=ConnectionOptions(**row.options),
            created=row.created,
        )


def make_options(**given: Any) -> ConnectionOptions:
    """Options from what a person typed; raises BadRequest naming the bad one."""
    try:
        return ConnectionOptions(**{key: value for key, value in given.items() if value is not None})
    except ValidationError as error:
        names = ", ".join(str(problem["loc"][0]) for problem in error.errors())
        raise BadRequest.because(f"the value of {names} is not accepted", f"{names} 的值无效", detail=names) from error


def absolute_address(address: Address) -> Address:
    """The address with its file's full path, so that it means the same from any folder."""
    if not address.is_file:
        return address
    return replace(address, database=str(Path(address.database).expanduser().absolute()))


def _good_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise BadRequest.because("a name has 1 to 100 printable characters", "名称应为 1 到 100 个可打印字符")
    if name.casefold() == RESERVED:
        raise BadRequest.because("the name demo is kept for the demo database", "demo 这个名称保留给演示数据库")
    return name


def _taken(name: str) -> BadRequest:
    return BadRequest.because(f"there is already a connection named {name}", f"已有名为 {name} 的连接")
