"""Chinese names in English, word by word: what somebody who asks in English would call them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby

from inquery.language.abbreviations import SHORT
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import CJK, has_cjk, name_stems, name_words, stem
from inquery.language.wording import ASKING, is_shortened

_RUN = re.compile(f"[{CJK}]+|[^{CJK}]+")
_LONGEST = 8
WORD, LAST, CHARACTER, UNKNOWN = 1.0, 1.05, 1.1, 4.0
"""What a piece of a name costs: few pieces are better than many, and a character is best at the end (线路名)."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a schema's names are called in plain English, and the Chinese words some are made of."""

    names: Mapping[str, str]
    words: Mapping[str, str]


@lru_cache(maxsize=64)
def english_wording(tables: tuple[str, ...], columns: tuple[str, ...] = ()) -> Wording:
    """English for the Chinese among some names; words of tables that mean the same are told apart where they can be.

    课程 and 班级 are both a class, so beside 班级 the first is a course.
    """
    cuts = {name: pieces(name) for name in (*tables, *columns) if has_cjk(name)}
    words = {piece: meanings(piece)[0] for found in cuts.values() for piece in found if has_cjk(piece)}
    entities = Counter(piece for name in tables for piece in cuts.get(name, ()) if len(piece) > 1 and piece in words)
    taken: set[str] = set()
    for piece, _ in entities.most_common():
        words[piece] = next((word for word in meanings(piece) if stem_term(word) not in taken), words[piece])
        taken.add(stem_term(words[piece]))
    return Wording({name: _said(found, words) for name, found in cuts.items()}, words)


def spell_out(names: Iterable[str]) -> dict[str, str]:
    """Names with short forms, spelled out: `apt` is an apartment where the schema speaks of apartments."""
    listed = [name for name in dict.fromkeys(names) if not has_cjk(name)]
    spoken = frozenset(word for name in listed for word in name_stems(name))
    return {name: said for name in listed if (said := spelled_out(name, spoken))}


def spelled_out(name: str, spoken: frozenset[str] = frozenset()) -> str:
    """CUST_NM as "customer name"; nothing where a name has no short form that is sure."""
    words = name_words(name)
    full = [_in_full(word, spoken) for word in words]
    if len(full) > 1:
        full[-1] = _AT_THE_END.get(words[-1], full[-1])
    return " ".join(full) if tuple(full) != words and not any(map(str.isdigit, words)) else ""


def _in_full(word: str, spoken: frozenset[str]) -> str:
    """A word in full: the only one its short form has, or the one the schema uses."""
    if word in _SEVERAL:
        return _SEVERAL[word]
    options = SHORT[word].split() if word in SHORT and is_shortened(word) else []
    sure = options if len(options) == 1 else [option for option in options if stem(option) in spoken]
    return sure[0] if sure else word


_SEVERAL = {
    "fname": "first name",
    "fnm": "first name",
    "lname": "last name",
    "lnm": "last name",
    "mname": "middle name",
    "dob": "date of birth",
    "bday": "birth date",
    "po": "purchase order",
    "wo": "work order",
    "dim": "dim",
}
"""Short forms of several words, and one that only marks a table."""
_AT_THE_END = {"sec": "seconds", "cd": "code"}
"""Short forms that mean something else, or are words of their own, at the beginning of a name."""


LONGEST_NAME = 6
"""Words of a name; none that the writer was trained with has more."""
_LAST_LATIN = "\u024f"
_LIGATURES = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
_BRACKETS = re.compile(r"[(（\[【].*?[)）\]】]")
_ALONE = re.compile(r"(?<![^\W_])[#$]|\$(?![^\W_])")
"""A # or $ that is no part of a word, as it is in C# and v$session."""
_LEADING = re.compile(r"\W*(\d+)([年月日号周]?)[\W_]*(.*)", re.S)
_YEAR_SAID_TWICE = re.compile(r"^\W*((?:19|20)\d\d)[\W_]+year\b", re.I)
_ORDINALS = dict(zip(("1st", "2nd", "3rd", "4th", "5th"), ("first", "second", "third", "fourth", "fifth"), strict=True))


