"""No database process outlives the program, or the client, that started it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.api_server import LONG, ONCE, SCRIPT, make_shop, scripted, wait_until
from tests.integration.processes import children, serves_a_database

from inquery import Inquery
from inquery.llm.scripted import ScriptedWriter

Program = subprocess.Popen[str]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program that has asked once, and so has a database process."""
    for name, value in scripted(tmp_path, SCRIPT).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    command = [sys.executable, str(Path(__file__).with_name("asking.py")), make_shop(tmp_path / "shop.sqlite")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "open\n"
        tell(started, ONCE)
        assert started.stdout.readline() == "done\n"
        yield started
        started.kill()


def tell(program: Program, line: str) -> None:
    assert program.stdin is not None
    program.stdin.write(line + "\n")
    program.stdin.flush()


def database_processes(program: Program) -> set[int]:
    return {pid for pid in children(program.pid) if serves_a_database(pid)}


def test_a_closed_client_leaves_none(program: Program) -> None:
    assert database_processes(program)
    tell(program, "close")
    assert wait_until(lambda: not database_processes(program), 10)
    assert program.poll() is None


@pytest.mark.parametrize("line", ["", LONG])
def test_a_killed_program_leaves_none(program: Program, line: str) -> None:
    if line:
        tell(program, line)
        time.sleep(1)
    left = database_processes(program)
    assert left
    program.kill()
    assert wait_until(lambda: not any(map(serves_a_database, left)), 10)


def test_a_program_that_ends_without_closing_leaves_none(program: Program) -> None:
    left = database_processes(program)
    assert left
    assert program.stdin is not None
    program.stdin.close()
    assert program.wait(20) == 0
    assert wait_until(lambda: not any(map(serves_a_database, left)), 10)


def test_one_client_closes_and_another_of_the_same_database_goes_on(tmp_path: Path) -> None:
    shop, writer = make_shop(tmp_path / "shop.sqlite"), ScriptedWriter(SCRIPT)
    with Inquery.connect(shop, writer=writer) as stays:
        with Inquery.connect(shop, writer=writer) as leaves:
            assert leaves.ask(ONCE).rows == [[4]]
        assert stays.ask(ONCE, refresh=True).rows == [[4]]
