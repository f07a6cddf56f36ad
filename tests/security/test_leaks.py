"""Whatever way a statement goes, what a policy hides does not come back: on every engine that runs here."""

import datetime
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import CASES as ENGINES
from tests.contract.conftest import connect

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.errors import InqueryError
from inquery.sql import Catalog, Policy, SqlRefused, check

WAYS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("leaks.yaml").read_text("utf-8"))
LIMITS = Limits(timeout_s=60, rows=500)
UNSTEADY = ("rowid", "ctid", "xmin", "random", "now(", "sample", "limit 1", "any(", "anylast")
"""Words of statements whose answer is another one each time, or depends on where a row is stored."""
TABLES = (
    TableSpec(
        "orders",
        [ColumnSpec("id"), ColumnSpec("user_id"), ColumnSpec("region", "text"), ColumnSpec("note", "text")],
        [
            (i, i % 6, "north" if i % 3 == 0 else "south", "shown" if i % 3 == 0 else f"HIDDEN-{i}")
            for i in range(1, 61)
        ],
        primary_key=["id"],
    ),
    TableSpec(
        "users",
        [ColumnSpec("id"), ColumnSpec("name", "text"), ColumnSpec("password", "text")],
        [(i, f"name {i}", f"pw-{i}") for i in range(6)],
        primary_key=["id"],
    ),
    TableSpec("secret", [ColumnSpec("token", "text")], [("TOPSECRET-1",)]),
)
VIEWS = (
    "CREATE VIEW v_users AS SELECT id, password AS word FROM users",
    "CREATE VIEW v_orders AS SELECT id, note FROM orders",
)
MORE: Mapping[str, tuple[str, ...]] = {
    "postgres": (
        "CREATE TABLE child (extra text) INHERITS (orders)",
        "INSERT INTO child VALUES (99, 1, 'south', 'HIDDEN-child', 'x')",
        "CREATE SCHEMA evil",
        "CREATE FUNCTION evil.peek(int, int) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT token FROM public.secret'",
        "CREATE FUNCTION public.peek(int, int) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT token FROM public.secret'",
        "CREATE OPERATOR evil.=== (FUNCTION = evil.peek, LEFTARG = int, RIGHTARG = int)",
        "GRANT USAGE ON SCHEMA evil TO PUBLIC",
    ),
    "mariadb": (
        "CREATE TABLE hist (id int, region varchar(20), note varchar(50)) WITH SYSTEM VERSIONING",
        "INSERT INTO hist VALUES (1, 'north', 'shown'), (2, 'north', 'HIDDEN-once-north')",
        "DO sleep(1.1)",
        "UPDATE hist SET region = 'south' WHERE id = 2",
    ),
}


@pytest.fixture(scope="session")
def leaking(engine_case: EngineCase) -> str:
    """The address of a database of which a policy hides most."""
    url = engine_case.make_database(TABLES)
    engine_case.run_as_admin(url, *VIEWS, *MORE.get(engine_case.name, ()))
    for name in ("v_users", "v_orders", *(("child",) if engine_case.name == "postgres" else ())):
        engine_case.grant(url, name)
    return url


def policy_of(catalog: Catalog) -> Policy:
    names = {table.name: table.full_name for table in catalog.tables}
    granted = {names[name] for name in ("orders", "users", "v_users", "v_orders", "hist", "child") if name in names}
    filters = {names[name]: "region = 'north'" for name in ("orders", "hist") if name in names}
    return Policy(frozenset(granted), frozenset({names["users"] + ".password"}), filters)


def ways(dialect: str, moment: str) -> list[tuple[str, bool]]:
    """Statements, and whether names too are looked for: those that only an engine's own ways could bring out."""
    everywhere = [(text, False) for text in WAYS["everywhere"]]
    own = [*WAYS["own"][dialect], *more_ways(dialect)]
    return everywhere + [(text.replace("{moment}", moment), True) for text in own]


def more_ways(dialect: str) -> list[str]:
    """The statements of leaks/<dialect>.sql: one a line, lines that begin with "# " are remarks."""
    text = Path(__file__).with_name("leaks").joinpath(f"{dialect}.sql").read_text("utf-8")
    found = [line for line in text.splitlines() if line and not line.startswith("# ")]
    assert len(found) >= 40
    return found


