"""Errors of drivers become errors of the tree, and nothing of the server reaches a person."""

import pytest
from tests.contract.case import EngineCase
from tests.contract.running import run, unchecked

from inquery.databases.executor import execute as executor
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    InqueryError,
    NotFound,
    SqlFixable,
    SqlSyntax,
    SubqueryCardinality,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)
from inquery.sql.policy import _mint


async def failure(case: EngineCase, connection_id: str, text: str) -> InqueryError:
    with pytest.raises(InqueryError) as caught:
        await run(case, connection_id, text)
    return caught.value


async def test_an_unknown_column(engine_case: EngineCase, shop: str) -> None:
    error = await failure(engine_case, shop, "SELECT nothing_such FROM customer")
    assert isinstance(error, UnknownColumn)
    assert "nothing_such" in error.detail


async def test_an_unknown_table(engine_case: EngineCase, shop: str) -> None:
    assert isinstance(await failure(engine_case, shop, "SELECT * FROM nothing_such"), UnknownTable)


async def test_a_syntax_error(engine_case: EngineCase, shop: str) -> None:
    assert isinstance(await failure(engine_case, shop, "SELECT FROM WHERE customer"), SqlSyntax)


async def test_an_ambiguous_column(engine_case: EngineCase, shop: str) -> None:
    text = "SELECT id FROM customer a JOIN customer b ON a.id = b.manager_id"
    assert isinstance(await failure(engine_case, shop, text), AmbiguousColumn)


async def test_a_type_that_does_not_fit(engine_case: EngineCase, shop: str) -> None:
    assert isinstance(await failure(engine_case, shop, engine_case.mismatch_sql), TypeMismatch)


async def test_a_subquery_with_too_many_columns(engine_case: EngineCase, shop: str) -> None:
    text = "SELECT id FROM customer WHERE id = (SELECT id, name FROM customer WHERE id = 1)"
    error = await failure(engine_case, shop, text)
    assert isinstance(error, (SubqueryCardinality, SqlSyntax))


async def test_a_column_that_is_not_grouped(engine_case: EngineCase, shop: str) -> None:
    error = await failure(engine_case, shop, "SELECT city, count(*) FROM customer WHERE count(*) > 1 GROUP BY city")
    assert isinstance(error, AggregationError)


async def test_messages_hold_no_driver_text(engine_case: EngineCase, shop: str) -> None:
    error = await failure(engine_case, shop, "SELECT nothing_such FROM customer")
    assert isinstance(error, SqlFixable)
    for language in ("en", "zh"):
        assert "nothing_such" not in error.public_message(language)


async def test_only_checked_sql_runs(engine_case: EngineCase, shop: str) -> None:
    with pytest.raises(TypeError):
        await executor.execute(shop, "SELECT 1")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        executor.stream(shop, "SELECT 1")  # type: ignore[arg-type]


async def test_a_statement_of_another_dialect_does_not_run(engine_case: EngineCase, shop: str) -> None:
    with pytest.raises(TypeError):
        await executor.execute(shop, _mint("SELECT 1", dialect="snowflake"))


async def test_an_unknown_connection_is_not_found(engine_case: EngineCase) -> None:
    with pytest.raises(NotFound):
        await executor.execute("no-such-connection", unchecked(engine_case, "SELECT 1"))
