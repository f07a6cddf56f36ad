"""A small business: a chain of tables, two keys to one table, a key to itself, Chinese and odd names, and its rows."""

import sqlite3

from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.sql import Column, ForeignKey, Table


def table(name: str, columns: str, keys: dict[str, str] | None = None) -> Table:
    made = []
    for word in columns.split():
        column, _, kind = word.partition(":")
        made.append(Column(column.strip("*").replace("~", " "), kind or "TEXT", primary_key=column.endswith("*")))
    foreign = tuple(
        ForeignKey((own,), (target.split(".")[0],), (target.split(".")[1],)) for own, target in (keys or {}).items()
    )
    return Table((name,), tuple(made), foreign_keys=foreign)


TABLES = (
    table("customers", "customer_id*:INTEGER name country level:INTEGER"),
    table(
        "orders",
        "order_id*:INTEGER customer_id:INTEGER status total:REAL ordered_at:DATE paid_at:DATE",
        {"customer_id": "customers.customer_id"},
    ),
    table(
        "items",
        "item_id*:INTEGER order_id:INTEGER product_id:INTEGER qty:INTEGER price:REAL",
        {"order_id": "orders.order_id", "product_id": "products.product_id"},
    ),
    table("products", "product_id*:INTEGER title category_id:INTEGER", {"category_id": "categories.category_id"}),
    table("categories", "category_id*:INTEGER label parent_id:INTEGER", {"parent_id": "categories.category_id"}),
    table("games", "game_id*:INTEGER home:INTEGER away:INTEGER", {"home": "teams.team_id", "away": "teams.team_id"}),
    table("teams", "team_id*:INTEGER team_name"),
    table("门店", "编号*:INTEGER 店名 开业~日期:DATE"),
    table("from", "key*:INTEGER order"),
)
SCHEMA = FormSchema(TABLES)
NAMES = NameMap(TABLES)

ROWS = {
    "customers": [(1, "Ann", "France", 1), (2, "Bo", "China", 2), (3, "Cy", "France", 2), (4, "Di", None, 3)],
    "orders": [
        (1, 1, "paid", 10.0, "2024-01-05", "2024-01-07"),
        (2, 1, "open", 20.0, "2024-02-10", None),
        (3, 2, "paid", 30.0, "2024-02-28", "2024-03-01"),
        (4, 2, "paid", 5.0, "2023-12-31", "2024-01-01"),
        (5, 3, "open", 7.5, "2024-05-01", None),
    ],
    "items": [(1, 1, 1, 2, 5.0), (2, 2, 2, 1, 20.0), (3, 3, 1, 3, 5.0), (4, 3, 3, 1, 15.0), (5, 5, 2, 1, 7.5)],
    "products": [(1, "pen", 2), (2, "ink", 2), (3, "desk", 3)],
    "categories": [(1, "all", None), (2, "writing", 1), (3, "furniture", 1)],
    "games": [(1, 1, 2), (2, 2, 1), (3, 1, 3)],
    "teams": [(1, "Reds"), (2, "Blues"), (3, "Greens")],
    "门店": [(1, "一号店", "2020-06-01"), (2, "二号店", "2021-03-15")],
    "from": [(1, "a"), (2, "b")],
}


def create(execute) -> None:  # type: ignore[no-untyped-def]
    """Make the tables and rows through any DB-API like `execute(sql, parameters)`."""
    for made in TABLES:
        columns = ", ".join(f'"{c.name}" {c.type}' for c in made.columns)
        execute(f'create table "{made.name}" ({columns})', ())
        for row in ROWS[made.name]:
            execute(f'insert into "{made.name}" values ({", ".join("?" * len(row))})', row)


def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    create(connection.execute)
    return connection
