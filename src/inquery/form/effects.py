"""What taking a word changes besides the stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inquery.form.automaton import TEXT, FormState, Operand, Progress, Scope, Symbol

Effect = Callable[[FormState], FormState]
Step = tuple[tuple[Symbol, ...], Effect | None]
Words = dict[str, Step]
Options = tuple[Words, bool]


def set_operand(operand: Operand) -> Effect:
    return lambda state: replace(state, operand=operand)


def both(first: Effect, second: Effect | None) -> Effect:
    return (lambda state: second(first(state))) if second else first


def enter_block(begin: Progress) -> Effect:
    """Begin a block inside the present one."""

    def effect(state: FormState) -> FormState:
        inner = Scope(outer=state.scope, depth=state.scope.depth + 1)
        frames = (state.scope, state.progress, state.frames)
        return replace(state, scope=inner, progress=begin, frames=frames)

    return effect


def add_source(word: str, table: str, optional: bool) -> Effect:
    def effect(state: FormState) -> FormState:
        scope = state.scope
        more = scope.optional | {word} if optional else scope.optional
        return replace(state, scope=Scope((*scope.sources, (word, table)), more, scope.outer, scope.depth))

    return effect


def count_item(state: FormState) -> FormState:
    return replace(state, progress=replace(state.progress, shown=state.progress.shown + 1))


def count_star(state: FormState) -> FormState:
    return replace(state, progress=replace(state.progress, star=True, plain=True), operand=Operand(TEXT))


def mark_plain(state: FormState) -> FormState:
    return state if state.progress.plain else replace(state, progress=replace(state.progress, plain=True))


def mark_aggregated(state: FormState) -> FormState:
    return state if state.progress.aggregated else replace(state, progress=replace(state.progress, aggregated=True))


def set_grouped(state: FormState) -> FormState:
    return replace(state, progress=replace(state.progress, grouped=True))
