"""A server that the tests of a module share; a module that wants another defines its own."""

from collections.abc import Iterator

import httpx
import pytest
from tests.integration.api_server import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("api")) as found:
        yield found


@pytest.fixture
def client(server: Served) -> Iterator[httpx.Client]:
    with server.client() as found:
        yield found
