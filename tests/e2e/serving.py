"""The program behind the browser tests: the real application on a port of its own, its model a script or the embedded one."""

import argparse
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from inquery.api.app import create_app
from inquery.demo import samples
from inquery.llm.scripted import ScriptedWriter
from inquery.llm.writer import WriteRequest
from inquery.settings import Settings

REVENUE = "What is the total revenue by region?"
CUSTOMERS_ZH = "一共有多少个客户？"
IN_BEIJING = "How many orders in Beijing?"
SLOW = "Count all triples of events"
BROKEN = "Show the moods of customers"
MONTHS = "How many orders were placed each month?"
LONG = "List every web event with its session"
EXPENSES = "How many expenses are there?"
WIDE = "List the orders with five hundred columns"
BY_CHANNEL = "Show monthly revenue by channel"
SCRIPT = {
    BY_CHANNEL: (
        "SELECT substr(o.ordered_at, 1, 7) AS month, o.channel, SUM(i.quantity * i.unit_price - i.discount) AS revenue "
        "FROM orders o JOIN order_items i ON i.order_id = o.order_id WHERE o.ordered_at >= date('now', '-6 months') "
        "GROUP BY 1, 2 ORDER BY 1, 2"
    ),
    "How many orders in Beijing (stores city)?": (
        "SELECT COUNT(*) AS orders FROM orders o JOIN stores s ON s.store_id = o.store_id WHERE s.city = '北京'"
    ),
    SLOW: "SELECT COUNT(*) AS n FROM web_events a, web_events b, web_events c WHERE a.event_id + b.event_id > c.event_id",
    EXPENSES: "SELECT COUNT(*) AS n FROM expenses",
    BROKEN: "SELECT mood FROM customers",
    LONG: "SELECT event_id, session_id, event_type, happened_at FROM web_events ORDER BY event_id",
    WIDE: f"SELECT {', '.join(f'order_id + {n} AS c{n}' for n in range(500))} FROM orders ORDER BY order_id LIMIT 60",
}
FALLBACK = "SELECT status, COUNT(*) AS orders FROM orders GROUP BY status ORDER BY orders DESC"
START_S = 300


def statements(request: WriteRequest) -> Sequence[str]:
    """What the scripted model writes: the verified statement, that of the script, or one that always runs."""
    known = {sample["question"]: sample["sql"] for sample in samples()} | SCRIPT
    if "hostile" in " ".join(table.name for table in request.schema.tables):
        return ["SELECT * FROM hostile ORDER BY rowid"]
    return [known.get(request.question, FALLBACK)]


@dataclass
class Program:
    """A running server and what a test may ask of it."""

    url: str
    home: Path
    process: "subprocess.Popen[str]"

    def demo(self, sql: str) -> Any:
        """One value of the demo database, read past Inquery."""
        return self.demo_rows(sql)[0][0]

    def demo_rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the demo database, read past Inquery."""
        [file] = (self.home / "demo").glob("demo-*.sqlite")
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()

    def client(self) -> httpx.Client:
        """The API, for what a test needs beforehand."""
        return httpx.Client(base_url=self.url + "/api/v1", timeout=60)

    def kill(self) -> None:
        """As if the machine had lost power."""
        self.process.kill()
        self.process.wait(30)


@contextmanager
def program(home: Path, *, port: int = 0, model: str = "scripted", **environment: str) -> Iterator[Program]:
    """A server in a process of its own, ended with the block."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LC_", "LANG"))}
    environment = kept | {"INQUERY_HOME": str(home), "PYTHONWARNINGS": "ignore"} | environment
    if model == "scripted":
        home.mkdir(parents=True, exist_ok=True)
        script = home / "script.json"
        script.write_text('{"answers": {}}', "utf-8")
        environment |= {"INQUERY_LLM__PROVIDER": "scripted", "INQUERY_LLM__MODEL": str(script)}
    command = [sys.executable, "-m", "tests.e2e.serving", "--port", str(port), "--model", model]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(START_S, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            watchdog.cancel()
            assert found, "the server did not start"
            yield Program(found.group(), home, process)
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()


class _Server(uvicorn.Server):
    """Says its address once it listens, for port 0 is chosen by the system."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", flush=True)


def main() -> None:
    """Serve until interrupted."""
    given = argparse.ArgumentParser()
    given.add_argument("--port", type=int, default=0)
    given.add_argument("--model", default="scripted")
    options = given.parse_args()
    settings = Settings()
    settings.home.mkdir(parents=True, exist_ok=True)
    writer = ScriptedWriter(statements) if options.model == "scripted" else None
    app = create_app(settings, writer=writer)
    config = uvicorn.Config(app, host="127.0.0.1", port=options.port, log_level="error", timeout_graceful_shutdown=2)
    with suppress(KeyboardInterrupt):
        _Server(config).run()


if __name__ == "__main__":
    main()