@lru_cache(maxsize=8192)
def clean_name(name: str) -> str:
    """A name in words that make an identifier: no marks, no accents, not a whole sentence.

    Names come from headings of sheets too: `3rd party`, `% of total`, `Größe`, `Which team are you in?`. A word the
    writer never saw the like of costs it 5 to 20 nats, and it says something else. Any other name stays as it is.
    """
    text = "".join(map(_without_accent, unicodedata.normalize("NFKC", name))) if not name.isascii() else name
    text = _ALONE.sub(lambda mark: " number " if mark.group() == "#" else " ", text)
    if not has_cjk(text):
        text = text.replace("%", " percent ")
    words = _words(text)
    if not words:
        symbols = " ".join(unicodedata.name(sign, "") for sign in name if unicodedata.category(sign)[0] == "S")
        return " ".join(symbols.lower().split()[:LONGEST_NAME]) or "unnamed"
    if not has_cjk(text) and ("?" in text or len(words) > LONGEST_NAME):
        words = _words(_BRACKETS.sub(" ", text)) or words
        words = ([word for word in words if word.lower() not in ASKING] or words)[:LONGEST_NAME]
        text = " ".join(words)
    return _in_front(_YEAR_SAID_TWICE.sub(r"\1", text.strip()), words[0])


def _in_front(text: str, word: str) -> str:
    """The text with an ordinal at its beginning as a word: 3rd party as "third party"."""
    spelled = _ORDINALS.get(word.lower())
    return text if spelled is None else text.replace(word, spelled, 1)


def letters_first(text: str) -> str:
    """30 day returns as "day returns 30"; a number alone stays.

    A year alone, the heading of a wide sheet, is read rightly as it is, and wrongly as "year 2024", like a year to
    compare with.
    """
    found = _LEADING.match(text.replace("_", " "))
    if found is None or not _words(found[3]):
        return text
    return f"{found[3]} {found[1]}{found[2]}"


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _without_accent(letter: str) -> str:
    """é as e; letters of other scripts keep their marks, which tell words apart there."""
    if letter.isascii() or letter > _LAST_LATIN:
        return letter
    bare = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return bare.translate(_LIGATURES)


@lru_cache(maxsize=8192)
def in_english(text: str) -> str:
    """待派单 as "waiting for dispatch"; nothing where a piece is not known as a word, since characters alone mislead."""
    found = pieces(text)
    known = all(piece in lexicon().english and len(piece) > 1 for piece in found if has_cjk(piece))
    return _said(found, {}) if known or text in lexicon().english else ""


def _said(found: tuple[str, ...], words: Mapping[str, str]) -> str:
    spoken = [words.get(piece) or meanings(piece)[0] for piece in found]
    return " ".join(word for word, _ in groupby(spoken))


@lru_cache(maxsize=8192)
def pieces(name: str) -> tuple[str, ...]:
    """A name cut into words: Chinese ones of the lexicon, single characters where there is none, and other runs."""
    made: list[str] = []
    for run in _RUN.findall(name):
        made += _cut(run) if has_cjk(run) else run.split()
    return tuple(made)


def _cut(run: str) -> list[str]:
    """The cheapest way to cut a run of characters into known pieces; neighbours that are not known stay together."""
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(run) + 1):
        options = []
        for start in range(max(0, end - _LONGEST), end):
            cost = _cost(run[start:end], last=end == len(run))
            if cost is not None:
                options.append((best[start][0] + cost, [*best[start][1], run[start:end]]))
        best.append(min(options, key=lambda option: option[0]))
    made: list[str] = []
    for unknown, group in groupby(best[-1][1], key=lambda piece: _cost(piece, last=False) == UNKNOWN):
        found = list(group)
        made += ["".join(found)] if unknown else found
    return made


def _cost(piece: str, *, last: bool) -> float | None:
    if piece in characters() or piece in lexicon().english:
        return WORD if len(piece) > 1 else LAST if last else CHARACTER
    return UNKNOWN if len(piece) == 1 else None


def meanings(piece: str) -> tuple[str, ...]:
    """What a piece of a name means, likeliest first; itself where nobody knows."""
    known = lexicon().english.get(piece, ())
    short = characters().get(piece)
    return (short, *known) if short else known or (piece,)


@lru_cache(maxsize=1)
def characters() -> dict[str, str]:
    """Characters and affixes with what they mean inside a name."""
    text = (files("inquery.language") / "characters.tsv").read_text("utf-8")
    lines = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {parts[0]: parts[1].strip() for parts in lines if len(parts) == 2}
