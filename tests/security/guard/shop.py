"""The shop of the corpora, filled with a few rows on real engines."""

import json
from collections.abc import Callable, Iterator
from typing import Any

CITIES = ["Paris", "北京", "Oslo", None]
STATUSES = ["paid", "void", "new", None]

COLUMN_TYPES = {
    "customers": "id int, name text, email text, city text, region text, segment text, signup_date date, referrer_id int",
    "orders": "id int, customer_id int, status text, total real8, discount real8, created_at stamp, ship_date stamp, items json, payload json",
    "order_items": "order_id int, product_id int, quantity int, unit_price real8",
    "products": "id int, name text, category text, price real8, attrs json, tags texts",
    "events": "id int, user_id int, ts stamp, name text, props json, session_id int, arr ints, value real8",
    "employees": "id int, name text, manager_id int, department text, salary real8, hired date",
    "order": "id int, total real8",
    "订单": "编号 int, 客户 text, 金额 real8, 日期 text",
}

TYPES: dict[str, dict[str, str]] = {
    "sqlite": {"real8": "REAL", "stamp": "TEXT", "json": "TEXT", "texts": "TEXT", "ints": "TEXT", "int": "INTEGER", "text": "TEXT", "date": "TEXT"},
    "duckdb": {"real8": "DOUBLE", "stamp": "TIMESTAMP", "json": "JSON", "texts": "VARCHAR[]", "ints": "INTEGER[]", "int": "INTEGER", "text": "VARCHAR", "date": "DATE"},
    "postgres": {"real8": "double precision", "stamp": "timestamp", "json": "jsonb", "texts": "text[]", "ints": "int[]", "int": "int", "text": "text", "date": "date"},
    "mysql": {"real8": "DOUBLE", "stamp": "DATETIME", "json": "JSON", "texts": "JSON", "ints": "JSON", "int": "INT", "text": "VARCHAR(200)", "date": "DATE"},
    "clickhouse": {"real8": "Nullable(Float64)", "stamp": "DateTime", "json": "String", "texts": "Array(String)", "ints": "Array(Int32)", "int": "Nullable(Int32)", "text": "Nullable(String)", "date": "Date"},
}  # fmt: skip

QUOTES = {"mysql": "`", "clickhouse": "`"}


def rows() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every row of the shop: table, values; lists and documents as Python objects."""
    for i in range(1, 9):
        yield (
            "customers",
            (
                i,
                f"name{i}",
                f"u{i}@example.com",
                CITIES[i % 4],
                f"r{i % 2}",
                f"s{i % 3}",
                f"2023-0{i}-11",
                i - 1 or None,
            ),
        )
        yield "products", (i, f"p{i}", f"c{i % 3}", i * 1.5, {"a": i, "color": "red"}, ["a", f"t{i % 2}"])
        yield "employees", (i, f"e{i}", i // 2 or None, f"d{i % 2}", 1000.0 + 100 * (i % 5), "2020-01-01")
        yield "order", (i, i * 2.0)
        yield "订单", (i, f"客{i}", i * 10.5, f"2024-0{i}-01")
    for i in range(1, 21):
        stamp = f"2024-{1 + i % 6:02d}-{1 + i:02d} 0{i % 10}:30:00"
        shipped = f"2024-{2 + i % 6:02d}-{1 + i:02d} 0{i % 10}:00:00"
        document = {"a": {"b": i}, "c": "x", "n": i, "items": [{"sku": f"k{i}", "qty": i}], "d": None}
        yield (
            "orders",
            (
                i,
                1 + i % 8,
                STATUSES[i % 4],
                (i * 37) % 101 * 1.0,
                i % 3 * 1.0 if i % 5 else None,
                stamp,
                shipped,
                [{"sku": "k", "qty": i}],
                document,
            ),
        )
        yield "order_items", (i % 12, 1 + i % 8, i % 4, i * 1.25)
        yield "events", (i, 1 + i % 4, stamp, ["view", "cart", "buy"][i % 3], {"a": i}, i % 5, [i, i + 1, 3], i * 0.5)


def create(dialect: str) -> Iterator[str]:
    """CREATE TABLE statements of one engine."""
    quote = QUOTES.get(dialect, '"')
    for name, columns in COLUMN_TYPES.items():
        made = []
        for column in columns.split(", "):
            title, kind = column.split(" ")
            made.append(f"{quote}{title}{quote} {TYPES[dialect][kind]}")
        engine = " ENGINE = Memory" if dialect == "clickhouse" else ""
        yield f"CREATE TABLE {quote}{name}{quote} ({', '.join(made)}){engine}"


def literal(value: Any, kind: str, dialect: str) -> str:
    """A value as the text of an INSERT."""
    if value is None:
        return "NULL"
    if kind == "json" or (isinstance(value, list) and dialect in {"sqlite", "mysql"}):
        return "'" + json.dumps(value) + "'"
    if isinstance(value, list):
        inside = ", ".join(repr(item) for item in value)
        return f"ARRAY[{inside}]" if dialect == "postgres" else f"[{inside}]"
    return str(value) if isinstance(value, int | float) else "'" + str(value) + "'"


def fill(run: Callable[[str], object], dialect: str) -> None:
    """Create and fill the shop through a function that runs one statement."""
    for statement in create(dialect):
        run(statement)
    quote = QUOTES.get(dialect, '"')
    kinds = {t: [c.split(" ")[1] for c in columns.split(", ")] for t, columns in COLUMN_TYPES.items()}
    for table, values in rows():
        inside = ", ".join(literal(v, k, dialect) for v, k in zip(values, kinds[table], strict=True))
        run(f"INSERT INTO {quote}{table}{quote} VALUES ({inside})")
