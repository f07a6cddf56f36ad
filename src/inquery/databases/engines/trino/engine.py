"""Trino over HTTP: each statement its own client, bound to the one server that was checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress
from inquery.databases.engines.cursors import batches, column, flag, only_query, split_path
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.engines.trino import ABOUT, PORT, TLS_PORT
from inquery.databases.engines.trino.errors import classify
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve
from inquery.errors import HostNotAllowed, InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

INTROSPECTION = {
    "tables": """
        SELECT table_cat, table_schem, table_name, table_type, remarks FROM system.jdbc.tables
        WHERE table_schem <> 'information_schema' AND table_cat NOT IN ('system', 'jmx')""",
    "columns": """
        SELECT table_cat, table_schem, table_name, column_name, type_name, is_nullable, remarks FROM system.jdbc.columns
        WHERE table_schem <> 'information_schema' AND table_cat NOT IN ('system', 'jmx')""",
}
# It has no setting for how text is read; what stands before it, a gateway, might.
READ = """SELECT length('\\'), "n" FROM (VALUES 1) AS t ("n")"""
READING = {"a backslash": "1", "a quoted name": "1"}


@dataclass
class TrinoSession:
    """The cursors that run; Trino has no connection to keep."""

    cursors: list[Any] = field(default_factory=list)


class TrinoEngine(Engine):
    """The engine of `trino://user@host/catalog/schema`."""

    about = ABOUT
    parameters = frozenset({"secure", "verify", "ca_file", "source"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.path = split_path(address.database, 2)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the parameters; nothing is connected yet."""
        load_driver("trino", "trino")
        if "ca_file" in address.params:
            check_file(address.params["ca_file"], settings)
        return cls(address, settings)

    def open(self) -> TrinoSession:
        """Ask the server for one row, to see that it answers, knows the user, and reads strings and names as Trino does."""
        s = TrinoSession()
        rows = self._rows(s, READ)
        refuse_other_reading(READING, dict(zip(READING, rows[0] if rows else (), strict=False)))
        return s

    def close(self, s: TrinoSession) -> None:
        """End what may still run."""
        self.cancel(s)

    def introspect(self, progress: Progress) -> Catalog:
        """Tables and columns of the catalogue of the address, or of all, in two queries."""
        s = TrinoSession()
        rows = {}
        for done, (name, sql) in enumerate(INTROSPECTION.items()):
            progress(name, done, len(INTROSPECTION))
            rows[name] = self._rows(s, self._narrowed(sql, ordered=name == "columns"))
        progress("columns", len(INTROSPECTION), len(INTROSPECTION))
        return catalogue(rows, self.path)

    def explain(self, s: TrinoSession, sql: CheckedSql) -> Estimate:
        """Rows of the root of the logical plan."""
        only_query(sql.text, self.dialect)
        plan = self._rows(s, "EXPLAIN (TYPE LOGICAL, FORMAT JSON) " + sql.text)[0][0]
        return estimate(plan)

    def stream(self, s: TrinoSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Pages as they arrive; the limit is a session property of this statement alone."""
        only_query(sql.text, self.dialect)
        cursor = self._cursor(limits.timeout_s)
        s.cursors.append(cursor)
        try:
            cursor.execute(sql.text)
            columns = tuple(column(d[0], d[1]) for d in cursor.description or ())
            yield from batches(cursor, columns, limits)
        finally:
            s.cursors.remove(cursor)
            cursor.cancel()

    def cancel(self, s: TrinoSession) -> None:
        """DELETE the statement on the server."""
        for cursor in list(s.cursors):
            cursor.cancel()

    def reset(self, s: TrinoSession) -> None:
        """Nothing to undo: a statement's client goes with it."""

    def classify(self, error: BaseException) -> InqueryError:
        """By Trino's error name first."""
        return classify(error)

    def check_role(self, s: TrinoSession) -> str | None:
        """None: Trino's rights belong to its catalogues; the guide says how to restrict them."""
        return None

    def _narrowed(self, sql: str, *, ordered: bool) -> str:
        if self.path:
            sql += " AND table_cat = '" + self.path[0].replace("'", "''") + "'"
        return sql + (" ORDER BY table_cat, table_schem, table_name, ordinal_position" if ordered else "")

    def _rows(self, s: TrinoSession, text: str) -> list[Any]:
        cursor = self._cursor(self.settings.connect_timeout_s * 6)
        rows: list[Any] = cursor.execute(text).fetchall()
        return rows

    def _cursor(self, timeout_s: float) -> Any:
        import trino

        return trino.dbapi.connect(**connect_arguments(self.address, self.settings, timeout_s)).cursor()


def connect_arguments(address: Address, settings: DatabaseSettings, timeout_s: float) -> dict[str, Any]:
    """Arguments of trino.dbapi.connect; by name only where a certificate proves who answers."""
    from trino.auth import BasicAuthentication

    secure = flag(address.params.get("secure"), default=address.port in {443, 8443} or address.secret is not None)
    port = address.port or (TLS_PORT if secure else PORT)
    host = address.host or "localhost"
    checked = resolve(host, port, settings)
    verify = flag(address.params.get("verify"), default=True)
    path = split_path(address.database, 2)
    where = host if secure and verify else checked
    return {
        "host": where,
        "port": port,
        "http_scheme": "https" if secure else "http",
        "user": address.user or "inquery",
        "auth": BasicAuthentication(address.user, address.secret) if address.secret is not None else None,
        "catalog": path[0] if path else None,
        "schema": path[1] if len(path) > 1 else None,
        "source": address.params.get("source", "inquery"),
        "http_session": _session(where, port, address.params.get("ca_file") or verify),
        "session_properties": {"query_max_run_time": f"{max(1, round(timeout_s * 1000))}ms"},
        "request_timeout": settings.connect_timeout_s,
        "max_attempts": 1,
        "timezone": "UTC",
        # Spooled results would be fetched from addresses the server names.
        "encoding": None,
    }


def _session(host: str, port: int, verify: str | bool) -> Any:
    import requests

    class Bound(requests.Session):
        """Speaks to one server only: a reply may name any address as the next page."""

        def request(self, method: str, url: str, *args: Any, **kw: Any) -> Any:  # type: ignore[override]
            parts = urlsplit(url)
            named = parts.port or (443 if parts.scheme == "https" else 80)
            if (parts.hostname or "").casefold() != host.strip("[]").casefold() or named != port:
                raise HostNotAllowed("the server named another address for its next page")
            kw["allow_redirects"] = False
            return super().request(method, url, *args, **kw)

    session = Bound()
    session.trust_env = False
    session.verify = verify
    return session


def catalogue(rows: dict[str, list[Any]], path: Any) -> Catalog:
    """The catalogue from the rows of INTROSPECTION; a path is catalogue, schema and table."""
    raw = Raw(
        tables=[(row[:3], "view" if "VIEW" in (row[3] or "") else "table", row[4], None) for row in rows["tables"]],
        columns=[(row[:3], row[3], row[4], row[5] != "NO", row[6]) for row in rows["columns"]],
    )
    return assemble_catalog(raw, dialect="trino", default_schema=tuple(path))


def estimate(plan: str) -> Estimate:
    """Rows that the root of a logical plan is expected to give, and its cost in bytes."""
    root = json.loads(plan)
    found = (root.get("estimates") or [{}])[0]
    rows, size = _number(found.get("outputRowCount")), _number(found.get("outputSizeInBytes"))
    return Estimate(rows=None if rows is None else round(rows), cost=size, plan=plan)


def _number(value: Any) -> float | None:
    # An unknown estimate is the text "NaN".
    return float(value) if isinstance(value, (int, float)) and value == value else None
