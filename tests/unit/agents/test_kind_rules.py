"""Names that a statement holds against a number."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.kind_rules import compared_in_kind
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        Table(
            ("考生",),
            (
                Column("考生号", "INTEGER", primary_key=True), Column("毕业中学", "TEXT", samples=("第1中学", "第2中学")),
                Column("总分", "INTEGER", samples=("650",)), Column("学费", "TEXT", samples=("￥3,000", "￥4,500")),
                Column("奖金", "TEXT", samples=("1200", "无")), Column("备注", "TEXT"), Column("体重", "TEXT", samples=("45 kg",)),
            ),
        ),
    ),
)  # fmt: skip


def broken(condition: str) -> bool:
    claims = Claims("2025年650分以上的考生数", "rows", CATALOG, Glossary())
    statement = read_statement(f"SELECT COUNT(*) FROM 考生 WHERE {condition}", CATALOG)
    assert statement is not None
    return compared_in_kind(statement, claims) is not None


@pytest.mark.parametrize("condition", ["毕业中学 >= 650", "毕业中学 < 3", "总分 > 600 AND 毕业中学 > 650"])
def test_a_name_is_not_above_a_number(condition: str) -> None:
    assert broken(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "总分 >= 650",
        "学费 >= 3000",
        "奖金 > 1000",
        "备注 > 3",
        "体重 > 40",
        "毕业中学 = 650",
        "毕业中学 > '第1中学'",
        "LENGTH(毕业中学) > 3",
    ],
)
def test_what_may_hold_numbers_is_compared(condition: str) -> None:
    assert not broken(condition)
