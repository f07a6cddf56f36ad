"""The databases a run can ask: connection, catalogue, values and glossary, opened once a process."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import SecretStr

from inquery.agents.questions.connection_glossary import glossary_for, version_of
from inquery.catalog.refresh import gather_evidence, refresh_catalog
from inquery.catalog.search import Ranking, link_tables, rank_tables
from inquery.catalog.stored import Stored, load_catalog
from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.catalog.visible import visible_values, without_filtered_samples
from inquery.databases.transport.address import parse_address
from inquery.errors import InqueryError, NotFound, Text
from inquery.knowledge.embedders import Embedder
from inquery.knowledge.glossary import Glossary
from inquery.knowledge.glossary_files import describe_catalog
from inquery.knowledge.narrowing import hides_names, seen_glossary
from inquery.knowledge.table_search import near_tables
from inquery.language.lexicon import lexicon
from inquery.llm.writer import Measure, SchemaView
from inquery.settings import Settings
from inquery.sql import Catalog, Policy
from inquery.store import (
    Connection,
    ConnectionOptions,
    attach_connection,
    choose_connection,
    release_connections,
    shipped_with,
)
from inquery.store.connections import RESERVED, absolute_address

FRESH_S = 600.0
"""A catalogue read within this time is taken from disk; an older one is compared with the database first."""
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
        return tuple(Measure(name, m.expression, m.filter, m.tables) for name, m in metrics if m.tables)

    def phrases(self, question: str) -> tuple[tuple[str, str], ...]:
        """Words of the question that the glossary knows as a table or a metric, in the order of the question."""
        named = [(word, name) for word, kind, name in self.glossary.named(question) if kind in {"table", "metric"}]
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

    def add(self, url: str, options: ConnectionOptions | None = None) -> str:
        """Make an address usable without registering it; returns the id that `open` takes."""
        address = absolute_address(parse_address(url))
        made_id = "url-" + hashlib.sha256(address.url.encode()).hexdigest()[:16]
        self._given[made_id] = Connection(
            made_id,
            made_id,
            address.scheme,
            address.redacted,
            SecretStr(address.url),
            options or ConnectionOptions(),
            datetime.datetime.now(datetime.UTC),
        )
        return made_id

    async def connection(self, name: str | None) -> Connection:
        """The connection a request means; raises NotFound."""
        if name in self._given:
            return self._given[name]
        if name is not None and name.startswith("url-"):
            raise NotFound(name, what=Text("connection", "连接"), name=name)
        return await asyncio.to_thread(choose_connection, name, settings=self.settings)

    async def open(self, name: str | None = None, *, anew: bool = False) -> Source:
        """The database with its catalogue; read anew where that is asked for or the kept one is old."""
        known = self._open.get(name) if name else None  # the default changes when a database is registered
        if known and not anew and time.monotonic() - known[0] < FRESH_S:
            return known[1]
        connection = await self.connection(name)
        lock = self._locks.setdefault(connection.id, asyncio.Lock())
        async with lock:
            known = self._open.get(connection.id)
            if known is None or anew or time.monotonic() - known[0] >= FRESH_S or known[1].connection != connection:
                known = (time.monotonic(), await self._read(connection, anew))
            for key in {connection.id, name or connection.id}:
                self._open[key] = known
            return known[1]

    async def _read(self, connection: Connection, anew: bool) -> Source:
        await asyncio.to_thread(attach_connection, connection, self.settings, holder=self)
        shipped = shipped_with(connection.id)
        home = self.settings.home
        since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=FRESH_S)
        stored = None if anew else await asyncio.to_thread(load_catalog, connection.id, home=home, since=since)
        if stored is None:
            per_column = self.settings.knowledge.values_per_column
            stored = (
                await refresh_catalog(
                    connection.id, describe=shipped.describe if shipped else None, home=home, per_column=per_column
                )
            ).stored
        if not stored.tested and self.settings.knowledge.join_tests == "wait":
            stored = await gather_evidence(connection.id, stored, home=home)
        elif not stored.tested and self.settings.knowledge.join_tests == "background":
            self._test_beside(connection.id, stored)
        glossary = await asyncio.to_thread(glossary_for, connection, self.settings)
        await asyncio.to_thread(lexicon)  # read here once, so that no node reads a file on the loop
        values = stored.values.with_mappings(stored.values.mappings | glossary.value_mappings())
        return Source(connection, describe_catalog(stored.catalog, glossary), values, glossary, version_of(glossary))

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

    async def finish_tests(self) -> None:
        """Wait for the tests of joins that are under way."""
        await asyncio.gather(*self._testing.values(), return_exceptions=True)

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
        for task in self._testing.values():
            task.cancel()
        release_connections(self)

    def forget(self, connection_id: str) -> None:
        """Drop what is kept of a database, so that it is read anew."""
        self._open = {key: kept for key, kept in self._open.items() if kept[1].id != connection_id}


def restricted(policy: Policy, tables: Sequence[str]) -> Policy:
    """The policy narrowed to some tables; it never widens."""
    if not tables:
        return policy
    wanted = frozenset(tables)
    return dataclasses.replace(policy, tables=wanted if policy.tables is None else policy.tables & wanted)
