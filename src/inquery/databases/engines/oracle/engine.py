"""Oracle through the thin driver: a read-only transaction around every statement."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Limits, Progress, ResultColumn
from inquery.databases.engines.cursors import bad_url, batches, only_query
from inquery.databases.engines.oracle import ABOUT, PORT, TLS_PORT
from inquery.databases.engines.oracle.dictionary import INTROSPECTION, READ, READING, ROLE, SET_UP, classify
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.kinds import kind_of_type
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve
from inquery.errors import InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql


class OracleEngine(Engine):
    """The engine of `oracle://user@host/service`."""

    about = ABOUT
    parameters = frozenset({"sid", "protocol", "wallet_location", "ssl_server_cert_dn"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the parameters; nothing is connected yet."""
        load_driver("oracledb", "oracle")
        if not address.database and "sid" not in address.params:
            raise bad_url("name the service: oracle://user@host/service", "请写明服务名：oracle://user@host/service")
        if address.params.get("protocol", "tcp") not in {"tcp", "tcps"}:
            raise bad_url("protocol is tcp or tcps", "protocol 只能是 tcp 或 tcps")
        if "wallet_location" in address.params:
            check_file(address.params["wallet_location"], settings)
        return cls(address, settings)

    def open(self) -> Any:
        """Connect; the name is used only where a certificate proves who answers."""
        import oracledb

        connection = oracledb.connect(**connect_arguments(self.address, self.settings))
        connection.autocommit = False
        try:
            with connection.cursor() as cursor:
                cursor.execute(SET_UP)
                refuse_other_reading(READING, dict(cursor.execute(READ).fetchall()))
        except BaseException:
            self.close(connection)
            raise
        return connection

    def close(self, s: Any) -> None:
        """Close without waiting on what runs."""
        import oracledb

        with contextlib.suppress(oracledb.Error):
            s.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables, columns, comments and keys of every schema that is not Oracle's own, in four queries."""
        s = self.open()
        try:
            rows = {}
            for done, (name, sql) in enumerate(INTROSPECTION.items()):
                progress(name, done, len(INTROSPECTION))
                with s.cursor() as cursor:
                    cursor.arraysize = 5000
                    rows[name] = cursor.execute(sql).fetchall()
            user = s.username.upper()
        finally:
            self.close(s)
        progress("keys", len(INTROSPECTION), len(INTROSPECTION))
        return catalogue(rows, user)

    def explain(self, s: Any, sql: CheckedSql) -> None:
        """None: EXPLAIN PLAN writes into a table."""
        return None

    def stream(self, s: Any, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches inside a read-only transaction; the driver breaks the call in the server at the limit."""
        only_query(sql.text, self.dialect)
        s.call_timeout = max(1, int(limits.timeout_s * 1000))
        with s.cursor() as cursor:
            try:
                cursor.execute("SET TRANSACTION READ ONLY")
                cursor.prefetchrows = cursor.arraysize = 1000
                cursor.execute(sql.text)
                columns = tuple(map(_column, cursor.description or ()))
                yield from batches(_Lobs(cursor), columns, limits)
            finally:
                s.call_timeout = 5000
                s.rollback()

    def cancel(self, s: Any) -> None:
        """Break the running call in the server."""
        s.cancel()

    def reset(self, s: Any) -> None:
        """End any transaction and see that the connection lives; session settings cannot be reached by a query."""
        s.rollback()
        s.ping()

    def classify(self, error: BaseException) -> InqueryError:
        """By Oracle's number first."""
        return classify(error)

    def check_role(self, s: Any) -> str | None:
        """System privileges that reach past reading."""
        with s.cursor() as cursor:
            held = [row[0] for row in cursor.execute(ROLE).fetchall()]
        return ", ".join(held) or None


class _Lobs:
    """A cursor whose long objects are read as they are fetched, while their locators live."""

    def __init__(self, cursor: Any) -> None:
        self.cursor = cursor

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        return [
            tuple(value.read() if hasattr(value, "read") else value for value in row)
            for row in self.cursor.fetchmany(size)
        ]


def connect_arguments(address: Address, settings: DatabaseSettings) -> dict[str, Any]:
    """Arguments of oracledb.connect."""
    secure = address.params.get("protocol") == "tcps"
    port = address.port or (TLS_PORT if secure else PORT)
    host = address.host or "localhost"
    checked = resolve(host, port, settings)
    arguments: dict[str, Any] = {
        "user": address.user,
        "password": address.secret,
        "host": host if secure else checked,
        "port": port,
        "protocol": "tcps" if secure else "tcp",
        "tcp_connect_timeout": settings.connect_timeout_s,
        "disable_oob": False,
    }
    if secure:
        arguments["ssl_server_dn_match"] = True
    if "sid" in address.params:
        arguments["sid"] = address.params["sid"]
    else:
        arguments["service_name"] = address.database
    for name in ("wallet_location", "ssl_server_cert_dn"):
        if name in address.params:
            arguments[name] = address.params[name]
    return arguments


def _column(description: Any) -> ResultColumn:
    name = description[0]
    type_name = str(getattr(description[1], "name", description[1])).removeprefix("DB_TYPE_")
    # Oracle's DATE has a time of day.
    return ResultColumn(name, type_name, "datetime" if type_name == "DATE" else kind_of_type(type_name))


def catalogue(rows: dict[str, list[tuple[Any, ...]]], user: str) -> Catalog:
    """The catalogue from the rows of INTROSPECTION."""
    raw = Raw(
        tables=[((owner, name), kind, comment, count) for owner, name, kind, comment, count in rows["tables"]],
        columns=[
            ((owner, table), name, kind, nullable == "Y", comment)
            for owner, table, name, kind, nullable, comment in rows["columns"]
        ],
        keys=[((owner, table), name) for owner, table, name in rows["keys"]],
        foreign=[
            ((owner, constraint), (owner, table), name, (other_owner, other), other_name)
            for constraint, owner, table, name, other_owner, other, other_name in rows["foreign"]
        ],
    )
    return assemble_catalog(raw, dialect="oracle", default_schema=(user,))
