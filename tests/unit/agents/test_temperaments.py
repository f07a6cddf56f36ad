"""Whatever a provider does, a question ends in the right answer or the right sentence, and never in a raised error."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.stubs import openai_server as stubs
from tests.stubs.openai_server import Refusal, Reply
from tests.unit.agents.conftest import SHOP, Opened

from inquery.answers.answer import Answer
from inquery.errors import all_errors
from inquery.llm.request_shape import SHAPES, shape_book
from inquery.llm.writers import hold_chats

CASES = yaml.safe_load((Path(stubs.__file__).parent / "temperaments.yaml").read_text("utf-8"))
GOOD = {"candidates": [{"sql": "SELECT COUNT(*) FROM customers", "why": "one row a customer"}]}
KEY = "sk-canary-1234567890"
assert SHOP


def reply(given: dict[str, Any]) -> Reply:
    return Reply(**{name: GOOD if value == "GOOD" else value for name, value in given.items()})


def model_settings(case: dict[str, Any], url: str) -> dict[str, Any]:
    anthropic = case.get("wire") == "anthropic"
    return {
        "provider": "anthropic" if anthropic else "openai",
        "model": "m",
        "base_url": url.removesuffix("/v1") if anthropic else url,
        "api_key": KEY,
        "timeout_s": 20,
        **case.get("settings", {}),
    }


ENGLISH, CHINESE = "How many customers are there?", "一共有多少位客户？"
SENTENCES = {(case["expect"]["status"], case["expect"].get("code")): case for case in CASES if "settings" not in case}
"""One case of each sentence: a statement needs no language, a sentence is asked for in Chinese too."""
ASKED = [(case, case.get("question", {}).get("en", ENGLISH)) for case in CASES]
ASKED += [(case, case.get("question", {}).get("zh", CHINESE)) for case in SENTENCES.values()]


@pytest.mark.parametrize(("case", "question"), ASKED, ids=[f"{case['name']} {asked[:3]}" for case, asked in ASKED])
async def test_a_question_ends_well_whatever_the_provider_does(
    case: dict[str, Any], question: str, desk: Opened
) -> None:
    expect = case["expect"]
    refuses = [Refusal(**each) for each in case.get("refuses", ())]
    with stubs.openai_server(*map(reply, case["replies"]), refuses=refuses) as stub:
        async with hold_chats():
            asked = desk(llm=model_settings(case, stub.url), writer=None, cache={"enabled": False})
            answer = await asked.ask(question)
            calls = len(stub.asked)
            if "again" in expect:
                again = await asked.ask("How many customers do we have in all?")
                assert (again.status, len(stub.asked) - calls) == (expect["status"], expect["again"])
    check(answer, expect)
    assert answer.language == ("en" if question.isascii() else "zh")
    assert calls == expect["calls"]


def check(answer: Answer, expect: dict[str, Any]) -> None:
    told = answer.model_dump_json()
    assert KEY not in told
    assert answer.status == expect["status"]
    assert expect["status"] == "refused" or (answer.error or {}).get("code") == expect.get("code")
    if answer.status == "answered":
        assert answer.rows == [[3]]
    if answer.error is not None and answer.status in {"failed", "declined"}:
        kind = next(each for each in all_errors() if each.code == answer.error["code"])
        begins = kind.en if answer.language == "en" else kind.zh
        assert answer.text.startswith(begins.partition("{")[0])
    assert expect.get("detail", "") in (answer.error or {}).get("detail", "")
    assert expect.get("text", "") in answer.text


async def test_nothing_listens(desk: Opened) -> None:
    async with hold_chats():
        asked = desk(llm=model_settings({}, "http://127.0.0.1:9/v1"), writer=None)
        answer = await asked.ask("How many customers are there?")
    assert (answer.status, answer.error and answer.error["code"]) == ("failed", "model_unreachable")


async def test_what_was_learnt_is_known_to_the_next_process(desk: Opened, own_home: Path) -> None:
    case = next(case for case in CASES if case["name"] == "dislikes several things at once")
    refuses = [Refusal(**each) for each in case["refuses"]]
    with stubs.openai_server(reply({"arguments": "GOOD"}), refuses=refuses) as stub:
        async with hold_chats():
            first = desk(llm=model_settings(case, stub.url), writer=None, cache={"enabled": False})
            await first.ask("How many customers are there?")
        assert KEY not in (own_home / SHAPES).read_text("utf-8")
        shape_book(own_home)._known = None  # as a process that begins
        calls = len(stub.asked)
        async with hold_chats():
            second = desk(llm=model_settings(case, stub.url), writer=None, cache={"enabled": False})
            answer = await second.ask("How many customers are there?")
    assert answer.status == "answered"
    assert len(stub.asked) - calls == 1
    assert not {"temperature", "tools", "response_format", "max_tokens"} & stub.asked[-1].keys()


async def test_one_persons_bad_requests_close_the_model_to_nobody(desk: Opened) -> None:
    bad = Reply(
        status=400,
        error={"error": {"message": "We do not like this request at all, whatever it may be that you are asking."}},
    )
    with stubs.openai_server(*[bad] * 8, Reply(arguments=GOOD)) as stub:
        async with hold_chats():
            asked = desk(llm=model_settings({}, stub.url), writer=None, cache={"enabled": False})
            for number in range(8):
                assert (await asked.ask(f"How many customers are there, {number}?")).status == "failed"
            assert (await asked.ask("How many customers are there?")).status == "answered"


async def test_a_question_of_the_models_is_answered_in_the_persons_words(desk: Opened) -> None:
    asks = Reply(arguments={"candidates": [], "question": "All customers, or those of Paris?"})
    with stubs.openai_server(asks, Reply(arguments=GOOD)) as stub:
        async with hold_chats():
            asked = desk(llm=model_settings({}, stub.url), writer=None, cache={"enabled": False})
            first = await asked.ask("How many customers are there?", thread="t")
            assert first.pending is not None
            second = await asked.ask("all of them, please", thread="t")
    assert second.status == "answered"
    assert "all of them" in stub.asked[-1]["messages"][-1]["content"]


async def test_a_model_that_keeps_asking_is_not_asked_for_ever(desk: Opened) -> None:
    asks = Reply(arguments={"candidates": [], "question": "Which ones?"})
    with stubs.openai_server(asks) as stub:
        async with hold_chats():
            asked = desk(llm=model_settings({}, stub.url), writer=None, cache={"enabled": False})
            await asked.ask("How many customers are there?", thread="t")
            second = await asked.ask("all of them, please", thread="t")
    assert (second.status, len(stub.asked)) == ("declined", 2)


async def test_where_nobody_can_reply_a_question_of_the_models_is_told(desk: Opened) -> None:
    asks = Reply(arguments={"candidates": [], "question": "Which ones?"})
    with stubs.openai_server(asks) as stub:
        async with hold_chats():
            asked = desk(llm=model_settings({}, stub.url), writer=None)
            answer = await asked.ask("How many customers are there?", can_ask=False)
    assert (answer.status, answer.pending, len(stub.asked)) == ("declined", None, 1)
    assert "Which ones?" in answer.text


@pytest.fixture(autouse=True)
def _forgotten(own_home: Path) -> Iterator[None]:
    """What was learnt of a stub's address says nothing of the next one's."""
    yield
    shutil.rmtree(own_home / SHAPES, ignore_errors=True)
