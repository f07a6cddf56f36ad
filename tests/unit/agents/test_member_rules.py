"""Members of lists of rows: what is looked for among values that it has nothing to do with, and what code makes of it."""

import pytest

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.member_rules import linked_members
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import RULES, breaches
from inquery.knowledge.glossary import Glossary
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.statement import read_statement


def table(name: str, *columns: str) -> Table:
    return Table((name,), tuple(Column(each, "INTEGER", primary_key=each == columns[0]) for each in columns))


def refers(table: str, column: str, to: str, key: str = "id") -> Join:
    return Join((table,), (column,), (to,), (key,))


CATALOG = Catalog(
    dialect="sqlite",
    tables=(
        table("company", "id", "name", "kind", "account_id"),
        table("orders", "id", "company_id", "author_id", "is_paid"),
        table("invoice", "id", "company_id", "account_id", "author_id", "is_paid"),
        table("transfer", "id", "from_id", "to_id"),
        table("account", "id", "label"),
        table("person", "id", "name", "city"),
        table("asset", "id", "held_by"),
        table("小区", "小区名", "商圈"),
        table("房源", "房源编号", "小区名", "户型"),
    ),
    joins=(
        refers("orders", "company_id", "company"), refers("invoice", "company_id", "company"),
        refers("invoice", "account_id", "account"), refers("company", "account_id", "account"),
        refers("orders", "author_id", "person"), refers("invoice", "author_id", "person"),
        refers("transfer", "from_id", "company"), refers("transfer", "to_id", "company"),
        refers("房源", "小区名", "小区", "小区名"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sql", "mended"),
    [
        (
            "companies with orders that were never invoiced",
            "SELECT name FROM company WHERE kind IN (SELECT company_id FROM orders) AND NOT kind IN (SELECT author_id FROM invoice)",
            'SELECT name FROM company WHERE "id" IN (SELECT "company_id" FROM orders) AND NOT "id" IN'
            ' (SELECT "company_id" FROM invoice WHERE NOT "company_id" IS NULL)',
        ),
        (
            "哪些小区没有挂牌房源",
            "SELECT c.小区名 FROM 小区 AS c WHERE NOT c.商圈 IN (SELECT 户型 FROM 房源 WHERE NOT 户型 IS NULL)",
            'SELECT c.小区名 FROM 小区 AS c WHERE NOT c."小区名" IN (SELECT "小区名" FROM 房源 WHERE NOT "小区名" IS NULL)',
        ),
        (
            "how many invoices are paid",
            "SELECT COUNT(*) FROM invoice WHERE author_id IN (SELECT author_id FROM invoice WHERE is_paid = 1)",
            "SELECT COUNT(*) FROM invoice WHERE is_paid = 1",
        ),
        # there are two ways from one to the other
        (
            "companies without transfers",
            "SELECT name FROM company WHERE NOT kind IN (SELECT to_id FROM transfer)",
            None,
        ),
    ],
)
def test_keys_are_looked_for_among_what_refers_to_them(question: str, sql: str, mended: str | None) -> None:
    claims = Claims(question, "rows", CATALOG, Glossary())
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    found = breaches(statement, claims, rules=(linked_members,))
    assert [each.code for each in found] == ["odd_join"]
    assert mend_breaches(statement, found, claims) == (mended or sql)
    if mended:
        again = read_statement(mended, CATALOG)
        assert again is not None
        assert not breaches(again, claims, rules=(linked_members,))


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("with orders", "SELECT name FROM company WHERE id IN (SELECT company_id FROM orders)"),
        ("authors of both", "SELECT id FROM orders WHERE author_id IN (SELECT author_id FROM invoice)"),
        ("paid from an account of a company", "SELECT id FROM invoice WHERE account_id IN (SELECT account_id FROM company)"),
        ("invoices by the same people as paid ones",
         "SELECT id FROM invoice WHERE author_id IN (SELECT author_id FROM invoice WHERE is_paid = 1)"),
        ("由同一个人开具的发票", "SELECT id FROM invoice WHERE author_id IN (SELECT author_id FROM invoice WHERE is_paid = 1)"),
        ("people in cities", "SELECT name FROM person WHERE city IN (SELECT city FROM person WHERE name = 1)"),
        ("companies called as people are", "SELECT id FROM company WHERE name IN (SELECT name FROM person)"),
        ("kinds that are counted", "SELECT id FROM company WHERE kind IN (SELECT COUNT(*) FROM orders GROUP BY author_id)"),
        ("people who hold nothing", "SELECT name FROM person WHERE NOT id IN (SELECT held_by FROM asset)"),
        ("kinds in a list", "SELECT id FROM company WHERE kind IN (1, 2)"),
    ],
)  # fmt: skip
def test_what_belongs_together_stays(question: str, sql: str) -> None:
    claims = Claims(question, "rows", CATALOG, Glossary())
    statement = read_statement(sql, CATALOG)
    assert statement is not None
    assert not breaches(statement, claims, rules=(linked_members,))


def test_the_rule_is_asked_of_every_statement() -> None:
    assert linked_members in RULES
