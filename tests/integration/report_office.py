"""A shop, a desk of reports and a model that follows a script."""

import datetime
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inquery.agents.opening import open_services
from inquery.databases.executor.execute import attached_ids, detach
from inquery.llm.scripted import Script, ScriptedWriter
from inquery.reports.desk import ReportDesk
from inquery.reports.report_run import ReportRunner, Who
from inquery.settings import Settings
from inquery.store import Connections, open_store
from inquery.store.reports import StoredReport, StoredRun, StoredValue

TODAY = datetime.date(2026, 11, 15)
SHOP = """
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT, region TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, store_id INTEGER NOT NULL REFERENCES stores, ordered_on DATE NOT NULL, amount REAL NOT NULL);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name TEXT, salary REAL);
INSERT INTO stores VALUES (1, 'Alpha', 'east'), (2, 'Beta', 'west');
INSERT INTO orders VALUES (1, 1, '2026-10-03', 100), (2, 1, '2026-10-20', 50), (3, 2, '2026-10-21', 25), (4, 2, '2026-09-09', 10), (5, 1, '2026-11-02', 7);
INSERT INTO staff VALUES (1, 'Ann', 10), (2, 'Bob', 20);
"""
SPAN = "ordered_on >= '2026-10-01' AND ordered_on < '2026-11-01'"
TOTAL = f"SELECT SUM(amount) AS total FROM orders WHERE {SPAN}"
BY_REGION = f"SELECT s.region, SUM(o.amount) AS total FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id WHERE {SPAN} GROUP BY s.region ORDER BY s.region"
IN_REGION = f"SELECT SUM(o.amount) AS total FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id WHERE s.region = 'east' AND {SPAN}"
STAFF = "SELECT COUNT(*) AS n FROM staff"
TEMPLATE = """# Orders

{{parameter: month = last month | type=period}}{{parameter: region = east}}

Total {{value: total order amount | period=$month | as=total}}, in {{= region}} {{value: total order amount of $region stores | period=$month}}.

{{table: order amount by region | period=$month}}

Staff: {{value: how many staff are there}}
"""
SCRIPT = {
    "total order amount last month": [TOTAL],
    "total order amount of east stores last month": [IN_REGION],
    "order amount by region last month": [BY_REGION],
    "how many staff are there": [STAFF],
}


def make_shop(path: Path) -> Path:
    change(path, SHOP)
    return path


def change(path: Path, script: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()


@dataclass
class Office:
    """A desk with its writer and its shop."""

    desk: ReportDesk
    writer: ScriptedWriter
    shop: Path
    connection_id: str

    @property
    def calls(self) -> int:
        """Model calls so far."""
        return len(self.writer.requests)

    async def keep(self, text: str, name: str = "orders", form: str = "md") -> StoredReport:
        return await self.desk.add("local", name, self.connection_id, form, text.encode())

    async def run(self, report: StoredReport, **given: str) -> StoredRun:
        return await self.desk.run(report, given, Who(), today=TODAY)

    def values(self, run: StoredRun) -> dict[str, StoredValue]:
        """What a run found, by question."""
        return {v.content["title"].split(" | ")[0]: v for v in self.desk.runs.values(run.id).values()}

    def reopen(self) -> None:
        """Read the catalogue anew, as a later process would."""
        self.desk.runner.services.sources.forget(self.connection_id)


@asynccontextmanager
async def office(
    folder: Path, script: Script | dict[str, list[str]] | None = None, **given: Any
) -> AsyncIterator[Office]:
    """An office of its own in a folder."""
    settings = Settings(home=folder / "home", **given)
    shop = folder / "shop.sqlite"
    if not shop.exists():
        make_shop(shop)
    store = open_store(settings)
    known = Connections(store)
    found = next((c for c in known.list() if c.name == "shop"), None) or known.add("shop", str(shop))
    writer = ScriptedWriter(SCRIPT if script is None else script)
    try:
        async with open_services(settings) as services:
            desk = ReportDesk(ReportRunner(services, store, writer=writer))
            yield Office(desk, writer, shop, found.id)
    finally:
        store.close()
        for connection_id in attached_ids():
            detach(connection_id)
