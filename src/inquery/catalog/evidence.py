"""Tests on data: whether the values of a column are keys of another table. Bounded, a few statements at a time.

A column is read once, however many tests it is part of: its distinct values, as many as fit, counted. Two columns that were
read whole are compared here; only a key too large to read is asked about a sample of values. Nothing of what was read is
kept but how many values were found.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from sqlglot import exp

from inquery.catalog.collect import table_named
from inquery.catalog.infer import candidates
from inquery.catalog.join_verdicts import Ends, Tested, Tests, ends_of
from inquery.catalog.joins import by_data, declared, with_joins
from inquery.catalog.key_names import is_archive, is_no_key, joinable, primary_key, type_family
from inquery.catalog.key_ranges import Range, may_refer, numbers_of, only_fit
from inquery.catalog.suitable import private
from inquery.databases.engine import Limits, Progress, Result, no_progress
from inquery.databases.executor.execute import execute
from inquery.errors import QueryLimit, SqlDenied, SqlFixable, SqlRefused
from inquery.sql import Catalog, Column, Join, Policy, Table, check

SAMPLED = 1_000
"""Distinct values of a column that are looked for in another."""
ASKED = 200
"""As many where the database has to look for them itself."""
ROWS = 100_000
"""Rows of a table that are read at most."""
KEYS = 10_000
"""Distinct values that are read at most; a larger key is asked instead."""
TIMEOUT_S = 3.0
AT_ONCE = 2
"""Statements at one time: a server that answers people has sessions left."""
BUDGET_S = 60.0
"""For all tests of a connection together; what was not reached keeps what its name says."""
MOST_COLUMNS = 3_000
MOST_KEYS = 200
"""Tables among which a range of numbers can mean one; of more, some other key has it too."""
SLOW = 5
"""Statements that ran out of time after which the server is left alone."""
NONE = frozenset({"", "0", "-1", "null", "none", "-", "n/a"})
"""Values that mean there is nothing referred to."""


@dataclass(frozen=True, slots=True)
class Place:
    """Columns of a table, of all its rows or of those where another column has one value."""

    path: tuple[str, ...]
    columns: tuple[str, ...]
    condition: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The distinct values of a place; `whole` where these are all of them, `unique` where none came twice."""

    values: tuple[str, ...]
    held: frozenset[str]
    whole: bool
    unique: bool


