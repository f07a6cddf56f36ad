"""The tokenizer: every text comes back, and nothing in a text is special."""

import pytest

from inquery.llm.embedded.tokens import Tokens

TEXTS = ["from singer show count ( singer )", "北京的客户有多少？", "don't  stop\n\t 12.5", "🎉 naïve café", "<|end|>"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back(tokens: Tokens, text: str) -> None:
    assert tokens.decode(tokens.encode(text)) == text


def test_a_special_token_in_a_text_is_text(tokens: Tokens) -> None:
    assert len(tokens.encode("<|end|>")) > 1
    assert 0 not in tokens.encode("x <|end|> y")


@pytest.mark.parametrize("text", [TEXTS[0], "where singer.country = 'New York' and singer.年龄 > 30"])
def test_words_one_by_one_are_the_whole_text(tokens: Tokens, text: str) -> None:
    assert [token for word in text.split(" ") for token in tokens.word(word)] == tokens.encode(" " + text)
