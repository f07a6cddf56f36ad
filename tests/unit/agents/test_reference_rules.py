"""Which of two keys to one table a question means, and what code makes of a statement that follows the other."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import breaches
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.statement import read_statement


def table(name: str, *columns: str) -> Table:
    return Table((name,), tuple(Column(each, "INTEGER", primary_key=each == columns[0]) for each in columns))


def refers(table: str, column: str, to: str, key: str) -> Join:
    return Join((table,), (column,), (to,), (key,))


CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        table("inspectors", "insp_id", "insp_name"),
        table("batches", "batch_id", "insp_id", "reviewer_id", "result"),
        table("materials", "matId", "matNo", "stdCost"),
        table("bomItem", "itemId", "bomId", "compMatId", "altMatId"),
        table("医师", "医师编号", "姓名"),
        table("报告", "报告编号", "书写医师", "审核医师"),
        table("account", "id", "label"),
        table("transfer", "id", "from_account", "to_account", "amount"),
    ),
    joins=(
        refers("batches", "insp_id", "inspectors", "insp_id"), refers("batches", "reviewer_id", "inspectors", "insp_id"),
        refers("bomItem", "compMatId", "materials", "matId"), refers("bomItem", "altMatId", "materials", "matId"),
        refers("报告", "书写医师", "医师", "医师编号"), refers("报告", "审核医师", "医师", "医师编号"),
        refers("transfer", "from_account", "account", "id"), refers("transfer", "to_account", "account", "id"),
    ),
)  # fmt: skip
BY_REVIEWER = "SELECT reviewer_id.insp_name, COUNT(*) FROM inspectors AS reviewer_id JOIN batches ON batches.reviewer_id = reviewer_id.insp_id GROUP BY reviewer_id.insp_name"
BY_INSPECTOR = 'SELECT insp_id.insp_name, COUNT(*) FROM inspectors AS insp_id JOIN batches ON batches."insp_id" = insp_id.insp_id GROUP BY insp_id.insp_name'
ALTERNATIVES = "SELECT m.matNo FROM materials AS m JOIN bomItem AS b ON b.altMatId = m.matId WHERE b.bomId = 7"
COMPONENTS = 'SELECT m.matNo FROM materials AS m JOIN bomItem AS b ON b."compMatId" = m.matId WHERE b.bomId = 7'
CHECKED = "SELECT d.姓名, COUNT(*) FROM 医师 AS d JOIN 报告 AS r ON r.审核医师 = d.医师编号 GROUP BY d.姓名"
WRITTEN = 'SELECT d.姓名, COUNT(*) FROM 医师 AS d JOIN 报告 AS r ON r."书写医师" = d.医师编号 GROUP BY d.姓名'


def mended(question: str, sql: str) -> str:
    claims = Claims(question, "rows", CATALOG, Glossary())
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    return mend_breaches(statement, breaches(statement, claims), claims)


@pytest.mark.parametrize(
    ("question", "sql", "meant"),
    [
        ("How many batches did each inspector check?", BY_REVIEWER, BY_INSPECTOR),
        ("每个检验员检了多少批", BY_REVIEWER, BY_INSPECTOR),
        ("components of BOM 7", ALTERNATIVES, COMPONENTS),
        ("BOM 7 的组件有哪些", ALTERNATIVES, COMPONENTS),
        ("每位医师书写了几份报告", CHECKED, WRITTEN),
    ],
)
def test_the_key_that_the_question_means_is_followed(question: str, sql: str, meant: str) -> None:
    assert mended(question, sql) == meant


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many batches did each inspector review?", BY_REVIEWER),
        ("每个复核人复核了多少批", BY_REVIEWER),
        ("substitutes and alternatives in BOM 7", ALTERNATIVES),
        ("每位医师审核了几份报告", CHECKED),
        ("每位医师几份报告", CHECKED),  # neither is said, and neither is the plain one
        ("transfers of each account", "SELECT a.label FROM account AS a JOIN transfer AS t ON t.from_account = a.id"),
        (
            "inspectors who review what they check",
            "SELECT a.insp_name FROM batches AS b JOIN inspectors AS a ON b.insp_id = a.insp_id WHERE b.insp_id = b.reviewer_id",
        ),
    ],
)
def test_a_key_that_may_be_meant_stays(question: str, sql: str) -> None:
    assert mended(question, sql) == sql
