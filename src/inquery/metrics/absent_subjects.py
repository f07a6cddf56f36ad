"""Subjects that a question is about and a database says nothing of: the weather, rents, a survey that was never stored.

A writer has to write something and then takes the nearest column, so that such a question gets a sure and wrong answer.
Told by a table of subjects in both languages (`subjects.yaml`) against everything a database calls its things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from inquery.knowledge.glossary import Glossary
from inquery.language.lexicon import vocabulary
from inquery.language.text import has_cjk, name_stems, name_words, singular, stem, tokens_of
from inquery.language.wording import is_shortened, name_terms, unglued
from inquery.sql.catalog import Catalog

MOST_VALUES = 50_000
LONGEST_VALUE = 60
"""A longer text is a remark: that somebody wrote of the weather does not make it a measure."""
UNREADABLE = 0.3
"""Of a database with more columns than this whose names no lexicon can read nobody can say what it does not hold."""
SHORT_FORM = 3
SHORT_VALUE = 3
"""A value of so few letters says nothing: `ads` is the stem of every AD among names, mails and codes."""
Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that may be asked for: phrases that say it, and phrases by which a database would hold it."""

    name: str
    say: tuple[str, ...]
    has: tuple[str, ...]
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AbsentSubject:
    """A subject that nothing here holds, in the question's own words."""

    name: str
    text: str


@cache
def subjects() -> tuple[Subject, ...]:
    """The table of subjects."""
    import yaml

    text = resources.files("inquery.metrics").joinpath("subjects.yaml").read_text("utf-8")
    table = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return tuple(
        Subject(name, tuple(map(str, each["say"])), tuple(map(str, each["has"])), tuple(each.get("unless", ())))
        for name, each in table.items()
    )


@cache
def _said_in_english() -> Mapping[Stems, Subject]:
    # By singulars, not by stems: machines that were commissioned earn no commission.
    return {
        tuple(singular(token.text) for token in tokens_of(phrase)): each
        for each in subjects()
        for phrase in each.say
        if not has_cjk(phrase)
    }


class Holdings:
    """Everything one database calls its things and values, as far as a person may see it."""

    def __init__(self, catalog: Catalog, glossary: Glossary, values: Mapping[tuple[str, str], Sequence[str]]) -> None:
        self._names, self._told, self._values = _Texts(), _Texts(), _Texts()
        self._absent: dict[str, bool] = {}
        self._unreadable = _unreadable_share(catalog) > UNREADABLE
        for table in catalog.tables:
            self._names.add_name(table.name, table.comment)
            for column in table.columns:
                self._names.add_name(column.name, column.comment)
        # What people call their things says a subject where it says it itself: an average ticket holds no tickets.
        for text in glossary_texts(glossary):
            self._told.add(text)
        for text in (*_short_values(values), *_value_phrases(glossary)):
            self._values.add(text)

    def lacks(self, subject: Subject) -> bool:
        """Whether nothing here says the subject; a stored value must say it itself, since values say everything else."""
        known = self._absent.get(subject.name)
        if known is None:
            known = self._absent[subject.name] = not (
                self._unreadable
                or any(self._names.hold(phrase, subject.unless) for phrase in (*subject.say, *subject.has))
                or any(self._told.hold(phrase, subject.unless) for phrase in subject.say)
                or any(
                    self._values.hold(phrase, subject.unless)
                    for phrase in subject.say
                    if len(phrase) > SHORT_VALUE or has_cjk(phrase)
                )
            )
        return known


