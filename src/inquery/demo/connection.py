"""Which database a request means: the named one, the only registered one, else the demo."""

from __future__ import annotations

import datetime

from pydantic import SecretStr

from inquery.databases.transport.address import Address
from inquery.demo.build import ensure_demo
from inquery.demo.knowledge import glossary
from inquery.settings import Settings, get_settings
from inquery.store import Connection, ConnectionOptions, Connections, Store, open_store
from inquery.store.connections import RESERVED


def choose_connection(
    name: str | None = None, *, settings: Settings | None = None, store: Store | None = None
) -> Connection:
    """The connection a request means; raises NotFound with the nearest names."""
    settings = settings or get_settings()
    if name is not None and name.casefold() == RESERVED:
        return demo_connection(settings)
    known = Connections(store or open_store(settings))
    if name is not None:
        return known.get(name)
    registered = known.list()
    return registered[0] if len(registered) == 1 else demo_connection(settings)


def demo_connection(settings: Settings | None = None, today: datetime.date | None = None) -> Connection:
    """The demo as a connection, made on first use; its file changes with the day, its id does not."""
    settings = settings or get_settings()
    path = ensure_demo(settings.home, today or settings.day())
    address = Address("sqlite", database=str(path.absolute()))
    made = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
    options = ConnectionOptions(**glossary()["settings"])
    return Connection(RESERVED, RESERVED, "sqlite", address.redacted, SecretStr(address.url), options, made)
