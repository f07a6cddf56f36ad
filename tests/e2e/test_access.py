"""People who cannot see or point: axe finds nothing moderate or worse on any page, in either theme, language and size."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import ROOT, Opener
from tests.e2e.serving import REVENUE, Program
from tests.e2e.test_conversation import answered, start

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PLACES = (
    "/", "/data", "/data/new", "/data/demo", "/data/demo/orders", "/knowledge", "/knowledge/glossary", "/saved", "/analysts",
    "/reports", "/reports/new", "/settings", "/settings/model", "/settings/audit", "/settings/status", "/nowhere",
)  # fmt: skip


@pytest.fixture
def axe() -> str:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make web")
    return Path(AXE).read_text("utf-8")


def serious(page: Page, axe: str, *only: str) -> list[str]:
    """What axe calls moderate, serious or critical by all its rules or by these, with where it is."""
    page.evaluate(axe)
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    found = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{problem['id']}: {node['html'][:160]}"
        for problem in found
        if problem["impact"] != "minor"
        for node in problem["nodes"]
    ]


def in_both_themes(page: Page, axe: str) -> list[str]:
    """What axe finds in the light, and what colours do in the dark, for nothing else differs there."""
    found = []
    for theme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found += [f"{theme} {problem}" for problem in serious(page, axe, *rules)]
    return found


@pytest.fixture(scope="module")
def furnished(server: Program) -> tuple[str, ...]:
    """Every area, with something in it: empty ones have little that could be wrong."""
    text = "# Orders\n\n{{table: orders by status}}\n\n{{value: how many orders are there}}\n"
    with server.client() as client:
        asked = client.post("/query", json={"question": REVENUE, "connection_id": "demo"}).raise_for_status().json()
        shared = client.post(f"/threads/{asked['thread_id']}/share").raise_for_status().json()
        client.post("/saved", json={"question": REVENUE, "connection_id": "demo"}).raise_for_status()
        report = client.post("/reports", json={"name": "Orders", "connection_id": "demo", "text": text}).json()
        run = client.post(f"/reports/{report['id']}/runs", json={}).raise_for_status().json()
        while client.get(f"/report-runs/{run['id']}").json()["status"] == "running":
            time.sleep(0.2)
    return (*PLACES, f"/t/{asked['thread_id']}", shared["path"], f"/reports/{report['id']}/{run['id']}")


@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_every_area_is_accessible(
    opened: Opener, server: Program, furnished: tuple[str, ...], axe: str, language: str, width: int
) -> None:
    watched = opened(server, language=language, width=width, touch=width < 600)
    watched.expected.append("localStorage")  # the browser tests set it in every frame, and a report's may not
    for place in furnished:
        watched.page.goto(server.url + place)
        watched.page.wait_for_load_state("networkidle")
        assert in_both_themes(watched.page, axe) == [], place


STOPS = """() => {
  const may = "main :is(a[href], button, input, select, textarea, summary, [tabindex])";
  const stops = [...document.querySelectorAll(may)].filter(each =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({visibilityProperty: true}));
  stops.forEach((each, place) => { each.dataset.stop = place; });
  document.querySelector("main").focus();
  return stops.map(each => each.outerHTML.slice(0, 120));
}"""
STANDS = """() => {
  const at = document.activeElement, stop = at.closest("main") && at.dataset.stop;
  const seen = at.id === "question" || getComputedStyle(at).outlineStyle !== "none";
  return stop === undefined || stop === null ? -1 : seen ? Number(stop) : at.outerHTML;
}"""


def test_every_control_of_every_area_is_reached_by_the_tab_key_and_seen_to_be(
    opened: Opener, server: Program, furnished: tuple[str, ...]
) -> None:
    watched = opened(server)
    watched.expected.append("localStorage")
    for place in furnished:
        watched.page.goto(server.url + place)
        watched.page.wait_for_load_state("networkidle")
        stops, reached = watched.page.evaluate(STOPS), set()
        for _ in range(len(stops) + 5):
            watched.page.keyboard.press("Tab")
            reached.add(watched.page.evaluate(STANDS))
        assert [stop for at, stop in enumerate(stops) if at not in reached] == [], place
        assert reached - {-1} == set(range(len(stops))), place


def test_an_answer_is_accessible_in_every_view(opened: Opener, server: Program, axe: str) -> None:
    page = opened(server).page
    start(page, REVENUE)
    for tab in ("Answer", "Table", "Chart", "SQL"):
        page.get_by_role("tab", name=tab).click()
        assert serious(page, axe) == [], tab
    page.get_by_role("button", name="Edit", exact=True).click()
    assert serious(page, axe) == []
    page.get_by_role("button", name="How this was answered").click()
    page.get_by_role("dialog").wait_for()
    assert serious(page, axe) == []


def test_the_menu_of_a_phone_is_accessible(opened: Opener, server: Program, axe: str) -> None:
    page = opened(server, width=390).page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Data", exact=True).wait_for()
    assert serious(page, axe) == []


@pytest.mark.parametrize(
    ("language", "question", "change", "other", "changed"),
    [
        ("en-US", "Revenue by region last month", "Change period", "this year", "Revenue by region this year"),
        ("zh-CN", "上月各大区的销售额", "更改时间", "今年", "今年各大区的销售额"),
    ],
)
def test_a_part_of_the_reading_is_changed_by_the_keyboard_alone(
    opened: Opener, server: Program, axe: str, language: str, question: str, change: str, other: str, changed: str
) -> None:
    page = opened(server, language=language).page
    start(page, question)
    part = page.get_by_role("button", name=re.compile(f"^{change}"))
    part.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    assert serious(page, axe) == []
    page.keyboard.press("Escape")
    expect(part).to_be_focused()
    page.keyboard.press("Enter")
    items = page.get_by_role("menuitem").all_inner_texts()
    for _ in range(items.index(other)):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    answered(page, changed)
    expect(page.get_by_role("article")).to_have_count(2)


@pytest.mark.parametrize(
    ("place", "button"),
    [
        ("/analysts", "New analyst"),
        ("/knowledge/glossary", "Add a measure"),
        ("/knowledge/glossary", "Delete: revenue"),
        ("/settings/model", "Add a model"),
    ],
)
def test_a_dialog_keeps_the_focus_and_gives_it_back(opened: Opener, server: Program, place: str, button: str) -> None:
    page = opened(server, place).page
    opener = page.get_by_role("button", name=button, exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    if fields := dialog.get_by_role("textbox").all():
        expect(fields[0]).to_be_focused()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate("!document.activeElement.closest('main') || !!document.activeElement.closest('dialog')")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


def test_what_is_changed_in_its_own_place_gives_the_focus_back(opened: Opener, server: Program) -> None:
    page = opened(server).page
    start(page, REVENUE)
    page.get_by_role("tab", name="Answer").focus()
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="SQL")).to_be_focused()
    for opener, inside, leave in (
        (page.get_by_role("button", name="Edit and ask again"), "Your question", "Escape"),
        (page.get_by_role("button", name="Edit", exact=True), "SQL statement", "Reset"),
        (page.get_by_role("button", name="This is wrong"), "", "Close"),
    ):
        opener.focus()
        page.keyboard.press("Enter")
        if inside:
            expect(page.get_by_role("textbox", name=inside)).to_be_focused()
        if leave == "Escape":
            page.keyboard.press(leave)
        else:
            page.get_by_role("button", name=leave).focus()
            page.keyboard.press("Enter")
        expect(opener).to_be_focused()


def test_after_a_deletion_the_focus_is_in_the_page(opened: Opener, server: Program) -> None:
    page = opened(server).page
    start(page, REVENUE)
    line = page.get_by_role("navigation").locator("li", has_text=REVENUE).first
    menu = line.get_by_role("button")
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function("document.activeElement !== document.body")
