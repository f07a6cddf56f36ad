"""A provider's words are shown as they are, less what is secret, and the context it names is found in them."""

import pytest

from inquery.llm.provider_errors import LONGEST_WORDS, clean_words, context_limit

KEY = "my own key"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "Your organization requested skipping the keyboard project.",
            "Your organization requested skipping the keyboard project.",
        ),
        ("Incorrect API key provided: sk-proj-abc****xyz.", "Incorrect API key provided: …"),
        ("Invalid token Bearer abc.def", "Invalid token …"),
        ("org-A1b2C3d4E5 is over its limit", "… is over its limit"),
        ("bad key: my own key!", "bad key: …!"),
        ("see https://user:pass@host/x", "see https://…host/x"),
        ("key AIzaSyA1234567890abcdef is wrong", "key … is wrong"),
        ("request 8f14e45fceea167a5a36dedd4bea2543aa failed", "request … failed"),
        ("余额不足，请充值", "余额不足，请充值"),
        ("two\n  lines", "two lines"),
    ],
)
def test_words_are_shown_without_secrets(said: str, shown: str) -> None:
    assert clean_words(said, KEY) == shown


def test_words_are_short() -> None:
    assert len(clean_words("so " * 1000)) == LONGEST_WORDS


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9128 tokens", 8192),
        ("prompt is too long: 205668 tokens > 200000 maximum", 200000),
        ("input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length", 200000),
        ("The input token count (317740) exceeds the maximum number of tokens allowed (131072).", 131072),
        ("Range of input length should be [1, 30720]", 30720),
        ("the request exceeds the available context size (4096 tokens)", 4096),
        ("too long", 0),
    ],
)
def test_the_context_that_a_provider_names_is_found(said: str, tokens: int) -> None:
    assert context_limit(said) == tokens
