"""A bare key is shown with the name of its thing before it, and nothing else of the answer changes."""

import pytest

from inquery.agents.statements.shown_names import show_names
from inquery.catalog.joins import with_joins
from inquery.sql import Catalog, Column, ForeignKey, Policy, Table, check
from inquery.sql.dialects import DIALECTS
from inquery.sql.statement import read_statement

BUYERS = "SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id ORDER BY total DESC"


async def test_a_foreign_key_gets_the_name_it_stands_for(desk):
    answer = await desk([BUYERS]).ask("Which customers bought the most?")
    assert answer.rows == [["张伟", 1, 150.0], ["Ann", 2, 100.0], ["Bob", 3, 20.0]]
    assert "LEFT JOIN" in answer.sql


async def test_it_is_so_in_chinese_too_and_a_row_without_a_thing_stays(desk):
    answer = await desk(["SELECT store_id, COUNT(*) AS n FROM orders GROUP BY store_id ORDER BY n DESC, store_id"]).ask(
        "哪个门店的订单最多？"
    )
    assert answer.rows == [["Alpha", 1, 2], ["Beta", 2, 2], [None, None, 1]]


async def test_a_primary_key_gets_the_name_of_its_own_row(desk):
    answer = await desk(["SELECT customer_id FROM customers WHERE city = 'Paris'"]).ask(
        "Which customers live in Paris?"
    )
    assert answer.rows == [["Bob", 3]]


async def test_two_keys_get_a_name_each(desk):
    answer = await desk(
        ["SELECT o.store_id, o.customer_id FROM orders AS o WHERE o.amount > 60 ORDER BY o.amount"]
    ).ask("Which stores sold to which customers for more than 60?")
    assert answer.rows == [["Alpha", 1, "Ann", 2], ["Alpha", 1, "张伟", 1]]


CITIES = "SELECT c.city, SUM(o.amount) AS total FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id GROUP BY c.customer_id, c.city ORDER BY total DESC"


@pytest.mark.parametrize("question", ["Which customer spent the most?", "哪位客户消费金额最高？"])
async def test_rows_that_are_things_one_by_one_are_named_though_only_a_kind_is_shown(desk, question):
    answer = await desk([CITIES]).ask(question)
    assert [row[0] for row in answer.rows] == ["张伟", "Ann", "Bob"]
    assert len(answer.rows[0]) == 3


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) AS n FROM orders GROUP BY customer_id ORDER BY n DESC, customer_id",
        "SELECT COUNT(*) AS n FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id GROUP BY c.customer_id ORDER BY n DESC, c.customer_id",
    ],
)
@pytest.mark.parametrize("question", ["How many orders are there by customer?", "按客户统计订单数"])
async def test_figures_by_a_key_that_is_not_shown_are_of_somebody(desk, sql, question):
    answer = await desk([sql]).ask(question)
    assert answer.rows == [["张伟", 2], ["Ann", 2], ["Bob", 1]]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) AS n FROM orders GROUP BY customer_id ORDER BY n DESC LIMIT 1",
        "SELECT DISTINCT COUNT(*) AS n FROM orders GROUP BY customer_id",
    ],
)
async def test_a_figure_that_is_asked_for_as_such_stays_one(desk, sql):
    answer = await desk([sql]).ask("What is the highest number of orders of one customer?")
    assert "name" not in answer.sql


