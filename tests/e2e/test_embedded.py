"""What a newcomer does, with the model that comes with Inquery: free questions, and right numbers counted past Inquery."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import Browser, Opener
from tests.e2e.serving import CUSTOMERS_ZH, IN_BEIJING, REVENUE, Program, program
from tests.e2e.test_access import axe, serious
from tests.e2e.test_areas import small_shop
from tests.e2e.test_conversation import answered, ask, start

from inquery.errors import ModelMissing
from inquery.llm.embedded.weights import find_model

__all__ = ["axe"]
PRODUCTS = "How many products are there?"
CHANNELS = "How many orders are there for each channel?"
CITIES = "How many stores are there in each city?"
STORES_ZH = "一共有多少家门店？"


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server as `make run` starts it: no model is set up, so that the embedded one answers."""
    try:
        find_model()
    except ModelMissing:
        pytest.skip("the weights of the embedded model are not here")
    with program(tmp_path_factory.mktemp("home"), model="embedded") as running:
        yield running


def rows(page: Page) -> dict[str, str]:
    """The table of the last answer: its first column by its second."""
    turn = page.get_by_role("article").last
    turn.get_by_role("tab", name=re.compile("Table|表格")).click()
    expect(turn.get_by_role("row").nth(1)).to_be_visible()
    lines = [line.get_by_role("cell").all_inner_texts() for line in turn.get_by_role("row").all()[1:]]
    return {cells[1].strip(): cells[2].strip() for cells in lines}


def counted(server: Program, sql: str) -> dict[str, str]:
    return {str(name): f"{count:,}" for name, count in server.demo_rows(sql)}


def test_first_run_to_first_answers(page: Page, server: Program, axe: str) -> None:
    page.get_by_role("button", name=REVENUE, exact=True).click()
    answered(page, REVENUE)
    assert len(rows(page)) == server.demo("SELECT COUNT(DISTINCT region) FROM stores")
    start(page, PRODUCTS)
    turn = page.get_by_role("article").last
    expect(turn.locator("[data-figure]")).to_have_text(f"{server.demo('SELECT COUNT(*) FROM products'):,}")
    expect(turn.get_by_text("Verified", exact=True)).to_have_count(0)
    assert serious(page, axe) == []


RUN_BOOK = """
import json, sys
space = {}
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), space)
print(json.dumps([list(space["frame"].iloc[:, 0]), "<svg" in space["answer"]._repr_html_()]))
"""


def test_a_notebook_of_a_conversation_asks_its_follow_ups_again(page: Page, server: Program, tmp_path: Path) -> None:
    ask(page, "revenue in 2025")
    answered(page, "revenue in 2025")
    ask(page, "break it down by quarter")
    answered(page, "break it down by quarter")
    page.get_by_role("button", name="Download the conversation").click()
    with page.expect_download() as taken:
        page.get_by_role("menuitem", name="As a notebook").click()
    book = tmp_path / "book.ipynb"
    taken.value.save_as(book)
    home = {"INQUERY_HOME": str(server.home)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INQUERY_")}
    run = subprocess.run([sys.executable, "-c", RUN_BOOK, book], env=kept | home, capture_output=True, check=True)
    assert json.loads(run.stdout) == [[f"2025-Q{n}" for n in range(1, 5)], True]


def test_chinese_from_the_first_click_to_the_answer(opened: Opener, server: Program, axe: str) -> None:
    page = opened(server, language="zh-CN").page
    page.get_by_role("button", name=CUSTOMERS_ZH, exact=True).click()
    answered(page, CUSTOMERS_ZH)
    expect(page.locator("[data-figure]")).to_have_text(f"{server.demo('SELECT COUNT(*) FROM customers'):,}")
    start(page, STORES_ZH)
    figure = page.get_by_role("article").last.locator("[data-figure]")
    expect(figure).to_have_text(f"{server.demo('SELECT COUNT(*) FROM stores'):,}")
    assert serious(page, axe) == []


def test_a_question_back_is_answered_by_a_chip(page: Page, server: Program) -> None:
    ask(page, IN_BEIJING)
    page.get_by_role("button", name="store city").click()
    answered(page, IN_BEIJING)
    count = server.demo("SELECT COUNT(*) FROM orders o JOIN stores s ON s.store_id = o.store_id WHERE s.city = '北京'")
    expect(page.locator("[data-figure]")).to_have_text(f"{count:,}")


def test_a_followup_is_answered_and_there_after_a_reload(page: Page, server: Program) -> None:
    start(page, CHANNELS)
    found = rows(page)
    assert found == counted(server, "SELECT channel, COUNT(*) FROM orders GROUP BY channel")
    start(page, "only the top 2")
    assert set(rows(page)) == set(sorted(found, key=lambda name: -int(found[name].replace(",", "")))[:2])
    page.reload()
    expect(page.get_by_role("article")).to_have_count(2)
    answered(page, "only the top 2")


def test_sql_is_edited_and_the_chart_changed_and_saved(page: Page, server: Program) -> None:
    start(page, CHANNELS)
    page.get_by_role("tab", name="Chart").click()
    page.get_by_label("Chart type").select_option("pie")
    expect(page.locator(".recharts-pie-sector")).to_have_count(len(rows_of_chart(server)))
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="CSV file").click()
    lines = waiting.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 1 + len(rows_of_chart(server))
    page.get_by_role("tab", name="SQL").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    editor = page.get_by_role("textbox", name="SQL statement")
    editor.fill("SELECT region, COUNT(*) AS stores FROM stores GROUP BY region")
    editor.press("Control+Enter")
    expect(page.get_by_text("Edited by you")).to_be_visible()
    assert rows(page) == counted(server, "SELECT region, COUNT(*) FROM stores GROUP BY region")


