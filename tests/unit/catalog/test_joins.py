"""The join graph: what is declared, what names and types tell, and the cheapest way between tables."""

import pytest

from inquery.catalog.joins import JoinGraph, declared, with_joins
from inquery.sql import Catalog, Column, ForeignKey, Join, Table


def table(
    name: str, /, *columns: str, key: str | tuple[str, ...] = (), refs: tuple[ForeignKey, ...] = (), **types: str
) -> Table:
    keys = (key,) if isinstance(key, str) else key
    made = tuple(Column(c, types.get(c, "integer"), primary_key=c in keys) for c in columns)
    return Table(tuple(name.split(".")), made, foreign_keys=refs)


def edges(catalog: Catalog) -> set[str]:
    return {
        f"{'.'.join(j.left)}({','.join(j.left_columns)})→{'.'.join(j.right)}({','.join(j.right_columns)})"
        for j in with_joins(catalog).joins
    }


def of(*tables: Table, dialect: str = "postgres") -> Catalog:
    return Catalog(dialect, tables)


CUSTOMERS = table("customers", "customer_id", "name", key="customer_id", name="text")

INFERRED = [
    ("same key name", [CUSTOMERS, table("orders", "order_id", "customer_id", key="order_id")], "orders(customer_id)→customers(customer_id)"),
    ("id of the plural", [table("customers", "id", key="id"), table("orders", "id", "customer_id", key="id")], "orders(customer_id)→customers(id)"),
    ("camel case", [table("Customer", "Id", key="Id"), table("Orders", "Id", "CustomerId", key="Id")], "Orders(CustomerId)→Customer(Id)"),
    ("upper ID", [table("Student", "StuID", key="StuID"), table("Has_Pet", "StuID", "PetID", key=("StuID", "PetID"))], "Has_Pet(StuID)→Student(StuID)"),
    ("prefix of tables", [table("t_customer", "id", key="id"), table("t_order", "id", "customer_id", key="id")], "t_order(customer_id)→t_customer(id)"),
    ("warehouse names", [table("dim_product", "product_key", key="product_key"), table("fact_sales", "product_key", "amount")], "fact_sales(product_key)→dim_product(product_key)"),
    ("short form", [table("departments", "id", key="id"), table("employees", "id", "dept_id", key="id")], "employees(dept_id)→departments(id)"),
    ("role before the entity", [table("addresses", "id", key="id"), table("orders", "id", "ship_address_id", key="id")], "orders(ship_address_id)→addresses(id)"),
    ("number", [table("invoices", "invoice_no", key="invoice_no"), table("lines", "id", "invoice_no", key="id")], "lines(invoice_no)→invoices(invoice_no)"),
    ("Chinese", [table("客户", "客户编号", "姓名", key="客户编号"), table("订单", "订单编号", "客户编号", key="订单编号")], "订单(客户编号)→客户(客户编号)"),
    ("Chinese, other key", [table("客户信息表", "编号", key="编号"), table("订单表", "编号", "客户编号", key="编号")], "订单表(客户编号)→客户信息表(编号)"),
    ("Chinese role", [table("员工", "员工号", key="员工号"), table("订单", "订单号", "经办员工号", key="订单号")], "订单(经办员工号)→员工(员工号)"),
    ("parent", [table("categories", "category_id", "parent_id", key="category_id")], "categories(parent_id)→categories(category_id)"),
    ("manager", [table("employees", "employee_id", "manager_id", key="employee_id")], "employees(manager_id)→employees(employee_id)"),
    ("manager of a store", [table("employees", "employee_id", key="employee_id"), table("stores", "store_id", "manager_id", key="store_id")], "stores(manager_id)→employees(employee_id)"),
    ("named as the table", [table("artist", "artist_id", key="artist_id"), table("album", "id", "artist", key="id")], "album(artist)→artist(artist_id)"),
    ("prefix of the child's family", [table("wms_category", "id", key="id"), table("wms_shelf", "id", key="id"), table("wms_part", "id", "part_category_id", key="id")], "wms_part(part_category_id)→wms_category(id)"),
    ("marked as a reference", [table("t_user", "rowid", key="rowid"), table("t_note", "rowid", "fk_user_signed", key="rowid")], "t_note(fk_user_signed)→t_user(rowid)"),
    ("prefix of a look-up", [table("c_colours", "rowid", key="rowid"), table("paint", "rowid", "fk_colour", key="rowid")], "paint(fk_colour)→c_colours(rowid)"),
    ("ends with the other's key", [table("airports", "apid", key="apid"), table("routes", "rid", "dst_apid", key="rid")], "routes(dst_apid)→airports(apid)"),
    ("glued words", [table("skilltype", "id", key="id"), table("trainee", "id", "skillTypeId", key="id")], "trainee(skillTypeId)→skilltype(id)"),
    ("pid", [table("sys_dept", "id", "pid", key="id")], "sys_dept(pid)→sys_dept(id)"),
    ("parent of the own key", [table("skill_group", "group_id", "parent_group_id", key="group_id")], "skill_group(parent_group_id)→skill_group(group_id)"),
    ("上级", [table("部门", "编号", "上级编号", key="编号")], "部门(上级编号)→部门(编号)"),
    ("who did it", [table("sys_user", "user_id", key="user_id"), table("orders", "id", "created_by", key="id")], "orders(created_by)→sys_user(user_id)"),
    ("the live table, not its archive", [table("mission", "mis_id", key="mis_id"), table("mission_arc", "mis_id", key="mis_id"), table("drugs", "id", "mis_id", key="id")], "drugs(mis_id)→mission(mis_id)"),
    ("undeclared keys", [Table(("customers",), (Column("id"), Column("name"))), Table(("orders",), (Column("id"), Column("customer_id")))], "orders(customer_id)→customers(id)"),
    ("whole composite key", [table("order_items", "order_id", "line_no", key=("order_id", "line_no")), table("returns", "id", "order_id", "line_no", key="id")], "returns(order_id,line_no)→order_items(order_id,line_no)"),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "edge"), [case[1:] for case in INFERRED], ids=[case[0] for case in INFERRED])
