"""The same generator fills every engine it names, and the executor reads the same figures from all of them."""

import datetime
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.servers import Server, free_port

from inquery.databases.executor.execute import attach, detach, execute, introspect
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.demo import build_demo, fill_demo
from inquery.demo.definitions import TABLES
from inquery.errors import BadRequest, ConnectFailed
from inquery.sql import Catalog, check

TODAY = datetime.date(2026, 11, 15)
REFERENCES = sum(bool(column.references) for table in TABLES for column in table.columns)
FIGURES = (
    "SELECT (SELECT COUNT(*) FROM web_events) AS events, (SELECT COUNT(*) FROM customers WHERE email IS NULL) AS silent, "
    "(SELECT COUNT(*) FROM orders WHERE store_id IS NULL) AS online, (SELECT SUM(quantity) FROM order_items) AS units, "
    "(SELECT COUNT(DISTINCT city) FROM customers) AS cities"
)
REVENUE = "SELECT SUM(total_amount) AS s FROM orders WHERE status <> 'cancelled'"


@pytest.fixture
def attached_id() -> Iterator[str]:
    yield "demo-engine"
    detach("demo-engine")


async def figures(url: str, name: str) -> tuple[list[int], float, Catalog]:
    engine = open_engine(parse_address(url))
    attach(name, engine)
    catalog = await introspect(name)
    rows = []
    for statement in (FIGURES, REVENUE):
        checked = check(statement, dialect=engine.dialect, catalog=catalog)
        rows.append((await execute(name, checked)).rows[0])
    return [int(value) for value in rows[0]], float(rows[1][0]), catalog


@pytest.fixture(scope="session")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build_demo(path, today=TODAY)
    return f"sqlite:///{path}"


@pytest.fixture
def empty_postgres(postgres: Server) -> Iterator[str]:
    import psycopg

    login = {"host": "127.0.0.1", "port": postgres.port, "user": postgres.admin, "password": postgres.password}
    with psycopg.connect(**login, dbname="postgres", autocommit=True) as admin:  # type: ignore[arg-type]
        admin.execute("CREATE DATABASE demo_fill")
        yield f"postgresql://{postgres.admin}:{quote(postgres.password, safe='')}@127.0.0.1:{postgres.port}/demo_fill"
        detach("demo-engine")
        admin.execute("DROP DATABASE demo_fill WITH (FORCE)")


@pytest.fixture
def empty_mariadb(mariadb: Server) -> Iterator[str]:
    import pymysql

    with closing(
        pymysql.connect(host="127.0.0.1", port=mariadb.port, user=mariadb.admin, password=mariadb.password)
    ) as admin:
        admin.cursor().execute("CREATE DATABASE demo_fill")
        yield f"mysql://{mariadb.admin}:{quote(mariadb.password, safe='')}@127.0.0.1:{mariadb.port}/demo_fill"
        detach("demo-engine")
        admin.cursor().execute("DROP DATABASE demo_fill")


async def compare(url: str, sqlite_url: str, name: str, *, references: int, comments: bool = True) -> None:
    expected, revenue, _ = await figures(sqlite_url, name)
    detach(name)
    found, money, catalog = await figures(url, name)
    assert found == expected
    assert money == pytest.approx(revenue, abs=0.01)
    tables = {table.name: table for table in catalog.tables}
    assert set(tables) == {table.name for table in TABLES}
    assert sum(len(table.foreign_keys) for table in catalog.tables) == references
    if comments:
        assert "订单" in tables["orders"].comment
        assert "下单时间" in next(c.comment for c in tables["orders"].columns if c.name == "ordered_at")


async def test_postgresql(empty_postgres: str, sqlite_url: str, attached_id: str) -> None:
    fill_demo(empty_postgres, today=TODAY)
    await compare(empty_postgres, sqlite_url, attached_id, references=REFERENCES)
    with pytest.raises(BadRequest) as caught:
        fill_demo(empty_postgres, today=TODAY)
    assert "empty" in caught.value.public_message("en")


async def test_mariadb(empty_mariadb: str, sqlite_url: str, attached_id: str) -> None:
    fill_demo(empty_mariadb, today=TODAY)
    await compare(empty_mariadb, sqlite_url, attached_id, references=REFERENCES)


async def test_duckdb(tmp_path: Path, sqlite_url: str, attached_id: str) -> None:
    url = f"duckdb:///{tmp_path}/demo.duckdb"
    fill_demo(url, today=TODAY)
    # DuckDB cannot declare the three references to the table itself or to one that comes later.
    await compare(url, sqlite_url, attached_id, references=REFERENCES - 3)
    with pytest.raises(BadRequest):
        fill_demo(url, today=TODAY)


async def test_chdb(tmp_path: Path, sqlite_url: str, attached_id: str) -> None:
    url = f"chdb:///{tmp_path}/demo-chdb"
    fill_demo(url, today=TODAY)
    await compare(url, sqlite_url, attached_id, references=0)


def test_a_server_that_does_not_answer_is_told() -> None:
    with pytest.raises(ConnectFailed):
        fill_demo(f"postgresql://u:p@127.0.0.1:{free_port()}/x", today=TODAY)
