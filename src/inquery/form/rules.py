"""The rules of the form: for each symbol the words it takes, what follows them, and whether it may be empty."""

from __future__ import annotations

from dataclasses import replace

from inquery.form.ast import SET_OPERATORS
from inquery.form.automaton import SOURCES, FormState, Progress, Scope, Symbol
from inquery.form.effects import (
    Effect,
    Options,
    Words,
    add_source,
    both,
    count_item,
    count_star,
    enter_block,
    set_grouped,
)
from inquery.form.rules_conditions import ConditionRules

_USES_OPERAND = frozenset({"arith", "operator"})
_USES_PROGRESS = frozenset(
    {"compound", "items", "item", "more_items", "clauses", "after_where", "after_same", "sort", "tie"}
)


class GrammarRules(ConditionRules):
    """Options of every symbol, kept with the scope they depend on."""

    def options(self, symbol: Symbol, state: FormState) -> Options:
        """The words a symbol takes in a state, with what each leads to, and whether it may take none."""
        name = symbol[0]
        key = (
            symbol,
            state.operand if name in _USES_OPERAND else None,
            state.progress if name in _USES_PROGRESS else None,
        )
        found: Options | None = state.scope.cache.get(key)
        if found is None:
            found = state.scope.cache[key] = getattr(self, name)(state, *symbol[1:])
        return found

    def word(self, state: FormState, word: str) -> Options:
        return {word: ((), None)}, False

    # --- blocks ---

    def query(self, state: FormState) -> Options:
        words = self.block(Progress())
        words["show"] = ((("items",), ("compound",)), enter_block(Progress()))
        return words, False

    def compound(self, state: FormState) -> Options:
        if state.progress.star or state.progress.single:
            return {}, True
        width = state.progress.shown

        def effect(after: FormState) -> FormState:
            inner = Scope(outer=after.scope.outer, depth=after.scope.depth)
            return replace(after, scope=inner, progress=Progress(width=width))

        then = (("word", "from"), ("source", True), ("compound",))
        return dict.fromkeys(SET_OPERATORS, (then, effect)), True

    # --- sources ---

    def source(self, state: FormState, first: bool) -> Options:
        """A table; one that stands already needs a role. The word after it adds it to the scope."""
        words: Words = {word: ((("named", table, False),), None) for word, table in self.tables(state)}
        if not first:
            words["maybe"] = ((("optional",),), None)
        return words, False

    def optional(self, state: FormState) -> Options:
        return {word: ((("named", table, True),), None) for word, table in self.tables(state)}, False

    def tables(self, state: FormState) -> list[tuple[str, str]]:
        """Tables that can be joined to those before, and that can stand as a new source."""
        known = self.grammar.names.word_tables.items()
        if not state.scope.sources:
            return list(known)
        home = self.grammar.components[state.scope.sources[0][1]]
        return [
            (word, table)
            for word, table in known
            if self.grammar.components[table] == home
            and ((word, table) not in state.scope.sources or self.roles(state, table))
        ]

    def roles(self, state: FormState, table: str) -> list[str]:
        """The names a table may take besides its own: its key columns elsewhere, and a second of itself."""
        spell = self.grammar.names.role_word
        taken = {word for word, _ in state.scope.sources} | set(self.grammar.names.word_tables)
        roles = [spell(edge.child_columns[0]) for edge in self.grammar.roles(table)]
        if state.scope.sources:
            roles.append(self.second(table))
        return [role for role in dict.fromkeys(roles) if role not in taken]

    def second(self, table: str) -> str:
        return f"{self.grammar.names.table_words[table]}_2"

    def named(self, state: FormState, table: str, optional: bool) -> Options:
        """What follows a table: a role, a written join, the next source, or the items shown."""
        own = self.grammar.names.table_words[table]
        words: Words = {}
        if self.roles(state, table):
            words["as"] = ((("role", table, optional),), None)
        if (own, table) in state.scope.sources:
            return words, False
        add = add_source(own, table, optional)
        words |= self.after_source(state, 1, add)
        if state.scope.sources:
            words["via"] = (self.via((own, table), state.scope.sources), add)
        return words, False

    def role(self, state: FormState, table: str, optional: bool) -> Options:
        words: Words = {}
        for role in self.roles(state, table):
            after = ("written" if role == self.second(table) else "sources", (role, table))
            words[role] = ((after,), add_source(role, table, optional))
        return words, False

    def sources(self, state: FormState, last: tuple[str, str]) -> Options:
        """More sources, or the items shown; the join of the last one may be written."""
        words = self.after_source(state, 0, None)
        before = tuple(source for source in state.scope.sources if source != last)
        if before:
            words["via"] = (self.via(last, before), None)
        return words, False

    def written(self, state: FormState, last: tuple[str, str]) -> Options:
        """A second of the same table, whose join must be written."""
        before = tuple(source for source in state.scope.sources if source != last)
        return {"via": (self.via(last, before), None)}, False

    def via(self, own: tuple[str, str], before: tuple[tuple[str, str], ...]) -> tuple[Symbol, ...]:
        return (("of", (own,)), ("word", "="), ("of", before), ("joined",))

    def of(self, state: FormState, sources: tuple[tuple[str, str], ...]) -> Options:
        return {
            f"{source}.{word}": ((), None) for source, table in sources for word, _, _ in self.columns[table]
        }, False

    def joined(self, state: FormState) -> Options:
        return self.after_source(state, 0, None), False

    def after_source(self, state: FormState, coming: int, effect: Effect | None) -> Words:
        """The items shown, or a comma while there is a table left; each can stand by its name and as a second."""
        words: Words = {"show": ((("items",),), effect)}
        number = len(state.scope.sources) + coming
        home = self.grammar.components[state.scope.sources[0][1]] if state.scope.sources else None
        tables = sum(home in (None, part) for part in self.grammar.components.values())
        if number < min(SOURCES, 2 * tables if home is not None else 2):
            words[","] = ((("source", False),), effect)
        return words

    # --- items ---

    def items(self, state: FormState) -> Options:
        words = self.item(state, True)[0]
        rest: tuple[Symbol, ...] = (("more_items",), ("clauses",))
        words = {word: ((*then, *rest), effect) for word, (then, effect) in words.items()}
        if state.scope.sources:
            words["distinct"] = ((("item", True), *rest), None)
        return words, False

    def item(self, state: FormState, first: bool) -> Options:
        words: Words = {}
        for word, (then, effect) in self.expr(state, "item", None)[0].items():
            words[word] = (then, both(count_item, effect))
        if state.scope.sources and state.progress.width is None:
            words |= {f"{source}.*": ((), count_star) for source, _ in state.scope.sources}
            if first:
                words["*"] = ((), count_star)
        return words, False

    def more_items(self, state: FormState) -> Options:
        width, shown = state.progress.width, state.progress.shown
        words: Words = {} if width is not None and shown >= width else {",": ((("item", False), ("more_items",)), None)}
        return words, width is None or shown == width

    # --- clauses ---

    def clauses(self, state: FormState) -> Options:
        """The clauses in order; `by` must come where columns and aggregates stand side by side."""
        if not state.scope.sources:
            return {}, True
        words: Words = {"where": ((("condition", "where"), ("after_where",)), None)}
        later, empty = self.after_where(state)
        return words | later, empty

    def after_where(self, state: FormState) -> Options:
        words, empty = self.after_same(state)
        if self.ties(state):
            words = {**words, "same": ((("tie",), ("tie_more",), ("after_same",)), None)}
        return words, empty

    def after_same(self, state: FormState) -> Options:
        progress = state.progress
        words: Words = {"by": ((("key",), ("key_more",), ("after_by",)), set_grouped)}
        if progress.plain and progress.aggregated:
            return words, False
        if progress.plain or progress.star:
            words |= self.order()
        return words, True

    def after_by(self, state: FormState) -> Options:
        return self.order() | {"having": ((("condition", "having"), ("after_having",)), None)}, True

    def after_having(self, state: FormState) -> Options:
        return self.order(), True

    def after_sort(self, state: FormState) -> Options:
        return {"top": ((("top",),), None)}, True

    def order(self) -> Words:
        return {"sort": ((("sort",), ("sort_more",), ("after_sort",)), None), "top": ((("top",),), None)}

    def top(self, state: FormState) -> Options:
        whole = [word for word in self.grammar.numbers if word.isdigit() and word != "0"]
        return dict.fromkeys([*whole, *self.grammar.slot_words("number")], ((), None)), False

    def key(self, state: FormState) -> Options:
        keyed = [source for source, table in state.scope.sources if self.grammar.schema.primary_key(table)]
        words: Words = dict.fromkeys(keyed, ((), None))
        return words | self.column_words(state, "by", None) | self.parts(state, "by"), False

    def key_more(self, state: FormState) -> Options:
        return {",": ((("key",), ("key_more",)), None)}, True

    def tie(self, state: FormState) -> Options:
        return dict.fromkeys(self.ties(state), ((), None)), False

    def tie_more(self, state: FormState) -> Options:
        return {",": ((("tie",), ("tie_more",)), None)}, True

    def ties(self, state: FormState) -> list[str]:
        """Columns of sources that stand in the block around as well, and sources there that are next to one here."""
        outer, inner = state.scope.outer, dict(state.scope.sources)
        if outer is None or state.progress.derived:
            return []
        shared = [(source, table) for source, table in state.scope.sources if (source, table) in outer.sources]
        found = [f"{source}.{word}" for source, table in shared for word, _, _ in self.columns[table]]
        for source, table in outer.sources:
            if source not in inner and table not in inner.values():
                path = self.grammar.schema.path([table], set(inner.values()))
                found += [source] if path and len(path) == 1 else []
        return found

    def sort(self, state: FormState) -> Options:
        words = self.expr(state, "sort_groups" if state.progress.grouped else "sort", None)[0]
        return {word: ((*then, ("desc",)), effect) for word, (then, effect) in words.items()}, False

    def desc(self, state: FormState) -> Options:
        return {"desc": ((), None)}, True

    def sort_more(self, state: FormState) -> Options:
        return {",": ((("sort",), ("sort_more",)), None)}, True
