"""An answer that is wrong: what was wrong is asked, the statement is put right, and the correction is kept."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import REVENUE, SLOW, Program
from tests.e2e.test_conversation import answered, ask, start


def test_a_thumb_down_asks_what_was_wrong_and_the_correction_is_kept(page: Page, server: Program) -> None:
    question = "How did the orders of people end?"
    start(page, question)
    start(page, "only the top 2")
    first = page.get_by_role("article").first  # thumbs stand on every answer
    first.get_by_role("button", name="This is right").click()
    expect(page.get_by_text("proposed as a verified sample")).to_be_visible()
    first.get_by_role("button", name="This is wrong").click()
    expect(first.get_by_role("button", name="This is right")).to_have_attribute("aria-pressed", "false")
    form = first.get_by_role("form", name="What was wrong?")
    form.get_by_label("The period").check()
    form.get_by_label("What should it be?").fill("only this year")
    form.get_by_role("button", name="Correct the SQL").click()
    box = first.get_by_role("textbox", name="SQL statement")
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    expect(first.get_by_text("Checked: it only reads")).to_be_visible()
    box.fill("SELECT COUNT(*) AS people FROM customers")
    expect(first.get_by_text("Checked: it only reads")).to_have_count(0)
    first.get_by_role("button", name="Run", exact=True).click()
    expect(first.get_by_role("tab", name="Table")).to_be_focused()
    first.get_by_role("button", name="Keep as a sample").click()
    expect(page.get_by_text("It waits for review")).to_be_visible()
    page.reload()
    first = page.get_by_role("article").first
    expect(first.get_by_role("button", name="This is wrong")).to_have_attribute("aria-pressed", "true")
    page.goto(server.url + "/knowledge")
    queue = page.get_by_role("region", name="Called wrong")
    expect(queue.get_by_text("only this year")).to_be_visible()
    queue.get_by_role("button", name=f"Done: {question}").click()
    expect(queue.get_by_text("only this year")).to_have_count(0)
    with server.client() as client:
        found = [each for each in client.get("/connections/demo/samples").json() if each["question"] == question]
        assert "down period: only this year" in client.get("/audit").text
    assert [(each["sql"], each["approved"]) for each in found] == [("SELECT COUNT(*) AS people FROM customers", False)]


def test_what_should_be_is_asked_and_a_correction_is_kept_for_all(page: Page, server: Program) -> None:
    question = "How did the orders of everybody end?"
    start(page, question)
    page.get_by_role("button", name="This is wrong").click()
    form = page.get_by_role("form", name="What was wrong?")
    expect(form.get_by_role("button", name="Ask again with this")).to_have_count(0)
    form.get_by_label("What should it be?").fill("only the top 2")
    form.get_by_role("button", name="Ask again with this").click()
    answered(page, "only the top 2")
    page.goto(server.url + "/knowledge")
    page.get_by_role("button", name=f"Correct: {question}").click()
    box = page.get_by_role("dialog").get_by_role("textbox", name="SQL")
    box.fill("SELECT COUNT(*) AS people FROM customers")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Kept as a verified sample.")).to_be_visible()
    expect(page.get_by_role("region", name="Approved").get_by_text(question)).to_be_visible()
    expect(page.get_by_role("button", name=f"Correct: {question}")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "thumb", "title", "send", "note", "queue", "unsaid"),
    [
        ("en-US", "This is wrong", "What was wrong?", "Send", "What should it be?", "Called wrong", "No reason given"),
        ("zh-CN", "回答有误", "哪里不对？", "提交", "应该是怎样？", "被指有误的回答", "未说明原因"),
    ],
)
def test_no_reason_is_put_into_anybodys_mouth(
    opened: Opener,
    server: Program,
    language: str,
    thumb: str,
    title: str,
    send: str,
    note: str,
    queue: str,
    unsaid: str,
) -> None:
    question, said = f"How did the orders end, in {language}?", f"only the top 2 in {language}"
    page = opened(server, language=language).page
    start(page, question)
    page.get_by_role("button", name=thumb).click()
    form = page.get_by_role("form", name=title)
    expect(form.get_by_role("radio")).to_have_count(5)
    expect(form.get_by_role("radio", checked=True)).to_have_count(0)
    expect(form.get_by_role("button", name=send)).to_be_disabled()
    form.get_by_label(note).fill("  ")
    expect(form.get_by_role("button", name=send)).to_be_disabled()
    form.get_by_label(note).fill(said)
    form.get_by_role("button", name=send).click()
    expect(form).to_have_count(0)
    page.goto(server.url + "/knowledge")
    entry = page.get_by_role("region", name=queue).get_by_role("listitem").filter(has_text=said)
    expect(entry.get_by_text(unsaid)).to_be_visible()


def test_a_thumb_is_taken_back_by_a_second_click(page: Page, server: Program) -> None:
    question = "How did the orders of all end?"
    start(page, question)
    thumb = page.get_by_role("button", name="This is right")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "false")
    with server.client() as client:
        assert question not in client.get("/connections/demo/samples").text


def test_a_file_is_named_after_its_question(page: Page) -> None:
    start(page, REVENUE)
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="CSV").click()
    assert waiting.value.suggested_filename == "What-is-the-total-revenue-by-region.csv"


def test_a_stopped_run_says_how_long_it_went_on(page: Page) -> None:
    ask(page, SLOW)
    page.wait_for_timeout(2500)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"Ended after [1-9][\d.]* s"))).to_be_visible()


def test_a_conversation_that_is_not_there_takes_no_question(opened: Opener, server: Program) -> None:
    watched = opened(server, "/t/nowhere")
    watched.expected.append("404")
    page = watched.page
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("form:has(#question)")).to_have_count(0)
    page.locator("main").get_by_role("link", name="New question").click()
    start(page, REVENUE)
    answered(page, REVENUE)
