"""Workers as processes of their own that share a PostgreSQL, a Redis and one home."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx
import psycopg
from tests.integration.api_server import SCRIPT, make_shop, wait_until
from tests.servers_postgres import RunningPostgres, running_postgres
from tests.servers_redis import RedisServer, redis_server

from inquery.settings import Settings
from inquery.store import Connections, open_store

START_S = 120
DELAY_MS = 1000
"""How long the scripted model thinks: long enough to be killed while it does."""


@dataclass
class Worker:
    """One `inquery serve`."""

    environment: dict[str, str]
    arguments: tuple[str, ...] = ()
    process: "subprocess.Popen[str] | None" = None
    url: str = ""

    def start(self) -> None:
        command = [sys.executable, "-m", "inquery", "serve", "--port", "0", *self.arguments]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ready(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found, "the worker did not start"
        self.url = found.group()
        assert wait_until(self.lives, START_S)

    def lives(self) -> bool:
        try:
            return httpx.get(self.url + "/health/live", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60)

    def end(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@dataclass
class Fleet:
    """Two workers and what they share."""

    workers: list[Worker]
    postgres: RunningPostgres
    redis: RedisServer

    def clients(self, stack: ExitStack) -> list[httpx.Client]:
        return [stack.enter_context(worker.client()) for worker in self.workers]


def addresses(postgres: RunningPostgres, redis: RedisServer) -> dict[str, str]:
    """The settings that make workers share everything; their store is a database of its own."""
    server = postgres.server
    with psycopg.connect(
        host="127.0.0.1", port=server.port, user=server.admin, password=server.password, dbname="postgres",
        autocommit=True,
    ) as admin:  # fmt: skip
        admin.execute("CREATE DATABASE inquery")
    url = f"postgresql://{server.admin}:{quote(server.password, safe='')}@127.0.0.1:{server.port}/inquery"
    return {"INQUERY_STORE__URL": url, "INQUERY_MEMORY__URL": url, "INQUERY_CACHE__REDIS_URL": redis.url}


def prepared(folder: Path, shared: dict[str, str], *, delay_ms: int, **more: str) -> dict[str, str]:
    """The environment of a worker whose only database is the shop, and whose model is a script."""
    home = folder / "home"
    home.mkdir()
    script = folder / "script.json"
    script.write_text(json.dumps({"delay_ms": delay_ms, "answers": SCRIPT}), "utf-8")
    settings = Settings(home=home, store={"url": shared["INQUERY_STORE__URL"]})
    store = open_store(settings)
    Connections(store).add("shop", make_shop(folder / "shop.sqlite"))
    store.close()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LC_", "LANG"))}
    model = {"INQUERY_LLM__PROVIDER": "scripted", "INQUERY_LLM__MODEL": str(script)}
    return kept | shared | model | {"INQUERY_HOME": str(home), "PYTHONWARNINGS": "ignore"} | more


@contextmanager
def fleet(folder: Path) -> Iterator[Fleet]:
    """Two workers, started side by side."""
    with running_postgres() as postgres, redis_server() as redis:
        environment = prepared(folder, addresses(postgres, redis), delay_ms=DELAY_MS)
        workers = [Worker(environment), Worker(environment)]
        try:
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.ready()
            yield Fleet(workers, postgres, redis)
        finally:
            for worker in workers:
                worker.end()
