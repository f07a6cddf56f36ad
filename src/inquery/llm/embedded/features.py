"""What a question is made of for the encoder: stems, their pairs, numbers, values, Chinese words and their English."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

from inquery.language.lexicon import lexicon
from inquery.language.text import fold, stem

Features = list[tuple[str, float]]
"""(feature, weight); the letter before the space is its kind."""

KINDS = "wbpvnzc"
"""Word, pair of words, prefix, value, number, Chinese word or pair of characters, Chinese character."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_PIECES = re.compile(rf"\d+(?:,\d{{3}})*(?:\.\d+)?|[{_HAN}]+|[^\W\d_{_HAN}]+")
_NOT = re.compile(r"n't\b|n’t\b")
_COUNTED = re.compile("([二两三四五六七八九十])(?=[个位名家条张种次年门类项部座天月所款只台件笔场])")
_NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10",
}  # fmt: skip
_LONGEST_PREFIX = 5


def features(text: str) -> Features:
    """The features of a question, in order; the same one may come twice."""
    found: Features = []
    line: list[str] = []  # stems in order, for their pairs; a Chinese run parts them
    latin: list[str] = []
    spelt = _NOT.sub(" not", text if text.isascii() else normalize("NFKC", text))
    shouting = spelt.isupper()
    for match in _PIECES.finditer(spelt):
        piece = match.group()
        if piece[0].isdigit():
            found.append(("n " + plain_number(piece), 1.0))
            line.append("#")
        elif "\u3400" <= piece[0] <= "\u9fff":
            found += chinese_features(piece)
            line.append("")
        else:
            word = fold(piece)
            found += word_features(word)
            line.append(stem(word))
            if match.start() and piece[0].isupper() and not shouting:
                found.append(("v " + word, 1.0))
            else:
                latin.append(word)
    if "" in line:  # letters within Chinese are names, however they are written
        found += [("v " + word, 1.0) for word in latin]
    found += [(f"b {one} {two}", 1.0) for one, two in pairwise(line) if one and two]
    return found


def plain_number(digits: str) -> str:
    """1,000 and 1000.0 are 1000."""
    number = digits.replace(",", "")
    return number.rstrip("0").rstrip(".") if "." in number else number.lstrip("0") or "0"


@lru_cache(maxsize=16384)
def word_features(word: str) -> tuple[tuple[str, float], ...]:
    """A word of a language written with letters: its stem, how it begins, and the number it names."""
    found = [("w " + stem(word), 1.0)]
    if len(word) > _LONGEST_PREFIX:
        found.append(("p " + word[:_LONGEST_PREFIX], 1.0))
    if word in _NUMBER_WORDS:
        found.append(("n " + _NUMBER_WORDS[word], 1.0))
    return tuple(found)


def chinese_features(run: str) -> Features:
    """A run of Chinese: characters, their pairs, known words, and what known words mean in English."""
    found: Features = [("c " + character, 1.0) for character in run]
    found += [("z " + run[at : at + 2], 1.0) for at in range(len(run) - 1)]
    found += [("n " + _NUMBER_WORDS[digit], 1.0) for digit in _COUNTED.findall(run)]
    for word in known_words(run):
        if len(word) > 2:
            found.append(("z " + word, 1.0))
        found += translations(word)
    return found


def known_words(run: str) -> list[str]:
    """The lexicon's words in a run, the longest from the left."""
    known = lexicon()
    found, at = [], 0
    while at < len(run):
        for length in range(min(known.longest.get(run[at], 0), len(run) - at), 0, -1):
            if run[at : at + length] in known.english:
                found.append(run[at : at + length])
                at += length
                break
        else:
            at += 1
    return found


@lru_cache(maxsize=16384)
def translations(word: str) -> tuple[tuple[str, float], ...]:
    """The English of a Chinese word as features: one meaning weighs one in all."""
    meanings = lexicon().english.get(word, ())
    share: dict[str, float] = {}
    for meaning in meanings:
        for part in meaning.split():
            key = "w " + stem(part)
            share[key] = share.get(key, 0.0) + 1.0 / len(meanings)
    return tuple(share.items())
