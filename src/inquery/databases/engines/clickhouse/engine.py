"""ClickHouse over HTTP: stateless read-only requests, each with its limits and a name to kill it by."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, ResultColumn
from inquery.databases.engines.clickhouse import ABOUT, PORT, TLS_PORT
from inquery.databases.engines.clickhouse.catalog import catalogue, estimate
from inquery.databases.engines.clickhouse.errors import classify
from inquery.databases.engines.clickhouse.statements import EXPLAINS, INTROSPECTION, READ, READING, UNTRUSTED, describe
from inquery.databases.engines.clickhouse.values import FORMATS, columns_of, rows_of
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.registry import load_driver
from inquery.databases.sandbox.process import columns_with_kinds
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve
from inquery.databases.values import BatchSize, plain_rows
from inquery.errors import InqueryError, QueryCancelled
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql


@dataclass
class ClickhouseSession:
    """A client, how far its account is read-only by itself, and the statement that runs.

    `reading` are settings that its profile has otherwise, to be sent with every statement.
    """

    client: Any
    readonly: int
    reading: dict[str, str]
    query_id: str = ""
    cancelled: bool = False


class ClickhouseEngine(Engine):
    """The engine of `clickhouse://host/database`."""

    about = ABOUT
    parameters = frozenset({"secure", "verify", "ca_cert"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.database = address.database or "default"

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the parameters; nothing is connected yet."""
        load_driver("clickhouse_connect", "clickhouse")
        if "ca_cert" in address.params:
            check_file(address.params["ca_cert"], settings)
        return cls(address, settings)

    def open(self) -> ClickhouseSession:
        """Connect and see whether the account's own profile is read-only already."""
        import clickhouse_connect

        client = clickhouse_connect.get_client(**client_arguments(self.address, self.settings))
        try:
            found = dict(client.query(READ).result_rows)
            readonly = int(found.pop("readonly", 0))
            # An older server may not have one of them.
            wanted = {name: value for name, value in READING.items() if name in found}
            reading = {name: value for name, value in wanted.items() if found[name] != value}
            if reading:
                told = {} if readonly == 1 else reading
                refuse_other_reading(wanted, dict(client.query(READ, settings=told).result_rows))
            if readonly != 1:
                reading |= {name: value for name, value in UNTRUSTED.items() if name in found}
        except BaseException:
            client.close()
            raise
        return ClickhouseSession(client, readonly, reading)

    def close(self, s: ClickhouseSession) -> None:
        """Close the client and its sockets."""
        s.client.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables and columns in two queries."""
        s = self.open()
        try:
            tables = s.client.query(INTROSPECTION["tables"]).result_rows
            progress("tables", 1, 2)
            columns = s.client.query(INTROSPECTION["columns"]).result_rows
        finally:
            self.close(s)
        progress("columns", 2, 2)
        return catalogue(tables, columns, self.database)

    def explain(self, s: ClickhouseSession, sql: CheckedSql) -> Estimate | None:
        """Rows to be read, where the tables can say, and tables read without an index."""
        return estimate(*(s.client.query(prefix + sql.text, settings=s.reading).result_rows for prefix in EXPLAINS))

    def stream(self, s: ClickhouseSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Blocks as they arrive; leaving early closes the response, which ends the query on the server."""
        s.cancelled, s.query_id = False, str(uuid.uuid4())
        settings = {"query_id": s.query_id, **query_settings(limits, s.readonly), **s.reading}
        try:
            stream = s.client.query_column_block_stream(sql.text, settings=settings, query_formats=FORMATS)
            empty = True
            with stream as blocks:
                for batch in self._batches(s, blocks, limits):
                    empty = False
                    yield batch
            if empty:
                rows = s.client.query(describe(sql.text), settings=s.reading).result_rows
                yield Batch(columns_with_kinds([row[:2] for row in rows], []), [])
        finally:
            s.query_id = ""

    def _batches(self, s: ClickhouseSession, blocks: Any, limits: Limits) -> Iterator[Batch]:
        names = columns_of(blocks.source)
        columns: tuple[ResultColumn, ...] = ()
        size = BatchSize(limits.rows)
        for block in blocks:
            rows = rows_of(block, names)[: size.left]
            columns = columns or columns_with_kinds(names, rows)
            size.saw(rows)
            yield Batch(columns, plain_rows(rows, range(len(columns))))
            if s.cancelled:
                raise QueryCancelled("cancelled between batches")
            if not size.next:
                return

    def cancel(self, s: ClickhouseSession) -> None:
        """KILL QUERY by id from a second client of the same account."""
        import clickhouse_connect

        s.cancelled = True
        if not s.query_id:
            return
        client = clickhouse_connect.get_client(**client_arguments(self.address, self.settings))
        try:
            client.command("KILL QUERY WHERE query_id = {id:String} ASYNC", parameters={"id": s.query_id})
        finally:
            client.close()

    def reset(self, s: ClickhouseSession) -> None:
        """Nothing to undo: requests carry no session."""

    def classify(self, error: BaseException) -> InqueryError:
        """By ClickHouse's number first."""
        return classify(error)

    def check_role(self, s: ClickhouseSession) -> str | None:
        """Grants that reach past reading, unless the account's profile is read-only."""
        if s.readonly:
            return None
        rows = s.client.query("SHOW GRANTS").result_rows
        return strong_grants(str(row[0]) for row in rows)


