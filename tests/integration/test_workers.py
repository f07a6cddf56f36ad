"""Two workers that share PostgreSQL and Redis: one conversation, whoever answers, and whatever dies."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, IN_BEIJING, ONCE, events_of, streamed, wait_until
from tests.integration.workers import Fleet, fleet
from tests.servers import NoServer

ASK = API + "/query/stream"
BODY = {"question": HOW_MANY, "refresh": True}
ROWS = [["Beijing", 2], ["Paris", 2]]
HONEST = {"store_down", "connect_failed", "server_busy", "thread_busy"}
"""What a caller may be told while a store is down."""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    try:
        with fleet(tmp_path_factory.mktemp("fleet")) as found:
            yield found
    except NoServer as missing:
        pytest.skip(str(missing))


def test_a_conversation_goes_on_with_the_other_worker(pair: Fleet) -> None:
    with ExitStack() as stack:
        one, other = pair.clients(stack)
        asked = streamed(one, "/query/stream", {"question": IN_BEIJING})
        (question,) = [event for event in asked if event["type"] == "clarification"]
        reply = next(option["id"] for option in question["options"] if "store" in option["label"].lower())
        thread = asked[-1]["answer"]["thread_id"]
        assert thread in [each["id"] for each in other.get(API + "/threads").json()]
        answered = streamed(other, "/query/resume", {"thread_id": thread, "reply": reply})
        assert answered[-1]["answer"]["rows"] == [[3]]
        told = one.get(f"{API}/threads/{thread}").json()
        assert [line["role"] for line in told["messages"]][-1] == "assistant"
        replay = one.get(f"{API}/threads/{thread}/events").json()
        assert (replay["ended"], replay["events"][-1]["answer"]["rows"]) == (True, [[3]])


def test_an_answer_of_one_is_in_the_cache_of_the_other(pair: Fleet) -> None:
    with ExitStack() as stack:
        one, other = pair.clients(stack)
        first = one.post(API + "/query", json={"question": HOW_MANY}).json()
        again = other.post(API + "/query", json={"question": HOW_MANY}).json()
    assert (first["rows"], again["rows"]) == (ROWS, ROWS)
    assert again["cache"]["level"] == "exact"


def test_one_question_asked_of_both_at_once_is_answered_once(pair: Fleet) -> None:
    body = {"question": ONCE}
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        clients = pair.clients(stack)
        answers = list(pool.map(lambda client: client.post(API + "/query", json=body).json(), clients))
    assert [answer["rows"] for answer in answers] == [[[4]], [[4]]]
    levels = [answer["cache"]["level"] if answer["cache"] else None for answer in answers]
    assert sorted(levels, key=str) == [None, "exact"]


def test_ready_says_what_it_needs(pair: Fleet) -> None:
    with ExitStack() as stack:
        one, _ = pair.clients(stack)
        checks = {check["name"]: check for check in one.get("/health/ready").json()["checks"]}
        assert all(checks[name]["ok"] for name in ("store", "threads", "cache", "queue"))
        pair.redis.stop()
        try:
            answer = one.get("/health/ready", headers={"accept-language": "zh"})
            checks = {check["name"]: check for check in answer.json()["checks"]}
            assert (answer.status_code, checks["cache"]["ok"], checks["cache"]["required"]) == (200, False, False)
            assert "Redis" in checks["cache"]["reason"]
        finally:
            pair.redis.start()


@dataclass
class Load:
    """Questions asked over and over through both workers; what came back is kept."""

    clients: list[httpx.Client]
    right: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    wrong: list[Any] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def ask(self, number: int) -> None:
        client = self.clients[number % len(self.clients)]
        while not self.over.is_set():
            sent = client.post(API + "/query", json=BODY)
            found = sent.json()
            if sent.status_code == 200 and found["rows"] == ROWS:
                self.right.append(found["thread_id"])
                continue
            error = found.get("error") if sent.status_code == 200 else found
            if error and error["code"] in HONEST and error["message"]:
                self.told.append(error["code"])
                self.over.wait(0.1)
            else:
                self.wrong.append((sent.status_code, found))
                return


@pytest.mark.parametrize("what", ["redis", "postgres"])
def test_a_store_that_stops_and_starts_costs_no_thread_and_gives_no_wrong_answer(pair: Fleet, what: str) -> None:
    stopped = pair.redis if what == "redis" else pair.postgres
    with ExitStack() as stack, ThreadPoolExecutor(4) as pool:
        clients = pair.clients(stack)
        load = Load(clients)
        working = [pool.submit(load.ask, number) for number in range(4)]
        try:
            assert wait_until(lambda: len(load.right) >= 4 or load.wrong, 60)
            stopped.stop()
            told, right = len(load.told), len(load.right)
            if what == "redis":  # the caches and counts are local then: answers go on
                assert wait_until(lambda: len(load.right) > right + 2 or load.wrong, 60)
            else:  # nothing can be kept then: an honest error, at once or after what was under way
                assert wait_until(lambda: len(load.told) > told + 2 or load.wrong, 90)
        finally:
            stopped.start()
        back = len(load.right)
        recovered = wait_until(lambda: len(load.right) > back + 2 or load.wrong, 90)
        load.over.set()
        for each in working:
            each.result(60)
        assert load.wrong == []
        assert recovered
        kept = {thread for client in clients for thread in listed(client)}
        assert set(load.right) <= kept
        if what == "redis":
            assert load.told == []


def listed(client: httpx.Client) -> list[str]:
    """Every thread a worker knows."""
    found: list[str] = []
    while page := client.get(API + "/threads", params={"limit": 500, "offset": len(found)}).json():
        found += [thread["id"] for thread in page]
    return found


def until_writing(client: httpx.Client, headers: dict[str, str], reached: threading.Barrier) -> tuple[str, list[str]]:
    """Follow a stream to its end, whatever that is; says so while the model writes."""
    kinds: list[str] = []
    with suppress(httpx.TransportError), client.stream("POST", ASK, json=BODY, headers=headers) as response:
        for event in events_of(response):
            kinds.append(event["type"])
            if event["type"] == "step" and (event["name"], event["status"]) == ("write_sql", "started"):
                reached.wait(60)
    return response.headers["x-thread-id"], kinds


def test_a_worker_killed_mid_stream_is_followed_to_the_same_answer_by_the_other(pair: Fleet) -> None:
    key, reached = {"Idempotency-Key": "killed"}, threading.Barrier(3)
    dying, living = pair.workers
    with dying.client() as client, living.client() as other, ThreadPoolExecutor(2) as pool:
        begun = [pool.submit(until_writing, client, headers, reached) for headers in (key, {})]
        reached.wait(60)
        dying.end(signal.SIGKILL)
        (keyed, first), (plain, second) = (each.result(60) for each in begun)
        assert "done" not in first + second
        again = pool.submit(streamed, other, "/query/stream", BODY, headers=key)
        resumed = pool.submit(streamed, other, "/query/resume", {"thread_id": plain})
        for thread, events in ((keyed, again.result(120)), (plain, resumed.result(120))):
            assert events[-1]["type"] == "done"
            assert (events[-1]["answer"]["rows"], events[-1]["answer"]["thread_id"]) == (ROWS, thread)
            told = other.get(f"{API}/threads/{thread}").json()
            assert [line["role"] for line in told["messages"]] == ["user", "assistant"]
        assert streamed(other, "/query/stream", BODY, headers=key)[-1]["answer"]["rows"] == ROWS


def test_a_worker_that_is_told_to_stop_lets_its_streams_end(pair: Fleet) -> None:
    stopping, reached = pair.workers[1], threading.Barrier(2)
    with stopping.client() as client, ThreadPoolExecutor(1) as pool:
        begun = pool.submit(until_writing, client, {}, reached)
        reached.wait(60)
        process = stopping.process
        stopping.end(signal.SIGTERM)
        assert begun.result(60)[1][-1] == "done"
    assert process is not None
    assert process.returncode in {0, -signal.SIGTERM}
