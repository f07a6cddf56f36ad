"""Threads outlive their process: killed at any node, clarified here and answered there."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.integration.api_server import scripted

from inquery.agents.opening import open_runner
from inquery.agents.run import Request, last_answer
from inquery.databases.executor.execute import attached_ids, detach
from inquery.settings import Settings
from inquery.store import Connections, open_store

ROOT = Path(__file__).parents[2]
NODES = [
    "begin_turn", "load_profile", "route_intent", "rewrite_followup", "detect_fast_mode", "check_thread", "check_cache",
    "link_schema", "detect_ambiguity", "write_sql", "check_sql", "run_sql", "analyse", "draw_chart", "recommend", "remember",
]  # fmt: skip
SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, store_id INTEGER REFERENCES stores, amount REAL);
INSERT INTO customers VALUES (1, 'Ann', 'Beijing'), (2, 'Bob', 'Paris');
INSERT INTO stores VALUES (1, 'Alpha', 'Beijing'), (2, 'Beta', 'Paris');
INSERT INTO orders VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 1, 30), (4, 2, 1, 40);
"""
BY_CITY = "How many orders are there for each customer city?"
IN_BEIJING = "How many orders in Beijing?"
SCRIPT = {
    BY_CITY: ["SELECT c.city, COUNT(*) AS n FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.city ORDER BY c.city"],
    "How many orders in Beijing (stores city)?": ["SELECT COUNT(*) AS n FROM orders o JOIN stores s ON s.store_id = o.store_id WHERE s.city = 'Beijing'"],
}  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registered database and a scripted model, for this process and its children."""
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    for name, value in scripted(tmp_path, SCRIPT).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    Connections(open_store(Settings())).add("shop", str(path))
    yield path
    for connection_id in attached_ids():
        detach(connection_id)


def inquery(*arguments: str) -> tuple[int, Any]:
    """A command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "inquery", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ.copy(),
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.slow
async def test_a_run_killed_at_any_node_resumes_to_the_same_answer(shop):
    script = Path(__file__).with_name("killed.py")
    children = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, str(script), "shop", BY_CITY, *NODES],
        capture_output=True,
        text=True,
        timeout=400,
    )
    ended = dict(line.split() for line in children.stdout.splitlines())
    assert ended == {
        f"{node}-{status}": str(int(signal.SIGKILL)) for node in NODES for status in ("started", "finished")
    }
    async with open_runner(Settings()) as runner:
        for thread in ended:
            answer = await last_answer(runner.resume(Request(thread_id=thread)))
            assert (answer.status, answer.rows) == ("answered", [["Beijing", 2], ["Paris", 2]]), thread
            assert answer.text, thread
            assert answer.usage.model_calls <= 1, thread


def test_a_clarification_is_answered_in_another_process(shop):
    code, asked = inquery("ask", IN_BEIJING, "--connection", "shop", "--json")
    assert (code, asked["status"]) == (2, "clarification")
    ids = [option["id"] for option in asked["pending"]["options"]]
    number = ids.index("stores.city") + 1
    code, answer = inquery("ask", str(number), "--connection", "shop", "--thread", asked["thread_id"], "--json")
    assert (code, answer["status"], answer["rows"]) == (0, "answered", [[3]])
    assert answer["question"] == IN_BEIJING


def test_a_chosen_reading_is_kept_for_the_next_process(shop):
    _, asked = inquery("ask", IN_BEIJING, "--connection", "shop", "--json")
    inquery("ask", "stores.city", "--connection", "shop", "--thread", asked["thread_id"], "--json")
    code, again = inquery("ask", IN_BEIJING, "--connection", "shop", "--refresh", "--json")
    assert (code, again["status"], again["rows"]) == (0, "answered", [[3]])
    assert again["reading"]["assumptions"]
