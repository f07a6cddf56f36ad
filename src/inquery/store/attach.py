"""Makes a registered connection ready to execute on, for as long as somebody holds it."""

from __future__ import annotations

import threading

from inquery.databases.executor.execute import attach, attached_ids, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import Address
from inquery.settings import Settings, get_settings
from inquery.store.connections import Connection

_addresses: dict[str, Address] = {}
"""What each id was attached to: the demo moves to a new file every day under the same id."""
_holders: dict[str, set[object]] = {}
_lock = threading.Lock()


def attach_connection(connection: Connection, settings: Settings | None = None, *, holder: object = None) -> str:
    """Attach a connection under its id unless it is so already, and return the id; nothing is connected yet.

    It stays until `release_connections(holder)`; without a holder, as long as the process.
    """
    database = (settings or get_settings()).database
    address = connection.address
    with _lock:
        ready = connection.id in attached_ids()
        if not ready or _addresses.get(connection.id) != address:
            attach(connection.id, open_engine(address, settings=database), settings=database)
            _addresses[connection.id] = address
        if not ready:
            _holders.pop(connection.id, None)
        _holders.setdefault(connection.id, set()).add(holder)
    return connection.id


def release_connections(holder: object) -> None:
    """Detach every connection that this holder was the last to hold."""
    with _lock:
        for connection_id, holders in list(_holders.items()):
            if holders == {holder}:
                del _holders[connection_id]
                detach(connection_id)
            holders.discard(holder)