def test_a_join_is_inferred(tables: list[Table], edge: str) -> None:
    catalog = of(*tables)
    assert edge in edges(catalog)
    for join in with_joins(catalog).joins:
        assert not join.declared
        assert 0 < join.confidence < 1
        assert join.reason


NOT_INFERRED = [
    ("unrelated ids", [table("cats", "id", key="id"), table("dogs", "id", key="id")]),
    ("names", [table("cats", "id", "name", key="id", name="text"), table("dogs", "id", "name", key="id", name="text")]),
    ("types that differ", [table("customers", "id", key="id", id="uuid"), table("orders", "id", "customer_id", key="id")]),
    ("generic words", [table("a", "id", "status", "type", "created_at", key="id"), table("b", "id", "status", "type", "created_at", key="id")]),
    ("phone numbers", [table("a", "id", "phone_number", key="id"), table("b", "id", "phone_number", key="id")]),
    ("identifiers of one name", [table("letters", "id", "batch_no", key="id"), table("calls", "id", "batch_no", key="id")]),
    ("a key that is itself a reference", [table("parking_users", "fk_user", key="fk_user"), table("notes", "id", "fk_user", key="id")]),
    ("times and orders", [table("a", "id", "created_at", "sort_order", key="id", created_at="text"), table("orders", "id", "created_at", key="id", created_at="text")]),
    ("numbers of lines", [table("order_line", "line_id", key="line_id"), table("stats", "day", "line_no", key="day", day="text")]),
    ("codes", [table("a", "code", "x", key="code"), table("b", "code", "y", key="code")]),
]  # fmt: skip


@pytest.mark.parametrize("tables", [case[1] for case in NOT_INFERRED], ids=[case[0] for case in NOT_INFERRED])
def test_unrelated_columns_are_not_joined(tables: list[Table]) -> None:
    assert edges(of(*tables)) == set()


def test_declared_keys_come_first_and_are_not_inferred_again() -> None:
    orders = table(
        "orders",
        "order_id",
        "customer_id",
        key="order_id",
        refs=(ForeignKey(("customer_id",), ("customers",), ("customer_id",)),),
    )
    (join,) = with_joins(of(CUSTOMERS, orders)).joins
    assert join == Join(("orders",), ("customer_id",), ("customers",), ("customer_id",), cardinality="many_to_one")


def test_a_reference_without_columns_means_the_key() -> None:
    orders = table("orders", "id", "c", refs=(ForeignKey(("c",), ("customers",), ()),))
    (join,) = declared(of(CUSTOMERS, orders))
    assert join.right_columns == ("customer_id",)


def test_a_reference_out_of_the_catalogue_is_no_edge() -> None:
    orders = table("orders", "id", "c", refs=(ForeignKey(("c",), ("secret",), ("id",)),))
    assert list(declared(of(orders))) == []


