"""The glossary of a connection: what its people call things, how measures are defined, how tables are joined.

Written by people, so it is untrusted text: writers read it, the guard never does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from inquery.errors import BadRequest
from inquery.language.text import fold, singular
from inquery.sql.catalog import Table

LONGEST_TEXT = 2000
MOST_RELEVANT = 12
Additivity = Literal["additive", "semi", "ratio", "distinct"]
"""How parts make a whole: by adding; by adding over all but time (stock, balance); by their own sums; never."""
MetricFormat = Literal["number", "money", "percent"]
ShownFormat = Literal["", "number", "count", "money", "percent", "fraction"]
MetricStatus = Literal["proposed", "accepted"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Both(_Part):
    """A text in both languages; one may be missing, then the other is shown."""

    en: str = Field("", max_length=LONGEST_TEXT)
    zh: str = Field("", max_length=LONGEST_TEXT)

    def said(self, language: str) -> str:
        """The text in a language, else in the other."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)

    def __bool__(self) -> bool:
        return bool(self.en or self.zh)


def both_texts(given: Any) -> Both:
    """A text as YAML has it: one string, [English, 中文], or {en, zh}."""
    if isinstance(given, Both):
        return given
    if isinstance(given, str):
        return Both(zh=given) if re.search(r"[一-鿿]", given) else Both(en=given)
    if isinstance(given, list | tuple) and 1 <= len(given) <= 2 and all(isinstance(part, str) for part in given):
        return Both(en=given[0], zh=given[-1] if len(given) == 2 else "")
    return Both.model_validate(given)


class Term(_Part):
    """A word of the business and what it means."""

    meaning: Both
    synonyms: tuple[str, ...] = ()

    _texts = field_validator("meaning", mode="before")(both_texts)


class Metric(_Part):
    """A measure: an SQL expression with the condition it is taken under, or one metric over another.

    `entity` is the table whose rows are measured, the first of `tables` where nothing is said; `time` the column that
    dates them. `per` and `having` count the members of a column that meet a condition: customers with two orders.
    """

    expression: str = Field("", max_length=LONGEST_TEXT)
    filter: str = Field("", max_length=LONGEST_TEXT)
    tables: tuple[str, ...] = ()
    description: Both = Both()
    synonyms: tuple[str, ...] = ()
    label: Both = Both()
    entity: str = ""
    time: str = ""
    additivity: Additivity | None = None
    unit: str = Field("", max_length=20)
    format: MetricFormat | None = None
    numerator: str = ""
    denominator: str = ""
    per: str = ""
    having: str = Field("", max_length=LONGEST_TEXT)
    needs_period: bool = False
    writer: bool = True
    """Whether a writer that reads measures as columns of their table is shown it, as its weights expect a few."""
    status: MetricStatus = "accepted"

    _texts = field_validator("description", "label", mode="before")(both_texts)

    @model_validator(mode="after")
    def _is_defined(self) -> Metric:
        if bool(self.numerator) != bool(self.denominator):
            raise ValueError("a ratio needs a numerator and a denominator")
        if bool(self.per) != bool(self.having):
            raise ValueError("per and having belong together")
        if not (self.expression or self.numerator or self.per):
            raise ValueError("an expression, a ratio, or per and having is needed")
        return self

    @property
    def definition(self) -> str:
        """The metric as one line for a writer."""
        if not self.expression:
            told = f"{self.numerator} / {self.denominator}" if self.numerator else f"{self.per} having {self.having}"
            return told + (f" where {self.filter}" if self.filter else "")
        return self.expression + (f" where {self.filter}" if self.filter else "")


ANY_VALUE = "*"
"""In `About.leave_out`: rows are left out that have anything in the column, such as a day of deletion."""


class Said(_Part):
    """What people call a column by which they group: its label and further words."""

    label: Both = Both()
    synonyms: tuple[str, ...] = ()

    _texts = field_validator("label", mode="before")(both_texts)


class Shown(_Part):
    """How a column is shown: what readers call it, and how its numbers look; of a fraction 0.123 is 12.3%."""

    label: Both = Both()
    format: ShownFormat = ""
    unit: str = Field("", max_length=20)

    _texts = field_validator("label", mode="before")(both_texts)

    def __bool__(self) -> bool:
        return bool(self.label or self.format or self.unit)


