"""Purchases and discounted sales of a database that nobody described: which worth is meant, and what stands beside it."""

import datetime
import sqlite3

import pytest
from tests.unit.metrics.test_propose_sales import read_tables

from inquery.knowledge.glossary import Glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql.catalog import Catalog, Table

TODAY = datetime.date(2026, 6, 30)
TRADE = """
CREATE TABLE vendor (vendor_id INTEGER PRIMARY KEY, name TEXT, preferred_vendor_status BOOLEAN);
CREATE TABLE ship_method (ship_method_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE purchase_order_header (po_id INTEGER PRIMARY KEY, vendor_id INTEGER REFERENCES vendor,
  ship_method_id INTEGER REFERENCES ship_method, order_date DATE, subtotal NUMERIC, tax_amt NUMERIC, freight NUMERIC, total_due NUMERIC);
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE article (article_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, sale_date DATE, freight NUMERIC);
CREATE TABLE sale_line (line_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sale, article_id INTEGER REFERENCES article,
  unit_price NUMERIC, quantity INTEGER, discount REAL);
INSERT INTO vendor VALUES (1,'Axle',1), (2,'Bolt',0), (3,'Cog',0);
INSERT INTO ship_method VALUES (1,'Rail'), (2,'Truck');
INSERT INTO purchase_order_header VALUES (1,1,1,'2024-03-01',100,10,5,115), (2,1,2,'2025-03-01',200,20,10,230), (3,2,2,'2025-04-01',50,5,1,56);
INSERT INTO customer VALUES (1,'Ann','USA'), (2,'Bo','Peru');
INSERT INTO article VALUES (1,'Tea'), (2,'Cake');
INSERT INTO sale VALUES (1,1,'2025-01-05',7), (2,2,'2025-02-05',9), (3,2,'2024-02-05',2);
INSERT INTO sale_line VALUES (1,1,1,10,2,0.5), (2,2,2,20,1,0.0), (3,3,2,20,2,0.25);
"""
VALUES = {("customer", "country"): ("USA", "Peru"), ("vendor", "name"): ("Axle", "Bolt", "Cog")}


@pytest.fixture(scope="module")
def trade() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(TRADE)
    return database


@pytest.fixture(scope="module")
def vocabulary(trade: sqlite3.Connection) -> Vocabulary:
    catalog = _with_discounts(read_tables(trade))
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


def _with_discounts(catalog: Catalog) -> Catalog:
    """The discounts as their samples tell them: parts of one."""
    import dataclasses

    def sampled(table: Table) -> Table:
        columns = tuple(
            dataclasses.replace(c, samples=("0.5", "0.0", "0.25")) if c.name == "discount" else c for c in table.columns
        )
        return dataclasses.replace(table, columns=columns)

    return dataclasses.replace(catalog, tables=tuple(map(sampled, catalog.tables)))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Purchases per vendor in 2025, tax and freight included", [("Axle", 230), ("Bolt", 56)]),
        ("Purchases per vendor in 2025 before tax", [("Axle", 200), ("Bolt", 50)]),
        ("含税含运费的采购总额，2025年比2024年增长了多少？", [(286, 115, 171)]),
        ("2025年各供应商不含税采购额", [("Axle", 200), ("Bolt", 50)]),
        ("How many vendors are not preferred ones?", [(2,)]),
        ("Discounted sales in 2025 per article", [("Cake", 20), ("Tea", 10)]),
        ("2025年各客户的折后销售额", [("Bo", 20), ("Ann", 10)]),
        ("2025年美国客户的折后销售额是多少", [(10,)]),
    ],
)
def test_the_worth_that_is_meant_is_told(
    question: str, rows: list[tuple[object, ...]], vocabulary: Vocabulary, trade: sqlite3.Connection
) -> None:
    read = read_plan(question, vocabulary, today=TODAY)
    assert read.plan is not None, f"{read.why} {read.ignored}"
    made = compile_plan(read.plan, vocabulary.book, "sqlite", today=TODAY)
    found = [row[: len(rows[0])] for row in trade.execute(made.sql).fetchall()]
    assert found == rows, made.sql


def test_which_of_two_worths_is_not_guessed(vocabulary: Vocabulary) -> None:
    for question in ("Purchases per vendor in 2025", "2025年各供应商采购额"):
        assert read_plan(question, vocabulary, today=TODAY).plan is None


def test_freight_and_discounts_are_no_sales(vocabulary: Vocabulary) -> None:
    for metric in vocabulary.book.metrics.values():
        assert "sales" not in metric.synonyms or "quantity" in metric.expression
    assert not any(m.expression.startswith("SUM(sale_line.discount") for m in vocabulary.book.metrics.values())