def test_two_keys_to_one_table_stay_two_edges() -> None:
    orders = table(
        "orders", "id", "ship_address_id", "bill_address_id",
        refs=(ForeignKey(("ship_address_id",), ("addresses",), ("id",)), ForeignKey(("bill_address_id",), ("addresses",), ("id",))),
    )  # fmt: skip
    graph = JoinGraph(with_joins(of(table("addresses", "id", key="id"), orders)).joins)
    assert [join.left_columns for join in graph.between(("addresses",), ("orders",))] == [
        ("ship_address_id",),
        ("bill_address_id",),
    ]
    assert len(graph.paths(("orders",), ("addresses",))) == 2


def test_the_same_schema_is_preferred() -> None:
    catalog = of(
        table("a.customers", "id", key="id"), table("b.customers", "id", key="id"), table("b.orders", "id", "customer_id", key="id")
    )  # fmt: skip
    assert edges(catalog) == {"b.orders(customer_id)→b.customers(id)"}


def shop() -> JoinGraph:
    key = ForeignKey
    return JoinGraph(
        with_joins(
            of(
                table("customers", "customer_id", key="customer_id"),
                table("categories", "category_id", key="category_id"),
                table("products", "product_id", "category_id", key="product_id", refs=(key(("category_id",), ("categories",), ("category_id",)),)),
                table("orders", "order_id", "customer_id", key="order_id", refs=(key(("customer_id",), ("customers",), ("customer_id",)),)),
                table("order_items", "id", "order_id", "product_id", key="id",
                      refs=(key(("order_id",), ("orders",), ("order_id",)), key(("product_id",), ("products",), ("product_id",)))),
                table("reviews", "id", "customer_id", "product_id", key="id"),
                table("weather", "day", "degrees", day="date"),
            )
        ).joins
    )  # fmt: skip


def test_the_tree_goes_through_the_tables_between() -> None:
    tree = shop().steiner([("customers",), ("categories",)])
    assert {end for join in tree for end in (join.left, join.right)} >= {("customers",), ("categories",)}
    assert len(tree) == 3  # by reviews: two inferred edges are still cheaper than four declared ones


def test_declared_edges_are_preferred_over_equally_long_inferred_ones() -> None:
    joins = [
        Join(("a",), ("x",), ("b",), ("x",), declared=False, confidence=0.9, reason="guess"),
        Join(("a",), ("y",), ("b",), ("y",)),
    ]
    assert JoinGraph(joins).steiner([("a",), ("b",)]) == [joins[1]]


def test_a_tree_of_three_uses_each_edge_once() -> None:
    tree = shop().steiner([("order_items",), ("products",), ("orders",)])
    assert [(join.left, join.right) for join in tree] == [
        (("order_items",), ("orders",)),
        (("order_items",), ("products",)),
    ]


def test_a_table_that_cannot_be_reached_stays_apart() -> None:
    graph = shop()
    assert graph.steiner([("weather",)]) == []
    assert graph.closed([("weather",), ("orders",), ("customers",)]) == [("weather",), ("orders",), ("customers",)]
    islands = JoinGraph([Join(("a",), ("x",), ("b",), ("x",)), Join(("c",), ("y",), ("d",), ("y",))])
    assert islands.steiner([("a",), ("b",), ("c",), ("d",)]) == list(islands.joins)


def test_the_order_of_the_tables_does_not_change_the_tree() -> None:
    graph = shop()
    wanted = [("customers",), ("products",), ("orders",), ("categories",)]
    assert graph.steiner(wanted) == graph.steiner(wanted[::-1])


def test_closing_a_selection_adds_the_link_table() -> None:
    assert shop().closed([("orders",), ("products",)]) == [("orders",), ("products",), ("order_items",)]


def test_paths_are_cheapest_first_and_bounded() -> None:
    paths = shop().paths(("customers",), ("products",), limit=3)
    assert [len(path) for path in paths] == sorted(len(path) for path in paths)
    assert all(len(path) <= 4 for path in paths)
    assert shop().paths(("customers",), ("weather",)) == []


def test_cycles_of_keys_do_no_harm() -> None:
    catalog = of(
        table("stores", "id", "manager", key="id", refs=(ForeignKey(("manager",), ("employees",), ("id",)),)),
        table("employees", "id", "store", "boss", key="id",
              refs=(ForeignKey(("store",), ("stores",), ("id",)), ForeignKey(("boss",), ("employees",), ("id",)))),
    )  # fmt: skip
    graph = JoinGraph(with_joins(catalog).joins)
    assert len(graph.joins) == 3
    assert len(graph.steiner([("stores",), ("employees",)])) == 1
    assert graph.paths(("employees",), ("employees",))[0][0].left_columns == ("boss",)


def test_odd_names_do_no_harm() -> None:
    catalog = of(*(table(name, "id", name, key="id") for name in ("order", "a b", "😀", "表", 'x"y', "_", "1")))
    with_joins(catalog)