class _Reader:
    """Reads columns through the guard and the executor, until the time for all of them is spent."""

    def __init__(self, connection_id: str, catalog: Catalog, policy: Policy | None, budget_s: float) -> None:
        self.connection_id = connection_id
        self.catalog = catalog
        self.policy = replace(policy or Policy(), row_cap=None)
        self._known: dict[Place, Contents | None] = {}
        self._turns: dict[Place, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._until = time.monotonic() + budget_s
        self._timeouts = 0

    @property
    def spent(self) -> bool:
        """Whether no more statements should be run."""
        return time.monotonic() > self._until or self._timeouts >= SLOW or len(self._known) >= MOST_COLUMNS

    async def read(self, place: Place) -> Contents | None:
        """What a place holds; None where it cannot be read."""
        async with self._turns[place]:
            if place not in self._known and not self.spent:
                self._known[place] = None if any(map(private, place.columns)) else await self._read(place)
        return self._known.get(place)

    async def _read(self, place: Place) -> Contents | None:
        table = self.catalog.by_path[place.path]
        result = await self._run(values_statement(table, place, self.catalog.dialect))
        if result is None:
            return None
        rows = [tuple(map(_plain, row[:-1])) for row in result.rows]
        total = sum(int(row[-1]) for row in result.rows)
        values = tuple("\x1f".join(row) for row in rows if not all(value in NONE for value in row))
        unique = all(row[-1] == 1 for row in result.rows)
        return Contents(values[:KEYS], frozenset(values), whole=len(rows) <= KEYS and total < ROWS, unique=unique)

    async def count_found(self, place: Place, values: Sequence[str]) -> int | None:
        """How many of the values a column holds, asked of the database."""
        if self.spent or len(place.columns) != 1:
            return None
        table = self.catalog.by_path[place.path]
        column = table.column(place.columns[0])
        number = column is not None and type_family(column.type) == "number"
        if number and not all(re.fullmatch(r"-?\d+", value) for value in values):
            return None
        name = exp.column(exp.to_identifier(place.columns[0], quoted=True))
        literals = [exp.Literal.number(v) if number else exp.Literal.string(v) for v in values]
        counted = exp.alias_(exp.Count(this=exp.Distinct(expressions=[name])), "n", quoted=True)
        query = exp.select(counted).from_(table_named(table)).where(name.copy().isin(*literals))
        result = await self._run(query.sql(self.catalog.dialect))
        return int(result.rows[0][0]) if result is not None and result.rows else None

    async def _run(self, sql: str) -> Result | None:
        try:
            checked = check(sql, dialect=self.catalog.dialect, catalog=self.catalog, policy=self.policy)
            return await execute(self.connection_id, checked, limits=Limits(TIMEOUT_S, KEYS + 1), fresh=True)
        except QueryLimit:
            self._timeouts += 1
        except (SqlRefused, SqlFixable, SqlDenied):
            pass
        return None


def values_statement(table: Table, place: Place, dialect: str) -> str:
    """The distinct values of some columns in the first rows of a table, in order, each with how often it comes."""
    names = [exp.column(exp.to_identifier(column, quoted=True)) for column in place.columns]
    aliases = [exp.to_identifier(f"v{number}", quoted=True) for number in range(len(names))]
    inner = exp.select(*(exp.alias_(name, alias) for name, alias in zip(names, aliases, strict=True)))
    inner = inner.from_(table_named(table)).where(*(name.copy().is_(exp.null()).not_() for name in names))
    if place.condition:
        column, value = place.condition
        inner = inner.where(exp.column(exp.to_identifier(column, quoted=True)).eq(exp.Literal.string(value)))
    outer = [exp.column(alias.copy()) for alias in aliases]
    counted = exp.alias_(exp.Count(this=exp.Star()), exp.to_identifier("n", quoted=True))
    query = exp.select(*outer, counted).from_(inner.limit(ROWS).subquery("part"))
    query = query.group_by(*(each.copy() for each in outer)).order_by(*(each.copy() for each in outer))
    return query.limit(KEYS + 1).sql(dialect)


async def run_join_tests(
    connection_id: str,
    catalog: Catalog,
    *,
    known: Tests | None = None,
    policy: Policy | None = None,
    progress: Progress = no_progress,
    budget_s: float = BUDGET_S,
    found: dict[Ends, Tested] | None = None,
) -> dict[Ends, Tested]:
    """What data says of the joins that names suggest, and of those it alone suggests.

    `known` tests are not repeated. `found` is filled as it goes, so that whoever cancels keeps what was learnt.
    """
    tests = found if found is not None else {}
    tests.update(known or {})
    reader = _Reader(connection_id, catalog, policy, budget_s)
    suggested = await asyncio.to_thread(_suggested_by_names, catalog)
    await _test_all(reader, [join for join in suggested if ends_of(join) not in tests], tests, progress)
    further = [join for join in await _suggested_by_data(reader, tests) if ends_of(join) not in tests]
    await _test_all(reader, further, tests, progress)
    fitting = await _suggested_by_range(reader, tests)
    await _test_all(reader, [join for join in fitting if ends_of(join) not in tests], tests, progress)
    for ends in map(ends_of, fitting):
        if ends in tests:
            tests[ends] = replace(tests[ends], fits=True)
    return tests


def _suggested_by_names(catalog: Catalog) -> list[Join]:
    """The joins that names suggest, those that they are surer of first."""
    return [each.join for each in sorted(candidates(catalog, declared(catalog)), key=lambda each: each.weak)]


async def _test_all(reader: _Reader, joins: Sequence[Join], tests: dict[Ends, Tested], progress: Progress) -> None:
    turn = asyncio.Semaphore(AT_ONCE)
    done = 0

    async def one(group: Sequence[Join]) -> None:
        nonlocal done
        async with turn:
            for join in group:
                if not reader.spent and (test := await _test(reader, join)) is not None:
                    tests[ends_of(join)] = test
        done += len(group)
        progress("joins", done, len(joins))

    # The tests of one column go together, so that two tasks never read it twice.
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Join]] = {}
    for join in joins:
        groups.setdefault((join.left, join.left_columns), []).append(join)
    try:
        async with asyncio.TaskGroup() as tasks:
            for group in groups.values():
                tasks.create_task(one(group))
    except ExceptionGroup as failed:
        # Whoever waits knows single errors: a group passed by them all, and a terminal that had ended showed its trace.
        raise failed.exceptions[0] from failed


async def _test(reader: _Reader, join: Join) -> Tested | None:
    """Look for the values of the left side on the right; None where there is nothing to look for, or in."""
    left = await reader.read(Place(join.left, join.left_columns, join.condition))
    if left is None or not left.values:
        return None
    sample = spread(left.values, SAMPLED)
    table = reader.catalog.by_path[join.right]
    place = Place(join.right, join.right_columns)
    is_key = tuple(c.name for c in table.columns if c.primary_key) == join.right_columns
    right = None if is_key and (table.estimated_rows or 0) > KEYS else await reader.read(place)
    if right is not None and right.whole:
        if not right.values:
            return None
        count, unique = sum(value in right.held for value in sample), right.unique
    else:
        sample = spread(sample, ASKED)
        asked = await reader.count_found(place, sample)
        if asked is None:
            return None
        count, unique = asked, is_key or (right is not None and right.unique)
    return Tested(
        ends=ends_of(join), found=count, sampled=len(sample), unique=unique or is_key,
        left_unique=left.unique, distinctive=distinctive(sample),
    )  # fmt: skip


