"""MySQL and MariaDB: read-only session and transaction, caps and timeout in the server, KILL from outside."""

from __future__ import annotations

import contextlib
import datetime
import json
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, ResultColumn
from inquery.databases.engines.mysql import ABOUT, PORT
from inquery.databases.engines.mysql.errors import classify
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, resolve_all
from inquery.databases.transport.ssh import SSH_PARAMETERS, Tunnels, open_socket
from inquery.databases.values import BatchSize, duration
from inquery.errors import BadConnectionUrl, ConnectionLost, InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

TLS = frozenset({"ssl_mode", "ssl_ca", "ssl_cert", "ssl_key"})
_MODES = ("disabled", "preferred", "required", "verify_ca", "verify_identity")
_RESET_CONNECTION = 0x1F
_NO_LIMIT = 2**64 - 1
_OWN_TIMEOUT_S = 60
_SYSTEM = ("mysql", "information_schema", "performance_schema", "sys")
# Pinned, so that quoting, escapes and || mean what the guard took them to mean.
_SQL_MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
# Where it is on, `id IS NULL` finds the last row that was inserted.
_READING = {"character_set_client": "utf8mb4", "character_set_connection": "utf8mb4", "sql_auto_is_null": "0"}
# MariaDB: a session may be told to read every table as it was.
_READING_MARIADB = _READING | {"system_versioning_asof": "DEFAULT"}


@dataclass
class MysqlSession:
    """A connection; `mariadb` says which server answers, `spent` that the stream was left in the middle."""

    connection: Any
    mariadb: bool
    spent: bool = False


