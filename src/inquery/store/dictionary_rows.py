"""Data dictionaries as plain data, one a connection."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, insert, select, update

from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import dictionaries


class Dictionaries:
    """The dictionary of each connection; `inquery.knowledge.data_dictionary` reads and writes the content."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(self, connection_id: str) -> list[Any] | None:
        """The content, None where nothing was given."""
        wanted = select(dictionaries.c.content).where(dictionaries.c.connection_id == connection_id)
        with self.store.read() as connection:
            found: list[Any] | None = connection.execute(wanted).scalar()
        return found

    def put(self, connection_id: str, content: list[Any]) -> None:
        """Keep the content in place of the last one."""
        here = dictionaries.c.connection_id == connection_id
        row = {"content": content, "changed": utc_now()}
        with self.store.write() as connection:
            if not connection.execute(update(dictionaries).where(here).values(row)).rowcount:
                connection.execute(insert(dictionaries).values(connection_id=connection_id, **row))

    def remove(self, connection_id: str) -> bool:
        """Forget the dictionary of a connection; whether there was one."""
        with self.store.write() as connection:
            found = connection.execute(delete(dictionaries).where(dictionaries.c.connection_id == connection_id))
            return found.rowcount > 0
