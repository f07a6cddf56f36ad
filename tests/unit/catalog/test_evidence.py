"""Joins by evidence: names suggest, data decides; on real SQLite files through the guard and the executor."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inquery.agents.sources import Sources
from inquery.catalog import evidence
from inquery.catalog.evidence import distinctive, run_join_tests
from inquery.catalog.refresh import gather_evidence, refresh_catalog
from inquery.catalog.stored import load_catalog
from inquery.databases.executor.execute import attach, detach
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import NotFound
from inquery.settings import KnowledgeSettings, Settings
from inquery.sql import Catalog, Join

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Makes a database of tables, each with its columns and rows, and attaches it as `made`."""

    def make(**tables: tuple[str, list[tuple[object, ...]]]) -> Path:
        path = tmp_path / "made.sqlite"
        with sqlite3.connect(path) as connection:
            for name, (columns, rows) in tables.items():
                connection.execute(f"create table {name} ({columns})")
                for row in rows:
                    connection.execute(f"insert into {name} values ({', '.join('?' * len(row))})", row)
        connection.close()
        attach("made", open_engine(parse_address(str(path))))
        return path

    yield make
    detach("made")


async def joins_of(home: Path) -> dict[str, Join]:
    """What is joined after the tests, each as left.column→right.column, with its condition."""
    found = await refresh_catalog("made", home=home, evidence=True)
    return {spelt(join): join for join in found.catalog.joins}


def spelt(join: Join) -> str:
    when = f" when {join.condition[0]}={join.condition[1]}" if join.condition else ""
    return f"{join.left[-1]}.{','.join(join.left_columns)}→{join.right[-1]}.{','.join(join.right_columns)}{when}"


def numbered(count: int, *more: object, start: int = 1) -> list[tuple[object, ...]]:
    return [(number, *more) for number in range(start, start + count)]


async def test_a_name_that_data_bears_out_is_surer_and_tells_its_counts(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", numbered(40, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n % 30 + 1) for n in range(1, 61)]),
    )
    before = (await refresh_catalog("made", home=tmp_path)).catalog.joins[0]
    join = (await joins_of(tmp_path))["orders.customer_id→customers.id"]
    assert (join.how, join.found, join.sampled, join.cardinality) == ("name", 30, 30, "many_to_one")
    assert join.confidence > before.confidence
    assert before.sampled == 0


async def test_a_name_that_data_refutes_is_dropped(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", numbered(5, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n + 900) for n in range(1, 21)]),
    )
    assert await joins_of(tmp_path) == {}


