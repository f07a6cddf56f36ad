"""Words of names, questions and values: folded, split and lightly stemmed, in Latin script and in Chinese."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# "+" and "#" stay with their word, so that C, C++ and C# are three values; letters and digits part, so that
# "iPhone15" and "iPhone 15" are one.
_TOKEN = re.compile(f"[{CJK}]|\\d+|[^\\W\\d_{CJK}]+[+#]*")
_IS_CJK = re.compile(f"[{CJK}]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def word_set(text: str) -> frozenset[str]:
    """A set of words from one line of them."""
    return frozenset(text.split())


STOPWORDS = word_set(
    "a an the of in on at by for to from with and or not is are was were be been being do does did has have had "
    "it its this that these those there their them they he she his her him we our us you your i my me as than "
    "then so if but what which who whom whose when where why how all any each every both either neither no nor "
    "only own same such into over under above below between during before after about against per via s t"
)

COMMON = STOPWORDS | word_set(
    "show list give find tell get return display name names number numbers count total sum average mean maximum "
    "minimum max min most least more less many much few top bottom first last next high highest low lowest large "
    "largest small smallest big biggest old older oldest young younger youngest new newest recent latest earliest "
    "long longest short shortest good best better bad worst great greater equal order ordered sort sorted "
    "descending ascending group different distinct unique ones one two three four five six seven eight nine ten "
    "also please can could would should will shall may might must want need know let see with without have having "
    "contain contains containing start starts end ends begin begins well year years month months day days week "
    "weeks date dates time times id ids code codes type types value values data table record records row rows "
    "column information detail details description average whether along across out up down off again further "
    "once here because until while exactly least corresponding belong belongs using used use make made take taken "
    "come comes went go goes say said live lives work works other others another some none"
)

_IRREGULAR = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "geese": "goose", "indices": "index", "criteria": "criterion", "wives": "wife", "lives": "life",
    "knives": "knife", "shelves": "shelf", "series": "series", "species": "species", "news": "news", "data": "data",
    "staff": "staff", "movies": "movie", "cookies": "cookie", "ties": "tie", "buses": "bus", "statuses": "status",
    "addresses": "address", "bonuses": "bonus", "campuses": "campus", "shoes": "shoe",
    "lens": "lens", "lenses": "lens", "gas": "gas", "gases": "gas", "loaves": "loaf", "wolves": "wolf",
}  # fmt: skip


class Token(NamedTuple):
    """A word, or one Chinese character, with its place in the text it came from."""

    text: str
    start: int
    end: int
    cjk: bool


def fold(text: str) -> str:
    """Full width to half width, accents off, case folded."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c) or "\u3099" <= c <= "\u309a")
    return unicodedata.normalize("NFKC", bare).casefold()


# The pieces of a text are words and single characters, which come again: an index of values folds each 20,000 times.
_folded = lru_cache(maxsize=65536)(fold)


def tokens_of(text: str) -> list[Token]:
    """The words and Chinese characters of a text, folded."""
    found = []
    for match in _TOKEN.finditer(text):
        piece = match.group()
        cjk = piece > "\u3000" and len(piece) == 1 and _IS_CJK.match(piece) is not None
        found.append(Token(_folded(piece), match.start(), match.end(), cjk))
    return found


def words_of(text: str) -> list[str]:
    """The texts of `tokens`, for whoever does not ask where they stand."""
    pieces: list[str] = _TOKEN.findall(text)
    return [_folded(piece) for piece in pieces]


def has_cjk(text: str) -> bool:
    """Whether any character is Chinese, Japanese or Korean."""
    return not text.isascii() and _IS_CJK.search(text) is not None


_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")


def language_of(question: str) -> str:
    """Chinese where a question has at least as many Chinese characters as Latin words, which may be names; else English."""
    chinese = len(_CHINESE.findall(question))
    return "zh" if chinese and chinese >= len(_LATIN.findall(question)) else "en"


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """An English noun without its plural ending."""
    if len(word) <= 2 or not word.isascii():
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light English stem: singular, then without -ed, -ing and a final e."""
    base = singular(word)
    if len(base) < 5 or not base.isascii():
        return base[:-1] if len(base) == 4 and base.endswith("e") else base
    for ending in ("ing", "ed"):
        if base.endswith(ending) and len(base) - len(ending) >= 3 and re.search("[aeiouy]", base[: -len(ending)]):
            base = base[: -len(ending)]
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sz":
                base = base[:-1]
            break
    return base.removesuffix("e")


@lru_cache(maxsize=65536)
def name_words(name: str) -> tuple[str, ...]:
    """The words of an identifier: snake_case, camelCase, PascalCase, spaces; Chinese runs stay whole."""
    words: list[str] = []
    for piece in re.findall(f"[{CJK}]+|[^\\W_{CJK}]+", name):
        if _IS_CJK.match(piece):
            words.append(piece)
            continue
        for part in _CAMEL.split(piece):
            words.extend(re.findall(r"\d+|\D+", fold(part)))
    return tuple(words)


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of an identifier's words."""
    return tuple(stem(word) for word in name_words(name))


def within_sentence(label: str) -> str:
    """A name as it goes on after another word: return rate for Return rate and Return Rate, but ARPU."""
    words = label.split(" ")
    if all(word[:1].isupper() for word in words):
        return " ".join(word.lower() if word[1:].islower() else word for word in words)
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
