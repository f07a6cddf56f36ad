"""The program itself: languages, help, versions, completion, the doctor and the demo."""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path

import click
import pytest
from tests.unit.cli.conftest import Inquery

from inquery.cli import COMMANDS
from inquery.cli.doctor import CLIENTS
from inquery.cli.group import localise
from inquery.cli.language import detect
from inquery.settings import get_settings


def test_help_speaks_both_languages(inquery: Inquery) -> None:
    assert "Usage: inquery" in inquery("--help").out
    chinese = inquery("--lang", "zh", "--help").out
    assert "用法：inquery" in chinese
    assert "显示表、列与关联" in chinese
    assert "选项" in inquery("sql", "--help", "--lang=zh").out
    assert inquery().out == inquery("--help").out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_is_explained_in_both_languages(
    inquery: Inquery, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, attribute = COMMANDS[name][0].partition(":")
    assert isinstance(getattr(import_module(module), attribute), click.Command)
    for language in ("zh", "en"):
        ran = inquery(name, "--help", "--lang", language)
        assert ran.code == 0
        assert any("一" <= letter <= "鿿" for letter in ran.out) == (language == "zh")
        assert "\x1f" not in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    module, _, attribute = COMMANDS[name][0].partition(":")
    command = localise(getattr(import_module(module), attribute))
    children = command.commands.values() if isinstance(command, click.Group) else [command]
    for child in children:
        for option in child.params:
            assert isinstance(option, click.Argument) or option.help, f"{name} {option.name}"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({}, "en"),
        ({"LC_ALL": "zh_TW", "LANG": "en_US"}, "zh"),
        ({"INQUERY_LANGUAGE": "zh", "LANG": "en_US"}, "zh"),
        ({"INQUERY_LANGUAGE": "auto", "LANG": "zh_CN"}, "zh"),
    ],
)
def test_the_language_follows_the_environment(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "INQUERY_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert detect() == expected


def test_a_settings_file_can_choose_the_language(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INQUERY_LANGUAGE", raising=False)
    (own_home / "inquery.yaml").write_text("language: zh\n")
    assert detect() == "zh"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(inquery: Inquery, shell: str) -> None:
    assert "_INQUERY_COMPLETE" in inquery("completion", shell).out


def test_the_version(inquery: Inquery) -> None:
    assert inquery("--version").out.startswith("inquery 0.")


@pytest.mark.parametrize(
    ("arguments", "zh"),
    [
        (["nope"], "没有命令 nope"),
        (["sql"], "缺少参数"),
        (["schema", "--nope"], "没有选项 --nope"),
        (["completion", "tcsh"], "值无效"),
        (["demo", "--today", "yesterday"], "值无效"),
    ],
)
def test_wrong_usage_is_one_line_and_where_to_look(inquery: Inquery, arguments: list[str], zh: str) -> None:
    english, chinese = inquery(*arguments), inquery(*arguments, "--lang", "zh")
    assert english.code == chinese.code == 1
    assert english.err.startswith("error [bad_request]: ")
    assert "--help" in english.err
    assert zh in chinese.err


def test_a_bad_setting_is_named(inquery: Inquery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUERY_QUERY__ROWS", "many")
    assert "query.rows" in inquery("sql", "SELECT 1").err


def test_the_doctor_looks_at_everything(inquery: Inquery) -> None:
    report = inquery("doctor", "--json").json
    checks = {check["name"]: check for check in report["checks"]}
    assert report["ok"] is True
    assert {"python", "inquery", "sqlite", "postgresql", "home", "store", "demo", "query", "model"} <= set(checks)
    assert "45,000" in checks["query"]["detail"]
    assert "一切正常" in inquery("doctor", "--lang", "zh").out


def test_the_doctor_says_when_something_is_wrong(inquery: Inquery, own_home: Path) -> None:
    (own_home / "inquery.sqlite").write_text("this is a letter, not a database, and it is long enough to be read")
    ran = inquery("doctor")
    assert ran.code == 1
    assert "home_unusable" in ran.out


def test_the_doctor_misses_the_client_of_the_model_that_was_chosen(
    inquery: Inquery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CLIENTS, "openai", ("langchain-openai", "no_such_client"))
    checks = {check["name"]: check for check in inquery("doctor", "--json").json["checks"]}
    assert not checks["openai"]["ok"]
    assert not checks["openai"]["required"]
    assert {"anthropic", "ollama", "ssh", "page"} <= set(checks)
    monkeypatch.setenv("INQUERY_LLM__PROVIDER", "openai")
    get_settings.cache_clear()
    ran = inquery("doctor")
    assert ran.code == 1
    assert "inquery[openai]" in ran.out


def test_the_demo_is_written_where_asked(inquery: Inquery, tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    made = inquery("demo", "--out", str(path), "--seed", "3", "--today", "2026-11-15", "--json").json
    assert made == {"path": str(path), "seed": 3, "today": "2026-11-15"}
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT date(MAX(ordered_at)) FROM orders").fetchone() == ("2026-11-15",)
    assert inquery("demo", "--out", str(path), "--today", "2026-11-16").code == 0


def test_the_demo_never_replaces_another_file(inquery: Inquery, tmp_path: Path) -> None:
    (tmp_path / "mine.sqlite").write_text("precious")
    ran = inquery("demo", "--out", str(tmp_path / "mine.sqlite"))
    assert (ran.code, "--force" in ran.err) == (1, True)
    assert (tmp_path / "mine.sqlite").read_text() == "precious"


def test_a_slip_of_the_pen_is_told_what_was_meant(inquery: Inquery) -> None:
    assert "Did you mean: connections?" in inquery("conections").err
    assert "您是否指：connections？" in inquery("--lang", "zh", "conections").err
    assert "there are: ask, chat" in inquery("xyzzy").err


def test_an_unknown_name_is_followed_by_the_command_that_lists_them(inquery: Inquery) -> None:
    assert "inquery connections list" in inquery("sql", "SELECT 1", "-c", "nope").err
    assert "inquery report list" in inquery("report", "run", "nope").err
    tried = inquery("connections", "test", "sqlite:///shop.db", "--lang", "zh")
    assert "inquery connections add NAME ADDRESS" in tried.err
