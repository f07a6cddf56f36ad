"""Refreshing a connection's catalogue: structure in bulk, contents of changed tables only."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from inquery.aside import LARGE_CATALOG
from inquery.catalog.collect import AT_ONCE, Gathered, gather_values
from inquery.catalog.display_names import Counted, count_candidates, with_display
from inquery.catalog.evidence import BUDGET_S, run_join_tests
from inquery.catalog.join_verdicts import Ends, Tested
from inquery.catalog.joins import with_joins
from inquery.catalog.lookups import read_lookups
from inquery.catalog.meanings import Pairs, with_meanings
from inquery.catalog.state_codes import read_state_codes
from inquery.catalog.stored import Stored, load_catalog, read_time, save_catalog, save_structure
from inquery.catalog.value_index import PER_COLUMN, Place, ValueIndex
from inquery.databases.engine import Progress, no_progress
from inquery.databases.executor.execute import file_mark, introspect
from inquery.lasting import make_lasting
from inquery.sql import Catalog, Join, Policy, Table


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The catalogue as it is now, and which tables were added, changed or dropped since the last time."""

    stored: Stored
    added: tuple[str, ...]
    changed: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def catalog(self) -> Catalog:
        """The catalogue with joins and samples."""
        return self.stored.catalog

    @property
    def values(self) -> ValueIndex:
        """The value index."""
        return self.stored.values


def prepared(catalog: Catalog) -> Catalog:
    """The same catalogue with what checks and look-ups ask of it, made here: not on the event loop, for 5,000 tables 0.1 s."""
    catalog.prepare()
    return catalog


def table_hash(table: Table) -> str:
    """A hash of what introspection says of a table's structure; estimates and samples do not count."""
    shape = [
        table.path,
        table.comment,
        table.kind,
        [(c.name, c.type, c.nullable, c.comment, c.primary_key) for c in table.columns],
        [(k.columns, k.table, k.references) for k in table.foreign_keys],
    ]
    return hashlib.sha256(json.dumps(shape, ensure_ascii=False).encode()).hexdigest()[:16]


async def refresh_catalog(
    connection_id: str,
    *,
    progress: Progress = no_progress,
    policy: Policy | None = None,
    per_column: int = PER_COLUMN,
    contents: bool = True,
    full: bool = False,
    evidence: bool = False,
    describe: Callable[[Catalog], Catalog] | None = None,
    at_most: int | None = None,
    read: Catalog | None = None,
    at_once: int = AT_ONCE,
    home: Path | None = None,
) -> Refreshed:
    """Read the catalogue anew, keep the contents of unchanged tables, and save it.

    `describe` adds comments from elsewhere before tables are compared; `contents=False` reads structure only;
    `full` reads the contents of every table again; `evidence` tests the joins on data before it returns. Of more tables
    than `at_most` the rest is left `unread` for another time, and `at_once` are read at a time; `read` is the structure where it was
    read just now.
    """
    before = await asyncio.to_thread(load_catalog, connection_id, home=home, searchable=False)
    mark = await asyncio.to_thread(file_mark, connection_id)  # before reading: a change meanwhile is read next time
    structure = read or await introspect(connection_id, progress)
    fresh = await asyncio.to_thread(describe, structure) if describe else structure
    changes = await asyncio.to_thread(_compared, fresh, before)
    new, altered = changes.added, changes.altered
    late = before.unread if before and not full else frozenset()
    wanted = list(fresh.tables) if full else [*new, *altered, *_left(fresh, late.difference(_names([*new, *altered])))]
    later = frozenset(_names(wanted[at_most:])) if at_most is not None else frozenset()
    wanted = wanted[:at_most]
    found = Gathered()
    if contents and wanted:
        found = await gather_values(
            connection_id,
            fresh,
            tables=wanted,
            policy=policy,
            per_column=per_column,
            progress=progress,
            at_once=at_once,
        )
    read_now = {t.path for t in wanted}
    # While the contents of thousands of tables come in, their names say of joins what they said the first time.
    joins = before.catalog.joins if before and later and not changes.any else None
    merge = partial(_merged, fresh, before, read_now, found, per_column, joins)
    stored = await asyncio.to_thread(_made_lasting, len(fresh.tables) > LARGE_CATALOG, merge)
    if contents:
        stored = await _with_lookups(connection_id, stored, policy)
        changed = [table for table in stored.catalog.tables if table.path in read_now]
        counts = await count_candidates(connection_id, stored.catalog, changed, policy, at_once)
        stored = await asyncio.to_thread(_with_names, stored, changed, counts)
    stored = replace(stored, unread=later, mark=mark if contents else ())
    await asyncio.to_thread(save_catalog, connection_id, stored, home=home)
    if evidence:
        stored = await gather_evidence(connection_id, stored, policy=policy, progress=progress, home=home)
    return Refreshed(stored, _names(new), _names(altered), tuple(sorted(".".join(path) for path in changes.dropped)))


def _made_lasting(large: bool, make: Callable[[], Stored]) -> Stored:
    with make_lasting(large):
        return make()


class _Changes(NamedTuple):
    """How the structure differs from the one before."""

    added: list[Table]
    altered: list[Table]
    dropped: frozenset[tuple[str, ...]]

    @property
    def any(self) -> bool:
        return bool(self.added or self.altered or self.dropped)


def _compared(fresh: Catalog, before: Stored | None) -> _Changes:
    old = before.catalog.by_path if before and before.catalog.dialect == fresh.dialect else {}
    prepared(fresh)
    return _Changes(
        [t for t in fresh.tables if t.path not in old],
        [t for t in fresh.tables if t.path in old and table_hash(t) != table_hash(old[t.path])],
        frozenset(old.keys() - fresh.by_path.keys()),
    )


