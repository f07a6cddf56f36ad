"""A catalogue is read, kept, and read again only where it changed; on a real SQLite file through the executor."""

import gzip
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from inquery.catalog.collect import collect, gather_values, statement
from inquery.catalog.json_lines import read_lines
from inquery.catalog.refresh import Refreshed, refresh_catalog
from inquery.catalog.stored import LISTED, files, forget_catalog, load_catalog
from inquery.catalog.visible import visible_catalog, visible_values, without_filtered_samples
from inquery.databases.executor.execute import attach, detach, introspect
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import NotFound
from inquery.sql import Catalog, Column, Policy, Table, check
from inquery.sql.stored_dates import stored_date
from inquery.sql.stored_numbers import stored_number


def table(refreshed: Refreshed, name: str) -> Table:
    return next(t for t in refreshed.catalog.tables if t.name == name)


def alter(shop: Path, *statements: str) -> None:
    with sqlite3.connect(shop) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


async def test_a_first_refresh_reads_structure_samples_values_and_joins(connection: str, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    found = await refresh_catalog(connection, home=tmp_path, progress=lambda *step: seen.append(step))
    assert {name.rsplit(".", 1)[-1] for name in found.added} == {"customers", "orders", "订单备注", "big_orders"}
    status = table(found, "orders").column("status")
    assert status is not None
    assert status.samples == ("completed", "cancelled")  # most frequent first
    assert [m.value for m in found.values.match("completed orders in 北京")] == ["completed", "completed", "北京"]
    assert any(join.declared and join.right[-1] == "customers" for join in found.catalog.joins)
    steps = [step for step in seen if step[0] == "values"]
    assert steps[-1][1] == steps[-1][2] == 4
    assert [step[1] for step in steps] == [1, 2, 3, 4]


async def test_secrets_and_binaries_are_never_read_ahead(connection: str, tmp_path: Path) -> None:
    found = await refresh_catalog(connection, home=tmp_path)
    for name, column in (("customers", "password_hash"), ("orders", "photo")):
        made = table(found, name).column(column)
        assert made is not None
        assert made.samples == ()
    assert not found.values.match("secret1")


async def test_a_catalogue_of_before_joins_had_evidence_is_known_but_read_anew(connection: str, tmp_path: Path) -> None:
    await refresh_catalog(connection, home=tmp_path, evidence=True)
    file, _ = files(connection, tmp_path)
    content = read_lines(gzip.decompress(file.read_bytes()), LISTED)
    new = {"how", "found", "sampled", "cardinality", "condition"}
    content["joins"] = [{key: value for key, value in join.items() if key not in new} for join in content["joins"]]
    old = {key: value for key, value in content.items() if key not in {"tests", "tested"}} | {"depth": 2}
    file.write_bytes(gzip.compress(json.dumps(old).encode()))
    kept = load_catalog(connection, home=tmp_path)
    assert kept is not None
    assert {(join.declared, join.how) for join in kept.catalog.joins} == {(True, "declared"), (False, "name")}
    assert not kept.tested
    now = datetime.now(UTC) - timedelta(minutes=5)
    assert load_catalog(connection, home=tmp_path, since=now) is None
    assert (await refresh_catalog(connection, home=tmp_path, evidence=True)).stored.tested


async def test_a_second_refresh_keeps_what_did_not_change(connection: str, shop: Path, tmp_path: Path) -> None:
    first = await refresh_catalog(connection, home=tmp_path)
    alter(shop, "update orders set status = 'shipped'", "alter table customers add column tier text",
          "update customers set tier = 'gold'", "create table extra (id integer primary key, kind text)")  # fmt: skip
    second = await refresh_catalog(connection, home=tmp_path)
    assert [name.rsplit(".", 1)[-1] for name in second.added] == ["extra"]
    assert [name.rsplit(".", 1)[-1] for name in second.changed] == ["customers"]
    assert table(second, "orders").column("status") == table(first, "orders").column("status")
    tier = table(second, "customers").column("tier")
    assert tier is not None
    assert tier.samples == ("gold",)
    assert second.values.match("gold customers")
    assert second.catalog.version != first.catalog.version


async def test_a_full_refresh_reads_contents_again(connection: str, shop: Path, tmp_path: Path) -> None:
    await refresh_catalog(connection, home=tmp_path)
    alter(shop, "update orders set status = 'shipped'")
    found = await refresh_catalog(connection, home=tmp_path, full=True)
    assert (found.added, found.changed, found.dropped) == ((), (), ())
    status = table(found, "orders").column("status")
    assert status is not None
    assert status.samples == ("shipped",)


async def test_a_dropped_table_is_told_and_forgotten(connection: str, shop: Path, tmp_path: Path) -> None:
    await refresh_catalog(connection, home=tmp_path)
    alter(shop, 'drop table "订单备注"')
    found = await refresh_catalog(connection, home=tmp_path)
    assert [name.rsplit(".", 1)[-1] for name in found.dropped] == ["订单备注"]
    assert "订单备注" not in {t.name for t in found.catalog.tables}


async def test_the_version_is_stable(connection: str, tmp_path: Path) -> None:
    first = await refresh_catalog(connection, home=tmp_path)
    second = await refresh_catalog(connection, home=tmp_path)
    assert first.catalog.version == second.catalog.version


async def test_mappings_survive_a_refresh(connection: str, tmp_path: Path) -> None:
    from inquery.catalog.stored import Stored, save_catalog

    found = await refresh_catalog(connection, home=tmp_path)
    place = next(p for p in found.values.places if p[1] == "status")
    mapped = found.values.with_mappings({"搞定的": (*place, "completed")})
    save_catalog(connection, Stored(found.catalog, mapped, found.stored.refreshed_at), home=tmp_path)
    again = await refresh_catalog(connection, home=tmp_path)
    assert again.values.match("搞定的订单")[0].value == "completed"


async def test_what_is_saved_is_loaded(connection: str, tmp_path: Path) -> None:
    found = await refresh_catalog(connection, home=tmp_path)
    loaded = load_catalog(connection, home=tmp_path)
    assert loaded is not None
    assert loaded.catalog == found.catalog
    assert loaded.catalog.version == found.catalog.version
    assert loaded.values.by_place() == found.values.by_place()
    forget_catalog(connection, home=tmp_path)
    assert load_catalog(connection, home=tmp_path) is None


@pytest.mark.parametrize("content", [b"", b"not gzip", b"\x1f\x8b\x08\x00broken"])
async def test_a_broken_file_is_read_anew(connection: str, tmp_path: Path, content: bytes) -> None:
    await refresh_catalog(connection, home=tmp_path)
    files(connection, tmp_path)[0].write_bytes(content)
    assert load_catalog(connection, home=tmp_path) is None
    assert len((await refresh_catalog(connection, home=tmp_path)).added) == 4


async def test_what_was_read_too_long_ago_is_not_loaded(connection: str, tmp_path: Path) -> None:
    read_at = (await refresh_catalog(connection, home=tmp_path)).stored.refreshed_at
    assert load_catalog(connection, home=tmp_path, since=read_at) is not None
    assert load_catalog(connection, home=tmp_path, since=read_at + timedelta(microseconds=1)) is None


@pytest.mark.parametrize("connection_id", ["../../etc", "a/b", "..", "中文 名", "x" * 60])
def test_file_names_stay_in_the_folder(connection_id: str, tmp_path: Path) -> None:
    for file in files(connection_id, tmp_path):
        assert file.parent == tmp_path / "catalogs"
        assert file.resolve().parent == (tmp_path / "catalogs").resolve()


async def test_a_connection_nobody_attached_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        await refresh_catalog("nobody", home=tmp_path)


async def test_collecting_obeys_the_policy(connection: str) -> None:
    catalog = await introspect(connection)
    orders = next(t.full_name for t in catalog.tables if t.name == "orders")
    customers = next(t.full_name for t in catalog.tables if t.name == "customers")
    policy = Policy(
        tables=frozenset({orders, customers}),
        hidden_columns=frozenset({f"{customers}.city"}),
        row_filters={orders: "status = 'completed'"},
    )
    index = await collect(connection, catalog, policy=policy)
    assert {column for _, column in index.places} == {"name", "status"}
    assert index.by_place()[orders, "status"] == ["completed"]


async def test_a_bound_of_values_is_kept(connection: str) -> None:
    index = await collect(connection, await introspect(connection), per_column=10)
    assert max(len(values) for values in index.by_place().values()) == 10


async def test_a_users_view_hides_tables_columns_joins_and_values(connection: str, tmp_path: Path) -> None:
    found = await refresh_catalog(connection, home=tmp_path)
    orders, customers = (table(found, name).full_name for name in ("orders", "customers"))
    policy = Policy(tables=frozenset({orders, customers}), hidden_columns=frozenset({f"{orders}.customer_id"}))
    seen = visible_catalog(found.catalog, policy)
    assert {t.name for t in seen.tables} == {"orders", "customers"}
    assert seen.joins == ()
    assert next(t for t in seen.tables if t.name == "orders").foreign_keys == ()
    assert seen.by_path[table(found, "orders").path].column("customer_id") is None
    assert visible_catalog(found.catalog, policy) is seen
    assert visible_catalog(found.catalog, Policy()) is found.catalog
    assert {t for t, _ in visible_values(found.values, found.catalog, policy).places} == {orders, customers}


async def test_values_of_filtered_tables_are_not_shown(connection: str, tmp_path: Path) -> None:
    found = await refresh_catalog(connection, home=tmp_path)
    orders = table(found, "orders").full_name
    policy = Policy(row_filters={orders: "status = 'completed'"})
    values = visible_values(found.values, found.catalog, policy)
    assert values.match("cancelled orders") == []  # neither from the table nor from the view over it
    shown = without_filtered_samples(found.catalog, policy)
    assert all(not c.samples for t in shown.tables if t.name in {"orders", "big_orders"} for c in t.columns)
    assert any(c.samples for t in shown.tables if t.name == "customers" for c in t.columns)


def test_who_may_not_see_samples_is_told_how_a_column_keeps_figures_and_days() -> None:
    sales = Table(
        ("sales",),
        (
            Column("region", "TEXT", samples=("north", "south")),
            Column("price", "TEXT", samples=("$1,200.00", "$85.50", "$3.00")),
            Column("sold_on", "INTEGER", samples=("20250630", "20250701", "20250702", "20250703")),
        ),
    )
    catalog = Catalog(dialect="sqlite", tables=(sales,), joins=())
    policy = Policy(row_filters={"sales": "region = 'north'"})
    (seen,) = without_filtered_samples(catalog, policy).tables
    assert [column.samples for column in seen.columns] == [(), (), ()]
    assert [stored_number(column) for column in seen.columns] == ["", "$,", ""]
    assert stored_date(seen.columns[2]) == stored_date(sales.columns[2]) is not None
    assert not any(sample in column.keeps for column in seen.columns for sample in ("1,200", "2025", "north"))


DIALECTS = ["sqlite", "postgres", "mysql", "duckdb", "clickhouse", "snowflake", "bigquery", "oracle", "tsql", "trino"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("rows", [None, 5_000_000])
@pytest.mark.parametrize("key", [True, False])
def test_the_statements_pass_the_guard_in_every_dialect(dialect: str, rows: int | None, key: bool) -> None:
    made = Table(
        ("shop", "order 订单"), (Column('na"me', "varchar", primary_key=key), Column("x", "int")), estimated_rows=rows
    )
    catalog = Catalog(dialect, (made,))
    sql = statement(made, made.columns[0], dialect, limit=100)
    checked = check(sql, dialect=dialect, catalog=catalog, policy=Policy(row_cap=None))
    assert checked.tables == (made.path,)


async def test_a_small_table_is_read_by_one_statement_and_tells_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(
            "create table mixed (id integer primary key, n text, city text, price real, api_token text, day date, b bit(1))"
        )
        db.execute("create table hollow (id integer primary key, word text)")
        for number in range(60):
            row = (
                60 - number,
                7 if number % 7 == 0 else f"n{number % 5}",
                ["北京", "Oslo", None][number % 3],
                number / 4,
                "s",
                "2024-01-02",
                number % 2,
            )
            db.execute("insert into mixed values (?, ?, ?, ?, ?, ?, ?)", row)
    db.close()
    attach("small", open_engine(parse_address(str(path))))
    try:
        catalog = await introspect("small")
        whole = await gather_values("small", catalog)
        monkeypatch.setattr("inquery.catalog.collect.SMALL", -1)
        assert await gather_values("small", catalog) == whole
    finally:
        detach("small")
    assert whole.samples["mixed", "city"] == ("Oslo", "北京")
    assert whole.samples["mixed", "id"][:3] == ("1", "2", "3")
    assert whole.samples["mixed", "b"] == ("0", "1")
    assert ("mixed", "api_token") not in whole.samples
    assert {table for table, _ in whole.samples} == {"mixed"}