@pytest.mark.parametrize(
    ("sql", "question"),
    [
        (CITIES, "In which city does each customer live, and what did they spend?"),  # the kind was asked for
        (CITIES, "每位客户所在的城市和消费金额"),
        (BUYERS, "What are the customer ids with the highest amounts?"),  # the key was asked for
        (BUYERS, "消费最多的客户编号是什么？"),
        ("SELECT name, customer_id FROM customers", "Who are the customers?"),
        ("SELECT * FROM orders", "Show the orders of customers"),
        ("SELECT customer_id, COUNT(*) FROM orders GROUP BY 1 ORDER BY 2", "Which customers order often?"),
        ("SELECT COUNT(DISTINCT customer_id) FROM orders", "How many customers bought something?"),
        ("SELECT order_id FROM orders WHERE amount > 60", "What are the numbers of the orders above 60?"),
        ("SELECT order_id FROM orders WHERE amount > 60", "金额超过60的订单编号"),
        ("SELECT order_id, amount FROM orders WHERE amount > 60", "Which orders are above 60, and how much are they?"),
        ("SELECT MAX(order_id) FROM orders", "What is the last order?"),
        (
            "SELECT customer_id FROM orders UNION SELECT customer_id FROM customers",
            "Which customers are there in orders or otherwise?",
        ),
    ],
)
async def test_other_statements_stay_as_they_are(desk, sql, question):
    answer = await desk([sql]).ask(question)
    assert answer.sql == sql


@pytest.mark.parametrize("question", ["List the orders of 2026", "列出2026年的订单", "Which orders are of 2026?"])
async def test_a_row_without_a_name_is_shown_with_when_who_what_and_how_much(desk, question):
    answer = await desk(["SELECT order_id FROM orders WHERE ordered_on >= '2026-01-01' ORDER BY order_id"]).ask(
        question
    )
    assert answer.rows == [
        [3, "2026-02-01", "Ann", "Alpha", "shipped", 70.0],
        [4, "2026-03-05", "Ann", None, "cancelled", 30.0],
        [5, "2026-07-09", "Bob", "Beta", "paid", 20.0],
    ]
    # What is told of each order is neither measured nor grouped by.
    assert {part["kind"] for part in answer.reading["parts"]} & {"measure", "group"} == set()


async def test_of_a_row_without_a_name_only_what_one_may_read_is_shown(desk):
    answer = await desk(["SELECT order_id FROM orders WHERE amount > 60 ORDER BY order_id"]).ask(
        "List the orders above 60",
        policy=Policy(hidden_columns=frozenset({"orders.status", "customers.name", "orders.store_id"})),
    )
    assert answer.rows == [[1, "2025-03-01", 100.0], [3, "2026-02-01", 70.0]]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_a_list_of_rows_without_names_passes_the_guard_in_every_dialect(dialect):
    keys = (
        ForeignKey(("customer_id",), ("sales", "customers"), ("id",)),
        ForeignKey(("seller_id",), ("sales", "sellers"), ("id",)),
    )
    id_column = Column("id", "int", primary_key=True)
    people = [
        Table(("sales", n), (id_column, Column("name", "text")), display=("name",)) for n in ("customers", "sellers")
    ]
    columns = (id_column, *(Column(n, "int") for n in ("customer_id", "seller_id")), Column("amount", "decimal(9,2)"))
    orders = Table(("sales", "orders"), columns, foreign_keys=keys)
    catalog = with_joins(Catalog(dialect, (*people, orders)))
    shown = show_names(read_statement("SELECT DISTINCT id FROM orders", catalog), "List the orders", catalog)
    assert shown.count("LEFT JOIN") == 2
    assert "amount" in shown
    assert check(shown, dialect=dialect, catalog=catalog)


@pytest.mark.parametrize(("question", "name"), [("List the returns", "name_en"), ("列出退货", "name_zh")])
def test_a_name_in_two_languages_is_shown_in_that_of_the_question(question, name):
    id_column = Column("id", "INTEGER", primary_key=True)
    products = Table(("products",), (id_column, Column("name_en", "TEXT"), Column("name_zh", "TEXT")))
    keys = (ForeignKey(("product_id",), ("products",), ("id",)),)
    returns = Table(("returns",), (id_column, Column("product_id", "INTEGER")), foreign_keys=keys)
    catalog = with_joins(Catalog("sqlite", (products, returns)))
    shown = show_names(read_statement("SELECT id FROM returns", catalog), question, catalog)
    assert shown == (
        f'SELECT returns.id, products_named."{name}" FROM returns '
        'LEFT JOIN "products" AS products_named ON returns."product_id" = products_named."id"'
    )


