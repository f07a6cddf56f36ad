"""Inquery's own metadata, secrets encrypted, migrated by alembic; and which connection a request means."""

from inquery.store.attach import attach_connection, release_connections
from inquery.store.connections import Connection, ConnectionOptions, Connections, make_options
from inquery.store.database import Store, open_store
from inquery.store.given import find_connection, give_connection
from inquery.store.probe import Probe, probe
from inquery.store.shipped import Shipped, choose_connection, default_connection, shipped_with

__all__ = [
    "Connection",
    "ConnectionOptions",
    "Connections",
    "Probe",
    "Shipped",
    "Store",
    "attach_connection",
    "choose_connection",
    "default_connection",
    "find_connection",
    "give_connection",
    "make_options",
    "open_store",
    "probe",
    "release_connections",
    "shipped_with",
]
