"""Row filters: a filtered database answers as one that physically holds only the permitted rows."""

from collections import Counter

import pytest
from tests.contract.case import EngineCase
from tests.contract.conftest import Connect
from tests.contract.queries import FILTERS, Query, permitted, queries, rows, tables
from tests.contract.running import unchecked

from inquery.databases.engine import Limits, Result
from inquery.databases.executor import execute as executor
from inquery.errors import InqueryError
from inquery.sql import Catalog, CheckedSql, Policy, check

COUNT = 200
LIMITS = Limits(timeout_s=20, rows=None, bytes=None)


def filtered(catalog: Catalog) -> Policy:
    """The policy with the filters of queries.py, under the engine's full names; `allowed` stays unseen."""
    names = {table.name: table for table in catalog.tables}
    allowed = ".".join(names["allowed"].path)
    return Policy(
        tables=frozenset(names[name].full_name for name in FILTERS),
        row_filters={names[name].full_name: text.format(allowed=allowed) for name, text in FILTERS.items()},
        row_cap=None,
    )


async def answer(connection_id: str, sql: CheckedSql, query: Query) -> object:
    """Rows in a form that compares: in order where order counts, else as a multiset; or the error's class."""
    try:
        result: Result = await executor.execute(connection_id, sql, limits=LIMITS, fresh=True)
    except InqueryError as error:
        return f"{type(error).__name__}: {error.detail}"
    found = [tuple(_plain(cell) for cell in row) for row in result.rows]
    return found if query.ordered else Counter(found)


def _plain(cell: object) -> object:
    return round(float(cell), 6) if cell is not None and not isinstance(cell, str | bool | bytes) else cell  # type: ignore[arg-type]


@pytest.mark.slow
async def test_filters_equal_a_database_of_permitted_rows(engine_case: EngineCase, connection: Connect) -> None:
    content = rows()
    whole, part = connection(tables(content)), connection(tables(permitted(content)))
    catalog = await executor.introspect(whole)
    part_catalog = await executor.introspect(part)
    policy, free = filtered(catalog), Policy(row_cap=None)
    wrong, changed = [], 0
    for query in queries(COUNT, engine_case.shapes_missing, engine_case.union):
        under_filter = check(query.text, dialect=engine_case.dialect, catalog=catalog, policy=policy)
        regenerated = check(query.text, dialect=engine_case.dialect, catalog=part_catalog, policy=free)
        expected = await answer(part, unchecked(engine_case, query.text), query)
        got = await answer(whole, under_filter, query)
        again = await answer(part, regenerated, query)
        if isinstance(expected, str) or got != expected or again != expected:
            wrong.append((query.text, under_filter.text, expected, got, again))
        changed += await answer(whole, unchecked(engine_case, query.text), query) != expected
    assert not wrong, f"{len(wrong)} of {COUNT}, such as {wrong[0]}"
    assert changed > COUNT * 0.8, "the filters would hardly be noticed if they did nothing"
