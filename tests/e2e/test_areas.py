"""Everything around the conversation: databases, knowledge, kept and shared questions, analysts, reports, settings."""

import base64
import json
import sqlite3
from pathlib import Path

from openpyxl import Workbook
from playwright.sync_api import Page, Route, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import REVENUE, Program
from tests.e2e.test_conversation import answered, ask, start

DROP = """([name, given]) => {
  const bytes = Uint8Array.from(atob(given), letter => letter.charCodeAt(0));
  const held = new DataTransfer();
  held.items.add(new File([bytes], name));
  const event = new DragEvent("drop", {dataTransfer: held, bubbles: true, cancelable: true});
  document.querySelector("h1").dispatchEvent(event);
}"""


def small_shop(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, status TEXT);"
            "INSERT INTO orders VALUES (1, 'paid'), (2, 'paid'), (3, 'lost');"
        )
    connection.close()
    return path


def test_a_database_is_tried_added_and_asked(opened: Opener, server: Program, tmp_path: Path) -> None:
    watched = opened(server, "/data/new")
    watched.expected.append("502")  # the browser's own note of the first try, of a file that is not there
    page = watched.page
    page.get_by_label("Name", exact=True).fill("corner shop")
    page.get_by_label("Kind").select_option("sqlite")
    page.get_by_label("Path of the file").fill(str(tmp_path / "absent.db"))
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Path of the file").fill(str(small_shop(tmp_path / "shop.db")))
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_text("It works: 1 tables, 2 columns.")).to_be_visible()
    page.get_by_role("button", name="Add database").click()
    page.get_by_role("tab", name="Tables").click()
    page.get_by_role("main").get_by_role("button", name="orders").click()
    expect(page.get_by_role("cell", name="order_id", exact=True)).to_be_visible()
    page.get_by_role("link", name="New question").click()
    expect(page.get_by_label("Database")).to_contain_text("corner shop")
    start(page, "How many orders are there by status?")
    expect(page.get_by_role("cell", name="paid")).to_be_visible()


def oracle_alone_is_missing(route: Route) -> None:
    """The server's own list, as it would be where every driver but one is installed."""
    kinds = route.fetch().json()
    route.fulfill(json=[kind | {"installed": kind["scheme"] != "oracle"} for kind in kinds])


def test_the_form_asks_for_what_the_server_says_a_kind_of_database_needs(opened: Opener, server: Program) -> None:
    page = opened(server).page
    page.route("**/api/v1/engines", oracle_alone_is_missing)
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/engines") and asked.append(request.url))
    page.goto(server.url + "/data/new")
    kinds = page.get_by_label("Kind")
    expect(kinds).to_have_value("postgresql")
    expect(page.get_by_label("Port")).to_have_value("5432")
    page.get_by_label("User").fill("ann@acme")
    with server.client() as client:
        listed = [kind["scheme"] for kind in client.get("/engines").json()]
    assert [each.get_attribute("value") for each in kinds.get_by_role("option").all()] == listed

    kinds.select_option("snowflake")
    test = page.get_by_role("button", name="Test connection")
    expect(test).to_be_disabled()
    page.get_by_label("Account", exact=True).fill("acme-eu")
    page.get_by_label("Database/schema").fill("shop/public")
    page.get_by_label("Warehouse").fill("small & cheap")
    expect(test).to_be_enabled()
    expect(page.get_by_label("Port")).to_have_count(0)
    page.get_by_role("button", name="Enter an address instead").click()
    address = "snowflake://ann%40acme@acme-eu/shop/public?warehouse=small%20%26%20cheap"
    expect(page.get_by_label("Address")).to_have_value(address)
    assert len(asked) == 1


def test_a_kind_whose_driver_is_missing_says_what_installs_it(opened: Opener, server: Program) -> None:
    page = opened(server, language="zh-CN").page
    page.route("**/api/v1/engines", oracle_alone_is_missing)
    page.goto(server.url + "/data/new")
    page.get_by_label("类型").select_option(label="Oracle（未安装）")
    expect(page.get_by_text("pip install 'inquery[oracle]'")).to_contain_text("未安装 Oracle 的驱动")
    expect(page.get_by_role("button", name="测试连接")).to_be_disabled()
    page.get_by_label("类型").select_option(label="CSV、Parquet 和 XLSX 文件")
    page.get_by_label("文件或文件夹路径").fill("/data")
    expect(page.get_by_role("button", name="测试连接")).to_be_enabled()