async def outcome(url: str, text: str, dialect: str, catalog: Catalog) -> tuple[str, str]:
    """Refused, failed or ran, and all that was told."""
    try:
        checked = check(text, dialect=dialect, catalog=catalog, policy=policy_of(catalog))
    except SqlRefused as refused:
        return "refused", f"{refused.nearest}"
    try:
        result = await executor.execute(url, checked, limits=LIMITS, fresh=True)
    except InqueryError as error:
        return "failed", f"{error.detail} {error.public_message('en')}"
    return "ran", f"{[column.name for column in result.columns]} {result.rows}"


async def test_what_is_hidden_does_not_come_back(engine_case: EngineCase, leaking: str) -> None:
    moment = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(milliseconds=500)).strftime(
        "%Y-%m-%d %H:%M:%S.%f"
    )
    counted: Counter[str] = Counter()
    told = []
    with ExitStack() as stack:
        connect(stack, leaking)
        catalog = await executor.introspect(leaking)
        for text, names_too in ways(engine_case.dialect, moment):
            what, said = await outcome(leaking, text, engine_case.dialect, catalog)
            counted[what] += 1
            names = WAYS["names"] if names_too and what == "ran" else ()
            sought = [*WAYS["canaries"], *(name for name in names if f" {name}" not in text and f".{name}" not in text)]
            if any(word in said for word in sought):
                told.append((text, what, said[:300]))
    print(f"{engine_case.name}: {dict(counted)}")
    assert not told
    assert counted["ran"] >= 20, "statements that only fail show nothing"
    assert counted["refused"] >= 15


async def test_without_a_policy_it_all_comes_back(engine_case: EngineCase, leaking: str) -> None:
    """Else the canaries would be in nothing that the test above reads."""
    with ExitStack() as stack:
        connect(stack, leaking)
        catalog = await executor.introspect(leaking)
        found = set()
        for text in ("SELECT note FROM orders", "SELECT password FROM users", "SELECT token FROM secret"):
            checked = check(text, dialect=engine_case.dialect, catalog=catalog)
            rows = repr((await executor.execute(leaking, checked, limits=LIMITS, fresh=True)).rows)
            found |= {word for word in WAYS["canaries"] if word in rows}
    assert found == set(WAYS["canaries"])


@pytest.fixture(scope="session")
def reduced(engine_case: EngineCase) -> str:
    """The same database as if what the policy hides had never been there."""
    orders, users, _ = TABLES
    left = (
        TableSpec("orders", orders.columns, [row for row in orders.rows if row[2] == "north"], primary_key=["id"]),
        TableSpec("users", users.columns[:2], [row[:2] for row in users.rows], primary_key=["id"]),
    )
    return engine_case.make_database(left)


def words_of(row: object) -> str:
    """A row without signs: a whole row as one value is a text or a list, as the engine knows its type or not."""
    return re.sub(r"\W+", " ", repr(row)).strip()


async def test_answers_are_those_of_a_database_without_the_hidden(
    engine_case: EngineCase, leaking: str, reduced: str
) -> None:
    """A count or a rank tells as much as a value does, and holds no canary."""
    compared, differ = 0, []
    with ExitStack() as stack:
        connect(stack, leaking)
        connect(stack, reduced)
        whole, left = await executor.introspect(leaking), await executor.introspect(reduced)
        for text, _ in ways(engine_case.dialect, "2000-01-01 00:00:00"):
            if any(word in text.lower() for word in UNSTEADY):
                continue
            try:
                hidden = check(text, dialect=engine_case.dialect, catalog=whole, policy=policy_of(whole))
                plain = check(text, dialect=engine_case.dialect, catalog=left)
                found = (await executor.execute(leaking, hidden, limits=LIMITS, fresh=True)).rows
                expected = (await executor.execute(reduced, plain, limits=LIMITS, fresh=True)).rows
            except InqueryError:
                continue
            compared += 1
            if sorted(map(words_of, found)) != sorted(map(words_of, expected)):
                differ.append((text, found[:3], expected[:3]))
    print(f"{engine_case.name}: {compared} compared")
    assert differ == []
    assert compared >= 40


def test_how_many_engines_ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An engine that is not here is named, not passed over; those that need no server are always here."""
    ran, missing = [], {}
    for name, module in ENGINES.items():
        try:
            import_module(module).open_case(request, tmp_path_factory.mktemp(name))
            ran.append(name)
        except pytest.skip.Exception as reason:
            missing[name] = str(reason)
    print(f"{len(ran)} of {len(ENGINES)} engines ran: {', '.join(ran)}; missing: {missing or 'none'}")
    assert {"sqlite", "duckdb"} <= set(ran), missing
    assert all(more_ways(dialect) for dialect in WAYS["own"])
    assert set(WAYS["own"]) == {"sqlite", "postgres", "mysql", "duckdb", "clickhouse"}
