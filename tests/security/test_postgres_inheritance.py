"""PostgreSQL's inheritance: a table's rows are those of the tables above it too, and so are its rules."""

from collections.abc import AsyncIterator
from contextlib import ExitStack

import pytest
from tests.contract.cases_postgres import PostgresCase
from tests.contract.conftest import connect
from tests.servers import Server

from inquery.catalog.collect import collect
from inquery.catalog.stored import from_plain, plain
from inquery.catalog.visible import visible_catalog, visible_values
from inquery.databases.executor import execute as executor
from inquery.sql import Catalog, Policy, SqlRefused, check

MADE = (
    "CREATE TABLE note (id int, region text, body text)",
    "CREATE TABLE letter (stamp text) INHERITS (note)",
    "CREATE SCHEMA closed",
    "CREATE TABLE closed.kind () INHERITS (letter)",  # the reader may not use this schema
    "CREATE TABLE postcard (picture text) INHERITS (closed.kind)",
    "CREATE TABLE log (at int, body text) PARTITION BY LIST (at)",
    "CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1)",
    "INSERT INTO note VALUES (1, 'north', 'NOTE-SHOWN'), (2, 'south', 'NOTE-SECRET')",
    "INSERT INTO letter VALUES (3, 'north', 'LETTER-SHOWN', 'a'), (4, 'south', 'LETTER-SECRET', 'STAMP')",
    "INSERT INTO postcard VALUES (5, 'north', 'CARD-SHOWN', 'b', 'c'), (6, 'south', 'CARD-SECRET', 'STAMP', 'c')",
    "INSERT INTO log VALUES (1, 'LOG')",
)
NORTH = "region = 'north'"


@pytest.fixture
async def database(postgres: Server) -> AsyncIterator[tuple[str, Catalog]]:
    case = PostgresCase(postgres)
    with ExitStack() as stack:
        url = connect(stack, case.make_database())
        case.run_as_admin(url, *MADE)
        yield url, await executor.introspect(url)


async def read(database: tuple[str, Catalog], sql: str, policy: Policy) -> str:
    url, catalog = database
    checked = check(sql, dialect="postgres", catalog=catalog, policy=policy)
    return repr((await executor.execute(url, checked)).rows)


async def test_the_catalogue_knows_all_tables_above(database: tuple[str, Catalog]) -> None:
    _, catalog = database
    known = {table.name: {path[-1] for path in table.inherits} for table in catalog.tables}
    assert known == {"note": set(), "letter": {"note"}, "postcard": {"note", "letter"}, "log": set()}
    assert from_plain(plain(catalog)) == catalog


@pytest.mark.parametrize("table", ["note", "letter", "postcard"])
async def test_a_filter_covers_the_tables_below(database: tuple[str, Catalog], table: str) -> None:
    policy = Policy(row_filters={"public.note": NORTH})
    for sql in (f"SELECT * FROM {table}", f"SELECT * FROM ONLY {table}", f"SELECT body FROM {table} WHERE id > 0"):
        rows = await read(database, sql, policy)
        assert "SHOWN" in rows
        assert "SECRET" not in rows
    index = await collect(*database)
    assert f"public.{table}" in {place[0] for place in index.places}
    assert {place[0] for place in visible_values(index, database[1], policy).places} <= {"public.log"}


@pytest.mark.parametrize("table", ["note", "letter", "postcard"])
async def test_a_hidden_column_is_hidden_in_the_tables_below(database: tuple[str, Catalog], table: str) -> None:
    policy = Policy(hidden_columns=frozenset({"public.note.body"}))
    assert "SECRET" not in await read(database, f"SELECT * FROM {table}", policy)
    with pytest.raises(SqlRefused) as caught:
        await read(database, f"SELECT body FROM {table}", policy)
    assert caught.value.rule == "unknown_column"


@pytest.mark.parametrize(
    "policy",
    [Policy(row_filters={"public.postcard": NORTH}), Policy(hidden_columns=frozenset({"public.postcard.body"}))],
)
async def test_rules_of_a_table_are_not_passed_by_reading_one_above(
    database: tuple[str, Catalog], policy: Policy
) -> None:
    for table in ("note", "letter"):
        for sql in (f"SELECT * FROM {table}", f"SELECT count(*) FROM {table} AS t WHERE t.body LIKE 'CARD%'"):
            with pytest.raises(SqlRefused) as caught:
                await read(database, sql, policy)
            assert caught.value.rule == "forbidden_source"
            assert caught.value.name == f"public.{table}"
        alone = await read(database, f"SELECT body FROM ONLY {table}", policy)
        assert "SECRET" in alone
        assert "CARD" not in alone
    assert {table.name for table in visible_catalog(database[1], policy).tables} == {"postcard", "log"}
    assert "CARD-SECRET" not in await read(database, "SELECT * FROM postcard", policy)


async def test_the_same_rule_above_opens_the_table_again(database: tuple[str, Catalog]) -> None:
    policy = Policy(row_filters={"public.note": NORTH, "public.postcard": NORTH})
    for table in ("note", "letter", "postcard"):
        assert "SECRET" not in await read(database, f"SELECT * FROM {table}", policy)


async def test_a_column_the_table_above_does_not_have_closes_nothing(database: tuple[str, Catalog]) -> None:
    policy = Policy(hidden_columns=frozenset({"public.postcard.picture"}))
    assert "CARD-SECRET" in await read(database, "SELECT * FROM note", policy)
    with pytest.raises(SqlRefused):
        await read(database, "SELECT picture FROM postcard", policy)


async def test_a_derived_table_like_the_guards_own_is_no_way_round(database: tuple[str, Catalog]) -> None:
    policy = Policy(hidden_columns=frozenset({"public.postcard.body", "public.note.region"}))
    assert "CARD" not in await read(database, "SELECT * FROM ONLY note", policy)
    with pytest.raises(SqlRefused) as caught:
        await read(database, 'SELECT x.body FROM (SELECT "id", "body" FROM public.note) AS x', policy)
    assert caught.value.rule == "forbidden_source"


async def test_a_granted_table_is_read_with_the_rows_below_it(database: tuple[str, Catalog]) -> None:
    policy = Policy(frozenset({"public.note", "public.log"}))
    assert "CARD-SECRET" in await read(database, "SELECT * FROM note", policy)
    assert "LOG" in await read(database, "SELECT * FROM log", policy)
    with pytest.raises(SqlRefused) as caught:
        await read(database, "SELECT * FROM postcard", policy)
    assert caught.value.rule == "unknown_table"
