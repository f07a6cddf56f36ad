"""Settings come from the environment, then from inquery.yaml, then from defaults."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from inquery.settings import Settings


def test_environment_over_file_over_default(own_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings().query.rows == 1000
    (own_home / "inquery.yaml").write_text("query:\n  rows: 5\n  timeout_s: 7\n")
    assert (Settings().query.rows, Settings().query.timeout_s) == (5, 7)
    (tmp_path / "inquery.yaml").write_text("query:\n  rows: 6\n")
    assert (Settings().query.rows, Settings().query.timeout_s) == (6, 7)
    monkeypatch.setenv("INQUERY_QUERY__ROWS", "8")
    assert (Settings().query.rows, Settings().query.timeout_s) == (8, 7)


def test_a_setting_that_is_gone_stops_nobody(own_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (own_home / "inquery.yaml").write_text("llm:\n  streaming: false\n  retries: 7\n")
    assert Settings().llm.retries == 7
    monkeypatch.setenv("INQUERY_LLM__STREAMING", "nonsense")
    assert Settings().llm.retries == 7


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUERY_LLM__API_KEY", "canary-key")
    monkeypatch.setenv("INQUERY_STORE__SECRET_KEY", "canary-key")
    settings = Settings()
    assert settings.llm.api_key.get_secret_value() == "canary-key"
    assert "canary" not in repr(settings) + str(settings.model_dump()) + settings.model_dump_json()


def test_every_setting_has_one_line_of_help() -> None:
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel):
            for inner, setting in group.model_fields.items():
                assert setting.description, f"{name}.{inner}"
                assert "\n" not in setting.description
        else:
            assert field.description, name
