"""The search terms of names and of questions: stems, Chinese pairs, translations and synonyms, each with a weight."""

from __future__ import annotations

import re
from functools import lru_cache

from inquery.language.abbreviations import SHORT
from inquery.language.foreign_names import FOREIGN
from inquery.language.lexicon import Lexicon, lexicon, vocabulary
from inquery.language.text import (
    COMMON,
    STOPWORDS,
    has_cjk,
    name_stems,
    name_words,
    stem,
    tokens_of,
    word_set,
    words_of,
)

Terms = dict[str, float]
BESIDE = 0.4  # weight of what stands before the head of a compound
SINGLE = 0.25  # weight of one Chinese character; pairs weigh one
SYNONYM = 0.45
SKELETON, PREFIX = "~", "^"  # marks of short forms among the terms
TRANSLATION = 0.9
# Words that ask rather than name; "name", "type", "date" and the like do name columns and stay.
NAMING = word_set(
    "name names number numbers count total average order orders year years month months day days week date dates "
    "time times id ids code codes type types value values description detail details information old older young "
    "long short high first last rank group record records"
)  # common words that schemas use as names
ASKING = STOPWORDS | (COMMON - NAMING)


@lru_cache(maxsize=131072)
def name_terms(name: str) -> tuple[tuple[str, float], ...]:
    """The terms of an identifier; short forms and glued words are spelt out."""
    found: Terms = {}
    for word in name_words(name):
        if has_cjk(word):
            merge(found, chinese_terms(word))
            continue
        for part in unglued(word):
            found[stem(part)] = 1.0
            if part in FOREIGN:
                merge(found, dict.fromkeys(map(stem, FOREIGN[part]), TRANSLATION / len(FOREIGN[part]) ** 0.5))
            if part in SHORT:
                merge(found, spelt_out(part))
            elif is_shortened(part):
                found.update((key, 0.8) for key in (SKELETON + part, PREFIX + part))
    return tuple(found.items())


def spelt_out(short: str) -> Terms:
    """What a short form stands for; each of several words weighs less than the only one."""
    words = SHORT.get(short, "").split()
    return dict.fromkeys(map(stem, words), 0.9 if len(words) == 1 else 0.75)


def full_stems(name: str) -> frozenset[str]:
    """The stems of a name's words and of what its short forms stand for: cust_nm also says customer and name."""
    return frozenset(name_stems(name)).union(*(spelt_out(word) for word in name_words(name)))


def text_terms(text: str) -> Terms:
    """The terms of a comment or a sample value."""
    found: Terms = {}
    for token in tokens_of(text):
        if not token.cjk and token.text not in STOPWORDS:
            found[stem(token.text)] = 1.0
    if has_cjk(text):
        for run in chinese_runs(text):
            merge(found, chinese_terms(run))
    return found


def question_terms(question: str) -> Terms:
    """What a question asks for: its own words, their translations, and synonyms that share a translation."""
    words = lexicon()
    found: Terms = {}
    stems = [stem(t.text) for t in tokens_of(question) if not t.cjk and t.text not in ASKING]
    for each in stems:
        found[each] = 1.0
    if has_cjk(question):
        for run in chinese_runs(question):
            merge(found, chinese_terms(run))
            merge(found, from_chinese(run, words))
    merge(found, from_english(stems, words))
    merge(found, shortened(found))
    return found


PARTICLES = frozenset("的了吗呢是在和与及或各每个为有被把")


def chinese_runs(text: str) -> list[str]:
    """Stretches of Chinese without the particles that separate words; one inside a word, as 个 of 个展, separates nothing."""
    run = "".join(t.text if t.cjk else " " for t in tokens_of(text))
    if PARTICLES.isdisjoint(run):
        return run.split()
    words, pieces, at = lexicon(), [""], 0
    while at < len(run):
        size = _word_size(run, at, words)
        # 在学校 is in a school, not enrolled (在学) in something.
        if run[at] in PARTICLES and (size < 2 or 1 + _word_size(run, at + 1, words) > size):
            pieces.append("")
            at += 1
            continue
        taken = size if size > 1 and not PARTICLES.isdisjoint(run[at : at + size]) else 1
        pieces[-1] += run[at : at + taken]
        at += taken
    return [part for piece in pieces for part in piece.split()]