class About(_Part):
    """What a table holds, what people call it, and its columns.

    `time` is the column that dates its rows, `display` the one that names them; rows with the values of `leave_out` (by
    column) do not count: they are deleted, cancelled, or tests.
    """

    description: Both = Both()
    synonyms: tuple[str, ...] = ()
    columns: dict[str, Both] = Field(default_factory=dict)
    time: str = ""
    display: str = ""
    leave_out: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    _texts = field_validator("description", mode="before")(both_texts)

    @field_validator("columns", mode="before")
    @classmethod
    def _column_texts(cls, given: Any) -> dict[str, Both]:
        return {column: both_texts(text) for column, text in _mapping(given).items()}


class JoinHint(_Part):
    """How two tables are joined where the database does not say: `orders.customer_id = customers.id`."""

    on: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"^[^=<>]+=[^=<>]+$")
    note: Both = Both()
    unique: bool = Field(False, description="whether the values of the right side were counted and no two are alike")

    _texts = field_validator("note", mode="before")(both_texts)

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """(table, column) of either side."""
        left, right = (side.strip().rpartition(".") for side in self.on.split("="))
        return (left[0], left[2]), (right[0], right[2])


class Calendar(_Part):
    """How periods are counted and money is named."""

    timezone: str = ""
    week_start: int = Field(1, ge=1, le=7)
    fiscal_year_start: int = Field(1, ge=1, le=12)
    currency: str = Field("", max_length=8)


class Glossary(_Part):
    """Everything people taught Inquery about one connection; `values` maps table.column to value to phrases."""

    terms: dict[str, Term] = Field(default_factory=dict)
    metrics: dict[str, Metric] = Field(default_factory=dict)
    tables: dict[str, About] = Field(default_factory=dict)
    values: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    joins: tuple[JoinHint, ...] = ()
    setup: dict[str, str] = Field(default_factory=dict)
    """Questions of the set-up that a person has seen, and what was replied (`setup_questions.SKIPPED`: nothing)."""
    dimensions: dict[str, Said] = Field(default_factory=dict)
    shown: dict[str, Shown] = Field(default_factory=dict)
    """Of columns by `table.column`."""
    calendar: Calendar = Field(default_factory=Calendar, alias="settings")

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, ignored_types=(cached_property,))

    @field_validator("joins", mode="before")
    @classmethod
    def _short_joins(cls, given: Any) -> Any:
        return [{"on": each} if isinstance(each, str) else each for each in _listed(given)]

    @field_validator("terms", mode="before")
    @classmethod
    def _short_terms(cls, given: Any) -> Any:
        plain = {
            word: about if isinstance(about, dict | Term) else {"meaning": about}
            for word, about in _mapping(given).items()
        }
        return {
            word: {"meaning": about} if isinstance(about, dict) and "meaning" not in about else about
            for word, about in plain.items()
        }

    def shown_as(self, table: Table, column: str) -> Shown:
        """How people want a column shown."""
        return self.shown.get(f"{table.full_name}.{column}") or self.shown.get(f"{table.name}.{column}") or Shown()

    @cached_property
    def _words(self) -> dict[str, list[tuple[str, str]]]:
        """Every word people may say, folded, with what it names: (kind, name)."""
        found: dict[str, list[tuple[str, str]]] = {}

        def say(word: str, kind: str, name: str) -> None:
            targets = found.setdefault(_key(word), [])
            if _key(word) and (kind, name) not in targets:
                targets.append((kind, name))

        for name, term in self.terms.items():
            for word in (name, *term.synonyms):
                say(word, "term", name)
        for name, metric in self.metrics.items():
            for word in (name, *metric.synonyms):
                say(word, "metric", name)
        for name, about in self.tables.items():
            for word in (name, *about.synonyms):
                say(word, "table", name)
        return found

    def named(self, question: str) -> list[tuple[str, str, str]]:
        """Words of the question the glossary knows, longest first: (word, kind, name); a part of a longer one is not said."""
        text = _key(question)
        said = sorted(
            (word for word in self._words if word and _says(text, word)), key=lambda w: (-len(w), text.find(w))
        )
        kept: list[str] = []
        covered = [False] * len(text)
        for word in said:
            spans = [m.span() for m in _pattern(word).finditer(text)]
            fresh = [span for span in spans if not all(covered[span[0] : span[1]])]
            if fresh:
                kept.append(word)
            for start, end in fresh:
                covered[start:end] = [True] * (end - start)
        return [(word, kind, name) for word in kept for kind, name in self._words[word]]

    def metrics_in(self, question: str) -> list[tuple[str, list[str]]]:
        """Words of the question that name metrics, each with every metric it may mean."""
        found: dict[str, list[str]] = {}
        for word, kind, name in self.named(question):
            if kind == "metric":
                found.setdefault(word, []).append(name)
        return list(found.items())

    def relevant(self, question: str, language: str = "en") -> Mapping[str, str]:
        """The lines a writer needs for this question: word to meaning, metrics before terms, tables and joins."""
        lines: dict[str, list[str]] = {}
        named = self.named(question)
        for word, kind, name in sorted(named, key=lambda each: ("metric", "term", "table").index(each[1])):
            text = self._line(kind, name, language)
            if text and text not in lines.setdefault(word, []):
                lines[word].append(text)
        for hint in self._joins_of({name for _, kind, name in named if kind == "table"} | self._metric_tables(named)):
            lines[f"join {hint.on}"] = [hint.note.said(language) or "join on this condition"]
        kept = {word: "; ".join(texts[:2]) for word, texts in lines.items() if texts}
        return dict(list(kept.items())[:MOST_RELEVANT])

    def _line(self, kind: str, name: str, language: str) -> str:
        if kind == "metric":
            return self.metrics[name].definition
        if kind == "term":
            return self.terms[name].meaning.said(language)
        about = self.tables[name].description.said(language)
        return f"table {name}" + (f": {about}" if about else "")

    def _metric_tables(self, named: list[tuple[str, str, str]]) -> set[str]:
        return {table for _, kind, name in named if kind == "metric" for table in self.metrics[name].tables}

    def _joins_of(self, tables: set[str]) -> list[JoinHint]:
        return [hint for hint in self.joins if {side[0] for side in hint.sides} <= tables]

    def value_mappings(self) -> dict[str, tuple[str, str, str]]:
        """Phrases as `ValueIndex.with_mappings` takes them: (table, column, value).

        A phrase has one target a key there and is read by its words, so that trailing spaces make further keys.
        """
        found: dict[str, tuple[str, str, str]] = {}
        for place, values in self.values.items():
            table, _, column = place.rpartition(".")
            for value, phrases in values.items():
                for phrase in phrases:
                    while phrase in found:
                        phrase += " "
                    found[phrase] = (table, column, value)
        return found


