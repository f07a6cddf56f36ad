"""Finding models and telling whether their files are whole."""

import os
import shutil
import threading
from pathlib import Path

import pytest
from tests.unit.embedded.conftest import TINY

from inquery.errors import ModelMissing
from inquery.llm.embedded import weights
from inquery.settings import get_settings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(get_settings(), "home", tmp_path)
    shutil.copytree(TINY, tmp_path / "models" / "tiny")
    return tmp_path


def test_a_model_in_the_home_folder_is_found_by_name(home: Path) -> None:
    info = weights.find_model("tiny")
    assert info.folder == home / "models" / "tiny"
    assert "tiny" in [model.name for model in weights.installed()]


def test_a_folder_is_found_by_its_path(home: Path) -> None:
    assert weights.find_model(str(TINY)).folder == TINY


def test_an_unknown_model_is_named(home: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        weights.find_model("none-such")
    assert "none-such" in caught.value.public_message("zh")


def test_a_damaged_file_is_noticed(home: Path) -> None:
    info = weights.find_model("tiny")
    assert weights.damaged_files(info) == []
    with (info.folder / "weights.bin").open("r+b") as file:
        file.write(b"x")
    assert weights.damaged_files(info) == ["weights.bin"]


def test_a_broken_config_is_a_missing_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelMissing):
        weights.find_model(str(tmp_path))


def test_a_model_is_loaded_once(home: Path) -> None:
    assert weights.load("tiny") is weights.load("tiny")


def finish_loading() -> None:
    for thread in threading.enumerate():
        if thread.name == "inquery-load-model":
            thread.join()


def test_a_model_loaded_aside_is_the_one_that_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    weights._load.cache_clear()
    weights.load_aside(str(TINY))
    finish_loading()
    assert weights._load.cache_info().misses == 1
    weights.load(str(TINY))
    assert weights._load.cache_info().misses == 1


def test_a_missing_model_is_told_to_whoever_needs_it_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    weights.load_aside("nowhere")
    finish_loading()
    assert not failed
    with pytest.raises(ModelMissing):
        weights.load("nowhere")


def test_on_one_core_nothing_is_loaded_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    weights._load.cache_clear()
    weights.load_aside(str(TINY))
    finish_loading()
    assert weights._load.cache_info().misses == 0


def test_weights_name_the_words_of_the_form_they_were_trained_on() -> None:
    assert weights.WeightsInfo("w", TINY, {"grammar": "E"}).edition == "E"
    assert weights.WeightsInfo("w", TINY, {}).edition == "D"
    assert weights.find_model().edition == weights.find_model().config.get("grammar", "D")
