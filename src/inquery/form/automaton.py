"""A recogniser of the form, word by word: which words may follow, given the schema and the question.

Every text it accepts reads back, names only tables and columns that exist and are in scope, and compiles to SQL.
States are immutable, so a search may branch freely. The rules stand in `rules.py`; this is the machine: a stack of
symbols, of which each either takes the next word or, if it may be empty, leaves it to the one below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inquery.form.ast import Literal
from inquery.form.join_paths import GUESSED, Edge, FormSchema
from inquery.form.name_words import FormError, NameMap, quote_text, split_words

NUMBER, DATE, TEXT, ANY = "number", "date", "text", "any"
Symbol = tuple[Any, ...]
"""A rule's name and its arguments."""
Stack = tuple[Symbol, Any] | None
"""Linked, top first, so that pushing and branching cost nothing."""

_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float|money|fixed|serial|bool|bit|year", re.I)
_DATE_TYPE = re.compile(r"date|time", re.I)
_MARKS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"-?\d+(\.\d+)?$")
_DATE_TEXT = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}")
DEPTH = 3
"""Blocks may nest this deep."""
SOURCES = 7
"""Most sources of a block; the longest of 7,000 written queries has seven tables, those between left out."""


@dataclass(frozen=True, slots=True)
class Operand:
    """What is known of the expression just read: its kind, and its column or part of a date if it is one."""

    kind: str = ANY
    column: tuple[str, str] | None = None
    unit: str = ""


@dataclass(eq=False, slots=True)
class Scope:
    """The sources of a block, as words, with the table each stands for; options of rules are kept with it."""

    sources: tuple[tuple[str, str], ...] = ()
    optional: frozenset[str] = frozenset()
    outer: Scope | None = None
    depth: int = 0
    cache: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """What the block has said so far that later clauses depend on."""

    shown: int = 0
    width: int | None = None
    single: bool = False
    derived: bool = False
    star: bool = False
    plain: bool = False
    aggregated: bool = False
    grouped: bool = False


@dataclass(frozen=True, slots=True)
class FormState:
    """A place in the form; `advance` gives the next one."""

    grammar: FormGrammar
    stack: Stack
    scope: Scope
    progress: Progress = Progress()
    operand: Operand = Operand()
    frames: tuple[Scope, Progress, Any] | None = None

    @property
    def done(self) -> bool:
        """Whether the text may end here."""
        stack = self.stack
        while stack is not None:
            if not self.grammar.rules.options(stack[0], self)[1]:
                return False
            stack = stack[1]
        return True

    def allowed(self) -> set[str]:
        """The words that may follow; empty where the text must end."""
        found: set[str] = set()
        stack = self.stack
        while stack is not None:
            words, empty = self.grammar.rules.options(stack[0], self)
            found.update(words)
            if not empty:
                break
            stack = stack[1]
        return found

    def advance(self, word: str) -> FormState:
        """The state after a word; raises FormError if it is not allowed."""
        stack = self.stack
        while stack is not None:
            words, empty = self.grammar.rules.options(stack[0], self)
            step = words.get(word)
            if step is not None:
                rest = stack[1]
                for symbol in reversed(step[0]):
                    rest = (symbol, rest)
                state = replace(self, stack=rest)
                return step[1](state) if step[1] else state
            if not empty:
                break
            stack = stack[1]
        raise FormError(f"{word} cannot stand here")


