"""The demo in a database server or another embedded engine, for trying an engine with known data.

The tables are created in a database the caller gives for this purpose, so drivers are used directly.
"""

from __future__ import annotations

import csv
import datetime
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address, parse_address
from inquery.demo.build import SEED, build_demo, rows_of
from inquery.demo.ddl import create, finish, quote
from inquery.demo.definitions import BY_NAME
from inquery.demo.knowledge import comments
from inquery.errors import BadRequest, ConnectFailed
from inquery.settings import get_settings

if TYPE_CHECKING:
    from inquery.demo.randomness import Columns

    Tables = dict[str, Columns]


def fill_demo(url: str, *, seed: int = SEED, today: datetime.date | None = None) -> None:
    """Create the demo tables behind an address and load them: SQLite, PostgreSQL, MariaDB, DuckDB or chdb."""
    from inquery.demo.generate import generate_tables

    address = parse_address(url)
    day = today or get_settings().day()
    if address.scheme == "sqlite":
        build_demo(address.database, seed=seed, today=day)
        return
    writer = WRITERS.get(address.scheme)
    if writer is None:
        known = ", ".join(["sqlite", *WRITERS])
        raise BadRequest.because(f"the demo can be written to {known}", f"演示数据可写入 {known}")
    writer(address, generate_tables(seed, day))


def csv_text(columns: Columns) -> str:
    r"""A table as CSV with NULL as \N."""
    out = io.StringIO()
    plain = ([r"\N" if value is None else value for value in row] for row in rows_of(columns))
    csv.writer(out, lineterminator="\n").writerows(plain)
    return out.getvalue()


@contextmanager
def csv_files(tables: Tables) -> Iterator[dict[str, Path]]:
    """The tables as CSV files that are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="inquery-demo-") as folder:
        paths = {}
        for name, columns in tables.items():
            paths[name] = Path(folder) / f"{name}.csv"
            paths[name].write_text(csv_text(columns), "utf-8", newline="")
        yield paths


def _fill_postgres(address: Address, tables: Tables) -> None:
    psycopg = load_driver("psycopg", "postgresql")
    with (
        _writing(psycopg.OperationalError, psycopg.Error),
        psycopg.connect(
            host=address.host,
            port=address.port or 5432,
            user=address.user,
            password=address.secret,
            dbname=address.database,
            connect_timeout=10,
        ) as connection,
        connection.cursor() as cursor,
    ):
        for statement in create("postgres", comments()):
            cursor.execute(statement)
        for name, columns in tables.items():
            with cursor.copy(rf"COPY {name} FROM STDIN (FORMAT csv, NULL '\N')") as copy:
                copy.write(csv_text(columns))
        for statement in finish("postgres", comments()):
            cursor.execute(statement)


def _fill_mysql(address: Address, tables: Tables) -> None:
    pymysql = load_driver("pymysql", "mysql")
    with (
        _writing(pymysql.err.OperationalError, pymysql.err.Error),
        closing(
            pymysql.connect(
                host=address.host,
                port=address.port or 3306,
                user=address.user,
                password=address.secret or "",
                database=address.database,
                charset="utf8mb4",
                connect_timeout=10,
            )
        ) as connection,
        connection.cursor() as cursor,
    ):
        # The rows refer rightly by construction; with checks off a reference is added without copying the table.
        cursor.execute("SET SESSION foreign_key_checks = 0, unique_checks = 0")
        for statement in create("mysql", comments()):
            cursor.execute(statement)
        for name, columns in tables.items():
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", list(rows_of(columns)))
        connection.commit()
        for statement in finish("mysql", comments()):
            cursor.execute(statement)
        cursor.execute("ANALYZE TABLE " + ", ".join(tables))
        cursor.fetchall()


def _fill_duckdb(address: Address, tables: Tables) -> None:
    duckdb = load_driver("duckdb", "duckdb")
    target = _unused(address)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with csv_files(tables) as files, closing(duckdb.connect(str(fresh))) as connection:
            for statement in create("duckdb", comments()):
                connection.execute(statement)
            for name, path in files.items():
                connection.execute(rf"COPY {name} FROM {quote(str(path))} (FORMAT csv, HEADER false, NULLSTR '\N')")
            for statement in finish("duckdb", comments()):
                connection.execute(statement)
        os.replace(fresh, target)
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()


def _fill_chdb(address: Address, tables: Tables) -> None:
    session_module = load_driver("chdb.session", "chdb")
    target = _unused(address)
    with csv_files(tables) as files, closing(session_module.Session(str(target))) as session:
        for statement in create("clickhouse", comments()):
            session.query(statement)
        for name, path in files.items():
            shape = ", ".join(f"{column.name} {_chdb_type(column.type)}" for column in BY_NAME[name].columns)
            session.query(f"INSERT INTO {name} SELECT * FROM file({quote(str(path))}, CSV, {quote(shape)})")


def _unused(address: Address) -> Path:
    """The path of a database that is not there yet, so that nobody's data is touched."""
    target = Path(address.database).expanduser()
    if target.exists():
        raise BadRequest.because(f"{target.name} exists already", f"{target.name} 已存在")
    return target


def _chdb_type(kind: str) -> str:
    from inquery.demo.ddl import TYPES

    return f"Nullable({TYPES['clickhouse'][kind]})"


@contextmanager
def _writing(unreachable: type[Exception], refused: type[Exception]) -> Iterator[None]:
    """Say plainly that the server cannot be reached, or that it takes no new tables."""
    try:
        yield
    except unreachable as error:
        raise ConnectFailed.because(
            "the server did not accept the connection", "服务器未接受连接", detail=str(error)
        ) from error
    except refused as error:
        raise BadRequest.because(
            "the database must be empty and the account must be allowed to create tables",
            "数据库必须为空，且账号需有建表权限",
            detail=str(error),
        ) from error


WRITERS: dict[str, Callable[[Address, Tables], Any]] = {
    "postgresql": _fill_postgres,
    "mysql": _fill_mysql,
    "duckdb": _fill_duckdb,
    "chdb": _fill_chdb,
}
