"""The tables of a retail shop as a catalogue, and as many unrelated tables as wanted."""

from itertools import product

from inquery.catalog.joins import with_joins
from inquery.sql import Catalog, Column, ForeignKey, Table

TABLES = """
customers: customer_id name gender birth_date email phone city province country segment registered_on
addresses: address_id customer_id>customers line city province postcode country
categories: category_id parent_id>categories code name_en name_zh
suppliers: supplier_id name country rating
products: product_id name_en name_zh brand category_id>categories supplier_id>suppliers price cost launched_on discontinued
stores: store_id name city region opened_on manager_id>employees
employees: employee_id name title store_id>stores manager_id>employees hired_on salary
promotions: promotion_id name kind discount_rate starts_on ends_on
orders: order_id customer_id>customers store_id>stores employee_id>employees ordered_at status channel promotion_id>promotions total_amount
order_items: order_item_id order_id>orders product_id>products quantity unit_price discount
payments: payment_id order_id>orders method amount paid_at status
returns: return_id order_item_id>order_items returned_at quantity reason refund_amount
inventory: product_id>products store_id>stores quantity reorder_level updated_at
reviews: review_id product_id>products customer_id>customers rating comment created_at
web_events: event_id customer_id>customers session_id event_type product_id>products happened_at
"""


def made(line: str) -> Table:
    name, _, rest = line.partition(": ")
    columns, keys = [], []
    for place, word in enumerate(rest.split()):
        column, _, other = word.partition(">")
        kind = "integer" if column.endswith("_id") else "text"
        columns.append(Column(column, kind, primary_key=place == 0 and name != "inventory"))
        if other:
            target = next(each for each in TABLES.strip().splitlines() if each.startswith(other + ":"))
            keys.append(ForeignKey((column,), (other,), (target.split()[1],)))
    return Table((name,), tuple(columns), foreign_keys=tuple(keys))


SUBJECTS = [
    "patient",
    "ward",
    "nurse",
    "surgery",
    "vaccine",
    "flight",
    "pilot",
    "airport",
    "runway",
    "crew",
    "lecture",
    "exam",
    "tutor",
    "campus",
    "library",
    "turbine",
    "reactor",
    "meter",
    "pipeline",
    "well",
    "policyholder",
    "claim",
    "adjuster",
    "premium",
    "broker",
    "fund",
    "portfolio",
    "bond",
    "dividend",
    "ledger",
    "crop",
    "harvest",
    "tractor",
    "barn",
    "livestock",
]
ASPECTS = [
    "log",
    "history",
    "audit",
    "summary",
    "snapshot",
    "archive",
    "mapping",
    "rule",
    "setting",
    "template",
    "batch",
    "queue",
    "metric",
    "forecast",
    "note",
    "attachment",
    "version",
    "approval",
    "schedule",
    "roster",
    "checklist",
    "incident",
    "inspection",
    "permit",
    "certificate",
    "quota",
]
FIELDS = [
    "code",
    "label",
    "created_by",
    "updated_by",
    "remark",
    "grade",
    "score",
    "weight",
    "height",
    "duration",
    "severity",
    "location",
    "unit",
    "version",
    "flag",
]


def shop(size: int = 0) -> Catalog:
    """The shop, with other tables up to `size`."""
    tables = [made(line) for line in TABLES.strip().splitlines()]
    for place, (subject, aspect) in enumerate(product(SUBJECTS, ASPECTS)):
        if len(tables) >= size:
            break
        own = f"{subject}_{aspect}"
        fields = [FIELDS[(place + step) % len(FIELDS)] for step in range(12)]
        columns = (Column(f"{own}_id", "integer", primary_key=True), *(Column(field, "text") for field in fields))
        tables.append(Table((own,), columns))
    return with_joins(Catalog("sqlite", tuple(tables)))
