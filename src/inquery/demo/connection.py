"""The demo as a connection that ships with Inquery: `store.shipped` lists it."""

from __future__ import annotations

import datetime
from typing import Any

from pydantic import SecretStr

from inquery.databases.transport.address import Address
from inquery.demo import knowledge
from inquery.demo.build import ensure_demo
from inquery.settings import Settings, get_settings
from inquery.sql import Catalog
from inquery.store import Connection, ConnectionOptions

NAME = "demo"


class Demo:
    """The demo's database, with its comments, glossary and samples."""

    dialect = "sqlite"

    def connection(self, settings: Settings) -> Connection:
        """The connection; its file changes with the day, its id does not."""
        return demo_connection(settings)

    def describe(self, catalog: Catalog) -> Catalog:
        """The catalogue with the demo's comments."""
        return knowledge.describe(catalog)

    def glossary(self) -> dict[str, Any]:
        """Names, metrics and values."""
        return knowledge.glossary()

    def samples(self) -> list[dict[str, str]]:
        """Verified questions with their statements."""
        return knowledge.samples()

    def value_mappings(self) -> dict[str, tuple[str, str, str]]:
        """Phrases for stored codes."""
        return knowledge.value_mappings()


DEMO = Demo()


def demo_connection(settings: Settings | None = None, today: datetime.date | None = None) -> Connection:
    """The demo as a connection, made on first use."""
    settings = settings or get_settings()
    path = ensure_demo(settings.home, today or settings.day())
    address = Address("sqlite", database=str(path.absolute()))
    made = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
    options = ConnectionOptions(**knowledge.glossary()["settings"])
    return Connection(NAME, NAME, "sqlite", address.redacted, SecretStr(address.url), options, made)
