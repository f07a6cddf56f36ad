"""People who cannot see or point: axe finds nothing moderate or worse on any page, in either theme and language."""

import re
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


def serious(page: Page, axe: str) -> list[str]:
    """What axe calls moderate, serious or critical, with where it is."""
    page.evaluate(axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
    return [
        f"{problem['id']}: {node['html'][:160]}"
        for problem in found
        if problem["impact"] != "minor"
        for node in problem["nodes"]
    ]


@pytest.mark.parametrize(
    ("language", "theme", "width"), [("en-US", "light", 1280), ("zh-CN", "dark", 390)], ids=["desk", "phone"]
)
def test_every_area_is_accessible(
    opened: Opener, server: Program, axe: str, language: str, theme: str, width: int
) -> None:
    page = opened(server, language=language, width=width, touch=width < 600).page
    page.add_init_script(f"localStorage.inquery = JSON.stringify({{connection: 'demo', theme: '{theme}'}})")
    for place in PLACES:
        page.goto(server.url + place)
        page.wait_for_load_state("networkidle")
        assert serious(page, axe) == [], place


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
