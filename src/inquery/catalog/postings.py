"""The lookup tables behind a value index, and the four ways a phrase finds a value in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rapidfuzz.distance import OSA

from inquery.language.aliases import ALIASES, CAPITALISED, CODES, COUNTRIES, LONGEST
from inquery.language.lexicon import Lexicon, lexicon, stem_term, vocabulary
from inquery.language.text import COMMON, STOPWORDS, Token, has_cjk, name_words, singular, stem, tokens_of, words_of

LONGEST_PHRASE = 8  # words of Latin script, or characters of a Chinese word, tried as one phrase
COMMON_PART = 40  # a word held by more values than this identifies none of them
PARTIAL_FLOOR = 0.55
MOSTLY = 0.5  # of a value's letters that a translated term has to cover to mean it
BOTH_SEXES = "男女"
FIRST_TERMS = 3  # translations of a word that its synonyms are looked for by: later ones are other meanings
COUNTED = 0.64  # what a state scores that the noun of a rate counts
RATES = frozenset({"rate", "rates", "ratio", "percentage", "percent", "share", "proportion"})
NOUN_OF_STATE = re.compile(r"(?:ations?|ions?|als?|ements?|ments?|ures?|ances?)$")
RESULTS = frozenset({"pass", "fail", "accept", "reject", "approve", "cancel", "return", "refund"})
"""Bare verbs that tables keep of what has come of something."""
OPENING_QUOTES = "'\"“‘「『《`"
BRACKETED = re.compile(r"(?<=\w)\s?[(（]([A-Za-z][A-Za-z\d_\-]*)[)）]")
"""A word behind the one it explains is how something is stored: 备用(spare), welders (WELDER)."""
GLUED_BEFORE = re.compile(r"[A-Za-z0-9]$|\d[.,:/\-]$")
GLUED_AFTER = re.compile(r"[A-Za-z0-9%]|[.,:/\-]\d")


class ValueHit(NamedTuple):
    """Question tokens first..last (inclusive) that may mean a value; `tier` settles overlaps before length does."""

    first: int
    last: int
    value: int
    base: float
    tier: int


class Spoken:
    """A question, tokenised once for all lookups."""

    __slots__ = ("capital", "quoted", "size", "stems", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = tokens_of(text)
        self.size = len(self.tokens)
        self.stems = [t.text if t.cjk else stem(t.text) for t in self.tokens]
        # The first word of an English sentence is written large whatever it is.
        sentence = not has_cjk(text)
        self.capital = [
            not t.cjk and (i > 0 or not sentence) and text[t.start : t.end] != t.text for i, t in enumerate(self.tokens)
        ]
        bracketed = [match.span(1) for match in BRACKETED.finditer(text)]
        self.quoted = [
            (t.start > 0 and text[t.start - 1] in OPENING_QUOTES) or any(a <= t.start < b for a, b in bracketed)
            for t in self.tokens
        ]

    def weak(self, first: int, last: int) -> bool:
        """Whether the phrase is only grammar, a lone letter or a short number, and nothing marks it as a value."""
        if self.quoted[first]:
            return False
        words = [t.text for t in self.tokens[first : last + 1]]
        if first == last and not self.tokens[first].cjk and (len(words[0]) == 1 or words[0].isdigit()):
            return self._glued(first) or len(words[0]) < 3 - (self.capital[first] and not words[0].isdigit()) * 2
        if any(self.capital[first : last + 1]):
            return False
        return all(word in COMMON or word in GRAMMAR_ZH for word in words)

    def hopeless(self, first: int, last: int) -> bool:
        """Whether a weak phrase can be no value even next to its column's name."""
        if first != last or self._glued(first):
            return True
        word = self.tokens[first].text
        return word in GRAMMAR_ZH or (word in STOPWORDS and word != "no")

    def _glued(self, at: int) -> bool:
        """Whether the token is a piece of a code or number such as iPhone15, 12:30 or 3.5."""
        start, end = self.tokens[at].start, self.tokens[at].end
        return bool(
            GLUED_BEFORE.search(self.text[max(0, start - 2) : start]) or GLUED_AFTER.match(self.text[end : end + 2])
        )

    def emphasis(self, at: int) -> float:
        """How strongly the spelling marks a word as a name."""
        if self.capital[at] or self.quoted[at]:
            return 0.1
        head = self.tokens[at]
        return 0.05 if at == 0 and self.text[head.start : head.end] != head.text else 0.0


