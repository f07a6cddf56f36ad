"""Snowflake: one statement a call, a limit in the session, cancel by session; what may be read is the role's."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress
from inquery.databases.engines.cursors import bad_url, batches, column, only_query, split_path
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.engines.snowflake import ABOUT
from inquery.databases.engines.snowflake.dictionary import INTROSPECTION, KEYS, READ, READING, ROLE, TYPES, classify
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, check_name
from inquery.errors import InqueryError
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
_SUFFIX = ".snowflakecomputing.com"


@dataclass
class SnowflakeSession:
    """A connection and its session's number, by which its statements are cancelled."""

    connection: Any
    number: int


class SnowflakeEngine(Engine):
    """The engine of `snowflake://user@account/database/schema`."""

    about = ABOUT
    parameters = frozenset({"warehouse", "role", "private_key_file", "private_key_passphrase"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.path = split_path(address.database, 2)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the account's name, which becomes a host name, and the parameters."""
        load_driver("snowflake.connector", "snowflake")
        account = (address.host or "").removesuffix(_SUFFIX)
        if not _ACCOUNT.fullmatch(account):
            raise bad_url(
                "name the account: snowflake://user@account/database", "请写明账户：snowflake://user@account/database"
            )
        if not split_path(address.database, 2):
            raise bad_url(
                "name the database: snowflake://user@account/database",
                "请写明数据库：snowflake://user@account/database",
            )
        check_name(account + _SUFFIX, settings)
        if "private_key_file" in address.params:
            check_file(address.params["private_key_file"], settings)
        return cls(address, settings)

    def open(self) -> SnowflakeSession:
        """Connect; several statements in one call are switched off."""
        import snowflake.connector

        connection = snowflake.connector.connect(**connect_arguments(self.address, self.settings))
        s = SnowflakeSession(connection, int(getattr(connection, "session_id", None) or 0))
        try:
            told = self._keys(s, READ)
            # A stand-in for the service may not know the parameter, and then has nothing that it changes.
            refuse_other_reading(READING, READING | {str(row["key"]).upper(): row["value"] for row in told})
        except BaseException:
            self.close(s)
            raise
        return s

    def close(self, s: SnowflakeSession) -> None:
        """Close the session on the server."""
        import snowflake.connector

        with contextlib.suppress(snowflake.connector.Error):
            s.connection.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables and columns in two queries, keys in two more where the account may see them."""
        s = self.open()
        try:
            rows = {}
            for done, (name, sql) in enumerate(INTROSPECTION.items()):
                progress(name, done, len(INTROSPECTION) + 1)
                rows[name] = self._rows(s, sql)
            keys = {name: self._keys(s, sql) for name, sql in KEYS.items()}
        finally:
            self.close(s)
        progress("keys", len(INTROSPECTION) + 1, len(INTROSPECTION) + 1)
        return catalogue(rows, keys, self.path)

    def explain(self, s: SnowflakeSession, sql: CheckedSql) -> Estimate | None:
        """Bytes to be read, by EXPLAIN, which needs no warehouse."""
        only_query(sql.text, self.dialect)
        rows = self._rows(s, "EXPLAIN USING JSON " + sql.text)
        return estimate(rows[0][0]) if rows else None

    def stream(self, s: SnowflakeSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches as result chunks arrive; the limit holds on the service for this statement, and in the connector."""
        only_query(sql.text, self.dialect)
        seconds = max(1, math.ceil(limits.timeout_s))
        with s.connection.cursor() as cursor:
            cursor.execute(sql.text, timeout=seconds, _statement_params={"STATEMENT_TIMEOUT_IN_SECONDS": seconds})
            columns = tuple(column(d[0], TYPES.get(d[1], "")) for d in cursor.description or ())
            yield from batches(cursor, columns, limits)

    def cancel(self, s: SnowflakeSession) -> None:
        """Cancel what the session runs, from a second cursor."""
        with s.connection.cursor() as cursor:
            cursor.execute(f"SELECT SYSTEM$CANCEL_ALL_QUERIES({s.number})")

    def reset(self, s: SnowflakeSession) -> None:
        """Undo settings a session may have been given; a query cannot give it any."""
        self._rows(s, "SELECT 1")

    def classify(self, error: BaseException) -> InqueryError:
        """By Snowflake's number, then by SQLSTATE."""
        return classify(error)

    def check_role(self, s: SnowflakeSession) -> str | None:
        """A role of administrators."""
        rows = self._rows(s, ROLE)
        role = str(rows[0][0] or "").upper() if rows else ""
        return role if role in {"ACCOUNTADMIN", "SECURITYADMIN", "SYSADMIN", "ORGADMIN", "USERADMIN"} else None

    def _rows(self, s: SnowflakeSession, text: str) -> list[Any]:
        with s.connection.cursor() as cursor:
            rows: list[Any] = cursor.execute(text).fetchall()
        return rows

    def _keys(self, s: SnowflakeSession, text: str) -> list[dict[str, Any]]:
        import snowflake.connector

        try:
            with s.connection.cursor() as cursor:
                cursor.execute(text)
                names = [d[0].lower() for d in cursor.description]
                return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        except snowflake.connector.ProgrammingError:
            # Keys are hints, enforced by nobody; a role that may not list them still reads the tables.
            return []


def connect_arguments(address: Address, settings: DatabaseSettings) -> dict[str, Any]:
    """Arguments of snowflake.connector.connect."""
    path = split_path(address.database, 2)
    arguments: dict[str, Any] = {
        "account": (address.host or "").removesuffix(_SUFFIX),
        "user": address.user,
        "database": path[0],
        "schema": path[1] if len(path) > 1 else "PUBLIC",
        "login_timeout": settings.connect_timeout_s,
        "application": "inquery",
        "client_session_keep_alive": False,
        "session_parameters": {"MULTI_STATEMENT_COUNT": 1, "QUERY_TAG": "inquery", "TIMEZONE": "UTC", **READING},
    }
    if address.secret is not None:
        arguments["password"] = address.secret
    for name in ("warehouse", "role", "private_key_file"):
        if name in address.params:
            arguments[name] = address.params[name]
    if "private_key_passphrase" in address.params:
        arguments["private_key_file_pwd"] = address.params["private_key_passphrase"]
    return arguments


def catalogue(rows: dict[str, list[Any]], keys: dict[str, list[dict[str, Any]]], path: Any) -> Catalog:
    """The catalogue of one database; a table's path is schema and name."""
    raw = Raw(
        tables=[
            ((schema, name), "view" if "VIEW" in kind else "table", comment, count)
            for schema, name, kind, comment, count in rows["tables"]
        ],
        columns=[
            ((schema, table), name, kind, nullable == "YES", comment)
            for schema, table, name, kind, nullable, comment in rows["columns"]
        ],
        keys=[((key["schema_name"], key["table_name"]), key["column_name"]) for key in keys["primary"]],
        foreign=[
            (
                key["fk_name"],
                (key["fk_schema_name"], key["fk_table_name"]),
                key["fk_column_name"],
                (key["pk_schema_name"], key["pk_table_name"]),
                key["pk_column_name"],
            )
            for key in sorted(keys["foreign"], key=lambda k: (str(k["fk_name"]), int(k["key_sequence"])))
        ],
    )
    return assemble_catalog(raw, dialect="snowflake", default_schema=(path[1] if len(path) > 1 else "PUBLIC",))


def estimate(plan: str) -> Estimate:
    """Bytes assigned to be read, and tables of which every partition is."""
    found = json.loads(plan)
    size = (found.get("GlobalStats") or {}).get("bytesAssigned")
    scans: dict[str, None] = {}
    for step in (node for group in found.get("Operations") or [] for node in group):
        whole = step.get("partitionsAssigned") == step.get("partitionsTotal")
        if step.get("operation") == "TableScan" and whole:
            scans.update(dict.fromkeys(step.get("objects") or []))
    return Estimate(cost=None if size is None else float(size), full_scans=tuple(scans), plan=plan)
