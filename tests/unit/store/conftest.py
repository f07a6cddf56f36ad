"""Stores on both engines they may live on."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from pydantic import SecretStr
from tests.servers import Server

from inquery.settings import Settings, StoreSettings
from inquery.store import Store, open_store


def fresh_database(server: Server) -> str:
    """The address of a new, empty database on a private PostgreSQL."""
    import psycopg

    name = f"own_{uuid.uuid4().hex}"
    who = f"{server.admin}:{quote(server.password, safe='')}@127.0.0.1:{server.port}"
    with psycopg.connect(f"postgresql://{who}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql://{who}/{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = "" if request.param == "sqlite" else fresh_database(request.getfixturevalue("postgres"))
    opened = open_store(Settings(home=tmp_path, store=StoreSettings(url=SecretStr(url))))
    yield opened
    opened.close()
