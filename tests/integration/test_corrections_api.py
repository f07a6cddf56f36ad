"""What people say of answers is kept, waits for whoever looks after them, and goes when it is taken back."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, NAMES, streamed
from tests.integration.people import Town, town


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("thumbs")) as found:
        yield found


def say(client: httpx.Client, answer: dict[str, Any], verdict: str, **more: str) -> None:
    body = {"thread_id": answer["thread_id"], "run_id": answer["run_id"], "verdict": verdict}
    client.post(API + "/feedback", json=body | more).raise_for_status()


def test_a_thumb_outlives_a_reload_and_leaves_the_queue_when_taken_back(people: Town) -> None:
    with people.client("ann") as ann, people.client("root") as root:
        first = streamed(ann, "/query/stream", {"question": HOW_MANY, "connection_id": "shop"})[-1]["answer"]
        second = streamed(ann, "/query/stream", {"question": NAMES, "connection_id": "shop"})[-1]["answer"]
        say(ann, first, "up")
        say(ann, first, "up")
        say(ann, second, "down", reason="period", note="only this year")
        where = f"{API}/threads/{second['thread_id']}"
        assert ann.get(f"{API}/threads/{first['thread_id']}").json()["verdicts"] == {first["run_id"]: "up"}
        assert ann.get(where).json()["verdicts"] == {second["run_id"]: "down"}
        proposed = [each["question"] for each in ann.get(f"{API}/connections/shop/samples").json()]
        assert proposed == [HOW_MANY]
        [wrong] = root.get(f"{API}/connections/shop/feedback").json()
        told = {name: wrong[name] for name in ("question", "reason", "note", "user")}
        assert told == {"question": NAMES, "reason": "period", "note": "only this year", "user": "ann"}
        assert wrong["sql"].startswith("SELECT c.name")

        say(ann, second, "none")
        say(ann, first, "none")
        assert root.get(f"{API}/connections/shop/feedback").json() == []
        assert ann.get(where).json()["verdicts"] == {}
        assert ann.get(f"{API}/connections/shop/samples").json() == []

        say(ann, second, "down")
        root.delete(f"{API}/feedback/{second['run_id']}").raise_for_status()
        assert root.get(f"{API}/connections/shop/feedback").json() == []
        assert ann.get(where).json()["verdicts"] == {second["run_id"]: "down"}
        ann.delete(where).raise_for_status()
        assert root.delete(f"{API}/feedback/{second['run_id']}").status_code == 404


def test_only_who_reviews_reads_what_others_called_wrong(people: Town) -> None:
    with people.client("ann") as ann:
        assert ann.get(f"{API}/connections/shop/feedback").status_code == 403
        assert ann.delete(f"{API}/feedback/x").status_code == 403
