"""The machine that recognises the form word by word: which words may follow a text, and the state after one of them.

A state holds a stack of symbols, of which each either takes the next word or, if it may be empty, leaves it to the one
below. What a symbol takes is a grammar's business (`form_grammar.py`); what taking a word changes besides the stack is
an effect, of which the last functions here are all there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from inquery.form.name_words import FormError

NUMBER, DATE, TEXT, ANY = "number", "date", "text", "any"
"""The kinds an expression may have; any where neither its type nor its samples tell."""
Symbol = tuple[Any, ...]
"""A rule's name and its arguments."""
Stack = tuple[Symbol, Any] | None
"""Linked, top first, so that pushing and branching cost nothing."""


@dataclass(frozen=True, slots=True)
class Operand:
    """What is known of the expression just read: its kind, and its column or part of a date if it is one.

    A figure beside those of other groups (`beside`) has none for the first of them.
    """

    kind: str = ANY
    column: tuple[str, str] | None = None
    unit: str = ""
    beside: bool = False


@dataclass(eq=False, slots=True)
class BlockScope:
    """The sources of a block, as words, with the table each stands for; the options of rules are kept with it."""

    sources: tuple[tuple[str, str], ...] = ()
    optional: frozenset[str] = frozenset()
    outer: BlockScope | None = None
    depth: int = 0
    cache: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """What the block has said so far that later clauses depend on.

    `shown` items of the `width` that must be shown, if any; `single`: no set operation may follow; `derived`: it stands
    in FROM, so it cannot be tied to the block around. It has shown a `star`, something outside aggregates (`plain`), an
    aggregate, or has come to `by`; a figure `beside` those of other groups needs groups, and a rank (`ranked`) an order,
    which cannot be by such a figure (`ordered_beside`).
    """

    shown: int = 0
    width: int | None = None
    single: bool = False
    derived: bool = False
    star: bool = False
    plain: bool = False
    aggregated: bool = False
    grouped: bool = False
    beside: bool = False
    ranked: bool = False
    ordered_beside: bool = False


class Rules(Protocol):
    """What the machine asks of a grammar."""

    def options(self, symbol: Symbol, state: FormState) -> Options:
        """The words a symbol takes in a state, with what each leads to, and whether it may take none."""


@dataclass(frozen=True, slots=True)
class FormState:
    """A place in the form; `advance` gives the next one. It never changes, so a search may branch from it freely."""

    rules: Rules
    stack: Stack
    scope: BlockScope
    progress: Progress = Progress()
    operand: Operand = Operand()
    frames: tuple[BlockScope, Progress, Any] | None = None

    @property
    def done(self) -> bool:
        """Whether the text may end here."""
        stack = self.stack
        while stack is not None:
            if not self.rules.options(stack[0], self)[1]:
                return False
            stack = stack[1]
        return True

    def allowed(self) -> set[str]:
        """The words that may follow; empty where the text must end."""
        found: set[str] = set()
        stack = self.stack
        while stack is not None:
            words, empty = self.rules.options(stack[0], self)
            found.update(words)
            if not empty:
                break
            stack = stack[1]
        return found

    def advance(self, word: str) -> FormState:
        """The state after a word; raises FormError if it is not allowed."""
        stack = self.stack
        while stack is not None:
            words, empty = self.rules.options(stack[0], self)
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


Effect = Callable[[FormState], FormState]
Step = tuple[tuple[Symbol, ...], Effect | None]
"""The symbols that follow a word, and what it changes besides."""
Words = dict[str, Step]
Options = tuple[Words, bool]


def combine_effects(first: Effect, second: Effect | None) -> Effect:
    """One after the other."""
    return (lambda state: second(first(state))) if second else first


def set_operand(operand: Operand) -> Effect:
    """Say what the expression just read is."""
    return lambda state: replace(state, operand=operand)


def enter_block(begin: Progress) -> Effect:
    """Begin a block inside the present one."""

    def effect(state: FormState) -> FormState:
        inner = BlockScope(outer=state.scope, depth=state.scope.depth + 1)
        frames = (state.scope, state.progress, state.frames)
        return replace(state, scope=inner, progress=begin, frames=frames)

    return effect


def leave_block(operand: Operand) -> Effect:
    """End a block inside another, which brings back what was known outside."""

    def effect(state: FormState) -> FormState:
        assert state.frames is not None
        scope, progress, frames = state.frames
        return replace(state, scope=scope, progress=progress, operand=operand, frames=frames)

    return effect


def begin_next_of_set(width: int) -> Effect:
    """Begin the block after a set operator: it stands where the one before stood, and shows as many items."""

    def effect(state: FormState) -> FormState:
        beside = BlockScope(outer=state.scope.outer, depth=state.scope.depth)
        return replace(state, scope=beside, progress=Progress(width=width))

    return effect


def add_source(word: str, table: str, optional: bool) -> Effect:
    """Bring a table into the block."""

    def effect(state: FormState) -> FormState:
        scope = state.scope
        more = scope.optional | {word} if optional else scope.optional
        # A new scope, not a change of this one: other branches stand in it still, and its options are kept there.
        return replace(state, scope=BlockScope((*scope.sources, (word, table)), more, scope.outer, scope.depth))

    return effect


def count_item(state: FormState) -> FormState:
    """One more item is shown."""
    return replace(state, progress=replace(state.progress, shown=state.progress.shown + 1))


def mark_star(state: FormState) -> FormState:
    """All columns are shown."""
    return replace(state, progress=replace(state.progress, star=True, plain=True), operand=Operand(TEXT))


def mark_plain(state: FormState) -> FormState:
    """Something outside aggregates is shown."""
    return state if state.progress.plain else replace(state, progress=replace(state.progress, plain=True))


def mark_aggregated(state: FormState) -> FormState:
    """An aggregate is shown."""
    return state if state.progress.aggregated else replace(state, progress=replace(state.progress, aggregated=True))


def mark_grouped(state: FormState) -> FormState:
    """The rows are grouped."""
    return replace(state, progress=replace(state.progress, grouped=True))


def mark_beside(state: FormState) -> FormState:
    """A figure of a group is shown beside those of others."""
    return replace(state, progress=replace(state.progress, aggregated=True, beside=True))


def mark_ranked(state: FormState) -> FormState:
    """The rank of a group or row is shown."""
    return replace(state, progress=replace(state.progress, ranked=True), operand=Operand(TEXT))


def mark_ordered_beside(state: FormState) -> FormState:
    """The order is by a figure beside those of other groups."""
    return replace(state, progress=replace(state.progress, ordered_beside=True))
