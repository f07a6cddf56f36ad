"""A provider that misbehaves gives a clear error, bounded retries and an open breaker (promise 18)."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, SecretStr
from tests.stubs.openai_server import Reply, Stub, openai_server

from inquery.errors import (
    BadOutput,
    BudgetSpent,
    CircuitOpen,
    KeyRefused,
    MissingDriver,
    ModelForbidden,
    ModelMissing,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from inquery.llm.chat import ChatModel
from inquery.llm.providers import open_chat
from inquery.llm.usage import UsageMeter
from inquery.llm.writers import chat_model_for
from inquery.settings import LLMSettings

ASK = [HumanMessage("How many?")]
KEY = "sk-canary-1234567890"


class Count(BaseModel):
    """How many."""

    n: int


OPENED: list[ChatModel] = []


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    """Each stub has an address of its own, for which the provider would keep its connections until the end."""
    yield
    while OPENED:
        await OPENED.pop()._model.root_async_client.close()


def model_at(stub: Stub, **changes: object) -> ChatModel:
    values = {
        "provider": "openai",
        "model": "stub",
        "base_url": stub.url,
        "api_key": SecretStr(KEY),
        "timeout_s": 30.0,
        **changes,
    }
    OPENED.append(open_chat(LLMSettings.model_validate(values)))
    return OPENED[-1]


async def test_a_good_answer_is_counted() -> None:
    meter = UsageMeter(price_in=2, price_out=10)
    with openai_server(Reply("forty-two")) as stub:
        assert await model_at(stub).complete(ASK, usage=meter) == "forty-two"
    assert meter.snapshot() == {
        "model_calls": 1, "prompt_tokens": 100, "cached_tokens": 0, "completion_tokens": 20, "cost": 0.0004, "model": "openai:stub",
    }  # fmt: skip


@pytest.mark.parametrize("method", ["function_calling", "json_mode", "json_schema", "text"])
async def test_structured_answers_work_by_every_method(method: str) -> None:
    reply = Reply('Sure!\n```json\n{"n": 7,}\n```', arguments={"n": 7})
    with openai_server(reply) as stub:
        assert await model_at(stub, structured_output=method).complete_as(ASK, Count) == Count(n=7)
    sent = stub.asked[0]
    assert bool(sent.get("tools")) == (method == "function_calling")
    assert bool(sent.get("response_format")) == method.startswith("json")


async def test_tokens_are_streamed_as_they_come() -> None:
    pieces: list[str] = []
    with openai_server(Reply("one two three four")) as stub:
        text = await model_at(stub).complete(ASK, on_token=pieces.append)
    assert text == "one two three four"
    assert len(pieces) > 2


async def test_one_deadline_holds_for_all_tries() -> None:
    busy = [Reply(status=500, retry_after="0")] * 2
    with openai_server(*busy, Reply("late", pause_s=6)) as stub:
        with pytest.raises(ModelTimeout):
            await model_at(stub, timeout_s=3, retries=9).complete(ASK)
        assert len(stub.asked) == 3


async def test_too_many_requests_waits_as_long_as_asked() -> None:
    with openai_server(Reply(status=429, retry_after="0.01"), Reply("done")) as stub:
        assert await model_at(stub).complete(ASK) == "done"
        assert len(stub.asked) == 2


async def test_a_pause_longer_than_a_person_waits_is_an_error() -> None:
    with openai_server(Reply(status=429, retry_after="3600")) as stub:
        with pytest.raises(RateLimited):
            await model_at(stub).complete(ASK)
        assert len(stub.asked) == 1


async def test_server_errors_are_tried_again_then_reported() -> None:
    with openai_server(Reply(status=500, retry_after="0")) as stub:
        with pytest.raises(ModelUnavailable) as caught:
            await model_at(stub, retries=2).complete(ASK)
        assert len(stub.asked) == 3
    assert KEY not in str(caught.value) + caught.value.public_message("en") + caught.value.public_message("zh")


async def test_half_a_stream_is_not_an_answer() -> None:
    with (
        openai_server(Reply("a long answer that is cut", fault="half_stream")) as stub,
        pytest.raises(ModelUnavailable),
    ):
        await model_at(stub, retries=0).complete(ASK, on_token=lambda text: None)


@pytest.mark.parametrize("reply", [Reply(fault="not_json"), Reply("")], ids=["html", "empty"])
async def test_nonsense_is_not_an_answer(reply: Reply) -> None:
    with openai_server(reply) as stub, pytest.raises(ModelUnavailable):
        await model_at(stub, retries=0).complete(ASK)


@pytest.mark.parametrize("reply", [Reply('{"candidates": []}'), Reply("")], ids=["json", "empty"])
async def test_data_is_no_answer_where_words_are_wanted(reply: Reply) -> None:
    pieces: list[str] = []
    with openai_server(reply) as stub, pytest.raises(BadOutput):
        await model_at(stub, retries=0).complete(ASK, on_token=pieces.append)
    assert pieces == []


@pytest.mark.parametrize("text", ["I cannot do that.", '{"m": 1}', '{"n": "many"}', "```json\n{\n```"])
async def test_prose_instead_of_json_is_bad_output(text: str) -> None:
    with openai_server(Reply(text)) as stub, pytest.raises(BadOutput):
        await model_at(stub, structured_output="text").complete_as(ASK, Count)


@pytest.mark.parametrize(("status", "kind"), [(401, KeyRefused), (403, ModelForbidden), (404, UnknownModel)])
async def test_a_refused_key_or_unknown_model_is_final(status: int, kind: type[ModelUnavailable]) -> None:
    with openai_server(Reply(status=status)) as stub:
        with pytest.raises(kind) as caught:
            await model_at(stub).complete(ASK)
        assert len(stub.asked) == 1
    assert not caught.value.retryable


async def test_the_breaker_opens_and_closes() -> None:
    with openai_server(Reply(status=500), Reply(status=500), Reply("fine")) as stub:
        model = model_at(stub, retries=0, breaker_failures=2, breaker_pause_s=2)
        for _ in range(2):
            with pytest.raises(ModelUnavailable):
                await model.complete(ASK)
        with pytest.raises(CircuitOpen):
            await model.complete(ASK)
        assert len(stub.asked) == 2
        async with asyncio.timeout(30):
            while (answer := await _unless_open(model)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        assert answer == "fine"


async def _unless_open(model: ChatModel) -> str | None:
    try:
        return await model.complete(ASK)
    except CircuitOpen:
        return None


async def test_a_spent_budget_makes_no_call() -> None:
    with openai_server(Reply("fine")) as stub:
        meter = UsageMeter(budget_tokens=100)
        model = model_at(stub)
        await model.complete(ASK, usage=meter)
        with pytest.raises(BudgetSpent):
            await model.complete(ASK, usage=meter)
        assert len(stub.asked) == 1


async def test_an_unreachable_server_is_unavailable() -> None:
    settings = LLMSettings(provider="openai", model="m", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelUnavailable):
        await open_chat(settings).complete(ASK)


@pytest.mark.parametrize(("provider", "model"), [("nobody", "m"), ("openai", "")])
def test_a_model_that_is_not_set_up_says_what_to_set(provider: str, model: str) -> None:
    with pytest.raises(ModelMissing) as caught:
        open_chat(LLMSettings(provider=provider, model=model))
    assert "INQUERY_LLM__" in caught.value.public_message("zh")


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_each_event_loop_has_a_chat_model_of_its_own(provider: str) -> None:
    with openai_server(Reply("yes")) as stub:
        url = stub.url.removesuffix("/v1") if provider == "anthropic" else stub.url
        settings = LLMSettings(provider=provider, model="m", base_url=url, api_key=SecretStr(KEY), retries=0)

        async def asked() -> ChatModel:
            chat = chat_model_for(settings)
            assert chat is not None
            assert chat is chat_model_for(settings)
            await chat.complete(ASK)
            return chat

        models = [asyncio.run(asked()) for _ in range(3)]
    assert len(set(map(id, models))) == 3


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
def test_a_provider_whose_client_is_not_installed_names_the_extra(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"langchain_{provider}", None)
    with pytest.raises(MissingDriver) as caught:
        open_chat(LLMSettings(provider=provider, model="m", api_key=SecretStr(KEY)))
    assert f"pip install 'inquery[{provider}]'" in caught.value.public_message("en")
    assert f"pip install 'inquery[{provider}]'" in caught.value.public_message("zh")
