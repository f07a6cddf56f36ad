"""Amounts with tax or without, what is shown twice and what flags mark: cases of both kinds are in side_rules.yaml."""

from pathlib import Path

import pytest
import yaml

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.flag_rules import marked_rows
from inquery.agents.truth.part_rules import shown_once
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import RULES, breaches
from inquery.agents.truth.tax_rules import tax_as_asked
from inquery.agents.truth.value_rules import marked_as_said
from inquery.catalog.value_index import ValueMatch
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

CASES = yaml.safe_load(Path(__file__).with_name("side_rules.yaml").read_text("utf-8"))
ASKED = (tax_as_asked, shown_once, marked_rows, marked_as_said)


def table(name: str, *columns: Column) -> Table:
    return Table(path=(name,), columns=columns)


def amounts(*names: str) -> list[Column]:
    return [Column(name, "REAL") for name in names]


CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        table(
            "invoices", Column("id", "INTEGER", primary_key=True), Column("customer", "TEXT"), Column("state", "TEXT"),
            Column("is_overdue", "INTEGER", samples=("0", "1")), *amounts("total_ht", "total_ttc", "tva"),
        ),
        table("订单", Column("客户", "TEXT"), Column("金额", "REAL", comment="不含税"), Column("价税金额", "REAL", comment="价税合计")),
        table("sales", *amounts("net_amount", "gross_amount", "tax")),
        table("buildings", Column("name", "TEXT"), *amounts("ht")),
        table("orders", Column("id", "INTEGER", primary_key=True), *amounts("total")),
        table("products", Column("code", "TEXT"), Column("name", "TEXT")),
    ),
    joins=(),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['question']}: {case['sql'][:40]}")
def test_a_rule_speaks_where_a_statement_is_of_the_other_side(case: dict[str, str]) -> None:
    matches = []
    if "says" in case:
        phrase, column, value = case["says"]
        at = case["question"].find(phrase)
        matches.append(ValueMatch("invoices", column, value, phrase, 0.83, at, at + len(phrase)))
    claims = Claims(case["question"], "rows", CATALOG, Glossary(), matches)
    statement = read_statement(case["sql"], CATALOG)
    assert statement is not None
    found = breaches(statement, claims, rules=ASKED)
    assert [each.rule for each in found] == case.get("breaks", "").split()
    assert mend_breaches(statement, found, claims) == case.get("mended", case["sql"])


def test_the_rules_are_asked_of_every_statement() -> None:
    assert {*ASKED} <= {*RULES}
