"""`inquery models` over a model folder in the home folder."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from inquery.cli import cli
from inquery.settings import get_settings

TINY = Path(__file__).parents[1] / "embedded" / "tiny_model"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(get_settings(), "home", tmp_path)
    return Path(shutil.copytree(TINY, tmp_path / "models" / "tiny"))


def test_the_list_names_every_model(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["models", "list", "--json"])
    tiny = next(model for model in json.loads(result.stdout) if model["name"] == "tiny")
    assert tiny["folder"] == str(folder)
    assert tiny["bytes"] == sum(path.stat().st_size for path in folder.iterdir())
    assert "tiny" in CliRunner().invoke(cli, ["models", "list", "--lang", "zh"]).stdout


def test_info_tells_a_damaged_file(folder: Path) -> None:
    whole = json.loads(CliRunner().invoke(cli, ["models", "info", "tiny", "--json"]).stdout)
    assert whole["damaged"] == []
    assert whole["prompt_version"] == 1
    (folder / "tokenizer.json").write_text("{}")
    assert json.loads(CliRunner().invoke(cli, ["models", "info", "tiny", "--json"]).stdout)["damaged"] == [
        "tokenizer.json"
    ]


def test_path_prints_the_folder_alone(folder: Path) -> None:
    assert CliRunner().invoke(cli, ["models", "path", "tiny"]).stdout == f"{folder}\n"


def test_an_unknown_model_is_an_error_in_the_users_language(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["models", "info", "none-such", "--lang", "zh"])
    assert result.exit_code == 1
    assert "error [model_missing]" in result.stderr
    assert "none-such" in result.stderr
    assert "尚未配置" in result.stderr
