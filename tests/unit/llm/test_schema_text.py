"""The schema as a chat model reads it: what tells something is there, what does not is left out."""

from inquery.llm.schema_text import schema_block
from inquery.llm.writer import SchemaView
from inquery.sql import Column, ForeignKey, Join, Table

CUSTOMERS = Table(
    ("customers",),
    (
        Column("customer_id", "INTEGER", primary_key=True, samples=("1", "2", "3", "4")),
        Column("gender", "TEXT", samples=("F", "M")),
        Column("city", "TEXT", samples=("上海", "北京", "深圳", "广州", "杭州", "成都", "南京", "苏州")),
        Column("born", "DATE", samples=("1990-03-05", "1955-12-03")),
        Column("balance", "REAL", samples=("1.5", "2.5", "3.5", "4.5")),
        Column("vip", "INTEGER", samples=("0", "1"), comment="1 for members"),
    ),
    estimated_rows=5000,
)
ORDERS = Table(
    ("orders",),
    (
        Column("order_id", "INTEGER", primary_key=True),
        Column("customer_id", "INTEGER", samples=("7", "9")),
        Column("shop", "TEXT"),
    ),
    foreign_keys=(ForeignKey(("customer_id",), ("customers",), ("customer_id",)),),
)
DECLARED = Join(("orders",), ("customer_id",), ("customers",), ("customer_id",))
INFERRED = Join(("orders",), ("shop",), ("customers",), ("city",), declared=False, confidence=0.5)


def test_a_schema_shows_codes_whole_texts_by_example_and_dates_by_their_form() -> None:
    assert schema_block(SchemaView((CUSTOMERS, ORDERS), (DECLARED, INFERRED))).splitlines() == [
        "customers (table, about 5000 rows)",
        "  customer_id INTEGER, PK",
        "  gender TEXT, e.g. 'F', 'M'",
        "  city TEXT, e.g. '上海', '北京'",
        "  born DATE, e.g. '1990-03-05'",
        "  balance REAL",
        "  vip INTEGER, e.g. '0', '1' -- 1 for members",
        "",
        "orders (table)",
        "  order_id INTEGER, PK",
        "  customer_id INTEGER, -> customers.customer_id",
        "  shop TEXT",
        "",
        "Joins:",
        "orders.shop = customers.city",
    ]