def test_a_file_is_dropped_and_asked(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "harvest.csv"
    file.write_text("fruit,kilos\napple,12.5\npear,3\n", "utf-8")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Drop a CSV or Excel file").click()
    chooser.value.set_files(file)
    expect(page.get_by_role("status").filter(has_text="was added")).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("tab", name="Tables").click()
    page.get_by_role("button", name="harvest").first.click()
    expect(page.get_by_role("cell", name="kilos", exact=True)).to_be_visible()


def test_a_workbook_is_dropped_anywhere_on_the_page(page: Page, tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["fruit", "kilos"])
    book.active.append(["plum", 4])
    book.save(tmp_path / "plums.xlsx")
    given = base64.b64encode((tmp_path / "plums.xlsx").read_bytes()).decode()
    page.get_by_role("button", name="Drop a CSV or Excel file").wait_for()
    page.evaluate(DROP, ["plums.xlsx", given])
    expect(page.get_by_role("status").filter(has_text="was added")).to_be_visible()
    expect(page.get_by_label("Database")).to_contain_text("plums")


def test_a_thumb_up_is_approved_and_then_used(page: Page) -> None:
    question = "How did the orders end, for each status?"
    start(page, question)
    page.get_by_role("button", name="This is right").click()
    expect(page.get_by_text("proposed as a verified sample")).to_be_visible()
    page.get_by_role("link", name="Knowledge").click()
    review = page.get_by_role("region", name="To review")
    review.get_by_role("button", name=f"Approve: {question}").click()
    expect(page.get_by_text("Approved. It is used from now on.")).to_be_visible()
    expect(review.get_by_text(question)).to_have_count(0)
    page.get_by_role("link", name="New question").click()
    start(page, question)
    expect(page.get_by_text("From cache")).to_be_visible()
    page.get_by_role("button", name="Refresh", exact=True).click()
    expect(page.get_by_role("article")).to_have_count(2)
    answered(page, question)
    expect(page.get_by_role("article").last.get_by_text("Verified", exact=True)).to_be_visible()
    page.get_by_role("button", name="How this was answered").last.click()
    expect(page.get_by_role("dialog").get_by_role("listitem").filter(has_text=question)).to_be_visible()


def test_a_sample_is_changed_before_it_is_approved(page: Page) -> None:
    question = "How many orders were returned by status?"
    start(page, question)
    page.get_by_role("button", name="This is right").click()
    expect(page.get_by_text("proposed as a verified sample")).to_be_visible()
    page.get_by_role("link", name="Knowledge").click()
    review = page.get_by_role("region", name="To review")
    review.get_by_role("button", name=f"Edit: {question}").click()
    page.get_by_label("Question", exact=True).fill("Orders by status")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(review.get_by_role("button", name="Approve: Orders by status")).to_be_visible()
    expect(review.get_by_text(question)).to_have_count(0)


def test_words_and_descriptions_are_taught(opened: Opener, server: Program) -> None:
    page = opened(server, "/knowledge/glossary").page
    page.get_by_role("button", name="Add a term").click()
    page.get_by_label("Word", exact=True).fill("whale")
    page.get_by_label("Meaning (English)").fill("A customer of more than a hundred orders")
    page.get_by_label("Other words, separated by commas").fill("big spender, 大客户")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="whale")).to_be_visible()
    expect(page.get_by_text("大客户", exact=True)).to_be_visible()
    page.goto(server.url + "/data/demo/suppliers")
    page.get_by_role("button", name="Describe: rating").click()
    form = page.get_by_role("form", name="Name, meaning and format of rating")
    expect(form.get_by_label("Name (English)")).to_be_focused()
    form.get_by_label("Name (English)").fill("Stars")
    form.get_by_label("Meaning (English)").fill("From one to five, five is best")
    form.get_by_label("What the values stand for").fill("5 = best, 最好")
    page.keyboard.press("Tab")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="Stars: From one to five, five is best")).to_be_visible()
    expect(page.get_by_role("cell", name="5 = best")).to_be_visible()
    rows = page.get_by_role("table", name="First rows of suppliers")
    expect(rows.get_by_role("columnheader", name="Stars")).to_be_visible()
    with server.client() as client:
        assert "whale" in json.dumps(client.get("/connections/demo/glossary").json())


