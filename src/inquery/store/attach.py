"""Makes a registered connection ready to execute on."""

from __future__ import annotations

from inquery.databases.address import Address
from inquery.databases.execute import attach, attached
from inquery.databases.registry import open_engine
from inquery.settings import Settings, get_settings
from inquery.store.connections import Connection

_addresses: dict[str, Address] = {}
"""What each id was attached to: the demo moves to a new file every day under the same id."""


def attach_connection(connection: Connection, settings: Settings | None = None) -> str:
    """Attach a connection under its id unless it is so already, and return the id; nothing is connected yet."""
    database = (settings or get_settings()).database
    address = connection.address
    if connection.id not in attached() or _addresses.get(connection.id) != address:
        attach(connection.id, open_engine(address, settings=database), settings=database)
        _addresses[connection.id] = address
    return connection.id
