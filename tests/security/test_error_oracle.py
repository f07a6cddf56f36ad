"""No error depends on a row that a filter hides: the oracle of errors, over filters, failures and shapes."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.cases_postgres import PostgresCase
from tests.contract.cases_sqlite import SqliteCase
from tests.contract.conftest import connect
from tests.servers import Server

from inquery.agents.statements.faults import recorded
from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.errors import FilteredFailed, InqueryError
from inquery.sql import Catalog, Policy, check
from inquery.sql.dialects import DIALECTS

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("error_oracle.yaml").read_text("utf-8"))
LIMITS = Limits(timeout_s=60, rows=1000)
ORDERS = TableSpec(
    "orders",
    [ColumnSpec("id"), ColumnSpec("user_id"), ColumnSpec("region", "text"), ColumnSpec("note", "text")],
    [(i, i % 6, "north" if i % 3 == 0 else "south", "1" if i % 3 == 0 else f"HIDDEN-NOTE-{i}") for i in range(1, 61)],
    primary_key=["id"],
)
USERS = TableSpec(
    "users",
    [ColumnSpec("id"), ColumnSpec("name", "text")],
    [(i, "known" if i % 3 == 0 else f"other {i}") for i in range(6)],
    primary_key=["id"],
)
ALLOWED = TableSpec("allowed", [ColumnSpec("id")], [(0,), (3,)])


@dataclass(frozen=True)
class Probe:
    """A statement with both guesses, and where it comes from."""

    failure: str
    shape: str
    right: str
    wrong: str


def probes(dialect: str) -> Iterator[Probe]:
    for number, (failure, text) in enumerate(CASES["failures"][dialect].items()):
        for shape in CASES["few_shapes"] if number else CASES["shapes"]:
            if shape in CASES["shapes_missing"].get(dialect, ()):
                continue
            told = {
                name: CASES["shapes"][shape].format(fails=f"({text.format(guess=f'({guess})')})")
                for name, guess in CASES["guesses"].items()
            }
            yield Probe(failure, shape, told["right"], told["wrong"])


@pytest.fixture(scope="session")
def shop(engine_case: EngineCase) -> str:
    """The address of the database of the oracle; nothing in it is changed."""
    return engine_case.make_database([ORDERS, USERS, ALLOWED])


@dataclass(frozen=True)
class Oracle:
    """The database as it answers under a filter, or under none."""

    url: str
    dialect: str
    catalog: Catalog
    policy: Policy

    async def answer(self, sql: str) -> object:
        """The rows, or the error as text."""
        checked = check(sql, dialect=self.dialect, catalog=self.catalog, policy=self.policy)
        try:
            result = await executor.execute(self.url, checked, limits=LIMITS, fresh=True)
        except InqueryError as error:
            return f"{error.code}: {error.detail[:80]}"
        return sorted(map(repr, result.rows))

    async def differences(self) -> list[tuple[Probe, object, object]]:
        """The probes that tell a right guess from a wrong one, or fail."""
        found = []
        for probe in probes(self.dialect):
            right, wrong = await self.answer(probe.right), await self.answer(probe.wrong)
            if right != wrong or isinstance(right, str):
                found.append((probe, right, wrong))
        return found


async def oracle(stack: ExitStack, url: str, dialect: str, text: str | None) -> Oracle:
    """The oracle under a filter of the file."""
    connect(stack, url)
    catalog = await executor.introspect(url)
    names = {table.name: table.full_name for table in catalog.tables}
    visible = frozenset(names[name] for name in CASES["tables"]["visible"])
    filters = {} if text is None else {names["orders"]: text.format(**names, text=CASES["text"][dialect])}
    return Oracle(url, dialect, catalog, Policy(tables=visible, row_filters=filters))


async def test_every_failure_fails_where_nothing_is_filtered(engine_case: EngineCase, shop: str) -> None:
    """Else the oracle would be silent whatever the guard did."""
    with ExitStack() as stack:
        free = await oracle(stack, shop, engine_case.dialect, None)
        told = {probe for probe, right, wrong in await free.differences() if isinstance(right, str) and right != wrong}
    assert told == set(probes(engine_case.dialect))


@pytest.mark.parametrize("name", CASES["filters"])
async def test_an_error_tells_nothing_of_hidden_rows(engine_case: EngineCase, shop: str, name: str) -> None:
    dialect = engine_case.dialect
    if name in CASES["not_there"].get(dialect, ()):
        pytest.skip(f"{engine_case.name} has no such filter")
    with ExitStack() as stack:
        filtered = await oracle(stack, shop, dialect, CASES["filters"][name])
        assert await filtered.answer("SELECT count(*) AS n FROM orders") == ["(20,)"]
        told = await filtered.differences()
    assert not told, f"{len(told)}, such as {told[0]}"


async def test_a_pattern_too_long_to_match_tells_nothing_of_hidden_rows(tmp_path: Path) -> None:
    """SQLite refuses it only when it comes to a row, which by an index is before the filter."""
    case = SqliteCase(tmp_path)
    url = case.make_database([ORDERS, USERS, ALLOWED])
    case.run_as_admin(url, "CREATE INDEX notes ON orders (note)")
    text = "SELECT count(*) AS n FROM orders WHERE note >= '{}' AND note LIKE '" + "x" * 50_001 + "'"
    with ExitStack() as stack:
        free = await oracle(stack, url, "sqlite", None)
        assert "too complex" in str(await free.answer(text.format("HIDDEN")))
        filtered = await oracle(stack, url, "sqlite", CASES["filters"]["equals"])
        assert await filtered.answer(text.format("HIDDEN")) == await filtered.answer(text.format("I")) == ["(0,)"]


async def test_a_collation_that_no_pattern_fits_tells_nothing_of_hidden_rows(postgres: Server) -> None:
    case = PostgresCase(postgres)
    url = case.make_database([ORDERS, USERS, ALLOWED])
    case.run_as_admin(
        url,
        "CREATE COLLATION loose (provider = icu, locale = 'und', deterministic = false)",
        "ALTER TABLE orders ALTER note TYPE text COLLATE loose",
    )
    text = "SELECT count(*) AS n FROM orders WHERE note >= '{}' AND note LIKE 'x'"
    with ExitStack() as stack:
        free = await oracle(stack, url, "postgres", None)
        if not isinstance(await free.answer(text.format("HIDDEN")), str):
            pytest.skip("this PostgreSQL matches patterns in any collation")
        filtered = await oracle(stack, url, "postgres", CASES["filters"]["equals"])
        assert await filtered.answer(text.format("HIDDEN")) == await filtered.answer(text.format("I")) == ["(0,)"]


async def test_a_filter_that_fails_itself_shows_no_row(
    engine_case: EngineCase, shop: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An administrator's mistake, whose error quotes the row that it fails on."""
    fails = CASES["failing_filters"].get(engine_case.dialect)
    if fails is None:
        pytest.skip(f"{engine_case.name} quotes no value")
    text = "SELECT count(*) AS n FROM orders"
    with ExitStack() as stack:
        filtered = await oracle(stack, shop, engine_case.dialect, fails)
        checked = check(text, dialect=filtered.dialect, catalog=filtered.catalog, policy=filtered.policy)
        with pytest.raises(FilteredFailed) as caught:
            await executor.execute(shop, checked, limits=LIMITS, fresh=True)
        with pytest.raises(FilteredFailed):
            list(executor.stream(shop, checked, LIMITS))
    fault = recorded(caught.value, "sql_execution", text)
    logging.getLogger("inquery").error("failed", exc_info=caught.value)
    told = [caught.value.public_message("en"), caught.value.public_message("zh"), repr(fault), caplog.text]
    assert "HIDDEN" not in "".join(told)
    assert told[0] != told[1]
    assert "filtered_failed" in caplog.text


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - set(CASES["failures"])))
def test_errors_are_silent_where_no_fence_was_proven(dialect: str) -> None:
    upper = dialect in {"oracle", "snowflake"}
    table, column = ("ORDERS", "ID") if upper else ("orders", "id")
    catalog = Catalog.of({table: [column]}, dialect=dialect)
    text = f"SELECT {column} FROM {table}"
    assert check(text, dialect=dialect, catalog=catalog, policy=Policy(row_filters={table: f"{column} = 1"})).silent
    assert not check(text, dialect=dialect, catalog=catalog).silent


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_fence_or_says_that_it_has_none(dialect: str) -> None:
    """One that was tried on an engine is proven by the tests above; whatever else is taken on trust is not."""
    fence = DIALECTS[dialect].fence
    assert (fence is not None and fence.proven) == (dialect in CASES["failures"])
