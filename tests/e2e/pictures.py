"""Takes the pictures of the documentation: `python -m tests.e2e.pictures` writes docs/pictures/page-*.png."""

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.e2e.serving import CUSTOMERS_ZH, MONTHS, REVENUE, Program, program

OUT = Path(__file__).parents[2] / "docs" / "pictures"
ENGLISH = (
    "Who manages each store?",
    "Which five customers spent the most?",
    "What share of payments failed by method?",
)
CHINESE = ("退货原因的分布", "各城市的客户数，列出前五名", CUSTOMERS_ZH)
DESKTOP = {"width": 1320, "height": 860}
PHONE = {"width": 390, "height": 844}


class Studio:
    """A browser and a server that already has some conversations."""

    def __init__(self, browser: Browser, running: Program) -> None:
        self.browser = browser
        self.running = running

    def open(self, path: str, size: dict[str, int], language: str, theme: str) -> Page:
        """A fresh page in a language and a theme."""
        locale = "zh-CN" if language == "zh" else "en-US"
        context = self.browser.new_context(
            viewport=size, locale=locale, color_scheme=theme, device_scale_factor=2 if size is PHONE else 1.5,
            reduced_motion="reduce",
        )  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(self.running.url + path)
        return page

    def take(self, page: Page, name: str) -> None:
        """Save what is seen."""
        page.wait_for_load_state("networkidle")
        page.screenshot(path=OUT / f"page-{name}.png")
        page.context.close()

    def ask(self, page: Page, question: str) -> None:
        """Ask, and wait for the chart of the answer."""
        page.get_by_role("textbox").last.fill(question)
        page.keyboard.press("Enter")
        expect(page.locator("svg.recharts-surface").last).to_be_visible(timeout=60_000)
        expect(page.locator("article [aria-busy=true]")).to_have_count(0, timeout=60_000)


def take_all(studio: Studio) -> None:
    """Every picture."""
    with studio.running.client() as client:
        for question in (*CHINESE, *ENGLISH):
            client.post("/query", json={"question": question, "connection_id": "demo"}).raise_for_status()
    page = studio.open("/", DESKTOP, "en", "light")
    page.get_by_role("button", name=REVENUE, exact=True).wait_for()
    studio.take(page, "welcome")
    page = studio.open("/", DESKTOP, "en", "light")
    studio.ask(page, REVENUE)
    studio.take(page, "answer")
    page = studio.open("/", DESKTOP, "zh", "dark")
    studio.ask(page, "各类别的销量排名")
    studio.take(page, "answer-zh-dark")
    page = studio.open("/", DESKTOP, "en", "dark")
    studio.ask(page, MONTHS)
    page.get_by_role("button", name="How this was answered").click()
    studio.take(page, "steps-dark")
    page = studio.open("/", DESKTOP, "en", "light")
    studio.ask(page, "What is the average order value by channel?")
    page.get_by_role("tab", name="SQL").click()
    studio.take(page, "sql")
    page = studio.open("/data/demo/orders", DESKTOP, "en", "light")
    page.get_by_role("tab", name="Diagram").click()
    studio.take(page, "diagram")
    page = studio.open("/knowledge/glossary", DESKTOP, "zh", "light")
    page.get_by_role("heading", name="revenue").wait_for()
    studio.take(page, "glossary-zh")
    page = studio.open("/", PHONE, "zh", "light")
    studio.ask(page, "退货原因的分布")
    studio.take(page, "phone-zh")
    page = studio.open("/", PHONE, "en", "dark")
    page.get_by_role("button", name=REVENUE, exact=True).wait_for()
    studio.take(page, "phone-dark")


def main() -> None:
    """Take them all with the Chromium of this machine."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver, program(Path(home)) as running:
        browser = driver.chromium.launch(executable_path=found, args=arguments)
        take_all(Studio(browser, running))
        browser.close()


if __name__ == "__main__":
    main()
