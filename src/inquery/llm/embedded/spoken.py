"""A schema in the language of the question: Chinese names and values in English for whoever asks in English.

A question is matched most easily with names in its own language, and the model knows English best. It reads and writes
the words shown here; code puts the stored ones back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from inquery.catalog.enumerations import heading_of
from inquery.catalog.key_names import common_prefix, module_names
from inquery.form.ast import ColumnRef, Literal, Predicate, Source, rebuild_tree, walk_tree
from inquery.form.name_words import NameMap, spell_name
from inquery.language.foreign_names import FRENCH_SHORT, FRENCH_TAX, IN_ENGLISH
from inquery.language.lexicon import vocabulary
from inquery.language.text import has_cjk, name_words, stem
from inquery.language.translation import Wording, clean_name, english_wording, in_english, letters_first, spell_out
from inquery.language.wording import unglued
from inquery.llm.embedded.prompt import MAX_VALUES, categorical_values, column_kind
from inquery.sql.catalog import Column, Meaning, Table

_WORD = re.compile(r"[A-Za-z][a-z_]{2,}")
LEAST_WORD = 4
"""Letters of a word that was written as one with another: formateur is French, and neither format nor EUR."""
Values = Mapping[tuple[str, str], Mapping[str, str]]
"""By (full table name, column): stored values with the words they are shown in."""


def spoken_names(tables: Sequence[Table], language: str, *, plain: Sequence[Table] = ()) -> NameMap:
    """How a form spells the names of a schema: as identifiers, short forms in full, Chinese in English for who asks in it.

    With all tables of the schema as `plain`, the prefix that they share is left out, or those of the parts of a system, words
    that were written as one stand apart and European ones are in English.
    """
    columns = {column.name: letters_first(clean_name(column.name)) for table in tables for column in table.columns}
    stored = {table.name for table in tables} - columns.keys()
    names = {table.name: clean_name(table.name) for table in tables} | columns
    if plain:
        called = names | plain_names(names, common_prefix([table.name for table in plain]))
        within = module_names(plain)
        names = {name: in_words(within.get(name, word)) if name in stored else word for name, word in called.items()}
    full = spell_out(names.values())
    # Byte for byte what the writer was trained with wherever a name needs no cleaning.
    said = {
        name: full.get(word, word)
        for name, word in names.items()
        if word in full or spell_name(word) != spell_name(name)
    }
    if language == "en":
        translated = {name: clean_name(word) for name, word in english(tables).names.items()}
        said |= {name: letters_first(word) if name in columns else word for name, word in translated.items()}
    return NameMap(tables, lower=True, said=said)


def in_words(name: str) -> str:
    """A name whose words were written as one in words: virtualmachine as "virtual machine"."""
    known = vocabulary()
    cut = [(word, unglued(word)) for word in name_words(name)]
    parted = [
        " ".join(parts) if all(len(part) >= LEAST_WORD and stem(part) in known for part in parts) else word
        for word, parts in cut
    ]
    return " ".join(parted) if parted != [word for word, _ in cut] else name


def plain_names(names: Mapping[str, str], common: str) -> dict[str, str]:
    """Names that a system gives its own way, as people would: erp_commande as "order", date_livraison as "date delivery"."""
    split = {stored: name_words(name) for stored, name in names.items()}
    short = FRENCH_SHORT if any(not FRENCH_TAX.isdisjoint(words) for words in split.values()) else {}
    found = {}
    for stored, words in split.items():
        kept = words[1:] if common and len(words) > 1 and words[0] == common else words
        said = [short.get(word) or IN_ENGLISH.get(word, (word,))[0] for word in kept]
        if said != list(words):
            found[stored] = " ".join(said)
    return found


def english(tables: Sequence[Table]) -> Wording:
    """The Chinese names of a schema in English."""
    columns = tuple(column.name for table in tables for column in table.columns)
    return english_wording(tuple(table.name for table in tables), columns)


def with_codes_as_words(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables with columns of explained codes as columns of words, so that prompt and grammar take them for such.

    A model that reads `.status=待付款|已付款` needs no hint to know what 已付款 is, and a code says nothing to it. Code
    puts the stored ones back (`as_stored`).
    """
    return tuple(_with_words(table) if any(map(_is_coded, table.columns)) else table for table in tables)


def _with_words(table: Table) -> Table:
    columns = tuple(
        replace(column, type="TEXT", comment=heading_of(column.comment, column.samples))
        if _is_coded(column)
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)


def _is_coded(column: Column) -> bool:
    """Whether most values that were read stand for something else, and all are few enough to be listed."""
    known = {meaning.value for meaning in column.meanings}
    if not (1 < len(known | set(column.samples)) <= MAX_VALUES and column.samples):
        return False
    return 2 * len(known.intersection(column.samples)) > len(column.samples)


def _word_of(meaning: Meaning, language: str) -> str:
    """A meaning in a language, as far as somebody said it in that or the lexicon knows."""
    own = next((word for word in meaning.words if has_cjk(word) == (language == "zh")), "")
    if own or language != "en":
        return own or meaning.words[0]
    if _WORD.fullmatch(meaning.value):  # `rented` says more than a translation of 在租
        return meaning.value
    return in_english(meaning.words[0]) or meaning.words[0]


def shown_values(table: Table, column: Column) -> tuple[str, ...]:
    """The values of a column that the schema text may list, as stored."""
    if _is_coded(column):
        known = {meaning.value: None for meaning in column.meanings}
        return tuple(known | dict.fromkeys(column.samples))
    kind = column_kind(column.type, column.samples)
    return categorical_values(kind, column.samples, table.estimated_rows, key=column.primary_key)


def spoken_values(tables: Sequence[Table], language: str) -> Values:
    """Codes in the words they stand for, Chinese values in English where that is asked in.

    Nothing of a column where two would become one.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for table in tables:
        for column in table.columns:
            if _is_coded(column):
                words = {meaning.value: _word_of(meaning, language) for meaning in column.meanings}
                if len(set(words.values())) == len(words):
                    found[table.full_name, column.name] = words
                continue
            if language != "en":
                continue
            stored = shown_values(table, column)
            said = {value: word for value in stored if has_cjk(value) and (word := in_english(value))}
            if said and len({*said.values(), *(value for value in stored if value not in said)}) == len(stored):
                found[table.full_name, column.name] = said
    return found


def as_shown(query: Any, values: Values, names: NameMap) -> Any:
    """A form with its constants as they are shown."""
    return _exchanged(query, values, names)


def as_stored(query: Any, values: Values, names: NameMap) -> Any:
    """A form with its constants as they are stored."""
    back = {place: {shown: stored for stored, shown in said.items()} for place, said in values.items()}
    return _exchanged(query, back, names)


def _exchanged(query: Any, values: Values, names: NameMap) -> Any:
    if not values:
        return query
    sources = {node.name: node.table for node in walk_tree(query) if isinstance(node, Source)}

    def change(node: Any) -> Any:
        if not isinstance(node, Predicate) or not isinstance(node.left, ColumnRef):
            return node
        table = names.tables.get(sources.get(node.left.source, node.left.source))
        said = values.get((table.full_name, node.left.column)) if table else None
        return rebuild_tree(node, lambda part: _literal(part, said), into_blocks=False) if said else node

    return rebuild_tree(query, change)


def _literal(node: Any, said: Mapping[str, str]) -> Any:
    # A code of digits is a number in SQL and a word in the prompt.
    if isinstance(node, Literal) and node.kind in {"text", "number"} and str(node.value) in said:
        return Literal(said[str(node.value)], "text")
    return node
