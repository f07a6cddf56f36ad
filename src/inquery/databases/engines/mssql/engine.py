"""SQL Server through python-tds: a socket of our own, a transaction that is always rolled back."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Limits, Progress
from inquery.databases.engines.cursors import batches, column, flag, only_query
from inquery.databases.engines.mssql import ABOUT, PORT
from inquery.databases.engines.mssql.dictionary import (
    INTROSPECTION,
    READ,
    READING,
    RESET,
    ROLE,
    SET_UP,
    TYPES,
    classify,
)
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve
from inquery.errors import InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

_SLACK_S = 5


@dataclass
class MssqlSession:
    """A connection and the socket under it, by which a statement can be ended from another thread."""

    connection: Any
    socket: socket.socket


class MssqlEngine(Engine):
    """The engine of `mssql://user@host/database`."""

    about = ABOUT
    parameters = frozenset({"ca_file", "validate_host", "login_only_encryption"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the parameters; nothing is connected yet."""
        load_driver("pytds", "mssql")
        if "ca_file" in address.params:
            check_file(address.params["ca_file"], settings)
        return cls(address, settings)

    def open(self) -> MssqlSession:
        """Connect to an address that was checked, and say that the session only reads."""
        import pytds

        port = self.address.port or PORT
        where = resolve(self.address.host or "localhost", port, self.settings)
        sock = socket.create_connection((where, port), timeout=self.settings.connect_timeout_s)
        try:
            connection = pytds.connect(sock=sock, **connect_arguments(self.address, self.settings))
            _set_up(connection, SET_UP)
        except BaseException:
            sock.close()
            raise
        return MssqlSession(connection, sock)

    def close(self, s: MssqlSession) -> None:
        """Drop the socket: the server ends what runs and rolls back."""
        with contextlib.suppress(OSError):
            s.socket.shutdown(socket.SHUT_RDWR)
        s.socket.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables, columns, comments and keys of the database in four queries."""
        s = self.open()
        try:
            rows = {}
            for done, (name, sql) in enumerate(INTROSPECTION.items()):
                progress(name, done, len(INTROSPECTION))
                with s.connection.cursor() as cursor:
                    cursor.execute(sql)
                    rows[name] = cursor.fetchall()
        finally:
            self.close(s)
        progress("keys", len(INTROSPECTION), len(INTROSPECTION))
        return catalogue(rows)

    def explain(self, s: MssqlSession, sql: CheckedSql) -> None:
        """None: SHOWPLAN is a session setting and a permission few readers have."""
        return None

    def stream(self, s: MssqlSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches as they arrive; SQL Server has no statement timeout, so the socket's and the watchdog's count."""
        only_query(sql.text, self.dialect)
        s.socket.settimeout(limits.timeout_s)
        cursor = s.connection.cursor()
        try:
            if limits.rows is not None:
                cursor.execute(f"SET ROWCOUNT {limits.rows + 1}")
            cursor.execute(sql.text)
            columns = tuple(column(d[0] or "", TYPES.get(d[1], "")) for d in cursor.description or ())
            yield from batches(cursor, columns, limits)
        finally:
            s.socket.settimeout(_SLACK_S)

    def cancel(self, s: MssqlSession) -> None:
        """End the connection: the server stops the batch when its client is gone, and no other right is needed."""
        with contextlib.suppress(OSError):
            s.socket.shutdown(socket.SHUT_RDWR)

    def reset(self, s: MssqlSession) -> None:
        """Roll back and set up again."""
        s.connection.rollback()
        _set_up(s.connection, RESET)

    def classify(self, error: BaseException) -> InqueryError:
        """By SQL Server's number first."""
        return classify(error)

    def check_role(self, s: MssqlSession) -> str | None:
        """Server and database roles that reach past reading."""
        with s.connection.cursor() as cursor:
            cursor.execute(ROLE)
            held = [row[0] for row in cursor.fetchall()]
        return ", ".join(held) or None


def _set_up(connection: Any, statements: str) -> None:
    """Set the session, and see that it reads statements as the guard does."""
    with connection.cursor() as cursor:
        cursor.execute(statements)
        cursor.execute(READ)
        refuse_other_reading(READING, dict(zip(READING, cursor.fetchone() or (), strict=False)))


def connect_arguments(address: Address, settings: DatabaseSettings) -> dict[str, Any]:
    """Arguments of pytds.connect beside the socket; with a CA file the certificate must name the host."""
    arguments: dict[str, Any] = {
        "dsn": address.host or "localhost",
        "port": address.port or PORT,
        "database": address.database or None,
        "user": address.user,
        "password": address.secret,
        "login_timeout": settings.connect_timeout_s,
        "appname": "inquery",
        "autocommit": False,
        "readonly": True,
        "disable_connect_retry": True,
    }
    if "ca_file" in address.params:
        arguments["cafile"] = address.params["ca_file"]
        arguments["validate_host"] = flag(address.params.get("validate_host"), default=True)
        arguments["enc_login_only"] = flag(address.params.get("login_only_encryption"), default=False)
    return arguments


def catalogue(rows: dict[str, list[tuple[Any, ...]]]) -> Catalog:
    """The catalogue from the rows of INTROSPECTION."""
    raw = Raw(
        tables=[((schema, name), kind, comment, count) for schema, name, kind, comment, count in rows["tables"]],
        columns=[
            ((schema, table), name, kind, nullable, comment)
            for schema, table, name, kind, nullable, comment in rows["columns"]
        ],
        keys=[((schema, table), name) for schema, table, name in rows["keys"]],
        foreign=[
            (number, (schema, table), name, (other_schema, other), other_name)
            for number, schema, table, name, other_schema, other, other_name in rows["foreign"]
        ],
    )
    return assemble_catalog(raw, dialect="tsql", default_schema=("dbo",))
