"""Reports over HTTP: kept, filled, looked at, corrected, scheduled; each person's own."""

import base64
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from tests.integration.api_server import API, wait_until
from tests.integration.people import Town, town

from inquery.store.grants import Grants, Rules
from inquery.store.tables import report_schedules

TEMPLATE = "# R\n\nOrders: {{value: how many orders are there}}\n\n{{table: orders of each customer}}\n"
SCRIPT = {
    "how many orders are there": ["SELECT COUNT(*) AS n FROM orders"],
    "orders of each customer": ["SELECT c.name, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.name ORDER BY c.name"],
}  # fmt: skip


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    folder = tmp_path_factory.mktemp("reports")
    with town(folder, reports={"tick_s": 0.2, "folders": [str(folder / "out")]}) as found:
        found.server.writer._script = SCRIPT
        yield found


@pytest.fixture
def ann(people: Town) -> Iterator[httpx.Client]:
    with people.client("ann") as client:
        yield client


def kept(client: httpx.Client, name: str, **body: Any) -> dict[str, Any]:
    answer = client.post(API + "/reports", json={"name": name, "connection_id": "shop", "text": TEMPLATE} | body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def filled(client: httpx.Client, report: dict[str, Any], **body: Any) -> dict[str, Any]:
    begun = client.post(f"{API}/reports/{report['id']}/runs", json=body)
    assert begun.status_code == 202, begun.text
    where = f"{API}/report-runs/{begun.json()['id']}"
    assert wait_until(lambda: client.get(where).json()["status"] != "running", 60)
    found: dict[str, Any] = client.get(where).json()
    return found


def test_a_report_is_filled_twice_and_read_in_every_form(ann: httpx.Client) -> None:
    report = kept(ann, "first")
    first, second = filled(ann, report), filled(ann, report)
    assert (first["status"], first["content"]["model_calls"], second["content"]["model_calls"]) == ("done", 2, 0)
    assert [value["via"] for value in second["values"]] == ["binding", "binding"]
    assert second["changes"] == []
    assert first["values"][0]["preview"] == [[4]]
    for form, start in (("html", b"<!DOCTYPE"), ("pdf", b"%PDF"), ("docx", b"PK"), ("md", b"# R")):
        document = ann.get(f"{API}/report-runs/{first['id']}/document", params={"format": form})
        assert document.content.startswith(start)
        assert document.headers["content-disposition"].startswith("attachment")
        assert "default-src 'self'" in document.headers["content-security-policy"]
    page = ann.get(f"{API}/report-runs/{first['id']}/document").text
    assert "=cmd()" in page
    assert ann.get(f"{API}/reports/{report['id']}/template").text == TEMPLATE
    assert len(ann.get(f"{API}/reports/{report['id']}/runs").json()) == 2


def test_statements_are_pinned_edited_and_rejected(ann: httpx.Client) -> None:
    report = kept(ann, "second")
    filled(ann, report)
    where = f"{API}/reports/{report['id']}/placeholders"
    key = ann.get(where).json()[0]["key"]
    assert ann.post(f"{where}/{key}", json={"decision": "pin"}).json()["state"] == "pinned"
    refused = ann.post(f"{where}/{key}", json={"decision": "edit", "sql": "DELETE FROM orders"})
    assert (refused.status_code, refused.json()["code"]) == (422, "sql_refused")
    edited = ann.post(f"{where}/{key}", json={"decision": "edit", "sql": "SELECT COUNT(*) * 10 AS n FROM orders"})
    assert edited.json()["state"] == "pinned"
    assert filled(ann, report)["values"][0]["preview"] == [[40]]
    assert ann.post(f"{where}/{key}", json={"decision": "reject"}).json()["state"] == "rejected"
    assert ann.post(f"{where}/nothing", json={"decision": "pin"}).status_code == 404


def test_bad_requests_are_refused_with_their_reason(ann: httpx.Client) -> None:
    for body, status in (
        ({"name": "x", "filename": "x.exe", "text": "a"}, 422),
        ({"name": "x", "filename": "x.docx", "content_base64": base64.b64encode(b"no zip").decode()}, 422),
        ({"name": "x", "content_base64": "§"}, 422),
        ({"name": "x", "template": "nothing"}, 404),
        ({"name": "x", "connection_id": "nowhere", "text": "a"}, 404),
        ({"name": " ", "text": "a"}, 422),
        ({"name": "a/b", "text": "a"}, 422),
    ):
        assert ann.post(API + "/reports", json=body).status_code == status, body
    big = ann.post(API + "/reports", json={"name": "x", "text": "x" * (20 << 20)})
    assert (big.status_code, big.json()["code"]) == (413, "body_too_large")
    report = kept(ann, "third")
    for body in (
        {"cron": "nonsense"},
        {"target": "/etc"},
        {"target": "gopher://x"},
        {"outputs": []},
        {"outputs": ["exe"]},
    ):
        assert ann.post(f"{API}/reports/{report['id']}/schedules", json=body).status_code == 422, body
    assert kept(ann, "demo", template="weekly-sales", connection_id=None, text=None)["connection_id"] == "demo"


def test_a_report_is_its_owners_alone(people: Town, ann: httpx.Client) -> None:
    report = kept(ann, "private")
    run = filled(ann, report)
    plan = ann.post(f"{API}/reports/{report['id']}/schedules", json={}).json()
    with people.client("bob") as bob, people.client("vic") as vic:
        assert bob.get(API + "/reports").json()["reports"] == []
        assert vic.get(API + "/reports").status_code == 403
        for method, path in (
            ("GET", f"/reports/{report['id']}"), ("DELETE", f"/reports/{report['id']}"),
            ("GET", f"/reports/{report['id']}/template"), ("GET", f"/reports/{report['id']}/placeholders"),
            ("GET", f"/reports/{report['id']}/runs"), ("POST", f"/reports/{report['id']}/runs"),
            ("GET", f"/report-runs/{run['id']}"), ("GET", f"/report-runs/{run['id']}/document"),
            ("POST", f"/report-runs/{run['id']}/resume"), ("GET", f"/reports/{report['id']}/schedules"),
            ("DELETE", f"/reports/{report['id']}/schedules/{plan['id']}"),
        ):  # fmt: skip
            assert bob.request(method, API + path, json={} if method == "POST" else None).status_code == 404, path
        own = bob.post(API + "/reports", json={"name": "b", "text": TEMPLATE, "connection_id": "shop"})
        assert own.status_code == 404, "a database bob may not ask"
    assert ann.delete(f"{API}/reports/{report['id']}/schedules/{plan['id']}").status_code == 204
    assert ann.delete(f"{API}/reports/{report['id']}").status_code == 204
    assert ann.get(f"{API}/report-runs/{run['id']}").status_code == 404


def test_rights_taken_away_are_gone_from_the_next_run(people: Town) -> None:
    with people.client("bob") as bob:
        grants = Grants(people.server.app.state.shared.store)
        grant = grants.put(people.shop, "user", people.ids["bob"], Rules(tables=("orders",)))
        report = kept(bob, "narrow")
        run = filled(bob, report)
        assert {value["line"]: value["status"] for value in run["values"]} == {3: "solved", 5: "unsolved"}
        grants.remove(grant.id)
        lost = filled(bob, report)
        assert lost["status"] == "failed"
        assert "orders" not in str([value["preview"] for value in lost["values"]])


def test_the_server_fills_what_is_due(people: Town, ann: httpx.Client) -> None:
    report = kept(ann, "weekly")
    where = f"{API}/reports/{report['id']}/schedules"
    out = Path(people.server.settings.reports.folders[0])
    secret = str(out / "canary-7f3a")
    made = ann.post(where, json={"cron": "0 8 * * 1", "outputs": ["md"], "target": secret}).json()
    assert made["delivers"] is True
    assert "canary-7f3a" not in ann.get(where).text
    due = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=1)
    with people.server.app.state.shared.store.write() as connection:
        connection.execute(update(report_schedules).where(report_schedules.c.id == made["id"]).values(next_at=due))
    assert wait_until(lambda: ann.get(where).json()[0]["last_run"] != "", 60)
    assert ann.get(where).json()[0]["last_outcome"] == "done; md folder"
    (path,) = Path(secret).iterdir()
    assert "Orders: 4" in path.read_text("utf-8")


