"""Every fact that is promised about the demo's data holds."""

import sqlite3

import pytest
from tests.unit.demo.conftest import TODAY

from inquery.demo.definitions import TABLES

CODES = [
    "mobile_phone",
    "computer",
    "tablet",
    "camera",
    "audio",
    "home_appliance",
    "kitchen",
    "clothing",
    "shoes",
    "beauty",
    "sports",
    "toys",
    "books",
    "food",
    "furniture",
]

# The columns as the questions written elsewhere expect them.
COLUMNS = {
    "customers": "customer_id name gender birth_date email phone city province country segment registered_on",
    "addresses": "address_id customer_id line city province postcode country",
    "categories": "category_id parent_id code name_en name_zh",
    "suppliers": "supplier_id name country rating",
    "products": "product_id name_en name_zh brand category_id supplier_id price cost launched_on discontinued",
    "stores": "store_id name city region opened_on manager_id",
    "employees": "employee_id name title store_id manager_id hired_on salary",
    "promotions": "promotion_id name kind discount_rate starts_on ends_on",
    "orders": "order_id customer_id store_id employee_id ordered_at status channel ship_address_id bill_address_id "
    "promotion_id total_amount",
    "order_items": "order_item_id order_id product_id quantity unit_price discount",
    "payments": "payment_id order_id method amount paid_at status",
    "returns": "return_id order_item_id returned_at quantity reason refund_amount",
    "inventory": "product_id store_id quantity reorder_level updated_at",
    "reviews": "review_id product_id customer_id rating comment created_at",
    "web_events": "event_id customer_id session_id event_type product_id happened_at",
}
REFERENCES = {
    "addresses": {("customer_id", "customers")},
    "categories": {("parent_id", "categories")},
    "products": {("category_id", "categories"), ("supplier_id", "suppliers")},
    "stores": {("manager_id", "employees")},
    "employees": {("store_id", "stores"), ("manager_id", "employees")},
    "orders": {
        ("customer_id", "customers"),
        ("store_id", "stores"),
        ("employee_id", "employees"),
        ("ship_address_id", "addresses"),
        ("bill_address_id", "addresses"),
        ("promotion_id", "promotions"),
    },
    "order_items": {("order_id", "orders"), ("product_id", "products")},
    "payments": {("order_id", "orders")},
    "returns": {("order_item_id", "order_items")},
    "inventory": {("product_id", "products"), ("store_id", "stores")},
    "reviews": {("product_id", "products"), ("customer_id", "customers")},
    "web_events": {("customer_id", "customers"), ("product_id", "products")},
}
SETS = {
    "customers.gender": "M F",
    "customers.segment": "consumer corporate small_business",
    "products.discontinued": "0 1",
    "stores.region": "east south north west",
    "promotions.kind": "discount bundle coupon",
    "orders.status": "pending paid shipped completed cancelled",
    "orders.channel": "web app store",
    "payments.method": "alipay wechat_pay credit_card bank_transfer cash",
    "payments.status": "succeeded failed refunded",
    "returns.reason": "defect wrong_item damaged late no_longer_needed",
    "reviews.rating": "1 2 3 4 5",
    "web_events.event_type": "view search add_to_cart purchase",
}


def one(demo: sqlite3.Connection, sql: str) -> float:
    (value,) = demo.execute(sql).fetchone()
    return value


@pytest.mark.parametrize("table", COLUMNS)
def test_a_table_has_exactly_its_columns(demo: sqlite3.Connection, table: str) -> None:
    assert [row[1] for row in demo.execute(f"PRAGMA table_info({table})")] == COLUMNS[table].split()


def test_there_are_exactly_these_tables(demo: sqlite3.Connection) -> None:
    names = {
        row[0] for row in demo.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite%'")
    }
    assert names == set(COLUMNS) == {table.name for table in TABLES}


@pytest.mark.parametrize("table", COLUMNS)
def test_references_are_declared(demo: sqlite3.Connection, table: str) -> None:
    declared = {(row[3], row[2]) for row in demo.execute(f"PRAGMA foreign_key_list({table})")}
    assert declared == REFERENCES.get(table, set())


