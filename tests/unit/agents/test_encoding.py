"""Who encodes questions: the packaged encoder by default, and no server where a database stays local."""

import datetime
import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from inquery.agents.context import Context, Services
from inquery.agents.opening import open_services
from inquery.agents.sources import WHOLE, Source, Sources
from inquery.catalog.search import rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.knowledge.embedders import CachedEmbedder
from inquery.llm.embedded.encoder import NAME, QuestionEncoder
from inquery.llm.embedded.weights import PACKAGED
from inquery.settings import KnowledgeSettings, Settings
from inquery.sql import Catalog, Policy
from inquery.store import Connection, ConnectionOptions


def _connection(options: ConnectionOptions) -> Connection:
    now = datetime.datetime.now(datetime.UTC)
    return Connection("c", "c", "sqlite", "sqlite:///x", SecretStr("sqlite:///x"), options, now)


@pytest.mark.parametrize(
    ("embedder", "privacy", "may"),
    [
        ("openai", "local_only", False),
        ("openai", "schema_only", True),
        ("openai", "full", True),
        ("embedded", "local_only", True),
    ],
)
def test_a_local_database_is_not_encoded_elsewhere(embedder: str, privacy: str, may: bool) -> None:
    settings = Settings(knowledge=KnowledgeSettings(embedder=embedder, embedding_model="m"))
    options = ConnectionOptions(privacy=privacy)
    source = Source(_connection(options), Catalog.of({"t": ["a"]}, dialect="sqlite"), ValueIndex.of({}))
    assert Context(Services(settings, Sources(settings)), source=source).may_encode() is may


async def test_the_packaged_encoder_serves_caches_samples_and_memory(own_home: Path) -> None:
    async with open_services(Settings(home=own_home)) as services:
        assert services.semantic is not None
        assert services.samples is not None
        names = {services.semantic.embedder.name, services.samples.embedder.name, services.memory.embedder.name}
        assert len(names) == 1
        assert names.pop().startswith("inquery-encoder-")
        stated = json.loads((PACKAGED / NAME / "config.json").read_text("utf-8"))
        assert (services.semantic.threshold, stated["false_hits"]) == (stated["threshold"], 0.01)


async def test_settings_may_choose_hashed_words_instead(own_home: Path) -> None:
    async with open_services(Settings(home=own_home, knowledge=KnowledgeSettings(embedder="hashed"))) as services:
        assert services.semantic is not None
        assert services.semantic.embedder.name == "hashed-1"


async def test_a_large_schema_is_searched_by_meaning_too(own_home: Path) -> None:
    others = {f"x{n}": ["wages", *(f"{letter}{n}" for letter in "abcdefghij")] for n in range(60)}
    catalog = Catalog.of(others | {"engineers": ["name"]}, dialect="sqlite")
    source = Source(_connection(ConnectionOptions()), catalog, ValueIndex.of({}))
    asked = "wages of the enginears"
    found = await source.linked(asked, Policy(), rank_tables(asked, catalog), CachedEmbedder(QuestionEncoder()))
    assert len(found) == len(set(found)) == WHOLE
    assert "engineers" in found
    assert "engineers" not in await source.linked(asked, Policy(), rank_tables(asked, catalog), None)
