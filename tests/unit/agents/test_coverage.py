"""Words that nothing owns, and conditions that nobody asked for; the cases are in coverage.tsv."""

import csv
import re
from pathlib import Path

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.coverage import coverage_of
from inquery.catalog.value_index import ValueMatch
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

VALUES = {"Paris": ("customers", "city"), "paid": ("orders", "status"), "corporate": ("customers", "segment"), "consumer": ("customers", "segment")}  # fmt: skip


def table(called: str, comment: str, **columns: str) -> Table:
    made = [Column(c, "TEXT", True, said, c == f"{called[:-1]}_id", ()) for c, said in columns.items()]
    return Table(path=(called,), columns=tuple(made), comment=comment)


CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        table("customers", "客户", customer_id="", name="姓名", city="城市", segment="客户类型"),
        table("orders", "订单", order_id="", customer_id="", ordered_on="下单日期", amount="订单金额", status="状态"),
    ),
    joins=(),
)


def cases() -> list[dict[str, str]]:
    with Path(__file__).with_name("coverage.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["question"][:30])
def test_what_is_left_of_the_question_and_what_is_added_is_named(case: dict[str, str]) -> None:
    question = case["question"]
    matches = [
        ValueMatch(*place, value, value, 1.0, *found.span())
        for value, place in VALUES.items()
        if (found := re.search(value, question))
    ]
    statement = read_statement(case["sql"], CATALOG)
    assert statement is not None
    found = coverage_of(statement, Claims(question, "rows", CATALOG, Glossary(), matches))
    assert ", ".join(found.ignored) == (case["ignored"] or "")
    assert ", ".join(found.invented) == (case["invented"] or "")
    assert (found.ignored_share > 0) == bool(found.unowned)
