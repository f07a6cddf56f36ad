"""How long one person's text holds a server, and how long everybody else waits meanwhile.

    python -m benchmarks.safety_stalls [--tables 5000] [--keep]

A server of its own is given long questions, statements of some 83 KB and a database of thousands of tables; while each is
answered, /health/live is asked again and again by another process. `live` is the longest of those, `idle` the same while
nothing is asked, which tells how busy the machine is. Seconds of the server's processor hardly move with that. With --keep
the figures are written to benchmarks/results/safety_stalls.json.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from benchmarks.machine import RESULTS, facts, keep
from tests.integration.api_server import API, make_shop
from tests.integration.workers import Worker

from inquery.settings import Settings
from inquery.store import Connections, open_store

STATEMENTS = {
    "joins": "SELECT COUNT(*) FROM orders o0"
    + "".join(f" JOIN orders o{n} ON o{n}.order_id = o{n - 1}.order_id" for n in range(1, 1700)),
    "ORs": "SELECT order_id FROM orders WHERE " + " OR ".join(f"order_id = {n}" for n in range(4600)),
    "UNIONs": " UNION ALL ".join(f"SELECT {n} AS x" for n in range(3100)),
    "an IN list": f"SELECT order_id FROM orders WHERE order_id IN ({', '.join(str(n) for n in range(100_000, 110_300))})",
    "CASEs": "SELECT CASE " + " ".join(f"WHEN order_id = {n} THEN {n}" for n in range(2900)) + " END AS c FROM orders",
    "columns": f"SELECT {', '.join(f'amount + {n} AS c{n}' for n in range(1900))} FROM orders",
    "common tables": f"WITH {', '.join(f'c{n} AS (SELECT 1 AS x)' for n in range(2900))} SELECT * FROM c1",
    "commas": "SELECT 1 FROM " + ", ".join(f"orders o{n}" for n in range(5800)),
    "calls": f"SELECT {', '.join('abs(amount)' for _ in range(6300))} FROM orders",
}
QUESTIONS = {
    "periods": ("去年今年上个月" * 570)[:3999],
    "quarters": ("Q1 " * 1400)[:3999],
    "words": ("orders per city in march 2024 " * 140)[:3999],
}
ASKED = {"first question, en": "How many orders are there?", "second question, zh": "有多少订单？"}
THINGS = [
    "customer",
    "product",
    "invoice",
    "shipment",
    "supplier",
    "payment",
    "contract",
    "employee",
    "ticket",
    "order",
]
KINDS = ["archive", "daily", "monthly", "north", "south", "audit", "staging", "legacy", "web", "retail", "trade"]


@dataclass(frozen=True)
class Stall:
    """One text: what came of it, after how long, and how long others waited at most."""

    probe: str
    size: int
    outcome: str
    seconds: float
    processor_s: float
    live_ms: float


def make_warehouse(path: Path, tables: int) -> str:
    """A database of very many tables with few rows."""
    chance = random.Random(1)
    with closing(sqlite3.connect(path)) as made, made:
        for number in range(tables):
            name = f"{chance.choice(KINDS)}_{chance.choice(THINGS)}_{number:05d}"
            columns = f"id INTEGER PRIMARY KEY, name TEXT, status TEXT, amount REAL, {chance.choice(THINGS)}_id INTEGER, at TEXT"
            made.execute(f"CREATE TABLE {name} ({columns})")
            rows = [(n, f"name {number} {n}", chance.choice(["open", "closed"]), n, n, "2024-01-01") for n in range(5)]
            made.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?, ?, ?)", rows)
        made.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, amount REAL)")
        made.execute("INSERT INTO orders VALUES (1, 'Paris', 5)")
    return str(path)


def watch_live(url: str, told: Connection) -> None:
    """Ask for life until the other end is closed; then tell the longest wait, in milliseconds."""
    longest = 0.0
    with httpx.Client(base_url=url, timeout=120) as client:
        client.get("/health/live")
        told.send(0.0)
        while not told.poll():
            begun = time.perf_counter()
            client.get("/health/live")
            longest = max(longest, time.perf_counter() - begun)
            time.sleep(0.005)
    told.send(longest * 1000)


def processor_s(process: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(worker: Worker, probe: str, text: str, send: Callable[[httpx.Client], httpx.Response]) -> Stall:
    """What came of a request, with another process that looks whether the server lives."""
    assert worker.process is not None
    here, there = multiprocessing.Pipe()
    watching = multiprocessing.Process(target=watch_live, args=(worker.url, there))
    watching.start()
    here.recv()
    used, begun = processor_s(worker.process.pid), time.perf_counter()
    with httpx.Client(base_url=worker.url, timeout=600) as client:
        found = send(client).json()
    took, used = time.perf_counter() - begun, processor_s(worker.process.pid) - used
    here.send(0.0)
    live = here.recv()
    watching.join()
    outcome = str(found.get("code") or found.get("status") or "answered")
    made = Stall(probe, len(text), outcome, round(took, 3), round(used, 2), round(live, 1))
    print(made, "load", round(os.getloadavg()[0], 1), flush=True)
    return made


def idle(client: httpx.Client) -> httpx.Response:
    """Nothing for two seconds."""
    time.sleep(2)
    return client.get("/health/live")


def measure_all(tables: int) -> list[Stall]:
    """Every probe against a new server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        store = open_store(Settings(home=home))
        shop = Connections(store).add("shop", make_shop(folder / "shop.sqlite")).id
        Connections(store).add("warehouse", make_warehouse(folder / "warehouse.sqlite", tables))
        store.close()
        kept = {key: value for key, value in os.environ.items() if not key.startswith("INQUERY_")}
        worker = Worker(kept | {"INQUERY_HOME": str(home), "PYTHONWARNINGS": "ignore"})
        worker.start()
        try:
            worker.ready()
            return _measured(worker, shop)
        finally:
            worker.end()


def _measured(worker: Worker, shop: str) -> list[Stall]:
    def run(text: str) -> Callable[[httpx.Client], httpx.Response]:
        return lambda client: client.post(f"{API}/connections/{shop}/sql", json={"sql": text})

    def ask(text: str, connection: str) -> Callable[[httpx.Client], httpx.Response]:
        return lambda client: client.post(f"{API}/query", json={"question": text, "connection_id": connection})

    measure(worker, "warm", "", run("SELECT 1 AS one"))
    found = [measure(worker, "idle", "", idle)]
    found += [measure(worker, f"statement: {kind}", text, run(text)) for kind, text in STATEMENTS.items()]
    found += [measure(worker, f"question: {kind}", text, ask(text, "shop")) for kind, text in QUESTIONS.items()]
    found += [measure(worker, f"many tables: {kind}", text, ask(text, "warehouse")) for kind, text in ASKED.items()]
    return found


def main() -> None:
    """Measure, print, and keep where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    machine = facts()
    rows = [asdict(stall) for stall in measure_all(asked.tables)]
    if asked.keep:
        keep(RESULTS / "safety_stalls.json", "stalls", machine, {"tables": asked.tables}, rows=rows)


if __name__ == "__main__":
    main()
