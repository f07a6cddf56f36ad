"""The grammar of the form over one schema and the constants of one question.

Every text it accepts reads back, names only tables and columns that exist and are in scope, and compiles to SQL.
`automaton.py` is the machine that walks it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from inquery.form.ast import SET_OPERATORS, SPANS, UNITS, WINDOWS, Edition, Literal
from inquery.form.automaton import (
    ANY,
    DATE,
    NUMBER,
    TEXT,
    BlockScope,
    Effect,
    FormState,
    Operand,
    Options,
    Progress,
    Step,
    Symbol,
    Words,
    add_source,
    begin_next_of_set,
    combine_effects,
    count_item,
    enter_block,
    leave_block,
    mark_aggregated,
    mark_beside,
    mark_grouped,
    mark_ordered_beside,
    mark_plain,
    mark_ranked,
    mark_star,
    set_operand,
)
from inquery.form.join_paths import GUESSED, FormSchema
from inquery.form.name_words import FormError, NameMap, quote_text, split_words
from inquery.sql.stored_dates import stored_date
from inquery.sql.stored_numbers import stored_number

DEEPEST = 3
"""Blocks may nest this deep."""
MOST_SOURCES = 7
"""Most sources of a block; the longest of 7,000 written queries has seven tables, those between left out."""

_NUMBER_TYPE = re.compile(r"int|real|num|dec|doub|float|money|fixed|serial|bool|bit|year", re.I)
_DATE_TYPE = re.compile(r"date|time", re.I)
_MARKS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"-?\d+(\.\d+)?$")
_DATE_TEXT = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}")
_COMPARISONS = ("=", "!=", ">", ">=", "<", "<=")

_SCALAR = Progress(width=1)
"""A query compared with a value shows one item."""
_DERIVED = Progress(width=1, single=True, derived=True)
"""A query in FROM: it cannot be tied to the block around, and only rows of a set operation can be counted."""
_COUNTED = Progress(derived=True)
_TIED = Progress(width=1, single=True)
"""A query with a value for each row, which an aggregate adds up; without a tie it stands in FROM as well."""
_HAS_AGGREGATES = frozenset({"item", "having", "sort_groups", "rank_groups", "figure"})
"""The places where aggregates may stand."""
_BESIDE: dict[str, Effect | None] = {"item": mark_beside, "having": None, "sort_groups": mark_ordered_beside}
"""The places where a figure may stand beside those of other groups, and what it changes there."""
_OWN_NAMES = frozenset({*WINDOWS, "if"})
"""Words that begin an item, which a table of such a name cannot be told from."""

# Options are kept by symbol and scope alone, save for these. A rule that reads the operand or the progress, itself or
# through another rule, must be listed: else it answers with what held where it was first asked.
_USES_OPERAND = frozenset({"arith", "more_arith", "operator", "otherwise"})
_USES_PROGRESS = frozenset(
    {
        "compound",
        "items",
        "item",
        "more_items",
        "clauses",
        "after_where",
        "after_same",
        "after_by",
        "after_having",
        "after_sort",
        "sort",
        "tie",
    }
)


class FormGrammar:
    """The form over one schema, with the constants one question may use.

    `values` are texts by (full table name, column), `numbers` words, `slots` the named constants of the prompt,
    `spans` free text of the question, save what is not in a column by `elsewhere`.

    A public method that takes a state is the rule of the symbol of its name: it gives the words the symbol takes, with
    the symbols that follow each, and whether it may take none. `place` says where an expression stands: in an item
    shown, a where, a having, a sort, a sort over groups, as the amount of an aggregate or in a condition inside one, or
    as the figure that is seen beside those of other groups.

    Of edition D it is exactly the language that the models of round D were trained on; E has more words.
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
        edition: Edition = "D",
    ) -> None:
        self.schema = schema
        self._new = edition == "E"
        self.names = names
        self._values = values or {}
        # Zero and one are compared with and a hundred multiplied by in questions that name no number.
        self._numbers = tuple(dict.fromkeys([*numbers, "0", "1", "100"]))
        self._slots = slots or {}
        self._spans = tuple((quote_text(span), span.casefold()) for span in spans)
        self._elsewhere = elsewhere or {}
        self._components = _find_components(schema)
        self._key_columns = _find_key_columns(schema)
        self._columns = {
            name: [(word, column, self._kind_of(name, column)) for column, word in words.items()]
            for name, words in names.column_words.items()
        }
        """The columns of each table: word, name and kind."""

    def start(self, *, answered: bool = False) -> FormState:
        """The state before the first word; `answered` leaves out that there is no answer."""
        return FormState(self, (("query", answered), None), BlockScope())

    def accepts(self, text: str) -> bool:
        """Whether a whole text is a form of this grammar."""
        state = self.start()
        try:
            for word in split_words(text):
                state = state.advance(word)
        except FormError:
            return False
        return state.done

    def options(self, symbol: Symbol, state: FormState) -> Options:
        """The words a symbol takes in a state, with what each leads to, and whether it may take none."""
        # All hypotheses of a beam that stand in one block share its scope, so they share its options too: a list of
        # hundreds of columns is made once for the block, and goes when the block does. Without this, four hypotheses
        # take 2.7 times as long along 1,760 written queries.
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
        return {word: _then()}, False

    def one_of(self, state: FormState, words: tuple[str, ...]) -> Options:
        return dict.fromkeys(words, _then()), False

    def query(self, state: FormState, answered: bool) -> Options:
        words = self._block(Progress())
        words["show"] = _then(("items",), ("compound",), effect=enter_block(Progress()))
        if self._new and not answered:
            words["none"] = _then()
        return words, False

    def compound(self, state: FormState) -> Options:
        """Perhaps a set operation with another block of as many items."""
        if state.progress.star or state.progress.single:
            return {}, True
        step = _then(("word", "from"), ("source", True), ("compound",), effect=begin_next_of_set(state.progress.shown))
        return dict.fromkeys(SET_OPERATORS, step), True

    def _block(self, begin: Progress) -> Words:
        """`from` of a new block inside the present one, and perhaps a set operation with another."""
        return {"from": _then(("source", True), ("compound",), effect=enter_block(begin))}

    def nested(self, state: FormState, begin: Progress, after: Operand) -> Options:
        """A query inside parentheses, and what it is to the block around."""
        return _append(self._block(begin), ("close_block", after)), False

    def close_block(self, state: FormState, operand: Operand) -> Options:
        return {")": _then(effect=leave_block(operand))}, False

    def source(self, state: FormState, first: bool) -> Options:
        """A table; one that stands already needs a role. The word after it adds it to the scope."""
        words: Words = {word: _then(("after_table", table, False)) for word, table in self._tables(state)}
        if not first:
            words["maybe"] = _then(("optional_source",))
        return words, False

    def optional_source(self, state: FormState) -> Options:
        return {word: _then(("after_table", table, True)) for word, table in self._tables(state)}, False

    def _tables(self, state: FormState) -> list[tuple[str, str]]:
        """Tables that can be joined to those before, and that can stand as a new source."""
        known = self.names.word_tables.items()
        if not state.scope.sources:
            return list(known)
        home = self._components[state.scope.sources[0][1]]
        return [
            (word, table)
            for word, table in known
            if self._components[table] == home
            and ((word, table) not in state.scope.sources or self._roles(state, table))
        ]

    def _roles(self, state: FormState, table: str) -> list[str]:
        """The names a table may take besides its own: its key columns elsewhere, and a second of itself."""
        taken = {word for word, _ in state.scope.sources} | set(self.names.word_tables)
        roles = [
            self.names.role_word(edge.child_columns[0])
            for edge in self.schema.edges[table]
            if edge.parent == table and len(edge.child_columns) == 1 and edge.cost < GUESSED
        ]
        if self._new:
            roles += self._chained_roles(state, table)
        if state.scope.sources:
            roles.append(self._second_of(table))
        return [role for role in dict.fromkeys(roles) if role not in taken]

    def _chained_roles(self, state: FormState, table: str) -> list[str]:
        """Roles by a key of a source that is a role itself: the key alone would not say of which source."""
        return [
            f"{word}.{self.names.role_word(edge.child_columns[0])}"
            for word, child in state.scope.sources
            if word != self.names.table_words[child]
            for edge in self.schema.edges[child]
            if (edge.child, edge.parent) == (child, table) and len(edge.child_columns) == 1 and edge.cost < GUESSED
        ]

    def _second_of(self, table: str) -> str:
        return f"{self.names.table_words[table]}_2"

    def after_table(self, state: FormState, table: str, optional: bool) -> Options:
        """What follows a table: a role, a written join, the next source, or the items shown."""
        own = self.names.table_words[table]
        words: Words = {}
        if self._roles(state, table):
            words["as"] = _then(("role", table, optional))
        # A table that stands already can only go on with a role: without one its columns would mean either.
        if (own, table) in state.scope.sources:
            return words, False
        add = add_source(own, table, optional)
        words |= self._after_source(state, 1, add)
        if state.scope.sources:
            words["via"] = _then(*self._via((own, table), state.scope.sources), effect=add)
        return words, False

    def role(self, state: FormState, table: str, optional: bool) -> Options:
        words: Words = {}
        for role in self._roles(state, table):
            after = "must_join" if role == self._second_of(table) else "after_role"
            words[role] = _then((after, (role, table)), effect=add_source(role, table, optional))
        return words, False

    def after_role(self, state: FormState, last: tuple[str, str]) -> Options:
        """More sources, or the items shown; the join of the last one may be written."""
        words = self._after_source(state, 0, None)
        before = tuple(source for source in state.scope.sources if source != last)
        if before:
            words["via"] = _then(*self._via(last, before))
        return words, False

    def must_join(self, state: FormState, last: tuple[str, str]) -> Options:
        """A second of the same table, whose join must be written."""
        before = tuple(source for source in state.scope.sources if source != last)
        return {"via": _then(*self._via(last, before))}, False

    def column_of(self, state: FormState, sources: tuple[tuple[str, str], ...]) -> Options:
        columns = [f"{source}.{word}" for source, table in sources for word, _, _ in self._columns[table]]
        return dict.fromkeys(columns, _then()), False

    def _via(self, own: tuple[str, str], before: tuple[tuple[str, str], ...]) -> tuple[Symbol, ...]:
        """A written join: a column of the source itself, and one of a source before it."""
        return (("column_of", (own,)), ("word", "="), ("column_of", before), ("after_via", own, before))

    def after_via(self, state: FormState, own: tuple[str, str], before: tuple[tuple[str, str], ...]) -> Options:
        words = self._after_source(state, 0, None)
        if self._new:
            words["and"] = _then(*self._via(own, before))
        return words, False

    def _after_source(self, state: FormState, coming: int, effect: Effect | None) -> Words:
        """The items shown, or a comma while there is a table left; each can stand by its name and as a second."""
        words: Words = {"show": _then(("items",), effect=effect)}
        number = len(state.scope.sources) + coming
        home = self._components[state.scope.sources[0][1]] if state.scope.sources else None
        tables = sum(home in (None, part) for part in self._components.values())
        if number < min(MOST_SOURCES, 2 * tables if home is not None else 2):
            words[","] = _then(("source", False), effect=effect)
        return words

    def items(self, state: FormState) -> Options:
        rest: tuple[Symbol, ...] = (("more_items",), ("clauses",))
        words = _append(self.item(state, True)[0], *rest)
        if state.scope.sources:
            words["distinct"] = _then(("item", True), *rest)
        return words, False

    def item(self, state: FormState, first: bool) -> Options:
        words: Words = {
            word: (then, combine_effects(count_item, effect))
            for word, (then, effect) in self.expr(state, "item", None)[0].items()
        }
        # How many columns a star has is nothing the grammar counts, so it cannot stand where a width is asked for.
        if state.scope.sources and state.progress.width is None:
            words |= {f"{source}.*": _then(effect=mark_star) for source, _ in state.scope.sources}
            if first:
                words["*"] = _then(effect=mark_star)
        if self._new:
            named = combine_effects(count_item, combine_effects(mark_plain, set_operand(Operand(TEXT))))
            for source, table in state.scope.sources:
                if self.schema.has_display(table) and source not in _OWN_NAMES and "." not in source:
                    words[source] = _then(effect=named)
        return words, False

    def more_items(self, state: FormState) -> Options:
        width, shown = state.progress.width, state.progress.shown
        if width is not None and shown >= width:
            return {}, shown == width
        return {",": _then(("item", False), ("more_items",))}, width is None

    def clauses(self, state: FormState) -> Options:
        """The clauses in order; `by` must come where columns and aggregates stand side by side."""
        if not state.scope.sources:
            return {}, True
        words: Words = {"where": _then(("condition", "where"), ("after_where",))}
        later, empty = self.after_where(state)
        return words | later, empty

    def after_where(self, state: FormState) -> Options:
        words, empty = self.after_same(state)
        if self._ties(state):
            words["same"] = _then(("tie",), ("more_ties",), ("after_same",))
        return words, empty

    def after_same(self, state: FormState) -> Options:
        progress = state.progress
        words: Words = {"by": _then(("key",), ("more_keys",), ("after_by",), effect=mark_grouped)}
        if (progress.plain and progress.aggregated) or progress.beside:
            return words, False
        # One row of aggregates has no order.
        if progress.plain or progress.star:
            words |= self._ends(state)
        return words, not progress.ranked

    def _ends(self, state: FormState) -> Words:
        """An order, and how many; a rank needs the order."""
        words = _order()
        if state.progress.ranked:
            words.pop("top")
        return words

    def after_by(self, state: FormState) -> Options:
        words = self._ends(state) | {"having": _then(("condition", "having"), ("after_having",))}
        return words, not state.progress.ranked

    def after_having(self, state: FormState) -> Options:
        return self._ends(state), not state.progress.ranked

    def after_sort(self, state: FormState) -> Options:
        first = self._looks_around(state) and not state.progress.ordered_beside
        more: tuple[Symbol, ...] = (("per",),) if first else ()
        return {"top": _then(("top",), *more)}, True

    def per(self, state: FormState) -> Options:
        """The keys of which each has its own first few."""
        return {"per": _then(("key",), ("more_keys",))}, True

    def _looks_around(self, state: FormState) -> bool:
        """Whether groups may be seen beside others: not in nested blocks, which some engines cannot tie to the row."""
        return self._new and state.scope.depth == 1 and bool(state.scope.sources)

    def top(self, state: FormState) -> Options:
        whole = [word for word in self._numbers if word.isdigit() and word != "0"]
        return dict.fromkeys([*whole, *self._slot_words("number")], _then()), False

    def key(self, state: FormState) -> Options:
        keyed = [source for source, table in state.scope.sources if self.schema.primary_key(table)]
        words: Words = dict.fromkeys(keyed, _then())
        columns = self._column_words(state, "by", None)
        if self._new:
            columns = _append(columns, ("otherwise", "by"))
        return words | columns | self._date_parts(state, "by") | self._holds(state, "by"), False

    def _holds(self, state: FormState, place: str) -> Words:
        """A condition as a value: those it holds for against the rest."""
        if not self._new or not state.scope.sources:
            return {}
        test = (("word", "("), ("condition", "inside"), ("close_value", TEXT))
        return {"if": _then(*test, effect=mark_plain if place == "item" else None)}

    def more_keys(self, state: FormState) -> Options:
        return {",": _then(("key",), ("more_keys",))}, True

    def tie(self, state: FormState) -> Options:
        return dict.fromkeys(self._ties(state), _then()), False

    def more_ties(self, state: FormState) -> Options:
        return {",": _then(("tie",), ("more_ties",))}, True

    def _ties(self, state: FormState) -> list[str]:
        """Columns of sources that stand in the block around as well, and sources there that are next to one here."""
        outer, inner = state.scope.outer, dict(state.scope.sources)
        if outer is None or state.progress.derived:
            return []
        shared = [(source, table) for source, table in state.scope.sources if (source, table) in outer.sources]
        found = [f"{source}.{word}" for source, table in shared for word, _, _ in self._columns[table]]
        for source, table in outer.sources:
            if source not in inner and table not in inner.values():
                path = self.schema.path([table], set(inner.values()))
                found += [source] if path and len(path) == 1 else []
        if self._new:
            found += self._key_ties(dict(outer.sources), inner)
        return list(dict.fromkeys(found))

    def _key_ties(self, outer: Mapping[str, str], inner: Mapping[str, str]) -> list[str]:
        """Key columns of a source of one block that lead to a table of the other."""
        found: list[str] = []
        for own, other in ((inner, outer), (outer, inner)):
            for source, table in own.items():
                if source in other:
                    continue
                for edge in self.schema.edges[table]:
                    if edge.child == table and edge.parent in other.values() and len(edge.child_columns) == 1:
                        word = self.names.column_words[table].get(edge.child_columns[0])
                        found += [f"{source}.{word}"] if word else []
        return found

    def sort(self, state: FormState) -> Options:
        place = "sort"
        if state.progress.grouped:
            place = "rank_groups" if state.progress.ranked else "sort_groups"
        return _append(self.expr(state, place, None)[0], ("desc",)), False

    def desc(self, state: FormState) -> Options:
        return {"desc": _then()}, True

    def more_sorts(self, state: FormState) -> Options:
        return {",": _then(("sort",), ("more_sorts",))}, True

    def condition(self, state: FormState, place: str) -> Options:
        words = _append(self.expr(state, place, None)[0], ("operator", place))
        inside: tuple[Symbol, ...] = (("condition", place), ("word", "]"))
        words |= {"[": _then(*inside), "not": _then(("word", "["), *inside)}
        # Related rows are asked for of a row; having tests groups.
        if state.scope.depth < DEEPEST and place != "having":
            words |= dict.fromkeys(("any", "no"), _then(("word", "("), ("related",)))
        return _append(words, ("more_tests", place)), False

    def more_tests(self, state: FormState, place: str) -> Options:
        return dict.fromkeys(("and", "or"), _then(("condition", place))), True

    def related(self, state: FormState) -> Options:
        """`from … [where …]` without items, tied to this block by the join graph."""
        step = _then(("related_source",), ("close_block", Operand()), effect=enter_block(Progress()))
        return {"from": step}, False

    def related_source(self, state: FormState) -> Options:
        outer = state.scope.outer
        assert outer is not None
        home = self._components[outer.sources[0][1]]
        words: Words = {}
        for word, table in self.names.word_tables.items():
            new = (word, table) not in state.scope.sources and self._components[table] == home
            # A table of the block around is tied by its key, so it must have one.
            if new and (table not in dict(outer.sources).values() or self.schema.primary_key(table)):
                words[word] = _then(("after_related",), effect=add_source(word, table, False))
        return words, False

    def after_related(self, state: FormState) -> Options:
        words: Words = {",": _then(("related_source",))} if self.related_source(state)[0] else {}
        return words | {"where": _then(("condition", "where"))}, True

    def operator(self, state: FormState, place: str) -> Options:
        """What may follow the left side of a test."""
        left = state.operand
        words: Words = dict.fromkeys(_COMPARISONS, _then(("right", left, place)))
        words["between"] = _then(("value", left), ("word", "and"), ("value", left))
        if left.beside:
            words |= {"null": _then(), "not": _then(("word", "null"))}
        if left.column is None and not left.unit:
            return words, False
        words |= self.after_not(state, left)[0]
        words["not"] = _then(("after_not", left))
        if left.column is not None and left.kind != NUMBER:
            words |= dict.fromkeys(("starts", "ends"), _then(("part_of_text", left)))
        return words, False

    def after_not(self, state: FormState, left: Operand) -> Options:
        """The tests that have an opposite."""
        words: Words = {"in": _then(("members", left))}
        if left.column is not None:
            words["null"] = _then()
            if left.kind != NUMBER:
                words["has"] = _then(("part_of_text", left))
            if self._new and left.kind in (TEXT, ANY):
                words["blank"] = _then()
        return words, False

    def part_of_text(self, state: FormState, left: Operand) -> Options:
        # A title has 7 in it as well as 'seven', so numbers may be looked for too.
        slots = self._slot_words("text")
        texts = [word for word in self._constants(left, within=True) if word[0] == "'" or word in slots]
        return dict.fromkeys([*texts, *self._numbers], _then()), False

    def value(self, state: FormState, left: Operand) -> Options:
        """A constant, or a nested query with one value."""
        words: Words = dict.fromkeys(self._constants(left), _then())
        if state.scope.depth < DEEPEST:
            words["("] = _then(("nested", _SCALAR, left))
        return words, False

    def right(self, state: FormState, left: Operand, place: str) -> Options:
        """A constant, a column or expression of the same kind, or a nested query with one value."""
        words = self.expr(state, place, left.kind)[0]
        if place not in _HAS_AGGREGATES and left.kind in (NUMBER, ANY):
            words |= self._over_query(state, None)
        for word in self._constants(left):
            numeric = left.kind == NUMBER and word[0] != "'"
            words[word] = _then(("arith", place), effect=set_operand(Operand(NUMBER))) if numeric else _then()
        for word in self._column_itself(state, left):
            words.pop(word, None)
        return words, False

    def _column_itself(self, state: FormState, left: Operand) -> list[str]:
        """The words of the column on the left: it is not compared with itself, unless its table is there twice."""
        sources = [source for source, table in state.scope.sources if left.column and table == left.column[0]]
        if len(sources) != 1 or not left.column:
            return []
        table, name = left.column
        return [f"{sources[0]}.{word}" for word, column, _ in self._columns[table] if column == name]

    def members(self, state: FormState, left: Operand) -> Options:
        """What `in` may hold: a list, a nested query, or a period."""
        words: Words = {"(": _then(("list_or_query", left))}
        if left.kind in (DATE, ANY) and not left.unit:
            words |= dict.fromkeys(self._slot_words("period"), _then())
        return words, False

    def list_or_query(self, state: FormState, left: Operand) -> Options:
        words = self.list_item(state, left)[0]
        if state.scope.depth < DEEPEST:
            words |= self.nested(state, _SCALAR, left)[0]
        return words, False

    def list_item(self, state: FormState, left: Operand) -> Options:
        # A period is a test of two ends, so `in` takes it alone and never among others.
        single = set(self._slot_words("period"))
        listed = [word for word in self._constants(left) if word not in single]
        return dict.fromkeys(listed, _then(("end_list", left))), False

    def end_list(self, state: FormState, left: Operand) -> Options:
        return {",": _then(("list_item", left)), ")": _then()}, False

    def expr(self, state: FormState, place: str, kind: str | None) -> Options:
        words = self.factor(state, place, kind)[0]
        numbers = set(self._numbers) & set(words)
        if self._new:
            words = {w: (then if w in numbers else (*then, ("otherwise", place)), e) for w, (then, e) in words.items()}
        return {
            word: ((*then, ("more_arith" if word in numbers else "arith", place)), effect)
            for word, (then, effect) in words.items()
        }, False

    def otherwise(self, state: FormState, place: str) -> Options:
        """What stands for a value that is not known: a number, or a column or text of its kind."""
        left = state.operand
        if left.unit or left.kind == DATE or place == "figure" or (left.kind == TEXT and not left.column):
            return {}, True
        return {"else": _then(("other", left, place))}, True

    def other(self, state: FormState, left: Operand, place: str) -> Options:
        inside = "item" if place == "item" and not (left.column is None and left.kind == NUMBER) else "inside"
        words = self._column_words(state, inside, left.kind) if left.column else {}
        for word in self._column_itself(state, left):
            words.pop(word, None)
        same = set_operand(replace(left, column=None))
        periods = set(self._slot_words("period", "date"))
        if left.kind in (NUMBER, ANY):
            words |= dict.fromkeys(self._numbers, _then(effect=same))
        if left.kind in (TEXT, ANY) and left.column:
            words |= {word: _then(effect=same) for word in self._constants(left) if word not in periods}
        return words or {"0": _then(effect=same)}, False

    def more_arith(self, state: FormState, place: str) -> Options:
        """A number that begins an expression must go on, as in `100 * …`."""
        return self.arith(state, place)[0], False

    def arith(self, state: FormState, place: str) -> Options:
        """More of a sum or product after a number."""
        if state.operand.kind not in (NUMBER, ANY):
            return {}, True
        more: tuple[Symbol, ...] = (("otherwise", place),) if self._new else ()
        return dict.fromkeys("+-*/", _then(("factor", place, NUMBER), *more, ("arith", place))), True

    def figure(self, state: FormState) -> Options:
        """What is seen beside the same of other groups: aggregates and what is computed of them."""
        return _append(self.expr(state, "figure", NUMBER)[0], ("close_beside",)), False

    def close_beside(self, state: FormState) -> Options:
        return {")": _then(effect=set_operand(Operand(NUMBER, beside=True)))}, False

    def factor(self, state: FormState, place: str, kind: str | None) -> Options:
        if place == "figure":
            words = self._aggregates(state, place)
            words |= {word: _then(effect=set_operand(Operand(NUMBER))) for word in self._numbers}
            return words | {"(": _then(("in_parentheses", place))}, False
        words = self._column_words(state, place, kind)
        if place in _HAS_AGGREGATES and kind in (None, NUMBER, ANY):
            words |= self._aggregates(state, place)
        if kind is None:
            words |= self._date_parts(state, place)
            if place in ("item", "sort_groups", "rank_groups"):
                words |= self._holds(state, place)
        if kind in (None, NUMBER):
            words |= self._days(state, place)
            words |= {word: _then(effect=set_operand(Operand(NUMBER))) for word in self._numbers}
        words["("] = _then(("in_parentheses", place))
        return words, False

    def in_parentheses(self, state: FormState, place: str) -> Options:
        """Arithmetic, or a nested query with one value."""
        words = _append(self.expr(state, place, NUMBER)[0], ("close_value", NUMBER))
        if state.scope.depth < DEEPEST and place not in ("figure", "part"):
            # SQL Server does not aggregate over a subquery; one with a value for each row is joined instead.
            if place != "amount":
                words |= self.nested(state, _SCALAR, Operand(ANY))[0]
            elif self._new:
                words |= self.nested(state, _TIED, Operand(NUMBER))[0]
        return words, False

    def close_value(self, state: FormState, kind: str) -> Options:
        """The closing parenthesis of something that has a kind but is no column."""
        return {")": _then(effect=set_operand(Operand(kind)))}, False

    def _column_words(self, state: FormState, place: str, kind: str | None) -> Words:
        words: Words = {}
        for source, table in state.scope.sources:
            for word, column, own in self._columns[table]:
                if place in ("amount", "part") and kind == NUMBER and (table, column) in self._key_columns:
                    continue  # nobody adds up the numbers of orders
                # A column whose type says nothing may be compared with everything, and everything with it.
                if kind is None or own in (kind, ANY) or kind == ANY:
                    effect = set_operand(Operand(own, (table, column)))
                    effect = combine_effects(effect, mark_plain if place == "item" else None)
                    words[f"{source}.{word}"] = _then(effect=effect)
        return words

    def _dates(self, state: FormState) -> tuple[str, ...]:
        return tuple(
            f"{source}.{word}"
            for source, table in state.scope.sources
            for word, _, kind in self._columns[table]
            if kind == DATE
        )

    def _date_parts(self, state: FormState, place: str) -> Words:
        dates = self._dates(state)
        mark = mark_plain if place == "item" else None
        return {
            unit: _then(("word", "("), ("one_of", dates), ("close_date_part", unit), effect=mark)
            for unit in (UNITS if dates else ())
        }

    def close_date_part(self, state: FormState, unit: str) -> Options:
        return {")": _then(effect=set_operand(Operand(TEXT, unit=unit)))}, False

    def _days(self, state: FormState, place: str) -> Words:
        dates = self._dates(state)
        mark = mark_plain if place == "item" else None
        if self._new:
            return dict.fromkeys(SPANS, _then(("word", "("), ("span",), effect=mark)) if dates else {}
        if len(dates) < 2:
            return {}
        pair = (("word", "("), ("one_of", dates), ("word", ","), ("one_of", dates), ("close_value", NUMBER))
        return {"days": _then(*pair, effect=mark)}

    def span(self, state: FormState) -> Options:
        """From one date to another, of which one may be a day that was named."""
        dates, days = self._dates(state), tuple(self._slot_words("period", "date"))
        close: Symbol = ("close_value", NUMBER)
        words: Words = dict.fromkeys(days, _then(("word", ","), ("one_of", dates), close))
        ends = _then(("word", ","), ("one_of", (*dates, *days)), close)
        return words | dict.fromkeys(dates, ends), False

    def _aggregates(self, state: FormState, place: str) -> Words:
        mark = mark_aggregated if place == "item" else None
        if not state.scope.sources:
            return self._over_query(state, mark)
        number = combine_effects(set_operand(Operand(NUMBER)), mark)
        words: Words = {
            func: _then(("after_count", func, place), effect=number) for func in ("count", "share", "percent")
        }
        for func in ("sum", "avg", "min", "max"):
            words[func] = _then(("word", "("), ("amount", func), effect=mark)
        if place in _BESIDE and self._looks_around(state):
            step = _then(("word", "("), ("figure",), effect=_BESIDE[place])
            words |= dict.fromkeys((word for word in WINDOWS if word != "rank"), step)
            if place == "item":
                words["rank"] = _then(effect=mark_ranked)
        return words

    def _over_query(self, state: FormState, effect: Effect | None) -> Words:
        """Aggregates over the rows of a nested query."""
        if state.scope.depth >= DEEPEST:
            return {}
        begins = {"count": _COUNTED, "sum": _DERIVED, "avg": _DERIVED, "min": _DERIVED, "max": _DERIVED}
        return {
            func: _then(("word", "("), ("nested", begin, Operand(NUMBER)), effect=effect)
            for func, begin in begins.items()
        }

    def after_count(self, state: FormState, func: str, place: str) -> Options:
        """count, share and percent may stand alone or say what they count."""
        return {"(": _then(("counted", func, place))}, True

    def counted(self, state: FormState, func: str, place: str) -> Options:
        """The argument of count, share and percent."""
        whole = func != "count" and place in _BESIDE and self._looks_around(state)
        parts: tuple[Symbol, ...] = (("part_of", place),) if whole else ()
        end: tuple[Symbol, ...] = (("only_if",), *parts, ("close_value", NUMBER))
        words: Words = {
            "if": _then(("condition", "inside"), ("close_value", NUMBER)),
            "distinct": _then(("distinct_column",), *end),
        }
        if parts:
            words |= _append(self.part_of(state, place)[0], ("close_value", NUMBER))
        if func != "count":
            return words | _append(self.expr(state, "part" if self._new else "amount", NUMBER)[0], *end), False
        words |= {source: _then(*end) for source, _ in state.scope.sources if source in state.scope.optional}
        words |= _append(self._column_words(state, "inside", None), *end)
        if state.scope.depth < DEEPEST:
            words |= self.nested(state, _COUNTED, Operand(NUMBER))[0]
        return words, False

    def amount(self, state: FormState, func: str) -> Options:
        """The argument of sum, avg, min and max."""
        numeric = func in ("sum", "avg")
        end: tuple[Symbol, ...] = (("only_if",), ("close_value", NUMBER if numeric else ANY))
        words = _append(self.expr(state, "amount", NUMBER if numeric else None)[0], *end)
        words["distinct"] = _then(("distinct_column",), *end)
        if state.scope.depth < DEEPEST:
            words |= self.nested(state, _TIED if self._new else _DERIVED, Operand(NUMBER))[0]
        return words, False

    def part_of(self, state: FormState, place: str) -> Options:
        """The keys whose groups together are the whole of a share."""
        return {"per": _then(("key",), ("more_keys",), effect=_BESIDE[place])}, True

    def distinct_column(self, state: FormState) -> Options:
        words = self._column_words(state, "inside", None)
        return words | self._date_parts(state, "inside") if self._new else words, False

    def only_if(self, state: FormState) -> Options:
        return {"if": _then(("condition", "inside"))}, True

    def _constants(self, left: Operand, *, within: bool = False) -> list[str]:
        """The words of constants that may be compared with an operand, or looked for within its texts."""
        if left.unit:
            return [*self._numbers, *self._slot_words("number")]
        table, column = left.column or ("", "")
        full = self.schema.tables[table].full_name if table else ""
        known = self._values.get((full, column), ())
        if left.kind == NUMBER:
            return [*self._numbers, *self._slot_words("number"), *(v for v in known if _DIGITS.match(v))]
        stored = set(map(_fold_spelling, known))
        absent = frozenset[str]() if within else self._elsewhere.get((full, column), frozenset())
        spans = (word for word, span in self._spans if _fold_spelling(word) not in stored and span not in absent)
        texts = [*map(quote_text, known), *self._slot_words("text"), *spans]
        if left.kind == DATE:
            return [*self._slot_words("period", "date"), *texts, *self._numbers]
        if left.kind == TEXT and table:
            return [*texts, *self._numbers, *self._slot_words("number")]
        return [*texts, *self._numbers, *self._slot_words("number", "period", "date")]

    def _slot_words(self, *kinds: str) -> list[str]:
        """The names of slots of some kinds."""
        return [name for name, literal in self._slots.items() if literal.kind in kinds]

    def _kind_of(self, table: str, column: str) -> str:
        """Number, date, text, or any where the type says nothing."""
        found = self.schema.tables[table].column(column)
        if found is None or not found.type:
            return ANY
        if stored_date(found):
            return DATE
        if stored_number(found):
            return NUMBER
        if _NUMBER_TYPE.search(found.type) and not _DATE_TYPE.search(found.type):
            return NUMBER
        if _DATE_TYPE.search(found.type):
            return DATE
        # A column of texts may hold dates or numbers all the same: its samples tell.
        if found.samples and all(_DATE_TEXT.match(sample) for sample in found.samples):
            return DATE
        return ANY if found.samples and all(_DIGITS.match(sample) for sample in found.samples) else TEXT


def _then(*symbols: Symbol, effect: Effect | None = None) -> Step:
    """What follows a word."""
    return symbols, effect


def _append(words: Words, *symbols: Symbol) -> Words:
    """The words with something more to follow each."""
    return {word: ((*then, *symbols), effect) for word, (then, effect) in words.items()}


def _order() -> Words:
    return {"sort": _then(("sort",), ("more_sorts",), ("after_sort",)), "top": _then(("top",))}


def _find_key_columns(schema: FormSchema) -> frozenset[tuple[str, str]]:
    """The columns (table, column) that only tell rows apart or point to others."""
    found = [(name, c.name) for name, table in schema.tables.items() for c in table.columns if c.primary_key]
    found += [(name, c) for name, table in schema.tables.items() for key in table.foreign_keys for c in key.columns]
    return frozenset(found)


def _find_components(schema: FormSchema) -> dict[str, int]:
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


def _fold_spelling(text: str) -> str:
    """A text without case, marks and plural: where a column holds `Ph.D.`, the question's ph.d is spelled like it."""
    return _MARKS.sub("", text.casefold()).removesuffix("s")
