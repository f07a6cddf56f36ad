"""Which words of a question nothing in the statement owns, and which conditions of the statement the question never says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from sqlglot import exp

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.spoken_names import brief, shown_places
from inquery.agents.truth.value_rules import unasked_filters
from inquery.language.concepts import concepts_in, segments
from inquery.language.lexicon import lexicon
from inquery.language.numbers import numbers_in
from inquery.language.text import COMMON, fold, has_cjk, name_stems, stem, tokens_of
from inquery.language.wording import chinese_runs, name_terms
from inquery.sql import Catalog, Table
from inquery.sql.statement import Statement

SAID = 0.4
"""Of a term's weight: what a word means, not what it only reminds of."""
MEANT = 0.85
"""Of a value's score: the phrase is this value, not one like it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What nothing in the statement owns, of how many telling words, and literals that the question never says.

    `unowned` are all such words, verbs and manners of speaking among them: a measure. `ignored` are those of them that this
    database has a name or a value for, and proper names: what a person should be told.
    """

    ignored: tuple[str, ...]
    unowned: tuple[str, ...]
    words: int
    invented: tuple[str, ...]

    @property
    def ignored_share(self) -> float:
        """The share of the telling words that nothing owns."""
        return len(self.unowned) / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class _Word:
    """A telling word of the question and where it stands."""

    text: str
    start: int
    end: int


def coverage_of(statement: Statement, claims: Claims) -> Coverage:
    """What a statement leaves of its question, and what it adds."""
    words = list(_telling_words(claims.question))
    taken = list(_taken_spans(statement, claims))
    owners = _Owners.of(statement, claims)
    left = [w for w in words if not any(a < w.end and w.start < b for a, b in taken) and not owners.own(w.text)]
    ignored = [w for w in left if _is_known(w, claims)]
    invented = tuple(dict.fromkeys(each.literal for each in unasked_filters(statement, claims)))
    return Coverage(
        tuple(dict.fromkeys(w.text for w in ignored)), tuple(dict.fromkeys(w.text for w in left)), len(words), invented
    )


def _is_known(word: _Word, claims: Claims) -> bool:
    """Whether a word is a stored value, names a table or column, or is a proper name inside a sentence."""
    if any(match.start <= word.start and word.end <= match.end for match in claims.matches if match.score >= MEANT):
        return True
    if (
        word.start
        and word.text[:1].isupper()
        and not claims.question[: word.start].rstrip().endswith((".", "?", "!", ":"))
    ):
        return True
    return stem(fold(word.text)) in _named_terms(claims.catalog) or (
        has_cjk(word.text) and word.text in _all_names(claims.catalog)
    )


@lru_cache(maxsize=8)
def _named_terms(catalog: Catalog) -> frozenset[str]:
    """The stems of all names of tables and columns."""
    names = [name for table in catalog.tables for name in (table.name, *(column.name for column in table.columns))]
    return frozenset(word for name in names for word in name_stems(name))


def named_in_translation(words: Iterable[str], catalog: Catalog) -> list[str]:
    """Those Chinese words for which this database has a name in English."""
    names = _named_terms(catalog)
    return [word for word in words if has_cjk(word) and meant_terms(word) & names]


@lru_cache(maxsize=8)
def _all_names(catalog: Catalog) -> str:
    """All Chinese names and comments in one text."""
    tables = [(table.name, brief(table.comment)) for table in catalog.tables]
    columns = [(column.name, brief(column.comment)) for table in catalog.tables for column in table.columns]
    texts = [text for pair in (*tables, *columns) for text in pair]
    return "\n".join(text for text in texts if has_cjk(text))


@cache
def _glue() -> frozenset[str]:
    """Words that name nothing, English ones as stems."""
    import yaml

    text = resources.files("inquery.agents.truth").joinpath("coverage_words.yaml").read_text("utf-8")
    table: dict[str, list[str]] = yaml.safe_load(text)
    english = {stem(word) for line in table["en"] for word in line.split()}
    return frozenset(
        english | {stem(word) for word in COMMON} | {word for line in table["zh"] for word in line.split()}
    )


