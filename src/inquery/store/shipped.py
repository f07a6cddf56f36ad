"""Connections that ship with Inquery, and which connection a request means.

A shipped connection is one like any other; beside its address it brings what its own database cannot hold: comments,
a glossary, verified samples. The demo is one, and stands in where nothing is registered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from inquery.settings import Settings, get_settings
from inquery.sql import Catalog
from inquery.store.connections import RESERVED, Connection, Connections
from inquery.store.database import Store, open_store

_SHIPPED = {RESERVED: "inquery.demo.connection:DEMO"}
"""Where each is made, as `databases.registry` lists the engines: nothing of it is imported before it is asked for."""


class Shipped(Protocol):
    """What a connection brings with it."""

    dialect: str

    def connection(self, settings: Settings) -> Connection:
        """The connection; its database is made on first use."""

    def describe(self, catalog: Catalog) -> Catalog:
        """The catalogue with comments where the database has none."""

    def glossary(self) -> Mapping[str, Any]:
        """What its people call things, as `knowledge.glossary.parse_glossary` reads it."""

    def samples(self) -> Sequence[Mapping[str, str]]:
        """Verified questions with their statements."""

    def value_mappings(self) -> Mapping[str, tuple[str, str, str]]:
        """Phrases and the (table, column, value) each means."""


def shipped_with(connection_id: str) -> Shipped | None:
    """What a connection brings, where it is a shipped one."""
    place = _SHIPPED.get(connection_id)
    if place is None:
        return None
    module, name = place.split(":")
    found: Shipped = getattr(import_module(module), name)
    return found


def default_connection(settings: Settings) -> Connection:
    """The connection that stands in where nothing is registered."""
    return _shipped(RESERVED, settings)


def choose_connection(
    name: str | None = None, *, settings: Settings | None = None, store: Store | None = None
) -> Connection:
    """The connection a request means: the named one, the only registered one, else the default.

    Raises NotFound with the nearest names.
    """
    settings = settings or get_settings()
    if name is not None and name.casefold() in _SHIPPED:
        return _shipped(name.casefold(), settings)
    known = Connections(store or open_store(settings))
    if name is not None:
        return known.get(name)
    registered = known.list()
    return registered[0] if len(registered) == 1 else default_connection(settings)


def _shipped(name: str, settings: Settings) -> Connection:
    found = shipped_with(name)
    assert found is not None, f"{name} is listed above"
    return found.connection(settings)
