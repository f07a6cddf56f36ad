"""Codes are found by what they stand for: comments, dictionaries, look-up tables, short codes and flags say so."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inquery.catalog.enumerations import heading_of, read_enumeration
from inquery.catalog.lookups import lookup_tables, match_kinds
from inquery.catalog.meanings import with_meanings
from inquery.catalog.meant_words import flag_name, flag_values, state_of
from inquery.catalog.refresh import refresh_catalog
from inquery.catalog.stored import load_catalog
from inquery.catalog.value_index import ValueIndex
from inquery.catalog.visible import visible_catalog, visible_values
from inquery.databases.executor.execute import attach, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.sql import Catalog, Column, Policy, Table
from inquery.sql.catalog import Meaning

CASES = [
    (comment.replace("\\n", "\n"), meanings)
    for line in (Path(__file__).parent / "enumerations.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for comment, _, meanings in [line.partition("\t")]
]


@pytest.mark.parametrize(("comment", "meanings"), CASES, ids=[comment[:30] for comment, _ in CASES])
def test_an_enumeration_in_a_comment_is_read(comment: str, meanings: str) -> None:
    assert "|".join(f"{code}={label}" for code, label in read_enumeration(comment)) == meanings


@pytest.mark.parametrize(
    ("comment", "heading"),
    [
        ("订单状态 1待付款 2已付款", "订单状态"),
        ("部门状态（0停用 1正常）", "部门状态"),
        ("审核状态：0-待审核，1-通过", "审核状态"),
        ("Order status: 1 - New, 2 - Done", "Order status"),
        ("0 停售 1 起售", ""),
        ("客户级别(A重要客户 B普通客户)", "客户级别"),
        ("Total amount, in USD", "Total amount, in USD"),
    ],
)
def test_what_stands_before_an_enumeration_is_its_heading(comment: str, heading: str) -> None:
    assert heading_of(comment) == heading


def one_column(column: Column, table: str = "orders") -> Catalog:
    return with_meanings(Catalog("sqlite", (Table((table,), (Column("id", "INTEGER", primary_key=True), column)),)))


def found(question: str, catalog: Catalog) -> list[tuple[str, str]]:
    return [(match.column, match.value) for match in ValueIndex().with_meanings(catalog).match(question)]


STATUS = Column("status", "INTEGER", comment="订单状态 0待付款 1已付款 2已取消", samples=("1", "0", "2"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("已付款的订单有多少", "1"),
        ("已支付的订单有多少", "1"),  # another word for it
        ("how many orders are paid", "1"),
        ("unpaid orders", "0"),
        ("取消的订单", "2"),
        ("cancelled orders", "2"),
    ],
)
def test_a_code_is_found_by_what_it_stands_for_in_both_languages(question: str, value: str) -> None:
    assert found(question, one_column(STATUS)) == [("status", value)]


def test_nothing_is_found_by_other_words() -> None:
    assert found("how many orders are there", one_column(STATUS)) == []
    assert found("订单总数是多少", one_column(STATUS)) == []


def test_codes_are_spelt_as_the_column_stores_them() -> None:
    flag = Column("is_open", "BOOLEAN", comment="0:关闭 1:营业", samples=("true", "false"))
    assert one_column(flag).tables[0].columns[1].meanings == (Meaning("false", ("关闭",)), Meaning("true", ("营业",)))
    number = Column("kind", "INTEGER", comment="01：身份证 02：护照", samples=("1", "2"))
    assert [m.value for m in one_column(number).tables[0].columns[1].meanings] == ["1", "2"]


def test_a_comment_that_numbers_the_stored_words_explains_nothing() -> None:
    column = Column("method", "TEXT", comment="1. cash 2. card", samples=("cash", "card"))
    assert one_column(column).tables[0].columns[1].meanings == ()


@pytest.mark.parametrize(
    ("question", "column", "value"),
    [
        ("active customers", Column("is_active", "INTEGER", samples=("1", "0")), "1"),
        ("inactive customers", Column("is_active", "INTEGER", samples=("1", "0")), "0"),
        ("启用的客户", Column("is_active", "INTEGER", samples=("1", "0")), "1"),
        ("customers that are not verified", Column("verified_flag", "CHAR(1)", samples=("Y", "N")), "N"),
        ("默认地址", Column("is_default", "INTEGER", samples=("0", "1")), "1"),
        ("未删除的客户", Column("是否删除", "INTEGER", samples=("0", "1")), "0"),
        ("married customers", Column("marital_status", "TEXT", samples=("M", "S")), "M"),
        ("已婚客户", Column("marital_status", "TEXT", samples=("M", "S")), "M"),
        ("enabled customers", Column("c_enabled", "INTEGER", samples=("1", "0")), "1"),
        ("停用的和未启用的客户", Column("c_enabled", "INTEGER", samples=("1", "0")), "0"),
        ("customers we lost", Column("Churned", "TEXT", samples=("No", "Yes")), "Yes"),
        ("已经流失的客户", Column("Churned", "TEXT", samples=("No", "Yes")), "Yes"),
        ("customers whose owner is a company", Column("owner_is_company", "TEXT", samples=("t", "f")), "t"),
        ("high priority customers", Column("priority", "TEXT", samples=("H", "L")), "H"),
    ],
)
def test_flags_and_usual_short_codes_are_found_by_their_words(question: str, column: Column, value: str) -> None:
    assert (column.name, value) in found(question, one_column(column, "customers"))


def test_a_flag_is_known_by_its_name_and_its_two_values() -> None:
    assert flag_values(Column("x", samples=("t", "f"))) == ("t", "f")
    assert flag_values(Column("x", samples=("N",))) == ("Y", "N")
    assert flag_values(Column("x", samples=("1", "2"))) is None
    assert flag_name(Column("has_parking")) == "parking"
    assert flag_name(Column("wx", comment="是否微信用户（0否 1是）")) == "微信用户"
    assert flag_name(Column("status")) == ""
    assert flag_name(Column("owner_is_company")) == "company"
    assert state_of(Column("c_enabled")) == "enabled"
    assert state_of(Column("invoices_paid")) == ""


def test_of_a_flag_that_every_table_has_that_of_the_thing_said_is_meant() -> None:
    tables = tuple(
        Table(
            (f"app_{name}",),
            (Column("id", "INTEGER", primary_key=True), Column(f"{name[0]}_enabled", "BIT(1)", samples=("1", "0"))),
        )
        for name in ("account", "device", "user")
    )
    catalog = Catalog("sqlite", tables)
    assert found("the name of an enabled device", catalog) == [("d_enabled", "1")]
    assert found("启用的设备有多少", catalog) == [("d_enabled", "1")]
    assert found("a device that is not enabled", catalog) == [("d_enabled", "0")]


def test_a_state_that_is_no_flag_stays_a_number() -> None:
    assert found("paid customers", one_column(Column("paid", "INTEGER", samples=("10", "25")), "customers")) == []


SYSTEM = """
create table sys_dict (id integer primary key, dict_code text, dict_name text);
create table sys_dict_item (id integer primary key, dict_id integer, item_text text, item_value text);
create table member (id integer primary key, name text, sex integer, level text, level2 text);
insert into sys_dict values (1, 'sex', '性别'), (2, 'member_level', '会员等级'), (3, 'level2', 'x');
insert into sys_dict_item values (1, 1, '男', '1'), (2, 1, '女', '2'), (3, 2, '金卡', 'G'), (4, 2, '银卡', 'S'),
  (5, 3, 'one', '1'), (6, 3, 'two', '2');