@pytest.mark.parametrize(("language", "said"), [("en", "opens or closes no block"), ("zh", "没有对应的块")])
def test_a_template_is_seen_as_a_document_while_it_is_written(ann: httpx.Client, language: str, said: str) -> None:
    text = "# R {{= m}}\n\n{{parameter: m = last month | type=period}}{{#each}}\n\nOrders: {{value: how many orders are there}}\n"
    body = {"text": text + "{{#if n > 1}}Many{{/if}} {{value: x | as=n}}\n"}
    answer = ann.post(API + "/report-sketches", json=body, headers={"accept-language": language})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    heading, *rest = found["blocks"]
    assert (heading["kind"], "".join(run["text"] for run in heading["runs"])) == ("heading", "R last month")
    runs = [run for block in rest for run in block["runs"]]
    assert [run["text"] for run in runs if run["waiting"]] == ["… how many orders are there", "… x"]
    assert "Many" in "".join(run["text"] for run in runs)
    assert [each["name"] for each in found["parameters"]] == ["m"]
    assert [(each["line"], said in each["message"]) for each in found["problems"]] == [(3, True)]


def test_what_is_open_in_a_question_is_named_before_a_run_and_filled_in_it(ann: httpx.Client) -> None:
    text = "{{parameter: week = 2026-09 | type=period}}{{value: how many orders are there | period=$week | city=Beijing}}\n"
    report = kept(ann, "words", text=text)
    [place] = ann.get(f"{API}/reports/{report['id']}/placeholders").json()
    assert place["title"] == "how many orders are there · week · city = Beijing"
    [value] = filled(ann, report)["values"]
    assert value["title"] == "how many orders are there for city Beijing in 2026-09"