def _word_size(run: str, at: int, words: Lexicon) -> int:
    """The length of the longest word of the lexicon at a place; 0 where there is none."""
    if at >= len(run):
        return 0
    longest = min(len(run) - at, words.longest.get(run[at], 0))
    return next((size for size in range(longest, 0, -1) if run[at : at + size] in words.english), 0)


def chinese_terms(run: str) -> Terms:
    """Characters and pairs of characters."""
    found = dict.fromkeys(run, SINGLE)
    found.update((run[at : at + 2], 1.0) for at in range(len(run) - 1))
    if len(run) == 1:
        found[run] = 1.0
    return found


def from_chinese(run: str, words: Lexicon) -> Terms:
    """English stems of the lexicon's words in a run; words inside a longer one weigh half."""
    found: Terms = {}
    covered = 0
    for start in range(len(run)):
        for end in range(min(len(run), start + words.longest.get(run[start], 0)), start, -1):
            english = words.english.get(run[start:end])
            if not english or (end - start == 1 and end <= covered):
                continue
            weight = TRANSLATION * (0.5 if end <= covered else 1.0) / (1 + 0.25 * (len(english) - 1))
            covered = max(covered, end)
            for term in english:
                parts = [stem(word) for word in words_of(term) if word not in STOPWORDS]
                merge(found, dict.fromkeys(parts, weight if len(parts) == 1 else 0.75 * weight))
    return found


def from_english(stems: list[str], words: Lexicon) -> Terms:
    """Chinese words for the question's terms, and the English words that share them."""
    found: Terms = {}
    for start in range(len(stems)):
        for end in range(start + 1, min(len(stems), start + words.longest_term) + 1):
            for chinese in words.chinese.get(" ".join(stems[start:end]), ()):
                merge(found, {k: TRANSLATION * v for k, v in _by_its_head(chinese).items()})
                same = words.english[chinese]
                share = SYNONYM / (1 + 0.2 * (len(same) - 1))
                merge(found, {stem(part): share for term in same for part in words_of(term) if part not in STOPWORDS})
    return found


def _by_its_head(word: str) -> Terms:
    """The terms of a Chinese word whose last pair says what it is: 客户级别 is a level and only of customers."""
    pairs = chinese_terms(word)
    return pairs if len(word) < 3 else {k: v if k == word[-2:] else BESIDE * v for k, v in pairs.items()}


def is_shortened(word: str) -> bool:
    """Whether a word of a name looks like a short form: two to five letters that no lexicon knows."""
    return 2 <= len(word) <= 5 and word.isascii() and word.isalpha() and stem(word) not in vocabulary()


def shortened(terms: Terms) -> Terms:
    """Usual short forms of the terms: stn for station, rgn for region, inc for incident."""
    found: Terms = {}
    for term, weight in terms.items():
        if len(term) < 5 or not term.isascii() or not term.isalpha():
            continue
        bones = term[0] + re.sub("[aeiou]", "", term[1:])
        for form in {bones, re.sub(r"(.)\1", r"\1", bones), bones.replace("tt", "t")}:
            if 2 <= len(form) <= 5:
                found[SKELETON + form] = 0.7 * weight
        found.update((PREFIX + term[:size], 0.5 * weight) for size in (3, 4))
    return found


def merge(into: Terms, more: Terms) -> None:
    """Keep the larger weight of each term."""
    for term, weight in more.items():
        if into.get(term, 0.0) < weight:
            into[term] = weight


@lru_cache(maxsize=65536)
def unglued(word: str) -> tuple[str, ...]:
    """`totalamount` as total and amount, when every piece is a known word; else the word itself."""
    known = vocabulary()
    # commande is an order, not `comm` and `ande`: no table of orders was found by that word.
    if len(word) < 7 or not word.isalpha() or stem(word) in known or word in FOREIGN or not known:
        return (word,)
    for cut in range(len(word) - 3, 2, -1):
        head, tail = word[:cut], word[cut:]
        if (stem(head) in known or head in SHORT) and (stem(tail) in known or tail in SHORT):
            return (head, tail)
    return (word,)
