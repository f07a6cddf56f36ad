"""PostgreSQL: a read-only transaction pinned before the statement, a named cursor, and ROLLBACK always."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from inquery.databases.assemble import assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, ResultColumn
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.engines.postgres import ABOUT, PORT
from inquery.databases.engines.postgres.catalog import ROLE, read_catalogue
from inquery.databases.engines.postgres.errors import classify
from inquery.databases.kinds import kind_of_type
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve_all
from inquery.databases.transport.ssh import SSH_PARAMETERS, Tunnels
from inquery.databases.values import BatchSize
from inquery.errors import BadConnectionUrl, InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

if TYPE_CHECKING:
    import psycopg

TLS = frozenset({"sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "channel_binding"})
_FILES = ("sslrootcert", "sslcert", "sslkey")
_OWN_TIMEOUT_S = 60
# How text is read. Where standard_conforming_strings is off, as databases and roles may have it, a backslash escapes the
# quote after it, and the server reads another statement than the guard. With it on, `backslash_quote` is about E'' alone,
# which the guard reads with escapes, and `escape_string_warning` only warns. transform_null_equals makes `x = NULL` true
# in a row filter too; array_nulls reads NULL in '{NULL}' as a text.
READING = {
    "standard_conforming_strings": "on",
    "backslash_quote": "safe_encoding",
    "transform_null_equals": "off",
    "array_nulls": "on",
    "row_security": "on",
    "client_encoding": "UTF8",
}
_READ = "SELECT " + ", ".join(f"pg_catalog.current_setting('{name}')" for name in (*READING, "search_path"))
# As the session finds it, but spelled out, so that neither a schema of the role's name made later nor a temporary table
# comes before what was there when the connection was made. pg_catalog is searched first without being named.
_SEARCHED = """
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(s.name), ', ' ORDER BY s.place)
    FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS s (name, place)
    WHERE s.name <> 'pg_catalog'"""
# Types Python cannot hold whole (infinite dates, intervals of months) or that are text to a reader.
_AS_TEXT = (
    "interval", "uuid", "inet", "cidr", "timetz", "int4range", "int8range", "numrange", "tsrange", "tstzrange",
    "daterange", "int4multirange", "int8multirange", "nummultirange", "tsmultirange", "tstzmultirange",
    "datemultirange",
)  # fmt: skip


@dataclass
class PostgresSession:
    """A connection; `version` is the server's, such as 150004; `search_path` that of its first moment."""

    connection: psycopg.Connection[tuple[Any, ...]]
    version: int = field(default=0)
    search_path: str = ""

    @property
    def reading(self) -> dict[str, str]:
        """What its statements are read by."""
        return READING | {"search_path": self.search_path}


