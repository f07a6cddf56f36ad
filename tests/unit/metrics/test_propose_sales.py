"""Sales of a database that nobody described: by invoices, by their lines, and by the people who brought them in."""

import datetime
import sqlite3

import pytest

from inquery.catalog.display_names import with_display
from inquery.catalog.joins import with_joins
from inquery.knowledge.glossary import Glossary
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TODAY = datetime.date(2026, 6, 30)
SHOP = """
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, title TEXT);
CREATE TABLE client (client_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, country TEXT, staff_id INTEGER REFERENCES staff);
CREATE TABLE kind (kind_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE article (article_id INTEGER PRIMARY KEY, name TEXT, kind_id INTEGER REFERENCES kind);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, invoice_date DATE, total NUMERIC);
CREATE TABLE invoice_line (line_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoice, article_id INTEGER REFERENCES article,
  unit_price NUMERIC, quantity INTEGER);
INSERT INTO staff VALUES (1,'Ann','Lee','Field Sales Agent'), (2,'Ann','Ray','Field Sales Agent'), (3,'Bo','Lee','Store Manager');
INSERT INTO client VALUES (1,'Cy','Day','Peru',1), (2,'Di','Day','Peru',2), (3,'Ed','Fox','Chad',2), (4,'Flo','Fox','Chad',3);
INSERT INTO kind VALUES (1,'Tea'), (2,'Cake');
INSERT INTO article VALUES (1,'Green',1), (2,'Black',1), (3,'Plum',2);
INSERT INTO invoice VALUES (1,1,'2025-01-05',30), (2,2,'2025-02-05',50), (3,3,'2026-01-05',20), (4,4,'2026-01-06',500);
INSERT INTO invoice_line VALUES (1,1,1,10,3), (2,2,2,25,2), (3,3,3,20,1), (4,4,3,100,5);
"""
VALUES = {
    ("staff", "title"): ("Field Sales Agent", "Store Manager"),
    ("client", "country"): ("Peru", "Chad"),
    ("kind", "name"): ("Tea", "Cake"),
}


def read_tables(database: sqlite3.Connection) -> Catalog:
    """The catalogue of the shop, as introspection would give it."""
    tables = []
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for name in names:
        about = database.execute(f"PRAGMA table_info({name})").fetchall()
        keys = database.execute(f"PRAGMA foreign_key_list({name})").fetchall()
        primary = {
            other: next(c[1] for c in database.execute(f"PRAGMA table_info({other})") if c[5]) for other in names
        }
        tables.append(
            Table(
                (name,),
                tuple(Column(column[1], column[2], primary_key=bool(column[5])) for column in about),
                foreign_keys=tuple(ForeignKey((key[3],), (key[2],), (primary[key[2]],)) for key in keys),
            )
        )
    return with_display(with_joins(Catalog("sqlite", tuple(tables))))


@pytest.fixture(scope="module")
def shop() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(SHOP)
    return database


@pytest.fixture(scope="module")
def vocabulary(shop: sqlite3.Connection) -> Vocabulary:
    catalog = read_tables(shop)
    return Vocabulary(Book(catalog, Glossary(), VALUES, propose_metrics(catalog, Glossary(), VALUES)))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What were total sales in 2025?", [(80,)]),
        ("2025年的销售额是多少？", [(80,)]),
        ("Revenue by country", [("Chad", 520), ("Peru", 80)]),
        ("各国家的营业额", [("Chad", 520), ("Peru", 80)]),
        ("Sales by kind", [("Cake", 520), ("Tea", 80)]),  # invoices have no kind, their lines have
        ("Which client has the highest sales?", [("Flo", "Fox", 500)]),
        ("Revenue by staff", [("Bo", "Lee", 500), ("Ann", "Ray", 70), ("Ann", "Lee", 30)]),
        ("Which sales agent has the highest sales?", [("Ann", "Ray", 70)]),  # of two Anns, and not of the manager
        ("Top 2 clients by sales in 2025", [("Di", "Day", 50), ("Cy", "Day", 30)]),
    ],
)
def test_sales_are_told_by_invoices_and_by_their_lines(
    vocabulary: Vocabulary, shop: sqlite3.Connection, question: str, rows: list[tuple[object, ...]]
) -> None:
    read = read_plan(question, vocabulary, today=TODAY)
    assert read.plan is not None, read.why
    made = compile_plan(read.plan, vocabulary.book, "sqlite", today=TODAY)
    assert shop.execute(made.sql).fetchall() == rows


