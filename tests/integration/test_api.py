"""The server as its callers meet it: a real one on a real port."""

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest
from tests.integration.api_server import (
    API,
    HOW_MANY,
    IN_BEIJING,
    LONG,
    LONG_SQL,
    NAMES,
    Served,
    events_of,
    make_order,
    make_shop,
    served,
    streamed,
    wait_until,
)
from tests.servers import Server


def test_a_stream_has_numbered_events_and_ends_with_the_answer(client: httpx.Client) -> None:
    events = streamed(client, "/query/stream", {"question": HOW_MANY})
    kinds = [event["type"] for event in events]
    assert {"step", "sql", "rows", "facts", "followups", "usage"} <= set(kinds)
    assert kinds[-1] == "done"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert len({event["run_id"] for event in events}) == 1
    assert events[-1]["answer"]["rows"] == [["Beijing", 2], ["Paris", 2]]


def test_the_sync_twin_gives_the_same_answer_and_a_thread_to_go_on_with(client: httpx.Client) -> None:
    answer = client.post(API + "/query", json={"question": HOW_MANY}).json()
    assert answer["rows"] == [["Beijing", 2], ["Paris", 2]]
    again = client.post(API + "/query", json={"question": "thanks", "thread_id": answer["thread_id"]}).json()
    assert (again["status"], again["thread_id"]) == ("chat", answer["thread_id"])


def test_a_clarification_is_answered_by_resuming(client: httpx.Client) -> None:
    events = streamed(client, "/query/stream", {"question": IN_BEIJING})
    (asked,) = [event for event in events if event["type"] == "clarification"]
    reply = next(option["id"] for option in asked["options"] if "store" in option["label"].lower())
    thread = events[-1]["answer"]["thread_id"]
    resumed = streamed(client, "/query/resume", {"thread_id": thread, "reply": reply})
    assert resumed[-1]["answer"]["rows"] == [[3]]


def test_rows_are_paged_and_exported_in_every_form(client: httpx.Client) -> None:
    answer = client.post(API + "/query", json={"question": NAMES}).json()
    result = f"{API}/results/{answer['result_id']}"
    page = client.get(result, params={"page": 2, "page_size": 3}).json()
    assert (page["rows"], page["total_pages"], page["has_next"]) == ([["=cmd()", 4]], 2, False)
    csv = client.get(result + "/export").text.splitlines()
    assert (csv[0], csv[-1]) == ("name,order_id", "'=cmd(),4")
    assert client.get(result + "/export", params={"format": "json"}).json()[0] == {"name": "Ann", "order_id": 1}
    import openpyxl
    import pyarrow.parquet

    xlsx = openpyxl.load_workbook(io.BytesIO(client.get(result + "/export", params={"format": "xlsx"}).content))
    assert xlsx["result"].max_row == 5
    parquet = client.get(result + "/export", params={"format": "parquet"}).content
    assert pyarrow.parquet.read_table(io.BytesIO(parquet)).num_rows == 4


def test_a_thread_is_listed_renamed_read_forked_and_deleted(client: httpx.Client) -> None:
    answer = client.post(API + "/query", json={"question": HOW_MANY, "refresh": True}).json()
    thread = f"{API}/threads/{answer['thread_id']}"
    assert client.patch(thread, json={"title": "cities"}).json()["title"] == "cities"
    assert "cities" in [each["title"] for each in client.get(API + "/threads").json()]
    told = client.get(thread).json()
    assert [line["role"] for line in told["messages"]] == ["user", "assistant"]
    assert told["last_answer"]["sql"] == answer["sql"]
    moments = client.get(thread + "/checkpoints").json()
    made = client.post(thread + "/fork", json={"checkpoint_id": moments[0]["checkpoint_id"]}).json()
    assert client.get(f"{API}/threads/{made['id']}").json()["last_answer"]["sql"] == answer["sql"]
    assert client.delete(thread).status_code == 204
    assert client.get(thread).status_code == 404
    assert client.get(f"{API}/results/{answer['result_id']}").status_code == 404
    assert client.get(f"{API}/threads/{made['id']}").status_code == 200


