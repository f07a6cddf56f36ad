"""What code mends for certain, and what it leaves alone; the cases are in claim_repairs.yaml."""

import datetime
from pathlib import Path

import pytest
import yaml

from inquery.agents.state_types import found_period
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import Claims, breaches
from inquery.catalog.value_index import ValueIndex
from inquery.knowledge.glossary import Glossary
from inquery.language.periods import periods_in
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.statement import read_statement

TODAY = datetime.date(2026, 11, 15)


def table(called: str, **columns: str) -> Table:
    made = [Column(name, kind.split()[0], True, "", "key" in kind, ()) for name, kind in columns.items()]
    return Table(path=(called,), columns=tuple(made))


CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        table("orders", order_id="INTEGER key", store_id="INTEGER", channel="TEXT", status="TEXT", ordered_at="TIMESTAMP", total_amount="REAL"),
        table("order_items", item_id="INTEGER key", order_id="INTEGER", quantity="INTEGER"),
        table("stores", store_id="INTEGER key", name="TEXT"),
        table("doctors", doctor_id="INTEGER key", name="TEXT", gender="TEXT", title="TEXT", born_on="DATE", 出生年份="INTEGER"),
        table("bills", bill_id="INTEGER key", total="REAL"),
        table("bill_lines", line_id="INTEGER key", bill_id="INTEGER", product="TEXT", unit_price="REAL", quantity="INTEGER"),
        table("quotes", quote_id="INTEGER key", store_id="INTEGER", tva="REAL", total_ht="REAL", total_ttc="REAL", 含税金额="REAL", 不含税金额="REAL"),
        table("visits", visit_id="INTEGER key", began_on="DATE", billed_on="DATE"),
    ),
    joins=(Join(("order_items",), ("order_id",), ("orders",), ("order_id",)),),
)  # fmt: skip
VALUES = ValueIndex.of(
    {
        ("doctors", "gender"): ["女", "男"],
        ("doctors", "title"): ["主任医师", "副主任医师", "Senior Consultant", "Registrar"],
        ("visits", "place"): ["Registrar"],
    }
)
CASES = yaml.safe_load(Path(__file__).with_name("claim_repairs.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_only_what_is_certain_is_mended(case: dict[str, str]) -> None:
    periods = [found_period(period) for period in periods_in(case["question"], today=TODAY)]
    matches = VALUES.match(case["question"])
    claims = Claims(case["question"], "rows", CATALOG, Glossary(), matches, periods, today=TODAY)
    statement = read_statement(case["sql"], CATALOG)
    assert statement is not None
    mended = mend_breaches(statement, breaches(statement, claims), claims)
    assert mended == case.get("mended", case["sql"])
    if "mended" in case:
        again = read_statement(mended, CATALOG)
        assert again is not None
        assert not [each.code for each in breaches(again, claims) if each.sure]