class MysqlEngine(Engine):
    """The engine of `mysql://` and `mariadb://`."""

    about = ABOUT
    parameters = TLS | SSH_PARAMETERS | {"timezone"}

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.timezone = address.timezone
        self.tunnels = Tunnels(address, PORT, settings)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the driver and the parameters; nothing is connected yet."""
        load_driver("pymysql", "mysql")
        if address.params.get("ssl_mode", "preferred") not in _MODES:
            modes = ", ".join(_MODES)
            raise BadConnectionUrl.because(f"ssl_mode is one of {modes}", f"ssl_mode 只能是 {modes}")
        for name in ("ssl_ca", "ssl_cert", "ssl_key"):
            if name in address.params:
                check_file(address.params[name], settings)
        return cls(address, settings)

    def open(self) -> MysqlSession:
        """Connect to an address that was checked, never to the name, and make the session read-only."""
        connection = self._connect()
        s = MysqlSession(connection, "mariadb" in connection.get_server_info().lower())
        try:
            self._set_up(s)
        except BaseException:
            self.close(s)
            raise
        return s

    def close(self, s: MysqlSession) -> None:
        """Close the connection without waiting for rows that were not read."""
        _give_up(s.connection)

    def shutdown(self) -> None:
        """End the SSH tunnel when the connection is detached."""
        self.tunnels.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Everything the account may read, from information_schema in three queries."""
        s = self.open()
        try:
            return self._read_catalogue(s, progress)
        finally:
            self.close(s)

    def explain(self, s: MysqlSession, sql: CheckedSql) -> Estimate | None:
        """Rows by the optimiser's counts, and tables read whole."""
        with s.connection.cursor() as cursor:
            cursor.execute("EXPLAIN FORMAT=JSON " + sql.text)
            row = cursor.fetchone()
        return estimate(json.loads(row[0])) if row else None

    def stream(self, s: MysqlSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches from an unbuffered cursor; the row cap is set in the server, since leaving early drains."""
        from pymysql.cursors import SSCursor

        self._bound(s, limits)
        cursor = SSCursor(s.connection)
        finished = False
        try:
            cursor.execute(sql.text)
            columns = tuple(map(_column, s.connection._result.fields if cursor.description else ()))
            yield from _batches(cursor, columns, limits)
            finished = True
        finally:
            self._leave(s, cursor, finished or limits.rows is not None)

    def cancel(self, s: MysqlSession) -> None:
        """KILL QUERY from a second connection of the same account."""
        self._kill(s, "QUERY")

    def abandon(self, s: MysqlSession) -> None:
        """KILL the connection, and shut the socket so that the thread waiting on it wakes up."""
        self._kill(s, "CONNECTION")
        with contextlib.suppress(OSError, AttributeError):
            s.connection._sock.shutdown(socket.SHUT_RDWR)

    def reset(self, s: MysqlSession) -> None:
        """Forget variables, locks, temporary tables and prepared statements."""
        if s.spent or not s.connection.open:
            raise ConnectionLost("the session was left in the middle of a result")
        s.connection._execute_command(_RESET_CONNECTION, b"")
        s.connection._read_ok_packet()
        if self.address.database:
            s.connection.select_db(self.address.database)  # the reset undoes everything but USE
        elif _scalar(s, "SELECT DATABASE()") is not None:
            raise ConnectionLost("the session left its place and cannot go back")
        self._set_up(s)

    def classify(self, error: BaseException) -> InqueryError:
        """By the server's number first."""
        return classify(error)

    def check_role(self, s: MysqlSession) -> str | None:
        """Privileges that reach past tables, such as FILE and SUPER, or None."""
        held = {name for name, _ in self._privileges(s) if name not in _ORDINARY}
        return ", ".join(sorted(held)) or None

    def _privileges(self, s: MysqlSession) -> list[tuple[str, str]]:
        with s.connection.cursor() as cursor:
            cursor.execute(_PRIVILEGES)
            return [(str(name).upper(), where) for name, where in cursor.fetchall()]

    def _connect(self) -> Any:
        import pymysql

        address = self.address
        connection = pymysql.connect(
            host=address.host or "localhost",
            user=address.user,
            password=address.secret or "",
            database=address.database or None,
            charset="utf8mb4",
            autocommit=True,
            local_infile=False,
            defer_connect=True,
            connect_timeout=self.settings.connect_timeout_s,
            **self._tls(),
        )
        host, port = address.host or "localhost", address.port or PORT
        local = self.tunnels.local_address()
        addresses, port = ([local[0]], local[1]) if local else (resolve_all(host, port, self.settings), port)
        connection.connect(_open_any(addresses, port, self.settings.connect_timeout_s))
        return connection

    def _tls(self) -> dict[str, Any]:
        params = self.address.params
        mode = params.get("ssl_mode", "preferred")
        if mode == "disabled":
            return {"ssl_disabled": True}
        files = {name: params[name] for name in ("ssl_ca", "ssl_cert", "ssl_key") if name in params}
        verify = {"ssl_verify_cert": mode.startswith("verify"), "ssl_verify_identity": mode == "verify_identity"}
        return files | verify if mode != "preferred" or files else {}

    def _set_up(self, s: MysqlSession) -> None:
        mode = _mode(s)
        zone = ", time_zone = %s" if self.timezone else ""
        past = ", system_versioning_asof = DEFAULT" if s.mariadb else ""
        reading = _READING_MARIADB if s.mariadb else _READING
        with s.connection.cursor() as cursor:
            cursor.execute("SET NAMES utf8mb4")
            told = f"SET SESSION sql_mode = %s, sql_auto_is_null = 0{past}{zone}"
            cursor.execute(told, (mode, self.timezone) if zone else (mode,))
            cursor.execute(f"SET SESSION {_timeout(s, _OWN_TIMEOUT_S)}")
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            cursor.execute("SELECT " + ", ".join(f"@@SESSION.{name}" for name in ("sql_mode", *reading)))
            found = dict(zip(("sql_mode", *reading), cursor.fetchone(), strict=True))
        # The server writes them in an order of its own.
        wanted = {"sql_mode": _in_order(mode), **reading}
        refuse_other_reading(wanted, {**found, "sql_mode": _in_order(found["sql_mode"])})

    def _bound(self, s: MysqlSession, limits: Limits) -> None:
        most = _NO_LIMIT if limits.rows is None else limits.rows + 1
        with s.connection.cursor() as cursor:
            # The mode once more: a proxy may have given us another server's session since.
            told = f"SET SESSION sql_mode = %s, {_timeout(s, limits.timeout_s)}, sql_select_limit = {most:d}"
            cursor.execute(told, (_mode(s),))
            cursor.execute("START TRANSACTION READ ONLY")

    def _leave(self, s: MysqlSession, cursor: Any, few_rows_left: bool) -> None:
        # Closing drains what is left: ten million rows took 35 s. Then the connection is given up instead.
        if not few_rows_left or not s.connection.open:
            s.spent = True
            _give_up(s.connection)
            return
        cursor.close()
        s.connection.rollback()

    def _kill(self, s: MysqlSession, what: str) -> None:
        import pymysql

        with contextlib.suppress(pymysql.MySQLError, InqueryError, OSError):
            second = self._connect()
            try:
                with second.cursor() as cursor:
                    cursor.execute(f"KILL {what} {s.connection.thread_id():d}")
            finally:
                second._force_close()

    def _read_catalogue(self, s: MysqlSession, progress: Progress) -> Catalog:
        database = self.address.database
        found: list[Sequence[Sequence[Any]]] = []
        with s.connection.cursor() as cursor:
            for done, query in enumerate((_TABLES, _COLUMNS, _FOREIGN)):
                progress("tables", done, 3)
                condition = "= %s" if database else f"NOT IN {_SYSTEM!r}"
                cursor.execute(query.format(condition), (database,) if database else None)
                found.append(cursor.fetchall())
        progress("tables", 3, 3)
        return assemble_catalog(
            _raw(*found, skip=bool(database)), dialect=self.dialect, default_schema=(database,) * bool(database)
        )


_TABLES = """
    SELECT table_schema, table_name, IF(engine = 'MRG_MyISAM', 'VIEW', table_type), table_comment, table_rows
    FROM information_schema.tables
    WHERE table_schema {} AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')"""
_COLUMNS = """
    SELECT table_schema, table_name, column_name, column_type, is_nullable = 'YES', column_comment, column_key = 'PRI'
    FROM information_schema.columns WHERE table_schema {} ORDER BY table_schema, table_name, ordinal_position"""
_FOREIGN = """
    SELECT constraint_name, table_schema, table_name, column_name, referenced_table_schema, referenced_table_name,
           referenced_column_name
    FROM information_schema.key_column_usage WHERE table_schema {} AND referenced_table_name IS NOT NULL
    ORDER BY table_schema, table_name, constraint_name, ordinal_position"""
_PRIVILEGES = """
    SELECT privilege_type, '' FROM information_schema.user_privileges
    UNION SELECT privilege_type, table_schema FROM information_schema.schema_privileges
    UNION SELECT privilege_type, table_name FROM information_schema.table_privileges"""
_WRITING = frozenset(
    {
        "INSERT",
        "UPDATE",
        "DELETE",
        "CREATE",
        "DROP",
        "ALTER",
        "INDEX",
        "TRIGGER",
        "CREATE VIEW",
        "EVENT",
        "DELETE HISTORY",
    }
)
_ORDINARY = _WRITING | {
    "USAGE",
    "SELECT",
    "SHOW VIEW",
    "SHOW DATABASES",
    "LOCK TABLES",
    "REFERENCES",
    "EXECUTE",
    "CREATE TEMPORARY TABLES",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
}


def _raw(tables: Sequence[Any], columns: Sequence[Any], foreign: Sequence[Any], *, skip: bool) -> Raw:
    def path(schema: str, name: str) -> tuple[str, ...]:
        return (name,) if skip else (schema, name)

    return Raw(
        tables=[
            # A view's comment is the word VIEW, and its rows are not counted. A MERGE table has no rows of its own either.
            (path(s, n), "view" if k == "VIEW" else "table", "" if k == "VIEW" else c, None if k == "VIEW" else r)
            for s, n, k, c, r in tables
        ],
        columns=[(path(s, n), name, kind, nullable, comment) for s, n, name, kind, nullable, comment, _ in columns],
        keys=[(path(s, n), name) for s, n, name, _, _, _, key in columns if key],
        foreign=[
            (name, path(s, t), column, path(s2, t2) if not skip or s2 == s else (s2, t2), column2)
            for name, s, t, column, s2, t2, column2 in foreign
        ],
    )


def _scalar(s: MysqlSession, query: str) -> Any:
    with s.connection.cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
        return row[0] if row else None


def _mode(s: MysqlSession) -> str:
    return _SQL_MODE if s.mariadb else _SQL_MODE + ",ONLY_FULL_GROUP_BY"


def _in_order(mode: str) -> str:
    return ",".join(sorted(mode.upper().split(",")))


def _timeout(s: MysqlSession, seconds: float) -> str:
    if s.mariadb:
        return f"max_statement_time = {max(seconds, 0.001):.3f}"
    return f"max_execution_time = {max(1, round(seconds * 1000)):d}"


def _give_up(connection: Any) -> None:
    # Else the result's own destructor would try to read what is left.
    if connection._result is not None:
        connection._result.unbuffered_active = False
    connection._force_close()


def _open_any(addresses: list[str], port: int, timeout_s: float) -> socket.socket:
    if addresses[0].startswith("/"):
        unix = socket.socket(socket.AF_UNIX)
        unix.connect(addresses[0])
        return unix
    opened = open_socket(addresses, port, timeout_s)
    opened.settimeout(None)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return opened


def _batches(cursor: Any, columns: tuple[ResultColumn, ...], limits: Limits) -> Iterator[Batch]:
    times = [i for i, column in enumerate(columns) if column.type == "time"]
    size = BatchSize(limits.rows)
    while size.next:
        rows: Sequence[tuple[Any, ...]] = cursor.fetchmany(size.next)
        if rows or size.first:
            yield Batch(columns, [_times(row, times) for row in rows] if times else rows)
        if len(rows) < size.next:
            return
        size.saw(rows)


def _times(row: tuple[Any, ...], at: Sequence[int]) -> tuple[Any, ...]:
    return tuple(_time(cell) if i in at else cell for i, cell in enumerate(row))


def _time(value: Any) -> Any:
    """TIME is a time of day where it can be one, else a length of time."""
    if not isinstance(value, datetime.timedelta):
        return value
    if datetime.timedelta() <= value < datetime.timedelta(days=1):
        return (datetime.datetime.min + value).time()
    return duration(value)


_TYPES: dict[int, tuple[str, str]] = {
    0: ("decimal", "number"),
    1: ("tinyint", "number"),
    2: ("smallint", "number"),
    3: ("int", "number"),
    4: ("float", "number"),
    5: ("double", "number"),
    7: ("timestamp", "datetime"),
    8: ("bigint", "number"),
    9: ("mediumint", "number"),
    10: ("date", "date"),
    11: ("time", "other"),
    12: ("datetime", "datetime"),
    13: ("year", "number"),
    16: ("bit", "binary"),
    245: ("json", "json"),
    246: ("decimal", "number"),
}
_BINARY_CHARSET = 63


def _column(field: Any) -> ResultColumn:
    name, kind = _TYPES.get(field.type_code, ("", ""))
    if not name:
        binary = field.charsetnr == _BINARY_CHARSET
        name, kind = ("blob", "binary") if binary else ("text", "text")
    return ResultColumn(field.name, name, kind)


def estimate(plan: Any) -> Estimate:
    """Rows examined, the cost where the server gives one, and tables read whole."""
    scans: dict[str, None] = {}
    rows = _examined(plan, scans)
    cost = (plan.get("query_block") or {}).get("cost_info", {}).get("query_cost") or plan.get("query_block", {}).get(
        "cost"
    )
    return Estimate(rows, float(cost) if cost is not None else None, tuple(scans), json.dumps(plan))


def _examined(node: Any, scans: dict[str, None]) -> int | None:
    if isinstance(node, list):
        counts = [count for item in node if (count := _examined(item, scans)) is not None]
        product = 1
        for count in counts:
            product *= max(count, 1)
        return product if counts else None
    if not isinstance(node, dict):
        return None
    own = node.get("rows", node.get("rows_examined_per_scan"))
    if node.get("access_type") == "ALL" and "attached_condition" not in node and "table_name" in node:
        scans[str(node["table_name"])] = None
    below = _examined([value for value in node.values() if isinstance(value, (dict, list))], scans)
    return int(own) if own is not None else below
