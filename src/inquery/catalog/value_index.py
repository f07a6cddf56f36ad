"""The value index: which phrases of a question are values stored in which columns."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from inquery.catalog.cues import NEAR, Cues
from inquery.catalog.json_lines import read_lines, write_lines
from inquery.catalog.meant_words import MeantWord, meant_words
from inquery.catalog.postings import Postings, Spoken, ValueHit, value_words
from inquery.catalog.suitable import LONGEST_VALUE, is_suitable
from inquery.home import write_file
from inquery.language.aliases import IS_CODE
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import has_cjk, name_stems, singular, tokens_of
from inquery.sql import Catalog

PER_COLUMN = 1000
LISTED = 12  # values of a column that is a list to choose from
PER_PHRASE = 6  # columns or values kept for one phrase
LAST = 32  # questions whose matches are kept

Place = tuple[str, str]
Mapped = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A phrase of the question that is a stored value: question[start:end] means `value` in table.column."""

    table: str
    column: str
    value: str
    phrase: str
    score: float = 1.0
    start: int = -1
    end: int = -1


@dataclass(slots=True)
class ValueIndex:
    """Distinct values of text columns, found by exact, inflected, translated, partial and fuzzy match.

    Codes are found by the words they stand for (`with_meanings`), which the catalogue keeps, not this index.
    """

    places: list[Place] = field(default_factory=list)
    values: list[tuple[int, str]] = field(default_factory=list)
    mappings: dict[str, Mapped] = field(default_factory=dict)
    _postings: Postings = field(default_factory=Postings)
    _mapped: dict[str, list[Mapped]] = field(default_factory=dict)
    _known: frozenset[str] = frozenset()
    _cues: dict[Place, Cues] = field(default_factory=dict)
    _last: dict[tuple[str, int], tuple[ValueMatch, ...]] = field(default_factory=dict, compare=False, repr=False)
    _placed: dict[Place, list[str]] = field(default_factory=dict, compare=False, repr=False)
    _meant: list[MeantWord] = field(default_factory=list)
    _meant_postings: Postings = field(default_factory=Postings)

    @classmethod
    def of(
        cls,
        values: Mapping[Place, Sequence[str]],
        *,
        mappings: Mapping[str, Mapped] | None = None,
        per_column: int = PER_COLUMN,
    ) -> ValueIndex:
        """An index of (full table name, column) → distinct values; unsuitable columns are left out."""
        index = cls()
        for place, given in values.items():
            kept = [v for v in given if v and len(v) <= LONGEST_VALUE][:per_column]
            if kept and is_suitable(place[1], given):
                index._add(place, kept)
        index._known = frozenset(word for place in values for name in place for word in name_stems(name))
        return index.with_mappings(mappings or {})

    def _add(self, place: Place, kept: Sequence[str]) -> None:
        number = len(self.places)
        self.places.append(place)
        # Two of three: the codes of a few American states are those of countries too.
        nations = 3 * sum(value.isupper() and value.casefold() in IS_CODE for value in kept) >= 2 * len(kept)
        for value in kept:
            self.values.append((number, value))
            self._postings.add(value, nation=nations)

    def with_mappings(self, mappings: Mapping[str, Mapped]) -> ValueIndex:
        """The same index with an administrator's phrases: `手机` → (categories, code, mobile_phone)."""
        made = ValueIndex(self.places, self.values, {}, self._postings, {}, self._known, self._cues)
        made._meant, made._meant_postings = self._meant, self._meant_postings
        for phrase, target in mappings.items():
            key = "".join(t.text for t in tokens_of(phrase))
            if key:
                made.mappings[phrase] = target
                made._mapped.setdefault(key, []).append(target)
        return made

    def with_meanings(self, catalog: Catalog) -> ValueIndex:
        """The same index with what the codes and flags of a catalogue stand for."""
        return self._with_meant(list(meant_words(catalog)))

    def _with_meant(self, words: list[MeantWord]) -> ValueIndex:
        made = ValueIndex(self.places, self.values, {}, self._postings, {}, self._known, self._cues)
        made._meant = words
        for each in words:
            made._meant_postings.add(each.word)
        return made.with_mappings(self.mappings)

    def match(self, question: str, *, limit: int = 12) -> list[ValueMatch]:
        """Phrases of the question that are values, best first; overlapping weaker ones are dropped."""
        # A run asks of one question for its cache key, its schema and its answer.
        known = self._last.get((question, limit))
        if known is None:
            known = tuple(self._match(question, limit))
            if len(self._last) >= LAST:
                self._last.pop(next(iter(list(self._last))), None)  # a copy: long questions are read in threads
            self._last[question, limit] = known
        return list(known)

    def _match(self, question: str, limit: int) -> list[ValueMatch]:
        spoken = Spoken(question)
        hits = [*self._postings.whole(spoken), *self._postings.translated(spoken, lexicon())]
        hits += self._postings.partial(spoken, self._known)
        hits += self._standing_for(spoken)
        hits += [hit for hit in self._postings.counted(spoken) if self._is_listed(hit.value)]
        taken = [False] * (spoken.size + 1)
        for hit in hits:
            if hit.tier > 2:
                taken[hit.first : hit.last + 1] = [True] * (hit.last + 1 - hit.first)
        hits += self._postings.fuzzy(spoken, taken, self._known)
        stated = list(self._stated(spoken))
        kept = longest(hits, {(first, last) for first, last, _ in stated})
        found = [match for hit in kept if not self._is_flag(hit) and (match := self._spell(spoken, hit))]
        found += _nearest_flags([match for hit in kept if self._is_flag(hit) and (match := self._spell(spoken, hit))])
        found += [_mapped_match(spoken, *each) for each in stated]
        found.sort(key=lambda m: (-m.score, m.start, m.table, m.column, m.value))
        return _few_a_phrase(found)[:limit]

    def _is_flag(self, hit: ValueHit) -> bool:
        return hit.value >= len(self.values) and self._meant[hit.value - len(self.values)].flag

    def _standing_for(self, spoken: Spoken) -> Iterator[ValueHit]:
        """Phrases that are what a code stands for; they are numbered after the values."""
        if not self._meant:
            return
        words = lexicon()
        found = chain(
            self._meant_postings.whole(spoken),
            self._meant_postings.translated(spoken, words),
            self._meant_postings.synonymous(spoken, words),
        )
        for hit in found:
            yield hit._replace(value=len(self.values) + hit.value)

    def _is_listed(self, value: int) -> bool:
        place = self.places[self.values[value][0]]
        return 1 < len(self.by_place()[place]) <= LISTED

    def _stated(self, spoken: Spoken) -> list[tuple[int, int, Mapped]]:
        """Phrases an administrator mapped, longest first and without overlap."""
        found: list[tuple[int, int, Mapped]] = []
        end = -1
        for first in range(spoken.size if self._mapped else 0):
            if first <= end:
                continue
            for last in range(min(first + 16, spoken.size) - 1, first - 1, -1):
                key = "".join(t.text for t in spoken.tokens[first : last + 1])
                if key in self._mapped:
                    found += [(first, last, target) for target in self._mapped[key]]
                    end = last
                    break
        return found

    def _spell(self, spoken: Spoken, hit: ValueHit) -> ValueMatch | None:
        if hit.value >= len(self.values):
            return self._spell_code(spoken, hit, self._meant[hit.value - len(self.values)])
        number, value = self.values[hit.value]
        table, column = place = self.places[number]
        start, end = spoken.tokens[hit.first].start, spoken.tokens[hit.last].end
        phrase = spoken.text[start:end]
        if hit.tier == 1 and hit.first == hit.last and not _is_word_of(spoken.tokens[hit.first].text, value):
            return None
        near = self._nearness(spoken, hit, place)
        # A letter is short for too much; a Chinese character is a word, and "cat" is 猫.
        letter = len(value) == 1 and len(phrase) > 1 and not (has_cjk(value) and len(phrase) > 2)
        if near < NEAR and (hit.tier == 0 or (letter and not self._cues[place].gender)):
            return None
        score = hit.base + 0.02 * (phrase == value) + near
        if near < NEAR and self._names_schema(spoken, hit):
            return None
        return ValueMatch(table, column, value, phrase, round(min(score, 1.0), 4), start, end)

    def _nearness(self, spoken: Spoken, hit: ValueHit, place: Place) -> float:
        if place not in self._cues:
            self._cues[place] = Cues.of(*place)
        return self._cues[place].nearness(spoken, hit.first, hit.last)

    def _spell_code(self, spoken: Spoken, hit: ValueHit, meant: MeantWord) -> ValueMatch | None:
        """The code that a phrase stands for; a flag is said by its own name, a label that is a table's name is not meant."""
        near = self._nearness(spoken, hit, meant.place)
        start, end = spoken.tokens[hit.first].start, spoken.tokens[hit.last].end
        phrase = spoken.text[start:end]
        # Where `cancel_time` tells that 6 is cancelled, "cancel" is a word of a column, "cancelled" still what 6 stands for.
        named = not meant.flag and not _says_done(phrase) and self._names_schema(spoken, hit)
        if near < NEAR and (hit.tier == 0 or named):
            return None
        score = round(min(hit.base + near, 1.0) * meant.weight, 4)
        return ValueMatch(*meant.place, meant.value, phrase, score, start, end)

    def _names_schema(self, spoken: Spoken, hit: ValueHit) -> bool:
        """Whether the phrase is rather the name of a table or column: stores, 订单."""
        first, last = hit.first, hit.last
        if spoken.quoted[first] or any(spoken.capital[first : last + 1]):
            return False
        if not spoken.tokens[first].cjk:
            return first == last and spoken.stems[first] in self._known
        phrase = "".join(t.text for t in spoken.tokens[first : last + 1])
        return any(word in self._known for word in map(stem_term, lexicon().english.get(phrase, ())))

    def names_schema(self, phrase: str) -> bool:
        """Whether a phrase is the name of a table or column rather than a value."""
        spoken = Spoken(phrase.casefold())
        return spoken.size > 0 and self._names_schema(spoken, ValueHit(0, spoken.size - 1, 0, 0.0, 0))

    def listed_words(self, most: int) -> Iterator[tuple[str, str, str, str]]:
        """(word, table, column, value) of what columns with few values hold or their codes stand for."""
        for (table, column), values in self.by_place().items():
            if 1 < len(values) <= most:
                yield from ((value, table, column, value) for value in values)
        yield from ((each.word, *each.place, each.value) for each in self._meant if not each.flag)

    def only(self, places: set[Place]) -> ValueIndex:
        """The index of some columns: what a user's policy lets them see."""
        meant = [each for each in self._meant if each.place in places]
        if places.issuperset(self.places) and len(meant) == len(self._meant):
            return self
        kept = {p: [v for n, v in self.values if self.places[n] == p] for p in self.places if p in places}
        made = ValueIndex(_known=self._known)
        for place, given in kept.items():
            made._add(place, given)
        return made._with_meant(meant).with_mappings({k: v for k, v in self.mappings.items() if v[:2] in places})

    def by_place(self) -> dict[Place, list[str]]:
        """The values of each column, as they were given; put together once, since a warehouse has millions."""
        if len(self._placed) < len(self.places):
            self._placed.clear()
            for number, value in self.values:
                self._placed.setdefault(self.places[number], []).append(value)
        return self._placed

    def save(self, path: Path) -> None:
        """Write a compact file that `load` reads."""
        columns = [[*place, given] for place, given in self.by_place().items()]
        content = {"columns": columns, "mappings": self.mappings, "known": sorted(self._known)}
        write_file(path, gzip.compress(write_lines(content, ("columns",)), mtime=0))

    @classmethod
    def load(cls, path: Path, *, searchable: bool = True) -> ValueIndex:
        """Read what `save` wrote; one that is not searchable has its values alone, and is there much sooner."""
        data = read_lines(gzip.decompress(path.read_bytes()), ("columns",))
        index = cls(_known=frozenset(data["known"]))
        for table, column, given in data["columns"]:
            if searchable:
                index._add((table, column), given)
            else:
                index.values += [(len(index.places), value) for value in given]
                index.places.append((table, column))
        return index.with_mappings({phrase: (t, c, v) for phrase, (t, c, v) in data["mappings"].items()})


