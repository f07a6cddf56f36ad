"""The tables that joins.yaml and statements.yaml speak of."""

from inquery.sql import Catalog, Column, Join, Table


def _table(name: str, columns: str, *keys: str) -> Table:
    return Table((name,), tuple(Column(each, primary_key=each in keys) for each in columns.split()))


def catalog(dialect: str = "sqlite") -> Catalog:
    """A shop; `notes` and `topics` have no key, `reasons` has one that only others' references tell."""
    tables = (
        _table("orders", "id customer_id store_id status total ordered_on tags", "id"),
        _table("customers", "id name city", "id"),
        _table("items", "id order_id product price", "id"),
        _table("returns", "id order_id reason weight", "id"),
        _table("discounts", "order_id kind percent", "order_id", "kind"),
        _table("stores", "id name city area", "id"),
        _table("regions", "code name", "code"),
        _table("staff", "id name manager_id salary", "id"),
        _table("visits", "visit_id visitor_id score", "visit_id"),
        _table("visitors", "visitor_id age", "visitor_id"),
        _table("notes", "order_id topic length"),
        _table("topics", "topic title"),
        _table("reasons", "number code text", "number"),
        _table("员工", "编号 姓名 部门", "编号"),
        _table("Order Details", "Id Status", "Id"),
    )
    joins = (Join(("returns",), ("reason",), ("reasons",), ("code",)),)
    return Catalog(dialect, tables, joins)


def two_schemas() -> Catalog:
    """Tables of one name in two schemas, of which `public` is the default."""
    made = tuple(Table((schema, "orders"), (Column("id"), Column(f"{schema}_status"))) for schema in ("old", "public"))
    return Catalog("postgres", made, default_schema=("public",))
