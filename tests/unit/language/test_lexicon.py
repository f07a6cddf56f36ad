"""The lexicon as people write it and as processes read it."""

import pytest

from inquery.language import lexicon as terms
from inquery.language.lexicon import (
    PACKED,
    Lexicon,
    lexicon,
    pack_lexicon,
    parse,
    parse_files,
    sources,
    unpack_lexicon,
    vocabulary,
)


def test_the_packed_lexicon_is_that_of_its_files() -> None:
    assert PACKED.read_text("utf-8") == pack_lexicon(parse_files(sources())), "run: python -m inquery.language.lexicon"


def test_what_was_packed_comes_back_in_its_order() -> None:
    written = parse_files(sources())
    read = unpack_lexicon(pack_lexicon(written))
    assert read == written == lexicon()
    for name in ("english", "chinese", "longest"):
        assert list(getattr(read, name)) == list(getattr(written, name))


def test_a_number_that_leaves_no_file_out_is_the_whole_lexicon() -> None:
    assert lexicon("9") == lexicon()


def test_the_words_of_the_first_files_are_had_without_the_last() -> None:
    first = parse_files([file for file in sources() if file.name[0] <= "8"])
    assert (lexicon("8").english, lexicon("8").chinese) == (first.english, first.chinese)
    assert len(lexicon("1").english) < len(lexicon().english)


def test_without_the_packed_file_the_lexicon_is_read_from_its_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lexicon()
    monkeypatch.setattr(terms, "PACKED", PACKED.with_name("missing.txt"))
    terms._whole.cache_clear()
    try:
        assert terms._whole() == whole
    finally:
        terms._whole.cache_clear()
        lexicon.cache_clear()


def test_the_vocabulary_is_every_word_of_every_term() -> None:
    assert vocabulary() == {word for term in lexicon().chinese for word in term.split()}
    words = parse("net sales\t净销售额|销售净额", Lexicon())
    assert words.chinese == {"net sal": ("净销售额", "销售净额")}
