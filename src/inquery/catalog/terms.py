"""The bilingual lexicon: English schema vocabulary and its Chinese words, read once from lexicon/*.tsv."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from inquery.catalog.text import fold, has_cjk, stem


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
        key = stemmed(term)
        self.longest_term = max(self.longest_term, len(key.split()))
        for word in words:
            if not word or not has_cjk(word):
                continue
            if term not in self.english.get(word, ()):
                self.english[word] = (*self.english.get(word, ()), term)
            if word not in self.chinese.get(key, ()):
                self.chinese[key] = (*self.chinese.get(key, ()), word)
            self.longest[word[0]] = max(self.longest.get(word[0], 0), len(word))


def stemmed(term: str) -> str:
    """A term with each of its words stemmed: the key of `Lexicon.chinese`."""
    return " ".join(stem(word) for word in term.split())


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
    made = Lexicon()
    folder = files("inquery.catalog") / "lexicon"
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".tsv") and file.name[0] <= last:
                parse(file.read_text("utf-8"), made)
    return made


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Stems of the lexicon's English words: a word among them is not a misspelling of something else."""
    return frozenset(word for term in lexicon().chinese for word in term.split())
