"""MariaDB under the contract."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import pymysql
import pytest
from tests.contract.case import NUMBERS, ColumnSpec, EngineCase, TableSpec
from tests.servers import Server

from inquery.databases.transport.address import parse_address


class MariadbCase(EngineCase):
    name = "mariadb"
    dialect = "mysql"
    types: ClassVar[Mapping[str, str]] = {
        "integer": "int", "bigint": "bigint", "real": "double", "decimal": "decimal(12,2)", "text": "varchar(200)",
        "boolean": "boolean", "date": "date", "datetime": "datetime", "blob": "longblob",
    }  # fmt: skip
    quote_mark = "`"
    endless_sql = (
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
        "SELECT count(*) FROM n a, n b, n c, n d"
    )
    session_changes = (
        "SET SESSION sql_mode = 'ANSI_QUOTES'",
        "SET SESSION time_zone = '+09:00'",
        "SET SESSION TRANSACTION READ WRITE",
        "SET SESSION max_statement_time = 0",
        "SET NAMES latin1",
        "SET @left_behind = 7",
        "SELECT @left_behind := 7",
        "SELECT GET_LOCK('left_behind', 0)",
        "PREPARE left_behind FROM 'SELECT 1'",
        "START TRANSACTION",
        "USE information_schema",
    )
    session_probe_sql = """
        SELECT @@sql_mode, @@time_zone, @@session.tx_read_only, @@character_set_client, @@max_statement_time,
               @left_behind, IS_USED_LOCK('left_behind'), database()"""
    mismatch_sql = "SELECT CAST(18446744073709551615 AS UNSIGNED) + 1 + id FROM customer"
    names_refused = ("smile 🙂",)  # identifiers of MySQL and MariaDB end at U+FFFF
    shapes_missing = frozenset({"full"})
    widest = 1000  # InnoDB allows 1017

    def __init__(self, server: Server) -> None:
        self.server = server

    @contextmanager
    def admin(self, database: str | None = None) -> Iterator[Any]:
        s = self.server
        connection = pymysql.connect(
            host="127.0.0.1", port=s.port, user=s.admin, password=s.password, database=database, autocommit=True
        )
        with closing(connection), connection.cursor() as cursor:
            yield cursor

    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        name, s = f"case {next(NUMBERS)}", self.server
        with self.admin() as db:
            db.execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
            db.execute(f"GRANT SELECT ON `{name}`.* TO `{s.reader}`@`%`")
        with self.admin(name) as db:
            for table in tables:
                db.execute(self.create_sql(table))
                if table.rows:
                    marks = ", ".join(["%s"] * len(table.columns))
                    db.execute("SET foreign_key_checks = 0")
                    target = self.quote(table.name).replace("%", "%%")
                    db.executemany(f"INSERT INTO {target} VALUES ({marks})", table.rows)
        return f"mariadb://{s.reader}:{quote(s.reader_password, safe='')}@127.0.0.1:{s.port}/{quote(name)}"

    def column_comment(self, column: ColumnSpec) -> str:
        return f" COMMENT '{column.comment}'" if column.comment else ""

    def table_suffix(self, table: TableSpec) -> str:
        return f" COMMENT='{table.comment}'" if table.comment else ""

    def run_as_admin(self, url: str, *statements: str) -> None:
        with self.admin(parse_address(url).database) as db:
            for statement in statements:
                db.execute(statement)

    def digest(self, url: str) -> str:
        database = parse_address(url).database
        parts: list[Any] = []
        with self.admin(database) as db:
            for query in (
                "SHOW DATABASES",
                "SELECT user, host, authentication_string FROM mysql.user ORDER BY 1, 2",
                "SELECT * FROM mysql.tables_priv",
                "SELECT name, body FROM mysql.proc WHERE db <> 'sys' AND db <> 'mysql' ORDER BY 1",
                f"SELECT table_name, create_time, table_comment FROM information_schema.tables "
                f"WHERE table_schema = '{database}' ORDER BY 1",
                "SELECT variable_name, variable_value FROM information_schema.global_variables "
                "WHERE variable_name NOT LIKE '%GTID%' AND variable_name NOT LIKE '%TIME%' ORDER BY 1",
            ):
                db.execute(query)
                parts += db.fetchall()
            db.execute("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'")
            for name, _ in db.fetchall():
                db.execute(f"SELECT * FROM {self.quote(name)}")
                parts.append(sorted(map(repr, db.fetchall())))
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def running(self, url: str) -> int:
        with self.admin() as db:
            db.execute(
                "SELECT count(*) FROM information_schema.processlist WHERE user = %s AND command <> 'Sleep'",
                (self.server.reader,),
            )
            return int(db.fetchone()[0])

    def kill_sessions(self, url: str) -> None:
        with self.admin() as db:
            db.execute(f"KILL CONNECTION USER '{self.server.reader}'")

    def numbers_sql(self, n: int) -> str:
        return f"SELECT seq AS n FROM seq_1_to_{n}"

    def text_of(self, expression: str) -> str:
        return f"concat('name ', {expression})"

    def wide_text_sql(self, length: int) -> str:
        return f"SELECT repeat('x', {length}) AS t"


def open_case(request: pytest.FixtureRequest, folder: Path) -> MariadbCase:
    return MariadbCase(request.getfixturevalue("mariadb"))
