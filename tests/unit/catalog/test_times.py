"""Which columns say when, and which of them a question about time means."""

import pytest

from inquery.catalog.time_columns import time_columns
from inquery.sql import Column, Table


def recommended(table: str, *columns: Column) -> str | None:
    found = time_columns(Table((table,), columns))
    assert [each.recommended for each in found[1:]] == [False] * (len(found) - 1) if found else True
    return found[0].name if found and found[0].recommended else None


CASES = [
    ("orders", ["order_id:int", "ordered_at:timestamp", "updated_at:timestamp"], "ordered_at"),
    ("orders", ["updated_at:timestamp", "created_at:timestamp"], "created_at"),
    ("customers", ["birth_date:date", "registered_on:date"], "registered_on"),
    ("employees", ["birth_date:date", "hired_on:date"], "hired_on"),
    ("promotions", ["starts_on:date", "ends_on:date"], "starts_on"),
    ("products", ["price:real", "launched_on:date"], "launched_on"),
    ("payments", ["paid_at:datetime", "due_date:date"], "paid_at"),
    ("people", ["birth_date:date"], None),
    ("订单", ["更新时间:datetime", "下单时间:datetime"], "下单时间"),
    ("订单", ["到期日:date", "创建日期:date"], "创建日期"),
    ("t", ["id:int", "name:text"], None),
]


@pytest.mark.parametrize(("table", "columns", "expected"), CASES)
def test_the_column_a_question_means_is_recommended(table: str, columns: list[str], expected: str | None) -> None:
    assert recommended(table, *(Column(*column.split(":")) for column in columns)) == expected


def test_dates_kept_as_text_are_known_by_their_samples() -> None:
    dated = Column("happened", "text", samples=("2024-01-02", "2024-01-03 10:00:00"))
    (found,) = time_columns(Table(("t",), (dated, Column("note", "text", samples=("hello",)))))
    assert (found.name, found.kind) == ("happened", "text")


def test_a_year_kept_as_a_number_is_a_time_column() -> None:
    (found,) = time_columns(
        Table(("t",), (Column("year", "integer", samples=("2019", "2020")), Column("years", "integer", samples=("3",))))
    )
    assert (found.name, found.kind) == ("year", "year")
