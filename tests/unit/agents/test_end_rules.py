"""Start and end that are asked for in one word are shown both."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.end_rules import both_ends
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import RULES, breaches
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Table
from inquery.sql.statement import read_statement

CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        Table(("leases",), (Column("id", "INTEGER", primary_key=True), Column("tenant", "TEXT"), Column("start_date", "DATE"), Column("end_date", "DATE"))),
        Table(("jobs",), (Column("name", "TEXT"), Column("startedAt", "DATETIME"), Column("endedAt", "DATETIME"), Column("top", "INTEGER"))),
        Table(("合同",), (Column("编号", "TEXT"), Column("开始日期", "DATE"), Column("结束日期", "DATE"))),
    ),
    joins=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sql", "mended"),
    [
        ("每个租户的起止日期", "SELECT tenant, start_date FROM leases", 'SELECT tenant, start_date, "end_date" FROM leases'),
        ("tenant, start and end date", "SELECT l.tenant, l.end_date FROM leases AS l WHERE l.id > 3",
         'SELECT l.tenant, l."start_date", l.end_date FROM leases AS l WHERE l.id > 3'),
        ("When was each job started and finished?", "SELECT name, startedAt, COUNT(*) FROM jobs GROUP BY name, startedAt",
         'SELECT name, startedAt, "endedAt", COUNT(*) FROM jobs GROUP BY name, startedAt, "endedAt"'),
        ("各合同的起止时间", "SELECT 编号, 开始日期 FROM 合同", 'SELECT 编号, 开始日期, "结束日期" FROM 合同'),
    ],
)  # fmt: skip
def test_the_other_end_is_put_beside_the_one_that_is_shown(question: str, sql: str, mended: str) -> None:
    claims = Claims(question, "rows", CATALOG, Glossary())
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    found = breaches(statement, claims, rules=(both_ends,))
    assert [each.code for each in found] == ["lost_part"]
    assert mend_breaches(statement, found, claims) == mended


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("start dates of all leases", "SELECT start_date FROM leases"),
        ("起止日期", "SELECT start_date, end_date FROM leases"),
        ("start and end", "SELECT top FROM jobs"),
        ("start and end of the year in leases", "SELECT COUNT(*) FROM leases"),
    ],
)
def test_one_end_that_was_asked_for_stays_alone(question: str, sql: str) -> None:
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    assert not breaches(statement, Claims(question, "rows", CATALOG, Glossary()), rules=(both_ends,))


def test_the_rule_is_asked_of_every_statement() -> None:
    assert both_ends in RULES
