"""What one run is given besides its state: settings, sources, models, stores; never checkpointed."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from inquery.agents.bilingual import Language
from inquery.agents.events import Event
from inquery.agents.outcomes.local import LocalMemory, LocalResults
from inquery.agents.sources import Source, Sources, restricted
from inquery.agents.truth.claims import Claims, Wanted
from inquery.answers.answer import AnswerColumn, ChartSpec, Step
from inquery.aside import LARGE_CATALOG, LONG_QUESTION
from inquery.cache.answer_key import CacheKey
from inquery.cache.exact import ExactCache
from inquery.cache.semantic import SemanticCache
from inquery.catalog.value_index import ValueMatch
from inquery.errors import ModelMissing
from inquery.knowledge.embedders import Embedder
from inquery.knowledge.samples import Samples
from inquery.llm.chat import ChatModel
from inquery.llm.model_choice import choose_model
from inquery.llm.privacy import check_provider
from inquery.llm.providers import refuse_keyless, withhold_key
from inquery.llm.usage import UsageMeter
from inquery.llm.writer import SqlWriter
from inquery.llm.writers import IN_PROCESS, chat_model_for, load_client, writer_for
from inquery.settings import LLMSettings, Settings, get_settings
from inquery.sql import Catalog, Policy
from inquery.sql.statement import Statement, read_statement
from inquery.store.thread_rows import Threads

Access = Callable[[str], Policy]
"""What a user may read of the database with an id; raises NotFound where that is nothing."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored result: its columns, its rows and the statement that made them."""

    columns: tuple[AnswerColumn, ...]
    rows: list[list[Any]]
    sql: str
    truncated: str | None = None
    connection_id: str = ""


class Results(Protocol):
    """Where rows live; they never travel in state."""

    async def save(self, owner: str, thread_id: str, kept: Kept) -> str:
        """Keep a result and return its id."""

    async def name_columns(self, result_id: str, owner: str, columns: Sequence[AnswerColumn]) -> None:
        """Keep what the owner calls the columns."""

    async def load(self, result_id: str, owner: str) -> Kept | None:
        """The result, unless it expired or is another owner's."""


class Memory(Protocol):
    """What is remembered of a user across threads."""

    async def recall(self, user: str, kind: str, key: str, *, tenant: str = "local") -> dict[str, Any] | None:
        """What was remembered, if anything."""

    async def learn(self, user: str, kind: str, key: str, value: dict[str, Any], *, tenant: str = "local") -> None:
        """Remember something."""

    async def forget_user(self, user: str, *, tenant: str = "local") -> int:
        """Forget everything about a user; returns how much there was."""


class Profiles(Protocol):
    """Custom analysts."""

    async def get(self, agent_id: str) -> Profile:
        """The current version of a profile; raises NotFound."""


class Charts(Protocol):
    """A chart server that draws pictures."""

    @property
    def keeps_data(self) -> bool:
        """Whether what is drawn stays on this machine."""

    async def draw(self, spec: ChartSpec) -> str:
        """The address of a picture, empty where there is none."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A custom analyst: how it writes and what it may read; it never changes the guard."""

    id: str
    name: str
    prompt: str = ""
    version: int = 1
    connections: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    chart: str = ""
    analysis: str = ""
    language: Literal[""] | Language = ""
    llm: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Services:
    """What all runs of a process share."""

    settings: Settings
    sources: Sources
    results: Results = field(default_factory=LocalResults)
    memory: Memory = field(default_factory=LocalMemory)
    exact: ExactCache | None = None
    semantic: SemanticCache | None = None
    samples: Samples | None = None
    profiles: Profiles | None = None
    threads: Threads | None = None
    charts: Charts | None = None
    _rechecked: dict[str, str] = field(default_factory=dict)

    async def samples_for(self, source: Source) -> Samples | None:
        """The samples, those of this source checked against its schema first; those that ship with it are put in."""
        if self.samples is not None and self._rechecked.get(source.id) != source.catalog.version:
            await self.samples.add_shipped(source.id)
            await self.samples.recheck(source.id, source.catalog)
            self._rechecked[source.id] = source.catalog.version
        return self.samples

    @classmethod
    def of(cls, settings: Settings | None = None) -> Services:
        """The services of some settings, all in this process."""
        settings = settings or get_settings()
        return cls(settings, Sources(settings))


