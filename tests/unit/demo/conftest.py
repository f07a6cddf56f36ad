"""One demo database a test process, for a fixed day."""

import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from inquery.demo import build_demo

TODAY = datetime.date(2026, 11, 15)


@pytest.fixture(scope="session")
def demo_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build_demo(path, seed=7, today=TODAY)
    return path


@pytest.fixture
def demo(demo_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"file:{demo_path}?mode=ro", uri=True)
    yield connection
    connection.close()