def parse_glossary(content: Any) -> Glossary:
    """A glossary from plain data; raises BadRequest naming the first place that is wrong."""
    try:
        return Glossary.model_validate(_texts(content or {}))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"]) or "glossary"
        raise BadRequest.because(
            f"the glossary is wrong at {place}: {problem['msg']}",
            f"术语表在 {place} 处有误：{problem['msg']}",
            detail=str(error),
        ) from error


def plain_glossary(glossary: Glossary) -> dict[str, Any]:
    """The glossary as plain data for YAML and the store, without what is empty."""
    plain: dict[str, Any] = _without_empty(glossary.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    return plain


def _texts(content: Any) -> Any:
    """YAML reads codes such as `no`, 1 and 2024 as other types; here every key and leaf of `values` is text."""
    if not isinstance(content, dict) or not isinstance(content.get("values"), dict):
        return content
    values = {
        str(place): {_text(value): [_text(p) for p in _listed(phrases)] for value, phrases in mapped.items()}
        for place, mapped in content["values"].items()
        if isinstance(mapped, dict)
    }
    return {**content, "values": values}


def _mapping(given: Any) -> dict[Any, Any]:
    """What should be a mapping; pydantic reports a ValueError, while an AttributeError would be a bug of ours."""
    if given and not isinstance(given, dict):
        raise ValueError("a mapping is expected")
    return given or {}


def _listed(given: Any) -> list[Any]:
    """What should be a list; one thing alone is a list of one."""
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple) else [given]


def _text(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _without_empty(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_empty(value) for key, value in content.items() if value not in ("", [], {}, None)}
    return content


def _key(text: str) -> str:
    """Folded, underscores as spaces, English words singular, so that "order counts" says order_count."""
    words = re.sub(r"[_\s]+", " ", fold(text)).strip()
    return re.sub(r"[a-z]+", lambda match: singular(match.group()), words)


def _pattern(word: str) -> re.Pattern[str]:
    start = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", word) else ""
    end = r"(?![a-z0-9])" if re.search(r"[a-z0-9]$", word) else ""
    return re.compile(start + re.escape(word) + end)


def _says(text: str, word: str) -> bool:
    return word in text and _pattern(word).search(text) is not None
