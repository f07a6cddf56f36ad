"""An edited question takes the place of the old one, and the old way can be gone again."""

from typing import Any

import httpx
from tests.integration.api_server import (
    API,
    HOW_MANY,
    IN_BEIJING,
    LONG,
    NAMES,
    ONCE,
    Served,
    streamed,
    wait_until,
)


def asked(client: httpx.Client, question: str, thread_id: str = "", **more: Any) -> dict[str, Any]:
    """An answer; the log has its run when the thread lists it."""
    body = {"question": question, "thread_id": thread_id or None, **more}
    found: dict[str, Any] = client.post(API + "/query", json=body).json()
    return found


def told(client: httpx.Client, thread_id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{API}/threads/{thread_id}").json()
    return found


def said(thread: dict[str, Any]) -> list[str]:
    return [line["text"] for line in thread["messages"] if line["role"] == "user"]


def test_an_edited_question_takes_the_place_of_the_turn_and_what_followed(client: httpx.Client) -> None:
    first = asked(client, HOW_MANY)
    thread = first["thread_id"]
    second = asked(client, NAMES, thread)
    third = asked(client, "thanks", thread)
    edited = asked(client, ONCE, thread, replaces=second["run_id"])
    assert edited["rows"] == [[4]]
    now = told(client, thread)
    assert now["runs"] == [first["run_id"], edited["run_id"]]
    assert now["versions"] == {edited["run_id"]: [second["run_id"], edited["run_id"]]}
    assert said(now) == [HOW_MANY, ONCE]
    assert now["last_answer"]["sql"] == edited["sql"]
    old = client.get(f"{API}/threads/{thread}/events", params={"run_id": third["run_id"]}).json()
    assert old["ended"]


def test_an_old_version_is_shown_again_and_gone_on_with(client: httpx.Client) -> None:
    thread = asked(client, ONCE)["thread_id"]
    second = asked(client, HOW_MANY, thread)
    edited = asked(client, NAMES, thread, replaces=second["run_id"])
    back = client.post(f"{API}/threads/{thread}/version", json={"run_id": second["run_id"]}).json()
    assert (back["runs"][-1], said(back)) == (second["run_id"], [ONCE, HOW_MANY])
    assert back["last_answer"]["sql"] == second["sql"]
    more = asked(client, "only the top 1", thread)
    assert [row in second["rows"] for row in more["rows"]] == [True]  # one of its two, for they are equal
    again = client.post(f"{API}/threads/{thread}/version", json={"run_id": edited["run_id"]}).json()
    assert said(again) == [ONCE, NAMES]
    whole = client.post(f"{API}/threads/{thread}/version", json={"run_id": second["run_id"]}).json()
    assert whole["runs"][-1] == more["run_id"]
    assert whole["versions"] == {second["run_id"]: [second["run_id"], edited["run_id"]]}


def test_the_first_question_is_edited_and_names_the_conversation(client: httpx.Client) -> None:
    first = asked(client, HOW_MANY)
    thread = first["thread_id"]
    asked(client, "thanks", thread)
    edited = asked(client, ONCE, thread, replaces=first["run_id"])
    now = told(client, thread)
    assert (now["title"], now["runs"], said(now)) == (ONCE, [edited["run_id"]], [ONCE])
    client.patch(f"{API}/threads/{thread}", json={"title": "ours"})
    asked(client, NAMES, thread, replaces=edited["run_id"])
    assert told(client, thread)["title"] == "ours"
    assert len(next(iter(told(client, thread)["versions"].values()))) == 3


def test_a_turn_that_asked_back_is_replaced_with_its_reply(client: httpx.Client) -> None:
    events = streamed(client, "/query/stream", {"question": IN_BEIJING})
    thread, begun = events[-1]["answer"]["thread_id"], events[0]["run_id"]
    client.post(API + "/query/resume/sync", json={"thread_id": thread, "reply": "1"})
    edited = asked(client, ONCE, thread, replaces=begun)
    assert told(client, thread)["runs"] == [edited["run_id"]]
    back = client.post(f"{API}/threads/{thread}/version", json={"run_id": begun}).json()
    assert (len(back["runs"]), back["runs"][0]) == (2, begun)


def test_one_key_replaces_once(client: httpx.Client) -> None:
    first = asked(client, HOW_MANY)
    body = {"question": ONCE, "thread_id": first["thread_id"], "replaces": first["run_id"]}
    answers = [client.post(API + "/query", json=body, headers={"Idempotency-Key": "edit"}).json() for _ in range(2)]
    assert answers[0]["run_id"] == answers[1]["run_id"]
    assert told(client, first["thread_id"])["runs"] == [answers[0]["run_id"]]


def test_a_shared_conversation_is_the_one_that_is_shown(client: httpx.Client) -> None:
    first = asked(client, HOW_MANY)
    asked(client, ONCE, first["thread_id"], replaces=first["run_id"])
    link = client.post(f"{API}/threads/{first['thread_id']}/share").json()
    shared = client.get(f"{API}/shared/{link['id']}").json()
    assert [answer["question"] for answer in shared["answers"]] == [ONCE]


def test_what_cannot_be_replaced_is_refused(client: httpx.Client) -> None:
    first, other = asked(client, HOW_MANY), asked(client, NAMES)
    here = {"question": ONCE, "thread_id": first["thread_id"]}
    assert client.post(API + "/query", json=here | {"replaces": other["run_id"]}).status_code == 404
    assert client.post(API + "/query", json={"question": ONCE, "replaces": first["run_id"]}).status_code == 422
    unknown = client.post(f"{API}/threads/{first['thread_id']}/version", json={"run_id": "r"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    asked(client, ONCE, first["thread_id"], replaces=first["run_id"])
    gone = client.post(API + "/query", json=here | {"question": NAMES, "replaces": first["run_id"]})
    assert gone.status_code == 404


def test_a_conversation_that_runs_keeps_its_way(client: httpx.Client, server: Served) -> None:
    first = asked(client, HOW_MANY)
    thread = first["thread_id"]
    with client.stream("POST", API + "/query/stream", json={"question": LONG, "thread_id": thread}) as running:
        lines = running.iter_lines()
        while "run_sql" not in next(lines):
            pass
        with server.client() as other:
            refused = other.post(
                API + "/query", json={"question": ONCE, "thread_id": thread, "replaces": first["run_id"]}
            )
            assert (refused.status_code, refused.json()["code"]) == (409, "thread_busy")
    wait_until(lambda: len(told(client, thread)["runs"]) == 2, 20)
