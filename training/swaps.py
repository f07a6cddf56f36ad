"""Other values, numbers and columns in a question and its form alike, so that a question is not learned by heart.

Only what the question says word for word, and says once, is exchanged: "singers from France older than 30" becomes
"singers from Spain older than 45", and "average age" becomes "average height" where the table has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from inquery.form.ast import Block, ColumnRef, Literal, Predicate, Source, rebuild_tree, walk_tree
from inquery.form.name_words import FormError, NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import has_cjk, name_stems
from inquery.llm.embedded.prompt import column_kind
from inquery.sql.catalog import Column, Table
from training.engine.augment import singular, to_chinese, to_english
from training.engine.naming import split
from training.engine.words import plural
from training.prepare import tables_of

SHARE = 0.85
"""Questions that are looked at in a copy; of these, not all say something that can be exchanged."""
LONGEST_VALUE = 40
_WORD = re.compile(r"[A-Za-z]+")
Place = tuple[str, str]


def swapped(group: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The group with some of its questions asking for something else."""
    tables = tables_of(group)
    names = NameMap(tables)
    questions = [
        other(item, names, names.tables, group["values"], rng) if rng.random() < SHARE else item
        for item in group["questions"]
    ]
    return {**group, "questions": questions}


def other(
    item: dict[str, Any], names: NameMap, tables: dict[str, Table], values: dict[str, list[str]], rng: Random
) -> dict[str, Any]:
    """One question and its form with other columns, values and numbers where it says them."""
    if "phrases" in item:
        return item
    try:
        query = read_form(item["form"], names)
    except FormError:
        return item
    swap = Swap(item["question"], query, tables, values, rng)
    for change in (swap.columns, swap.values, swap.numbers):
        if rng.random() < 0.75:
            change()
    if swap.query == query:
        return item
    return {**item, "question": swap.question, "form": write(swap.query, names)}


class Swap:
    """A question and its form while they are changed together."""

    def __init__(
        self, question: str, query: Any, tables: dict[str, Table], values: dict[str, list[str]], rng: Random
    ) -> None:
        self.question, self.query, self.tables, self.known, self.rng = question, query, tables, values, rng
        self.sources = {node.name: node.table for node in walk_tree(query) if isinstance(node, Source)}

    # --- values ---

    def values(self) -> None:
        """Another value of the column for each text the question says once."""
        for place, value in dict.fromkeys(self._compared()):
            at = said_once(self.question, value)
            others = [v for v in self.known.get(".".join(place), ()) if self._may_stand_for(v, value)]
            if at is None or not others or self.question[at - 1 : at] in ("(", "（"):
                continue
            new = self.rng.choice(others)
            self._say(at, at + len(value), new)
            self.query = rebuild_tree(
                self.query, partial(_literal, old=Literal(value, "text"), new=Literal(new, "text"))
            )

    def _compared(self) -> Iterator[tuple[Place, str]]:
        for node in walk_tree(self.query):
            if (
                isinstance(node, Predicate)
                and isinstance(node.left, ColumnRef)
                and node.op in ("=", "!=", "in", "not in")
            ):
                right = node.right if isinstance(node.right, tuple) else (node.right,)
                for literal in right:
                    if isinstance(literal, Literal) and literal.kind == "text" and len(str(literal.value)) > 1:
                        yield self._place(node.left), str(literal.value)

    def _may_stand_for(self, new: str, old: str) -> bool:
        """Whether a value reads like the one it replaces and is not said already."""
        alike = has_cjk(new) == has_cjk(old) and new.isdigit() == old.isdigit()
        return alike and 1 < len(new) <= LONGEST_VALUE and new.casefold() not in self.question.casefold()

    # --- numbers ---

    def numbers(self) -> None:
        """Another number for each one the question says once in digits."""
        tops = {node.top for node in walk_tree(self.query) if isinstance(node, Block) and node.top is not None}
        literals = (node for node in walk_tree(self.query) if isinstance(node, Literal) and node.kind == "number")
        for literal in dict.fromkeys(literals):
            text = f"{literal.value:g}" if isinstance(literal.value, float) else str(literal.value)
            found = list(re.finditer(_STANDING.format(re.escape(text)), self.question))
            if len(found) != 1:
                continue
            new = self.rng.randint(2, 15) if literal in tops else other_number(literal.value, self.rng)  # type: ignore[arg-type]
            if new == literal.value or any(Literal(new, "number") == node for node in walk_tree(self.query)):
                continue
            self._say(found[0].start(), found[0].end(), str(new))
            self.query = rebuild_tree(self.query, partial(_literal, old=literal, new=Literal(new, "number")))

    # --- columns ---

    def columns(self) -> None:
        """Another column of the same table and kind for one the question names."""
        places = list(dict.fromkeys(self._place(n) for n in walk_tree(self.query) if isinstance(n, ColumnRef)))
        tested = {place for place, _ in self._compared()} | self._searched()
        self.rng.shuffle(places)
        for place in places:
            table = self.tables[place[0]]
            column = table.column(place[1])
            if column is None or place in tested or _is_key(table, column):
                continue
            said = self._said(column, table)
            others = [c for c in table.columns if self._may_replace(c, column, table, places)]
            if said is None or not others:
                continue
            new = self.rng.choice(others)
            spoken = self._spoken(new, self.question[said[0] : said[1]])
            if not spoken or spoken.casefold() in self.question.casefold():
                continue
            self._say(*said, spoken)
            self.query = rebuild_tree(self.query, partial(self._moved, old=place, new=new.name))
            return

    def _moved(self, node: Any, old: Place, new: str) -> Any:
        if isinstance(node, ColumnRef) and self._place(node) == old:
            return ColumnRef(node.source, new)
        return node

    def _searched(self) -> set[Place]:
        """Columns tested by a part of their text, by a date or for being empty: another column would not fit."""
        return {
            self._place(node.left)
            for node in walk_tree(self.query)
            if isinstance(node, Predicate) and isinstance(node.left, ColumnRef)
            and node.op in ("has", "not has", "starts", "ends", "is null", "not null")
        }  # fmt: skip

    def _may_replace(self, new: Column, old: Column, table: Table, used: list[Place]) -> bool:
        return (
            new.name != old.name
            and not _is_key(table, new)
            and not _FLAG.match(new.name)
            and column_kind(new.type, new.samples) == column_kind(old.type, old.samples)
            and all(column != new.name for _, column in used)
        )

    def _said(self, column: Column, table: Table) -> tuple[int, int] | None:
        """Where the question names a column, when it does so once and no longer name of the table is meant."""
        spots = self._spots(column)
        if len(spots) != 1:
            return None
        start, end = spots[0]
        for rival in table.columns:
            if rival.name != column.name and any(a <= start and end <= b for a, b in self._spots(rival)):
                return None
        return start, end

    def _spots(self, column: Column) -> list[tuple[int, int]]:
        if has_cjk(self.question):
            return next((found for word in chinese_names(column.name) if (found := _all(word, self.question))), [])
        stems = name_stems(to_english(column.name) if has_cjk(column.name) else column.name)
        words = [(m.start(), m.end()) for m in _WORD.finditer(self.question)]
        spoken = [stem_term(self.question[a:b].casefold()) for a, b in words]
        size = len(stems)
        return [
            (words[i][0], words[i + size - 1][1])
            for i in range(len(words) - size + 1)
            if size and spoken[i : i + size] == list(stems)
        ]

    def _spoken(self, column: Column, instead_of: str) -> str:
        """A column as a question says it, in the plural where the word it replaces was one."""
        if has_cjk(self.question):
            return next(iter(chinese_names(column.name)), "")
        words = (to_english(column.name) if has_cjk(column.name) else " ".join(split(column.name))).split()
        if not words or not all(word.isalpha() and len(word) > 2 for word in words):
            return ""
        last = instead_of.split()[-1].casefold()
        return " ".join([*words[:-1], plural(words[-1]) if singular(last) != last else words[-1]])

    # --- both ---

    def _place(self, node: ColumnRef) -> Place:
        return self.sources.get(node.source, node.source), node.column

    def _say(self, start: int, end: int, new: str) -> None:
        self.question = self.question[:start] + new + self.question[end:]


