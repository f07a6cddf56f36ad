"""Models kept from the page: tried before and after they are saved, chosen for a question, and told apart in what they cost."""

from playwright.sync_api import expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import Program
from tests.e2e.test_conversation import answered, ask
from tests.stubs.openai_server import Reply, openai_server

KEY = "sk-canary-1234567890"
GOOD = Reply(arguments={"candidates": [{"sql": "SELECT COUNT(*) AS stub_count FROM stores"}]})
NO_ACCESS = Reply(status=403, error={"error": {"message": "Project has no access to model m", "code": "no_access"}})


def test_a_model_is_tried_kept_chosen_and_counted(opened: Opener, server: Program) -> None:
    page = opened(server, "/settings/model").page
    with openai_server(NO_ACCESS) as stub:
        page.get_by_role("button", name="Add a model").click()
        form = page.get_by_role("dialog")
        form.get_by_label("Name", exact=True).fill("fast one")
        form.get_by_label("Model", exact=True).fill("m")
        form.get_by_label("Address").fill(stub.url)
        form.get_by_label("Key", exact=True).fill(KEY)
        form.get_by_role("button", name="Test before saving").click()
        expect(form.get_by_text("Project has no access to model m")).to_be_visible()

        stub.replies[:] = [GOOD]
        form.get_by_text("Prices and limits").click()
        form.get_by_label("Price of a million tokens read", exact=True).fill("2")
        form.get_by_role("button", name="Save", exact=True).click()
        kept = page.get_by_role("listitem").filter(has_text="fast one")
        expect(kept.get_by_text("It answered in")).to_be_visible()  # tried as soon as it is saved
        expect(kept.get_by_text("Key kept")).to_be_visible()
        assert stub.headers[-1]["authorization"] == f"Bearer {KEY}"

        kept.get_by_role("button", name="Edit: fast one").click()
        expect(form.get_by_label("Key", exact=True)).to_have_value("")
        expect(form.get_by_text("One is kept.")).to_be_visible()
        form.get_by_label("Model", exact=True).fill("m2")
        form.get_by_role("button", name="Save", exact=True).click()
        expect(kept.get_by_text("openai · m2")).to_be_visible()
        expect(kept.get_by_text("It answered in")).to_be_visible()
        assert stub.headers[-1]["authorization"] == f"Bearer {KEY}"  # the key stayed with its address

        page.get_by_role("link", name="New question").click()
        page.get_by_label("Model").select_option("fast one")
        ask(page, "How many places have we got?")
        answered(page, "How many places have we got?")
        assert stub.asked[-1]["model"] == "m2"
        expect(page.get_by_label("Model")).to_have_value("fast one")

        page.goto(server.url + "/settings/model")
        spent = page.get_by_role("region", name="Spent in the last 30 days")
        expect(spent.get_by_role("cell", name="openai:m2")).to_be_visible()
        page.get_by_role("button", name="Delete: fast one").click()
        form.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("No model was saved yet.")).to_be_visible()
        page.get_by_role("link", name="New question").click()
        expect(page.get_by_role("textbox", name="Ask a question")).to_be_visible()
        expect(page.get_by_label("Model")).to_have_count(0)
        assert KEY not in page.content()