def _is_word_of(word: str, value: str) -> bool:
    """Whether one word stands in a value up to its plural: units have the stem of United States, and nothing else."""
    return not word.isascii() or singular(word) in {singular(part) for part, _ in value_words(value)}


def _says_done(phrase: str) -> bool:
    """Whether a phrase says that something has been done to what it is said of: cancelled, 已取消."""
    return phrase.casefold().endswith("ed") or phrase[:1] in ("已", "被")


def longest(hits: list[ValueHit], stated: set[tuple[int, int]]) -> list[ValueHit]:
    """Hits that do not overlap a stronger or longer one; one phrase may mean several values."""
    best: dict[tuple[int, int, int], ValueHit] = {}
    for hit in hits:
        key = (hit.first, hit.last, hit.value)
        if key not in best or best[key].base < hit.base:
            best[key] = hit
    owner: dict[int, tuple[int, int, int]] = {i: (f, la, 9) for f, la in stated for i in range(f, la + 1)}
    kept: list[ValueHit] = []
    for hit in sorted(best.values(), key=lambda h: (-h.tier, h.first - h.last, -h.base, h.first, h.value)):
        span = (hit.first, hit.last, hit.tier)
        owners = {owner.get(i) for i in range(hit.first, hit.last + 1)}
        if owners == {None}:
            owner.update(dict.fromkeys(range(hit.first, hit.last + 1), span))
        elif owners != {span}:
            continue
        kept.append(hit)
    return kept


def _mapped_match(spoken: Spoken, first: int, last: int, target: Mapped) -> ValueMatch:
    start, end = spoken.tokens[first].start, spoken.tokens[last].end
    return ValueMatch(*target, spoken.text[start:end], 1.0, start, end)


def _nearest_flags(found: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Of the flags that a phrase may mean, those of the thing it is said of: every table of a system has its `valid`."""
    best: dict[int, float] = {}
    for match in found:
        best[match.start] = max(best.get(match.start, 0.0), match.score)
    return [match for match in found if match.score == best[match.start]]


def _few_a_phrase(found: list[ValueMatch]) -> list[ValueMatch]:
    """At most PER_PHRASE matches of one phrase, so that a frequent value leaves room for the others."""
    seen: dict[int, int] = {}
    kept = []
    for match in found:
        seen[match.start] = seen.get(match.start, 0) + 1
        if seen[match.start] <= PER_PHRASE:
            kept.append(match)
    return kept
