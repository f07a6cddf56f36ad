"""Text of others never becomes code: cells, names, titles, descriptions, chart labels, and answers of a broken server."""

import json
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import Program
from tests.e2e.test_conversation import ask, start

CORPUS = (
    "<script>window.ran=1</script>",
    '<img src=x onerror="window.ran=1">',
    "\"><svg onload='window.ran=1'>",
    "javascript:window.ran=1",
    "{{constructor.constructor('window.ran=1')()}}",
    "${window.ran=1}",
    "</textarea><iframe srcdoc='<script>parent.ran=1</script>'>",
    "'-window.ran=1-'",
    "<math><mtext><style><img src onerror=window.ran=1>",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "\u202e<b>right to left</b>",
)


@pytest.fixture
def hostile(server: Program, tmp_path: Path) -> str:
    """A database whose every name and cell would like to run."""
    path = tmp_path / "hostile.db"
    names = [text.replace('"', '""') for text in CORPUS[:6]]
    with sqlite3.connect(path) as connection:
        columns = ", ".join(f'"{name} {place}" TEXT' for place, name in enumerate(names))
        connection.execute(f'CREATE TABLE hostile ({columns}, "n <script>" INTEGER, huge INTEGER, "long" TEXT)')
        for place, text in enumerate(CORPUS):
            row = [*[text] * len(names), place + 1, 9_007_199_254_740_993 + place, text + "x" * 2_000]
            connection.execute(f"INSERT INTO hostile VALUES ({', '.join('?' * len(row))})", row)
        connection.execute(f'CREATE TABLE "{names[1]}" (id INTEGER PRIMARY KEY)')
    connection.close()
    with server.client() as client:
        made = client.post("/connections", json={"name": CORPUS[0] + tmp_path.name, "url": str(path)}).json()
        about = {"table": "hostile", "column": None, "en": CORPUS[1], "zh": CORPUS[2]}
        assert client.put(f"/connections/{made['id']}/descriptions", json=about).status_code == 200
    return str(made["id"])


def nothing_ran(page: Page) -> None:
    assert page.evaluate("window.ran") is None
    assert page.locator("iframe, main script, main img[src='x']").count() == 0


def test_cells_names_and_descriptions_stay_text(opened: Opener, server: Program, hostile: str) -> None:
    page = opened(server, f"/data/{hostile}/hostile").page
    expect(page.get_by_role("cell", name=CORPUS[0] + " 0", exact=True)).to_be_visible()
    expect(page.get_by_text(CORPUS[1], exact=True).first).to_be_visible()
    page.get_by_role("tab", name="Diagram").click()
    page.get_by_role("region", name="Diagram of 2 tables").wait_for()
    # Not into the page that is open, which may write its own choice once more before it goes.
    page.add_init_script(f"localStorage.inquery = JSON.stringify({{connection: '{hostile}'}})")
    page.goto(server.url)
    question = f"Show the hostile rows {CORPUS[3]} {CORPUS[5]} &lt;b&gt;"  # tags are told as a program, not asked
    start(page, question)
    page.get_by_role("tab", name="Table").click()
    expect(page.get_by_role("cell", name=CORPUS[0], exact=True).first).to_be_visible()
    page.get_by_role("table").evaluate("frame => frame.scrollLeft = 100000")
    expect(page.get_by_role("cell", name="9,007,199,254,740,993", exact=True)).to_be_visible()
    page.get_by_role("cell").get_by_role("button", name=CORPUS[0]).last.click()
    expect(page.get_by_role("dialog").locator("pre")).to_contain_text("xxxxxxxxxx")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Chart").click()
    page.get_by_label("Chart type").select_option("pie")
    expect(page.locator(".recharts-legend-item-text").first).to_be_visible()
    page.get_by_role("tab", name="SQL").click()
    nothing_ran(page)
    page.reload()
    expect(page.get_by_role("article")).to_have_attribute("aria-label", question)
    nothing_ran(page)


def test_titles_samples_terms_and_analysts_stay_text(opened: Opener, server: Program) -> None:
    with server.client() as client:
        thread = client.post("/threads", json={"title": CORPUS[1]}).json()
        client.post("/connections/demo/samples", json={"question": CORPUS[0], "sql": "SELECT 1 AS n FROM orders"})
        analyst = client.post("/profiles", json={"name": CORPUS[2], "content": {"prompt": CORPUS[1]}}).json()
        saved = client.post("/saved", json={"question": CORPUS[1], "connection_id": "demo"}).json()
    page = opened(server, "/knowledge").page
    expect(page.get_by_role("button", name=CORPUS[0], exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=CORPUS[1])).to_be_visible()
    for path, text in (("/analysts", CORPUS[2]), ("/saved", CORPUS[1]), (f"/t/{thread['id']}", CORPUS[1])):
        page.goto(server.url + path)
        expect(page.get_by_text(text).first).to_be_visible()
        nothing_ran(page)
    with server.client() as client:
        client.delete(f"/profiles/{analyst['id']}")
        client.delete(f"/saved/{saved['id']}")


def test_an_answer_made_by_an_enemy_stays_text(opened: Opener, server: Program) -> None:
    """A chart specification, prose, suggestions and an error of anybody's making: only drawn, never run."""
    page = opened(server).page
    evil = CORPUS[1]
    answer = {
        "status": "answered", "question": evil, "language": "en", "sql": evil, "row_count": 2, "truncated": None,
        "columns": [{"name": "__proto__", "kind": "text"}, {"name": evil, "kind": "number"}],
        "rows": [[evil, 1], [CORPUS[0], "2"]], "text": evil, "reading": {"filters": [
            {"phrase": evil, "table": evil, "column": evil, "value": evil}]}, "facts": [], "followups": [evil],
        "chart": {"type": "bar", "title": evil, "x": "__proto__", "series": [{"key": evil, "name": evil}], "stacked": False,
                  "data": [{"__proto__": evil, evil: 1}, {"x": 1}, {evil: 3}], "aggregated": True, "why": evil,
                  "picture": "javascript:window.ran=1"},
        "confidence": 0.5, "provenance": {"tables": [evil], "joins": [evil], "samples": [evil], "glossary": {evil: evil}},
        "cache": None, "warnings": [evil], "steps": [{"name": evil, "ms": 1}], "usage": {"ms": 1, "model_calls": 0,
        "prompt_tokens": 0, "completion_tokens": 0, "cost": 0, "model": evil}, "thread_id": "x", "run_id": "r",
        "result_id": None, "pending": None, "error": None, "connection_id": "demo", "permission": "",
    }  # fmt: skip
    event = {"seq": 1, "run_id": "r", "at": None, "type": "done", "answer": answer}

    def told(route: Route) -> None:
        route.fulfill(body=f"event: done\ndata: {json.dumps(event)}\n\n", content_type="text/event-stream")

    page.route("**/query/stream", told)
    ask(page, "anything")
    page.get_by_role("tab", name="SQL").wait_for()
    for tab in ("Table", "Chart", "SQL", "Answer"):
        page.get_by_role("tab", name=tab).click()
    assert page.locator("a[href^='javascript']").count() == 0
    page.get_by_role("button", name="How this was answered").click()
    expect(page.get_by_role("dialog").get_by_text(evil).first).to_be_visible()
    nothing_ran(page)
