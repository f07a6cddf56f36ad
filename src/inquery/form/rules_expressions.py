"""The rules of expressions: columns, arithmetic, parts of dates, aggregates and nested queries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inquery.form.ast import UNITS
from inquery.form.automaton import ANY, DATE, DEPTH, NUMBER, TEXT, FormState, Operand, Progress, Symbol
from inquery.form.effects import (
    Effect,
    Options,
    Words,
    both,
    enter_block,
    mark_aggregated,
    mark_plain,
    set_operand,
)

if TYPE_CHECKING:
    from inquery.form.automaton import FormGrammar

SCALAR = Progress(width=1)
_DERIVED = Progress(width=1, single=True, derived=True)
"""A query in FROM: it cannot be tied to the block around, and only rows of a set operation can be counted."""
_COUNTED = Progress(derived=True)
AGGREGATES = frozenset({"item", "having", "sort_groups"})


class ExpressionRules:
    """Options of the symbols of expressions.

    `place` says where an expression stands: in an item shown, a where, a having, a sort, a sort over groups, as the
    amount of an aggregate or in a condition inside one; aggregates may stand in items, having and sorts over groups.
    """

    def __init__(self, grammar: FormGrammar) -> None:
        self.grammar = grammar
        self.columns = {
            name: [(word, column, grammar.kind(name, column)) for column, word in words.items()]
            for name, words in grammar.names.column_words.items()
        }

    def block(self, begin: Progress) -> Words:
        """`from` of a new block inside the present one, and perhaps a set operation with another."""
        return {"from": ((("source", True), ("compound",)), enter_block(begin))}

    def nested(self, state: FormState, begin: Progress, after: Operand) -> Options:
        """A query inside parentheses."""
        ((then, effect),) = self.block(begin).values()
        return {"from": ((*then, ("close", after)), effect)}, False

    def close(self, state: FormState, operand: Operand) -> Options:
        """The end of a nested block, which brings back what was known outside."""

        def effect(after: FormState) -> FormState:
            assert after.frames is not None
            scope, progress, frames = after.frames
            return replace(after, scope=scope, progress=progress, operand=operand, frames=frames)

        return {")": ((), effect)}, False

    def expr(self, state: FormState, place: str, kind: str | None) -> Options:
        words = {**self.factor(state, place, kind)[0]}
        numbers = set(self.grammar.numbers) & set(words)
        return {
            word: ((*then, ("more_arith" if word in numbers else "arith", place)), effect)
            for word, (then, effect) in words.items()
        }, False

    def more_arith(self, state: FormState, place: str) -> Options:
        """A number that begins an expression must go on, as in `100 * …`."""
        return self.arith(state, place)[0], False

    def arith(self, state: FormState, place: str) -> Options:
        """More of a sum or product after a number."""
        if state.operand.kind not in (NUMBER, ANY):
            return {}, True
        then: tuple[Symbol, ...] = (("factor", place, NUMBER), ("arith", place))
        return dict.fromkeys("+-*/", (then, None)), True

    def factor(self, state: FormState, place: str, kind: str | None) -> Options:
        words = self.column_words(state, place, kind)
        if place in AGGREGATES and kind in (None, NUMBER, ANY):
            words |= self.aggregates(state, place)
        if kind is None:
            words |= self.parts(state, place)
        if kind in (None, NUMBER):
            words |= self.days(state, place)
            words |= {word: ((), set_operand(Operand(NUMBER))) for word in self.grammar.numbers}
        words["("] = ((("group", place),), None)
        return words, False

    def group(self, state: FormState, place: str) -> Options:
        """Inside parentheses: arithmetic, or a nested query with one value."""
        inside = self.expr(state, place, NUMBER)[0]
        words: Words = {word: ((*then, ("result", NUMBER)), effect) for word, (then, effect) in inside.items()}
        if state.scope.depth < DEPTH and place != "amount":
            words |= self.nested(state, SCALAR, Operand(ANY))[0]
        return words, False

    def result(self, state: FormState, kind: str) -> Options:
        """The closing parenthesis of something that has a kind but is no column."""
        return {")": ((), set_operand(Operand(kind)))}, False

    def one_of(self, state: FormState, words: tuple[str, ...]) -> Options:
        return dict.fromkeys(words, ((), None)), False

    def column_words(self, state: FormState, place: str, kind: str | None) -> Words:
        words: Words = {}
        for source, table in state.scope.sources:
            for word, column, own in self.columns[table]:
                if place == "amount" and kind == NUMBER and (table, column) in self.grammar.keys:
                    continue  # nobody adds up the numbers of orders
                if kind is None or own in (kind, ANY) or kind == ANY:
                    effect = set_operand(Operand(own, (table, column)))
                    words[f"{source}.{word}"] = ((), both(effect, mark_plain if place == "item" else None))
        return words

    def dates(self, state: FormState) -> tuple[str, ...]:
        return tuple(
            f"{source}.{word}"
            for source, table in state.scope.sources
            for word, _, kind in self.columns[table]
            if kind == DATE
        )

    def parts(self, state: FormState, place: str) -> Words:
        """Parts of dates."""
        dates = self.dates(state)
        mark = mark_plain if place == "item" else None
        return {unit: ((("word", "("), ("one_of", dates), ("part", unit)), mark) for unit in UNITS} if dates else {}

    def part(self, state: FormState, unit: str) -> Options:
        return {")": ((), set_operand(Operand(TEXT, unit=unit)))}, False

    def days(self, state: FormState, place: str) -> Words:
        dates = self.dates(state)
        if len(dates) < 2:
            return {}
        then: tuple[Symbol, ...] = (
            ("word", "("),
            ("one_of", dates),
            ("word", ","),
            ("one_of", dates),
            ("result", NUMBER),
        )
        return {"days": (then, mark_plain if place == "item" else None)}

    # --- aggregates ---

    def aggregates(self, state: FormState, place: str) -> Words:
        mark = mark_aggregated if place == "item" else None
        number = both(set_operand(Operand(NUMBER)), mark)
        words: Words = {}
        if state.scope.sources:
            words |= {func: ((("rows", func),), number) for func in ("count", "share", "percent")}
            words |= {func: ((("word", "("), ("amount", func)), mark) for func in ("sum", "avg", "min", "max")}
        else:
            words |= self.over_query(state, mark)
        return words

    def over_query(self, state: FormState, effect: Effect | None) -> Words:
        """Aggregates over the rows of a nested query."""
        if state.scope.depth >= DEPTH:
            return {}
        begins = {"count": _COUNTED, "sum": _DERIVED, "avg": _DERIVED, "min": _DERIVED, "max": _DERIVED}
        return {f: ((("word", "("), ("nested", begin, Operand(NUMBER))), effect) for f, begin in begins.items()}

    def rows(self, state: FormState, func: str) -> Options:
        """count, share and percent may stand alone or say what they count."""
        return {"(": ((("counted", func),), None)}, True

    def counted(self, state: FormState, func: str) -> Options:
        end: tuple[Symbol, ...] = (("only_if",), ("result", NUMBER))
        words: Words = {
            "if": ((("condition", "inside"), ("result", NUMBER)), None),
            "distinct": ((("distinct",), *end), None),
        }
        if func == "count":
            words |= {source: (end, None) for source, _ in state.scope.sources if source in state.scope.optional}
            words |= {word: (end, effect) for word, (_, effect) in self.column_words(state, "inside", None).items()}
            if state.scope.depth < DEPTH:
                words |= self.nested(state, _COUNTED, Operand(NUMBER))[0]
        else:
            inside = self.expr(state, "amount", NUMBER)[0]
            words |= {word: ((*then, *end), effect) for word, (then, effect) in inside.items()}
        return words, False

    def distinct(self, state: FormState) -> Options:
        return self.column_words(state, "inside", None), False

    def amount(self, state: FormState, func: str) -> Options:
        """The argument of sum, avg, min and max."""
        numeric = func in ("sum", "avg")
        end: tuple[Symbol, ...] = (("only_if",), ("result", NUMBER if numeric else ANY))
        inside = self.expr(state, "amount", NUMBER if numeric else None)[0]
        words: Words = {word: ((*then, *end), effect) for word, (then, effect) in inside.items()}
        words["distinct"] = ((("distinct",), *end), None)
        if state.scope.depth < DEPTH:
            words |= self.nested(state, _DERIVED, Operand(NUMBER))[0]
        return words, False

    def only_if(self, state: FormState) -> Options:
        return {"if": ((("condition", "inside"),), None)}, True
