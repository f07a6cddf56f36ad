"""The first answers with the model that comes with Inquery, where its weights are there."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.e2e.conftest import Browser, Opener
from tests.e2e.serving import CUSTOMERS_ZH, REVENUE, Program, program

from inquery.errors import ModelMissing
from inquery.llm.embedded.weights import find


@pytest.fixture(scope="module")
def embedded(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    try:
        find()
    except ModelMissing:
        pytest.skip("the weights of the embedded model are not here")
    with program(tmp_path_factory.mktemp("home"), model="embedded") as running:
        yield running


@pytest.mark.parametrize(("language", "question"), [("en-US", REVENUE), ("zh-CN", CUSTOMERS_ZH)])
def test_a_verified_question_is_answered(opened: Opener, embedded: Program, language: str, question: str) -> None:
    page = opened(embedded, language=language).page
    page.get_by_role("button", name=question, exact=True).click()
    expect(page.get_by_text(re.compile("Answered in|用时"))).to_be_visible(timeout=120_000)
    expect(page.get_by_role("tab", name="SQL")).to_be_visible()
