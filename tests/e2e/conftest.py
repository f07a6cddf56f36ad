"""A browser, a server, and what every page must keep to: no error, no other host, nothing the policy forbids."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.e2e.serving import Program, program

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "inquery" / "web_dist" / "index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT_MS = int(os.environ.get("INQUERY_BROWSER_WAIT_MS", "60000"))
DEMO_FIRST = "localStorage.inquery ??= JSON.stringify({connection: 'demo'})"
"""Tests share a server and may add databases to it: each page begins with the demo all the same."""

expect.set_options(timeout=WAIT_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A real browser beside a busy machine misses a click now and then: such a test is told and run once more."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is; without it, or without the page, there is nothing to test."""
    found = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("there is no Chromium")
    if not PAGE.is_file():
        pytest.skip("the page was not built: make web")
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for one file: while its driver lives, no other loop can run in this thread, and other files need one."""
    with sync_playwright() as driver:
        arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        made = driver.chromium.launch(executable_path=chromium, args=arguments)
        yield made
        made.close()


@pytest.fixture(scope="module")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """One server for the tests of a file; each test has conversations of its own."""
    with program(tmp_path_factory.mktemp("home"), INQUERY_QUERY__ROWS="10000") as running:
        yield running


class Watched:
    """A page whose every complaint is kept."""

    def __init__(self, page: Page, host: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.expected: list[str] = []
        page.set_default_timeout(WAIT_MS)
        page.on("console", lambda said: said.type in {"error", "warning"} and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog " + dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self._asked(request.url, host))

    def _asked(self, url: str, host: str) -> None:
        if not url.startswith((host, "data:", "blob:")):
            self.complaints.append("another host: " + url)

    def check(self) -> None:
        """Nothing was complained of but what the test expected."""
        left = [each for each in self.complaints if not any(part in each for part in self.expected)]
        assert left == []


Opener = Callable[..., Watched]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opener]:
    """Opens pages of a server, each in a browser profile of its own; all must be clean at the end."""
    contexts, pages = [], []

    def open_page(
        running: Program,
        path: str = "/",
        *,
        language: str = "en-US",
        width: int = 1280,
        height: int = 860,
        touch: bool = False,
    ) -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            accept_downloads=True,
            reduced_motion="reduce",
            has_touch=touch,
            is_mobile=touch,
        )
        context.add_init_script(DEMO_FIRST)
        contexts.append(context)
        pages.append(Watched(context.new_page(), running.url))
        pages[-1].page.goto(running.url + path)
        return pages[-1]

    yield open_page
    try:
        for each in pages:
            each.check()
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def page(opened: Opener, server: Program) -> Page:
    """The start page in English."""
    return opened(server).page