GRAMMAR_ZH = frozenset("的了是否有无在和与或及各每个中大小多少上下前后不为等到从人年月日天名")


@dataclass(slots=True)
class Postings:
    """Value numbers by whole key, stemmed key, part, and half key; `words` are the tokens of each value."""

    exact: dict[str, list[int]] = field(default_factory=dict)
    stems: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[str, list[int]] = field(default_factory=dict)
    halves: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    words: list[tuple[str, ...]] = field(default_factory=list)
    longest: dict[str, int] = field(default_factory=dict)
    nations: dict[str, list[int]] = field(default_factory=dict)

    def add(self, value: str, *, nation: bool = False) -> None:
        """Index the next value; `nation` says that its column holds codes of countries."""
        number = len(self.keys)
        split = value_words(value)
        key = "".join(words_of(value))
        self.keys.append(key)
        self.words.append(tuple(word if cjk else stem(word) for word, cjk in split))
        if not key:
            return
        self.exact.setdefault(key, []).append(number)
        if nation:
            self.nations.setdefault(key, []).append(number)
        if split[0][1]:
            self.longest[key[0]] = max(self.longest.get(key[0], 0), len(split))
        else:
            self._add_latin(number, key)
        self._add_parts(number)

    def _add_latin(self, number: int, key: str) -> None:
        self.stems.setdefault("".join(self.words[number]), []).append(number)
        if len(key) >= 5 and not key.isdigit():
            size = len(key)
            for half in half_keys(key, size):
                self.halves.setdefault((size, half), []).append(number)

    def _add_parts(self, number: int) -> None:
        words = self.words[number]
        if len(words) < 2:
            return
        for part in {p for p in pairs(words) if p}:
            self.parts.setdefault(part, []).append(number)

    def whole(self, spoken: Spoken) -> Iterator[ValueHit]:
        """Phrases that are a value, as written or in another number or tense."""
        for first in range(spoken.size):
            head = spoken.tokens[first]
            longest = self.longest.get(head.text, 0) if head.cjk else LONGEST_PHRASE
            key = inflected = ""
            for last in range(first, min(first + longest, spoken.size)):
                key += spoken.tokens[last].text
                inflected += spoken.stems[last]
                numbers = self.exact.get(key)
                if numbers:
                    yield from self._as_written(spoken, first, last, numbers)
                elif (numbers := self.stems.get(inflected)) and len(key) > 2 and not spoken.weak(first, last):
                    yield from (ValueHit(first, last, n, self._inflection(key, n), 4) for n in numbers)

    def _as_written(self, spoken: Spoken, first: int, last: int, numbers: list[int]) -> Iterator[ValueHit]:
        if not spoken.weak(first, last):
            yield from (ValueHit(first, last, n, 0.88, 4) for n in numbers)
        elif not spoken.hopeless(first, last):
            yield from (ValueHit(first, last, n, 0.62, 0) for n in numbers)

    def _inflection(self, key: str, number: int) -> float:
        """Plural and singular are nearly as good as the word itself; other endings are a little weaker."""
        return 0.85 if singular(key) == singular(self.keys[number]) else 0.78

    def translated(self, spoken: Spoken, words: Lexicon) -> Iterator[ValueHit]:
        """Phrases whose translation or other name is a value: 北京 for Beijing, French for France."""
        for first in range(spoken.size):
            head = spoken.tokens[first]
            yield from self._called_otherwise(spoken, first)
            if head.cjk or _is_mixed(spoken, first):
                yield from self._from_chinese(spoken, words, first)
            if not head.cjk:
                yield from self._from_english(spoken, words, first)

    def _called_otherwise(self, spoken: Spoken, first: int) -> Iterator[ValueHit]:
        """Values that are another name of a phrase: Turkey for Turkish and for Turks, United States for US."""
        start, phrase = spoken.tokens[first].start, ""
        if BOTH_SEXES in spoken.text[max(0, start - 1) : start + 2]:
            return  # 男女各有多少人 asks for both, and a hint of either made a condition of it
        for last in range(first, min(first + LONGEST, spoken.size)):
            token = spoken.tokens[last]
            if token.cjk and last > first:
                return
            word = singular(token.text)
            names = ALIASES.get(phrase + token.text) or ALIASES.get(phrase + word, ())
            phrase += token.text
            if names and {phrase, word} & CAPITALISED and spoken.text[start : start + 1].islower():
                continue
            yield from (ValueHit(first, last, n, 0.76, 3) for other in names for n in self.exact.get(other, ()))
            if self.longest and not token.cjk:
                abroad = (zh for other in names for zh in lexicon().chinese.get(stem_term(other), ())[:FIRST_TERMS])
                yield from (ValueHit(first, last, n, 0.76, 3) for zh in abroad for n in self.exact.get(zh, ()))
            codes = CODES.get(phrase) or CODES.get(phrase.removesuffix(token.text) + word, ())
            yield from (ValueHit(first, last, n, 0.76, 3) for code in codes for n in self.nations.get(code, ()))

    def _from_chinese(self, spoken: Spoken, words: Lexicon, first: int) -> Iterator[ValueHit]:
        phrase = ""
        longest = words.longest.get(spoken.tokens[first].text[0], 0)
        for last in range(first, min(first + longest, spoken.size)):
            phrase += spoken.tokens[last].text
            if first == last and _in_a_word(spoken, words, first):
                continue
            for term in words.english.get(phrase, ()):
                yield from (ValueHit(first, last, n, 0.8, 3) for n in self._spelt(term))
                yield from (ValueHit(first, last, n, 0.76, 3) for n in self._countries(term))
                yield from (ValueHit(first, last, n, 0.66, 2) for n in self._mostly(term))

    def _mostly(self, term: str) -> Iterator[int]:
        """Values of which a translated term of several words is the larger part: 奥运会 for Summer Olympic Games."""
        stems = tuple(stem_term(term).split())
        numbers = self.parts.get(stems[0], ()) if len(stems) > 1 else ()
        if len(numbers) > COMMON_PART:
            return
        for number in numbers:
            words = self.words[number]
            runs = (words[at : at + len(stems)] for at in range(len(words) - len(stems) + 1))
            if len(words) > len(stems) and stems in runs and sum(map(len, stems)) >= MOSTLY * sum(map(len, words)):
                yield number

    def synonymous(self, spoken: Spoken, words: Lexicon) -> Iterator[ValueHit]:
        """Chinese phrases that share an English word with a value: 已支付 for 已付款, both of which are paid."""
        for first in range(spoken.size):
            phrase = ""
            longest = words.longest.get(spoken.tokens[first].text, 0)
            for last in range(first, min(first + longest, spoken.size)):
                phrase += spoken.tokens[last].text
                # One character is part of too many words.
                for term in words.english.get(phrase, ())[:FIRST_TERMS] if last > first else ():
                    others = (other for other in words.chinese[stem_term(term)] if other != phrase)
                    yield from (ValueHit(first, last, n, 0.7, 2) for word in others for n in self.exact.get(word, ()))

    def counted(self, spoken: Spoken) -> Iterator[ValueHit]:
        """States that the noun of a rate counts: the cancellation rate is of what is cancelled, a rejection rate of reject."""
        for at, token in enumerate(spoken.tokens):
            verb = NOUN_OF_STATE.sub("", token.text)
            beside = {each.text for each in spoken.tokens[max(0, at - 2) : at + 2]}
            if token.cjk or verb == token.text or len(verb) < 3 or beside.isdisjoint(RATES):
                continue
            keys = dict.fromkeys((stem(verb), stem(verb[:-1] if verb[-1] == verb[-2] else verb)))
            for number in (n for key in keys for n in self.stems.get(key, ())):
                if self.keys[number] == verb or self.keys[number].endswith("ed"):
                    yield ValueHit(at, at, number, COUNTED, 2)

    def _countries(self, term: str) -> Iterator[int]:
        """Values that are another name of a translated one: 韩国 is South Korea, and Korea or KR where that is stored."""
        name = term.replace(" ", "")
        yield from (n for other in COUNTRIES.get(name, ()) for n in self.exact.get(other, ()))
        yield from (n for code in CODES.get(name, ()) for n in self.nations.get(code, ()))

    def _spelt(self, term: str) -> list[int]:
        """Values that are an English term, in another number, or its state: cancel for cancelled, not book for booking."""
        key = "".join(words_of(term))  # jiang'an has no mark where values are looked up
        if found := self.exact.get(key):
            return found
        near = self.stems.get(stem_term(term).replace(" ", ""), ())
        done = key.endswith("ed")
        return [
            n
            for n in near
            if singular(key) == singular(self.keys[n])
            or self.keys[n].endswith("ed")
            or (done and self.keys[n] in RESULTS)
        ]

    def _from_english(self, spoken: Spoken, words: Lexicon, first: int) -> Iterator[ValueHit]:
        if not self.longest:
            return
        for last in range(first, min(first + words.longest_term, spoken.size)):
            if spoken.tokens[last].cjk:
                return
            for word in words.chinese.get(" ".join(spoken.stems[first : last + 1]), ()):
                if (numbers := self.exact.get(word)) and not spoken.weak(first, last):
                    yield from (ValueHit(first, last, n, 0.8, 3) for n in numbers)

    def partial(self, spoken: Spoken, known: frozenset[str]) -> Iterator[ValueHit]:
        """Phrases that are part of a value of several words."""
        for first, part in enumerate(pairs(spoken.stems)):
            numbers = self.parts.get(part) if part else None
            if not numbers or len(numbers) > COMMON_PART:
                continue
            for number in numbers:
                hit = self._run(spoken, first, number)
                if (
                    hit
                    and hit.base >= PARTIAL_FLOOR
                    and (hit.last > first or part not in known or spoken.capital[first])
                ):
                    yield hit

    def _run(self, spoken: Spoken, first: int, number: int) -> ValueHit | None:
        words = self.words[number]
        best = 0
        for at, word in enumerate(words):
            if word == spoken.stems[first]:
                size = 1
                while at + size < len(words) and spoken.stems[first + size : first + size + 1] == [words[at + size]]:
                    size += 1
                best = max(best, size)
        if not best or (spoken.tokens[first].cjk and best < 2):
            return None
        last = first + best - 1
        said = spoken.stems[first : last + 1]
        emphasis = spoken.emphasis(first)
        if emphasis < 0.1 and all(t.text in COMMON for t in spoken.tokens[first : last + 1]):
            return None
        cover = sum(map(len, said)) / sum(map(len, words))
        base = 0.35 + 0.4 * cover + 0.1 * (best > 1 + spoken.tokens[first].cjk) + emphasis
        return ValueHit(first, last, number, min(base, 0.75), 3 if best > 1 and cover >= 0.5 else 1)

    def fuzzy(self, spoken: Spoken, taken: list[bool], known: frozenset[str]) -> Iterator[ValueHit]:
        """Misspelt phrases of five letters or more, outside what is matched already."""
        for first in range(spoken.size):
            for last in range(first, min(first + 4, spoken.size)):
                if taken[last] or spoken.tokens[last].cjk:
                    break
                if self._spelling_matters(spoken, first, last, known):
                    key = "".join(t.text for t in spoken.tokens[first : last + 1])
                    yield from self._near(key, first, last)

    def _spelling_matters(self, spoken: Spoken, first: int, last: int, known: frozenset[str]) -> bool:
        if any(spoken.tokens[i].text in COMMON or spoken.stems[i] in known for i in (first, last)):
            return False
        if first == last and not spoken.capital[first] and spoken.stems[first] in vocabulary():
            return False
        return sum(len(t.text) for t in spoken.tokens[first : last + 1]) >= 5

    def _near(self, key: str, first: int, last: int) -> Iterator[ValueHit]:
        size = len(key)
        allowed = 1 if size < 9 else 2
        seen: set[int] = set()
        for length in range(max(5, size - allowed), size + allowed + 1):
            for half in half_keys(key, length):
                for number in self.halves.get((length, half), ()):
                    if number not in seen:
                        seen.add(number)
                        far = OSA.distance(key, self.keys[number], score_cutoff=allowed)
                        if far <= allowed and digits(key) == digits(self.keys[number]):
                            yield ValueHit(first, last, number, 0.8 - far / max(size, length), 2)