def test_a_broken_stream_is_taken_up_by_its_number(client: httpx.Client) -> None:
    events = streamed(client, "/query/stream", {"question": HOW_MANY})
    thread = f"{API}/threads/{events[-1]['answer']['thread_id']}/events"
    whole = client.get(thread).json()
    assert whole["ended"] is True
    assert whole["events"] == events
    rest = client.get(thread, params={"after": 20, "run_id": events[0]["run_id"]}).json()
    assert [event["seq"] for event in rest["events"]] == list(range(21, len(events) + 1))


def test_one_idempotency_key_is_one_run(client: httpx.Client, server: Served) -> None:
    before, body, headers = server.calls, {"question": HOW_MANY, "refresh": True}, {"Idempotency-Key": "once"}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: client.post(API + "/query", json=body, headers=headers).json(), range(4)))
    later = client.post(API + "/query", json=body, headers=headers).json()
    assert len({answer["run_id"] for answer in [*found, later]}) == 1
    assert later["rows"] == found[0]["rows"] == [["Beijing", 2], ["Paris", 2]]
    assert server.calls == before + 1
    other = client.post(API + "/query", json={"question": NAMES}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "bad_request")


def test_a_run_is_cancelled_by_name(client: httpx.Client, server: Served) -> None:
    with client.stream("POST", API + "/query/stream", json={"question": LONG}) as response:
        run = response.headers["x-run-id"]
        seen: list[dict[str, Any]] = []
        for event in events_of(response):
            seen.append(event)
            if event["type"] == "sql":
                with server.client() as other:
                    assert other.post(f"{API}/runs/{run}/cancel").status_code == 204
    assert (seen[-1]["type"], seen[-1]["code"]) == ("error", "cancelled")
    assert server.app.state.shared.gate.running == 0


def test_a_thread_answers_one_question_at_a_time(client: httpx.Client, server: Served) -> None:
    thread = client.post(API + "/threads", json={}).json()["id"]
    with client.stream("POST", API + "/query/stream", json={"question": LONG, "thread_id": thread}) as response:
        events = events_of(response)
        assert any(event["type"] == "sql" for event in events)
        with server.client() as other:
            busy = other.post(API + "/query", json={"question": HOW_MANY, "thread_id": thread})
    assert (busy.status_code, busy.json()["code"]) == (409, "thread_busy")


def test_thumbs_propose_a_sample_and_empty_the_caches(client: httpx.Client, server: Served) -> None:
    answer = client.post(API + "/query", json={"question": HOW_MANY}).json()
    cached = client.post(API + "/query", json={"question": HOW_MANY}).json()
    assert cached["cache"]["level"] == "exact"
    up = client.post(API + "/feedback", json={"thread_id": answer["thread_id"], "verdict": "up"}).json()
    mine = {sample["id"]: sample for sample in client.get(f"{API}/connections/shop/samples").json()}
    assert (mine[up["sample_id"]]["sql"], mine[up["sample_id"]]["approved"]) == (answer["sql"], False)
    assert client.post(API + "/feedback", json={"thread_id": cached["thread_id"], "verdict": "down"}).status_code == 200
    before = server.calls
    assert client.post(API + "/query", json={"question": HOW_MANY}).json()["cache"] is None
    assert server.calls == before + 1
    # Whoever now calls the same statement wrong proposes it no longer.
    assert client.post(f"{API}/samples/{up['sample_id']}/approve").status_code == 404
    up = client.post(API + "/feedback", json={"thread_id": answer["thread_id"], "verdict": "up"}).json()
    assert client.post(f"{API}/samples/{up['sample_id']}/approve").json()["approved"] is True
    anew = client.post(API + "/query", json={"question": HOW_MANY, "refresh": True}).json()
    assert (anew["provenance"]["samples"], anew["rows"]) == ([HOW_MANY], answer["rows"])
    assert server.calls == before + 1  # an approved answer to this very question needs no model


