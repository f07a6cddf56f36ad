"""Commands run in this process, in a home that already holds the demo of today."""

import datetime
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inquery.cli import cli
from inquery.databases.executor.execute import attached_ids, detach
from inquery.demo import ensure_demo


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


Inquery = Callable[..., Ran]


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ensure_demo(tmp_path_factory.mktemp("shared"), datetime.date.today())


@pytest.fixture
def inquery(own_home: Path, demo_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inquery]:
    """Run a command line and get its code and output; nothing unexpected may escape."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "INQUERY_LANGUAGE", "INQUERY_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    (own_home / "demo").mkdir()
    shutil.copy(demo_file, own_home / "demo" / demo_file.name)

    def run(*arguments: str, stdin: str = "") -> Ran:
        result = CliRunner().invoke(cli, list(arguments), input=stdin, prog_name="inquery")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    yield run
    for connection_id in attached_ids():
        detach(connection_id)
