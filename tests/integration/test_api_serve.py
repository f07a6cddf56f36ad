"""`inquery serve` as a program: its port, its refusal, its workers and its end."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.integration.api_server import wait_until


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LC_", "LANG"))}
    return kept | {"INQUERY_HOME": str(own_home), "PYTHONWARNINGS": "ignore"}


@contextmanager
def serving(environment: dict[str, str], *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "inquery", "serve", *arguments]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def address_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, process.stderr and process.stderr.read()
    return found.group()


def lives(url: str) -> bool:
    try:
        return httpx.get(url + "/health/live", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def test_a_taken_port_leads_to_the_next_and_two_workers_answer(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serving(environment, "--port", str(port), "--workers", "2") as process:
            url = address_of(process)
            assert int(url.rsplit(":", 1)[1]) > port
            assert wait_until(lambda: lives(url), 60)
            page = httpx.get(url + "/")
            assert page.headers["content-type"].startswith("text/html")
            assert "Inquery" in page.text
    assert not lives(url)


def test_an_open_address_is_refused_in_one_line(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "inquery", "serve", "--host", "0.0.0.0"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("error [unsafe_server]")
    assert len(ran.stderr.splitlines()) == 1
