"""A small shop in a real SQLite file, attached for the executor."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from inquery.databases.executor.execute import attach, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address

SHOP = """
create table customers (customer_id integer primary key, name text not null, city text, email text, password_hash text,
  birth_date date, registered_on date not null);
create table orders (order_id integer primary key, customer_id integer references customers (customer_id), status text,
  total_amount real, ordered_at timestamp not null, updated_at timestamp, photo blob);
create table "订单备注" ("编号" integer primary key, "订单编号" integer, "内容" text);
create view big_orders as select * from orders where total_amount > 500;
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
        cities = ["北京", "上海", "Paris", None]
        for n in range(1, 41):
            row = (n, f"Person {n}", cities[n % 4], f"p{n}@example.org", f"secret{n}", "1990-01-01", "2024-01-01")
            connection.execute("insert into customers values (?, ?, ?, ?, ?, ?, ?)", row)
        for n in range(1, 121):
            status = ["completed", "completed", "cancelled"][n % 3]
            row = (n, n % 40 + 1, status, 10.0 * n, "2024-02-03 04:05:06", None, b"\xff\x00")
            connection.execute("insert into orders values (?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    return path


@pytest.fixture
def connection(shop: Path) -> Iterator[str]:
    attach("shop", open_engine(parse_address(str(shop))))
    yield "shop"
    detach("shop")
