"""One reader of statements: what each name means, what is filtered, and which rows a join repeats."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlglot import exp
from tests.unit.sql.reader_shop import catalog, two_schemas

from inquery.agents.statements.fanout import join_warnings
from inquery.agents.truth.measure_rules import added_once
from inquery.agents.truth.rules import Claims
from inquery.knowledge.glossary import Glossary
from inquery.sql.statement import Filter, Statement, read_statement

HERE = Path(__file__).parent
JOINS: list[dict[str, Any]] = yaml.safe_load((HERE / "joins.yaml").read_text("utf-8"))
CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "statements.yaml").read_text("utf-8"))


def read(sql: str, dialect: str = "sqlite") -> Statement:
    found = read_statement(sql, catalog(dialect))
    assert found is not None
    return found


def said(each: Filter) -> str:
    place = each.place.name if each.place else "?"
    marks = "" + (" through" if not each.bare else "") + (" not" if each.negated else "")
    return f"{place} {each.operator} {each.literal}{marks}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_filters_are_of_the_columns_they_name(case: dict[str, Any]) -> None:
    statement = read(case["sql"], case.get("dialect", "sqlite"))
    assert sorted(said(each) for each in statement.filters()) == sorted(case["filters"])
    if "tables" in case:
        assert statement.tables() == set(case["tables"])


@pytest.mark.parametrize("case", JOINS, ids=lambda case: case["sql"])
def test_ask_and_reports_say_the_same_of_a_join(case: dict[str, Any]) -> None:
    statement = read(case["sql"], case.get("dialect", "sqlite"))
    warned = [text for text in join_warnings(statement, Glossary(), "en") if "repeat" in text]
    breach = added_once(statement, Claims("", "rows", statement.catalog, Glossary()))
    if case["repeats"] is None:
        assert (warned, breach) == ([], None)
        return
    column, by = case["repeats"].split(" by ")
    assert "repeat for each of their" in warned[0]
    found = next(iter(statement.repeated()))
    assert (found.place.table.name, found.by.label) == (column.rpartition(".")[0], by)
    assert breach is not None
    assert f"{column} is counted once for every row of {by} " in breach.reason.en
    assert breach.sure is case.get("sure", True)


def test_where_a_literal_stands_is_known_to_the_character() -> None:
    sql = "SELECT 'a''b' FROM customers WHERE name = 'a''b' AND city IN (\"Köln\", '北京')"
    spans = [each.span for each in read(sql).filters()]
    assert [sql[start:end] for start, end in filter(None, spans)] == ["'a''b'", '"Köln"', "'北京'"]


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("SELECT * FROM orders WHERE public_status = 'x'", "public.orders.public_status"),
        ("SELECT * FROM old.orders WHERE old_status = 'x'", "old.orders.old_status"),
        ("SELECT * FROM shop.old.orders o WHERE o.old_status = 'x'", "old.orders.old_status"),
    ],
)
def test_a_table_is_found_by_its_whole_name(sql: str, place: str) -> None:
    statement = read_statement(sql, two_schemas())
    assert statement is not None
    assert statement.places() == {place}


@pytest.mark.parametrize(
    ("dialect", "sql", "most", "falling"),
    [
        ("sqlite", "SELECT id FROM orders ORDER BY total DESC LIMIT 5", "5", True),
        ("tsql", "SELECT TOP 5 id FROM orders ORDER BY total", "5", False),
        ("oracle", "SELECT id FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS ONLY", "5", True),
        ("sqlite", "SELECT id FROM orders UNION SELECT id FROM items ORDER BY id LIMIT 5", "5", False),
        ("sqlite", "SELECT id FROM orders", "", None),
    ],
)
def test_order_and_number_of_rows_are_those_of_the_whole(
    dialect: str, sql: str, most: str, falling: bool | None
) -> None:
    ranking = read(sql, dialect).ranking
    assert ranking.most == most
    assert [bool(each.args.get("desc")) for each in ranking.by] == ([] if falling is None else [falling])


@pytest.mark.parametrize(
    ("dialect", "sql", "grouped"),
    [
        ("sqlite", "SELECT city, COUNT(*) FROM customers GROUP BY 1", {"customers.city"}),
        ("sqlite", "SELECT city AS place, COUNT(*) FROM customers GROUP BY place", {"customers.city"}),
        ("postgres", "SELECT city, COUNT(*) FROM customers GROUP BY ROLLUP (city)", {"customers.city"}),
        ("duckdb", "SELECT city, COUNT(*) FROM customers GROUP BY ALL", {"customers.city"}),
        ("sqlite", "SELECT COUNT(*) FROM customers", set()),
    ],
)
def test_what_is_grouped_by_is_found_behind_numbers_and_names(dialect: str, sql: str, grouped: set[str]) -> None:
    top = read(sql, dialect).top
    assert top is not None
    columns = [column for item in top.grouping() for column in item.find_all(exp.Column)]
    assert {place.name for column in columns if (place := top.place(column))} == grouped
    assert top.is_grouped is bool(grouped)


def test_a_measure_knows_what_it_is_over() -> None:
    sql = "SELECT COUNT(*), COUNT(DISTINCT city), SUM(id) FROM customers WHERE id > (SELECT AVG(id) FROM orders)"
    top = read(sql).top
    assert top is not None
    found = [(each.text("sqlite"), each.counts_rows, each.is_distinct, len(each.columns)) for each in top.measures()]
    assert found == [
        ("COUNT(*)", True, False, 0),
        ("COUNT(DISTINCT city)", False, True, 1),
        ("SUM(id)", False, False, 1),
    ]


@pytest.mark.parametrize(
    "sql", ["SELEC nothing FRO", "", "SELECT (", "DROP TABLE orders", "'", "((((", "SELECT 1 FROM (VALUES"]
)
def test_what_is_no_query_is_not_read(sql: str) -> None:
    assert read_statement(sql, catalog()) is None


CHAIN = "".join(f", c{n} AS (SELECT a.id, b.total FROM c{n - 1} a, c{n - 1} b)" for n in range(1, 300))
LONG = {
    "brackets": "SELECT " + "(" * 3000 + "1" + ")" * 3000,
    "queries": "SELECT * FROM (" * 400 + "orders" + ")" * 400,
    "sums": "SELECT SUM(total" + " + total" * 3000 + ") FROM orders o, items i WHERE status = 'x'",
    "conditions": "SELECT 1 FROM orders WHERE " + " AND ".join(["status = 'x'"] * 3000),
    "ctes": f"WITH c0 AS (SELECT * FROM orders){CHAIN} SELECT SUM(total) FROM c299 a JOIN items i ON i.order_id = a.id",
    "unions": " UNION ALL ".join(["SELECT id FROM orders WHERE status = 'x'"] * 600),
}


@pytest.mark.parametrize("sql", LONG.values(), ids=LONG)
def test_depth_and_length_raise_nothing(sql: str) -> None:
    statement = read_statement(sql, catalog())
    if statement is not None:
        assert {each.literal for each in statement.filters()} <= {"x"}
        assert len(join_warnings(statement, Glossary(), "en")) <= 3
        assert statement.written()