def test_a_thumb_taken_back_leaves_the_review_queue_and_each_answer_has_its_own(client: httpx.Client) -> None:
    first = client.post(API + "/query", json={"question": NAMES}).json()
    thread = {"thread_id": first["thread_id"]}
    client.post(API + "/query", json={"question": HOW_MANY} | thread)

    def thumb(verdict: str, **more: str) -> httpx.Response:
        return client.post(API + "/feedback", json={"verdict": verdict, "run_id": first["run_id"]} | thread | more)

    def waiting() -> list[str]:
        found = client.get(f"{API}/connections/shop/samples").json()
        return [each["sql"] for each in found if each["source"] == "feedback" and each["question"] == NAMES]

    assert thumb("up").json()["sample_id"]
    assert waiting() == [first["sql"]]
    assert thumb("none").json() == {"verdict": "none", "sample_id": None}
    assert waiting() == []
    thumb("up")
    assert thumb("down", reason="period", note="this is May").status_code == 200
    assert waiting() == []
    assert wait_until(lambda: "down period: this is May" in client.get(API + "/audit").text, 10)
    assert client.post(API + "/query", json={"question": NAMES}).json()["cache"] is None
    assert thumb("down", reason="mood").status_code == 422
    assert thumb("down", run_id="of-nobody").status_code == 404


def test_a_database_is_tried_registered_browsed_and_removed(
    client: httpx.Client, tmp_path: Path, server: Served
) -> None:
    url = make_shop(tmp_path / "second.sqlite")
    assert client.post(API + "/connections/test", json={"url": url}).json()["tables"] == 4
    made = client.post(API + "/connections", json={"name": "second", "url": url, "options": {"currency": "EUR"}})
    assert (made.status_code, made.json()["found"]["tables"]) == (201, 4)
    second = f"{API}/connections/{made.json()['id']}"
    assert client.get(second + "/tables", params={"search": "customer city"}).json()["tables"][0]["name"] == "customers"
    details = client.get(second + "/tables/orders").json()
    assert {join["right"] for join in details["joins"]} == {"customers", "stores"}
    assert client.post(second + "/refresh").json()["tables"] == 4
    assert (
        client.get(second + "/tables/ordres")
        .json()["message"]
        .startswith("There is no table named ordres. Did you mean: orders")
    )
    terms = {"terms": {"town": {"meaning": "the city of a customer"}}}
    assert client.put(second + "/glossary", json={"glossary": terms}).json() == {"version": 1}
    assert "town" in client.get(second + "/glossary.yaml").text
    assert client.delete(second).status_code == 204
    assert client.get(second).status_code == 404


def test_kinds_of_database_say_how_they_are_addressed_and_what_installs_them(client: httpx.Client) -> None:
    found = {kind["scheme"]: kind for kind in client.get(API + "/engines").json()}
    assert list(found)[:4] == ["sqlite", "postgresql", "mysql", "duckdb"]
    sqlite, postgres, files = found["sqlite"], found["postgresql"], found["files"]
    assert (sqlite["kind"], sqlite["installed"], sqlite["extra"]) == ("file", True, None)
    assert [field["name"] for field in sqlite["fields"]] == ["path"]
    assert (postgres["kind"], postgres["extra"], postgres["dialect"]) == ("server", "postgres", "postgres")
    parts = {field["name"]: field for field in postgres["fields"]}
    assert list(parts) == ["host", "port", "database", "user", "password"]
    assert (parts["port"]["default"], parts["password"]["secret"], parts["host"]["label"]["zh"]) == (
        "5432",
        True,
        "主机",
    )
    assert files["label"]["en"] != files["label"]["zh"]
    assert [scheme for scheme, kind in found.items() if kind["uploads"]] == ["files"]
    assert ".csv" in files["suffixes"]
    asked = [field["name"] for field in found["snowflake"]["fields"] if field["parameter"]]
    assert asked == ["warehouse", "role"]


