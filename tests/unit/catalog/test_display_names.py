"""By what the rows of a table are called, found by names and counted on data."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inquery.catalog.display_names import Counted, _counting, display_columns
from inquery.catalog.joins import with_joins
from inquery.catalog.refresh import refresh_catalog
from inquery.catalog.stored import load_catalog
from inquery.catalog.visible import visible_catalog
from inquery.databases.executor.execute import attach, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.sql import Catalog, Column, Policy, Table, check
from inquery.sql.dialects import DIALECTS


def called(table: str, *columns: str, counts: dict[str, tuple[int, int]] | None = None) -> tuple[str, ...]:
    """What rows of a table of text columns are called by; counts are (rows, distinct)."""
    key = "k_id" if all(name.startswith("k_") for name in columns) else "id"
    made = Table((table,), (Column(key, "INTEGER", primary_key=True), *(Column(name, "TEXT") for name in columns)))
    known = {(table, name): Counted(*count) for name, count in (counts or {}).items()}
    return display_columns(made, (), known)


@pytest.mark.parametrize(
    ("table", "columns", "display"),
    [
        ("customers", ("code", "name", "city"), ("name",)),
        ("t_customer", ("customer_name", "contact_name"), ("customer_name",)),
        ("films", ("description", "title"), ("title",)),
        ("employees", ("title", "first_name", "last_name", "email"), ("first_name", "last_name")),
        ("patients", ("PREFIX", "FIRST", "LAST"), ("FIRST", "LAST")),
        ("people", ("full_name", "first_name", "last_name"), ("full_name",)),
        ("products", ("productName", "image_name"), ("productName",)),
        ("tbl_firm", ("f_id", "f_address", "f_name", "f_phone"), ("f_name",)),
        ("coach", ("k_first", "k_last", "k_grade", "k_city"), ("k_first", "k_last")),
        ("客户", ("客户编号", "客户名称", "城市"), ("客户名称",)),
        ("员工信息表", ("工号", "姓名"), ("姓名",)),
        ("order_items", ("quantity", "note"), ()),
        ("logs", ("message", "ip"), ()),
    ],
)
def test_the_name_is_told_by_the_names_of_columns(
    table: str, columns: tuple[str, ...], display: tuple[str, ...]
) -> None:
    assert called(table, *columns) == display


def test_a_name_that_repeats_is_that_of_something_else() -> None:
    assert called("order_detail", "name", counts={"name": (80, 12)}) == ()
    assert called("customers", "name", counts={"name": (80, 75)}) == ("name",)


def test_what_others_refer_to_may_be_called_the_same() -> None:
    staff = Table(("staff",), (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT")))
    pay = Table(("pay",), (Column("id", "INTEGER", primary_key=True), Column("staff_id", "INTEGER")))
    joins = with_joins(Catalog("sqlite", (pay, staff))).joins
    assert display_columns(staff, joins, {("staff", "name"): Counted(1900, 60)}) == ("name",)
    assert display_columns(staff, (), {("staff", "name"): Counted(1900, 60)}) == ()


def test_people_are_called_by_their_nickname_rather_than_by_their_account() -> None:
    counts = {"username": (10, 10), "nickname": (10, 10)}
    assert called("sys_user", "username", "nickname", counts=counts) == ("nickname",)
    assert called("sys_user", "username", counts=counts) == ("username",)


def test_a_code_is_the_last_resort_and_needs_to_be_unique() -> None:
    assert called("cars", "plate", "colour", counts={"plate": (12, 12)}) == ("plate",)
    assert called("cars", "plate", "colour", counts={"plate": (12, 3)}) == ()
    assert called("cars", "plate", "colour") == ()  # nothing was counted


async def test_it_is_counted_kept_and_hidden_with_its_column(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "create table goods (id integer primary key, name text);"
            "create table lines (id integer primary key, goods_id integer references goods, name text);"
        )
        db.executemany("insert into goods values (?, ?)", [(n, f"thing {n}") for n in range(1, 11)])
        db.executemany("insert into lines values (?, ?, ?)", [(n, n % 10 + 1, f"thing {n % 3}") for n in range(60)])
        db.commit()
    attach("goods", open_engine(parse_address(str(path))))
    try:
        read = await refresh_catalog("goods", home=tmp_path)
        again = await refresh_catalog("goods", home=tmp_path)
    finally:
        detach("goods")
    assert {table.name: table.display for table in read.catalog.tables} == {"goods": ("name",), "lines": ()}
    assert again.catalog.version == read.catalog.version
    kept = load_catalog("goods", home=tmp_path)
    assert kept is not None
    assert kept.catalog.by_name["goods"].display == ("name",)
    hidden = visible_catalog(read.catalog, Policy(hidden_columns=frozenset({"goods.name"})))
    assert hidden.by_name["goods"].display == ()


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_what_is_asked_to_count_passes_the_guard_in_every_dialect(dialect: str) -> None:
    table = Table(
        ("sales", "Customers"), (Column("id", "int", primary_key=True), Column("name", "text"), Column("名称"))
    )
    sql = _counting(table, ["name", "名称"], dialect)
    checked = check(sql, dialect=dialect, catalog=Catalog(dialect, (table,)), policy=Policy(row_cap=None))
    assert set(checked.tables) == {table.path}
