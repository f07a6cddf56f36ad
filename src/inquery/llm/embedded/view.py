"""What the writer shows its model of a schema and a question: the same code renders training and run time."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inquery.catalog.suitable import is_suitable
from inquery.catalog.value_index import PER_PHRASE, ValueMatch
from inquery.form.ast import Literal
from inquery.form.name_words import NameMap
from inquery.language.concepts import word_at
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.numbers import ORDINAL, numbers_in, quoted_spans
from inquery.language.parts import parts_in
from inquery.language.periods import Period, periods_in
from inquery.language.text import CJK, has_cjk, name_stems
from inquery.language.wording import full_stems
from inquery.llm.embedded.asked_parts import asked_parts
from inquery.llm.embedded.durations import durations
from inquery.llm.embedded.prompt import FORMAT_D, Hints, PromptColumn, PromptFormat, PromptTable, column_kind
from inquery.llm.embedded.spoken import Values, english, shown_values, spoken_values
from inquery.llm.embedded.units import magnitudes
from inquery.llm.schema_choice import display_of
from inquery.sql.catalog import Column, Table
from inquery.sql.stored_dates import stored_date
from inquery.sql.stored_numbers import stored_number

MOST_VALUES = 6
A_PHRASE = 2
MOST_PERIODS = 3
MOST_GLOSSES = 10
CONSTANTS = (*map(str, range(13)), "24", "30", "60", "100", "365", "1000", "0.5")
"""Numbers a form may use although the question does not say them: weekdays, hours, percent, days of a year."""
LONGEST_COMMENT = 4
LONGEST_COMMENT_ZH = 8
"""Words, or Chinese characters, of a comment that are shown."""
TRAINED_WITH = "8"
"""The last lexicon file the writer was trained with: which comments it is shown must not change under its weights."""
LONGEST_SPAN = 6
"""Words of free text that may be copied from the question as one literal."""
LONGEST_SPAN_ZH = 10
INDEXED_ROWS = 500
"""A column of so few rows is indexed whole, so a phrase that is not found in it is not there."""

_WORD = re.compile(rf"[{CJK}]+|[^\s,;:?!()\"“”‘’「」《》，。；：？！（）{CJK}]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """What code read from a question: the hints shown, and the literals the grammar allows.

    `elsewhere` are, by column, phrases that are values of other columns and surely none of this one.
    """

    hints: Hints
    values: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()
    periods: Mapping[str, Literal] = field(default_factory=dict)
    spans: tuple[str, ...] = ()
    percents: Mapping[str, str] = field(default_factory=dict)
    magnitudes: frozenset[int | float] = frozenset()
    durations: Mapping[int | float, float] = field(default_factory=dict)
    elsewhere: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    parts: tuple[str, ...] = ()


def prompt_tables(
    tables: Sequence[Table], names: NameMap, language: str, style: PromptFormat = FORMAT_D
) -> tuple[PromptTable, ...]:
    """The tables as the prompt spells them, with comments and values in the language of the question."""
    by_path = {table.path: name for name, table in names.tables.items()}
    said = spoken_values(tables, language)
    return tuple(
        PromptTable(
            names.table_words[by_path[table.path]],
            _columns(table, by_path, names, language, said, style),
            short_comment(table.comment, table.name, language),
        )
        for table in tables
    )


def _columns(
    table: Table,
    by_path: Mapping[tuple[str, ...], str],
    names: NameMap,
    language: str,
    said: Values,
    style: PromptFormat,
) -> tuple[PromptColumn, ...]:
    found = tuple(_column(table, column, by_path, names, language, said) for column in table.columns)
    called = display_of(table) if style.display else ()
    return tuple(
        replace(shown, display=True) if column.name in called else shown
        for shown, column in zip(found, table.columns, strict=True)
    )


def _column(
    table: Table, column: Column, by_path: Mapping[tuple[str, ...], str], names: NameMap, language: str, said: Values
) -> PromptColumn:
    kind = "@" if stored_date(column) else "#" if stored_number(column) else column_kind(column.type, column.samples)
    ref = _reference(table, column, by_path, names)
    key = column.primary_key
    words = said.get((table.full_name, column.name), {})
    values = tuple(words.get(value, value) for value in ([] if ref else shown_values(table, column)))
    word = names.column_words[by_path[table.path]][column.name]
    comment = "" if ref or key else short_comment(column.comment, column.name, language)
    return PromptColumn(word, kind, key, ref, values, comment)


def short_comment(comment: str, name: str, language: str) -> str:
    """The part of a comment in the question's language, cut short; nothing where the name says as much."""
    for part in re.split(r"[/|;:；：，。（(\n]", comment):
        text = part.strip()
        if text and has_cjk(text) == (language == "zh"):
            if _is_said(text, name):
                return ""
            return text[:LONGEST_COMMENT_ZH] if language == "zh" else " ".join(text.split()[:LONGEST_COMMENT])
    return ""