async def _suggested_by_data(reader: _Reader, tests: Tests) -> list[Join]:
    """Columns without a believed join whose samples are all keys of one other table, and could hardly be by chance."""
    catalog = reader.catalog
    known = await asyncio.to_thread(with_joins, catalog, tests)
    bound = {(join.left, name) for join in known.joins for name in join.left_columns}
    keys: list[Key] = []
    for table in catalog.tables:
        for column in _key_columns(table):
            sample = [value for value in column.samples if value not in NONE]
            if distinctive(sample, few=2) and (table.estimated_rows or 0) <= ROWS and not is_archive(table.name):
                contents = await reader.read(Place(table.path, (column.name,)))
                if contents and contents.whole and contents.unique and distinctive(contents.values):
                    keys.append(Key(table, column, contents.held))
    return await asyncio.to_thread(_held_by_one, catalog, bound, keys)


class Key(NamedTuple):
    """A column that may be the key of its table, with all its values."""

    table: Table
    column: Column
    values: frozenset[str]


def _held_by_one(catalog: Catalog, bound: set[tuple[tuple[str, ...], str]], keys: Sequence[Key]) -> list[Join]:
    """The columns whose samples are all values of one key, and of no second one."""
    found = []
    for table in catalog.tables:
        own = list(_key_columns(table))
        for column in table.columns:
            held = {value for value in column.samples if value not in NONE}
            if (table.path, column.name) in bound or len(held) < 2 or column in own or is_no_key(column):
                continue
            fitting = [key for key in keys if joinable(column, key.column) and held <= key.values]
            # The table itself is meant where no other is: who introduced a member is a member.
            parents = [key for key in fitting if key.table.path != table.path] or fitting
            if len(parents) == 1:
                parent = parents[0]
                found.append(by_data(table.path, (column.name,), parent.table.path, (parent.column.name,)))
    return found


async def _suggested_by_range(reader: _Reader, tests: Tests) -> list[Join]:
    """Columns named as references without a believed join, whose numbers fill the range of one key alone."""
    catalog = reader.catalog
    if len(catalog.tables) > MOST_KEYS:
        return []
    known = await asyncio.to_thread(with_joins, catalog, tests)
    bound = {(join.left, name) for join in known.joins for name in join.left_columns}
    open_columns = [
        (table, column)
        for table in catalog.tables
        for column in table.columns
        if (table.path, column.name) not in bound and column not in _key_columns(table)
        if may_refer(column.name) and not is_no_key(column) and numbers_of(v for v in column.samples if v not in NONE)
    ]
    keys: list[tuple[Table, Column, Range]] = []
    for table in catalog.tables if open_columns else ():
        for column in _key_columns(table):
            if is_archive(table.name) or not numbers_of(value for value in column.samples if value not in NONE):
                continue
            contents = await reader.read(Place(table.path, (column.name,)))
            if contents and contents.unique and (numbers := numbers_of(contents.values)):
                size = len(numbers) if contents.whole else max(table.estimated_rows or 0, 2 * KEYS)
                keys.append((table, column, Range(numbers, size)))
    meant = {join.right for join in known.joins if join.left != join.right}
    found = []
    for table, column in open_columns:
        values = await reader.read(Place(table.path, (column.name,)))
        fitting = [each for each in keys if joinable(column, each[1])]
        # What others refer to comes before what nobody does, such as a table of payments.
        homes = [each for each in fitting if each[0].path in meant or each[0].path == table.path]
        numbers = numbers_of(values.values) if values else ()
        for among in (homes, fitting):
            if (place := only_fit(numbers, [each[2] for each in among])) is not None:
                parent, key, _ = among[place]
                found.append(by_data(table.path, (column.name,), parent.path, (key.name,)))
                break
    return found


def _key_columns(table: Table) -> Iterator[Column]:
    """The column that may be the key of a table alone: the declared or named one, else the first."""
    key = primary_key(table)
    if len(key) <= 1 and table.columns:
        column = key[0] if key else table.columns[0]
        if not private(column.name):
            yield column


def spread(values: Sequence[str], most: int) -> Sequence[str]:
    """Some of the values, evenly from all of them."""
    return values if len(values) <= most else [values[i * len(values) // most] for i in range(most)]


def distinctive(values: Iterable[str], *, few: int = 3) -> bool:
    """Whether values could hardly be keys of a table that they do not refer to: no small numbers, no single letters."""
    given = [value for value in values if value not in NONE]
    if len(given) < few:
        return False
    numbers = [int(value) for value in given if re.fullmatch(r"\d{1,18}", value)]
    if len(numbers) == len(given):
        # 1 to 50 are found in every key, and so are years; 20240131 in every calendar.
        return len(given) >= few + 2 and min(numbers) > 9_999 and not all(_is_day(number) for number in numbers)
    return sum(map(len, given)) >= 3 * len(given)


def _is_day(number: int) -> bool:
    return 19_000_101 <= number <= 21_001_231 and 1 <= number // 100 % 100 <= 12


def _plain(value: object) -> str:
    """A value as text that equal keys of other types share: 12, 12.0 and '12'."""
    if isinstance(value, float | Decimal) and value == int(value):
        return str(int(value))
    return str(value).strip()