def _with_names(stored: Stored, changed: list[Table], counts: Mapping[tuple[str, str], Counted]) -> Stored:
    """The catalogue with the columns by which people call the rows of tables that were read now."""
    named = with_display(replace(stored.catalog, tables=tuple(changed)), counts).by_path
    return replace(stored, catalog=prepared(_replaced(stored.catalog, named)))


async def _with_lookups(connection_id: str, stored: Stored, policy: Policy | None) -> Stored:
    """The catalogue with what its own tables say of codes; few have such tables, so they are read every time."""
    looked_up = await read_lookups(connection_id, stored.catalog, policy)
    if looked_up:
        stored = await asyncio.to_thread(_with_found, stored, looked_up)
    # Filled columns are asked about codes that neither a comment nor a table explains.
    told = await read_state_codes(connection_id, stored.catalog, policy)
    return await asyncio.to_thread(_with_found, stored, told) if told else stored


def _with_found(stored: Stored, found: Mapping[tuple[str, str], Pairs]) -> Stored:
    catalog = prepared(with_meanings(stored.catalog, found))
    return replace(stored, catalog=catalog, values=stored.values.with_meanings(catalog))


async def gather_evidence(
    connection_id: str,
    stored: Stored,
    *,
    policy: Policy | None = None,
    progress: Progress = no_progress,
    budget_s: float = BUDGET_S,
    home: Path | None = None,
) -> Stored:
    """Test the joins of a kept catalogue on data, and keep what comes of it; what was tested before is not tested again.

    Whoever cancels this keeps what was learnt so far, and the next one goes on from there.
    """
    if stored.tested:
        return stored
    found: dict[Ends, Tested] = {}
    work = run_join_tests(
        connection_id,
        stored.catalog,
        known=stored.tests,
        policy=policy,
        progress=progress,
        budget_s=budget_s,
        found=found,
    )
    try:
        await work
    except asyncio.CancelledError:
        # Written here and now: a process that is ending starts no more threads.
        _keep_evidence(connection_id, replace(stored, tests=found), home)
        raise
    return await asyncio.to_thread(_keep_evidence, connection_id, replace(stored, tests=found, tested=True), home)


def with_words(catalog: Catalog, kept: Catalog | None) -> Catalog:
    """A catalogue that was just read with its meanings and display names: those that data told before, else by its words."""
    old = kept.by_path if kept else {}
    tables = []
    for table in with_display(with_meanings(catalog)).tables:
        known = old.get(table.path)
        if known is None or table_hash(known) != table_hash(table):
            tables.append(table)
            continue
        columns = (replace(c, meanings=k.meanings) for c, k in zip(table.columns, known.columns, strict=True))
        tables.append(replace(table, columns=tuple(columns), display=known.display))
    return replace(catalog, tables=tuple(tables))


def _keep_evidence(connection_id: str, stored: Stored, home: Path | None) -> Stored:
    """Save a catalogue with the joins that its tests leave, unless it was read anew meanwhile."""
    kept = replace(stored, catalog=with_joins(stored.catalog, stored.tests))
    now = load_catalog(connection_id, home=home, searchable=False)
    if now is not None and now.refreshed_at <= stored.refreshed_at:
        save_structure(connection_id, kept, home=home)
    return kept


def _merged(
    fresh: Catalog,
    before: Stored | None,
    read: set[tuple[str, ...]],
    found: Gathered,
    per_column: int,
    joins: tuple[Join, ...] | None,
) -> Stored:
    """New structure with new contents where they were read and old contents elsewhere; `joins` where they are known."""
    old = before.catalog.by_path if before else {}
    kept: dict[Place, list[str]] = {}
    tables = []
    for table in fresh.tables:
        if table.path in read:
            tables.append(_sampled(table, found.samples))
        else:
            earlier = old[table.path].columns if table.path in old else ()
            tables.append(_sampled(table, {(table.full_name, c.name): c.samples for c in earlier}))
    unread = {t.full_name for t in fresh.tables if t.path not in read}
    if before:
        kept = {place: given for place, given in before.values.by_place().items() if place[0] in unread}
    values = ValueIndex.of({**kept, **found.values}, per_column=per_column)
    mapped = before.values.mappings if before else {}
    # A test holds as long as both its tables do; new contents are tested anew.
    tests = {ends: t for ends, t in before.tests.items() if not {ends[0], ends[2]} & read} if before else {}
    sampled = replace(fresh, tables=tuple(tables))
    joined = with_joins(sampled, tests) if joins is None else replace(sampled, joins=joins)
    described = with_display(with_meanings(joined))
    # Of tables that were not read again what data told before still holds.
    unchanged = {
        t.path: replace(t, display=old[t.path].display)
        for t in described.tables
        if t.path in old and t.path not in read
    }
    catalog = prepared(_replaced(described, unchanged))
    tested = before is not None and before.tested and not read and set(old) <= set(fresh.by_path)
    return Stored(catalog, values.with_mappings(mapped).with_meanings(catalog), read_time(), tests, tested)


def _replaced(catalog: Catalog, tables: Mapping[tuple[str, ...], Table]) -> Catalog:
    return replace(catalog, tables=tuple(tables.get(table.path, table) for table in catalog.tables))


def _left(fresh: Catalog, unread: frozenset[str]) -> list[Table]:
    """Tables that were left unread the last time."""
    return [table for table in fresh.tables if table.full_name in unread]


def _sampled(table: Table, samples: dict[Place, tuple[str, ...]]) -> Table:
    columns = tuple(replace(c, samples=samples.get((table.full_name, c.name), ())) for c in table.columns)
    return replace(table, columns=columns)


def _names(tables: list[Table]) -> tuple[str, ...]:
    return tuple(table.full_name for table in tables)