def test_a_statement_of_ones_own_is_checked_charted_and_kept(client: httpx.Client) -> None:
    shop = f"{API}/connections/shop"
    sql = "SELECT city, COUNT(*) AS n FROM stores GROUP BY city ORDER BY city"
    found = client.post(shop + "/sql", json={"sql": sql, "question": "stores by city"}).json()
    assert (found["rows"], found["row_count"], found["truncated"]) == ([["Beijing", 1], ["Paris", 1]], 2, None)
    assert found["chart"]["type"] == "bar"
    assert client.get(f"{API}/results/{found['result_id']}/export").text.startswith("city,n")
    cut = client.post(shop + "/sql", json={"sql": "SELECT i FROM numbers", "rows": 5}).json()
    assert (cut["row_count"], cut["truncated"]) == (5, "rows")
    for bad in ("DELETE FROM orders", "SELECT 1; SELECT 2", "SELECT * FROM nothing", "PRAGMA table_info(orders)"):
        refused = client.post(shop + "/sql", json={"sql": bad})
        assert (refused.status_code, refused.json()["code"]) == (422, "sql_refused")


def test_a_keyword_that_names_a_table_is_said_to_want_quotes(client: httpx.Client, tmp_path: Path) -> None:
    made = client.post(
        API + "/connections", json={"name": "words", "url": make_order(tmp_path / "words.sqlite")}
    ).json()
    place, body = f"{API}/connections/{made['id']}", {"sql": "SELECT * FROM values"}
    refused = client.post(place + "/sql", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "unquoted_name")
    assert 'Quote it in the statement: "values"' in refused.json()["message"]
    assert "须加引号" in client.post(place + "/sql", json=body, headers={"Accept-Language": "zh"}).json()["message"]
    assert client.post(place + "/sql", json={"sql": "SELECT * FROM order"}).status_code == 200
    assert client.delete(place).status_code == 204


def test_whoever_leaves_takes_their_statement_along(client: httpx.Client, server: Served) -> None:
    gate = server.app.state.shared.gate
    with pytest.raises(httpx.ReadTimeout):
        client.post(f"{API}/connections/shop/sql", json={"sql": LONG_SQL}, timeout=httpx.Timeout(30, read=1))
    assert wait_until(lambda: gate.running == 0 and gate.held == 0, 20)
    assert client.get("/health/live").status_code == 200


def test_a_refresh_tells_how_far_it_is(client: httpx.Client) -> None:
    with client.stream("POST", f"{API}/connections/shop/refresh/stream") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = list(events_of(response))
    assert {event["type"] for event in events} == {"progress", "done"}
    assert (events[-1]["type"], events[-1]["result"]["tables"]) == ("done", 4)
    assert client.post(f"{API}/connections/nothing/refresh/stream").status_code == 404


