"""The Snowflake engine against fakesnow; roles, cancel, EXPLAIN and keys are not emulated and not shown here."""

import datetime
from collections.abc import Iterator
from decimal import Decimal

import fakesnow
import pytest

from inquery.databases.engine import Limits, Result, no_progress
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import InqueryError, ReadOnlyViolation, SqlSyntax, TypeMismatch, UnknownTable
from inquery.sql import Policy, SqlRefused, check
from inquery.sql.policy import _mint

URL = "snowflake://reader:secret@acme/DEMO/PUBLIC?warehouse=W"


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with fakesnow.patch():
        import snowflake.connector

        with snowflake.connector.connect(user="u", password="p", account="a", database="DEMO", schema="PUBLIC") as db:
            cursor = db.cursor()
            cursor.execute(
                "CREATE TABLE customer (id INT NOT NULL, name VARCHAR, amount NUMBER(10, 2), born DATE,"
                " seen TIMESTAMP_NTZ, active BOOLEAN, extra VARIANT) COMMENT = 'people'"
            )
            for i in range(1, 41):
                cursor.execute(
                    f"INSERT INTO customer SELECT {i}, '客户 {i}', {i} * 1.25, '2024-01-02'::DATE,"
                    f" '2024-01-02 03:04:05'::TIMESTAMP, {i} % 2 = 0, PARSE_JSON('{{\"a\": {i}}}')"
                )
            cursor.execute("CREATE VIEW grown AS SELECT id FROM customer WHERE id > 18")
        executor.attach("shop", open_engine(parse_address(URL)))
        yield "shop"
        executor.detach("shop")


async def run(text: str, **limits: object) -> Result:
    return await executor.execute("shop", _mint(text, dialect="snowflake"), limits=Limits(**limits), fresh=True)  # type: ignore[arg-type]


async def test_values_come_as_plain_python(shop: str) -> None:
    result = await run("SELECT * FROM customer WHERE id = 3")
    assert result.rows[0][:6] == (
        3, "客户 3", Decimal("3.75"), datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), False,
    )  # fmt: skip
    kinds = [column.kind for column in result.columns]
    assert kinds == ["number", "text", "number", "date", "datetime", "boolean", "json"]


async def test_rows_are_capped_and_empty_results_have_columns(shop: str) -> None:
    capped = await run("SELECT id FROM customer", rows=10)
    assert (capped.row_count, capped.truncated) == (10, "rows")
    empty = await run("SELECT id, name FROM customer WHERE id < 0")
    assert (empty.rows, [c.name for c in empty.columns]) == ([], ["ID", "NAME"])


def test_the_catalogue_is_read_in_bulk(shop: str) -> None:
    catalog = open_engine(parse_address(URL)).introspect(no_progress)
    tables = {table.full_name: table for table in catalog.tables}
    customer = tables["PUBLIC.CUSTOMER"]  # fakesnow leaves views out of information_schema.tables
    assert (customer.comment, customer.kind, catalog.default_schema) == ("people", "table", ("PUBLIC",))
    assert [c.name for c in customer.columns][:3] == ["ID", "NAME", "AMOUNT"]
    assert [c.nullable for c in customer.columns][:2] == [False, True]
    assert customer.estimated_rows == 40


async def test_checked_sql_runs(shop: str) -> None:
    catalog = open_engine(parse_address(URL)).introspect(no_progress)
    sql = check("SELECT name FROM customer ORDER BY id", dialect="snowflake", catalog=catalog, policy=Policy(row_cap=5))
    assert (await executor.execute("shop", sql)).row_count == 5
    with pytest.raises(SqlRefused):
        check("DROP TABLE customer", dialect="snowflake", catalog=catalog)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM nothing_such", UnknownTable),
        ("SELECT FROM WHERE", SqlSyntax),
        ("SELECT CAST(name AS INT) FROM customer", TypeMismatch),
    ],
)
async def test_errors_are_those_of_the_tree(shop: str, text: str, expected: type[InqueryError]) -> None:
    with pytest.raises(expected):
        await run(text)


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE customer",
        "DELETE FROM customer",
        "INSERT INTO customer (id) VALUES (99)",
        "SELECT 1; DROP TABLE customer",
        "CREATE TABLE evil AS SELECT 1",
        "USE ROLE ACCOUNTADMIN",
        "ALTER SESSION SET QUERY_TAG = 'x'",
    ],
)
async def test_nothing_but_a_query_runs_even_without_the_guard(shop: str, text: str) -> None:
    with pytest.raises((ReadOnlyViolation, SqlSyntax)):
        await run(text)
    assert (await run("SELECT count(*) FROM customer")).rows == [(40,)]
