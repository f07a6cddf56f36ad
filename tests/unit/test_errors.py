"""Every error can be shown to a person, in both languages, without what only logs may hold."""

import string

import pytest

from inquery.errors import REFUSALS, InqueryError, NotFound, SqlRefused, Text, all_errors

ERRORS = [error for error in all_errors() if error.__module__ == "inquery.errors"]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_speaks_both_languages(error: type[InqueryError]) -> None:
    assert fields(error.en) == fields(error.zh)
    assert error.en.isascii()
    assert any("一" <= letter <= "鿿" for letter in error.zh)


@pytest.mark.parametrize("rule", REFUSALS)
def test_a_refusal_speaks_both_languages(rule: str) -> None:
    en, zh = REFUSALS[rule]
    assert fields(en) == fields(zh)
    error = SqlRefused(rule, name="orders", nearest=("order",))
    assert "Did you mean: order?" in error.public_message("en")
    assert "您是否指：order？" in error.public_message("zh")


def test_codes_are_unique() -> None:
    codes = [error.code for error in ERRORS if error.__name__ != "InternalError"]  # shares the root's code
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("error", [e for e in ERRORS if e is not SqlRefused], ids=lambda error: error.__name__)
def test_driver_text_stays_in_the_log(error: type[InqueryError]) -> None:
    made = error("password=hunter2 host=db.internal /srv/secret")
    for language in ("en", "zh"):
        shown = str(made.to_dict(language))
        assert "hunter2" not in shown
        assert "db.internal" not in shown
        assert "/srv" not in shown
    assert "hunter2" in made.detail


def test_a_reason_is_told_in_the_readers_language() -> None:
    error = NotFound("x", what=Text("table", "表"), name="x")
    assert error.public_message("en") == "There is no table named x."
    assert error.public_message("zh") == "没有名为 x 的表。"