def _telling_words(question: str) -> Iterator[_Word]:
    """The words that name something, with their places."""
    glue = _glue()
    for token in tokens_of(question):
        if not token.cjk and not token.text.isdigit() and len(token.text) > 2 and stem(token.text) not in glue:
            yield _Word(question[token.start : token.end], token.start, token.end)
    at = 0
    for run in chinese_runs(question) if has_cjk(question) else ():
        at = max(question.find(run, at), 0)
        inside = at
        for piece in segments(run, lexicon()):
            found = question.find(piece, inside)
            inside = found + len(piece) if found >= 0 else inside
            if found >= 0 and len(piece) > 1 and piece not in glue:
                yield _Word(piece, found, found + len(piece))
        at += len(run)


def _taken_spans(statement: Statement, claims: Claims) -> Iterator[tuple[int, int]]:
    """Spans of the question that are a period, a number, a measure, or a value that the statement holds."""
    folded = fold(claims.question)
    for period in claims.periods:
        yield from _places(fold(period["text"]), folded)
    yield from ((hit.start, hit.end) for hit in numbers_in(claims.question))
    literals, shown = statement.literals(), shown_places(statement)
    for match in claims.matches:
        listed = f"{match.table}.{match.column}" in shown
        if match.start >= 0 and (listed or match.value.casefold() in literals):
            yield match.start, match.end
    for word, metric in claims.metrics:
        if any(f"{table}." in metric.expression.casefold() for table in map(str.casefold, _last_names(statement))):
            yield from _places(fold(word), folded)


def _last_names(statement: Statement) -> set[str]:
    return {table.name for scope in statement.scopes for table in scope.tables.values()}


def _places(text: str, within: str) -> Iterator[tuple[int, int]]:
    at = within.find(text) if text else -1
    while at >= 0:
        yield at, at + len(text)
        at = within.find(text, at + len(text))


@dataclass(frozen=True, slots=True)
class _Owners:
    """What the names and texts of a statement say: as terms, and as Chinese texts."""

    terms: frozenset[str]
    chinese: tuple[str, ...]

    @classmethod
    def of(cls, statement: Statement, claims: Claims) -> _Owners:
        texts = list(_texts(statement, claims))
        terms = {term for text in texts for term, _ in name_terms(text)}
        terms |= {term for text in texts for term in meant_terms(text)}
        return cls(frozenset(terms), tuple({fold(text) for text in texts if has_cjk(text)}))

    def own(self, word: str) -> bool:
        """Whether a name or a text of the statement means the word."""
        forms = {stem(fold(word)), *meant_terms(word)}
        if forms & self.terms:
            return True
        chinese = [form for form in {fold(word), *forms} if has_cjk(form) and len(form) > 1]
        return any(form in text or (len(text) > 1 and text in form) for form in chinese for text in self.chinese)


@lru_cache(maxsize=8192)
def meant_terms(text: str) -> frozenset[str]:
    """What the words of a text mean, in both languages; not what only begins alike."""
    things = concepts_in(text)
    return frozenset(t for thing in things for t, weight in thing.items() if weight >= SAID and not t.startswith("^"))


def _texts(statement: Statement, claims: Claims) -> Iterator[str]:
    """Names, comments and synonyms of what is read, names given to what is shown, and literals."""
    for scope in statement.scopes:
        for table in scope.tables.values():
            yield from _table_texts(table, claims)
        for column in scope.columns():
            place = scope.place(column)
            yield column.name
            known = place.table.column(place.column) if place else None
            about = claims.glossary.tables.get(place.table.full_name) if place else None
            told = about.columns.get(place.column) if about and place else None
            yield from (brief(known.comment) if known else "", told.zh if told else "", told.en if told else "")
        yield from (item.alias for item in scope.select.expressions if item.alias)
    for node in statement.tree.find_all(exp.Literal):
        if node.is_string:
            yield str(node.this)
            yield from _told_values(str(node.this), claims)


def _table_texts(table: Table, claims: Claims) -> Iterator[str]:
    about = claims.glossary.tables.get(table.full_name)
    yield from (table.name, brief(table.comment), *(about.synonyms if about else ()))


def _told_values(literal: str, claims: Claims) -> Iterator[str]:
    """What people call a stored value, by the glossary."""
    for values in claims.glossary.values.values():
        yield from values.get(literal, ())
