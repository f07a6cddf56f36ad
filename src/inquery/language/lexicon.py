"""The bilingual lexicon: English schema vocabulary and its Chinese words.

People write vocabulary/*.tsv; `python -m inquery.language.lexicon` packs them into the one file that a process reads, and a
test fails where that was forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from inquery.language.text import fold, has_cjk, stem, words_of

FOLDER = Path(__file__).parent / "vocabulary"
PACKED = FOLDER / "packed.txt"
_PLAIN = re.compile("[a-z ]*")


@dataclass(slots=True)
class Lexicon:
    """Both directions: `english` by Chinese word, `chinese` by stemmed English term."""

    english: dict[str, tuple[str, ...]] = field(default_factory=dict)
    chinese: dict[str, tuple[str, ...]] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    longest_term: int = 1

    def add(self, term: str, words: list[str]) -> None:
        """Record one line of a lexicon file."""
        term = fold(term.strip())
        key = stem_term(term)
        self.longest_term = max(self.longest_term, len(key.split()))
        for word in words:
            if not word or not has_cjk(word):
                continue
            if term not in self.english.get(word, ()):
                self.english[word] = (*self.english.get(word, ()), term)
            if word not in self.chinese.get(key, ()):
                self.chinese[key] = (*self.chinese.get(key, ()), word)
            self.longest[word[0]] = max(self.longest.get(word[0], 0), len(word))


def stem_term(term: str) -> str:
    """A term with each of its words stemmed: the key of `Lexicon.chinese`; cut as questions are, r&d into two."""
    return " ".join(stem(word) for word in (term.split() if _PLAIN.fullmatch(term) else words_of(term)))


def parse(text: str, into: Lexicon) -> Lexicon:
    """Add the lines `english<TAB>中文|中文` of a file; comments start with #."""
    for line in text.splitlines():
        term, tab, words = line.partition("\t")
        if tab and not line.startswith("#"):
            into.add(term, [fold(word.strip()) for word in words.split("|")])
    return into


@lru_cache(maxsize=2)
def lexicon(last: str = "9") -> Lexicon:
    """The lexicon that ships with Inquery, or its files up to a number; empty where they are missing."""
    chosen = [file for file in sources() if file.name[0] <= last]
    later = [file for file in sources() if file not in chosen]
    if len(later) > 1:
        return parse_files(chosen)
    return _without(_whole(), parse_files(later)) if later else _whole()


def _without(words: Lexicon, later: Lexicon) -> Lexicon:
    """A lexicon less what its last file added: that is short, and to read all the others anew takes a fifth of a second.

    The last file has no line that another has, which a test sees to.
    """
    english, chinese = dict(words.english), dict(words.chinese)
    for kept, added in ((english, later.english), (chinese, later.chinese)):
        for key, others in added.items():
            left = tuple(each for each in kept.get(key, ()) if each not in others)
            if left:
                kept[key] = left
            else:
                kept.pop(key, None)
    return Lexicon(english, chinese, words.longest, words.longest_term)


def sources() -> list[Path]:
    """The files people write, in the order in which their words count."""
    return sorted(FOLDER.glob("*.tsv"))


def parse_files(chosen: Sequence[Path]) -> Lexicon:
    """The lexicon of some files, line by line: a fifth of a second for all of them."""
    made = Lexicon()
    for file in chosen:
        parse(file.read_text("utf-8"), made)
    return made


@lru_cache(maxsize=1)
def _whole() -> Lexicon:
    return unpack_lexicon(PACKED.read_text("utf-8")) if PACKED.is_file() else parse_files(sources())


def pack_lexicon(words: Lexicon) -> str:
    """A lexicon as `unpacked` reads it: words and their terms, terms and their words, and how long words are."""
    columns = [
        words.english,
        map("|".join, words.english.values()),
        words.chinese,
        map("|".join, words.chinese.values()),
        words.longest,
        map(str, words.longest.values()),
        [str(words.longest_term)],
    ]
    return "\n".join("\t".join(column) for column in columns) + "\n"


def unpack_lexicon(text: str) -> Lexicon:
    """The lexicon that `packed` wrote, folded and stemmed already; a tenth of the time that its files take."""
    spoken, terms, keys, meant, first, sizes, most = (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    english = dict(zip(spoken, (tuple(each.split("|")) for each in terms), strict=True))
    chinese = dict(zip(keys, (tuple(each.split("|")) for each in meant), strict=True))
    return Lexicon(english, chinese, dict(zip(first, map(int, sizes), strict=True)), int(most[0]))


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Stems of the lexicon's English words: a word among them is not a misspelling of something else."""
    return frozenset(" ".join(lexicon().chinese).split())


if __name__ == "__main__":
    PACKED.write_text(pack_lexicon(parse_files(sources())), "utf-8", newline="\n")