class _Texts:
    """Texts in which phrases are looked up: English by the stems of one text, Chinese as they are written."""

    def __init__(self) -> None:
        self._phrases: list[Stems] = []
        self._by_stem: dict[str, set[int]] = {}
        self._chinese: set[str] = set()
        self._short: set[str] = set()

    def add_name(self, name: str, comment: str) -> None:
        """The name of a table or column, its short forms spelt out."""
        self._keep(name_stems(name))
        for term, _ in name_terms(name):
            self._keep((term,))
        self._chinese.update([name] if has_cjk(name) else ())
        self._short.update(word for word in name_words(name) if is_shortened(word) and len(word) >= SHORT_FORM)
        if comment:
            self.add(comment)

    def add(self, text: str) -> None:
        """Any other text."""
        self._keep(_stems(text))
        if has_cjk(text):
            self._chinese.add(text)

    def _keep(self, stems: Stems) -> None:
        for each in set(stems):
            self._by_stem.setdefault(each, set()).add(len(self._phrases))
        self._phrases.append(stems)

    def hold(self, phrase: str, unless: Sequence[str]) -> bool:
        """Whether one text says all words of a phrase and none of the others."""
        if has_cjk(phrase):
            return any(phrase in text and not any(other in text for other in unless) for text in self._chinese)
        words = _stems(phrase)
        if not words:
            return False
        if len(words) == 1 and any(_is_short_for(short, phrase) for short in self._short):
            return True
        found = set.intersection(*(self._by_stem.get(word, set()) for word in words))
        left_out = [_stems(other) for other in unless if not has_cjk(other)]
        texts = (self._phrases[at] for at in found)
        return any(_says(text, words) and not any(_says(text, other) for other in left_out) for text in texts)


def _says(text: Stems, words: Stems) -> bool:
    """Whether the words stand together in a text: `share of the price` is no share price."""
    return any(text[at : at + len(words)] == words for at in range(len(text) - len(words) + 1))


def absent_subjects(question: str, holdings: Holdings) -> list[AbsentSubject]:
    """The subjects that the question says and the database does not hold, in the order of the question."""
    found = sorted(_said(question), key=lambda each: (each[0], -len(each[1])))
    return [AbsentSubject(subject.name, text) for _, text, subject in found if holdings.lacks(subject)]


def _said(question: str) -> Iterator[tuple[int, str, Subject]]:
    """Where a subject is said, by which of its phrases; the longest at each place."""
    for subject in subjects():
        for phrase in sorted((p for p in subject.say if has_cjk(p)), key=len, reverse=True):
            at = question.find(phrase)
            if at >= 0:
                yield at, phrase, subject
                break
    tokens = [token for token in tokens_of(question) if not token.cjk]
    known = _said_in_english()
    longest = max(map(len, known), default=0)
    for start in range(len(tokens)):
        for end in range(min(len(tokens), start + longest), start, -1):
            subject_here = known.get(tuple(singular(token.text) for token in tokens[start:end]))
            if subject_here is not None:
                yield tokens[start].start, question[tokens[start].start : tokens[end - 1].end], subject_here
                break


def _is_short_for(short: str, word: str) -> bool:
    """cmpl is a complaint: the same first letter, the others in their order."""
    letters = iter(word)
    return short[0] == word[0] and len(short) < len(word) and all(letter in letters for letter in short)


def _unreadable_share(catalog: Catalog) -> float:
    columns = [column for table in catalog.tables for column in table.columns]
    read = sum(bool(column.comment) or any(map(_is_word, name_words(column.name))) for column in columns)
    return 1 - read / len(columns) if columns else 1.0


def _is_word(word: str) -> bool:
    return has_cjk(word) or stem(word) in vocabulary() or any(stem(part) in vocabulary() for part in unglued(word))


def _stems(text: str) -> Stems:
    return tuple(stem(token.text) for token in tokens_of(text) if not token.cjk)


def _short_values(values: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[str]:
    seen: set[str] = set()
    for listed in values.values():
        for value in listed:
            if len(value) <= LONGEST_VALUE and value not in seen and not value.isdigit():
                seen.add(value)
                yield value
                if len(seen) >= MOST_VALUES:
                    return


def glossary_texts(glossary: Glossary) -> Iterable[str]:
    """Every text in which people told what a database holds."""
    for word, term in glossary.terms.items():
        yield from (word, *term.synonyms, term.meaning.en, term.meaning.zh)
    for name, metric in glossary.metrics.items():
        yield from (name.replace("_", " "), metric.label.en, metric.label.zh, *metric.synonyms)
        yield from (metric.description.en, metric.description.zh)
    for about in glossary.tables.values():
        yield from (about.description.en, about.description.zh, *about.synonyms)
        for text in about.columns.values():
            yield from (text.en, text.zh)
    for said in glossary.dimensions.values():
        yield from (said.label.en, said.label.zh, *said.synonyms)


def _value_phrases(glossary: Glossary) -> Iterator[str]:
    for mapped in glossary.values.values():
        for phrases in mapped.values():
            yield from phrases
