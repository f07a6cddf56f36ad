"""Inquery's own metadata: connections now, with their secrets encrypted; migrated by alembic."""

from inquery.store.attach import attach_connection, release_connections
from inquery.store.connections import Connection, ConnectionOptions, Connections, make_options
from inquery.store.database import Store, open_store
from inquery.store.probe import Probe, probe

__all__ = [
    "Connection",
    "ConnectionOptions",
    "Connections",
    "Probe",
    "Store",
    "attach_connection",
    "make_options",
    "open_store",
    "probe",
    "release_connections",
]
