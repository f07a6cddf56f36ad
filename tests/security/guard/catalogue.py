"""The small shop every statement of the corpora is about, in each dialect's own kind of names."""

from inquery.sql import Catalog

TABLES = {
    "customers": ["id", "name", "email", "city", "region", "segment", "signup_date", "referrer_id"],
    "orders": ["id", "customer_id", "status", "total", "discount", "created_at", "ship_date", "items", "payload"],
    "order_items": ["order_id", "product_id", "quantity", "unit_price"],
    "products": ["id", "name", "category", "price", "attrs", "tags"],
    "events": ["id", "user_id", "ts", "name", "props", "session_id", "arr", "value"],
    "employees": ["id", "name", "manager_id", "department", "salary", "hired"],
    "order": ["id", "total"],
    "订单": ["编号", "客户", "金额", "日期"],
}

SCHEMAS: dict[str, tuple[str, ...]] = {
    "sqlite": (),
    "postgres": ("public",),
    "mysql": (),
    "duckdb": ("main",),
    "clickhouse": ("default",),
    "snowflake": ("SHOP", "PUBLIC"),
    "bigquery": ("proj", "shop"),
    "oracle": ("SHOP",),
    "tsql": ("dbo",),
    "trino": ("hive", "shop"),
}


def catalogue(dialect: str) -> Catalog:
    """The shop as one dialect names it; Oracle and Snowflake fold to upper case."""
    upper = dialect in {"snowflake", "oracle"}
    tables: dict[str | tuple[str, ...], list[str]] = {
        (*SCHEMAS[dialect], name.upper() if upper else name): [c.upper() if upper else c for c in columns]
        for name, columns in TABLES.items()
    }
    return Catalog.of(tables, dialect=dialect)
