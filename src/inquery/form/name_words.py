"""How names and constants are spelled as single words of the form.

This file, ast.py, reader.py and printing.py need nothing but the standard library: training has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from inquery.form.ast import AGGREGATES, SET_OPERATORS, UNITS

if TYPE_CHECKING:
    from inquery.sql.catalog import Table

KEYWORDS = frozenset(
    [
        "from",
        "show",
        "distinct",
        "where",
        "same",
        "by",
        "having",
        "sort",
        "desc",
        "top",
        "maybe",
        "as",
        "via",
        "if",
        "and",
        "or",
        "not",
        "in",
        "between",
        "has",
        "starts",
        "ends",
        "null",
        "any",
        "no",
        "days",
    ]
)
RESERVED = KEYWORDS | set(AGGREGATES) | set(UNITS) | set(SET_OPERATORS)
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
DATE = re.compile(r"\d{4}-\d\d-\d\d([T_]\d\d:\d\d(:\d\d)?)?$")
SLOT = re.compile(r"[vnt]\d+$")
_ODD = re.compile(r"[^\w$]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"'(?:[^']|'')*'(?=\s|$)|\S+")


class FormError(ValueError):
    """A text that is no form, or a form that has no SQL; `position` is the index of the word, if there is one."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message if position is None else f"{message} at word {position}")
        self.position = position


def split_words(text: str) -> list[str]:
    """The words of a text; a quoted constant is one word, spaces and all."""
    return _WORD.findall(text)


def quote_text(value: str) -> str:
    """A text constant as one word."""
    return "'" + value.replace("'", "''") + "'"


def spell_name(name: str) -> str:
    """A name as one word: letters, digits and underscores of any script."""
    return _ODD.sub("_", name).strip("_") or "_"


def snake_case(name: str) -> str:
    """orderDate, OrderDate and ORDER_DATE as order_date: one spelling spares a small model the styles of people."""
    return re.sub(r"_+", "_", _CAMEL.sub("_", name).lower())


def spell_alone(name: str) -> str:
    """A name that may stand unqualified, so it must not look like another word of the form.

    The sheet 2024 sales is t_2024_sales: its year stays in front, where the writer finds it, behind a prefix it knows.
    """
    word = spell_name(name)
    if word[0].isdigit():
        return f"t_{word}"
    return word + "_" if word in RESERVED or SLOT.match(word) else word


def table_names(tables: Iterable[Table]) -> dict[str, Table]:
    """Tables by the name the form's tree uses: short where that is unique, else the full dotted name."""
    listed = list(tables)
    counts: dict[str, int] = {}
    for table in listed:
        counts[table.name] = counts.get(table.name, 0) + 1
    return {(t.name if counts[t.name] == 1 else t.full_name): t for t in listed}


class NameMap:
    """Names of the catalogue and their spelling in the form, both ways; spellings are unique within their scope.

    `said` has what some names are called in the language of the question.
    """

    def __init__(self, tables: Sequence[Table], *, lower: bool = False, said: Mapping[str, str] | None = None) -> None:
        self._lower = lower
        self.tables = table_names(tables)
        self._said = _tell_apart(self.tables, said) if said else {}
        self.table_words = self._unique(self.tables, spell_alone)
        self.word_tables = {word: name for name, word in self.table_words.items()}
        self.column_words: dict[str, dict[str, str]] = {}
        self.word_columns: dict[str, dict[str, str]] = {}
        self._roles: dict[str, str] = {}
        for name, table in self.tables.items():
            words = self._unique((column.name for column in table.columns), spell_name)
            self.column_words[name] = words
            self.word_columns[name] = {word: column for column, word in words.items()}
            for column in words:
                self._roles.setdefault(self.role_word(column), column)

    def _unique(self, names: Iterable[str], spelling: Callable[[str], str]) -> dict[str, str]:
        words: dict[str, str] = dict.fromkeys(names, "")
        taken: set[str] = set()
        # A name that is a word itself keeps it; one that is only called so is numbered.
        for name in sorted(words, key=self._said.__contains__):
            word = base = spelling(self._cased(name))
            if word in taken and name.isascii() and not spell_name(name)[0].isdigit():
                word = base = spelling(snake_case(name) if self._lower else name)
            number = 2
            while word in taken:
                word, number = f"{base}_{number}", number + 1
            taken.add(word)
            words[name] = word
        return words

    def role_word(self, role: str) -> str:
        """The word of a role, which is the name of a key column."""
        return spell_alone(self._cased(role))

    def _cased(self, name: str) -> str:
        said = self._said.get(name, name)
        return snake_case(said) if self._lower else said

    def role(self, word: str) -> str:
        """The role of a word: the column it was spelled from, else the word itself."""
        return self._roles.get(word, word)


def _tell_apart(tables: Mapping[str, Table], said: Mapping[str, str]) -> dict[str, str]:
    """What names are called, as words; two tables, or two columns that may name a role, are never called the same."""
    keys = {column for table in tables.values() for key in table.foreign_keys for column in key.columns}
    found = {column.name: spell_name(said.get(column.name, "")) for t in tables.values() for column in t.columns}
    taken: set[str] = set()
    for name in dict.fromkeys([*tables, *(name for name in found if name in keys)]):
        word = base = spell_name(said.get(name, name))
        number = 2
        while word.casefold() in taken:
            word, number = f"{base}_{number}", number + 1
        taken.add(word.casefold())
        found[name] = word
    return {name: word for name, word in found.items() if name in said}
