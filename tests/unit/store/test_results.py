"""Results keep their types, their owner and their time."""

import datetime
import math
import time
import uuid
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from inquery.errors import BadRequest, NotFound
from inquery.store import Store, tables
from inquery.store.cells import pack, unpack
from inquery.store.results import ResultStore

COLUMNS = [{"name": "n", "kind": "number"}, {"name": "城市", "kind": "text"}]
ROWS = [(n, f"城市{n}") for n in range(250)]


def test_pages_of_a_result(store: Store) -> None:
    results = ResultStore(store)
    made = results.save("ann", "t1", COLUMNS, ROWS, "SELECT 1", 60, truncated="rows")
    page = results.page(made, "ann", 3, 100)
    assert page.rows == ROWS[200:]
    assert (page.total_count, page.total_pages, page.has_next, page.has_prev) == (250, 3, False, True)
    assert page.columns == tuple(COLUMNS)
    assert page.truncated == "rows"
    assert results.page(made, "ann", 9, 100).rows == []
    whole = results.load(made, "ann")
    assert whole is not None
    assert whole.rows == ROWS
    assert whole.sql == "SELECT 1"


def test_columns_are_named_by_their_owner_alone(store: Store) -> None:
    results = ResultStore(store)
    made = results.save("ann", "t1", COLUMNS, ROWS, "SELECT 1", 60)
    named = [{"name": "n", "kind": "number", "label": "编号"}, {"name": "城市", "kind": "text", "label": ""}]
    results.name_columns(made, "bob", [])
    assert results.page(made, "ann").columns == tuple(COLUMNS)
    results.name_columns(made, "ann", named)
    assert (results.page(made, "ann").columns, results.page(made, "ann").rows) == (tuple(named), ROWS[:100])


def test_another_owner_finds_nothing(store: Store) -> None:
    results = ResultStore(store)
    made = results.save("ann", "t1", COLUMNS, ROWS, "SELECT 1", 60)
    assert results.load(made, "bob") is None
    with pytest.raises(NotFound):
        results.page(made, "bob")


@pytest.mark.parametrize(("page", "size"), [(0, 10), (-1, 10), (1, 0), (1, 1001)])
def test_pages_that_cannot_be_are_refused(store: Store, page: int, size: int) -> None:
    with pytest.raises(BadRequest):
        ResultStore(store).page("any", "ann", page, size)


def test_an_expired_result_is_gone_and_swept_by_the_next(store: Store) -> None:
    results = ResultStore(store)
    made = results.save("ann", "t1", COLUMNS, ROWS, "SELECT 1", 0.05)
    time.sleep(0.06)
    assert results.load(made, "ann") is None
    results.save("ann", "t1", COLUMNS, ROWS, "SELECT 1", 60)
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(tables.results)).scalar() == 1


def test_results_go_with_their_thread(store: Store) -> None:
    results = ResultStore(store)
    gone, kept = (results.save("ann", thread, COLUMNS, ROWS, "SELECT 1", 60) for thread in ("t1", "t2"))
    assert results.delete_thread("t1") == 1
    assert results.load(gone, "ann") is None
    assert results.load(kept, "ann") is not None


ZONE = datetime.timezone(datetime.timedelta(hours=8))
CELLS = [
    None, True, 1, -(2**63), 2**64 - 1, 2**90, -(2**90), 1.5, "文字", "", b"\x00\xff", Decimal("1.10"), Decimal("NaN"),
    datetime.date(2024, 2, 29), datetime.datetime(2024, 1, 1, 1, 2, 3, 4), datetime.datetime(2024, 1, 1, tzinfo=ZONE),
    datetime.time(1, 2, 3), datetime.timedelta(-1, 5, 7), uuid.UUID(int=5), [1, "a", Decimal("2.5")], {"a": {"b": 1}},
]  # fmt: skip


def test_every_type_of_cell_comes_back_as_it_was() -> None:
    (row,) = unpack(pack([CELLS]))
    for before, after in zip(CELLS, row, strict=True):
        assert type(after) is type(before)
        assert str(after) == str(before)
    assert math.isnan(unpack(pack([(math.nan,)]))[0][0])
    assert unpack(pack([])) == []


cells = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.binary(), st.dates(),
    st.datetimes(), st.times(), st.timedeltas(), st.decimals(allow_nan=False), st.uuids(), st.lists(st.integers()),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cells, cells)))
def test_any_rows_come_back(rows: list[tuple[Any, Any]]) -> None:
    assert unpack(pack(rows)) == rows