async def test_a_name_that_one_may_not_read_is_not_shown(desk):
    answer = await desk([BUYERS]).ask(
        "Which customers bought the most?", policy=Policy(hidden_columns=frozenset({"customers.name"}))
    )
    assert answer.sql == BUYERS


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_the_statement_passes_the_guard_in_every_dialect(dialect):
    key = ForeignKey(("customer_id",), ("sales", "customers"), ("id",))
    id_column = Column("id", "int", primary_key=True)
    customers = Table(("sales", "customers"), (id_column, Column("name", "text")), display=("name",))
    orders = Table(("sales", "orders"), (id_column, Column("customer_id", "int")), foreign_keys=(key,))
    catalog = with_joins(Catalog(dialect, (customers, orders)))
    statement = read_statement("SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id", catalog)
    named = show_names(statement, "Which customer ordered most?", catalog)
    assert "customers_named" in named
    assert check(named, dialect=dialect, catalog=catalog)


def test_a_name_that_is_ambiguous_is_not_settled_by_chance():
    key = ForeignKey(("customer_id",), ("customers",), ("customer_id",))
    id_column = Column("customer_id", "int", primary_key=True)
    customers = Table(("customers",), (id_column, Column("name", "text")), display=("name",))
    orders = Table(
        ("orders",), (Column("id", "int", primary_key=True), Column("customer_id", "int")), foreign_keys=(key,)
    )
    catalog = with_joins(Catalog("sqlite", (customers, orders)))
    sql = "SELECT customer_id FROM orders o JOIN customers c ON c.customer_id = o.customer_id"
    assert show_names(read_statement(sql, catalog), "Which customers ordered?", catalog) == sql


@pytest.mark.parametrize(("shown", "added"), [("c.name_en", False), ("c.sort", True)])
def test_a_name_in_one_of_two_languages_is_a_name(shown, added):
    columns = (
        Column("category_id", "INTEGER", primary_key=True),
        *(Column(n, "TEXT") for n in ("code", "name_en", "sort")),
    )
    keys = (ForeignKey(("category_id",), ("categories",), ("category_id",)),)
    items = Table(
        ("items",),
        (Column("item_id", "INTEGER", primary_key=True), Column("category_id", "INTEGER")),
        foreign_keys=keys,
    )
    catalog = with_joins(Catalog("sqlite", (Table(("categories",), columns, display=("code",)), items)))
    sql = (
        f"SELECT {shown}, COUNT(*) FROM items AS i JOIN categories AS c ON c.category_id = i.category_id "
        f"GROUP BY c.category_id, {shown}"
    )
    found = show_names(read_statement(sql, catalog), "How many items are there of each?", catalog)
    assert ("code" in found) == added


PEOPLE = Catalog(
    "sqlite",
    (
        Table(
            ("buyer",),
            (Column("id", "INTEGER", primary_key=True), *(Column(name, "TEXT") for name in ("first", "last", "phone"))),
            display=("first", "last"),
        ),
    ),
)


@pytest.mark.parametrize(
    ("question", "sql", "shown"),
    [
        ("Names and phone numbers of the buyers", "SELECT first, phone FROM buyer", "SELECT first, buyer.\"last\", phone FROM buyer"),
        ("买家的姓名和电话", "SELECT last, phone FROM buyer", "SELECT buyer.\"first\", last, phone FROM buyer"),
        (
            "How many calls has each buyer made?", "SELECT first, COUNT(*) FROM buyer GROUP BY id, first",
            "SELECT first, buyer.\"last\", COUNT(*) FROM buyer GROUP BY id, first, buyer.\"last\"",
        ),
        ("First names of the buyers", "SELECT first FROM buyer", "SELECT first FROM buyer"),
        ("买家的姓氏", "SELECT last FROM buyer", "SELECT last FROM buyer"),
        ("Names of the buyers", "SELECT first, last FROM buyer", "SELECT first, last FROM buyer"),
    ],
)  # fmt: skip
def test_people_are_shown_by_first_and_last_name(question, sql, shown):
    statement = read_statement(sql, PEOPLE)
    assert statement is not None
    assert show_names(statement, question, PEOPLE) == shown
