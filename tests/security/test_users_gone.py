"""When a user goes, nothing that is only theirs stays; limits hold over all workers; the audit log says it was pruned."""

import asyncio
import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError
from tests.integration.api_server import API, HOW_MANY, ONCE, Served, served, streamed, wait_until
from tests.integration.people import Town, town
from tests.servers import Server

from inquery.api.counters import LocalCounters, StoreCounters, open_counters
from inquery.settings import Settings
from inquery.store import Store, open_store
from inquery.store.audit import Audit, Deed
from inquery.store.held_places import HeldPlaces
from inquery.store.tables import audit, audit_prunings

ROWS = b"city,visits\nBeijing,3\nParis,4\n"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("gone")) as found:
        yield found


def mentions(home: Path, *words: str) -> set[str]:
    """Tables of Inquery's own files in which a word still is, and files that are named after one."""
    found = set()
    for file in home.glob("*.sqlite"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                cells = (cell for row in connection.execute(f'SELECT * FROM "{table}"') for cell in row)
                if any(
                    word.encode() in (cell if isinstance(cell, bytes) else str(cell).encode())
                    for cell in cells
                    for word in words
                ):
                    found.add(f"{file.name}:{table}")
        connection.close()
    return found


def live(town: Town, name: str) -> dict[str, Any]:
    """Do everything that leaves something behind; gives the ids of what others keep."""
    with town.client(name) as one, town.client("root") as root:
        asked = streamed(one, "/query/stream", {"question": HOW_MANY, "connection_id": "shop"})[-1]["answer"]
        thread = asked["thread_id"]
        one.post(API + "/feedback", json={"thread_id": thread, "verdict": "up"}).raise_for_status()
        one.post(f"{API}/threads/{thread}/share").raise_for_status()
        one.post(API + "/saved", json={"question": ONCE, "connection_id": "shop", "title": "kept"}).raise_for_status()
        sample = {"question": "How many of all?", "sql": "SELECT COUNT(*) AS n FROM orders"}
        shared = one.post(f"{API}/connections/{town.shop}/samples", json=sample)
        shared.raise_for_status()
        root.post(f"{API}/samples/{shared.json()['id']}/approve").raise_for_status()
        file = one.post(API + "/uploads", params={"filename": "v.csv", "name": "visits"}, content=ROWS).json()
        report = {"name": "r", "connection_id": town.shop, "text": "# R\n\n{{ " + ONCE + " }}\n"}
        made = one.post(API + "/reports", json=report).json()["id"]
        run = one.post(f"{API}/reports/{made}/runs", json={}).json()["id"]
        assert wait_until(lambda: one.get(f"{API}/report-runs/{run}").json()["status"] != "running", 60)
        one.post(f"{API}/reports/{made}/schedules", json={"cron": "0 0 1 1 *"}).raise_for_status()
        return {"thread": thread, "result": asked["result_id"], "shared": shared.json()["id"], "file": file["id"]}


def test_nothing_of_a_user_stays_but_what_is_everybodys(people: Town) -> None:
    home, gone = people.server.settings.home, people.ids["ann"]
    left = live(people, "ann")
    before = mentions(home, gone)
    assert {
        "inquery.sqlite:threads",
        "inquery.sqlite:results",
        "inquery.sqlite:reports",
        "inquery.sqlite:samples",
    } <= before
    with people.client("root") as root:
        assert root.delete(f"{API}/users/{gone}").status_code == 204
        assert wait_until(lambda: mentions(home, gone) <= {"inquery.sqlite:audit"}, 10), mentions(home, gone)
        assert mentions(home, left["thread"]) <= {"inquery.sqlite:audit"}
        samples = root.get(f"{API}/connections/{people.shop}/samples").json()
        assert [each["id"] for each in samples] == [left["shared"]]
        assert root.get(f"{API}/connections/{left['file']}").status_code == 404
    files = home / "files"
    assert not files.exists() or list(files.iterdir()) == []
    with people.client("ann") as ann:
        assert ann.get(API + "/threads").status_code == 401


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    settings: dict[str, Any] = {}
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgres")
        from urllib.parse import quote

        admin = f"postgresql://{server.admin}:{quote(server.password, safe='')}@127.0.0.1:{server.port}"
        made = open_store(Settings(home=tmp_path, store={"url": f"{admin}/postgres"}))
        with made.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("DROP DATABASE IF EXISTS inquery_bounds"))
            connection.execute(text("CREATE DATABASE inquery_bounds"))
        made.close()
        settings = {"store": {"url": f"{admin}/inquery_bounds"}}
    found = open_store(Settings(home=tmp_path / "own", **settings))
    yield found
    found.close()


def old(days: float) -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)


def test_the_log_is_pruned_by_age_and_says_so(store: Store) -> None:
    log = Audit(store)
    log.append([Deed("a", at=old(40)), Deed("b", at=old(31)), Deed("c", at=old(29)), Deed("d")])
    assert log.prune(old(30)) == 2
    assert [(each.action, each.rows) for each in log.page()] == [("audit.prune", 2), ("d", None), ("c", None)]
    assert log.prune(old(30)) == 0, "nothing to prune is nothing to say"
    assert len(log.page()) == 3


def test_the_database_lets_go_of_nothing_younger(store: Store) -> None:
    log = Audit(store)
    log.append([Deed("a", at=old(40)), Deed("b")])
    changes = [
        delete(audit),
        update(audit).values(action="x"),
        delete(audit).where(audit.c.action == "b"),
    ]
    for change in changes:
        with pytest.raises(DBAPIError), store.write() as connection:
            connection.execute(change)
    log.prune(old(30))
    for change in (*changes, delete(audit_prunings), update(audit_prunings).values(entries=0)):
        with pytest.raises(DBAPIError), store.write() as connection:
            connection.execute(change)
    assert [each.action for each in log.page()] == ["audit.prune", "b"]


def test_places_are_held_over_workers(store: Store) -> None:
    """Two workers have one store; a place of a worker that died is free after its time."""
    first, second = HeldPlaces(store), HeldPlaces(store)
    assert first.hold("runs:ann", "1", 2, 60)
    assert second.hold("runs:ann", "2", 2, 60)
    assert not first.hold("runs:ann", "3", 2, 60)
    assert second.hold("runs:bob", "3", 2, 60)
    assert first.hold("runs:ann", "1", 2, 60), "one's own may be taken again"
    second.release("runs:ann", "1")
    assert second.hold("runs:ann", "3", 2, 0)
    assert first.hold("runs:ann", "4", 2, 60), "the third's time was up"


async def test_many_workers_at_once_hold_no_more_than_there_are(store: Store) -> None:
    counters = [StoreCounters(store) for _ in range(4)]
    held = await asyncio.gather(
        *(each.hold("runs:ann", f"{n}-{i}", 3, 60) for n, each in enumerate(counters) for i in range(4))
    )
    assert sum(held) == 3


def test_runs_are_counted_in_the_store_without_redis(tmp_path: Path) -> None:
    found = open_counters(Settings(home=tmp_path), open_store(Settings(home=tmp_path)))
    assert isinstance(found, StoreCounters)
    assert isinstance(found, LocalCounters), "requests are counted by each worker"


def test_an_old_log_is_pruned_when_a_server_starts(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    settings.home.mkdir()
    Audit(open_store(settings)).append([Deed("ancient", at=old(400))])
    with served(tmp_path, identity={"audit_days": 365}) as server:
        assert wait_until(lambda: _actions(server) == ["audit.prune"], 10), _actions(server)


def _actions(server: Served) -> list[str]:
    return [each.action for each in Audit(open_store(server.settings)).page()]