class FormGrammar:
    """The form over one schema, with the constants one question may use.

    `values` are texts by (full table name, column), `numbers` words, `slots` the named constants of the prompt,
    `spans` free text of the question, save what is not in a column by `elsewhere`. Keys of `kinds` are (table, column) of
    the form's tree.
    """

    def __init__(
        self,
        schema: FormSchema,
        names: NameMap,
        *,
        values: Mapping[tuple[str, str], Sequence[str]] | None = None,
        numbers: Sequence[str] = (),
        slots: Mapping[str, Literal] | None = None,
        spans: Sequence[str] = (),
        elsewhere: Mapping[tuple[str, str], frozenset[str]] | None = None,
    ) -> None:
        from inquery.form.rules import GrammarRules

        self.schema = schema
        self.names = names
        self.values = values or {}
        self.numbers = tuple(dict.fromkeys([*numbers, "0", "1", "100"]))
        self.slots = slots or {}
        self.spans = tuple((quote_text(span), span.casefold()) for span in spans)
        self.elsewhere = elsewhere or {}
        self.components = _components(schema)
        self.keys = _keys(schema)
        self.rules = GrammarRules(self)

    def start(self) -> FormState:
        """The state before the first word."""
        return FormState(self, (("query",), None), Scope())

    def accepts(self, text: str) -> bool:
        """Whether a whole text is a form of this grammar."""
        state = self.start()
        try:
            for word in split_words(text):
                state = state.advance(word)
        except FormError:
            return False
        return state.done

    def kind(self, table: str, column: str) -> str:
        """Number, date, text, or any where the type says nothing."""
        found = self.schema.tables[table].column(column)
        if found is None or not found.type:
            return ANY
        if _NUMBER_TYPE.search(found.type) and not _DATE_TYPE.search(found.type):
            return NUMBER
        if _DATE_TYPE.search(found.type):
            return DATE
        if found.samples and all(_DATE_TEXT.match(sample) for sample in found.samples):
            return DATE
        return ANY if found.samples and all(_DIGITS.match(sample) for sample in found.samples) else TEXT

    def constants(self, kind: str, table: str | None, column: str | None, *, within: bool = False) -> list[str]:
        """The words of constants that may be compared with a column, or looked for within its texts."""
        full = self.schema.tables[table].full_name if table else ""
        known = self.values.get((full, column or ""), ())
        if kind == NUMBER:
            return [*self.numbers, *self.slot_words("number"), *(v for v in known if _DIGITS.match(v))]
        stored = set(map(folded, known))
        absent = frozenset[str]() if within else self.elsewhere.get((full, column or ""), frozenset())
        spans = (word for word, span in self.spans if folded(word) not in stored and span not in absent)
        texts = [*map(quote_text, known), *self.slot_words("text"), *spans]
        if kind == DATE:
            return [*self.slot_words("period", "date"), *texts, *self.numbers]
        if kind == TEXT and table:
            return [*texts, *self.numbers, *self.slot_words("number")]
        return [*texts, *self.numbers, *self.slot_words("number", "period", "date")]

    def slot_words(self, *kinds: str) -> list[str]:
        """The names of slots of some kinds."""
        return [name for name, literal in self.slots.items() if literal.kind in kinds]

    def roles(self, table: str) -> list[Edge]:
        """The edges that point to a table, each of which can give it a role."""
        return [
            e for e in self.schema.edges[table] if e.parent == table and len(e.child_columns) == 1 and e.cost < GUESSED
        ]


def _keys(schema: FormSchema) -> frozenset[tuple[str, str]]:
    """The columns (table, column) that only tell rows apart or point to others."""
    found = [(name, c.name) for name, table in schema.tables.items() for c in table.columns if c.primary_key]
    found += [(name, c) for name, table in schema.tables.items() for key in table.foreign_keys for c in key.columns]
    return frozenset(found)


def folded(text: str) -> str:
    """A text without case, marks and plural: where a column holds `Ph.D.`, the question's ph.d is spelled like it."""
    return _MARKS.sub("", text.casefold()).removesuffix("s")


def _components(schema: FormSchema) -> dict[str, int]:
    """The number of the connected part of the join graph each table lies in."""
    found: dict[str, int] = {}
    for number, table in enumerate(schema.tables):
        queue = [table]
        while queue:
            name = queue.pop()
            if name not in found:
                found[name] = number
                queue += [edge.other(name) for edge in schema.edges[name]]
    return found