@pytest.mark.parametrize(
    "question",
    [
        "Average sales per client",  # of a client or of an invoice
        "The gap between the best and the worst client in sales",  # people are told by two columns
    ],
)
def test_what_may_be_two_things_is_no_plan(vocabulary: Vocabulary, question: str) -> None:
    assert read_plan(question, vocabulary, today=TODAY).plan is None


def metrics_of(ddl: str) -> dict[str, tuple[str, ...]]:
    """What the proposals of some tables are called."""
    database = sqlite3.connect(":memory:")
    database.executescript(ddl)
    catalog = read_tables(database)
    return {metric.name: metric.synonyms for metric in propose_metrics(catalog, Glossary())}


BUYERS = "CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT);"


@pytest.mark.parametrize(
    "ddl",
    [
        "CREATE TABLE purchase_order (id INTEGER PRIMARY KEY, supplier TEXT, total NUMERIC);",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, total_amount NUMERIC, paid_amount NUMERIC);",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, total NUMERIC); CREATE TABLE invoices (id INTEGER PRIMARY KEY, total NUMERIC);",
        "CREATE TABLE payment (id INTEGER PRIMARY KEY, amount NUMERIC);",
        BUYERS
        + "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, shipping_fee NUMERIC);",
        BUYERS + "CREATE TABLE loan (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, amount NUMERIC);"
        "CREATE TABLE payment (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, amount NUMERIC);",
    ],
    ids=["what is bought", "two amounts", "two documents", "payments of nobody", "a fee", "payments of a loan"],
)
def test_nothing_is_called_sales_where_it_may_be_something_else(ddl: str) -> None:
    assert not any("revenue" in words for words in metrics_of(ddl).values())


def test_payments_of_customers_are_revenue_where_nothing_else_is() -> None:
    found = metrics_of(
        BUYERS
        + "CREATE TABLE payment (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, amount NUMERIC);"
    )
    assert [name for name, words in found.items() if "revenue" in words] == ["total_payment_amount"]


ORDERED = """
CREATE TABLE customers (customerNumber INTEGER PRIMARY KEY, customerName TEXT, country TEXT, officeCode INTEGER REFERENCES offices);
CREATE TABLE offices (officeCode INTEGER PRIMARY KEY, city TEXT, country TEXT);
CREATE TABLE goods (good_id INTEGER PRIMARY KEY, good_name TEXT);
CREATE TABLE stocks (stock_id INTEGER PRIMARY KEY, good_id INTEGER REFERENCES goods, quantity INTEGER);
CREATE TABLE orders (orderNumber INTEGER PRIMARY KEY, orderDate DATE, status TEXT,
  customerNumber INTEGER NOT NULL REFERENCES customers);
CREATE TABLE orderdetails (lineId INTEGER PRIMARY KEY, orderNumber INTEGER REFERENCES orders, good_id INTEGER REFERENCES goods,
  quantityOrdered INTEGER, priceEach NUMERIC, orderLineNumber INTEGER);
CREATE TABLE payments (checkNumber INTEGER PRIMARY KEY, customerNumber INTEGER REFERENCES customers, paymentDate DATE, amount NUMERIC);
INSERT INTO offices VALUES (1,'Lima','Peru'), (2,'Oslo','Norway');
INSERT INTO customers VALUES (1,'Aba','Chad',1), (2,'Bel','Peru',2), (3,'Cor','Peru',1);
INSERT INTO goods VALUES (1,'Cup'), (2,'Pot');
INSERT INTO stocks VALUES (1,1,2), (2,1,9), (3,2,4);
INSERT INTO orders VALUES (1,'2024-02-01','shipped',1), (2,'2025-02-01','cancelled',1), (3,'2024-03-01','placed',2), (4,'2025-04-01','placed',1);
INSERT INTO orderdetails VALUES (1,1,1,2,10,1), (2,1,2,1,30,2), (3,2,1,1,10,1), (4,3,2,4,30,1), (5,4,1,6,10,1);
INSERT INTO payments VALUES (1,1,'2024-03-01',50), (2,2,'2024-04-01',100);
CREATE VIEW invoices AS SELECT o.*, d.quantityOrdered, d.priceEach FROM orders o JOIN orderdetails d USING (orderNumber);
"""
ORDERED_VALUES = {
    ("customers", "country"): ("Chad", "Peru"),
    ("offices", "country"): ("Norway", "Peru"),
    ("orders", "status"): ("shipped", "cancelled", "placed"),
    ("goods", "good_name"): ("Cup", "Pot"),
}


