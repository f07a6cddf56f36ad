"""A server reads a statement as the guard read it, whatever its roles, databases and defaults were told."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from psycopg import sql as pg
from tests.contract.case import ColumnSpec, TableSpec
from tests.contract.cases_mariadb import MariadbCase
from tests.contract.cases_postgres import PostgresCase
from tests.contract.conftest import connect
from tests.servers import Server

from inquery.databases.engine import Limits
from inquery.databases.engines.clickhouse.statements import READING as CLICKHOUSE
from inquery.databases.engines.mssql import dictionary as mssql
from inquery.databases.engines.oracle import dictionary as oracle
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.engines.postgres.engine import READING as POSTGRES
from inquery.databases.engines.snowflake import dictionary as snowflake
from inquery.databases.engines.trino.engine import READING as TRINO
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import ConnectFailed
from inquery.sql import Policy, check

NOTES = TableSpec("notes", [ColumnSpec("id"), ColumnSpec("region", "text")], [(1, "north"), (2, None), (3, "south")])
LIMITS = Limits(timeout_s=60, rows=100)

HOSTILE_POSTGRES = {
    "standard_conforming_strings": "off",
    "backslash_quote": "on",
    "transform_null_equals": "on",
    "array_nulls": "off",
    "row_security": "off",
    "client_encoding": "LATIN1",
    "search_path": "decoys, public",
}


@contextmanager
def hostile_postgres(case: PostgresCase, level: str) -> Iterator[str]:
    url = case.make_database([NOTES])
    case.run_as_admin(url, "CREATE SCHEMA decoys", "CREATE TABLE decoys.notes (id int, region text)")
    name = pg.Identifier(parse_address(url).database)
    role = pg.Identifier(case.server.reader)
    target = {
        "database": pg.SQL("ALTER DATABASE {}").format(name),
        "role": pg.SQL("ALTER ROLE {} IN DATABASE {}").format(role, name),
    }[level]
    with case.admin("postgres") as db:
        for setting, value in HOSTILE_POSTGRES.items():
            value_sql = pg.SQL(value) if setting == "search_path" else pg.Literal(value)
            db.execute(pg.SQL("{} SET {} = {}").format(target, pg.Identifier(setting), value_sql))
    yield url


@pytest.mark.parametrize("level", ["database", "role"])
async def test_postgres_is_told_otherwise_than_its_roles_and_databases(postgres: Server, level: str) -> None:
    with hostile_postgres(PostgresCase(postgres), level) as url, ExitStack() as stack:
        connect(stack, url, pool_size=1, pool_overflow=0)
        catalog = await executor.introspect(url)
        policy = Policy(tables=frozenset({"public.notes"}), row_filters={"public.notes": "region = NULL OR id = 1"})
        for _ in range(2):  # a session that is used again is set up again
            told = check("SELECT id, 'a\\' AS b FROM notes", dialect="postgres", catalog=catalog, policy=policy)
            assert (await executor.execute(url, told, limits=LIMITS, fresh=True)).rows == [(1, "a\\")]
            plain = check("SELECT count(*) AS n FROM notes WHERE region = NULL", dialect="postgres", catalog=catalog,
                          policy=Policy(tables=frozenset({"public.notes"})))  # fmt: skip
            assert (await executor.execute(url, plain, limits=LIMITS, fresh=True)).rows == [(0,)]


def test_postgres_keeps_the_path_it_first_had(postgres: Server) -> None:
    with hostile_postgres(PostgresCase(postgres), "database") as url:
        engine = open_engine(parse_address(url))
        session: Any = engine.open()
        try:
            for _ in range(2):
                names = ", ".join(f"current_setting('{name}')" for name in (*POSTGRES, "search_path"))
                found = session.connection.execute(f"SELECT {names}").fetchone()
                assert dict(zip(POSTGRES, found, strict=False)) == POSTGRES
                assert found[-1] == "public, pg_temp"  # `decoys` is closed to the reader
                session.connection.execute("SET search_path = decoys; SET transform_null_equals = on")
                engine.reset(session)
        finally:
            engine.close(session)


MODES = "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,IGNORE_SPACE"


@contextmanager
def hostile_mariadb(case: MariadbCase) -> Iterator[str]:
    url = case.make_database([NOTES])
    kept = ("sql_mode", "init_connect", "sql_auto_is_null", "character_set_server")
    with case.admin() as db:
        db.execute("SELECT " + ", ".join(f"@@GLOBAL.{name}" for name in kept))
        before = dict(zip(kept, db.fetchone(), strict=True))
        db.execute("SET GLOBAL sql_mode = %s, sql_auto_is_null = 1, init_connect = %s", (
            MODES, f"SET SESSION sql_mode = '{MODES}', SESSION sql_auto_is_null = 1, NAMES latin1"
        ))  # fmt: skip
        try:
            yield url
        finally:
            db.execute(
                "SET GLOBAL sql_mode = %s, sql_auto_is_null = %s, init_connect = %s",
                (before["sql_mode"], before["sql_auto_is_null"], before["init_connect"]),
            )


async def test_mariadb_is_told_otherwise_than_its_defaults(mariadb: Server) -> None:
    with hostile_mariadb(MariadbCase(mariadb)) as url, ExitStack() as stack:
        connect(stack, url, pool_size=1, pool_overflow=0)
        catalog = await executor.introspect(url)
        for _ in range(2):
            text = "SELECT 'it\\'s' AS a, \"text\" AS b, 1 || 0 AS c, NOT 1 BETWEEN -5 AND 5 AS d, '北' AS e"
            checked = check(text, dialect="mysql", catalog=catalog)
            assert (await executor.execute(url, checked, limits=LIMITS, fresh=True)).rows == [
                ("it's", "text", 1, 0, "北")
            ]


def test_mariadb_forgets_a_moment_that_a_session_was_told(mariadb: Server) -> None:
    case = MariadbCase(mariadb)
    engine = open_engine(parse_address(case.make_database([NOTES])))
    session: Any = engine.open()
    try:
        with session.connection.cursor() as cursor:
            cursor.execute("SET SESSION system_versioning_asof = '2020-01-01', sql_mode = 'ANSI_QUOTES'")
        engine.reset(session)
        with session.connection.cursor() as cursor:
            cursor.execute("SELECT @@system_versioning_asof, @@sql_mode LIKE '%ANSI_QUOTES%'")
            assert cursor.fetchone() == ("DEFAULT", 0)
    finally:
        engine.close(session)


READINGS: dict[str, Mapping[str, str]] = {
    "postgres": POSTGRES,
    "clickhouse": CLICKHOUSE,
    "mssql": mssql.READING,
    "oracle": oracle.READING,
    "snowflake": snowflake.READING,
    "trino": TRINO,
}


@pytest.mark.parametrize("engine", READINGS)
def test_a_setting_that_does_not_hold_is_refused_by_name(engine: str) -> None:
    wanted = READINGS[engine]
    refuse_other_reading(wanted, {name: value.upper() for name, value in wanted.items()})
    for name in wanted:
        for found in ({**wanted, name: "other"}, {key: value for key, value in wanted.items() if key != name}):
            with pytest.raises(ConnectFailed) as caught:
                refuse_other_reading(wanted, found)
            said = [caught.value.public_message("en"), caught.value.public_message("zh")]
            assert all(name in text for text in said)
            assert said[0] != said[1]


def test_what_is_asked_back_is_what_was_set() -> None:
    """The servers that do not run here: each setting is in the statement that sets it and in the one that asks for it."""
    for name in mssql.READING:
        assert f"SET {name} ON" in mssql.SET_UP
        assert f"'{name}'" in mssql.READ
    for name, value in oracle.READING.items():
        assert f"{name} = '{value}'" in oracle.SET_UP
    assert all(name in snowflake.READ for name in snowflake.READING)