def test_every_reference_points_at_a_row(demo: sqlite3.Connection) -> None:
    assert demo.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("place", SETS)
def test_codes_are_the_fixed_ones_and_all_occur(demo: sqlite3.Connection, place: str) -> None:
    table, column = place.split(".")
    assert {str(row[0]) for row in demo.execute(f"SELECT DISTINCT {column} FROM {table}")} == set(SETS[place].split())


def test_category_codes(demo: sqlite3.Connection) -> None:
    assert [row[0] for row in demo.execute("SELECT code FROM categories ORDER BY category_id")] == CODES
    assert one(demo, "SELECT COUNT(*) FROM categories WHERE parent_id IS NOT NULL") > 0


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ("customers", 4900, 5100),
        ("products", 590, 610),
        ("stores", 12, 12),
        ("orders", 44_500, 45_500),
        ("order_items", 100_001, 150_000),
        ("web_events", 60_000, 60_000),
    ],
)
def test_sizes(demo: sqlite3.Connection, table: str, low: int, high: int) -> None:
    assert low <= one(demo, f"SELECT COUNT(*) FROM {table}") <= high


def test_three_years_end_today(demo: sqlite3.Connection) -> None:
    first, last = demo.execute("SELECT date(MIN(ordered_at)), date(MAX(ordered_at)) FROM orders").fetchone()
    assert (first, last) == ("2023-11-16", TODAY.isoformat())
    assert one(demo, "SELECT COUNT(DISTINCT date(ordered_at)) FROM orders") == 1096


@pytest.mark.parametrize(
    "place",
    [
        "orders.ordered_at", "payments.paid_at", "returns.returned_at", "reviews.created_at", "inventory.updated_at",
        "web_events.happened_at", "customers.registered_on", "products.launched_on", "employees.hired_on",
    ],
)  # fmt: skip
def test_nothing_happens_after_today(demo: sqlite3.Connection, place: str) -> None:
    table, column = place.split(".")
    assert one(demo, f"SELECT date(MAX({column})) FROM {table}") <= TODAY.isoformat()


def test_some_customers_cannot_be_reached(demo: sqlite3.Connection) -> None:
    for column in ("email", "phone"):
        assert 0 < one(demo, f"SELECT COUNT(*) FROM customers WHERE {column} IS NULL") < 1000


def test_some_orders_have_no_payment(demo: sqlite3.Connection) -> None:
    unpaid = one(demo, "SELECT COUNT(*) FROM orders WHERE order_id NOT IN (SELECT order_id FROM payments)")
    assert 0 < unpaid < 5000


def test_some_products_were_never_sold(demo: sqlite3.Connection) -> None:
    assert (
        0 < one(demo, "SELECT COUNT(*) FROM products WHERE product_id NOT IN (SELECT product_id FROM order_items)") < 60
    )


def test_one_supplier_has_no_product(demo: sqlite3.Connection) -> None:
    assert one(demo, "SELECT COUNT(*) FROM suppliers WHERE supplier_id NOT IN (SELECT supplier_id FROM products)") == 1


def test_weekends_sell_more(demo: sqlite3.Connection) -> None:
    days = "SELECT strftime('%w', ordered_at) IN ('0','6') AS w, SUM(total_amount) AS s FROM orders GROUP BY date(ordered_at)"
    weekend, week = (one(demo, f"SELECT AVG(s) FROM ({days}) WHERE w = {w}") for w in (1, 0))
    assert weekend > 1.2 * week


def test_november_sells_more_than_any_month(demo: sqlite3.Connection) -> None:
    daily = dict(
        demo.execute(
            "SELECT strftime('%m', ordered_at), COUNT(*) * 1.0 / COUNT(DISTINCT date(ordered_at)) FROM orders GROUP BY 1"
        )
    )
    assert max(daily, key=lambda month: daily[month]) == "11"