async def test_nothing_referred_to_is_no_evidence_against_a_join(build: Build, tmp_path: Path) -> None:
    rows = [(n, None if n % 3 else n // 3 % 5 + 1) for n in range(1, 31)] + [(40, 0), (41, -1)]
    build(
        customers=("id integer primary key, name text", numbered(5, "x")),
        orders=("id integer primary key, customer_id integer", rows),
    )
    join = (await joins_of(tmp_path))["orders.customer_id→customers.id"]
    assert join.found == join.sampled == 5


async def test_an_empty_parent_says_nothing(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", []),
        orders=("id integer primary key, customer_id integer", numbered(20, 7)),
    )
    assert (await joins_of(tmp_path))["orders.customer_id→customers.id"].sampled == 0


async def test_small_numbers_found_everywhere_prove_nothing(build: Build, tmp_path: Path) -> None:
    build(
        machines=("id integer primary key, label text", numbered(50, "m")),
        shifts=("id integer primary key, label text", numbered(50, "s")),
        visits=("id integer primary key, gate integer", [(n, n % 40 + 1) for n in range(1, 81)]),
    )
    assert await joins_of(tmp_path) == {}


async def test_telling_values_prove_a_join_without_a_name(build: Build, tmp_path: Path) -> None:
    codes = [f"WH-{n:03d}" for n in range(1, 21)]
    build(
        depots=("code text primary key, town text", [(code, "x") for code in codes]),
        moves=("id integer primary key, source text", [(n, codes[n % 15]) for n in range(1, 61)]),
    )
    join = (await joins_of(tmp_path))["moves.source→depots.code"]
    assert (join.how, join.found, join.sampled) == ("data", 15, 15)


async def test_columns_of_one_name_are_joined_only_to_a_key_that_holds_their_values(
    build: Build, tmp_path: Path
) -> None:
    build(
        sheet=("permit_no text, holder text", [(f"P{n:05d}", "x") for n in range(1, 31)]),
        visits=("id integer primary key, permit_no text", [(n, f"P{n % 20 + 1:05d}") for n in range(1, 61)]),
        letters=("id integer primary key, batch_no text", [(n, f"B{n % 3}") for n in range(1, 31)]),
        calls=("id integer primary key, batch_no text", [(n, f"B{n % 3}") for n in range(1, 31)]),
    )
    assert set(await joins_of(tmp_path)) == {"visits.permit_no→sheet.permit_no"}


async def test_times_flags_orders_and_remarks_join_nothing(build: Build, tmp_path: Path) -> None:
    columns = (
        "id integer primary key, created_at text, status integer, sort_order integer, remark text, is_active integer"
    )
    rows = [(n, "2024-05-06 07:08:09", n % 3, n, f"note {n}", n % 2) for n in range(1, 31)]
    build(
        orders=(columns, rows), items=(columns, rows), statuses=("id integer primary key, name text", numbered(3, "x"))
    )
    assert await joins_of(tmp_path) == {}


@pytest.mark.parametrize("column", ["pid", "parent_id", "parent_dept_id"])
async def test_a_hierarchy_is_found(build: Build, tmp_path: Path, column: str) -> None:
    rows = [(n, n // 2 or None) for n in range(1, 21)]
    build(sys_dept=(f"dept_id integer primary key, {column} integer", rows))
    assert set(await joins_of(tmp_path)) == {f"sys_dept.{column}→sys_dept.dept_id"}


async def test_a_reference_by_type_has_an_edge_for_each_type(build: Build, tmp_path: Path) -> None:
    notes = [(n, *(("order", n % 9 + 1) if n % 2 else ("customer", n % 5 + 101))) for n in range(1, 41)]
    build(
        t_order=("id integer primary key, total real", numbered(10, 1.5)),
        t_customer=("id integer primary key, name text", numbered(6, "x", start=101)),
        t_note=("id integer primary key, owner_type text, owner_id integer", notes),
    )
    found = await joins_of(tmp_path)
    assert set(found) == {
        "t_note.owner_id→t_customer.id when owner_type=customer",
        "t_note.owner_id→t_order.id when owner_type=order",
    }
    assert all(join.found == join.sampled > 0 for join in found.values())


async def test_a_composite_key_is_tested_as_a_whole(build: Build, tmp_path: Path) -> None:
    lines = [(order, line) for order in range(1, 9) for line in range(1, 4)]
    build(
        order_lines=("order_no integer, line_no integer, primary key (order_no, line_no)", list(lines)),
        refunds=(
            "id integer primary key, order_no integer, line_no integer",
            [(n, *p) for n, p in enumerate(lines[:12])],
        ),
    )
    join = (await joins_of(tmp_path))["refunds.order_no,line_no→order_lines.order_no,line_no"]
    assert join.found == join.sampled == 12


async def test_what_a_name_means_elsewhere_it_means_in_an_empty_table(build: Build, tmp_path: Path) -> None:
    build(
        vessel=("id integer primary key, name text", numbered(30, "x")),
        ves_log=("id integer primary key, vid integer", [(n, n) for n in range(1, 25)]),
        moorings=("id integer primary key, vid integer", []),
    )
    assert (await joins_of(tmp_path))["moorings.vid→vessel.id"].sampled == 0


async def test_what_its_own_table_is_called_after_comes_before_what_the_name_means_elsewhere(
    build: Build, tmp_path: Path
) -> None:
    build(
        product=("id integer primary key", numbered(30)),
        sale=("id integer primary key, product_id integer", [(n, n) for n in range(1, 31)]),
        share_product=("id integer primary key", []),
        share_product_charge=("id integer primary key, product_id integer", []),
    )
    found = await joins_of(tmp_path)
    assert "share_product_charge.product_id→share_product.id" in found
    assert "share_product_charge.product_id→product.id" not in found


@pytest.mark.parametrize(("others", "joined"), [(3, True), (2, False)])
async def test_rows_deleted_since_are_no_objection_where_several_tables_say_what_a_name_means(
    build: Build, tmp_path: Path, others: int, joined: bool
) -> None:
    told = ("id integer primary key, vid integer", [(row, row) for row in range(1, 25)])
    build(
        vessel=("id integer primary key, name text", numbered(30, "x")),
        **{f"ves_log_{letter}": told for letter in "abc"[:others]},
        moorings=("id integer primary key, vid integer", [(row, row + 12) for row in range(1, 31)]),
    )
    assert ("moorings.vid→vessel.id" in await joins_of(tmp_path)) is joined


async def test_secrets_are_not_read_for_a_test(build: Build, tmp_path: Path) -> None:
    build(
        tokens=("token_id text primary key, label text", [(f"secret-{n}", "x") for n in range(30)]),
        calls=("id integer primary key, token_id text", [(n, f"secret-{n}") for n in range(30)]),
    )
    read = await refresh_catalog("made", home=tmp_path)
    assert await run_join_tests("made", read.catalog) == {}


async def test_a_key_too_large_to_read_is_asked(build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "KEYS", 100)
    build(
        customers=("id integer primary key, name text", numbered(500, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n * 7 % 450 + 1) for n in range(1, 61)]),
    )
    join = (await joins_of(tmp_path))["orders.customer_id→customers.id"]
    assert join.found == join.sampled == 60


async def test_tests_are_kept_and_only_what_changed_is_tested_again(build: Build, tmp_path: Path) -> None:
    path = build(
        customers=("id integer primary key, name text", numbered(40, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n % 30 + 1) for n in range(1, 61)]),
    )
    await refresh_catalog("made", home=tmp_path, evidence=True)
    kept = load_catalog("made", home=tmp_path)
    assert kept is not None
    assert kept.tested
    assert [test.found for test in kept.tests.values()] == [30]
    with sqlite3.connect(path) as connection:
        connection.execute("create table payments (id integer primary key, order_id integer)")
        connection.executemany("insert into payments values (?, ?)", [(n, n % 50 + 1) for n in range(1, 61)])
    connection.close()
    unwaited = await refresh_catalog("made", home=tmp_path)
    assert not unwaited.stored.tested
    assert {spelt(join): join.sampled for join in unwaited.catalog.joins} == {
        "orders.customer_id→customers.id": 30,
        "payments.order_id→orders.id": 0,
    }
    again = await gather_evidence("made", unwaited.stored, home=tmp_path)
    assert {spelt(join): join.sampled for join in again.catalog.joins}["payments.order_id→orders.id"] == 50


async def test_who_cancels_keeps_what_was_learnt(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", numbered(40, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n % 30 + 1) for n in range(1, 61)]),
        payments=("id integer primary key, order_id integer", [(n, n % 50 + 1) for n in range(1, 61)]),
    )
    read = await refresh_catalog("made", home=tmp_path)

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "joins" and done:
            work.cancel()

    work = asyncio.ensure_future(gather_evidence("made", read.stored, home=tmp_path, progress=stop))
    with pytest.raises(asyncio.CancelledError):
        await work
    kept = load_catalog("made", home=tmp_path)
    assert kept is not None
    assert not kept.tested
    assert kept.tests


async def test_a_database_that_is_closed_under_the_tests_is_told_as_one_error(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", numbered(40, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n % 40 + 1) for n in range(100)]),
    )
    stored = (await refresh_catalog("made", home=tmp_path)).stored
    detach("made")
    with pytest.raises(NotFound):
        await gather_evidence("made", stored, home=tmp_path)


async def test_a_budget_that_is_spent_leaves_what_names_say(build: Build, tmp_path: Path) -> None:
    build(
        customers=("id integer primary key, name text", numbered(5, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n + 900) for n in range(1, 21)]),
    )
    read = await refresh_catalog("made", home=tmp_path)
    assert await run_join_tests("made", read.catalog, budget_s=0) == {}


async def test_the_next_question_has_the_joins_that_were_tested_beside_the_first(build: Build, tmp_path: Path) -> None:
    path = build(
        customers=("id integer primary key, name text", numbered(5, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n + 900) for n in range(1, 21)]),
    )
    sources = Sources(Settings(home=tmp_path / "home"))
    made = sources.add(str(path))
    try:
        first = await sources.open(made)
        assert [spelt(join) for join in first.catalog.joins] == ["orders.customer_id→customers.id"]
        await sources.finish_tests()
        assert (await sources.open(made)).catalog.joins == ()
    finally:
        sources.close()