def _is_said(text: str, name: str) -> bool:
    """Whether a name says what its comment says: `city` of "City of residence", or of 所在城市 by the lexicon.

    A schema with a comment on every column is twice as long to read, and glosses translate the question anyway.
    """
    said = {stem for stem in name_stems(name) if stem not in _FILLERS}
    if not has_cjk(text) or has_cjk(name):
        stems = set(name_stems(text))
        return stems <= set(name_stems(name)) or (bool(said) and said <= stems)
    words = lexicon(TRAINED_WITH).english
    pieces = (text[i:j] for i in range(len(text)) for j in range(i + 2, len(text) + 1))
    return any(said <= set(stem_term(term).split()) for piece in pieces for term in words.get(piece, ()))


_FILLERS = frozenset(["id", "at", "on", "is", "the", "of", "no", "en", "zh"])
"""Parts of names that carry no meaning of their own."""


def _reference(table: Table, column: Column, by_path: Mapping[tuple[str, ...], str], names: NameMap) -> str:
    for key in table.foreign_keys:
        if column.name in key.columns and key.table in by_path:
            target = by_path[key.table]
            word = names.table_words[target]
            references = key.references or tuple(c.name for c in names.tables[target].columns if c.primary_key)
            if len(references) != len(key.columns):
                return word
            there = names.tables[target].column(references[key.columns.index(column.name)])
            if there is None or there.primary_key:
                return word
            return f"{word}.{names.column_words[target][there.name]}"
    return ""


def read_question(
    question: str,
    tables: Sequence[Table],
    names: NameMap,
    matches: Iterable[ValueMatch],
    *,
    today: datetime.date,
    language: str,
    phrases: Iterable[tuple[str, str]] = (),
    style: PromptFormat = FORMAT_D,
) -> Reading:
    """Values, numbers, periods, glosses and parts of one question; `phrases` are the glossary's own words."""
    said, matches = spoken_values(tables, language), tuple(matches)
    known = [replace(m, value=said.get((m.table, m.column), {}).get(m.value, m.value)) for m in matches]
    found = periods_in(question, today=today)[:MOST_PERIODS]
    slots = {f"t{i}": _period(p) for i, p in enumerate(found)}
    digits = _numbers(question)
    hints = Hints(
        values=_value_hints(known, names, style),
        numbers=number_hints(question, found) if style.bound else tuple((a, b) for a, b in digits if a != b),
        periods=tuple((f"t{i}", p.text) for i, p in enumerate(found)),
        gloss=_with_phrases(phrases, glosses(question, tables, language, sure=style.bound)),
    )
    return Reading(
        hints,
        allowed_values(tables, known, said),
        tuple(dict.fromkeys(w for _, w in digits)),
        slots,
        spans(question),
        {number_word(n.value): number_word(n.value / 100) for n in numbers_in(question) if n.kind == "percent"},
        magnitudes(question),
        durations(question),
        found_elsewhere(tables, matches),
        asked_parts(question, tables, names, found, language) if style.parts else (),
    )


def _value_hints(
    matches: Sequence[ValueMatch], names: NameMap, style: PromptFormat = FORMAT_D
) -> tuple[tuple[str, str], ...]:
    best = sorted(matches, key=lambda m: -m.score)
    best = (_few_a_phrase(best) if style.bound else best)[:MOST_VALUES]
    by_full = {table.full_name: name for name, table in names.tables.items()}
    hints = []
    for match in sorted(best, key=lambda m: (m.start, -m.score)):
        name = by_full.get(match.table)
        if name is not None and match.column in names.column_words[name]:
            hints.append((f"{names.table_words[name]}.{names.column_words[name][match.column]}", match.value))
    return tuple(dict.fromkeys(hints))


