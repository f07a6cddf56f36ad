"""A server that encodes questions sees none about a database that stays local."""

import datetime

import pytest
from pydantic import SecretStr

from inquery.agents.context import Context, Services
from inquery.agents.sources import Source, Sources
from inquery.catalog.values import ValueIndex
from inquery.settings import KnowledgeSettings, Settings
from inquery.sql import Catalog
from inquery.store import Connection, ConnectionOptions


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
    now = datetime.datetime.now(datetime.UTC)
    connection = Connection("c", "c", "sqlite", "sqlite:///x", SecretStr("sqlite:///x"), options, now)
    source = Source(connection, Catalog.of({"t": ["a"]}, dialect="sqlite"), ValueIndex.of({}))
    assert Context(Services(settings, Sources(settings)), source=source).may_encode() is may
