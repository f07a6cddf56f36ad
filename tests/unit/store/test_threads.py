"""Threads: owned, held by one run at a time, with numbered events."""

import concurrent.futures
import datetime
import time

import pytest

from inquery.errors import NotFound
from inquery.store import Store
from inquery.store.event_log import EventLog
from inquery.store.results import ResultStore
from inquery.store.thread_rows import Threads


def test_a_thread_is_its_owners_alone(store: Store) -> None:
    threads = Threads(store)
    made = threads.open("t1", "ann", connection_id="shop", title="How many orders?")
    assert threads.open("t1", "ann").title == "How many orders?"
    assert threads.get("t1", "ann").created == made.created
    for attempt in (threads.get, threads.open, threads.delete):
        with pytest.raises(NotFound):
            attempt("t1", "bob")
    assert threads.list("bob") == []
    assert threads.rename("t1", "ann", "订单").title == "订单"


def test_the_last_used_thread_comes_first(store: Store) -> None:
    threads = Threads(store)
    for name in ("a", "b", "c"):
        threads.open(name, "ann")
    threads.open("a", "ann")
    assert [thread.id for thread in threads.list("ann")] == ["a", "c", "b"]
    assert [thread.id for thread in threads.list("ann", limit=1, offset=1)] == ["c"]


def test_one_run_holds_a_thread(store: Store) -> None:
    threads = Threads(store)
    threads.open("t1", "ann")
    assert threads.take("t1", "run1", 60)
    assert threads.take("t1", "run1", 60)
    assert not threads.take("t1", "run2", 60)
    threads.release("t1", "run2")
    assert not threads.take("t1", "run2", 60)
    threads.release("t1", "run1")
    assert threads.take("t1", "run2", 60)
    assert not threads.take("unknown", "run1", 60)


def test_a_lease_ends_by_itself(store: Store) -> None:
    threads = Threads(store)
    threads.open("t1", "ann")
    assert threads.take("t1", "dead", 0.05)
    time.sleep(0.07)
    assert threads.take("t1", "next", 60)


def test_of_many_that_try_one_gets_the_thread(store: Store) -> None:
    threads = Threads(store)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: threads.open("t1", "ann"), range(6)))
        taken = list(pool.map(lambda n: threads.take("t1", f"run{n}", 60), range(6)))
    assert sum(taken) == 1


def events(*numbers: int) -> list[dict[str, object]]:
    return [{"type": "token", "seq": n, "text": f"第{n}"} for n in numbers]


def test_a_stream_is_taken_up_where_it_broke_off(store: Store) -> None:
    log = EventLog(store)
    log.append("t1", "r1", events(0, 1, 2))
    log.append("t1", "r1", events(2, 3))
    log.append("t1", "r2", events(0))
    assert [event["seq"] for event in log.read("r1")] == [0, 1, 2, 3]
    assert log.read("r1", after=2) == events(3)
    assert not log.ended("r1")
    log.append("t1", "r1", [{"type": "done", "seq": 4}])
    assert log.ended("r1")
    assert log.runs("t1") == ["r1", "r2"]


def test_a_deleted_thread_leaves_nothing(store: Store) -> None:
    threads, log, results = Threads(store), EventLog(store), ResultStore(store)
    threads.open("t1", "ann")
    log.append("t1", "r1", events(0))
    kept = results.save("ann", "t1", [], [(1,)], "SELECT 1", 60)
    threads.delete("t1", "ann")
    assert log.read("r1") == []
    assert results.load(kept, "ann") is None
    assert threads.list("ann") == []


def test_old_events_can_be_dropped(store: Store) -> None:
    log = EventLog(store)
    log.append("t1", "r1", events(0))
    assert log.delete_older(datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)) == 0
    assert log.delete_older(datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)) == 1