async def test_one_may_wait_for_the_tests_or_do_without(build: Build, tmp_path: Path) -> None:
    path = build(
        customers=("id integer primary key, name text", numbered(5, "x")),
        orders=("id integer primary key, customer_id integer", [(n, n + 900) for n in range(1, 21)]),
    )
    for choice, joins in (("wait", 0), ("off", 1)):
        settings = Settings(home=tmp_path / choice, knowledge=KnowledgeSettings(join_tests=choice))
        sources = Sources(settings)
        try:
            assert len((await sources.open(sources.add(str(path)))).catalog.joins) == joins
        finally:
            sources.close()


def test_the_counts_of_a_test_do_not_change_the_version() -> None:
    def version(sampled: int) -> str:
        join = Join(
            ("a",), ("x",), ("b",), ("y",), declared=False, confidence=0.9, reason="r", how="name", sampled=sampled
        )
        return Catalog("sqlite", joins=(join,)).version

    assert version(10) == version(20)


@pytest.mark.parametrize(
    ("values", "telling"),
    [
        ([str(n) for n in range(1, 51)], False),
        ([str(n) for n in range(2015, 2025)], False),
        ([f"202401{n:02d}" for n in range(1, 31)], False),
        (["A", "B", "C", "D"], False),
        ([str(n) for n in range(730_001, 730_040)], True),
        (["C0001", "C0002", "C0003"], True),
    ],
)
def test_which_values_could_hardly_be_found_by_chance(values: list[str], telling: bool) -> None:
    assert distinctive(values) is telling