def _few_a_phrase(matches: Sequence[ValueMatch]) -> list[ValueMatch]:
    """The best few of each phrase: five columns that hold Paris are no hint, and drive out those of the other phrases.

    The slug stark-industries beside the name Stark Industries of one table is no second of them.
    """
    taken: dict[tuple[int, int, str], int] = {}
    spelt: dict[tuple[int, int, str, str], str] = {}
    kept = []
    for match in matches:
        phrase = (match.start, match.end, match.phrase.casefold())
        if spelt.setdefault((*phrase[:2], match.table, _letters(match.value)), match.value) != match.value:
            continue
        taken[phrase] = taken.get(phrase, 0) + 1
        if taken[phrase] <= A_PHRASE:
            kept.append(match)
    return kept


def _letters(value: str) -> str:
    return re.sub(r"[\W_]+", "", value.casefold())


def number_hints(question: str, periods: Sequence[Period]) -> tuple[tuple[str, str], ...]:
    """Numbers with the word they belong to, as (words, digits); those of a period are told there.

    One that stands alone and in digits needs no hint.
    """
    inside = [period.span for period in periods]
    bound = {part.start: part.words for part in parts_in(question) if part.number}
    found = []
    for hit in numbers_in(question):
        word, text = bound.get(hit.start, ""), number_word(hit.value)
        # An ordinal names a place or an order ("most viewed first"), and was taken for a number of rows.
        told = hit.kind == ORDINAL or any(start <= hit.start < end for start, end in inside)
        if told or not (word or hit.text != text):
            continue
        said = hit.text if not word else f"{hit.text}{'' if has_cjk(word) else ' '}{word}"
        found.append((said, text))
        if hit.kind == "percent":
            found.append((said, number_word(hit.value / 100)))
    return tuple(found)


