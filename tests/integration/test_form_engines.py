"""The form's new words give the same rows on every engine that runs here."""

import datetime
import decimal
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from tests.servers import Server
from tests.unit.form.shop import NAMES, ROWS, SCHEMA, TABLES
from tests.unit.form.test_new_words import CASES, FORMS, expected
from tests.unit.form.test_to_sql import plain

from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql

CHDB = """
import json, sys
import chdb
connection = chdb.connect(":memory:")
made, asked = json.load(sys.stdin)
for text in made:
    connection.query(text)
def ask(text):
    try:
        return [json.loads(line) for line in str(connection.query(text, "JSONCompactEachRow")).splitlines()]
    except Exception as error:
        return str(error)
print(json.dumps([ask(text) for text in asked]))
"""
CLICKHOUSE_TYPES = {"INTEGER": "Nullable(Int64)", "TEXT": "Nullable(String)", "REAL": "Nullable(Float64)"}


def shown(rows: Any) -> list[tuple[Any, ...]]:
    """Rows with the drivers' own numbers and dates as SQLite has them."""

    def value(cell: Any) -> Any:
        if isinstance(cell, decimal.Decimal):
            return float(cell)
        return cell.isoformat() if isinstance(cell, datetime.date) else cell

    return plain([tuple(map(value, row)) for row in rows])


def close_to(found: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    """Equal, with figures as near as engines divide."""
    if len(found) != len(wanted) or any(len(a) != len(b) for a, b in zip(found, wanted, strict=True)):
        return False

    def same(a: Any, b: Any) -> bool:
        if isinstance(a, int | float) and isinstance(b, int | float):
            return float(a) == pytest.approx(float(b), rel=1e-4)
        return bool(a == b)

    left = list(wanted)
    for row in found:
        match = next((other for other in left if all(map(same, row, other))), None)
        if match is None:
            return False
        left.remove(match)
    return True


def statements(quote: str, types: dict[str, str], after: str = "") -> list[str]:
    """The shop as statements."""
    made = []
    for table in TABLES:
        columns = ", ".join(f"{quote}{c.name}{quote} {types.get(c.type, c.type)}" for c in table.columns)
        key = next(c.name for c in table.columns if c.primary_key)
        primary = "" if after else f", PRIMARY KEY ({quote}{key}{quote})"
        made.append(f"CREATE TABLE {quote}{table.name}{quote} ({columns}{primary}){after}")
        for row in ROWS[table.name]:
            cells = ", ".join("NULL" if v is None else f"'{v}'" if isinstance(v, str) else str(v) for v in row)
            made.append(f"INSERT INTO {quote}{table.name}{quote} VALUES ({cells})")
    return made


@pytest.fixture(scope="module")
def on_postgres(postgres: Server) -> Iterator[Any]:
    import psycopg

    login = {"host": "127.0.0.1", "port": postgres.port, "user": postgres.admin, "password": postgres.password}
    with psycopg.connect(**login, dbname="postgres", autocommit=True) as admin:  # type: ignore[arg-type]
        admin.execute("CREATE DATABASE form_words")
        with psycopg.connect(**login, dbname="form_words", autocommit=True) as connection:  # type: ignore[arg-type]
            for text in statements('"', {"REAL": "DOUBLE PRECISION"}):
                connection.execute(text)  # type: ignore[call-overload]
            yield connection
        admin.execute("DROP DATABASE form_words WITH (FORCE)")


@pytest.fixture(scope="module")
def on_mariadb(mariadb: Server) -> Iterator[Any]:
    import pymysql

    login = {"host": "127.0.0.1", "port": mariadb.port, "user": mariadb.admin, "password": mariadb.password}
    with closing(pymysql.connect(**login, autocommit=True)) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE form_words CHARACTER SET utf8mb4")
        cursor.execute("USE form_words")
        for text in statements("`", {"REAL": "DOUBLE"}):
            cursor.execute(text)
        yield cursor
        cursor.execute("DROP DATABASE form_words")


@pytest.fixture(scope="module")
def on_chdb() -> dict[str, Any]:
    """The rows of every form; chdb takes one folder a process, so it has one of its own."""
    pytest.importorskip("chdb")
    made = statements("`", CLICKHOUSE_TYPES | {"DATE": "Nullable(Date32)"}, " ENGINE = Memory")
    asked = [to_sql(read_form(form, NAMES), SCHEMA, "clickhouse") for form in FORMS]
    run = subprocess.run(
        [sys.executable, "-c", CHDB], input=json.dumps([made, asked]), capture_output=True, text=True, check=True
    )
    return dict(zip(FORMS, json.loads(run.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_postgresql(on_postgres: Any, case: dict[str, Any]) -> None:
    sql = to_sql(read_form(case["form"], NAMES), SCHEMA, "postgres")
    assert close_to(shown(on_postgres.execute(sql).fetchall()), expected(case)), sql


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_mariadb(on_mariadb: Any, case: dict[str, Any]) -> None:
    sql = to_sql(read_form(case["form"], NAMES), SCHEMA, "mysql")
    on_mariadb.execute(sql)
    assert close_to(shown(on_mariadb.fetchall()), expected(case)), sql


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_chdb(on_chdb: dict[str, Any], case: dict[str, Any]) -> None:
    found = on_chdb[case["form"]]
    sql = to_sql(read_form(case["form"], NAMES), SCHEMA, "clickhouse")
    assert not isinstance(found, str), f"{found}: {sql}"
    assert close_to(shown(found), expected(case)), sql