_FLAG = re.compile(r"(is|has)_|(is|has)[A-Z]|是否")
_STANDING = r"(?<![\w.,/:$-]){}(?![\w,/:%年月日号季]|\.\d|-\d)"
"""A number that is not a part of a date, a price with commas, a name or a percentage."""


def other_number(value: int | float, rng: Random) -> int | float:
    """A number of the same size and as round as the given one."""
    if isinstance(value, float):
        digits = len(f"{value:g}".partition(".")[2]) or 1
        return round(value * rng.choice((0.6, 0.8, 1.2, 1.5)), digits)
    if 1900 <= value <= 2100:
        return value + rng.randint(-9, 9)
    if abs(value) <= 20:
        return rng.randint(2, 25)
    step: int = 10 ** max(0, len(str(abs(value))) - 2)
    while value % step:
        step //= 10
    return max(step, round(value * rng.choice((0.4, 0.6, 0.8, 1.25, 1.5, 2)) / step) * step)


def said_once(question: str, value: str) -> int | None:
    """Where a question says a value, when it does so once and not as a part of a word."""
    edge = "" if has_cjk(value) else r"(?![A-Za-z0-9])"
    found = [
        m.start()
        for m in re.finditer(("" if has_cjk(value) else r"(?<![A-Za-z0-9])") + re.escape(value) + edge, question, re.I)
    ]
    return found[0] if len(found) == 1 else None


def chinese_names(name: str) -> tuple[str, ...]:
    """What a column is called in a Chinese question: its own Chinese name, or what the lexicon has for it."""
    if has_cjk(name):
        return (name,)
    words = lexicon().chinese.get(stem_term(" ".join(singular(part) for part in split(name))), ())
    whole = to_chinese(name)
    return tuple(word for word in dict.fromkeys((*words, whole)) if len(word) > 1)


def _all(word: str, text: str) -> list[tuple[int, int]]:
    return [(m.start(), m.end()) for m in re.finditer(re.escape(word), text)]


def _is_key(table: Table, column: Column) -> bool:
    return column.primary_key or any(column.name in key.columns for key in table.foreign_keys)


def _literal(node: Any, old: Literal, new: Literal) -> Any:
    return new if node == old else node
