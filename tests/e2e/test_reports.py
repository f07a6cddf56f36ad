"""Reports in the page: given parameters, read as a document where they were made, and scheduled in words."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import Program, program

TEMPLATE = """# Sales of {{= year}}

{{parameter: year = 2025 | type=text}}

{{table: orders by status}}

<script>document.title = 'taken over'</script>
"""


@pytest.fixture(scope="module")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server that may send mail; nothing is due while the tests run."""
    mail = {"INQUERY_MAIL__HOST": "127.0.0.1", "INQUERY_MAIL__SENDER": "reports@shop.example"}
    with program(tmp_path_factory.mktemp("home"), **mail) as running:
        yield running


def test_a_report_is_made_given_parameters_run_and_read(opened: Opener, server: Program) -> None:
    watched = opened(server, "/reports")
    watched.expected.append("localStorage")  # the browser tests set it in every frame, and this one may not
    page = watched.page
    page.get_by_role("button", name="New report").click()
    page.get_by_label("Name").fill("Short one")
    page.get_by_label("Database").select_option("demo")
    page.get_by_role("textbox", name="Template").fill(TEMPLATE)
    written = page.get_by_role("region", name="The document")
    expect(written.get_by_role("heading", name="Sales of 2025")).to_be_visible()
    expect(written.get_by_text("orders by status")).to_be_visible()
    page.get_by_role("button", name="A metric").click()
    page.get_by_role("menuitem", name="Revenue", exact=True).click()
    expect(page.get_by_role("textbox", name="Template")).to_have_value(TEMPLATE + "{{value: Revenue}}")
    page.get_by_role("textbox", name="Template").fill(TEMPLATE + "{{#if}}")
    expect(written.get_by_text("opens or closes no block").first).to_be_visible()
    page.get_by_role("textbox", name="Template").fill(TEMPLATE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Run now").click()
    form = page.get_by_role("dialog")
    form.get_by_label("year").fill("2031")
    form.get_by_role("button", name="Run now").click()
    expect(page.get_by_text("1 of 1 values found")).to_be_visible()
    document = page.frame_locator("iframe[title=Document]")
    expect(document.get_by_text("Sales of 2031")).to_be_visible()
    assert "taken over" not in page.title()
    page.get_by_role("tab", name="Values").click()
    expect(page.get_by_role("cell", name="paid")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="HTML").click()
    assert "Sales of 2031" in waiting.value.path().read_text("utf-8")

    page.get_by_role("tab", name="Template").click()
    page.get_by_role("textbox", name="Template").fill(TEMPLATE.replace("Sales", "Takings"))
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("button", name="Save as a new version")).to_be_disabled()
    expect(page.get_by_role("region", name="The document").get_by_text("Takings of 2025")).to_be_visible()

    page.get_by_role("tab", name="Schedule").click()
    page.get_by_role("button", name="Add a schedule").click()
    form.get_by_label("Weekday").select_option("Friday")
    form.get_by_label("Time", exact=True).fill("07:30")
    form.get_by_label("Time zone").fill("Asia/Shanghai")
    form.get_by_label("PDF").check()
    form.get_by_label("Mail to").fill("ann@shop.example, bob@shop.example")
    expect(form.get_by_text("Every Friday at 7:30")).to_be_visible()
    form.get_by_role("button", name="Add", exact=True).click()
    line = page.get_by_role("row").filter(has_text="Every Friday at 7:30")
    expect(line.get_by_role("cell", name="Asia/Shanghai")).to_be_visible()
    expect(line.get_by_role("cell", name="HTML, PDF · mailed to 2")).to_be_visible()


def test_a_report_is_shown_as_if_it_came_from_nowhere(server: Program) -> None:
    with server.client() as client:
        made = client.post("/reports", json={"name": "bare", "connection_id": "demo", "text": "# Nothing to ask\n"})
        run = client.post(f"/reports/{made.json()['id']}/runs", json={}).json()
        shown = client.get(f"/report-runs/{run['id']}/view")
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox;")
    assert "script" not in policy
    assert "default-src 'none'" in policy
    assert shown.headers["x-frame-options"] == "SAMEORIGIN"
