"""The tokenizer: every text comes back, nothing in a text is special, and ids are those the model was trained with."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inquery.errors import ModelMissing
from inquery.llm.embedded import weights
from inquery.llm.embedded.tokens import LETTERS, Tokens

TEXTS = ["from singer show count ( singer )", "北京的客户有多少？", "don't  stop\n\t 12.5", "🎉 naïve café", "<|end|>"]
SHIPPED = weights.PACKAGED / "inquery-writer" / "tokenizer.json"


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back(tokens: Tokens, text: str) -> None:
    assert tokens.decode(tokens.encode(text)) == text


def test_a_special_token_in_a_text_is_text(tokens: Tokens) -> None:
    assert len(tokens.encode("<|end|>")) > 1
    assert 0 not in tokens.encode("x <|end|> y")


@pytest.mark.parametrize("text", [TEXTS[0], "where singer.country = 'New York' and singer.年龄 > 30"])
def test_words_one_by_one_are_the_whole_text(tokens: Tokens, text: str) -> None:
    assert [token for word in text.split(" ") for token in tokens.word(word)] == tokens.encode(" " + text)


@cache
def shipped() -> Tokens:
    return Tokens.load(SHIPPED)


@pytest.mark.skipif(not SHIPPED.is_file(), reason="the weights are not there")
@pytest.mark.parametrize(
    ("text", "expected"), json.loads((Path(__file__).parent / "token_ids.json").read_text("utf-8"))
)
def test_the_shipped_vocabulary_gives_the_ids_the_model_knows(text: str, expected: list[int]) -> None:
    assert shipped().encode(text) == expected


@pytest.mark.skipif(not SHIPPED.is_file(), reason="the weights are not there")
def test_a_byte_without_a_token_is_left_out_and_its_neighbours_join() -> None:
    assert shipped().encode(" \x04!") == shipped().encode(" !")
    assert shipped().encode("a\x04b") == [*shipped().encode("a"), *shipped().encode("b")]


def test_a_run_of_many_letters_is_one_piece_and_quick_enough_to_read(tokens: Tokens) -> None:
    assert tokens.decode(tokens.encode("ab" * 30_000)) == "ab" * 30_000


def test_half_a_character_is_no_reason_to_fail(tokens: Tokens) -> None:
    assert tokens.encode("a\ud800b") == tokens.encode("a?b")


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "NFC"}},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"pre_tokenizer": None},
        {"model": {"type": "WordPiece", "vocab": {}, "merges": []}},
        {"model": {"type": "BPE", "vocab": {}, "merges": [], "byte_fallback": True}},
    ],
)
def test_a_vocabulary_of_another_kind_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    content = json.loads((Path(__file__).parent / "tiny_model" / "tokenizer.json").read_text("utf-8"))
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content | change), "utf-8")
    with pytest.raises(ModelMissing):
        Tokens.load(path)


def test_merges_written_as_lines_are_read_too(tokens: Tokens, tmp_path: Path) -> None:
    content = json.loads((Path(__file__).parent / "tiny_model" / "tokenizer.json").read_text("utf-8"))
    content["model"]["merges"] = [" ".join(pair) for pair in content["model"]["merges"]]
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content), "utf-8")
    older = Tokens.load(path)
    assert [older.encode(text) for text in TEXTS] == [tokens.encode(text) for text in TEXTS]


def borders() -> list[int]:
    """The characters beside each border between letters, digits and others, and the blanks."""
    lines = [line for line in LETTERS.read_text("utf-8").splitlines() if not line.startswith("#")]
    edges = {int(edge, 16) for line in lines for span in line.split()[1:] for edge in span.split("-")}
    near = {code + step for code in edges for step in (-1, 0, 1)} | set(range(0x300)) | set(range(0x1FF0, 0x2070))
    return sorted(code for code in near if not 0xD800 <= code < 0xE000)


def drawn(seed: int, count: int) -> list[str]:
    """Texts of many kinds, drawn at random."""
    chance = random.Random(seed)
    kinds = ["abc XYZ '.,;:!?()<>|_-=\"\t\n\r  0123", "的客户订单地区销售额一二三年月 ，。？！（）《》", "éàüßйцуαβγابتनमस्ते", "😀🎉👨‍👩‍👧🇨🇳🏽",
             "\x00\x04\x06\x13\x16\x1d\x7f\x85\xa0\u3000\u2028\ufeff", "don't we'll they've I'm you're he'd it's", "<|im_end|>"]  # fmt: skip
    pools = ["".join(chance.sample(kinds, chance.randint(1, 3))) for _ in range(count)]
    return ["".join(chance.choice(pool) for _ in range(chance.randint(0, 60))) for pool in pools]


@pytest.mark.skipif(not SHIPPED.is_file(), reason="the weights are not there")
def test_ids_and_texts_are_those_of_the_package_tokenizers() -> None:
    reference = pytest.importorskip("tokenizers").Tokenizer.from_file(str(SHIPPED))
    reference.encode_special_tokens = True
    texts = [f"a {c}{c}b1{c} {c}  {c}2 {c}\n{c}!{c}'s" for c in map(chr, borders())] + drawn(7, 5000)
    for text in texts:
        expected = reference.encode(text, add_special_tokens=False).ids
        assert shipped().encode(text) == expected, ascii(text)
        assert shipped().decode(expected) == reference.decode(expected, skip_special_tokens=False), ascii(text)
    assert shipped().size == reference.get_vocab_size()