def value_words(value: str) -> list[tuple[str, bool]]:
    """The words of a value, each Chinese character a word; codes and camel case are split."""
    if " " in value:  # camel case is for codes: iPhone in a name is one word
        return [(word, False) for word in words_of(value)] if value.isascii() else _marked(value)
    found: list[tuple[str, bool]] = []
    for word in name_words(value):
        if word[0] > "\u3000":
            found.extend((character, True) for character in word)
        else:
            found.append((word, False))
    return found or _marked(value)


def _marked(value: str) -> list[tuple[str, bool]]:
    return [(token.text, token.cjk) for token in tokens_of(value)]


def pairs(words: list[str] | tuple[str, ...]) -> Iterator[str]:
    """What parts are indexed by: a Latin word of three letters or more, or two Chinese characters in a row."""
    for at, word in enumerate(words):
        if word > "\u3000":
            following = words[at + 1] if at + 1 < len(words) else ""
            yield word + following if following > "\u3000" else ""
        else:
            yield word if len(word) > 2 else ""


def half_keys(key: str, length: int) -> tuple[str, str]:
    """Start and end of a key, of which one survives a single slip in a value of that length."""
    size = max(2, length // 2 - 1)
    return "^" + key[:size], "$" + key[-size:]


def digits(text: str) -> str:
    """The digits of a text: two names that differ in them are two things."""
    return "".join(c for c in text if c.isdigit())


def _is_mixed(spoken: Spoken, first: int) -> bool:
    """Whether Latin letters are glued to Chinese: ip地址 is one word."""
    return (
        first + 1 < spoken.size
        and spoken.tokens[first + 1].cjk
        and (spoken.tokens[first].end == spoken.tokens[first + 1].start)
    )


def _in_a_word(spoken: Spoken, words: Lexicon, at: int) -> bool:
    """Whether a character belongs to a longer word: 金 of 佣金 is no gold."""
    first_near = max(0, at + 1 - LONGEST_PHRASE)
    longest = max((words.longest.get(token.text, 0) for token in spoken.tokens[first_near : at + 1]), default=0)
    # Only what is near: the words of all the question, taken anew for each of them, made a long one quadratic.
    near = [token.text for token in spoken.tokens[first_near : at + longest + 1]]
    here = at - first_near
    return any(
        "".join(near[first:end]) in words.english
        for first in range(here + 1)
        for end in range(max(here, first + 1) + 1, min(first + words.longest.get(near[first], 0), len(near)) + 1)
    )