class PostgresEngine(Engine):
    """The engine of `postgresql://`."""

    about = ABOUT
    parameters = TLS | SSH_PARAMETERS | {"timezone", "application_name"}

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.timezone = _zone(address.timezone)
        self.tunnels = Tunnels(address, PORT, settings)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the driver and the files named; nothing is connected yet."""
        load_driver("psycopg", "postgresql")
        for name in _FILES:
            if name in address.params:
                check_file(address.params[name], settings)
        return cls(address, settings)

    def open(self) -> PostgresSession:
        """Connect to an address that was checked, never to the name, and make the session read-only."""
        import psycopg

        connection = psycopg.connect(**self._arguments(), autocommit=True, prepare_threshold=None)
        s = PostgresSession(connection, connection.info.server_version)
        try:
            _register_loaders(connection)
            self._set_up(s)
        except (psycopg.Error, InqueryError):
            self.close(s)
            raise
        return s

    def close(self, s: PostgresSession) -> None:
        """Close the connection."""
        s.connection.close()

    def shutdown(self) -> None:
        """End the SSH tunnel when the connection is detached."""
        self.tunnels.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Everything the account may read, from pg_catalog in five queries."""
        s = self.open()
        try:
            raw, default_schema = read_catalogue(s.connection, progress)
        finally:
            self.close(s)
        return assemble_catalog(raw, dialect=self.dialect, default_schema=default_schema)

    def explain(self, s: PostgresSession, sql: CheckedSql) -> Estimate | None:
        """Rows, cost and sequential scans; the extended protocol takes one statement only."""
        try:
            _begin(s, _OWN_TIMEOUT_S * 1000)
            row = s.connection.execute(f"EXPLAIN (FORMAT JSON) {sql.text}".encode(), binary=True).fetchone()
        finally:
            _roll_back(s)
        return estimate(row[0]) if row else None

    def stream(self, s: PostgresSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches from a named cursor, which refuses a second statement."""
        try:
            _begin(s, max(1, round(limits.timeout_s * 1000)))
            with s.connection.cursor(name="inquery") as cursor:
                cursor.execute(sql.text.encode())
                yield from _batches(cursor, limits)
        finally:
            _roll_back(s)

    def cancel(self, s: PostgresSession) -> None:
        """Ask the server to stop the statement; it needs no rights."""
        import psycopg

        with contextlib.suppress(psycopg.Error):
            s.connection.cancel_safe(timeout=self.settings.connect_timeout_s)

    def abandon(self, s: PostgresSession) -> None:
        """Shut the socket, so that the thread waiting on it wakes up; the server notices by itself."""
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(s.connection.fileno())) as shared:
            shared.shutdown(socket.SHUT_RDWR)

    def reset(self, s: PostgresSession) -> None:
        """Forget settings, roles, locks, prepared statements and temporary tables."""
        _roll_back(s)
        s.connection.execute("DISCARD ALL")
        self._set_up(s)

    def classify(self, error: BaseException) -> InqueryError:
        """By SQLSTATE first, then by what libpq says of connecting."""
        return classify(error)

    def check_role(self, s: PostgresSession) -> str | None:
        """Why the account can do more than read and write tables, or None."""
        rows = s.connection.execute(ROLE).fetchone()
        held = [name for name, yes in zip(*rows, strict=True) if yes] if rows else []
        return ", ".join(held) or None

    def _arguments(self) -> dict[str, Any]:
        address = self.address
        tunnel = self.tunnels.local_address()
        host = address.host or "localhost"
        port = address.port or PORT
        addresses = [tunnel[0]] if tunnel else resolve_all(host, port, self.settings)
        arguments: dict[str, Any] = {
            "host": ",".join([host] * len(addresses)),
            "hostaddr": ",".join(addresses),
            "port": tunnel[1] if tunnel else port,
            "user": address.user,
            "password": address.secret,
            "dbname": address.database or address.user or "postgres",
            "connect_timeout": max(2, round(self.settings.connect_timeout_s)),
            "application_name": address.params.get("application_name", "inquery"),
            "client_encoding": "utf8",
        }
        if host.startswith("/"):
            del arguments["hostaddr"]
        arguments |= {name: value for name, value in address.params.items() if name in TLS}
        return {name: value for name, value in arguments.items() if value is not None}

    def _set_up(self, s: PostgresSession) -> None:
        from psycopg import sql

        if not s.search_path:
            row = s.connection.execute(_SEARCHED).fetchone()
            s.search_path = f"{row[0]}, pg_temp" if row and row[0] else "pg_temp"
        settings: dict[str, str] = {
            "default_transaction_read_only": "on",
            **READING,
            "statement_timeout": f"{_OWN_TIMEOUT_S}s",
            "idle_in_transaction_session_timeout": "10min",
            "cursor_tuple_fraction": "1.0",
        }
        if s.version >= 140000:
            settings["client_connection_check_interval"] = "1s"
        if self.timezone:
            settings["TimeZone"] = self.timezone
        statements = [
            sql.SQL("SET {} = {}").format(sql.Identifier(name), sql.Literal(value)) for name, value in settings.items()
        ]
        path = sql.SQL(f"SET search_path = {s.search_path}")
        _refuse_reading(s, s.connection.execute(sql.SQL("; ").join([*statements, path, sql.SQL(_READ)])))


def _zone(name: str) -> str:
    """A name for an offset: PostgreSQL reads +08:00 the POSIX way, as eight hours west of Greenwich."""
    if not name.startswith(("+", "-")):
        return name
    sign, hours, minutes = name[0], int(name[1:3]), name[4:]
    if minutes != "00" or hours > 12:
        raise BadConnectionUrl.because("give the timezone by name", "请使用时区名称")
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}"


def _begin(s: PostgresSession, milliseconds: int) -> None:
    """A transaction for one statement, told anew how text is read: a pooler may have given us another session.

    Its query also pins READ ONLY: after a first one the transaction cannot be made writable.
    """
    told = [f"SET LOCAL {name} = {value}" for name, value in s.reading.items()]
    begun = "; ".join(["BEGIN READ ONLY", f"SET LOCAL statement_timeout = {milliseconds}", *told, _READ])
    _refuse_reading(s, s.connection.execute(begun.encode()))


def _refuse_reading(s: PostgresSession, told: psycopg.Cursor[tuple[Any, ...]]) -> None:
    """Refuse a session that reads text in another way than it was told to; the last of the results says so."""
    while told.nextset():
        pass
    refuse_other_reading(s.reading, dict(zip(s.reading, told.fetchone() or (), strict=False)))


def _roll_back(s: PostgresSession) -> None:
    if not s.connection.closed and not s.connection.broken:
        s.connection.execute("ROLLBACK")


def _batches(cursor: psycopg.ServerCursor[tuple[Any, ...]], limits: Limits) -> Iterator[Batch]:
    size = BatchSize(limits.rows)
    columns: tuple[ResultColumn, ...] = ()
    while size.next:
        rows = cursor.fetchmany(size.next)
        columns = columns or tuple(_column(c) for c in cursor.description or ())
        if rows or size.first:
            yield Batch(columns, rows)
        if len(rows) < size.next:
            return
        size.saw(rows)


def _column(column: psycopg.Column) -> ResultColumn:
    shown = column.type_display
    if shown.isdigit():
        return ResultColumn(column.name, "", "text")  # an enum or another type of the user's: it comes as text
    return ResultColumn(column.name, shown, kind_of_type(shown))


def _register_loaders(connection: psycopg.Connection[Any]) -> None:
    from psycopg import DataError
    from psycopg.types import datetime as dates
    from psycopg.types.string import TextLoader

    for name in _AS_TEXT:
        if connection.adapters.types.get(name) is not None:
            connection.adapters.register_loader(name, TextLoader)

    def tolerant(loader: type[Any]) -> type[Any]:
        class Tolerant(loader):  # type: ignore[misc]
            """Dates past year 9999, before 1 or infinite come as PostgreSQL writes them."""

            def load(self, data: Any) -> Any:
                try:
                    return super().load(data)
                except DataError:
                    return bytes(data).decode()

        return Tolerant

    for name in ("Date", "Timestamp", "Timestamptz"):
        connection.adapters.register_loader(name.lower(), tolerant(getattr(dates, f"{name}Loader")))


def estimate(plan: Any) -> Estimate:
    """The estimate in EXPLAIN's JSON."""
    root = (json.loads(plan) if isinstance(plan, (str, bytes)) else plan)[0]["Plan"]
    scans: dict[str, None] = {}
    _scans([root], scans)
    return Estimate(int(root["Plan Rows"]), float(root["Total Cost"]), tuple(scans), json.dumps(root))


def _scans(nodes: Sequence[dict[str, Any]], found: dict[str, None]) -> None:
    for node in nodes:
        if node.get("Node Type") == "Seq Scan" and "Filter" not in node:
            found[node["Relation Name"]] = None
        _scans(node.get("Plans", ()), found)
