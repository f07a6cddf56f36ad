"""The executor's own promises, on SQLite: one flight for equal statements, an end for every wait."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inquery.databases.engine import Batch, Limits, ResultColumn
from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.databases.executor import execute as executor
from inquery.databases.executor.fetched import Caps, collect
from inquery.databases.executor.watchdog import Watchdog
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.databases.values import BatchSize, cut_cell, duration, plain_value
from inquery.errors import ConnectionLost, InqueryError, NotFound, QueryCancelled, QueryTimeout
from inquery.settings import DatabaseSettings
from inquery.sql.policy import _mint

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
# Every place of four million is compared with two million letters: hours, on any machine.
BOMB = "SELECT instr(hex(zeroblob(4000000)), hex(zeroblob(2000000)) || '1')"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        db.executemany("INSERT INTO t VALUES (?, ?)", [(i, f"n{i}") for i in range(100)])
        db.commit()
    return path


class Counting(SqliteEngine):
    """SQLite that counts statements and can be told to hang, as a driver on a dead network does."""

    streams = 0
    hanging: threading.Event | None = None

    def stream(self, s, sql, limits):  # type: ignore[no-untyped-def]
        self.streams += 1
        if self.hanging is not None:
            self.hanging.wait()
        return super().stream(s, sql, limits)


@pytest.fixture
def engine(file: Path) -> Iterator[Counting]:
    made = Counting(file, DatabaseSettings())
    executor.attach("shop", made, settings=DatabaseSettings(pool_size=2, pool_overflow=0))
    yield made
    executor.detach("shop")


def sql(text: str) -> object:
    return _mint(text, dialect="sqlite")


async def run(text: str, **options: object) -> object:
    return await executor.execute("shop", sql(text), **options)  # type: ignore[arg-type]


async def test_equal_statements_at_one_time_are_one_run(engine: Counting) -> None:
    results = await asyncio.gather(*(run("SELECT count(*) FROM t", fresh=True) for _ in range(20)))
    assert {tuple(r.rows) for r in results} == {((100,),)}  # type: ignore[attr-defined]
    assert engine.streams == 1


async def test_the_cache_notices_that_the_file_changed(engine: Counting, file: Path) -> None:
    assert (await run("SELECT count(*) FROM t")).rows == [(100,)]  # type: ignore[attr-defined]
    with closing(sqlite3.connect(file)) as db:
        db.execute("DELETE FROM t WHERE id < 50")
        db.commit()
    assert (await run("SELECT count(*) FROM t")).rows == [(50,)]  # type: ignore[attr-defined]


async def test_a_bomb_of_one_opcode_ends_within_its_limit(engine: Counting) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeout):
        await run(BOMB, limits=Limits(timeout_s=0.5))
    assert time.monotonic() - started < 5


async def test_a_driver_that_hangs_does_not_hang_the_caller(engine: Counting) -> None:
    engine.hanging = threading.Event()
    try:
        with pytest.raises(QueryTimeout):
            await run("SELECT 1", limits=Limits(timeout_s=0.1))
    finally:
        engine.hanging.set()


async def test_detaching_ends_what_waits(engine: Counting) -> None:
    tasks = [asyncio.create_task(run(f"{ENDLESS} -- {i}")) for i in range(5)]
    await asyncio.sleep(0.3)
    await asyncio.to_thread(executor.detach, "shop")
    results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
    assert {type(r) for r in results} <= {QueryCancelled, ConnectionLost}
    with pytest.raises(NotFound):
        await run("SELECT 1")


def test_runs_of_several_event_loops_share_a_flight(engine: Counting) -> None:
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(asyncio.run(run("SELECT sum(id) FROM t", fresh=True))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r.rows for r in found] == [[(4950,)]] * 4  # type: ignore[attr-defined]


async def test_undecodable_text_is_tolerated(engine: Counting, file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE t SET name = CAST(x'ff6869' AS TEXT) WHERE id = 1")
        db.commit()
    assert (await run("SELECT name FROM t WHERE id = 1")).rows == [("\N{REPLACEMENT CHARACTER}hi",)]  # type: ignore[attr-defined]


async def test_a_view_over_a_dropped_table_does_not_hide_the_others(engine: Counting, file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE VIEW broken AS SELECT * FROM gone")
        db.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
        db.commit()
    catalog = await executor.introspect("shop")
    names = {table.name: len(table.columns) for table in catalog.tables}
    assert names["t"] == 2
    assert "words" in names
    assert not [name for name in names if name.startswith("words_")]


def test_a_file_in_another_place_is_opened_by_its_own_path(file: Path) -> None:
    odd = file.with_name("what? 100% #1.sqlite")
    file.rename(odd)
    session = (made := open_engine(parse_address(str(odd)))).open()
    made.close(session)


def test_caps_stop_the_engine_and_close_its_cursor() -> None:
    column, closed = (ResultColumn("n"),), []

    def batches() -> Iterator[Batch]:
        try:
            for i in range(1000):
                yield Batch(column, [(i,)] * 10)
        finally:
            closed.append(True)

    caps = Caps(Limits(rows=25))
    _, rows = collect(batches(), caps)
    assert (len(rows), caps.truncated, closed) == (25, "rows", [True])


def test_batches_grow_with_small_rows_and_shrink_with_large_ones() -> None:
    size = BatchSize(None)
    size.saw([(1,)] * 100)
    assert size.next == 10_000
    size.saw([("x" * 500_000,)] * 10)
    assert size.next == 2
    bounded = BatchSize(7)
    assert bounded.next == 8
    bounded.saw([(1,)] * 8)
    assert bounded.next == 0


def test_values_become_plain() -> None:
    import datetime
    import uuid

    assert plain_value(uuid.UUID(int=5)) == "00000000-0000-0000-0000-000000000005"
    assert plain_value(memoryview(b"x")) == b"x"
    assert plain_value({"a": (1, {2})}) == {"a": [1, [2]]}
    assert duration(datetime.timedelta(days=-1, hours=2)) == "-22:00:00"
    assert duration(datetime.timedelta(days=3, seconds=5, microseconds=500_000)) == "3 days 00:00:05.5"
    assert cut_cell({"a": "x" * 100}, 20) == '{"a": "xxxxxxxxxxxxx'


def test_the_watchdog_acts_in_order_and_can_be_called_off() -> None:
    seen: list[str] = []
    done = threading.Event()
    dog = Watchdog()
    dog.after(0.15, lambda: (seen.append("late"), done.set()))  # type: ignore[arg-type, return-value]
    dog.after(0.05, lambda: seen.append("early"))
    dog.after(0.02, lambda: seen.append("never")).call_off()
    assert done.wait(5)
    assert seen == ["early", "late"]


def test_an_error_shows_nothing_of_the_driver() -> None:
    error = InqueryError("password=hunter2 at 10.0.0.1")
    assert "hunter2" not in error.public_message("en") + error.public_message("zh")
