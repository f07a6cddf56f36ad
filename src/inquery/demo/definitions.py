"""The tables of the demo database as data, and the statements that create them on each engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoColumn:
    """One column: a portable type, whether NULL is allowed, and the `table.column` it references."""

    name: str
    type: str
    nullable: bool = False
    references: str = ""


@dataclass(frozen=True, slots=True)
class DemoTable:
    """One table; the first column is its key unless `key` says otherwise."""

    name: str
    columns: tuple[DemoColumn, ...]
    key: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()

    @property
    def primary_key(self) -> tuple[str, ...]:
        """The columns of the primary key."""
        return self.key or (self.columns[0].name,)


def _table(name: str, columns: str, *, key: tuple[str, ...] = (), indexes: tuple[str, ...] = ()) -> DemoTable:
    """A table from lines of `name type[?] [-> table.column]`; a question mark allows NULL."""
    made = []
    for line in columns.strip().splitlines():
        left, _, reference = line.partition("->")
        column, kind = left.split()
        made.append(DemoColumn(column, kind.rstrip("?"), kind.endswith("?"), reference.strip()))
    return DemoTable(name, tuple(made), key, indexes)


# Parents come before children, so that engines which check references at once can load in this order.
TABLES: tuple[DemoTable, ...] = (
    _table(
        "customers",
        """
        customer_id int
        name text
        gender text
        birth_date date
        email text?
        phone text?
        city text
        province text
        country text
        segment text
        registered_on date
        """,
    ),
    _table(
        "addresses",
        """
        address_id int
        customer_id int -> customers.customer_id
        line text
        city text
        province text
        postcode text
        country text
        """,
    ),
    _table(
        "categories",
        """
        category_id int
        parent_id int? -> categories.category_id
        code text
        name_en text
        name_zh text
        """,
    ),
    _table(
        "suppliers",
        """
        supplier_id int
        name text
        country text
        rating rate
        """,
    ),
    _table(
        "products",
        """
        product_id int
        name_en text
        name_zh text
        brand text
        category_id int -> categories.category_id
        supplier_id int -> suppliers.supplier_id
        price money
        cost money
        launched_on date
        discontinued int
        """,
    ),
    _table(
        "stores",
        """
        store_id int
        name text
        city text
        region text
        opened_on date
        manager_id int -> employees.employee_id
        """,
    ),
    _table(
        "employees",
        """
        employee_id int
        name text
        title text
        store_id int -> stores.store_id
        manager_id int? -> employees.employee_id
        hired_on date
        salary money
        """,
    ),
    _table(
        "promotions",
        """
        promotion_id int
        name text
        kind text
        discount_rate rate
        starts_on date
        ends_on date
        """,
    ),
    _table(
        "orders",
        """
        order_id int
        customer_id int -> customers.customer_id
        store_id int? -> stores.store_id
        employee_id int? -> employees.employee_id
        ordered_at datetime
        status text
        channel text
        ship_address_id int -> addresses.address_id
        bill_address_id int -> addresses.address_id
        promotion_id int? -> promotions.promotion_id
        total_amount money
        """,
        indexes=("ordered_at",),
    ),
    _table(
        "order_items",
        """
        order_item_id int
        order_id int -> orders.order_id
        product_id int -> products.product_id
        quantity int
        unit_price money
        discount money
        """,
    ),
    _table(
        "payments",
        """
        payment_id int
        order_id int -> orders.order_id
        method text
        amount money
        paid_at datetime
        status text
        """,
    ),
    _table(
        "returns",
        """
        return_id int
        order_item_id int -> order_items.order_item_id
        returned_at datetime
        quantity int
        reason text
        refund_amount money
        """,
    ),
    _table(
        "inventory",
        """
        product_id int -> products.product_id
        store_id int -> stores.store_id
        quantity int
        reorder_level int
        updated_at datetime
        """,
        key=("product_id", "store_id"),
    ),
    _table(
        "reviews",
        """
        review_id int
        product_id int -> products.product_id
        customer_id int -> customers.customer_id
        rating int
        comment text?
        created_at datetime
        """,
    ),
    _table(
        "web_events",
        """
        event_id int
        customer_id int? -> customers.customer_id
        session_id text
        event_type text
        product_id int? -> products.product_id
        happened_at datetime
        """,
        indexes=("happened_at",),
    ),
)

BY_NAME = {table.name: table for table in TABLES}
