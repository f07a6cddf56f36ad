"""What one user may ask of the server, counted together by all workers, also while Redis is down."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, LONG, Served, events_of, served, wait_until
from tests.integration.people import town
from tests.servers_redis import RedisServer

from inquery.api.counters import LocalCounters, RedisCounters
from inquery.store import open_store
from inquery.store.spending import Spending, Spent, spending_day

BODY = {"question": HOW_MANY, "refresh": True}


def spent(server: Served, user: str, **counts: float) -> None:
    store = open_store(server.settings)
    Spending(store).add(Spent(user, spending_day(), **counts))  # type: ignore[arg-type]
    store.close()


def refused(answer: httpx.Response) -> bool:
    assert answer.json()["code"] == "quota_exceeded"
    assert int(answer.headers["retry-after"]) >= 1
    return answer.status_code == 429


def test_a_user_has_so_many_questions_at_a_time_and_others_have_theirs(tmp_path: Path) -> None:
    with town(tmp_path, server={"user_runs": 1}) as people, people.client("ann") as ann, people.client("vic") as vic:
        with ann.stream("POST", API + "/query/stream", json={"question": LONG}) as response:
            events = events_of(response)
            assert any(event["type"] == "sql" for event in events)
            with people.client("ann") as again:
                assert refused(again.post(API + "/query", json=BODY))
                assert refused(again.post(f"{API}/connections/shop/sql", json={"sql": "SELECT 1 AS x"}))
            assert vic.post(API + "/query", json=BODY).status_code == 200
        assert wait_until(lambda: ann.post(API + "/query", json=BODY).status_code == 200, 20)


def test_requests_in_a_minute_are_counted_for_each_user(tmp_path: Path) -> None:
    with (
        town(tmp_path, server={"user_requests": 20}) as people,
        people.client("ann") as ann,
        people.client("vic") as vic,
    ):
        # A minute may end meanwhile; two minutes' worth of requests cannot all fit into one's limit.
        told = [ann.get(API + "/auth/me") for _ in range(45)]
        assert {answer.status_code for answer in told} == {200, 429}
        assert all(refused(answer) for answer in told if answer.status_code == 429)
        assert vic.get(API + "/auth/me").status_code == 200


@pytest.mark.parametrize(
    ("limit", "counts"), [({"user_tokens": 100}, {"tokens": 100}), ({"user_cost": 0.5}, {"cost": 0.6})]
)
def test_a_days_budget_ends_and_is_the_users_own(
    tmp_path: Path, limit: dict[str, float], counts: dict[str, float]
) -> None:
    with town(tmp_path, server=limit) as people, people.client("ann") as ann, people.client("vic") as vic:
        assert ann.post(API + "/query", json=BODY).status_code == 200
        spent(people.server, people.ids["ann"], **counts)
        assert refused(ann.post(API + "/query", json=BODY))
        assert vic.post(API + "/query", json=BODY).status_code == 200
        assert ann.get(API + "/threads").status_code == 200


def test_what_was_spent_is_shown(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as client:
        for refresh in (True, False):
            client.post(API + "/query", json={"question": HOW_MANY, "refresh": refresh}).raise_for_status()

        def runs() -> int:
            return sum(day["runs"] for day in client.get(API + "/usage").json()["days"])

        assert wait_until(lambda: runs() == 2, 20)
        (day,) = client.get(API + "/usage", params={"everyone": True}).json()["days"]
        assert (day["user_name"], day["model_calls"], day["cache_hits"]) == ("local", 1, 1)
        assert client.get(API + "/caches").json()["exact"]["hits"] >= 1


def test_two_workers_count_together_and_alone_when_redis_is_gone(redis: RedisServer, tmp_path: Path) -> None:
    shared = {"user_runs": 1, "redis_url": redis.url}
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with (
        served(tmp_path / "one", server=shared) as one,
        served(tmp_path / "two", server=shared) as two,
        one.client() as first,
        two.client() as second,
    ):
        with first.stream("POST", API + "/query/stream", json={"question": LONG}) as response:
            events = events_of(response)
            assert any(event["type"] == "sql" for event in events)
            assert refused(second.post(API + "/query", json=BODY))
            redis.stop()
            assert second.post(API + "/query", json=BODY).status_code == 200
        assert first.post(API + "/query", json=BODY).status_code == 200
        redis.start()
        with ThreadPoolExecutor(2) as pool:
            sent = list(pool.map(lambda client: client.post(API + "/query", json=BODY), (first, second)))
        assert {answer.status_code for answer in sent} <= {200, 429}


async def test_counters_agree_wherever_they_are(redis: RedisServer) -> None:
    shared = RedisCounters(redis.url)
    for counters in (LocalCounters(), shared):
        assert [await counters.add("a", 3600) for _ in range(3)] == [1, 2, 3]
        assert (await counters.count("a", 3600), await counters.count("b", 3600)) == (3, 0)
        await counters.clear("a", 3600)
        assert await counters.count("a", 3600) == 0
        held = [await counters.hold("p", member, 2, 60) for member in ("x", "y", "z", "x")]
        assert held == [True, True, False, True]
        await counters.release("p", "x")
        assert await counters.hold("p", "z", 2, 60)
        assert await counters.hold("q", "old", 1, 0)
        assert await counters.hold("q", "new", 1, 60), "a place whose time is up is free"
    await shared.close()


async def test_made_up_names_do_not_fill_the_memory() -> None:
    counters = LocalCounters(most=10)
    for number in range(100):
        await counters.add(f"login:{number}", 3600)
    assert sum([await counters.count(f"login:{number}", 3600) for number in range(100)]) == 10
