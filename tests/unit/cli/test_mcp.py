"""`inquery mcp` from the command line; tests/integration/test_mcp.py speaks the protocol to it."""

import pytest
from tests.unit.cli.conftest import Inquery

from inquery.settings import get_settings


def test_help_speaks_both_languages(inquery: Inquery) -> None:
    assert "standard input" in inquery("mcp", "--help").out
    assert "标准输入" in inquery("mcp", "--help", "--lang", "zh").out


def test_a_database_is_chosen_for_stdio_alone(inquery: Inquery) -> None:
    ran = inquery("mcp", "--http", "--connection", "shop")
    assert ran.code == 1
    assert "error [bad_request]" in ran.err


def test_a_database_that_is_not_there_is_told_before_the_first_question(inquery: Inquery) -> None:
    ran = inquery("mcp", "--connection", "nowhere")
    assert ran.code == 1
    assert "error [not_found]" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(("language", "words"), [("en", "public service"), ("zh", "公共服务")])
def test_data_that_leaves_for_a_chart_server_is_said_aloud(
    inquery: Inquery, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setenv("INQUERY_CHARTS__COMMAND", "npx -y @antv/mcp-server-chart")
    assert words in inquery("mcp", "--connection", "nowhere", "--lang", language).err
    monkeypatch.setenv("INQUERY_CHARTS__RENDER_URL", "http://127.0.0.1:1/api/v1/charts/render")
    get_settings.cache_clear()
    assert words not in inquery("mcp", "--connection", "nowhere", "--lang", language).err
