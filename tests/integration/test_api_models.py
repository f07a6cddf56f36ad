"""Models by name over HTTP: administrators keep and try them, whoever asks chooses one, and usage tells them apart."""

from collections.abc import Iterator

import pytest
from tests.integration.api_server import API, ONCE, streamed, wait_until
from tests.integration.people import Town, town
from tests.stubs.openai_server import Reply, Stub, openai_server

KEY = "sk-canary-1234567890"
GOOD = {"candidates": [{"sql": "SELECT COUNT(*) AS n FROM orders"}]}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("models")) as found:
        yield found


def keep(people: Town, stub: Stub, name: str = "fast") -> None:
    content = {"provider": "openai", "model": "m", "base_url": stub.url, "price_in": 2.0, "price_out": 10.0}
    with people.client("root") as root:
        made = root.put(f"{API}/models/{name}", json={"content": content, "api_key": KEY})
        assert made.status_code == 200, made.text
        assert made.json()["has_key"] is True
        assert KEY not in made.text


def test_a_kept_model_is_tried_chosen_and_counted(people: Town) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub, people.client("root") as root, people.client("ann") as ann:
        keep(people, stub)
        tried = root.post(f"{API}/models/fast/test").json()
        assert (tried["ok"], tried["method"], tried["calls"]) == (True, "function_calling", 1)
        (listed,) = ann.get(f"{API}/models").json()
        assert (listed["name"], listed["content"]) == ("fast", None)
        assert stub.url not in str(listed)
        body = {"question": ONCE, "connection_id": "shop", "model": "fast", "refresh": True}
        answer = streamed(ann, "/query/stream", body)[-1]["answer"]
        assert (answer["status"], answer["rows"]) == ("answered", [[4]])
        assert answer["usage"]["model"] == "openai:m"
        # What a run spent is written behind its answer, which waits for nothing.
        assert wait_until(lambda: ann.get(f"{API}/usage").json()["models"], seconds=10)
        used = ann.get(f"{API}/usage").json()["models"]
        assert [(each["model"], each["calls"]) for each in used] == [("openai:m", 1)]
        assert used[0]["cost"] == pytest.approx(400 / 1e6)
        assert stub.headers[-1]["authorization"] == f"Bearer {KEY}"


def test_only_an_administrator_keeps_tries_and_removes_models(people: Town) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub, people.client("ann") as ann:
        keep(people, stub)
        assert ann.put(f"{API}/models/mine", json={"content": {"provider": "openai"}}).status_code == 403
        assert ann.post(f"{API}/models/fast/test").status_code == 403
        assert ann.get(f"{API}/models/providers").status_code == 403
        assert ann.delete(f"{API}/models/fast").status_code == 403
        asked = ann.post(f"{API}/query", json={"question": ONCE, "connection_id": "shop", "model": "openai:gpt"})
        assert asked.status_code == 404  # where data is sent is no choice of whoever asks


def test_a_failure_is_told_in_the_providers_words(people: Town) -> None:
    refused = Reply(status=403, error={"error": {"message": "Project has no access to model m", "code": "no_access"}})
    with openai_server(refused) as stub, people.client("root") as root, people.client("ann") as ann:
        keep(people, stub, "shut")
        tried = root.post(f"{API}/models/shut/test", headers={"accept-language": "zh"}).json()
        assert (tried["ok"], tried["code"], tried["detail"]) == (
            False, "model_forbidden", "Project has no access to model m",
        )  # fmt: skip
        assert tried["message"] == "该密钥无权使用此语言模型。"
        answer = ann.post(
            f"{API}/query", json={"question": ONCE, "connection_id": "shop", "model": "shut", "refresh": True}
        )
        assert answer.status_code == 200
        assert answer.json()["error"]["detail"] == "Project has no access to model m"


def test_a_model_says_no_and_asks_over_http(people: Town) -> None:
    no = Reply(arguments={"unanswerable": "There are no salaries here."})
    asks = Reply(arguments={"question": "Paid orders, or all?"})
    with openai_server(no, asks, Reply(arguments=GOOD)) as stub, people.client("ann") as ann:
        keep(people, stub, "shy")
        body = {"question": ONCE, "connection_id": "shop", "model": "shy", "refresh": True}
        declined = streamed(ann, "/query/stream", body)[-1]["answer"]
        assert (declined["status"], "no salaries" in declined["text"]) == ("declined", True)
        waiting = streamed(ann, "/query/stream", body)[-1]["answer"]
        assert (waiting["status"], waiting["text"]) == ("clarification", "Paid orders, or all?")
        resumed = streamed(ann, "/query/resume", {"thread_id": waiting["thread_id"], "reply": "all of them"})
        assert resumed[-1]["answer"]["rows"] == [[4]]  # by the model that had asked, and not the server's own
        assert len(stub.asked) == 3


def test_a_database_has_a_model_of_its_own(people: Town) -> None:
    with people.client("root") as root:
        assert root.put(f"{API}/connections/shop/model", json={"model": "nobody"}).status_code == 404
        with openai_server(Reply(arguments=GOOD)) as stub:
            keep(people, stub, "own")
            made = root.put(f"{API}/connections/shop/model", json={"model": "own"})
            assert made.json()["options"]["model"] == "own"
        assert root.put(f"{API}/connections/shop/model", json={"model": ""}).status_code == 200
        assert root.delete(f"{API}/models/own").status_code == 204
        assert root.get(f"{API}/models/providers").json()["providers"][0]["provider"] == "openai"
