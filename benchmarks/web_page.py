"""What the page costs a browser: `python -m benchmarks.web_page [--turns 200] [--json FILE]`, with the page built and Chromium.

Three figures. The first load: bytes of JavaScript as they travel, and when the first text is painted with a processor four
times slower and a line of 10 Mbit/s with 40 ms. A conversation of many turns, and a table of ten thousand rows: how long
frames take while both are scrolled from end to end, and how many elements the page holds. A frame of 16.7 ms is smooth;
other work on the machine only adds, so that the figures of a busy one are upper bounds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any, TypedDict

from benchmarks.machine import facts, keep
from playwright.sync_api import Browser, Page, sync_playwright
from tests.e2e.serving import LONG, MONTHS, Program, program

TURNS = 200
SCROLLS = 120
"""Steps from one end to the other: some 40 pixels a frame for a table, a screen for a conversation."""
SLOWER = 4
LINE = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
WAIT_MS = 120_000
_SCROLL = """async ([selector, steps]) => {
  const box = document.querySelector(selector);
  const frames = [];
  let before = performance.now();
  for (let step = 0; step <= steps; step++) {
    box.scrollTop = (box.scrollHeight - box.clientHeight) * step / steps;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  return { frames, elements: document.querySelectorAll('*').length, at_end: box.scrollTop > 0 };
}"""


class Frames(TypedDict):
    """Frames while something was scrolled, in milliseconds."""

    median_ms: float
    p95_ms: float
    longest_ms: float
    elements: int


def measure_first_load(browser: Browser, running: Program) -> dict[str, float]:
    """Bytes of scripts as they travel, and the first paint on a slow machine."""
    page = browser.new_context(locale="en-US").new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: dict[str, float] = {}
    kinds: dict[str, str] = {}
    session.on("Network.responseReceived", lambda e: kinds.__setitem__(e["requestId"], e["type"]))
    session.on("Network.loadingFinished", lambda e: sizes.__setitem__(e["requestId"], e["encodedDataLength"]))
    page.goto(running.url)
    page.get_by_role("textbox").last.wait_for()
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    page.context.close()
    return {
        "script_kb": round(sum(size for each, size in sizes.items() if kinds.get(each) == "Script") / 1000, 1),
        "first_paint_ms": round(paint, 1),
    }


def measure_scrolling(page: Page, selector: str) -> Frames:
    """Frames from one end of a box to the other."""
    page.wait_for_selector(selector)
    found: dict[str, Any] = page.evaluate(_SCROLL, [selector, SCROLLS])
    if not found["at_end"]:
        raise SystemExit(f"{selector} has nothing to scroll")
    frames = sorted(found["frames"][1:])
    return {
        "median_ms": round(statistics.median(frames), 1),
        "p95_ms": round(frames[int(len(frames) * 0.95)], 1),
        "longest_ms": round(frames[-1], 1),
        "elements": found["elements"],
    }


def measure_conversation(browser: Browser, running: Program, turns: int) -> dict[str, Any]:
    """A conversation of many answers with charts: opened and scrolled."""
    with running.client() as client:
        first = client.post("/query", json={"question": MONTHS, "connection_id": "demo"}).raise_for_status().json()
        thread = first["thread_id"]
        for _ in range(turns - 1):
            body = {"question": MONTHS, "connection_id": "demo", "thread_id": thread}
            client.post("/query", json=body).raise_for_status()
    page = _opened(browser, f"{running.url}/t/{thread}")
    page.locator("article").nth(turns - 1).wait_for()
    opened = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    found = measure_scrolling(page, "[data-scrolls]")
    page.context.close()
    return {"turns": turns, "opened_ms": round(opened, 1), **found}


def measure_table(browser: Browser, running: Program) -> dict[str, Any]:
    """A table of ten thousand rows, scrolled."""
    page = _opened(browser, running.url)
    page.get_by_role("textbox").last.fill(LONG)
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Table").click()
    found = measure_scrolling(page, "[role=table]")
    page.context.close()
    return {"rows": 10_000, **found}


def _opened(browser: Browser, address: str) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en-US")
    context.add_init_script("localStorage.inquery ??= JSON.stringify({connection: 'demo'})")
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(address)
    return page


def main() -> None:
    """Measure, and print or keep."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--turns", type=int, default=TURNS)
    given.add_argument("--json", type=Path, help="keep the figures in this file")
    options = given.parse_args()
    machine = facts()
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with (
        tempfile.TemporaryDirectory() as home,
        sync_playwright() as driver,
        program(Path(home), INQUERY_QUERY__ROWS="10000") as running,
    ):
        browser = driver.chromium.launch(executable_path=found, args=arguments)
        figures = {
            "first_load": measure_first_load(browser, running),
            "table": measure_table(browser, running),
            "conversation": measure_conversation(browser, running, options.turns),
        }
        browser.close()
    print(json.dumps({"machine": machine, **figures}, indent=1))
    if options.json:
        keep(options.json, "web_page", machine, {"turns": options.turns, "cpu": SLOWER}, **figures)


if __name__ == "__main__":
    main()
