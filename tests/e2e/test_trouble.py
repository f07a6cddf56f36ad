"""When things break: the server goes away and comes back, a stream is cut, a session ends."""

from pathlib import Path

from playwright.sync_api import Route, expect
from tests.e2e.conftest import WAIT_MS, Browser, Opener
from tests.e2e.serving import REVENUE, Program, program
from tests.e2e.test_conversation import answered, ask, start


def test_a_restart_is_told_and_survived(opened: Opener, browser: Browser, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with program(home) as first:
        watched = opened(first)
        watched.expected.append("Failed to load resource")
        page = watched.page
        start(page, REVENUE)
        port = int(first.url.rsplit(":", 1)[1])
        first.kill()
        ask(page, "only the top 2")
        expect(page.get_by_text("The connection broke. Reconnecting…")).to_be_visible()
        with program(home, port=port):
            again = page.get_by_role("button", name="Try again")
            ended = page.get_by_role("article").last.get_by_text("Answered in")
            expect(again.or_(ended)).to_be_visible()
            if again.is_visible():  # a busy machine took longer to start than the page waits
                again.click()
            answered(page, "only the top 2")
            page.reload()
            expect(page.get_by_role("article")).to_have_count(2)
    ask(page, REVENUE)
    expect(page.get_by_text("The connection broke. Reconnecting…")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("Stopped.")


def test_a_stream_that_is_cut_is_taken_up_without_telling_anything_twice(opened: Opener, server: Program) -> None:
    watched = opened(server)
    page = watched.page
    cut = []

    def halve(route: Route) -> None:
        """The first answer loses its second half, as when a network breaks."""
        response = route.fetch(timeout=WAIT_MS)
        text = response.text()
        cut.append(route.request.headers["idempotency-key"])
        route.fulfill(response=response, body=text[: text.index("event: done")] if len(cut) == 1 else text)

    page.route("**/query/stream", halve)
    start(page, REVENUE)
    assert len(cut) == 2
    assert cut[0] == cut[1]
    page.get_by_role("button", name="Answered in").click()
    expect(page.get_by_role("listitem").filter(has_text="Reading the question")).to_have_count(1)


def test_signing_in_and_a_session_that_ends(opened: Opener, browser: Browser, tmp_path: Path) -> None:
    environment = {
        "INQUERY_IDENTITY__MODE": "users",
        "INQUERY_IDENTITY__ADMIN_NAME": "ada",
        "INQUERY_IDENTITY__ADMIN_PASSWORD": "correct horse battery",
    }
    with program(tmp_path / "home", **environment) as running:
        watched = opened(running)
        watched.expected.append("401")  # the browser's own note that nobody is signed in yet, or any more
        page = watched.page

        def sign_in(password: str, name: str = "ada") -> None:
            page.get_by_label("User name").fill(name)
            page.get_by_label("Password").fill(password)
            page.get_by_role("button", name="Sign in").click()

        sign_in("wrong")
        expect(page.get_by_role("alert")).to_be_visible()
        sign_in("correct horse battery")
        start(page, REVENUE)
        page.context.clear_cookies()
        ask(page, "only the top 2")
        expect(page.get_by_text("Your session has ended.")).to_be_visible()
        sign_in("correct horse battery")
        expect(page.get_by_text("Your session has ended.")).to_have_count(0)
        page.get_by_role("button", name="Try again").click()
        answered(page, "only the top 2")
        page.goto(running.url + "/settings/keys")
        page.get_by_label("Name").fill("robot")
        page.get_by_role("button", name="New key").click()
        expect(page.get_by_text("it is shown only once")).to_be_visible()
        page.get_by_role("button", name="Revoke: robot").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(page.get_by_role("cell", name="robot", exact=True)).to_have_count(0)
        page.get_by_role("tab", name="Users").click()
        page.get_by_role("button", name="Add a user").click()
        page.get_by_role("dialog").get_by_label("User name").fill("bob")
        page.get_by_role("dialog").get_by_label("Password", exact=True).fill("another long password")
        page.get_by_role("dialog").get_by_role("button", name="Add").click()
        page.get_by_role("row").filter(has_text="bob").get_by_role("button", name="Databases").click()
        page.get_by_role("checkbox", name="demo").click()
        expect(page.get_by_role("checkbox", name="demo")).to_be_checked()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="Sign in to Inquery")).to_be_visible()
        sign_in("another long password", "bob")
        start(page, REVENUE)
        expect(page.get_by_role("link", name="Settings")).to_be_visible()