def rows_of_chart(server: Program) -> list[tuple[object, ...]]:
    return server.demo_rows("SELECT DISTINCT channel FROM orders")


def test_an_edited_question_takes_the_place_of_the_old_one(page: Page, server: Program) -> None:
    start(page, PRODUCTS)
    page.get_by_role("article").hover()
    page.get_by_role("button", name="Edit and ask again").click()
    box = page.get_by_role("textbox", name="Your question")
    box.fill("How many suppliers are there?")
    box.press("Enter")
    answered(page, "How many suppliers are there?")
    expect(page.locator("[data-figure]")).to_have_text(f"{server.demo('SELECT COUNT(*) FROM suppliers'):,}")
    expect(page.get_by_role("group", name="Version 2 of 2")).to_be_visible()


def test_a_database_is_added_and_asked(opened: Opener, server: Program, tmp_path: Path) -> None:
    page = opened(server, "/data/new").page
    page.get_by_label("Name", exact=True).fill("corner shop")
    page.get_by_label("Kind").select_option("sqlite")
    page.get_by_label("Path of the file").fill(str(small_shop(tmp_path / "shop.db")))
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_text("It works: 1 tables, 2 columns.")).to_be_visible()
    page.get_by_role("button", name="Add database").click()
    page.get_by_role("main").get_by_role("button", name="orders").wait_for()
    page.get_by_role("link", name="New question").click()
    expect(page.get_by_label("Database")).to_contain_text("corner shop")
    start(page, "How many orders are there for each status?")
    assert rows(page) == {"lost": "1", "paid": "2"}


def test_a_sample_is_approved_and_then_used(page: Page, server: Program) -> None:
    start(page, CITIES)
    # Cities are shown by their names in the reader's language.
    found = counted(server, "SELECT city, COUNT(*) FROM stores GROUP BY city")
    assert sorted(rows(page).values()) == sorted(found.values())
    page.get_by_role("button", name="This is right").click()
    expect(page.get_by_text("proposed as a verified sample")).to_be_visible()
    page.get_by_role("link", name="Knowledge").click()
    page.get_by_role("button", name=f"Approve: {CITIES}").click()
    expect(page.get_by_text("Approved. It is used from now on.")).to_be_visible()
    page.get_by_role("link", name="New question").click()
    start(page, CITIES)
    page.get_by_role("button", name="Refresh", exact=True).click()
    expect(page.get_by_role("article")).to_have_count(2)
    answered(page, CITIES)
    expect(page.get_by_role("article").last.get_by_text("Verified", exact=True)).to_be_visible()
