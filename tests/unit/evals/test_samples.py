"""`inquery eval samples` on a registered connection."""

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from inquery.cli import cli
from inquery.errors import BadRequest
from inquery.evals.own_questions import read_pairs
from inquery.settings import get_settings

PAIRS = """
- question: 有多少客户？
  sql: SELECT count(*) FROM customer
- question: Names of all customers
  sql: SELECT name FROM customer
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(get_settings(), "home", tmp_path / "home")
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO customer (name) VALUES (?)", [("Ann",), ("Bo",)])
    connection.close()
    added = CliRunner().invoke(cli, ["connections", "add", "shop", f"sqlite:///{tmp_path / 'shop.sqlite'}"])
    assert added.exit_code == 0, added.stderr
    return tmp_path


def test_verified_questions_are_asked_again(folder: Path) -> None:
    (folder / "pairs.yaml").write_text(PAIRS)
    script = {"有多少客户？": ["SELECT count(id) FROM customer"], "Names of all customers": ["SELECT id FROM customer"]}
    (folder / "script.json").write_text(json.dumps({"answers": script}))
    arguments = ["eval", "samples", "-c", "shop", "--file", str(folder / "pairs.yaml"), "--json"]
    result = CliRunner().invoke(cli, [*arguments, "--model", f"scripted:{folder / 'script.json'}"])
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert (figures["n"], figures["correct"]) == (2, 1)


def test_a_connection_without_samples_says_so(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["eval", "samples", "-c", "shop", "--lang", "zh"])
    assert result.exit_code == 1
    assert "error [not_found]" in result.stderr
    assert "已验证样例" in result.stderr


@pytest.mark.parametrize("text", ["question: x", "- question: x", "- [", "- 3"])
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.yaml"
    path.write_text(text)
    with pytest.raises(BadRequest, match=r".") as caught:
        read_pairs(path)
    assert "pairs.yaml" in caught.value.public_message("zh")