def client_arguments(address: Address, settings: DatabaseSettings) -> dict[str, Any]:
    """Arguments of the driver: an address that was checked, no redirects, no proxy, no session."""
    secure = address.params.get("secure", "").lower() in {"1", "true", "yes"} or address.port in {443, 8443}
    port = address.port or (TLS_PORT if secure else PORT)
    host = address.host or "localhost"
    verify = address.params.get("verify", "true").lower() not in {"0", "false", "no"}
    return {
        "host": resolve(host, port, settings),
        "port": port,
        "interface": "https" if secure else "http",
        "username": address.user or "default",
        "password": address.secret or "",
        "database": address.database or "default",
        "pool_mgr": _pool(host if secure else None, verify, address.params.get("ca_cert")),
        "connect_timeout": settings.connect_timeout_s,
        # The statement's own limit and the watchdog end a statement; the socket only has to outlive them.
        "send_receive_timeout": 3600,
        "autogenerate_session_id": False,
        "query_limit": 0,
        "tz_mode": "naive_utc",
        "server_host_name": host,
    }


def _pool(server_name: str | None, verify: bool, ca_cert: str | None) -> Any:
    from clickhouse_connect.driver.httputil import get_pool_manager_options
    from urllib3 import PoolManager

    class Straight(PoolManager):
        """Follows no redirect: a server must not send Inquery to a host that was never checked."""

        def urlopen(  # type: ignore[override]
            self, method: str, url: str, redirect: bool = True, **kw: Any
        ) -> Any:
            return super().urlopen(method, url, redirect=False, **kw)

    options = get_pool_manager_options(ca_cert=ca_cert, verify=verify)
    if server_name is not None:
        options["server_hostname"] = server_name
        options["assert_hostname"] = server_name if verify else False
    return Straight(**options)


def query_settings(limits: Limits, readonly: int) -> dict[str, Any]:
    """Settings of one request; an account with readonly = 1 may set nothing, one with 2 all but readonly."""
    if readonly == 1:
        return {}
    settings: dict[str, Any] = {
        "max_execution_time": limits.timeout_s,
        "timeout_overflow_mode": "throw",
        "cancel_http_readonly_queries_on_client_close": 1,
    }
    if limits.rows is not None:
        settings |= {"max_result_rows": limits.rows + 1, "result_overflow_mode": "break"}
    return settings if readonly else settings | {"readonly": 1}


_READING = ("SELECT", "SHOW", "dictGet", "CLUSTER", "displaySecretsInShowAndSelect")


def strong_grants(grants: Iterable[str]) -> str | None:
    """Privileges beyond reading, from the lines of SHOW GRANTS."""
    found: dict[str, None] = {}
    for line in grants:
        privileges = re.sub(r"\([^)]*\)", "", line.removeprefix("GRANT ").partition(" ON ")[0])
        for privilege in privileges.split(","):
            name = privilege.strip()
            if name and not name.startswith(_READING):
                found[name] = None
    return ", ".join(found) or None