def allowed_values(
    tables: Sequence[Table], matches: Iterable[ValueMatch], said: Values
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Literals each column may be compared with: matched values and the known few of a categorical column."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for match in matches:
        found.setdefault((match.table, match.column), {})[match.value] = None
    for table in tables:
        for column in table.columns:
            place = (table.full_name, column.name)
            for sample in column.samples:
                found.setdefault(place, {})[said.get(place, {}).get(sample, sample)] = None
    return {place: tuple(values) for place, values in found.items()}


def found_elsewhere(tables: Sequence[Table], matches: Sequence[ValueMatch]) -> dict[tuple[str, str], frozenset[str]]:
    """Phrases that are whole values of some columns, for every other column that is sure not to hold them.

    The station Svalbard is no satellite: where all satellites are indexed, a form that looks for it there finds nothing.
    """
    # 7 of 1,852 answers compared a column with a whole value of another, and all of them were wrong.
    holders: dict[str, set[tuple[str, str]]] = {}
    for match in matches:
        if match.phrase.casefold() == match.value.casefold():
            holders.setdefault(match.phrase.casefold(), set()).add((match.table, match.column))
    # Of a phrase found in many columns some matches were left out.
    holders = {phrase: places for phrase, places in holders.items() if len(places) < PER_PHRASE}
    if not holders:
        return {}
    found = {}
    for table in tables:
        if not 0 < (table.estimated_rows or 0) <= INDEXED_ROWS:  # 0: PostgreSQL has not counted yet
            continue
        for column in table.columns:
            place = (table.full_name, column.name)
            if is_suitable(column.name, column.samples):
                found[place] = frozenset(phrase for phrase, places in holders.items() if place not in places)
    return found


def _numbers(question: str) -> list[tuple[str, str]]:
    """Numbers said in the question as (phrase, digits); a percentage also as a fraction."""
    found = []
    for hit in numbers_in(question):
        found.append((hit.text, number_word(hit.value)))
        if hit.kind == "percent":
            found.append((hit.text, number_word(hit.value / 100)))
    return found


def number_word(value: float) -> str:
    """A number as the form spells it."""
    return f"{value:.15f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _period(period: Period) -> Literal:
    return Literal((period.start.isoformat(), period.end.isoformat()), "period")


def spans(question: str) -> tuple[str, ...]:
    """Free text that may be copied from the question as a literal: quoted parts first, then runs of words."""
    found = dict.fromkeys(hit.text.strip() for hit in quoted_spans(question))
    words = [(m.start(), m.end()) for m in _WORD.finditer(question)]
    for i in range(len(words)):
        for j in range(i, min(i + LONGEST_SPAN, len(words))):
            text = question[words[i][0] : words[j][1]]
            if not has_cjk(text):
                found[text.strip(".'’")] = None
    for run in re.findall(r"[\u4e00-\u9fff\w·]+", question):
        if has_cjk(run):
            for i in range(len(run)):
                for j in range(i + 1, min(i + LONGEST_SPAN_ZH, len(run)) + 1):
                    found[run[i:j]] = None
    found.pop("", None)
    return tuple(found)


def _with_phrases(phrases: Iterable[tuple[str, str]], found: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The glossary's words first; a general word inside one of them is left out."""
    own = tuple((phrase, name.replace("_", " ")) for phrase, name in phrases)
    return (*own, *(pair for pair in found if not any(pair[0] in phrase for phrase, _ in own)))[:MOST_GLOSSES]


def glosses(
    question: str, tables: Sequence[Table], language: str, *, sure: bool = False
) -> tuple[tuple[str, str], ...]:
    """Words of the question with what they are called in a schema of the other language, left to right.

    `sure` leaves out translations of which the schema has a part alone: worse than none, since the model takes their words.
    """
    return _from_english(question, tables) if language == "en" else _from_chinese(question, tables, sure)


def _from_english(question: str, tables: Sequence[Table]) -> tuple[tuple[str, str], ...]:
    """English terms for a Chinese word of the schema that is shown in another English word, the longest terms first."""
    shown = english(tables).words
    if not shown:
        return ()
    words, spoken = lexicon(), _LATIN.findall(question)
    stems = [stem_term(word.casefold()) for word in spoken]
    called = {stem for term in shown.values() for stem in stem_term(term).split()}
    found: dict[str, str] = {}
    at = 0
    while at < len(stems) and len(found) < MOST_GLOSSES:
        size = 1
        for n in range(min(words.longest_term, len(stems) - at), 0, -1):
            known = words.chinese.get(" ".join(stems[at : at + n]), ())
            fits = [shown[word] for word in known if word in shown]
            if fits:
                size = n
                if not set(stems[at : at + n]) <= called:
                    found.setdefault(" ".join(spoken[at : at + n]), fits[0])
                break
        at += size
    return tuple(found.items())


_LATIN = re.compile(r"[A-Za-z]+")


def _from_chinese(question: str, tables: Sequence[Table], sure: bool) -> tuple[tuple[str, str], ...]:
    """Chinese words of the question whose English is a word of the schema, longest first, left to right."""
    words = lexicon()
    schema, owners = _schema_stems(tables), [full_stems(table.name) for table in tables]
    found: dict[str, str] = {}
    at = 0
    while at < len(question) and len(found) < MOST_GLOSSES:
        phrase = word_at(question, at, words)
        spoken = ((term, set(stem_term(term).split())) for term in words.english.get(phrase, ()))
        fits = [term for term, stems in spoken if (stems <= schema if sure else stems & schema)]
        if fits:
            found.setdefault(phrase, max(fits, key=lambda term: _fit(phrase, term, schema, owners)))
        at += len(phrase) or 1
    return tuple(found.items())


def _schema_stems(tables: Sequence[Table]) -> set[str]:
    return {
        stem for table in tables for name in (table.name, *(c.name for c in table.columns)) for stem in full_stems(name)
    }


def _fit(phrase: str, term: str, schema: set[str], owners: Sequence[frozenset[str]]) -> tuple[float, float, int]:
    """How well an English term stands for a phrase: words of the schema, the name of a table, first meanings first."""
    parts = set(stem_term(term).split())
    table = max((len(parts & owner) / len(parts | owner) for owner in owners), default=0.0)
    return len(parts & schema) / len(parts), table, -lexicon().chinese[stem_term(term)].index(phrase)