def test_one_store_opened_last_year_and_sold_nothing_before(demo: sqlite3.Connection) -> None:
    new = demo.execute("SELECT store_id, opened_on FROM stores WHERE opened_on LIKE '2025%'").fetchall()
    assert len(new) == 1
    assert one(demo, f"SELECT MIN(ordered_at) FROM orders WHERE store_id = {new[0][0]}") >= new[0][1]


def test_prices_changed_over_time(demo: sqlite3.Connection) -> None:
    differing = one(
        demo,
        "SELECT COUNT(DISTINCT i.product_id) FROM order_items i JOIN products p USING (product_id) WHERE i.unit_price <> p.price",
    )
    assert differing > 200


def test_an_order_amounts_to_its_items(demo: sqlite3.Connection) -> None:
    wrong = one(
        demo,
        "SELECT COUNT(*) FROM (SELECT o.order_id FROM orders o JOIN order_items i USING (order_id) GROUP BY o.order_id "
        "HAVING ABS(o.total_amount - SUM(i.quantity * i.unit_price - i.discount)) > 0.005)",
    )
    assert wrong == 0
    assert one(demo, "SELECT COUNT(*) FROM orders WHERE order_id NOT IN (SELECT order_id FROM order_items)") == 0


def test_store_orders_alone_have_a_store_and_a_seller_of_it(demo: sqlite3.Connection) -> None:
    assert one(demo, "SELECT COUNT(*) FROM orders WHERE (channel = 'store') <> (store_id IS NOT NULL)") == 0
    assert one(demo, "SELECT COUNT(*) FROM orders WHERE (store_id IS NULL) <> (employee_id IS NULL)") == 0
    strangers = "SELECT COUNT(*) FROM orders o JOIN employees e USING (employee_id) WHERE e.store_id <> o.store_id"
    assert one(demo, strangers) == 0


def test_addresses_of_an_order_are_the_customers(demo: sqlite3.Connection) -> None:
    for column in ("ship_address_id", "bill_address_id"):
        wrong = f"SELECT COUNT(*) FROM orders o JOIN addresses a ON a.address_id = o.{column} WHERE a.customer_id <> o.customer_id"
        assert one(demo, wrong) == 0
    assert one(demo, "SELECT COUNT(*) FROM orders WHERE ship_address_id <> bill_address_id") > 0


@pytest.mark.parametrize(
    ("sql", "subject"),
    [
        (
            "SELECT COUNT(*) FROM orders o JOIN customers c USING (customer_id) WHERE o.ordered_at < c.registered_on",
            "orders",
        ),
        (
            "SELECT COUNT(*) FROM order_items i JOIN orders o USING (order_id) JOIN products p USING (product_id) "
            "WHERE o.ordered_at < p.launched_on",
            "items",
        ),
        ("SELECT COUNT(*) FROM payments p JOIN orders o USING (order_id) WHERE p.paid_at < o.ordered_at", "payments"),
        (
            "SELECT COUNT(*) FROM returns r JOIN order_items i USING (order_item_id) WHERE r.quantity > i.quantity",
            "returns",
        ),
        (
            "SELECT COUNT(*) FROM orders o JOIN employees e USING (employee_id) WHERE o.ordered_at < e.hired_on",
            "sellers",
        ),
    ],
)
def test_nothing_comes_before_its_cause(demo: sqlite3.Connection, sql: str, subject: str) -> None:
    assert one(demo, sql) == 0, subject


def test_people_and_places_are_chinese_and_foreign(demo: sqlite3.Connection) -> None:
    for table, column in (("customers", "name"), ("customers", "city"), ("reviews", "comment"), ("suppliers", "name")):
        texts = [row[0] for row in demo.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL")]
        chinese = [text for text in texts if any("一" <= letter <= "鿿" for letter in text)]
        assert 0 < len(chinese) < len(texts), f"{table}.{column}"
    assert one(demo, "SELECT COUNT(DISTINCT country) FROM customers") > 3


def test_money_is_stored_as_real_numbers(demo: sqlite3.Connection) -> None:
    assert {row[0] for row in demo.execute("SELECT DISTINCT typeof(price) FROM products")} == {"real"}
