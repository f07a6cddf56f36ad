"""The key of the settings goes to the provider and address it was set for, and nowhere else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from tests.integration.api_server import API, Served, served
from tests.sink import Sink, sink

from inquery.agents.context import Context, Profile, Services
from inquery.agents.sources import Sources
from inquery.cli.eval import chosen_model
from inquery.errors import BadRequest, ModelMissing
from inquery.knowledge.embedders import embedder_for
from inquery.llm.providers import address_of, open_chat, refuse_keyless, withhold_key
from inquery.settings import LLMSettings, Settings, get_settings

KEY = "sk-of-the-company"


@pytest.fixture(scope="module")
def sinks() -> Iterator[tuple[Sink, Sink]]:
    with sink() as first, sink() as second:
        yield first, second


@pytest.fixture(scope="module")
def server(sinks: tuple[Sink, Sink], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    address = sinks[0].url + "/v1"
    # Nonsense is a failure too, and a breaker that opens would hide the tests from one another.
    llm = {
        "provider": "openai",
        "model": "m",
        "base_url": address,
        "api_key": KEY,
        "retries": 0,
        "breaker_failures": 99,
    }
    with served(tmp_path_factory.mktemp("keys"), llm=llm) as found:
        yield found


@pytest.fixture
def home_sink(sinks: tuple[Sink, Sink]) -> Sink:
    """Where the key belongs."""
    sinks[0].received.clear()
    return sinks[0]


@pytest.fixture
def elsewhere(sinks: tuple[Sink, Sink]) -> Sink:
    """Where it does not."""
    sinks[1].received.clear()
    return sinks[1]


def tried(server: Served, body: dict[str, Any], language: str = "en") -> dict[str, Any]:
    with server.client(headers={"accept-language": language}) as client:
        answer = client.post(API + "/model/test", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_another_address_is_not_sent_the_stored_key(server: Served, elsewhere: Sink) -> None:
    said = {language: tried(server, {"base_url": elsewhere.url + "/v1"}, language) for language in ("en", "zh")}
    assert elsewhere.received == [], "no call is made"
    assert said["en"]["code"] == said["zh"]["code"] == "model_missing"
    assert "key of its own" in said["en"]["message"]
    assert "另行提供密钥" in said["zh"]["message"]


@pytest.mark.parametrize("key", ["own", ""])
def test_another_address_is_sent_the_key_of_the_request(server: Served, elsewhere: Sink, key: str) -> None:
    tried(server, {"base_url": elsewhere.url + "/v1", "api_key": key})
    assert [each.headers["authorization"] for each in elsewhere.received] == [f"Bearer {key or 'none'}"]


def test_the_same_address_is_sent_the_stored_key(server: Served, home_sink: Sink) -> None:
    tried(server, {"base_url": home_sink.url + "/other", "model": "n"})
    assert [each.headers["authorization"] for each in home_sink.received] == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    "answer", ["{}", "[]", "null", '"x"', "<html>", "", '{"choices": [{}]}', '{"choices": [{"message": null}]}', '{"choices": 3}']
)  # fmt: skip
def test_a_provider_that_answers_nonsense_is_told_as_one(server: Served, home_sink: Sink, answer: str) -> None:
    home_sink.answer = answer.encode()
    found = tried(server, {})
    assert (found["ok"], found["code"] in {"model_bad_output", "model_not_an_api", "model_unavailable"}) == (
        False,
        True,
    ), found
    assert len(home_sink.received) == 1


STORED = LLMSettings(provider="openai", model="m", base_url="https://models.example:8443/v1", api_key=SecretStr(KEY))


@pytest.mark.parametrize(
    ("changes", "goes"),
    [
        ({"model": "n"}, True),
        ({"base_url": "https://MODELS.example:8443/v2"}, True),
        ({"provider": "anthropic"}, True),  # the same server, which speaks both
        ({"base_url": "http://models.example:8443/v1"}, False),
        ({"base_url": "https://models.example/v1"}, False),
        ({"base_url": "https://models.example:8443@evil.example/v1"}, False),
        ({"base_url": "https://evil.example\\@models.example:8443/v1"}, False),
        ({"base_url": "https://models.example.evil.example:8443/v1"}, False),
        ({"base_url": "https://models.example:x/v1"}, False),
        ({"base_url": ""}, False),
        ({"provider": "anthropic", "base_url": ""}, False),
        ({"provider": "plugged-in", "base_url": ""}, False),
    ],
)
def test_a_place_is_scheme_host_and_port(changes: dict[str, str], goes: bool) -> None:
    made = STORED.model_copy(update=changes)
    assert bool(withhold_key(STORED, made).api_key.get_secret_value()) == goes
    if goes:
        refuse_keyless(STORED, made)
    else:
        with pytest.raises(ModelMissing):
            refuse_keyless(STORED, made)


def test_providers_without_keys_need_none() -> None:
    for provider in ("ollama", "embedded"):
        refuse_keyless(STORED, STORED.model_copy(update={"provider": provider, "base_url": ""}))


ANTHROPIC = {"provider": "anthropic", "model": "m", "api_key": KEY}


async def test_an_analyst_with_another_provider_is_not_given_the_key(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, llm=LLMSettings.model_validate(ANTHROPIC))
    profile = Profile(id="p", version=1, name="P", llm={"provider": "openai"})
    context = Context(Services(settings, Sources(settings)), profile=profile)
    assert context.model.api_key.get_secret_value() == ""
    with pytest.raises(ModelMissing):
        await context.sql_writer()


def test_an_evaluation_of_another_provider_is_not_given_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUERY_LLM__PROVIDER", "anthropic")
    monkeypatch.setenv("INQUERY_LLM__API_KEY", KEY)
    get_settings.cache_clear()
    assert chosen_model("anthropic:other").api_key.get_secret_value() == KEY
    with pytest.raises(ModelMissing):
        chosen_model("openai:m")


def test_embeddings_of_openai_are_not_asked_for_with_another_providers_key(tmp_path: Path) -> None:
    knowledge = {"embedder": "openai", "embedding_model": "e"}
    settings = Settings(home=tmp_path, llm=LLMSettings.model_validate(ANTHROPIC), knowledge=knowledge)  # type: ignore[arg-type]
    with pytest.raises(BadRequest) as refused:
        embedder_for(settings)
    assert KEY not in refused.value.public_message("en")
    settings.llm.base_url = "http://127.0.0.1:1/v1"
    embedder_for(settings)


@pytest.mark.parametrize(("provider", "host"), [("openai", "https://api.openai.com"), ("anthropic", "https://api.anthropic.com")])  # fmt: skip
def test_a_gateway_of_the_environment_is_not_called(provider: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_GATEWAY", "http://127.0.0.1:1")
    settings = LLMSettings(provider=provider, model="m", api_key=SecretStr(KEY))
    assert address_of(settings).startswith(host)
    model = open_chat(settings)._model
    found = getattr(model, "openai_api_base", None) or getattr(model, "anthropic_api_url", None)
    assert str(found).startswith(host)
