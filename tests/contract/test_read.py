"""Every engine gives the same plain values, names and shapes."""

import datetime
from decimal import Decimal

import pytest
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import Connect
from tests.contract.running import run, unchecked

from inquery.databases.executor import execute as executor


def as_date(value: object) -> datetime.date:
    return datetime.date.fromisoformat(value) if isinstance(value, str) else value  # type: ignore[return-value]


def as_datetime(value: object) -> datetime.datetime:
    return datetime.datetime.fromisoformat(value) if isinstance(value, str) else value  # type: ignore[return-value]


async def test_values_come_as_plain_python(engine_case: EngineCase, shop: str) -> None:
    q = engine_case.quote
    text = f"SELECT id, amount, paid, placed_on, changed_at, rate, picture FROM {q('order')} ORDER BY id LIMIT 2"
    result = await run(engine_case, shop, text)
    (number, amount, paid, placed, changed, rate, picture), second = result.rows
    assert (number, rate, bool(paid), bytes(picture)) == (1, 0.25, False, bytes([1, 0, 255]))
    assert Decimal(str(amount)) == Decimal("1.25")
    assert as_date(placed) == datetime.date(2024, 1, 2)
    assert as_datetime(changed).replace(tzinfo=None) == datetime.datetime(2024, 1, 1, 13, 30)
    assert bool(second[2]) is True


async def test_columns_say_their_kind(engine_case: EngineCase, shop: str) -> None:
    q = engine_case.quote
    result = await run(
        engine_case, shop, f"SELECT id, amount, placed_on, changed_at, rate, picture FROM {q('order')} LIMIT 5"
    )
    kinds = [column.kind for column in result.columns]
    assert kinds == ["number", "number", "date", "datetime", "number", "binary"]
    assert [column.name for column in result.columns][:2] == ["id", "amount"]


async def test_nulls_and_unicode_survive(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, "SELECT name, city FROM customer ORDER BY id LIMIT 4")
    assert result.rows == [
        ("客户 1 🙂", "Beijing"),
        ("客户 2 🙂", "Zürich"),
        ("客户 3 🙂", None),
        ("客户 4 🙂", "上海"),
    ]


async def test_an_empty_result_still_has_columns(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, "SELECT id, name FROM customer WHERE id < 0")
    assert (result.rows, result.row_count, result.truncated) == ([], 0, None)
    assert [column.name for column in result.columns] == ["id", "name"]


async def test_duplicate_column_names_are_kept(engine_case: EngineCase, shop: str) -> None:
    result = await run(engine_case, shop, "SELECT id, id FROM customer WHERE id = 7")
    assert result.rows == [(7, 7)]
    assert len(result.columns) == 2


ODD_NAMES = ["order", "two words", 'a "quoted" one', "back`tick", "it's", "表格", "smile 🙂", "semi;colon", "per%cent"]


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_odd_names_are_read(engine_case: EngineCase, connection: Connect, name: str) -> None:
    if not engine_case.allows_name(name):
        pytest.skip(f"{engine_case.name} itself does not allow this name")
    q = engine_case.quote
    url = connection([TableSpec(name, [ColumnSpec("id", nullable=False), ColumnSpec(name)], [(1, 2)], ["id"])])
    result = await run(engine_case, url, f"SELECT {q(name)} FROM {q(name)}")
    assert result.rows == [(2,)]
    assert result.columns[0].name == name
    catalog = await executor.introspect(url)
    assert [(t.name, [c.name for c in t.columns]) for t in catalog.tables] == [(name, ["id", name])]


async def test_a_wide_table_is_read_whole(engine_case: EngineCase, connection: Connect) -> None:
    width = engine_case.widest
    columns = [ColumnSpec(f"c{i}") for i in range(width)]
    url = connection([TableSpec("wide", columns, [tuple(range(width))], primary_key=["c0"])])
    result = await run(engine_case, url, "SELECT * FROM wide")
    assert result.rows == [tuple(range(width))]
    catalog = await executor.introspect(url)
    assert len(catalog.tables[0].columns) == width


async def test_pages_are_windows_of_the_rows(engine_case: EngineCase, shop: str) -> None:
    sql = unchecked(engine_case, "SELECT id FROM customer ORDER BY id")
    second = await executor.execute(shop, sql, page=(2, 15))
    last = await executor.execute(shop, sql, page=(3, 15))
    assert [row[0] for row in second.rows] == list(range(16, 31))
    assert second.truncated == "rows"
    assert [row[0] for row in last.rows] == list(range(31, 41))
    assert last.truncated is None


def test_stream_gives_all_rows_in_batches(engine_case: EngineCase, shop: str) -> None:
    batches = list(executor.stream(shop, unchecked(engine_case, engine_case.numbers_sql(25_000))))
    assert [row[0] for batch in batches for row in batch.rows] == list(range(1, 25_001))
    assert len(batches) > 1
    assert batches[0].columns[0].kind == "number"


async def test_a_stream_left_early_leaves_the_connection_usable(engine_case: EngineCase, shop: str) -> None:
    for _ in range(3):
        stream = executor.stream(shop, unchecked(engine_case, engine_case.numbers_sql(1_000_000)))
        next(iter(stream))
        stream.close()  # type: ignore[attr-defined]
    assert (await run(engine_case, shop, "SELECT count(*) FROM customer")).rows == [(40,)]
