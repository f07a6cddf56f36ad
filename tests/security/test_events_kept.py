"""What a client was told survives the worker: an event is in the store before anybody sees it."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from tests.integration.api_server import API, HOW_MANY, ONCE, Served, events_of, served, streamed
from tests.integration.workers import Worker, prepared

from inquery.agents.events import StepEvent
from inquery.api.journal import Journal
from inquery.store import open_store
from inquery.store.event_log import EventLog
from inquery.store.moments import utc_now


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("kept")) as found:
        yield found


def test_every_event_is_in_the_store_when_it_is_seen(server: Served) -> None:
    log = EventLog(open_store(server.settings))
    body = {"question": HOW_MANY, "connection_id": "shop", "refresh": True}
    seen = 0
    with server.client() as client, client.stream("POST", API + "/query/stream", json=body) as response:
        for event in events_of(response):
            if event["seq"]:
                kept = [each["seq"] for each in log.read(event["run_id"])]
                assert event["seq"] in kept, f"{event['type']} was told before it was kept"
                seen += 1
    assert seen > 5


def test_a_run_of_a_store_that_fails_says_so(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = server.app.state.shared.runs
    really, calls = runs.log.append_all, []

    def failing(batch: Any) -> None:
        calls.append(batch)
        if len(calls) > 1:
            raise OperationalError("insert", {}, Exception("disk full"))
        really(batch)

    monkeypatch.setattr(runs.log, "append_all", failing)
    with server.client() as client:
        events = streamed(client, "/query/stream", {"question": HOW_MANY, "connection_id": "shop", "refresh": True})
    assert (events[-1]["type"], events[-1]["code"]) == ("error", "store_down")
    assert [event["seq"] for event in events if event["seq"]] == sorted(
        event["seq"] for event in events if event["seq"]
    )


class Log:
    """A log that is slow, and remembers its transactions."""

    def __init__(self) -> None:
        self.written: list[list[int]] = []
        self.free = asyncio.Event()

    def append_all(self, runs: dict[tuple[str, str], list[dict[str, Any]]]) -> None:
        asyncio.run_coroutine_threadsafe(self.free.wait(), self.loop).result()
        self.written.append([each["seq"] for batch in runs.values() for each in batch])

    loop: asyncio.AbstractEventLoop


async def test_runs_share_transactions_and_keep_their_order() -> None:
    log = Log()
    log.loop = asyncio.get_running_loop()
    journal, shown = Journal(log), []  # type: ignore[arg-type]
    kept = []
    for seq in range(1, 9):
        event = StepEvent(name="n", status="started", seq=seq, run_id=f"r{seq % 2}", at=utc_now())
        kept.append(journal.put("t", event.run_id, event, {"seq": seq, "type": "step"}, lambda e: shown.append(e.seq)))
        await asyncio.sleep(0.01 if seq == 1 else 0)
    assert shown == []
    log.free.set()
    await asyncio.gather(*kept)
    assert shown == list(range(1, 9))
    assert len(log.written) == 2, "what came while the first was written went together"


def test_a_server_that_is_killed_and_started_again_has_every_event_and_conversation(tmp_path: Path) -> None:
    """`inquery serve` as a process, kill -9 while a model writes, and the same home again."""
    environment = prepared(tmp_path, {"INQUERY_STORE__URL": ""}, delay_ms=1500)
    first, again = Worker(environment), Worker(environment)
    try:
        first.start()
        first.ready()
        with first.client() as client:
            whole = streamed(client, "/query/stream", {"question": ONCE})
            thread, seen = told_until_writing(client)
            first.end(signal.SIGKILL)
        assert len(seen) > 5
        again.start()
        again.ready()
        with again.client() as client:
            assert {thread, whole[-1]["answer"]["thread_id"]} <= {
                each["id"] for each in client.get(API + "/threads").json()
            }
            kept = client.get(f"{API}/threads/{thread}/events").json()
            assert [event for event in kept["events"] if event["seq"] <= seen[-1]["seq"]] == seen
            assert not kept["ended"]
            before = client.get(f"{API}/threads/{whole[-1]['answer']['thread_id']}/events").json()
            assert before["events"] == [event for event in whole if event["seq"]]
            resumed = streamed(client, "/query/resume", {"thread_id": thread})
            assert resumed[-1]["answer"]["rows"] == [["Beijing", 2], ["Paris", 2]]
            told = client.get(f"{API}/threads/{thread}").json()
            assert [line["role"] for line in told["messages"]] == ["user", "assistant"]
    finally:
        first.end()
        again.end()


def told_until_writing(client: httpx.Client) -> tuple[str, list[dict[str, Any]]]:
    """The thread of a question, and the events of it that a client saw before the model was done."""
    seen = []
    with client.stream("POST", API + "/query/stream", json={"question": HOW_MANY, "refresh": True}) as response:
        for event in events_of(response):
            if event["seq"]:
                seen.append(event)
            if event["type"] == "step" and (event["name"], event["status"]) == ("write_sql", "started"):
                return response.headers["x-thread-id"], seen
    raise AssertionError("the model was not asked")


def test_a_run_that_was_killed_before_its_first_step_is_asked_again(server: Served) -> None:
    """Its question was kept before anything else was; of the graph there is nothing to go on from."""
    shared, thread = server.app.state.shared, "killed-at-once"
    shared.threads.open(thread, "local", connection_id="shop", title=HOW_MANY)
    turn = {"seq": 1, "type": "turn", "question": HOW_MANY, "run_id": "r-killed", "at": utc_now().isoformat()}
    shared.runs.log.append(thread, "r-killed", [turn])
    with server.client() as client:
        resumed = streamed(client, "/query/resume", {"thread_id": thread})
        whole = streamed(client, "/query/stream", {"question": HOW_MANY, "connection_id": "shop"})
        nothing = client.post(API + "/query/resume/sync", json={"thread_id": "never-begun"})
    assert resumed[-1]["answer"]["rows"] == whole[-1]["answer"]["rows"]
    assert resumed[-1]["answer"]["thread_id"] == thread
    assert nothing.status_code == 404
