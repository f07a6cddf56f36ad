"""Introspection gives tables, columns, keys, comments, views and estimates in one shape."""

from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import Connect
from tests.contract.running import unchecked

from inquery.databases.executor import execute as executor
from inquery.sql import ForeignKey


async def test_tables_and_columns_are_found_in_order(engine_case: EngineCase, shop: str) -> None:
    catalog = await executor.introspect(shop)
    assert catalog.dialect == engine_case.dialect
    assert [table.name for table in catalog.tables] == ["customer", "order"]
    customer, order = catalog.tables
    assert [c.name for c in customer.columns] == ["id", "name", "city", "manager_id"]
    assert [c.name for c in order.columns][:4] == ["id", "customer_id", "amount", "paid"]
    assert all(column.type for table in catalog.tables for column in table.columns)


async def test_keys_and_nullability_are_found(engine_case: EngineCase, shop: str) -> None:
    customer = (await executor.introspect(shop)).tables[0]
    assert [c.name for c in customer.columns if c.primary_key] == ["id"]
    assert [c.nullable for c in customer.columns] == [False, False, True, True]


async def test_foreign_keys_are_found(engine_case: EngineCase, shop: str) -> None:
    catalog = await executor.introspect(shop)
    customer, order = catalog.tables
    assert order.foreign_keys == (ForeignKey(("customer_id",), customer.path, ("id",)),)
    assert customer.foreign_keys == (ForeignKey(("manager_id",), customer.path, ("id",)),)


async def test_comments_are_found(engine_case: EngineCase, shop: str) -> None:
    customer = (await executor.introspect(shop)).tables[0]
    assert customer.comment == "People who buy"
    assert customer.columns[1].comment == "客户名称"


async def test_rows_are_estimated(engine_case: EngineCase, shop: str) -> None:
    estimates = {table.name: table.estimated_rows or 0 for table in (await executor.introspect(shop)).tables}
    assert 30 <= estimates["customer"] <= 60
    assert 150 <= estimates["order"] <= 300


async def test_views_are_tables_of_another_kind(engine_case: EngineCase, connection: Connect) -> None:
    url = connection([TableSpec("thing", [ColumnSpec("id", nullable=False)], [(1,)], ["id"])])
    engine_case.run_as_admin(url, "CREATE VIEW seen AS SELECT id AS number FROM thing")
    engine_case.grant(url, "seen")
    seen = {t.name: (t.kind, [c.name for c in t.columns]) for t in (await executor.introspect(url)).tables}
    assert seen == {"seen": ("view", ["number"]), "thing": ("table", ["id"])}


async def test_an_empty_database_has_an_empty_catalogue(engine_case: EngineCase, connection: Connect) -> None:
    assert (await executor.introspect(connection())).tables == ()


async def test_cyclic_foreign_keys_are_all_found(engine_case: EngineCase, connection: Connect) -> None:
    columns = [ColumnSpec("id", nullable=False), ColumnSpec("other_id")]
    url = connection(
        [TableSpec("a", columns, primary_key=["id"]), TableSpec("b", columns, [], ["id"], [("other_id", "a", "id")])]
    )
    engine_case.add_foreign_key(url, "a", "other_id", "b", "id")
    catalog = await executor.introspect(url)
    assert [(t.name, t.foreign_keys[0].table[-1]) for t in catalog.tables] == [("a", "b"), ("b", "a")]


async def test_the_version_follows_the_content(engine_case: EngineCase, connection: Connect) -> None:
    url = connection([TableSpec("thing", [ColumnSpec("id", nullable=False)], [], ["id"])])
    first = (await executor.introspect(url)).version
    assert (await executor.introspect(url)).version == first
    engine_case.run_as_admin(
        url, engine_case.create_sql(TableSpec("more", [ColumnSpec("id", nullable=False)], [], ["id"]))
    )
    assert (await executor.introspect(url)).version != first


async def test_progress_is_told(engine_case: EngineCase, shop: str) -> None:
    told: list[tuple[str, int, int]] = []
    await executor.introspect(shop, lambda stage, done, total: told.append((stage, done, total)))
    assert told[-1][1] == told[-1][2]


async def test_explain_names_full_scans(engine_case: EngineCase, shop: str) -> None:
    estimate = await executor.explain(shop, unchecked(engine_case, "SELECT name FROM customer"))
    assert estimate is not None
    assert any("customer" in name for name in estimate.full_scans)


async def test_explain_estimates_rows(engine_case: EngineCase, shop: str) -> None:
    q = engine_case.quote
    estimate = await executor.explain(shop, unchecked(engine_case, f"SELECT id FROM {q('order')}"))
    assert estimate is not None
    assert 100 <= (estimate.rows or 0) <= 400
