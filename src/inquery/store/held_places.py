"""Places that are held over all workers of a store, each for a time at the longest."""

from __future__ import annotations

import time
import zlib

from sqlalchemy import and_, delete, func, insert, or_, select, text

from inquery.store.database import Store
from inquery.store.tables import held_places


class HeldPlaces:
    """So many places of a name, and who holds them."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def hold(self, name: str, member: str, most: int, seconds: float, *, turn_s: float = 0.0) -> bool:
        """Take one of `most` places; False when all are taken. A holder may take its own again, to hold it longer.

        With `turn_s` whoever is refused keeps its turn for so long: until it asks again, no member whose name comes after
        its own goes before it.
        """
        now = int(time.time() * 1000)
        queue = waiting_for(name)
        both = held_places.c.name.in_((name, queue))
        with self.store.write() as connection:
            if connection.dialect.name == "postgresql":  # SQLite has one writer at a time as it is
                connection.execute(text("SELECT pg_advisory_xact_lock(:name)"), {"name": zlib.crc32(name.encode())})
            gone = or_(held_places.c.until <= now, held_places.c.member == member)
            connection.execute(delete(held_places).where(both, gone))
            before = held_places.c.name == name
            if turn_s:
                before = or_(before, and_(held_places.c.name == queue, held_places.c.member < member))
            count = connection.execute(select(func.count()).select_from(held_places).where(before)).scalar() or 0
            place, lasts = (name, seconds) if count < most else (queue, turn_s)
            if lasts or place == name:
                row = {"name": place, "member": member, "until": now + int(lasts * 1000)}
                connection.execute(insert(held_places).values(row))
        return place == name

    def release(self, name: str, member: str) -> None:
        """Give a place back, or a turn; one that nobody holds is no error."""
        with self.store.write() as connection:
            both = held_places.c.name.in_((name, waiting_for(name)))
            connection.execute(delete(held_places).where(both, held_places.c.member == member))


def waiting_for(name: str) -> str:
    """The name under which those are kept who wait for a place."""
    return f"{name}/waiting"
