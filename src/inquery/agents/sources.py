"""The databases a run can ask: connection, catalogue, values and glossary, opened once a process."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from inquery.agents.questions.connection_glossary import glossary_for, version_of
from inquery.aside import LARGE_CATALOG
from inquery.catalog.refresh import gather_evidence, prepared, refresh_catalog
from inquery.catalog.search import Ranking, link_tables, rank_tables
from inquery.catalog.stored import LONG_AGO, Stored, forget_unused, load_catalog
from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.catalog.visible import visible_values, without_filtered_samples
from inquery.databases.executor.execute import file_mark, introspect
from inquery.databases.transport.address import parse_address
from inquery.errors import DatabaseUnavailable, InqueryError, MissingFile, NotFound, Text
from inquery.knowledge.data_dictionary import description_of
from inquery.knowledge.embedders import Embedder
from inquery.knowledge.glossary import Glossary
from inquery.knowledge.glossary_files import describe_catalog
from inquery.knowledge.narrowing import hides_names, seen_glossary
from inquery.knowledge.table_search import near_tables
from inquery.language.lexicon import lexicon
from inquery.lasting import make_lasting
from inquery.llm.writer import Measure, SchemaView
from inquery.settings import Settings
from inquery.sql import Catalog, Policy
from inquery.store import (
    Connection,
    ConnectionOptions,
    attach_connection,
    choose_connection,
    find_connection,
    give_connection,
    release_connections,
)
from inquery.store.connections import RESERVED
from inquery.store.given import GIVEN

LOG = logging.getLogger("inquery.agents")
DATA_FILES = "files"
FRESH_S = 600.0
"""A catalogue read within this time is taken from disk; an older one is compared with the database first."""
MANY_TABLES, FIRST_TABLES, NEXT_TABLES = 400, 0, 1500
"""Of more than so many tables only the names are read at once, what they hold while questions are answered, some at a time.

5,000 took 4 minutes; to read what sixty of them hold, which a question seldom means, took a third of the rest."""
UNREACHED_S = 15.0
"""How long a database that did not answer is not asked for its catalogue again."""
WHOLE = 30
"""Schemas of so many tables are shown whole; of larger ones the best linked."""
BY_MEANING = 6
"""Of those, so many are taken that meaning alone finds. Among 703 tables, all that a question needs were linked for 85% of questions
in synonyms (80% by words alone), 90.5% in the schema's own words (89.5%) and 90% in Chinese (90%)."""