@dataclass(slots=True)
class Context:
    """One run: who asks, with which rights and model, and what it may spend."""

    services: Services
    user: str = "local"
    tenant: str = "local"
    policy: Policy = field(default_factory=Policy)
    access: Access | None = None
    can_ask: bool = True
    clarify: bool = True
    refresh: bool = False
    today: datetime.date | None = None
    writer: SqlWriter | None = None
    chat: ChatModel | None = None
    meter: UsageMeter = field(default_factory=UsageMeter)
    profile: Profile | None = None
    source: Source | None = None
    steps: list[Step] = field(default_factory=list)
    kept: dict[str, Kept] = field(default_factory=dict)
    keys: dict[str, CacheKey] = field(default_factory=dict)
    claims: list[tuple[CacheKey, str]] = field(default_factory=list)
    wanted: Wanted = field(default_factory=Wanted)
    question_claims: dict[tuple[str, Wanted], Claims] = field(default_factory=dict)
    _matched: dict[str, list[ValueMatch]] = field(default_factory=dict)
    _read: dict[str, tuple[Catalog, Statement | None]] = field(default_factory=dict)
    run_id: str = ""
    llm: LLMSettings | None = None
    model_named: str = ""
    count_rows: bool = False
    _chosen: LLMSettings | None = None
    send: Callable[[Event], None] | None = None

    @property
    def settings(self) -> Settings:
        """The settings of this run."""
        return self.services.settings

    @property
    def model(self) -> LLMSettings:
        """The model's settings: this run's own, else the profile's over the database's or the process's."""
        if self.llm is not None:
            return self.llm
        if self._chosen is not None and (self.model_named or not (self.profile and self.profile.llm)):
            return self._chosen
        stored = self.settings.llm
        return withhold_key(stored, stored.model_copy(update=self.profile.llm)) if self.profile else stored

    @property
    def here(self) -> Source:
        """The database of this run, once it is prepared."""
        assert self.source is not None, "the run is not prepared"
        return self.source

    @property
    def rules(self) -> Policy:
        """The user's policy, narrowed by the profile."""
        return restricted(self.policy, self.profile.tables) if self.profile else self.policy

    async def release(self) -> None:
        """Give back what this run claimed to answer, so that others who wait for it go on."""
        while self.claims and self.services.exact is not None:
            await self.services.exact.release(*self.claims.pop())

    def rules_on(self, connection_id: str) -> Policy:
        """The rules there would be on a database; raises NotFound where the user may not ask it."""
        policy = self.policy if self.access is None else self.access(connection_id)
        return restricted(policy, self.profile.tables) if self.profile else policy

    def may_encode(self) -> bool:
        """Whether the question may be given to the encoder: one on a server sees nothing of a `local_only` database."""
        remote = self.settings.knowledge.embedder == "openai"
        return not remote or self.here.privacy(self.settings) != "local_only"

    def encoder(self) -> Embedder | None:
        """The encoder of questions, where one is open and the connection's privacy lets it see them."""
        # Whether answers are cached has nothing to do with how questions are read.
        holder = self.services.semantic or self.services.samples
        return holder.embedder if holder is not None and self.may_encode() else None

    def day(self) -> datetime.date:
        """Today, where the data is."""
        return self.today or self.settings.day(self.here.connection.options.timezone)

    async def prepare(self, connection_id: str, agent_id: str) -> None:
        """Load what the state names: a resumed run begins in the middle, in a process that has nothing yet."""
        if agent_id and self.profile is None and self.services.profiles is not None:
            self.profile = await self.services.profiles.get(agent_id)
        if self.access is not None:
            connection_id = (await self.services.sources.connection(connection_id or None)).id
            self.access(connection_id)  # what may not be asked is not opened
        self.take(await self.services.sources.open(connection_id or None))
        await self.settle_model()

    async def settle_model(self) -> None:
        """Look up the model that the question names, else the one its database has; raises NotFound."""
        name = self.model_named or self.here.connection.options.model
        if name and self.llm is None:
            self._chosen = await asyncio.to_thread(choose_model, name, self.settings)
            self.meter.take_prices(self._chosen)

    def take(self, source: Source) -> None:
        """Read a database as far as the user may: under their policy, and with what they may see of its glossary."""
        if self.access is not None:
            self.policy = self.access(source.id)
        self.source = source.narrowed(self.policy)

    def is_long(self, question: str) -> bool:
        """Whether to read a question aside: long itself, or held against very many tables."""
        return len(question) > LONG_QUESTION or len(self.here.catalog.tables) > LARGE_CATALOG

    def matches(self, text: str) -> list[ValueMatch]:
        """The stored values a text names, found once a run."""
        if text not in self._matched:
            self._matched[text] = self.here.values_for(self.rules).match(text)
        return self._matched[text]

    def stored(self, table: str, column: str) -> list[str]:
        """The values of a column, as far as the user may see them and they were read."""
        return self.here.values_for(self.rules).by_place().get((table, column), [])

    def statement_of(self, sql: str) -> Statement | None:
        """A statement as far as the user may see its tables, read once a run; None where it cannot be read.

        It stays here and never enters the state, which is plain data.
        """
        seen = self.here.seen(self.rules)
        known = self._read.get(sql)
        if known is None or known[0] is not seen:  # another database was taken, or its catalogue was read anew
            known = self._read[sql] = (seen, read_statement(sql, seen, whole=self.here.catalog))
        return known[1]

    async def sql_writer(self) -> SqlWriter:
        """The writer of this run; loading the embedded one takes a moment, so it is done aside."""
        if self.writer is None:
            self._refuse_keyless()
            privacy, prompts = self.here.privacy(self.settings), self.settings.prompts_folder
            if self.model.provider in IN_PROCESS:
                self.writer = await asyncio.to_thread(writer_for, self.model, privacy=privacy, prompts=prompts)
            else:  # in the loop that its connections belong to
                await load_client(self.model)
                self.writer = writer_for(self.model, privacy=privacy, prompts=prompts, home=self.settings.home)
        return self.writer

    def _refuse_keyless(self) -> None:
        if self.llm is None and self._chosen is None:
            refuse_keyless(self.settings.llm, self.model)

    def chat_model(self) -> ChatModel | None:
        """A chat model, where one is set up and the connection's privacy lets it see questions."""
        if self.chat is None:
            try:
                self._refuse_keyless()
                check_provider(self.model, self.here.privacy(self.settings))
            except ModelMissing:  # the connection's privacy forbids it, so the rules have to do
                return None
            self.chat = chat_model_for(self.model, home=self.settings.home)
        return self.chat
