"""The rules of conditions."""

from __future__ import annotations

from collections.abc import Iterable

from inquery.form.automaton import ANY, DATE, DEPTH, NUMBER, FormState, Operand, Progress, Symbol
from inquery.form.effects import Options, Words, add_source, enter_block, set_operand
from inquery.form.rules_expressions import AGGREGATES, SCALAR, ExpressionRules

_COMPARISONS = ("=", "!=", ">", ">=", "<", "<=")


class ConditionRules(ExpressionRules):
    """Options of the symbols of conditions."""

    def condition(self, state: FormState, place: str) -> Options:
        words = self.test(state, place)
        return {word: ((*then, ("more_tests", place)), effect) for word, (then, effect) in words.items()}, False

    def more_tests(self, state: FormState, place: str) -> Options:
        then: tuple[Symbol, ...] = (("condition", place),)
        return {"and": (then, None), "or": (then, None)}, True

    def test(self, state: FormState, place: str) -> Words:
        words: Words = {}
        for word, (then, effect) in self.expr(state, place, None)[0].items():
            words[word] = ((*then, ("operator", place)), effect)
        inside: tuple[Symbol, ...] = (("condition", place), ("word", "]"))
        words |= {"[": (inside, None), "not": ((("word", "["), *inside), None)}
        if state.scope.depth < DEPTH and place != "having":
            words |= dict.fromkeys(("any", "no"), ((("word", "("), ("related",)), None))
        return words

    def related(self, state: FormState) -> Options:
        """`from … [where …]` without items, tied to this block by the join graph."""
        return {"from": ((("relative",), ("close", Operand())), enter_block(Progress()))}, False

    def relative(self, state: FormState) -> Options:
        outer = state.scope.outer
        assert outer is not None
        home = self.grammar.components[outer.sources[0][1]]
        words: Words = {}
        for word, table in self.grammar.names.word_tables.items():
            new = (word, table) not in state.scope.sources and self.grammar.components[table] == home
            # A table of the block around is tied by its key, so it must have one.
            if new and (table not in dict(outer.sources).values() or self.grammar.schema.primary_key(table)):
                words[word] = ((("relatives",),), add_source(word, table, False))
        return words, False

    def relatives(self, state: FormState) -> Options:
        words: Words = {",": ((("relative",),), None)} if self.relative(state)[0] else {}
        return words | {"where": ((("condition", "where"),), None)}, True

    def operator(self, state: FormState, place: str) -> Options:
        """What may follow the left side of a test."""
        left = state.operand
        words: Words = dict.fromkeys(_COMPARISONS, ((("right", left, place),), None))
        words["between"] = ((("value", left), ("word", "and"), ("value", left)), None)
        if left.column is None and not left.unit:
            return words, False
        words |= self.negated(state, left)[0]
        words["not"] = ((("negated", left),), None)
        if left.column is not None and left.kind != NUMBER:
            words |= dict.fromkeys(("starts", "ends"), ((("text", left),), None))
        return words, False

    def negated(self, state: FormState, left: Operand) -> Options:
        words: Words = {"in": ((("members", left),), None)}
        if left.column is not None:
            words["null"] = ((), None)
            if left.kind != NUMBER:
                words["has"] = ((("text", left),), None)
        return words, False

    def text(self, state: FormState, left: Operand) -> Options:
        texts = [
            word
            for word in self.constants(left, within=True)
            if word[0] == "'" or word in self.grammar.slot_words("text")
        ]
        return dict.fromkeys([*texts, *self.grammar.numbers], ((), None)), False

    def constants(self, left: Operand, *, within: bool = False) -> Iterable[str]:
        if left.unit:
            return [*self.grammar.numbers, *self.grammar.slot_words("number")]
        table, column = left.column or (None, None)
        return self.grammar.constants(left.kind, table, column, within=within)

    def value(self, state: FormState, left: Operand) -> Options:
        """A constant, or a nested query with one value."""
        words: Words = dict.fromkeys(self.constants(left), ((), None))
        if state.scope.depth < DEPTH:
            words["("] = ((("nested", SCALAR, left),), None)
        return words, False

    def right(self, state: FormState, left: Operand, place: str) -> Options:
        """A constant, a column or expression of the same kind, or a nested query with one value."""
        words = {**self.expr(state, place, left.kind)[0]}
        if place not in AGGREGATES and left.kind in (NUMBER, ANY):
            words |= self.over_query(state, None)
        for word in self.constants(left):
            numeric = left.kind == NUMBER and word[0] != "'"
            words[word] = ((("arith", place),), set_operand(Operand(NUMBER))) if numeric else ((), None)
        for word in self.itself(state, left):
            words.pop(word, None)
        return words, False

    def itself(self, state: FormState, left: Operand) -> list[str]:
        """The words of the very column on the left, where its table is there once: a column is never compared with itself."""
        sources = [source for source, table in state.scope.sources if left.column and table == left.column[0]]
        if len(sources) != 1 or not left.column:
            return []
        table, name = left.column
        return [f"{sources[0]}.{word}" for word, column, _ in self.columns[table] if column == name]

    def members(self, state: FormState, left: Operand) -> Options:
        words: Words = {"(": ((("listed", left),), None)}
        if left.kind in (DATE, ANY) and not left.unit:
            words |= dict.fromkeys(self.grammar.slot_words("period"), ((), None))
        return words, False

    def listed(self, state: FormState, left: Operand) -> Options:
        words = self.listed_more(state, left)[0]
        if state.scope.depth < DEPTH:
            words = words | self.nested(state, SCALAR, left)[0]
        return words, False

    def listed_more(self, state: FormState, left: Operand) -> Options:
        single = set(self.grammar.slot_words("period"))
        return {word: ((("listed_end", left),), None) for word in self.constants(left) if word not in single}, False

    def listed_end(self, state: FormState, left: Operand) -> Options:
        return {",": ((("listed_more", left),), None), ")": ((), None)}, False
