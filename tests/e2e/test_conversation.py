"""A conversation in the browser, from the first click to the history after a reload."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import (
    BROKEN,
    BY_CHANNEL,
    CUSTOMERS_ZH,
    EXPENSES,
    IN_BEIJING,
    LONG,
    MONTHS,
    REVENUE,
    SLOW,
    WIDE,
    Program,
)


def ask(page: Page, question: str) -> None:
    page.get_by_role("textbox", name=re.compile("question|follow-up|问题|追问")).fill(question)
    page.keyboard.press("Enter")


def answered(page: Page, question: str) -> None:
    """The last turn is of the question, and has ended well."""
    expect(page.get_by_role("article").last).to_have_attribute("aria-label", question)
    expect(page.get_by_role("article").last.get_by_text(re.compile("Answered in|用时"))).to_be_visible()


def start(page: Page, question: str) -> None:
    ask(page, question)
    answered(page, question)


def test_first_run_to_first_answer(page: Page, server: Program) -> None:
    page.get_by_role("button", name=REVENUE, exact=True).click()
    answered(page, REVENUE)
    turn = page.get_by_role("article")
    expect(turn.get_by_text("Verified", exact=True)).to_be_visible()
    expect(turn.get_by_role("img", name="Bar chart: revenue by region")).to_be_visible()
    expect(turn.get_by_text("Revenue: east")).to_be_visible()
    turn.get_by_role("tab", name="Table").click()
    expect(turn.get_by_role("row")).to_have_count(1 + server.demo("SELECT COUNT(DISTINCT region) FROM stores"))
    assert "/t/" in page.url


def test_chinese_from_the_first_click_to_the_answer(opened: Opener, server: Program) -> None:
    page = opened(server, language="zh-CN").page
    expect(page.get_by_role("heading", name="想了解什么？")).to_be_visible()
    page.get_by_role("button", name=CUSTOMERS_ZH, exact=True).click()
    answered(page, CUSTOMERS_ZH)
    count = server.demo("SELECT COUNT(*) FROM customers")
    expect(page.locator("[data-figure]")).to_have_text(f"{count:,}")
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("tab", name="Answer")).to_be_visible()
    expect(page.get_by_role("link", name="New question")).to_be_visible()


def test_a_question_back_is_answered_by_a_chip(page: Page, server: Program) -> None:
    ask(page, IN_BEIJING)
    page.get_by_role("button", name=re.compile(r"stores?\W+city")).click()
    answered(page, IN_BEIJING)
    count = server.demo("SELECT COUNT(*) FROM orders o JOIN stores s ON s.store_id = o.store_id WHERE s.city = '北京'")
    expect(page.locator("[data-figure]")).to_have_text(f"{count:,}")
    expect(page.get_by_text("You chose:").first).to_be_visible()
    page.reload()
    answered(page, IN_BEIJING)
    expect(page.get_by_text(re.compile(r"You chose: stores?\W+city")).first).to_be_visible()


def test_a_conversation_says_which_database_it_is_about(opened: Opener, server: Program, tmp_path: Path) -> None:
    expenses = tmp_path / "expenses.csv"
    expenses.write_text("team,amount\nsales,3\nlegal,4\n", "utf-8")
    with server.client() as client:
        added = client.post("/uploads", params={"filename": "expenses.csv"}, content=expenses.read_bytes()).json()
    page = opened(server).page
    start(page, REVENUE)
    expect(page.locator("form:has(#question)").get_by_text("demo")).to_be_visible()
    page.goto(server.url + "/")
    page.get_by_role("combobox", name="Database").select_option(added["name"])
    start(page, EXPENSES)
    expect(page.locator("form:has(#question)").get_by_text(added["name"])).to_be_visible()
    expect(page.get_by_role("navigation").locator("li", has_text=EXPENSES).get_by_text(added["name"])).to_be_visible()
    expect(page.get_by_role("navigation").locator("li", has_text=REVENUE).first.get_by_text("demo")).to_be_visible()
    page.reload()
    answered(page, EXPENSES)
    expect(page.locator("form:has(#question)").get_by_text(added["name"])).to_be_visible()
    expect(page).to_have_title(re.compile(re.escape(added["name"])))


def test_followups_by_chip_and_by_words(page: Page) -> None:
    start(page, REVENUE)
    chip = page.get_by_role("group", name="Ask next").get_by_role("button").first
    question = chip.inner_text()
    chip.click()
    answered(page, question)
    expect(page.get_by_role("article")).to_have_count(2)
    start(page, "only the top 2")
    turn = page.get_by_role("article").last
    turn.get_by_role("tab", name="Table").click()
    expect(turn.get_by_role("row")).to_have_count(3)


def test_sql_is_edited_and_run_again_under_the_same_guard(opened: Opener, server: Program) -> None:
    watched = opened(server)
    watched.expected.append("422")  # the browser's own note of the statement that is refused
    page = watched.page
    start(page, REVENUE)
    page.get_by_role("tab", name="SQL").click()
    expect(page.get_by_role("region", name="How I read it")).to_contain_text("revenue")
    page.get_by_role("button", name="Edit", exact=True).click()
    editor = page.get_by_role("textbox", name="SQL statement")
    editor.fill("DELETE FROM orders")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Inquery only reads data")
    editor.fill("SELECT region, COUNT(*) AS stores FROM stores GROUP BY region ORDER BY region")
    editor.press("Control+Enter")
    expect(page.get_by_text("Edited by you")).to_be_visible()
    expect(page.get_by_role("cell", name="east")).to_be_visible()
    page.get_by_role("button", name="Back to the answer").click()
    expect(page.get_by_text("Edited by you")).to_have_count(0)


def test_the_chart_is_changed(page: Page, server: Program) -> None:
    start(page, REVENUE)
    regions = server.demo("SELECT COUNT(DISTINCT region) FROM stores")
    page.get_by_role("tab", name="Chart").click()
    picture = page.get_by_role("img", name=re.compile("chart:"))
    page.get_by_label("Chart type").select_option("pie")
    expect(picture).to_have_attribute("aria-label", re.compile("^Pie chart"))
    expect(picture.locator(".recharts-pie-sector")).to_have_count(regions)
    page.get_by_label("Chart type").select_option("line")
    expect(picture.locator("path.recharts-line-curve")).to_have_count(1)


def test_a_goal_stands_in_the_chart_and_a_part_of_many_points_is_looked_at(page: Page) -> None:
    start(page, "revenue by day in October 2026")
    page.get_by_role("tab", name="Chart").click()
    picture = page.get_by_role("img", name=re.compile("chart:"))
    expect(picture.locator(".recharts-brush")).to_be_visible()
    expect(picture.locator(".recharts-reference-line")).to_have_count(0)
    goal = page.get_by_label("Goal", exact=True)
    goal.fill("15万")
    expect(picture.get_by_text("Goal: ¥150K")).to_be_visible()
    goal.fill("fifteen")
    expect(goal).to_have_attribute("aria-invalid", "true")
    expect(picture.locator(".recharts-reference-line")).to_have_count(0)
    page.get_by_label("Chart type").select_option("pie")
    expect(goal).to_have_count(0)


def test_files_are_downloaded(page: Page, server: Program) -> None:
    start(page, REVENUE)
    page.get_by_role("tab", name="Table").click()

    def download(item: str) -> bytes:
        page.get_by_role("button", name="Download", exact=True).click()
        with page.expect_download() as waiting:
            page.get_by_role("menuitem", name=item).click()
        return waiting.value.path().read_bytes()

    regions = server.demo("SELECT COUNT(DISTINCT region) FROM stores")
    lines = download("CSV file").decode("utf-8-sig").splitlines()
    assert lines[0] == "region,revenue"
    assert len(lines) == 1 + regions
    assert download("Excel file")[:2] == b"PK"
    page.get_by_role("tab", name="Chart").click()
    page.locator("svg.recharts-surface").first.wait_for()
    assert download("PNG picture").startswith(b"\x89PNG")
    picture = download("SVG picture").decode()
    assert "<svg" in picture
    assert "var(--" not in picture


def test_an_answer_from_the_cache_says_so_and_is_refreshed(page: Page) -> None:
    start(page, MONTHS)
    page.get_by_role("link", name="New question").click()
    start(page, MONTHS)
    expect(page.get_by_text("From cache")).to_be_visible()
    page.get_by_role("button", name="Refresh", exact=True).click()
    expect(page.get_by_role("article")).to_have_count(2)
    answered(page, MONTHS)
    expect(page.get_by_role("article").last.get_by_text("From cache")).to_have_count(0)


def test_history_after_a_reload(page: Page) -> None:
    start(page, REVENUE)
    start(page, "only the top 2")
    page.reload()
    expect(page.get_by_role("article")).to_have_count(2)
    answered(page, "only the top 2")
    expect(page.get_by_role("article").first.get_by_role("img", name=re.compile("Bar chart"))).to_be_visible()
    page.get_by_role("button", name="How this was answered").last.click()
    drawer = page.get_by_role("dialog", name="How this was answered")
    expect(drawer.get_by_text("order_items.order_id = orders.order_id")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_conversations_are_found_renamed_and_deleted(page: Page) -> None:
    start(page, "Who manages each store?")
    page.wait_for_url("**/t/*")
    own = page.locator(f'a[href="/t/{page.url.rpartition("/")[2]}"]')
    line = page.get_by_role("region", name="Conversations").get_by_role("listitem").filter(has=own)
    line.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="New title").fill("Managers of ours")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Managers of ours")).to_be_visible()
    page.get_by_role("searchbox", name="Search conversations").fill("managers OF")
    expect(page.get_by_role("region", name="Conversations").get_by_role("listitem")).to_have_count(1)
    line.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    expect(page.get_by_role("link", name="Managers of ours")).to_have_count(0)


def test_a_long_run_is_seen_in_another_tab_and_stopped_from_there(page: Page) -> None:
    ask(page, SLOW)
    expect(page.get_by_text("Running the query")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Stop").click()
    for tab in (page, other):
        expect(tab.get_by_role("alert")).to_contain_text("Stopped.")
    start(page, REVENUE)


def test_a_failure_is_told_with_a_next_step(page: Page) -> None:
    ask(page, BROKEN)
    failed = page.get_by_role("alert")
    expect(failed).to_contain_text(re.compile("mood|column|usable", re.I))
    failed.get_by_role("button", name="Edit and ask again").click()
    box = page.get_by_role("textbox", name="Your question")
    expect(box).to_have_value(BROKEN)
    box.fill(REVENUE)
    box.press("Enter")
    answered(page, REVENUE)
    expect(page.get_by_role("article")).to_have_count(1)


def test_an_edited_question_replaces_what_followed_and_the_old_way_can_be_seen(page: Page) -> None:
    for question in (REVENUE, MONTHS, "only the top 2"):
        start(page, question)
    turns, edited = page.get_by_role("article"), "How many orders have each status?"
    turns.nth(1).get_by_role("button", name="Edit and ask again").click()
    box = page.get_by_role("textbox", name="Your question")
    expect(box).to_be_focused()
    box.press("Escape")
    expect(box).to_have_count(0)
    turns.nth(1).get_by_role("button", name="Edit and ask again").click()
    box.fill(edited)
    box.press("Enter")
    answered(page, edited)
    expect(turns).to_have_count(2)
    page.get_by_role("group", name="Version 2 of 2").get_by_role("button", name="Earlier version").click()
    answered(page, "only the top 2")
    expect(turns).to_have_count(3)
    page.reload()
    expect(page.get_by_role("group", name="Version 1 of 2")).to_be_visible()
    expect(turns).to_have_count(3)
    page.get_by_role("button", name="Later version").click()
    answered(page, edited)
    start(page, "only the top 2")
    expect(turns).to_have_count(3)
    expect(turns.first).to_have_attribute("aria-label", REVENUE)


def test_the_keyboard_is_enough(page: Page) -> None:
    page.get_by_role("heading", name="What would you like to know?").wait_for()
    page.keyboard.press("/")
    page.keyboard.type(REVENUE)
    page.keyboard.press("Enter")
    answered(page, REVENUE)
    page.get_by_role("tab", name="Answer").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Table")).to_be_focused()
    expect(page.get_by_role("table")).to_be_visible()
    page.get_by_role("textbox", name="Ask a follow-up…").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("textbox", name="Ask a follow-up…")).to_have_value(REVENUE)


def test_ten_thousand_rows_are_read_page_by_page(page: Page) -> None:
    start(page, LONG)
    page.get_by_role("tab", name="Table").click()
    table = page.get_by_role("table")
    expect(table).to_have_attribute("aria-rowcount", "10001")
    table.evaluate("frame => frame.scrollTop = frame.scrollHeight")
    expect(table.get_by_role("cell", name="10000", exact=True).first).to_be_visible()
    expect(table.get_by_role("row").last.get_by_role("cell").nth(2)).to_have_text(re.compile(r"\S"))
    assert table.get_by_role("row").count() < 80


def test_five_hundred_columns_are_drawn_as_they_come_into_view(page: Page) -> None:
    start(page, WIDE)
    page.get_by_role("tab", name="Table").click()
    table = page.get_by_role("table")
    expect(table).to_have_attribute("aria-colcount", "501")
    table.evaluate("frame => frame.scrollLeft = frame.scrollWidth")
    expect(table.get_by_role("columnheader", name="c499")).to_be_visible()
    assert table.get_by_role("columnheader").count() < 60


def test_the_month_that_is_not_over_tells_its_numbers_too(page: Page, server: Program) -> None:
    start(page, BY_CHANNEL)
    plot = page.locator("svg:has(.recharts-cartesian-grid)")
    box = plot.bounding_box()
    assert box is not None
    told = page.locator(".recharts-tooltip-wrapper")
    for from_right, dashed in ((30, True), (130, False)):
        page.mouse.move(box["x"] + box["width"] - from_right, box["y"] + box["height"] / 2)
        expect(told).to_contain_text("web")
        assert told.inner_text().count("¥") == 3, dashed


def test_a_chart_that_was_asked_for_is_drawn_however_few_its_parts(page: Page) -> None:
    start(page, REVENUE)
    start(page, "only the top 2")
    start(page, "draw it as a pie chart")
    last = page.get_by_role("article").last
    expect(last.get_by_text("Drawn as a pie chart.")).to_be_visible()
    expect(last.locator("svg.recharts-surface").first).to_be_visible()