@dataclass(frozen=True, slots=True)
class Source:
    """One database as a run sees it; what its cells hold it tells under a policy only."""

    connection: Connection
    catalog: Catalog
    _values: ValueIndex
    glossary: Glossary = field(default_factory=Glossary)
    glossary_version: str = ""
    mark: tuple[int, ...] = ()
    """What its file was like when it was read."""
    down: DatabaseUnavailable | None = None
    """Why the database did not answer; the catalogue is then the last that was read."""

    @property
    def id(self) -> str:
        """What `execute` calls it."""
        return self.connection.id

    @property
    def dialect(self) -> str:
        """The dialect of its statements."""
        return self.catalog.dialect

    def seen(self, policy: Policy) -> Catalog:
        """The catalogue as far as a user may see it."""
        return without_filtered_samples(self.catalog, policy)

    def values_for(self, policy: Policy) -> ValueIndex:
        """The stored values a user may see."""
        return visible_values(self._values, self.catalog, policy)

    def ranking(self, question: str, policy: Policy, matches: Sequence[ValueMatch] | None = None) -> Ranking:
        """Tables, columns and values for a question, within a user's view."""
        values = self.values_for(policy) if matches is None else matches
        return rank_tables(question, self.seen(policy), values)

    def view(self, names: Sequence[str], relevance: Sequence[tuple[str, str]], policy: Policy) -> SchemaView:
        """Whole tables by their names, as a writer is shown them."""
        seen = self.seen(policy)
        tables = tuple(seen.by_name[name] for name in names if name in seen.by_name)
        paths = {table.path for table in tables}
        joins = tuple(join for join in seen.joins_of(paths) if join.left in paths and join.right in paths)
        return SchemaView(tables, joins, tuple((table, column) for table, column in relevance))

    def narrowed(self, policy: Policy) -> Source:
        """The same database without what its glossary says of hidden tables and columns."""
        if not hides_names(policy):
            return self
        return dataclasses.replace(self, glossary=seen_glossary(self.glossary, self.seen(policy)))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The metrics of the glossary, as a writer is given them."""
        metrics = self.glossary.metrics.items()
        return tuple(Measure(name, m.expression, m.filter, m.tables) for name, m in metrics if m.tables and m.writer)

    def phrases(self, question: str) -> tuple[tuple[str, str], ...]:
        """Words of the question that the glossary knows as a table or a metric, in the order of the question."""
        metrics = self.glossary.metrics
        named = [
            (word, name)
            for word, kind, name in self.glossary.named(question)
            if kind == "table" or (kind == "metric" and metrics[name].writer)
        ]
        folded = question.casefold()
        return tuple(sorted(dict.fromkeys(named), key=lambda pair: folded.find(pair[0])))

    async def linked(self, question: str, policy: Policy, ranking: Ranking, embedder: Embedder | None) -> list[str]:
        """The names of the tables a writer needs for a question: by words, and some by meaning alone."""
        seen = self.seen(policy)
        if len(seen.tables) <= WHOLE:
            return [table.full_name for table in seen.tables]
        worded = [table.full_name for table in link_tables(question, seen, ranking=ranking, limit=WHOLE)]
        near = await near_tables(question, seen, embedder, WHOLE) if embedder else []
        return list(dict.fromkeys([*worded[: WHOLE - BY_MEANING], *near, *worded]))[:WHOLE]

    def shows_all(self, policy: Policy) -> bool:
        """Whether no table is hidden: to others not even their number is told. Filters hide views too."""
        return policy.tables is None and len(self.seen(policy).tables) == len(self.catalog.tables)

    def privacy(self, settings: Settings) -> str:
        """What a remote model may see of it."""
        return self.connection.options.privacy or settings.privacy


class Sources:
    """Opens databases by name, id or address, and keeps them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._open: dict[str, tuple[float, Source]] = {}
        self._given: dict[str, Connection] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._testing: dict[str, asyncio.Task[None]] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[str, tuple[int, int]] = {}

    def add(self, url: str, options: ConnectionOptions | None = None) -> str:
        """Make an address usable without registering it; returns the id that `open` takes."""
        made = give_connection(parse_address(url), options)
        self._given[made.id] = made
        return made.id

    async def take(self, text: str) -> str:
        """The id of what a person at this machine names: a registered database, else an address or a path."""
        found = await asyncio.to_thread(find_connection, text, settings=self.settings)
        if found.id.startswith(GIVEN):
            self._given[found.id] = found
        return found.id

    async def connection(self, name: str | None) -> Connection:
        """The connection a request means; raises NotFound."""
        if name in self._given:
            return self._given[name]
        if name is not None and name.startswith(GIVEN):
            raise NotFound(name, what=Text("connection", "连接"), name=name)
        return await asyncio.to_thread(choose_connection, name, settings=self.settings)

    async def open(self, name: str | None = None, *, anew: bool = False) -> Source:
        """The database with its catalogue; read anew where that is asked for or the kept one is old."""
        known = self._open.get(name) if name else None  # the default changes when a database is registered
        if known and not anew and time.monotonic() - known[0] < FRESH_S and await _holds(known[1]):
            return known[1]
        connection = await self.connection(name)
        lock = self._locks.setdefault(connection.id, asyncio.Lock())
        async with lock:
            known = self._open.get(connection.id)
            old = known is None or time.monotonic() - known[0] >= FRESH_S or known[1].connection != connection
            if known is None or anew or old or not await _holds(known[1]):
                read = await self._read(connection, anew)
                known = (time.monotonic() - (FRESH_S - UNREACHED_S if read.down else 0), read)
            for key in {connection.id, name or connection.id}:
                self._open[key] = known
            return known[1]

    async def _read(self, connection: Connection, anew: bool) -> Source:
        stored, down = await self._catalogue(connection, anew)
        if stored.unread and down is None:
            self._read_beside(connection, len(stored.catalog.tables), len(stored.unread))
        elif down is None:
            stored = await self._tested(connection.id, stored)
        await asyncio.to_thread(lexicon)  # read here once, so that no node reads a file on the loop
        return await asyncio.to_thread(self._source, connection, stored, down)

    async def _tested(self, connection_id: str, stored: Stored) -> Stored:
        """The catalogue with its joins tested on data, now or beside, as the settings say."""
        tests = "off" if stored.tested else self.settings.knowledge.join_tests
        if tests == "wait":
            return await gather_evidence(connection_id, stored, home=self.settings.home)
        if tests == "background":
            self._test_beside(connection_id, stored)
        return stored

    def _source(self, connection: Connection, stored: Stored, down: DatabaseUnavailable | None = None) -> Source:
        """What was read as a run sees it, with what people said of it."""
        glossary = glossary_for(connection, self.settings)
        with make_lasting(len(stored.catalog.tables) > LARGE_CATALOG):
            values = stored.values.with_mappings(stored.values.mappings | glossary.value_mappings())
            described = prepared(describe_catalog(stored.catalog, glossary))
        return Source(connection, described, values, glossary, version_of(glossary), stored.mark, down)

    async def _catalogue(self, connection: Connection, anew: bool) -> tuple[Stored, DatabaseUnavailable | None]:
        """The catalogue of now; of a database that is down the last one, however old, and why it is down.

        Statements can be written and checked by what was last known; only running them has to wait.
        """
        home = self.settings.home
        try:
            await asyncio.to_thread(attach_connection, connection, self.settings, holder=self)
            stored = None if anew else await asyncio.to_thread(_kept, connection, home)
            if stored is None:
                structure = await introspect(connection.id)
                stored = (
                    await refresh_catalog(
                        connection.id,
                        describe=await asyncio.to_thread(description_of, connection.id, self.settings),
                        home=home,
                        per_column=self.settings.knowledge.values_per_column,
                        at_most=None if len(structure.tables) <= MANY_TABLES else FIRST_TABLES,
                        read=structure,
                        # Tables of a data file keep their shape while their contents change.
                        full=connection.engine == DATA_FILES,
                    )
                ).stored
        except DatabaseUnavailable as error:
            # A wrong password or a host that is not allowed is not a database that comes back by itself.
            away = error.retryable or isinstance(error, MissingFile)
            last = await asyncio.to_thread(load_catalog, connection.id, home=home) if away and not anew else None
            if last is None:
                raise
            return last, error
        return stored, None

    def _test_beside(self, connection_id: str, stored: Stored) -> None:
        """Test the joins on data while questions are answered by what names say; the next question has the result."""

        async def test() -> None:
            with suppress(InqueryError):  # without the tests joins are what their names say
                tested = await gather_evidence(connection_id, stored, home=self.settings.home)
                if tested.catalog.version != stored.catalog.version:
                    async with self._locks[connection_id]:  # whoever opens it now keeps it before it is forgotten
                        self.forget(connection_id)

        running = self._testing.get(connection_id)
        if running is None or running.done():
            self._testing[connection_id] = asyncio.create_task(test())

    def _read_beside(self, connection: Connection, tables: int, unread: int) -> None:
        """Read the contents of the tables that are left, some at a time, each time for the next question to have."""
        connection_id = connection.id
        running = self._reading.get(connection_id)
        if running is not None and not running.done():
            return
        self._progress[connection_id] = (tables - unread, tables)

        async def read() -> None:
            try:
                structure = await introspect(connection_id)
                describe = await asyncio.to_thread(description_of, connection_id, self.settings)
                while True:
                    found = await refresh_catalog(
                        connection_id,
                        describe=describe,
                        home=self.settings.home,
                        per_column=self.settings.knowledge.values_per_column,
                        at_most=NEXT_TABLES,
                        read=structure,
                        at_once=1,  # questions come first
                    )
                    left = len(found.stored.unread)
                    self._progress[connection_id] = (tables - left, tables)
                    stored = found.stored if left else await self._tested(connection_id, found.stored)
                    async with self._locks[connection_id]:  # whoever opens it now keeps it before it is replaced
                        self._keep(await asyncio.to_thread(self._source, connection, stored))
                    if not left:
                        return
            except InqueryError as error:  # what was read is kept, and the next who opens it goes on
                LOG.warning("reading %s was cut short: %s", connection_id, error.code)
            finally:
                self._progress.pop(connection_id, None)

        self._reading[connection_id] = asyncio.create_task(read(), name=f"reading {connection_id}")

    def progress_of(self, connection_id: str) -> tuple[int, int] | None:
        """How many tables were read of how many, while that goes on."""
        return self._progress.get(connection_id)

    async def finish_tests(self) -> None:
        """Wait for the reading of tables and the tests of joins that are under way."""
        await asyncio.gather(*self._reading.values(), *self._testing.values(), return_exceptions=True)

    async def choose(
        self, question: str, names: Sequence[str], rules: Callable[[str], Policy]
    ) -> tuple[Source, Mapping[str, str]]:
        """The database that fits a question best of those the user may ask, with the reason in both languages."""
        ranked = []
        for name in names:
            with suppress(NotFound):  # what the user may not ask is not opened
                policy = rules((await self.connection(name)).id)
                source = await self.open(name)
                ranked.append((source.ranking(question, policy), source))
        if not ranked:
            raise NotFound("connection", what=Text("connection", "连接"), name="…")
        best = max(ranked, key=lambda pair: pair[0].tables[0][1] if pair[0].tables else 0.0)
        named = ", ".join(name for name, _ in best[0].tables[:3])
        shown = best[1].connection.name
        reason = {
            "en": f"{shown} was chosen because its tables fit best: {named}",
            "zh": f"选择 {shown}，因为它的表最匹配：{named}",
        }
        return best[1], reason

    async def names(self) -> list[str]:
        """Every registered database; without any, the one that ships."""
        return [connection.name for connection in await self._registered()] or [RESERVED]

    async def all_public(self) -> bool:
        """Whether the privacy of every database, registered or given by its address, is `full`."""
        known = [*await self._registered(), *self._given.values()]
        return {self.settings.privacy, *(each.options.privacy or self.settings.privacy for each in known)} == {"full"}

    async def _registered(self) -> list[Connection]:
        from inquery.store import Connections, open_store

        return await asyncio.to_thread(lambda: Connections(open_store(self.settings)).list())

    def close(self) -> None:
        """Let go of the databases: tests stop, sessions and processes that nobody else uses end."""
        for task in (*self._reading.values(), *self._testing.values()):
            task.cancel()
        release_connections(self)
        if self._given:
            forget_unused(GIVEN, home=self.settings.home)

    def _keep(self, source: Source) -> None:
        """Take what was read beside for what is kept; to have the next question read it from disk took seconds."""
        now = time.monotonic()
        for key, (_, kept) in self._open.items():
            if kept.id == source.id and kept.connection == source.connection:
                self._open[key] = (now, source)

    def forget(self, connection_id: str) -> None:
        """Drop what is kept of a database, so that it is read anew."""
        self._open = {key: kept for key, kept in self._open.items() if kept[1].id != connection_id}


def _kept(connection: Connection, home: Path) -> Stored | None:
    """The catalogue on disk, where it still holds: its file is as it was, or it was read a short while ago."""
    mark = file_mark(connection.id)
    recent = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=FRESH_S)
    stored = load_catalog(connection.id, home=home, since=LONG_AGO + datetime.timedelta(days=1))
    if stored is None or (mark and stored.mark == mark):
        return stored
    # A file of data is read anew as soon as it changes: a new column or name would be missed for ten minutes.
    return stored if connection.engine != DATA_FILES and stored.refreshed_at >= recent else None


async def _holds(source: Source) -> bool:
    """Whether a data file is still what was read; databases may change under their catalogue for a while."""
    if source.connection.engine != DATA_FILES:
        return True
    return await asyncio.to_thread(file_mark, source.id) == source.mark


def restricted(policy: Policy, tables: Sequence[str]) -> Policy:
    """The policy narrowed to some tables; it never widens."""
    if not tables:
        return policy
    wanted = frozenset(tables)
    return dataclasses.replace(policy, tables=wanted if policy.tables is None else policy.tables & wanted)
