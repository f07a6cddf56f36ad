"""People who sign in: who they are is shown, what they may not do is not, and an administrator sets both."""

import secrets
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import Opener
from tests.e2e.serving import CUSTOMERS_ZH, REVENUE, Program, program
from tests.e2e.test_access import axe, in_both_themes
from tests.e2e.test_conversation import answered, start

__all__ = ["axe"]

PASSWORD = "correct horse battery"
POST = """([path, body]) => {
  const headers = {"content-type": "application/json"};
  return fetch("/api/v1" + path, {method: "POST", body: JSON.stringify(body), headers}).then(sent => sent.ok);
}"""


@pytest.fixture(scope="module")
def town(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server with an administrator, to which the tests add people."""
    home = tmp_path_factory.mktemp("town")
    with program(home, INQUERY_IDENTITY__MODE="users", INQUERY_IDENTITY__ADMIN_PASSWORD=PASSWORD) as running:
        yield running


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation").get_by_text(name, exact=True)).to_be_visible()


def test_an_administrator_sets_what_a_person_sees_and_a_viewer_is_shown_no_more(opened: Opener, town: Program) -> None:
    name = f"vic{secrets.token_hex(3)}"  # a test that is run once more finds the people of the first try
    watched = opened(town, "/")
    watched.expected.append("401")  # before signing in
    admin = watched.page
    sign_in(admin, "admin", PASSWORD)
    admin.goto(town.url + "/settings/users")
    admin.get_by_role("button", name="Add a user").click()
    form = admin.get_by_role("dialog")
    form.get_by_label("User name").fill(name)
    form.get_by_label("Password", exact=True).fill("a first password")
    form.get_by_label("Role").select_option("viewer")
    form.get_by_role("button", name="Add", exact=True).click()
    line = admin.get_by_role("row").filter(has_text=name)
    line.get_by_role("button", name="Reset password").click()
    admin.get_by_label("New password").fill("another long password")
    admin.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(admin.get_by_text(f"{name} has a new password.")).to_be_visible()

    line.get_by_role("button", name="Databases").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Attributes").fill("region = east")
    dialog.get_by_role("button", name="Save attributes").click()
    expect(admin.get_by_role("status").get_by_text("Saved")).to_be_visible()
    dialog.get_by_role("checkbox", name="demo").click()
    dialog.get_by_role("button", name="Rules").click()
    dialog.get_by_role("button", name="Add a rule").click()
    dialog.get_by_label("Table").select_option("stores")
    dialog.get_by_label("Condition").fill("region = {user.region}")
    dialog.get_by_label("Hidden columns").fill("customers.email")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_text("with limits")).to_be_visible()
    admin.keyboard.press("Escape")
    line.get_by_role("button", name="Sees").click()
    expect(dialog.get_by_role("row").filter(has_text="stores")).to_contain_text("region = 'east'")
    expect(
        dialog.get_by_role("row").filter(has_text="customers").get_by_role("cell", name="1", exact=True)
    ).to_be_visible()

    watched = opened(town, "/")
    watched.expected.append("401")
    viewer = watched.page
    sign_in(viewer, name, "another long password")
    expect(viewer.get_by_role("link", name="Reports")).to_have_count(0)
    expect(viewer.get_by_text("Connect a database")).to_have_count(0)
    for place in ("/data/new", "/reports"):
        viewer.goto(town.url + place)
        expect(viewer.locator("main").get_by_text("You may not do this")).to_be_visible()
    viewer.goto(town.url + "/knowledge")
    expect(viewer.get_by_role("region", name="Approved")).to_be_visible()
    expect(viewer.get_by_role("region", name="To review")).to_have_count(0)
    viewer.goto(town.url + "/")
    start(viewer, REVENUE)
    viewer.get_by_role("tab", name="Table").click()
    expect(viewer.get_by_role("row")).to_have_count(2)  # the head, and the one region of the rule
    viewer.get_by_role("button", name="Sign out").click()
    expect(viewer.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_group_decides_for_its_members_and_takes_the_downloads_away(opened: Opener, town: Program) -> None:
    name, group = f"zoe{secrets.token_hex(3)}", f"East {secrets.token_hex(3)}"
    watched = opened(town, "/")
    watched.expected.append("401")  # before signing in
    admin = watched.page
    sign_in(admin, "admin", PASSWORD)
    admin.goto(town.url + "/settings/users")
    admin.get_by_role("button", name="Add a user").click()
    form = admin.get_by_role("dialog")
    form.get_by_label("User name").fill(name)
    form.get_by_label("Password", exact=True).fill(PASSWORD)
    form.get_by_role("button", name="Add", exact=True).click()
    admin.get_by_role("button", name="Add a group").click()
    form.get_by_label("Name of the group").fill(group)
    form.get_by_label(name).check()
    form.get_by_role("button", name="Add", exact=True).click()
    groups = admin.get_by_role("region", name="Groups").last
    line = groups.get_by_role("row").filter(has_text=group)
    expect(line).to_contain_text(name)
    line.get_by_role("button", name="Databases").click()
    form.get_by_role("checkbox", name="demo").click()
    form.get_by_role("button", name="Rules").click()
    form.get_by_role("button", name="Add a rule").click()
    form.get_by_label("Table").select_option("stores")
    form.get_by_label("Condition").fill("region = 'east'")
    form.get_by_label("May download").uncheck()
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form.get_by_text("with limits")).to_be_visible()
    admin.keyboard.press("Escape")
    admin.get_by_role("row").filter(has_text=name).first.get_by_role("button", name="Sees").click()
    expect(form.get_by_text("no downloads")).to_be_visible()
    expect(form.get_by_text(f"by the groups {group}")).to_be_visible()

    watched = opened(town, "/")
    watched.expected.append("401")
    member = watched.page
    sign_in(member, name, PASSWORD)
    start(member, REVENUE)
    member.get_by_role("tab", name="Table").click()
    expect(member.get_by_role("row")).to_have_count(2)
    expect(member.get_by_role("button", name="Download", exact=True)).to_have_count(0)
    member.get_by_role("tab", name="SQL").click()
    expect(member.get_by_role("button", name="Download the conversation")).to_have_count(0)


def walk_to(page: Page, name: str) -> None:
    """Press Tab until what has this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText").strip() == name:
            return
    raise AssertionError(f"the Tab key does not reach {name}")


@pytest.mark.parametrize(
    ("language", "areas", "sign_out", "question"),
    [
        ("en-US", ("Saved questions", "Data", "Knowledge", "Analysts", "Reports", "Settings"), "Sign out", REVENUE),
        ("zh-CN", ("收藏的问题", "数据", "知识", "分析师", "报告", "设置"), "退出登录", CUSTOMERS_ZH),
    ],
)
def test_a_person_signs_in_asks_goes_everywhere_and_signs_out_by_the_keyboard_alone(
    opened: Opener, town: Program, language: str, areas: tuple[str, ...], sign_out: str, question: str
) -> None:
    watched = opened(town, "/", language=language)
    watched.expected.append("401")  # before signing in
    page = watched.page
    expect(page.locator("input").first).to_be_focused()
    for word, key in (("admin", "Tab"), (PASSWORD, "Enter")):
        page.keyboard.type(word)
        page.keyboard.press(key)
    page.locator("#question").wait_for()
    while not page.evaluate("document.activeElement.id === 'question'"):
        page.keyboard.press("Tab")
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    answered(page, question)
    for area in areas:
        walk_to(page, area)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    walk_to(page, sign_out)
    page.keyboard.press("Enter")
    expect(page.locator("input[autocomplete=username]")).to_be_focused()


@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_what_is_for_people_and_keys_is_accessible_with_no_button_out_of_sight(
    opened: Opener, town: Program, axe: str, language: str, width: int
) -> None:
    name = f"ann.montgomery-featherstone{secrets.token_hex(3)}@shop.example"
    watched = opened(town, "/", language=language, width=width, touch=width < 600)
    watched.expected.append("401")  # before signing in
    page = watched.page
    page.locator("input[type=password]").wait_for()
    assert in_both_themes(page, axe) == []
    page.locator("input").first.fill("admin")
    page.locator("input[type=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("input[type=password]").wait_for(state="detached")
    for path, body in (
        ("/users", {"name": name, "password": PASSWORD, "role": "viewer"}),
        ("/groups", {"name": f"Finance and Controlling {secrets.token_hex(3)}", "members": [name]}),
        ("/keys", {"name": "nightly"}),
    ):
        assert page.evaluate(POST, [path, body])
    for place in ("/settings/users", "/settings/keys", "/settings/general"):
        page.goto(town.url + place)
        page.wait_for_load_state("networkidle")
        assert in_both_themes(page, axe) == [], place
        for button in page.get_by_role("main").get_by_role("button").all():
            box = button.bounding_box()
            assert box, place
            assert box["x"] + box["width"] <= width, (place, button.inner_text())