def test_the_schema_is_searched_and_drawn(opened: Opener, server: Program) -> None:
    page = opened(server, "/data/demo").page
    page.get_by_role("tab", name="Tables").click()
    page.get_by_role("searchbox", name="Search tables and columns").fill("refund")
    page.get_by_role("button", name="returns").first.click()
    expect(page.get_by_role("cell", name="refund_amount", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Search tables and columns").fill("")
    page.get_by_role("tab", name="Diagram").click()
    diagram = page.get_by_role("region", name="Diagram of 15 tables and their joins")
    expect(diagram.get_by_text("total_amount", exact=True)).to_have_count(0)
    page.get_by_label("All columns").check()
    expect(diagram.get_by_text("total_amount", exact=True)).to_be_visible()
    diagram.get_by_role("button", name="orders", exact=True).click()
    expect(page.get_by_role("heading", name="orders")).to_be_visible()


def test_questions_are_kept_pinned_and_asked_again(page: Page) -> None:
    question = "Who manages each store?"
    start(page, question)
    page.get_by_role("button", name="Save question").click()
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()
    page.get_by_role("link", name="Saved questions").click()
    page.get_by_role("button", name="Pin to the start page").click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.get_by_role("link", name="New question").click()
    expect(page.get_by_role("region", name="Pinned questions").get_by_role("button", name=question)).to_be_visible()
    page.get_by_role("link", name="Saved questions").click()
    page.get_by_role("button", name=f"Ask now: {question}").click()
    answered(page, question)


def test_a_conversation_is_shared_to_be_read(page: Page) -> None:
    start(page, REVENUE)
    with page.expect_response(lambda response: response.url.endswith("/share")) as sharing:
        page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    page.goto(page.url.split("/t/")[0] + sharing.value.json()["path"])
    expect(page.get_by_text("A shared conversation, read-only")).to_be_visible()
    expect(page.get_by_role("article", name=REVENUE).get_by_text("Revenue: east")).to_be_visible()
    expect(page.get_by_role("textbox", name="Ask a follow-up…")).to_have_count(0)


def test_an_analyst_is_made_and_chosen(opened: Opener, server: Program) -> None:
    page = opened(server, "/analysts").page
    page.get_by_role("button", name="New analyst").click()
    page.get_by_label("Name").fill("Buyer")
    page.get_by_label("Instructions").fill("Think of suppliers first.")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_label("Analyst")).to_contain_text("Buyer")
    start(page, REVENUE)
    with server.client() as client:
        [made] = client.get("/profiles").json()
        client.delete(f"/profiles/{made['id']}")


def test_settings_tell_the_state(opened: Opener, server: Program) -> None:
    page = opened(server, "/settings/status").page
    expect(page.get_by_text("Ready to answer")).to_be_visible()
    page.get_by_role("tab", name="Model").click()
    page.get_by_role("button", name="Test the model").click()
    expect(page.get_by_role("status").filter(has_text="It answered in")).to_be_visible()
    page.get_by_role("tab", name="Audit log").click()
    expect(page.get_by_role("region", name="Audit log")).to_be_visible()


def test_dark_chinese_on_a_phone(opened: Opener, server: Program) -> None:
    page = opened(server, width=390).page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="中文").click()
    page.get_by_label("主题").select_option("dark")
    page.get_by_role("link", name="数据", exact=True).click()
    expect(page.get_by_role("heading", name="数据", exact=True)).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    page.goto(server.url)
    ask(page, "各类别的销量排名")
    answered(page, "各类别的销量排名")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
