"""Whether what a code stands for is told anywhere, and how sure an answer that guesses one may be."""

import pytest

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.code_rules import guessed_code
from inquery.agents.truth.rules import breaches
from inquery.agents.truth.weighing import DOUBTED, not_sure_where_broken
from inquery.catalog.value_index import ValueMatch
from inquery.knowledge.glossary import Glossary, parse_glossary
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.catalog import Meaning
from inquery.sql.statement import read_statement

CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        Table(
            ("invoice",),
            (
                Column("invoice_id", "INTEGER", primary_key=True), Column("total", "NUMERIC"), Column("status", "INTEGER"),
                Column("pay_status", "INTEGER", comment="0 open, 1 paid, 2 refunded"),
                Column("kind", "INTEGER", meanings=(Meaning("7", ("credit note",)),)),
                Column("is_flag", "INTEGER"), Column("is_void", "INTEGER", samples=("0", "1")), Column("copies", "INTEGER"),
                Column("type", "INTEGER"), Column("sex", "TEXT"), Column("开票状态", "INTEGER"), Column("level", "INTEGER"),
            ),
        ),
        Table(("invoice_type",), (Column("id", "INTEGER", primary_key=True), Column("name", "TEXT"))),
    ),
    joins=(Join(("invoice",), ("type",), ("invoice_type",), ("id",)),),
)  # fmt: skip
GLOSSARY = parse_glossary(
    {
        "metrics": {"overdue": {"expression": "COUNT(*)", "filter": "invoice.level = 4", "tables": ["invoice"]}},
    }
)


def broken(
    question: str, condition: str, *, glossary: Glossary | None = None, matches: tuple[ValueMatch, ...] = ()
) -> tuple[Breach | None, tuple[Breach, ...]]:
    claims = Claims(question, "rows", CATALOG, glossary or Glossary(), matches)
    statement = read_statement(f"SELECT COUNT(*) FROM invoice WHERE {condition}", CATALOG)
    assert statement is not None
    return guessed_code(statement, claims), breaches(statement, claims)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("How many cancelled invoices are there?", "status = 3"),
        ("已作废的发票有多少张？", "status IN (3, 4)"),
        ("已作废的发票有多少张？", "开票状态 <> 2"),
        ("invoices to men", "sex = 'X'"),
        ("invoices of the highest level", "level = 1"),
    ],
)
def test_what_nothing_tells_was_guessed(question: str, condition: str) -> None:
    found, all_found = broken(question, condition)
    assert found is not None
    assert "stands for" in found.reason.en
    assert "代表什么" in found.reason.zh
    assert "invoice." not in found.reason.en  # a person is told the column's words, no name of the database
    assert not_sure_where_broken(0.95, all_found) == DOUBTED


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("invoices with status 3", "status = 3"),
        ("状态为3的发票有几张", "status = 3"),
        ("refunded invoices", "pay_status = 2"),
        ("credit notes", "kind = 7"),
        ("invoices to females", "sex = 'F'"),
        ("void invoices", "is_void = 1"),
        ("invoices with many copies", "copies = 3"),
        ("standard invoices", "type = 2"),
        ("total of invoice 12", "invoice_id = 12"),
        ("invoices above 100", "total > 100"),
    ],
)
def test_what_is_said_or_told_was_not(question: str, condition: str) -> None:
    assert broken(question, condition)[0] is None


def test_a_match_or_a_definition_tells_of_a_code() -> None:
    match = ValueMatch("invoice", "status", "3", "cancelled", 0.94)
    assert broken("cancelled invoices", "status = 3", matches=(match,))[0] is None
    assert broken("cancelled invoices", "status = 2", matches=(match,))[0] is not None
    assert broken("overdue invoices", "level = 4", glossary=GLOSSARY)[0] is None
