"""PostgreSQL under the contract."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql
from tests.contract.case import NUMBERS, EngineCase, TableSpec
from tests.servers import Server

from inquery.databases.transport.address import parse_address


class PostgresCase(EngineCase):
    name = "postgres"
    dialect = "postgres"
    types: ClassVar[Mapping[str, str]] = {
        "integer": "integer", "bigint": "bigint", "real": "double precision", "decimal": "numeric(12,2)", "text": "text",
        "boolean": "boolean", "date": "date", "datetime": "timestamp", "blob": "bytea",
    }  # fmt: skip
    endless_sql = "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"
    session_changes = (
        "SELECT set_config('search_path', 'evil', false)",
        "SELECT set_config('TimeZone', 'Asia/Tokyo', false)",
        "SELECT set_config('default_transaction_read_only', 'off', false)",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT set_config('standard_conforming_strings', 'off', false)",
        "SET TimeZone = 'Asia/Tokyo'",
        "SELECT pg_advisory_lock(42)",
        "CREATE TEMP TABLE left_behind (id int)",
        "PREPARE left_behind AS SELECT 1",
        "LISTEN left_behind",
        "BEGIN",
    )
    session_probe_sql = """
        SELECT current_setting('search_path'), current_setting('standard_conforming_strings'),
               current_setting('TimeZone'), current_setting('statement_timeout'),
               current_setting('default_transaction_read_only'), current_setting('transaction_read_only'),
               (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
               (SELECT count(*) FROM pg_prepared_statements), (SELECT count(*) FROM pg_listening_channels()),
               (SELECT count(*) FROM pg_class WHERE relname = 'left_behind')"""
    widest = 1600  # PostgreSQL itself allows no more

    def __init__(self, server: Server) -> None:
        self.server = server

    @contextmanager
    def admin(self, database: str) -> Iterator[psycopg.Connection[Any]]:
        s = self.server
        with psycopg.connect(
            host="127.0.0.1", port=s.port, user=s.admin, password=s.password, dbname=database, autocommit=True
        ) as connection:
            yield connection

    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        name, s = f"case {next(NUMBERS)}", self.server
        with self.admin("postgres") as db:
            db.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with self.admin(name) as db:
            db.execute(f"ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO {s.reader}")
            for table in tables:
                self._create(db, table)
        return f"postgresql://{s.reader}:{quote(s.reader_password, safe='')}@127.0.0.1:{s.port}/{quote(name)}"

    def _create(self, db: psycopg.Connection[Any], table: TableSpec) -> None:
        db.execute(self.create_sql(table))
        columns = sql.SQL(", ").join([sql.Identifier(c.name) for c in table.columns])
        with (
            db.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), columns)) as copy,
        ):
            for row in table.rows:
                copy.write_row(row)
        comment = sql.SQL("COMMENT ON TABLE {} IS {}")
        db.execute(comment.format(sql.Identifier(table.name), sql.Literal(table.comment or None)))
        for column in table.columns:
            if column.comment:
                where = sql.Identifier(table.name, column.name)
                db.execute(sql.SQL("COMMENT ON COLUMN {} IS {}").format(where, sql.Literal(column.comment)))
        db.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table.name)))

    def run_as_admin(self, url: str, *statements: str) -> None:
        with self.admin(parse_address(url).database) as db:
            for statement in statements:
                db.execute(statement)

    def digest(self, url: str) -> str:
        parts: list[Any] = []
        with self.admin(parse_address(url).database) as db:
            parts += db.execute(
                "SELECT oid, relname, relkind, relacl::text, reloptions FROM pg_class WHERE relnamespace NOT IN "
                "(SELECT oid FROM pg_namespace WHERE nspname ~ '^pg_toast' OR nspname ~ '^pg_temp') ORDER BY oid"
            ).fetchall()
            parts += db.execute("SELECT * FROM pg_db_role_setting ORDER BY 1, 2").fetchall()
            parts += db.execute("SELECT rolname, rolsuper, rolconfig FROM pg_roles ORDER BY 1").fetchall()
            parts += db.execute("SELECT oid, proname FROM pg_proc WHERE oid >= 16384 ORDER BY 1").fetchall()
            parts += db.execute("SELECT loid, pageno, data FROM pg_largeobject ORDER BY 1, 2").fetchall()
            parts += db.execute("SELECT * FROM pg_ls_dir('pg_stat_tmp') ORDER BY 1").fetchall()
            names = db.execute("SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 2")
            for schema, name in names.fetchall():
                query = sql.SQL("SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {} t")
                parts += db.execute(query.format(sql.Identifier(schema, name))).fetchall()
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def running(self, url: str) -> int:
        with self.admin("postgres") as db:
            row = db.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND state = 'active'", (self.server.reader,)
            ).fetchone()
            return int(row[0]) if row else 0

    def kill_sessions(self, url: str) -> None:
        with self.admin("postgres") as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (self.server.reader,)
            )

    def numbers_sql(self, n: int) -> str:
        return f"SELECT generate_series(1, {n}) AS n"  # in FROM it would be materialised first

    def wide_text_sql(self, length: int) -> str:
        return f"SELECT repeat('x', {length}) AS t"


def open_case(request: pytest.FixtureRequest, folder: Path) -> PostgresCase:
    return PostgresCase(request.getfixturevalue("postgres"))
