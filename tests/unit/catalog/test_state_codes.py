"""Codes of a state are told by what else is filled: of real files, through the executor."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inquery.catalog.refresh import refresh_catalog
from inquery.catalog.stored import load_catalog
from inquery.catalog.visible import visible_values
from inquery.databases.executor.execute import attach, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.sql import Policy

ORDERS = """
create table orders (id integer primary key, status integer, pay_status integer, amount real, pay_time text,
  expected_delivery_time text, delivery_time text, cancel_time text, cancel_reason text);
create table 工单 (编号 integer primary key, 状态 integer, 金额 real, 完成时间 text, 预计完成日期 text);
"""
# status, rows, then whether each is paid, delivered, cancelled.
STATES = [
    (1, 6, "", "", ""),
    (2, 5, "2024-01-01", "", ""),
    (5, 8, "2024-01-01", "2024-01-03", ""),
    (6, 7, "2024-01-01", "", "x"),
]

Attached = Callable[[str], str]


@pytest.fixture
def attached(tmp_path: Path) -> Iterator[Attached]:
    def make(script: str) -> str:
        path = tmp_path / "own.sqlite"
        with closing(sqlite3.connect(path)) as database, database:
            database.executescript(ORDERS)
            for status, rows, paid, delivered, cancelled in STATES:
                for at in range(rows):
                    row = (
                        status,
                        1,
                        10.0,
                        paid,
                        "2024-02-01",
                        delivered,
                        cancelled and "2024-01-02",
                        cancelled if at % 4 else "",
                    )
                    database.execute("insert into orders values (null, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            for at in range(12):
                database.execute(
                    "insert into 工单 values (null, ?, 1, ?, '2024-01-01')",
                    (at % 3, "2024-01-05" if at % 3 == 2 else None),
                )
            database.executescript(script)
        attach("own", open_engine(parse_address(str(path))))
        return "own"

    yield make
    detach("own")


async def meant(connection: str, table: str, column: str) -> dict[str, tuple[str, ...]]:
    found = (await refresh_catalog(connection)).catalog.by_name[table].column(column)
    assert found is not None
    return {meaning.value: meaning.words for meaning in found.meanings}


async def test_a_code_whose_rows_alone_have_a_time_of_cancelling_is_cancelled(attached: Attached) -> None:
    meanings = await meant(attached(""), "orders", "status")
    assert "cancelled" in meanings["6"]
    assert "已取消" in meanings["6"]
    assert {"delivered", "completed", "已完成"} <= {*meanings["5"]}  # no other column says what is completed
    assert meanings.keys() == {"5", "6"}  # paid are all but the first: no code is told by that


async def test_a_chinese_column_tells_its_state(attached: Attached) -> None:
    meanings = await meant(attached(""), "工单", "状态")
    assert meanings.keys() == {"2"}
    assert "已完成" in meanings["2"]


async def test_the_words_find_the_code_in_both_languages(attached: Attached) -> None:
    values = (await refresh_catalog(attached(""))).values
    for question in ("how many orders were cancelled", "已取消的订单有多少"):
        assert [(m.column, m.value) for m in values.match(question)] == [("status", "6")]
    assert values.match("what are the reasons to cancel") == []  # the column's own word


async def test_rows_of_another_code_that_are_filled_too_say_nothing(attached: Attached) -> None:
    script = "update orders set cancel_time = '2024-01-02', cancel_reason = 'x' where status = 1 and id % 2 = 0"
    meanings = await meant(attached(script), "orders", "status")
    assert "cancelled" not in meanings.get("6", ())


async def test_what_a_comment_or_a_table_says_of_codes_comes_first(attached: Attached) -> None:
    script = """
    create table sys_dict_data (id integer primary key, dict_type text, dict_value text, dict_label text);
    insert into sys_dict_data (dict_type, dict_value, dict_label) values
      ('order_status', '1', '新建'), ('order_status', '2', '已付'), ('order_status', '5', '送到'), ('order_status', '6', '不要了');
    """
    assert (await meant(attached(script), "orders", "status"))["6"] == ("不要了",)


async def test_a_status_of_a_part_is_not_told_by_the_whole(attached: Attached) -> None:
    script = "update orders set pay_status = case when status = 6 then 2 else 1 end"
    assert await meant(attached(script), "orders", "pay_status") == {}


async def test_few_rows_say_nothing(attached: Attached) -> None:
    script = "delete from orders where status = 6 and id not in (select max(id) from orders)"
    assert "6" not in await meant(attached(script), "orders", "status")


async def test_they_are_kept_and_are_as_private_as_the_rows(attached: Attached) -> None:
    connection = attached("")
    await refresh_catalog(connection)
    stored = load_catalog(connection)
    assert stored is not None
    assert stored.values.match("cancelled orders")
    filtered = Policy(row_filters={"orders": "amount > 0"})
    assert not visible_values(stored.values, stored.catalog, filtered).match("cancelled orders")
