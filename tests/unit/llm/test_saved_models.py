"""Models by name: keys encrypted and bound to their address, chosen by question, database and command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import SecretStr
from tests.stubs.openai_server import Reply, Stub, openai_server
from tests.unit.agents.conftest import SHOP

from inquery import Inquery
from inquery.cli import cli as main
from inquery.errors import BadRequest, NotFound
from inquery.llm.model_choice import choose_any_model, choose_model
from inquery.settings import Settings, get_settings
from inquery.store import Connections, open_store
from inquery.store.model_rows import ModelContent, SavedModels

KEY = "sk-canary-1234567890"
GOOD = {"candidates": [{"sql": "SELECT COUNT(*) FROM customers"}]}


@pytest.fixture
def settings(own_home: Path) -> Settings:
    get_settings.cache_clear()
    return Settings(home=own_home)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    import sqlite3

    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return path


def keep(settings: Settings, stub: Stub, name: str = "fast", **more: Any) -> None:
    content = ModelContent(provider="openai", model="m", base_url=stub.url, price_in=2, price_out=10, **more)
    SavedModels(open_store(settings)).save(name, content, SecretStr(KEY))


def test_a_key_is_encrypted_in_the_store(settings: Settings, own_home: Path) -> None:
    SavedModels(open_store(settings)).save("fast", {"provider": "deepseek", "model": "m"}, SecretStr(KEY))
    assert all(KEY.encode() not in file.read_bytes() for file in own_home.rglob("*") if file.is_file())
    assert choose_model("FAST", settings).api_key.get_secret_value() == KEY


def test_a_key_stays_with_its_address_alone(settings: Settings) -> None:
    kept = SavedModels(open_store(settings))
    kept.save("fast", {"provider": "openai", "model": "a", "base_url": "https://one.example/v1"}, SecretStr(KEY))
    same = kept.save("fast", {"provider": "openai", "model": "b", "base_url": "https://one.example/v1/"})
    assert same.api_key.get_secret_value() == KEY
    moved = kept.save("fast", {"provider": "openai", "model": "b", "base_url": "https://two.example/v1"})
    assert moved.api_key.get_secret_value() == ""


def test_the_processs_key_is_never_a_saved_models(own_home: Path) -> None:
    settings = Settings(home=own_home, llm={"provider": "openai", "model": "m", "api_key": "of the process"})
    SavedModels(open_store(settings)).save(
        "other", {"provider": "openai", "base_url": "https://x.example", "model": "m"}
    )
    assert choose_model("other", settings).api_key.get_secret_value() == ""


def test_names_that_are_none_are_told(settings: Settings) -> None:
    kept = SavedModels(open_store(settings))
    kept.save("fast", {"provider": "openai", "model": "m"})
    with pytest.raises(NotFound, match="fist"):
        choose_model("fist", settings)
    for bad in ("", "a:b", "embedded"):
        with pytest.raises(BadRequest):
            kept.save(bad, {"provider": "openai"})
    with pytest.raises(BadRequest):
        kept.save("x", {"provider": "openai", "secret": 1})
    assert choose_any_model("anthropic:claude", settings).model == "claude"


def test_a_question_and_a_database_choose_a_model(settings: Settings, shop: Path) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        keep(settings, stub, "one")
        keep(settings, stub, "two", temperature=0.5)
        kept = Connections(open_store(settings))
        kept.add("shop", f"sqlite:///{shop}")
        kept.set_model("shop", "one")
        with Inquery.connect("shop", settings=settings) as client:
            by_database = client.ask("How many customers are there?")
            by_question = client.ask("How many customers are there?", model="two", refresh=True)
            by_none = client.ask("How many customers are there?", model="three")
    assert by_database.status == by_question.status == "answered"
    assert [body["temperature"] for body in stub.asked] == [0.0, 0.5]
    assert by_database.usage.cost == pytest.approx((100 * 2 + 20 * 10) / 1e6)
    assert (by_none.status, by_none.error and by_none.error["code"]) == ("failed", "not_found")


def test_the_command_line_keeps_tries_and_uses_models(
    settings: Settings, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CliRunner()
    Connections(open_store(settings)).add("shop", f"sqlite:///{shop}")
    with openai_server(Reply(arguments=GOOD)) as stub:
        made = run.invoke(
            main, ["models", "add", "fast", "--provider", "openai", "--model", "m", "--base-url", stub.url, "--key-stdin", "--json"],
            input=f"{KEY}\n",
        )  # fmt: skip
        assert json.loads(made.output)["has_key"] is True
        assert KEY not in run.invoke(main, ["models", "saved", "--json"]).output
        tried = json.loads(run.invoke(main, ["models", "test", "fast", "--json"]).output)
        assert (tried["ok"], tried["method"]) == (True, "function_calling")
        asked = run.invoke(main, ["ask", "How many customers are there?", "-c", "shop", "--model", "fast", "--json"])
        assert json.loads(asked.stdout)["rows"] == [[3]]
        assert stub.headers[-1]["authorization"] == f"Bearer {KEY}"
        assert run.invoke(main, ["models", "remove", "fast", "--json"]).exit_code == 0
    refused = Reply(
        status=401, error={"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
    )
    with openai_server(refused) as stub:
        keep(settings, stub)
        failed = json.loads(run.invoke(main, ["models", "test", "fast", "--json"]).output)
        assert (failed["ok"], failed["code"]) == (False, "model_key_refused")
        assert "Incorrect API key" in failed["detail"]
        assert KEY not in failed["detail"]
    with openai_server(Reply(arguments={"candidates": [], "unanswerable": "There are no orders."})) as stub:
        keep(settings, stub)
        told = run.invoke(main, ["models", "test", "fast"])
        assert told.exit_code == 1
        assert "There are no orders." in told.output


def test_the_doctor_tries_the_model_that_is_set(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Reply(status=404, error={"error": {"message": "The model `m` does not exist", "code": "model_not_found"}})
    with openai_server(refusal) as stub:
        for name, value in {"PROVIDER": "openai", "MODEL": "m", "BASE_URL": stub.url}.items():
            monkeypatch.setenv(f"INQUERY_LLM__{name}", value)
        monkeypatch.setenv("OLLAMA_HOST", stub.url.removesuffix("/v1"))
        get_settings.cache_clear()
        found = CliRunner().invoke(main, ["doctor", "--json"])
    checks = {check["name"]: check for check in json.loads(found.output)["checks"]}
    assert not checks["model"]["ok"]
    assert "model_unknown" in checks["model"]["detail"]
    assert "does not exist" in checks["model"]["detail"]
    assert "qwen3:8b" in checks["ollama server"]["detail"]