def test_the_model_is_shown_and_tried(client: httpx.Client) -> None:
    assert client.get(API + "/model").json()["provider"] == "embedded"
    far = {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", "api_key": "k"}
    tried = client.post(API + "/model/test", json=far).json()
    assert (tried["ok"], tried["code"].startswith("model_")) == (False, True)
    assert client.post(API + "/model/test", json={"provider": "nobody"}).json()["ok"] is False


def test_analysts_are_versioned(client: httpx.Client) -> None:
    made = client.post(API + "/profiles", json={"name": "Brief", "content": {"analysis": "short"}}).json()
    changed = client.patch(f"{API}/profiles/{made['id']}", json={"content": {"analysis": "none"}}).json()
    assert (made["version"], changed["version"]) == (1, 2)
    assert len(client.get(f"{API}/profiles/{made['id']}/versions").json()) == 2
    assert client.delete(f"{API}/profiles/{made['id']}").status_code == 204


def test_health_and_metrics_tell_how_it_is(client: httpx.Client) -> None:
    assert client.get("/health/live").json() == {"status": "live"}
    ready = client.get("/health/ready").json()
    assert (ready["ready"], {check["name"] for check in ready["checks"]}) == (
        True,
        {"files", "store", "threads", "cache", "queue", "model"},
    )
    streamed(client, "/query/stream", {"question": HOW_MANY})
    text = client.get("/metrics").text
    assert 'inquery_runs_total{status="answered"}' in text
    assert 'route="/api/v1/query/stream"' in text


def test_a_full_queue_is_an_honest_503_and_nothing_waits_for_ever(tmp_path: Path) -> None:
    limits = {"concurrent_runs": 1, "queue": 1}
    body = {"question": HOW_MANY, "refresh": True}
    with (
        served(tmp_path, server=limits, delay_s=0.3) as server,
        ThreadPoolExecutor(6) as pool,
        server.client() as client,
    ):
        client.post(API + "/query", json=body)
        sent = list(pool.map(lambda _: client.post(API + "/query", json=body), range(6)))
        assert {answer.status_code for answer in sent} == {200, 503}
        refused = [answer for answer in sent if answer.status_code == 503]
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert {answer.json()["code"] for answer in refused} == {"server_busy"}
        assert client.post(API + "/query", json=body).status_code == 200


@pytest.fixture
def numbers(postgres: Server) -> Iterator[psycopg.Connection[Any]]:
    """The administrator's own session, and a table that makes statements long."""
    with psycopg.connect(
        host="127.0.0.1", port=postgres.port, user=postgres.admin, password=postgres.password, dbname="postgres",
        autocommit=True,
    ) as admin:  # fmt: skip
        admin.execute("CREATE TABLE numbers AS SELECT generate_series(1, 3000) AS i")
        admin.execute(f"GRANT SELECT ON numbers TO {postgres.reader}")
        yield admin
        admin.execute("DROP TABLE numbers")


def test_a_vanished_client_leaves_no_statement_on_postgres(
    numbers: "psycopg.Connection[Any]", postgres: Server, tmp_path: Path
) -> None:
    account = f"{postgres.reader}:{quote(postgres.reader_password, safe='')}"
    url = f"postgresql://{account}@127.0.0.1:{postgres.port}/postgres"

    def running() -> bool:
        found = numbers.execute(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND usename = %s", [postgres.reader]
        ).fetchone()
        return bool(found and found[0])

    with served(tmp_path, url) as server, server.client() as client:
        with client.stream("POST", API + "/query/stream", json={"question": LONG}) as response:
            events = events_of(response)  # held: a generator that is dropped closes the connection
            assert any(event["type"] == "sql" for event in events)
            assert wait_until(running, 10)
        assert wait_until(lambda: not running(), 2)


@pytest.fixture
def mariadb_numbers(mariadb: Server) -> Iterator[Any]:
    """The same on MariaDB."""
    import pymysql

    with pymysql.connect(
        host="127.0.0.1", port=mariadb.port, user=mariadb.admin, password=mariadb.password, autocommit=True
    ) as admin:
        with admin.cursor() as cursor:
            cursor.execute("CREATE DATABASE vanishing")
            cursor.execute("USE vanishing")
            cursor.execute("CREATE TABLE numbers SELECT seq AS i FROM seq_1_to_3000")
            cursor.execute(f"GRANT SELECT ON vanishing.* TO {mariadb.reader}@'%'")
        yield admin
        with admin.cursor() as cursor:
            cursor.execute("DROP DATABASE vanishing")


def test_a_vanished_client_leaves_no_statement_on_mariadb(
    mariadb_numbers: Any, mariadb: Server, tmp_path: Path
) -> None:
    account = f"{mariadb.reader}:{quote(mariadb.reader_password, safe='')}"
    url = f"mysql://{account}@127.0.0.1:{mariadb.port}/vanishing"

    def running() -> bool:
        with mariadb_numbers.cursor() as cursor:
            cursor.execute(
                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND USER = %s",
                [mariadb.reader],
            )
            return bool(cursor.fetchone()[0])

    with served(tmp_path, url) as server, server.client() as client:
        with client.stream("POST", API + "/query/stream", json={"question": LONG}) as response:
            events = events_of(response)
            assert any(event["type"] == "sql" for event in events)
            assert wait_until(running, 10)
        assert wait_until(lambda: not running(), 2)
