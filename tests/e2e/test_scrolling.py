"""The page is a frame that never moves: what is long scrolls inside it, on a desk and on a phone."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import MONTHS, REVENUE, Program
from tests.e2e.test_conversation import ask

TURNS = 20
CHARTS = "article .recharts-wrapper"
PAPER_PX = 640
"""What a card on A4 has room for beside the margins."""
FIXED = """() => [...document.querySelectorAll("body *")]
  .filter(each => getComputedStyle(each).position === "fixed" && each.getClientRects().length).map(each => each.outerHTML)"""
QUESTIONS = (REVENUE, "only the top 2", MONTHS, "Who manages each store?")
AREAS = (
    "/", "/data/demo/orders", "/data/new", "/knowledge", "/knowledge/glossary", "/reports", "/settings/model",
    "/settings/status", "/settings/audit",
)  # fmt: skip
COMPOSER = "#question"
NEWEST = tuple(f"article:last-of-type {part}" for part in ("h2", "[role=tab]", "[role=tabpanel] > div > :first-child"))
"""The last answer, from its question to its first words."""

FRAME = """places => {
  const page = document.scrollingElement;
  const wider = [...document.querySelectorAll("html, main, [data-scrolls]")].map(frame => frame.scrollWidth - frame.clientWidth);
  const seen = place => {
    const element = document.querySelector(place);
    if (!element) return false;
    const {x, y, width, height} = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  return {
    below: Math.max(0, page.scrollHeight - innerHeight - 1), beside: Math.max(1, ...wider) - 1,
    top: scrollY, left: scrollX, unseen: places.filter(place => !seen(place)),
  };
}"""
"""How far the page could be scrolled and is, and what is in it to the side; which of the places are out of view or covered."""

SCROLLED = """() => [...document.querySelectorAll("main, [data-scrolls]")].flatMap(frame => {
  const most = frame.scrollHeight - frame.clientHeight;
  return most > 1 ? [[frame.scrollTop, most]] : [];
})"""
"""How far each frame around an area that has something to scroll is scrolled, and how far it could be."""

AT_REST = """async () => {
  const frames = [...document.querySelectorAll("html, main, [data-scrolls], nav")];
  const places = () => frames.map(frame => [frame.scrollTop, frame.clientHeight]).join();
  for (let before = "", still = 0; still < 5; still = places() === before ? still + 1 : 0) {
    before = places();
    await new Promise(requestAnimationFrame);
  }
}"""
"""Waits until what was set in motion has come to an end."""

LOOSE = """() => {
  const rules = sheet => [...(sheet.cssRules ?? [])].flatMap(rule => rule.selectorText ? [rule] : rules(rule));
  const scrollers = [...document.styleSheets].flatMap(rules)
    .filter(({style}) => /auto|scroll/.test(style.overflowX + style.overflowY));
  return [scrollers.length, scrollers.filter(({style}) => !style.position).map(rule => rule.selectorText)];
}"""
"""How many rules let something scroll, and those that do not position it."""


@dataclass(frozen=True)
class Size:
    """A window, and whether a finger scrolls in it."""

    width: int
    height: int
    touch: bool
    head: str
    """What stands at the top whatever is scrolled."""


DESK = Size(1280, 900, touch=False, head="nav > a:first-of-type")
PHONE = Size(390, 844, touch=True, head=":has(> #main) > header > a:first-of-type")
both_sizes = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def open_at(opened: Opener, server: Program, size: Size, path: str = "/") -> Page:
    return opened(server, path, width=size.width, height=size.height, touch=size.touch).page


def scroll(page: Page, size: Size, by: int, *, x: int | None = None) -> None:
    """With the wheel or a finger, twice: what one frame has no use for goes to the one around it."""
    x, y = size.width * 2 // 3 if x is None else x, size.height // 2
    for _ in range(2):
        if size.touch:
            drag(page, x, y, by)
        else:
            page.mouse.move(x, y)
            page.mouse.wheel(0, by)
        page.evaluate(AT_REST)


def drag(page: Page, x: int, y: int, by: int) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, Any]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for step in (1, 2, 3):
        touch("touchMove", {"x": x, "y": y - by * step / 3})
    touch("touchEnd")
    session.detach()


def stays(page: Page, size: Size, *seen: str) -> None:
    """The page has not moved, nor could it; its head is seen, and so is the rest."""
    still = {"below": 0, "beside": 0, "top": 0, "left": 0, "unseen": []}
    assert page.evaluate(FRAME, [size.head, *seen]) == still


def wait_for_turns(page: Page, count: int) -> None:
    page.get_by_role("article").nth(count - 1).get_by_text("Answered in").wait_for()


@pytest.fixture(scope="module")
def thread(server: Program) -> str:
    """A stored conversation of twenty turns."""
    asked = {"connection_id": "demo"}
    with server.client() as client:
        for turn in range(TURNS):
            answer = client.post("/query", json=asked | {"question": QUESTIONS[turn % len(QUESTIONS)]})
            asked["thread_id"] = answer.raise_for_status().json()["thread_id"]
    return asked["thread_id"]


@both_sizes
def test_twenty_turns_move_nothing_but_the_conversation(opened: Opener, server: Program, size: Size) -> None:
    page = open_at(opened, server, size)
    for turn in range(TURNS):
        ask(page, QUESTIONS[turn % len(QUESTIONS)])
        wait_for_turns(page, turn + 1)
        stays(page, size, COMPOSER, *NEWEST)
    scroll(page, size, -100_000)
    stays(page, size, COMPOSER, "article:first-of-type h2")
    scroll(page, size, 100_000)
    stays(page, size, COMPOSER)
    [[scrolled, most]] = page.evaluate(SCROLLED)
    assert scrolled == pytest.approx(most, abs=1)
    page.set_viewport_size({"width": size.width, "height": size.height * 3 // 5})  # as a phone's keyboard leaves it
    page.evaluate(AT_REST)
    stays(page, size, COMPOSER)


@both_sizes
def test_a_stored_conversation_opens_at_its_last_answer(
    opened: Opener, server: Program, thread: str, size: Size
) -> None:
    page = open_at(opened, server, size, f"/t/{thread}")
    wait_for_turns(page, TURNS)
    page.wait_for_load_state("networkidle")
    stays(page, size, COMPOSER, *NEWEST)
    scroll(page, size, -100_000)
    stays(page, size, COMPOSER, "article:first-of-type h2")


def test_every_area_scrolls_inside_the_frame(opened: Opener, server: Program, thread: str) -> None:
    with server.client() as client:
        report = {"name": "Weekly sales", "connection_id": "demo", "template": "weekly-sales"}
        made = client.post("/reports", json=report).raise_for_status().json()["id"]
        shared = client.post(f"/threads/{thread}/share").raise_for_status().json()["path"]
    page = opened(server).page
    for path in (*AREAS, f"/reports/{made}", shared):
        page.goto(server.url + path)
        page.wait_for_load_state("networkidle")
        for width, head in ((DESK.width, DESK.head), (PHONE.width, PHONE.head), (320, PHONE.head)):
            low = Size(width, 430, touch=False, head=head)  # so low that hardly an area fits into it
            page.set_viewport_size({"width": low.width, "height": low.height})
            scroll(page, low, 100_000)
            stays(page, low)
            frames = page.evaluate(SCROLLED)
            assert len(frames) <= 1, path
            assert [scrolled for scrolled, most in frames] == pytest.approx([most for _, most in frames], abs=1), path
    assert frames, "the shared conversation is longer than its frame"


def test_the_menu_of_a_low_window_is_read_to_its_end(opened: Opener, server: Program, thread: str) -> None:
    low = Size(900, 390, touch=False, head=DESK.head)
    page = open_at(opened, server, low, f"/t/{thread}")
    wait_for_turns(page, TURNS)
    scroll(page, low, 10_000, x=20)
    expect(page.get_by_label("Theme")).to_be_in_viewport(ratio=1)
    scroll(page, low, -10_000, x=20)
    stays(page, low)


def test_the_skip_link_and_a_copy_move_nothing(opened: Opener, server: Program, thread: str) -> None:
    page = open_at(opened, server, DESK, f"/t/{thread}")
    wait_for_turns(page, TURNS)
    skip = page.get_by_role("link", name="Skip to the conversation")
    skip.focus()
    expect(skip).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    expect(skip).not_to_be_in_viewport()
    stays(page, DESK, COMPOSER)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")  # as where a page may not use it
    page.get_by_role("article").last.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied")).to_be_visible()
    stays(page, DESK, COMPOSER)


def test_a_conversation_is_printed_whole(opened: Opener, server: Program, thread: str) -> None:
    page = open_at(opened, server, DESK, f"/t/{thread}")
    wait_for_turns(page, TURNS)
    page.emulate_media(media="print")
    expect(page.locator("nav, [data-dock], [role=group][aria-label='Ask next']").filter(visible=True)).to_have_count(0)
    ends = page.evaluate("[...document.querySelectorAll('article')].map(turn => turn.getBoundingClientRect().bottom)")
    assert page.evaluate("document.scrollingElement.scrollHeight") >= max(ends) > DESK.height
    page.emulate_media(media="screen")
    stays(page, DESK, COMPOSER)


PRESSED = "[role=tab], [role=toolbar], form, a[href='#main'], article button:not([aria-expanded])"
"""What can only be pressed; parts of the reading and how long an answer took stand on buttons that open something."""


def test_what_can_only_be_pressed_is_not_printed_and_charts_are_as_wide_as_the_paper(
    opened: Opener, server: Program, thread: str
) -> None:
    page = open_at(opened, server, DESK, f"/t/{thread}")
    wait_for_turns(page, TURNS)
    expect(page.locator(CHARTS).first).to_be_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(PRESSED).filter(visible=True)).to_have_count(0)
    assert page.evaluate(FIXED) == []
    widths = page.evaluate(
        f"[...document.querySelectorAll('{CHARTS}')].map(chart => chart.getBoundingClientRect().width)"
    )
    assert 0 < max(widths) <= PAPER_PX
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    stays(page, DESK, COMPOSER)


def test_what_scrolls_holds_what_is_placed_in_it(opened: Opener, server: Program) -> None:
    """What stands absolutely in a scroller that is not positioned lengthens the page instead of the scroller."""
    count, loose = opened(server).page.evaluate(LOOSE)
    assert count > 5
    assert loose == []


@both_sizes
def test_a_long_question_leaves_room_for_every_button_beside_it(opened: Opener, server: Program, size: Size) -> None:
    page = open_at(opened, server, size)
    ask(page, REVENUE + " And how has it developed over the last twelve months, please, as exactly as it can be told?")
    wait_for_turns(page, 1)
    beside = [page.get_by_role("button", name=name).first for name in ("Edit and ask again", "Share")]
    beside.append(page.get_by_role("button", name="Download the conversation"))
    boxes = [each.bounding_box() for each in beside]
    for one, other in pairwise(boxes):
        assert one is not None
        assert other is not None
        assert one["x"] + one["width"] <= other["x"]