insert into member values (1, '张伟', 1, 'G', 'A'), (2, '李娜', 2, 'S', 'B'), (3, '王芳', 2, 'G', 'A');
"""


@pytest.fixture
def system(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "system.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SYSTEM)
    attach("system", open_engine(parse_address(str(path))))
    yield tmp_path
    detach("system")


async def test_a_table_of_codes_explains_the_columns_that_it_names(system: Path) -> None:
    read = await refresh_catalog("system", home=system)
    assert [lookup.table.name for lookup in lookup_tables(read.catalog)] == ["sys_dict_item"]
    member = read.catalog.by_name["member"]
    sex, level, other = (member.column(name) for name in ("sex", "level", "level2"))
    assert sex is not None
    assert level is not None
    assert other is not None
    assert sex.meanings == (Meaning("1", ("男",)), Meaning("2", ("女",)))
    assert [m.words[0] for m in level.meanings] == ["金卡", "银卡"]
    assert other.meanings == ()  # its values are none of those codes
    assert ("level", "G") in [(m.column, m.value) for m in read.values.match("金卡会员有多少")]
    kept = load_catalog("system", home=system)
    assert kept is not None
    assert kept.catalog == read.catalog
    assert kept.catalog.version == read.catalog.version
    assert ("level", "G") in [(m.column, m.value) for m in kept.values.match("金卡会员有多少")]


async def test_who_may_not_read_a_table_of_codes_does_not_learn_its_labels(system: Path) -> None:
    read = await refresh_catalog("system", home=system)
    policy = Policy(tables=frozenset({"member"}))
    seen = visible_catalog(read.catalog, policy)
    assert all(not column.meanings for table in seen.tables for column in table.columns)
    assert visible_values(read.values, read.catalog, policy).match("金卡会员有多少") == []


def test_a_dictionary_is_known_by_its_comments_and_by_the_kind_that_a_comment_names() -> None:
    entries = Table(
        ("gy_zd",),
        (
            Column("zdlb", "TEXT", comment="字典类别"),
            Column("zdbm", "TEXT", comment="编码"),
            Column("zdmc", "TEXT", comment="名称"),
        ),
        comment="公用字典",
    )
    reason = Column("yy", "TEXT", comment="原因，字典tsyy", samples=("A", "B"))
    catalog = Catalog("sqlite", (entries, Table(("tousu",), (reason,))))
    (found,) = lookup_tables(catalog)
    assert (found.kind, found.value, found.label) == ("zdlb", "zdbm", "zdmc")
    assert match_kinds(catalog, {"tsyy": [("A", "漏投"), ("B", "迟投")], "qd": [("A", "x"), ("B", "y")]}) == {
        ("tousu", "yy"): [("A", "漏投"), ("B", "迟投")]
    }


def test_meanings_are_part_of_the_version() -> None:
    plain = Catalog.of({"orders": ["id", "status"]}, dialect="sqlite")
    said = Catalog(
        "sqlite", (Table(("orders",), (Column("id"), Column("status", meanings=(Meaning("1", ("paid",)),)))),)
    )
    named = Catalog("sqlite", (Table(("orders",), (Column("id"), Column("status")), display=("status",)),))
    assert len({plain.version, said.version, named.version}) == 3