async def test_small_numbers_mean_the_one_key_whose_range_they_fill(build: Build, tmp_path: Path) -> None:
    build(
        artists=("artist_id integer primary key, name text", numbered(90, "x")),
        loans=("loan_id integer primary key, days integer", numbered(900, 5)),
        works=(
            "work_id integer primary key, maker_id integer, after_id integer",
            [(n, n * 7 % 90 + 1, n % 4 + 1) for n in range(1, 401)],
        ),
    )
    joins = await joins_of(tmp_path)
    assert joins["works.maker_id→artists.artist_id"].how == "data"
    assert "works.after_id" not in {spelt(join).partition("→")[0] for join in joins.values()}


async def test_numbers_that_two_keys_have_mean_neither(build: Build, tmp_path: Path) -> None:
    build(
        artists=("artist_id integer primary key, name text", numbered(90, "x")),
        rooms=("room_key integer primary key, name text", numbered(91, "x")),
        works=("work_id integer primary key, maker_id integer", [(n, n * 7 % 90 + 1) for n in range(1, 401)]),
    )
    assert not any(spelt(join).startswith("works.maker_id") for join in (await joins_of(tmp_path)).values())


async def test_values_that_are_keys_of_their_own_table_alone_point_into_it(build: Build, tmp_path: Path) -> None:
    rows = [(f"M{n:04}", None if n < 10 else f"M{n // 3:04}") for n in range(1, 60)]
    build(members=("code text primary key, sponsored text", rows))
    assert "members.sponsored→members.code" in await joins_of(tmp_path)


async def test_a_role_before_what_a_key_is_called_means_that_key(build: Build, tmp_path: Path) -> None:
    build(
        clinics=("hosp_id integer primary key, name text", numbered(9, "x")),
        moves=(
            "move_id integer primary key, from_hosp integer, buyhosp integer",
            [(n, n % 4 + 1, n % 5 + 2) for n in range(1, 30)],
        ),
    )
    assert {"moves.from_hosp→clinics.hosp_id", "moves.buyhosp→clinics.hosp_id"} <= set(await joins_of(tmp_path))


async def test_a_chinese_name_that_ends_with_a_table_or_its_key_means_it(build: Build, tmp_path: Path) -> None:
    build(
        教练=("教练编号 integer primary key, 姓名 text, 带教教练 integer", [(n, "x", n % 5 + 1) for n in range(1, 20)]),
        员工=("工号 integer primary key, 姓名 text", numbered(20, "x", start=801)),
        合同=("合同号 integer primary key, 销售工号 integer", [(n, n % 4 + 801) for n in range(1, 30)]),
    )
    assert {"教练.带教教练→教练.教练编号", "合同.销售工号→员工.工号"} <= set(await joins_of(tmp_path))


async def test_superiors_owners_and_kin(build: Build, tmp_path: Path) -> None:
    build(
        hr_emp=("emp_id integer primary key, mgr_id integer", [(n, n % 6 + 1) for n in range(1, 31)]),
        clients=("client_id integer primary key, referred_by integer", [(n, n % 50 + 20) for n in range(1, 91)]),
        visits=("visit_id integer primary key, referred_by integer", [(n, n % 50 + 41) for n in range(1, 101)]),
        projects=(
            "project_id integer primary key, owner_id integer, head_id integer",
            [(n, n % 4 + 1, n % 3 + 2) for n in range(1, 13)],
        ),
    )
    joins = set(await joins_of(tmp_path))
    assert "hr_emp.mgr_id→hr_emp.emp_id" in joins
    assert "clients.referred_by→clients.client_id" in joins
    assert "visits.referred_by→visits.visit_id" not in joins
    assert {"projects.owner_id→hr_emp.emp_id", "projects.head_id→hr_emp.emp_id"} <= joins


async def test_those_who_did_it_are_the_users_of_any_kind(build: Build, tmp_path: Path) -> None:
    build(
        admin_users=("id integer primary key, name text", numbered(8, "x")),
        notes=(
            "note_id integer primary key, author_id integer, create_uid integer",
            [(n, n % 7 + 1, n % 6 + 2) for n in range(1, 40)],
        ),
    )
    assert {"notes.author_id→admin_users.id", "notes.create_uid→admin_users.id"} <= set(await joins_of(tmp_path))