@pytest.fixture(scope="module")
def ordered() -> tuple[sqlite3.Connection, Vocabulary]:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(ORDERED)
    catalog = read_tables(database)
    view = Table(
        ("invoices",),
        tuple(Column(row[1], row[2]) for row in database.execute("PRAGMA table_info(invoices)")),
        kind="view",
    )
    catalog = with_display(with_joins(Catalog("sqlite", (*catalog.tables, view))))
    return database, Vocabulary(
        Book(catalog, Glossary(), ORDERED_VALUES, propose_metrics(catalog, Glossary(), ORDERED_VALUES))
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "What were total sales in 2024?",
            [(170,)],
        ),  # of the lines, though payments are there, and the view repeats them
        ("2024年的销售额是多少？", [(170,)]),
        ("Units sold by good in 2024", [("Cup", 2), ("Pot", 5)]),
        ("What was the average order value in 2024?", [(85,)]),
        ("2024年平均订单金额是多少？", [(85,)]),
        ("Total payments amount by country", [("Chad", 50), ("Peru", 100)]),  # of customers, and not of their offices
        ("各个国家分别有多少客户？", [("Chad", 1), ("Peru", 2)]),
        ("2025年的订单数比上一年多了多少？", [(2, 2, 0, 0)]),
        ("2024年的订单数比上一年多了多少？", [(2, 0, 2, None)]),  # before 2024, and not before today
        ("2025年被取消的订单占多少比例？", [(1, 50.0)]),
        ("How many customers bought in 2024 but not in 2025?", [(1,)]),
        ("2024年和2025年都下过单的客户有几家？", [(1,)]),
        ("Which customers have never placed an order?", [("Cor",)]),
        ("2024年有多少客户下过单？", [(2,)]),
        ("Which customers placed the most orders? Top 1 please.", [("Aba", 3)]),  # placed is no state here
        ("库存不足5件的商品有哪些？", [("Pot", 4)]),  # pieces, and not rows of the list
        (
            "How do the first two months of 2025 compare with the same months of 2024 in number of orders?",
            [(1, 1, 0, 0)],
        ),
    ],
)
def test_orders_with_lines_tell_what_is_sold_and_who_bought(
    ordered: tuple[sqlite3.Connection, Vocabulary], question: str, rows: list[tuple[object, ...]]
) -> None:
    database, vocabulary = ordered
    read = read_plan(question, vocabulary, today=TODAY)
    assert read.plan is not None, f"{read.why} {read.ignored}"
    made = compile_plan(read.plan, vocabulary.book, "sqlite", today=TODAY)
    assert sorted(database.execute(made.sql).fetchall(), key=str) == rows


@pytest.mark.parametrize(
    "question",
    [
        "How many orders does the average customer have?",  # a figure of each, averaged
        "How many customers ordered in 2024 and 2025?",  # in each or in both
        "How many rows has stock?",
        "What did we spend in 2024?",
        "Sum of payments and orders",
    ],
)
def test_what_orders_do_not_say_is_no_plan(ordered: tuple[sqlite3.Connection, Vocabulary], question: str) -> None:
    assert read_plan(question, ordered[1], today=TODAY).plan is None
