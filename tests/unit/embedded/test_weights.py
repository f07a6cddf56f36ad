"""Finding models and telling whether their files are whole."""

import shutil
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
    info = weights.find("tiny")
    assert info.folder == home / "models" / "tiny"
    assert "tiny" in [model.name for model in weights.installed()]


def test_a_folder_is_found_by_its_path(home: Path) -> None:
    assert weights.find(str(TINY)).folder == TINY


def test_an_unknown_model_is_named(home: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        weights.find("none-such")
    assert "none-such" in caught.value.public_message("zh")


def test_a_damaged_file_is_noticed(home: Path) -> None:
    info = weights.find("tiny")
    assert weights.damaged(info) == []
    with (info.folder / "weights.bin").open("r+b") as file:
        file.write(b"x")
    assert weights.damaged(info) == ["weights.bin"]


def test_a_broken_config_is_a_missing_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelMissing):
        weights.find(str(tmp_path))


def test_a_model_is_loaded_once(home: Path) -> None:
    assert weights.load("tiny") is weights.load("tiny")
