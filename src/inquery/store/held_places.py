"""Places that are held over all workers of a store, each for a time at the longest."""

from __future__ import annotations

import time
import zlib

from sqlalchemy import delete, func, insert, select, text

from inquery.store.database import Store
from inquery.store.tables import held_places


class HeldPlaces:
    """So many places of a name, and who holds them."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def hold(self, name: str, member: str, most: int, seconds: float) -> bool:
        """Take one of `most` places; False when all are taken. A holder may take its own again, to hold it longer."""
        now = int(time.time() * 1000)
        own = (held_places.c.name == name, held_places.c.member == member)
        with self.store.write() as connection:
            if connection.dialect.name == "postgresql":  # SQLite has one writer at a time as it is
                connection.execute(text("SELECT pg_advisory_xact_lock(:name)"), {"name": zlib.crc32(name.encode())})
            ended = (held_places.c.name == name, held_places.c.until <= now)
            connection.execute(delete(held_places).where(*ended))
            connection.execute(delete(held_places).where(*own))
            count = connection.execute(select(func.count()).where(held_places.c.name == name)).scalar() or 0
            if count >= most:
                return False
            row = {"name": name, "member": member, "until": now + int(seconds * 1000)}
            connection.execute(insert(held_places).values(row))
        return True

    def release(self, name: str, member: str) -> None:
        """Give a place back; one that nobody holds is no error."""
        with self.store.write() as connection:
            own = (held_places.c.name == name, held_places.c.member == member)
            connection.execute(delete(held_places).where(*own))
