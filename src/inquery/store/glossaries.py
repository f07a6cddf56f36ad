"""Glossaries as plain data, one a connection."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, insert, select, update

from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import glossaries


class Glossaries:
    """The glossary of each connection; `inquery.knowledge.glossary` reads and writes the content."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(self, connection_id: str) -> dict[str, Any] | None:
        """The content, None where nothing was kept yet."""
        wanted = select(glossaries.c.content).where(glossaries.c.connection_id == connection_id)
        with self.store.read() as connection:
            found: dict[str, Any] | None = connection.execute(wanted).scalar()
        return found

    def version(self, connection_id: str) -> int:
        """How often the glossary was saved; 0 where there is none."""
        wanted = select(glossaries.c.version).where(glossaries.c.connection_id == connection_id)
        with self.store.read() as connection:
            return connection.execute(wanted).scalar() or 0

    def put(self, connection_id: str, content: dict[str, Any]) -> int:
        """Keep the content in place of the last one; returns its version."""
        here = glossaries.c.connection_id == connection_id
        with self.store.write() as connection:
            last = connection.execute(select(glossaries.c.version).where(here).with_for_update()).scalar() or 0
            row = {"content": content, "version": last + 1, "changed": utc_now()}
            if last:
                connection.execute(update(glossaries).where(here).values(row))
            else:
                connection.execute(insert(glossaries).values(connection_id=connection_id, **row))
        return last + 1

    def remove(self, connection_id: str) -> None:
        """Forget the glossary of a connection."""
        with self.store.write() as connection:
            connection.execute(delete(glossaries).where(glossaries.c.connection_id == connection_id))
