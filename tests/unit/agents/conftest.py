"""A small shop and a runner whose model follows a script."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from inquery.agents.context import Services
from inquery.agents.events import DoneEvent, Event
from inquery.agents.run import Request, Runner
from inquery.answers.answer import Answer
from inquery.databases.executor.execute import attached_ids, detach
from inquery.llm.scripted import Script, ScriptedWriter
from inquery.settings import Settings

SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT, segment TEXT);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers,
  store_id INTEGER REFERENCES stores, ordered_on DATE NOT NULL, amount REAL NOT NULL, status TEXT NOT NULL);
CREATE TABLE events (event_id INTEGER PRIMARY KEY, title TEXT, starts_on DATE, opens_on DATE);
INSERT INTO customers VALUES (1, '张伟', 'Beijing', 'consumer'), (2, 'Ann', 'Shanghai', 'corporate'), (3, 'Bob', 'Paris', 'consumer');
INSERT INTO stores VALUES (1, 'Alpha', 'Beijing'), (2, 'Beta', 'Shanghai');
INSERT INTO orders VALUES
  (1, 1, 1, '2025-03-01', 100, 'paid'), (2, 1, 2, '2025-06-01', 50, 'paid'), (3, 2, 1, '2026-02-01', 70, 'shipped'),
  (4, 2, NULL, '2026-03-05', 30, 'cancelled'), (5, 3, 2, '2026-07-09', 20, 'paid');
INSERT INTO events VALUES (1, 'Sale', '2026-05-01', '2026-04-28');
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return path


class Desk:
    """A runner on one database; remembers the events of its last run."""

    def __init__(self, path: Path, script: Script | dict[str, list[str]], settings: Settings, **given: Any) -> None:
        self.writer = ScriptedWriter(script)
        self.services = Services.of(settings)
        self.saver = InMemorySaver()
        self.connection_id = self.services.sources.add(f"sqlite:///{path}")
        self.runner = Runner(self.services, self.saver, writer=given.pop("writer", self.writer), **given)
        self.events: list[Event] = []

    async def ask(self, question: str, thread: str = "", **options: Any) -> Answer:
        request = Request(question, thread_id=thread, connection_id=self.connection_id, **options)
        return await self._last(self.runner.stream(request))

    async def resume(self, thread: str, reply: Any = None, **options: Any) -> Answer:
        return await self._last(self.runner.resume(Request(thread_id=thread, **options), reply))

    async def state(self, thread: str) -> dict[str, Any]:
        found = await self.runner.graph.aget_state({"configurable": {"thread_id": thread}})
        return dict(found.values)

    async def _last(self, events: Any) -> Answer:
        self.events = [event async for event in events]
        assert isinstance(self.events[-1], DoneEvent)
        return self.events[-1].answer

    @property
    def calls(self) -> int:
        """Model calls so far."""
        return len(self.writer.requests)

    def seen(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.type == kind]


Opened = Callable[..., Desk]


@pytest.fixture
def desk(shop: Path, own_home: Path) -> Iterator[Opened]:
    """Opens a runner on the shop with a script and settings."""

    def make(script: Script | dict[str, list[str]] = (), **settings: Any) -> Desk:
        given = {key: settings.pop(key) for key in ("writer", "chat") if key in settings}
        return Desk(shop, script, Settings(home=own_home, **settings), **given)

    yield make
    for connection_id in attached_ids():
        detach(connection_id)
