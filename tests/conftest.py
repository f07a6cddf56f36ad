"""Fixtures every kind of test shares: private servers, a settings home of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.servers import NoServer, Server
from tests.servers_mariadb import mariadb_server
from tests.servers_postgres import postgres_server
from tests.servers_redis import RedisServer, redis_server

from inquery.settings import get_settings


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Tests never read or write the user's own INQUERY_HOME."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("INQUERY_HOME", str(home))
    get_settings.cache_clear()
    yield home
    get_settings.cache_clear()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A private PostgreSQL with an administrator and a role that may only read."""
    try:
        with postgres_server() as server:
            yield server
    except NoServer as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    """A private MariaDB with an administrator and an account that may only read."""
    try:
        with mariadb_server() as server:
            yield server
    except NoServer as missing:
        pytest.skip(str(missing))


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A private Redis, one a test, since tests stop it."""
    try:
        with redis_server() as server:
            yield server
    except NoServer as missing:
        pytest.skip(str(missing))
