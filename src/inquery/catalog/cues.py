"""How near a column's or table's name stands to a phrase of the question."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.catalog.postings import Spoken
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import has_cjk, name_words
from inquery.language.wording import full_stems, spelt_out

GENERIC = frozenset({"name", "id", "code", "no", "cod", "typ", "num", "titl"})
GENDER = frozenset({"sex", "gender", "性别"})
NEAR = 0.08
REACH = 3  # words, or twice as many Chinese characters


@dataclass(frozen=True, slots=True)
class Cues:
    """Stems and Chinese words by which a question may name a column and its table."""

    column: frozenset[str]
    table: frozenset[str]
    column_zh: tuple[str, ...]
    table_zh: tuple[str, ...]

    @classmethod
    def of(cls, table: str, column: str) -> Cues:
        """The cues of one column; words such as id and name count only when they stand alone."""
        last = table.rsplit(".", 1)[-1]
        # One letter before a name is a prefix, and `a` of a question is no a_name.
        stems = frozenset(stem for stem in full_stems(column) if len(stem) > 1 or not stem.isascii()) or full_stems(
            column
        )
        return cls(stems - GENERIC or stems, full_stems(last), _chinese(column), _chinese(last))

    @property
    def gender(self) -> bool:
        """Whether the column tells men from women, so that "female" may be F."""
        return not GENDER.isdisjoint(self.column) or not GENDER.isdisjoint(self.column_zh)

    def nearness(self, spoken: Spoken, first: int, last: int) -> float:
        """A bonus of at most 0.1: the column near the phrase, the column anywhere, the table."""
        return min(0.1, max(self._latin(spoken, first, last), self._chinese(spoken, first, last)))

    def _latin(self, spoken: Spoken, first: int, last: int) -> float:
        score = 0.0
        for at, stem in enumerate(spoken.stems):
            if first <= at <= last:
                continue
            if stem in self.column:
                score = max(score, NEAR if first - REACH <= at <= last + REACH else 0.04)
            elif stem in self.table:
                score = max(score, 0.03 if first - REACH <= at <= last + REACH else 0.02)
        return score

    def _chinese(self, spoken: Spoken, first: int, last: int) -> float:
        start, end = spoken.tokens[first].start, spoken.tokens[last].end
        near = spoken.text[max(0, start - 2 * REACH) : start] + "\n" + spoken.text[end : end + 2 * REACH]
        rest = spoken.text[:start] + "\n" + spoken.text[end:]
        if any(word in near for word in self.column_zh):
            return NEAR
        if any(word in rest for word in self.column_zh):
            return 0.04
        return 0.03 if any(word in rest for word in self.table_zh) else 0.0


def _chinese(name: str) -> tuple[str, ...]:
    """Chinese words for an identifier, of the whole and of each telling word."""
    if has_cjk(name):
        return tuple(word for word in name_words(name) if has_cjk(word))
    words = name_words(name)
    known = lexicon().chinese
    found = list(known.get(stem_term(" ".join(words)), ()))
    for stem in (key for word in words for key in (stem_term(word), *spelt_out(word))):
        if stem not in GENERIC:
            found.extend(known.get(stem, ()))
    return tuple(dict.fromkeys(found))
