"""Reports in the page: given parameters, read as a document where they were made, and scheduled in words."""

from playwright.sync_api import expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import Program

TEMPLATE = """# Sales of {{= year}}

{{parameter: year = 2025 | type=text}}

{{table: orders by status}}

<script>document.title = 'taken over'</script>
"""


def test_a_report_is_made_given_parameters_run_and_read(opened: Opener, server: Program) -> None:
    watched = opened(server, "/reports")
    watched.expected.append("localStorage")  # the browser tests set it in every frame, and this one may not
    page = watched.page
    page.get_by_role("button", name="New report").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("Short one")
    form.get_by_label("Database").select_option("demo")
    form.get_by_role("textbox", name="Template").fill(TEMPLATE)
    form.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Run now").click()
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

    page.get_by_role("tab", name="Schedule").click()
    page.get_by_role("button", name="Add a schedule").click()
    form.get_by_label("Weekday").select_option("Friday")
    form.get_by_label("Time", exact=True).fill("07:30")
    form.get_by_label("Time zone").fill("Asia/Shanghai")
    form.get_by_label("PDF").check()
    expect(form.get_by_text("Every Friday at 7:30")).to_be_visible()
    form.get_by_role("button", name="Add", exact=True).click()
    line = page.get_by_role("row").filter(has_text="Every Friday at 7:30")
    expect(line.get_by_role("cell", name="Asia/Shanghai")).to_be_visible()
    expect(line.get_by_role("cell", name="HTML, PDF")).to_be_visible()


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
