"""A real server on a free port, in this process, with a shop and a scripted model."""

import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from inquery.api.app import create_app
from inquery.databases.executor.execute import attached_ids, detach
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings
from inquery.store import Connections, open_store

SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, store_id INTEGER REFERENCES stores, amount REAL);
CREATE TABLE numbers (i INTEGER);
INSERT INTO customers VALUES (1, 'Ann', 'Beijing'), (2, '=cmd()', 'Paris');
INSERT INTO stores VALUES (1, 'Alpha', 'Beijing'), (2, 'Beta', 'Paris');
INSERT INTO orders VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 1, 30), (4, 2, 1, 40);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO numbers SELECT i FROM n;
"""
HOW_MANY = "How many orders are there for each customer city?"
NAMES = "List every customer name with its orders"
IN_BEIJING = "How many orders in Beijing?"
ONCE = "How many orders are there?"
LONG = "Count all combinations of numbers"
LONG_SQL = "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c WHERE a.i + b.i + c.i > 1"
SCRIPT = {
    HOW_MANY: ["SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.city ORDER BY c.city"],
    NAMES: ["SELECT c.name, o.order_id FROM customers c JOIN orders o ON o.customer_id = c.customer_id ORDER BY o.order_id"],
    "How many orders in Beijing (stores city)?": ["SELECT COUNT(*) AS n FROM orders o JOIN stores s ON s.store_id = o.store_id WHERE s.city = 'Beijing'"],
    ONCE: ["SELECT COUNT(*) AS n FROM orders"],
    LONG: [LONG_SQL],
}  # fmt: skip
API = "/api/v1"


@dataclass
class Served:
    """A running server."""

    url: str
    app: Any
    writer: ScriptedWriter
    settings: Settings

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30, **options)

    @property
    def calls(self) -> int:
        """Model calls so far."""
        return len(self.writer.requests)


def make_shop(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return str(path)


def make_order(path: Path) -> str:
    """A database whose tables have keywords for their names."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute('CREATE TABLE "order" (id INTEGER, total REAL)')
        connection.execute('CREATE TABLE "values" (id INTEGER)')
    return str(path)


def scripted(folder: Path, answers: dict[str, list[str]]) -> dict[str, str]:
    """The environment of a program whose model knows these answers."""
    script = folder / "script.json"
    script.write_text(json.dumps({"answers": answers}), "utf-8")
    return {"INQUERY_LLM__PROVIDER": "scripted", "INQUERY_LLM__MODEL": str(script)}


@contextmanager
def served(
    folder: Path, url: str = "", *, delay_s: float = 0.0, own_model: bool = False, **settings: Any
) -> Iterator[Served]:
    """A server whose only database is the shop, or the one at `url`; its model is scripted or the settings' own."""
    made = Settings(home=folder / "home", **settings)
    made.home.mkdir(exist_ok=True)
    Connections(open_store(made)).add("shop", url or make_shop(folder / "shop.sqlite"))
    writer = ScriptedWriter(SCRIPT, delay_s=delay_s)
    app = create_app(made, writer=None if own_model else writer)
    listening = socket.create_server(("127.0.0.1", 0))
    # uvloop does not close while a provider's connection is kept alive.
    loop = "asyncio" if own_model else "auto"
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2, loop=loop))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive(), 60)
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", app, writer, made)
    finally:
        server.should_exit = True
        thread.join(20)
        for connection_id in attached_ids():
            detach(connection_id)


def wait_until(happened: Any, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def events_of(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream; each one's data, whose type is the event's name."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            event: dict[str, Any] = json.loads(line.removeprefix("data: "))
            assert event["type"] == name
            yield event


def streamed(client: httpx.Client, path: str, body: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    with client.stream("POST", API + path, json=body, **options) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        return list(events_of(response))