def test_what_is_only_looked_at_while_it_is_written_is_no_deed(people: Town, ann: httpx.Client) -> None:
    ann.post(API + "/report-sketches", json={"text": TEMPLATE}).raise_for_status()
    report = kept(ann, "deed")
    with people.client("root") as root:
        entries = root.get(API + "/audit", params={"limit": 500}).json()["entries"]
    actions = {each["action"] for each in entries}
    assert ("reports.add_report" in actions, "reports.sketch" in actions) == (True, False), report


def test_a_word_template_is_seen_as_its_document_with_tables_and_days(ann: httpx.Client) -> None:
    made = ann.post(API + "/reports", json={"name": "month", "template": "monthly-business"}).raise_for_status().json()
    found = ann.get(f"{API}/reports/{made['id']}/sketch", headers={"accept-language": "zh"}).raise_for_status().json()
    kinds = [block["kind"] for block in found["blocks"]]
    assert (kinds[0], "table" in kinds, found["problems"]) == ("heading", True, [])
    runs = [run for block in found["blocks"] for run in block["runs"]]
    assert [run for run in runs if run["problem"]] == []
    assert any(run["waiting"] and "渠道" in run["text"] for run in runs)


def test_no_schedule_mails_where_no_mail_server_is_set(ann: httpx.Client) -> None:
    report = kept(ann, "unmailed")
    body = {"cron": "0 8 * * 1", "recipients": ["ann@shop.example"]}
    refused = ann.post(f"{API}/reports/{report['id']}/schedules", json=body)
    assert (refused.status_code, "mail.host" in refused.text) == (422, True)
    assert ann.get(API + "/reports").json()["mail"] is False


def test_a_value_is_told_as_its_document_has_it(ann: httpx.Client) -> None:
    text = "{{value: how many orders are there | format=currency | currency=CNY}}\n\n{{table: orders of each customer | rows=1}}\n"
    run = filled(ann, kept(ann, "told", text=text))
    amount, table = (value["document"] for value in run["values"])
    assert (amount["text"], amount["rows"], amount["chart"]) == ("¥4.00", [], None)
    assert (table["text"], table["numbers"], table["left_out"]) == ("", [1], 1)
    assert (table["rows"][0], len(table["rows"])) == (["name", "n"], 2)
    assert [value["status"] for value in run["values"]] == ["solved", "solved"]
