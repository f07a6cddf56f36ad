"""Numbers that a question sets as limits, and statements that have or lose them."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.limit_rules import kept_limit
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        Table(
            ("donation",),
            (
                Column("id", "INTEGER", primary_key=True), Column("donor", "TEXT"), Column("amount", "REAL"),
                Column("seconds", "INTEGER"), Column("given_on", "TEXT"),
            ),
        ),
    ),
)  # fmt: skip
ALL = "SELECT donor, COUNT(*) FROM donation GROUP BY donor"


def broken(question: str, sql: str) -> bool:
    periods = [{"text": "2025", "start": "2025-01-01", "end": "2026-01-01"}]
    claims = Claims(question, "rows", CATALOG, Glossary(), periods=periods if "2025" in question else ())
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    return kept_limit(statement, claims) is not None


@pytest.mark.parametrize(
    "question",
    [
        "Donors who gave at least 4 times",
        "Donors with more than 650 euros",
        "献过4次及以上的人",
        "金额超过650元的有多少",
        "捐款在3万元以上的人",
    ],
)
def test_a_limit_that_is_nowhere_was_lost(question: str) -> None:
    assert broken(question, ALL)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("Donors who gave at least 4 times", f"{ALL} HAVING COUNT(*) >= 4"),
        ("Donors who gave at least 4 times", f"{ALL} HAVING COUNT(*) > 3"),
        ("calls of over 2 hours", "SELECT id FROM donation WHERE seconds > 7200"),
        ("捐款在3万元以上的人", "SELECT donor FROM donation WHERE amount >= 30000"),
        ("more than 5% of the total", "SELECT donor FROM donation WHERE amount > 0.05"),
        ("Donors with more than one gift", ALL),
        ("Show the 3 largest", ALL),
        ("Donors since more than 2025", ALL),
        ("gifts between 10 and 20", "SELECT id FROM donation WHERE amount BETWEEN 10 AND 20"),
    ],
)
def test_a_limit_in_any_unit_is_kept(question: str, sql: str) -> None:
    assert not broken(question, sql)
