"""How much of a schema the embedded model is shown: all that its budget holds, the rest left out by relevance."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inquery.catalog.suitable import private
from inquery.catalog.value_index import ValueMatch
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.llm.embedded.measures import Meanings, understood, with_measures
from inquery.llm.embedded.prompt import PromptFormat, PromptTable, column_text, schema_text
from inquery.llm.embedded.spoken import Values, spoken_names, spoken_values, with_codes_as_words
from inquery.llm.embedded.view import prompt_tables
from inquery.llm.schema_choice import choose
from inquery.sql.catalog import Column, Join, Table, with_references

if TYPE_CHECKING:  # training renders with this file, and has no settings
    from inquery.llm.writer import Measure, WriteRequest

SCHEMA_TOKENS = 1100
"""A larger schema is cut to what the question needs most: reading costs 3 ms a token. Training saw up to 1,600."""
CHOSEN_TOKENS = 900
"""What is chosen for one question is read anew for each, so it is shorter than what is read once for all."""

_ZERO = re.compile(r"0(?:\.0*)?")

Begin = Callable[[str], list[int]]
"""The tokens of a prompt that begins with a text."""


@dataclass(frozen=True, slots=True)
class View:
    """A schema made ready once: its names, its join graph, and its part of the prompt."""

    tables: tuple[Table, ...]
    names: NameMap
    schema: FormSchema
    shown: FormSchema
    meanings: Meanings
    prompt: tuple[PromptTable, ...]
    values: Values
    tokens: tuple[int, ...]
    for_question: bool = False
    """Whether it shows what one question needs, of a schema that does not fit."""


def make_view(request: WriteRequest, language: str, begin: Begin, style: PromptFormat) -> View:
    """The schema of a request, or what fits of it; in a stable order, so that a prefix that was read is used again."""
    schema = request.schema
    # Prompt, grammar, names and measures all read a table's keys: what counts as one is decided here alone.
    tables = with_references(schema.tables, schema.joins) if style.undeclared else schema.tables
    whole = view_of(tables, schema.joins, language, begin, style, request.measures)
    if len(whole.tokens) <= SCHEMA_TOKENS:
        return whole
    return chosen_view(request.question, request.values, whole, schema.joins, language, begin, style, request.measures)


def chosen_view(
    question: str,
    values: Sequence[ValueMatch],
    whole: View,
    joins: tuple[Join, ...],
    language: str,
    begin: Begin,
    style: PromptFormat,
    measures: tuple[Measure, ...] = (),
) -> View:
    """The tables and columns that a question needs most, of a schema that does not fit."""
    tables, cost = tuple(whole.schema.tables.values()), _costs(whole, begin)
    choice = filled_tables(tables, joins) if style.filled else tables
    budget = CHOSEN_TOKENS
    while True:
        chosen = choose(question, choice, joins, values, cost, budget)
        view = view_of(chosen, joins, language, begin, style, measures, whole=tables)
        if len(view.tokens) <= CHOSEN_TOKENS or budget < CHOSEN_TOKENS // 4:
            return view
        # Names change with what stands beside them, and a measure adds a column: the sum of the parts is a guess.
        budget -= max(20, len(view.tokens) - CHOSEN_TOKENS)


def filled_tables(tables: Sequence[Table], joins: Sequence[Join]) -> tuple[Table, ...]:
    """The tables with the columns that hold something, as far as that is known; of an ERP half of them never do."""
    joined = {(join.left, name) for join in joins for name in join.left_columns}
    joined |= {(join.right, name) for join in joins for name in join.right_columns}
    joined |= {(table.path, name) for table in tables for key in table.foreign_keys for name in key.columns}
    return tuple(_filled(table, joined) if table.counted and not table.is_empty else table for table in tables)


def _filled(table: Table, joined: Container[tuple[tuple[str, ...], str]]) -> Table:
    kept = tuple(
        column
        for column in table.columns
        if _holds_values(column) or column.primary_key or (table.path, column.name) in joined or private(column.name)
    )
    # Where no value was read at all, nothing is known.
    return replace(table, columns=kept) if any(column.samples for column in kept) else table


def _holds_values(column: Column) -> bool:
    """Whether a column says anything: an amount that is 0 in every row drew sums away from the one that is kept."""
    return any(sample.strip() and not _ZERO.fullmatch(sample) for sample in column.samples)


def _costs(whole: View, begin: Begin) -> Callable[[Table, Column | None], int]:
    """What tables and columns take in tokens, as the whole schema spells them."""
    texts = {
        (table.path, column.name if column else ""): column_text(shown)
        if shown
        else f"{heading.name} {heading.comment}"
        for table, heading in zip(whole.tables, whole.prompt, strict=True)
        for column, shown in ((None, None), *zip(table.columns, heading.columns, strict=True))
    }
    known: dict[tuple[tuple[str, ...], str], int] = {}

    def cost(table: Table, column: Column | None) -> int:
        key = (table.path, column.name if column else "")
        if key not in known:
            known[key] = len(begin(" " + texts[key])) - 1 + (column is None)
        return known[key]

    return cost


def view_of(
    tables: Sequence[Table],
    joins: tuple[Join, ...],
    language: str,
    begin: Begin,
    style: PromptFormat,
    measures: tuple[Measure, ...] = (),
    whole: Sequence[Table] = (),
) -> View:
    """The view of some tables; `whole` has all their columns, which a measure may need though they are not shown."""
    shown_tables = tuple(sorted(tables, key=lambda table: table.path))
    paths = {table.path: table for table in whole or tables}
    stored = tuple(paths[table.path] for table in shown_tables)
    form = FormSchema(stored, joins)
    meanings = understood(measures, form)
    with_all = with_codes_as_words(with_measures(shown_tables, meanings))
    # Of a schema that fits, the names it has: today's weights read those rightly, and it was measured with them.
    names = spoken_names(with_all, language, plain=whole if style.plain else ())
    prompt = prompt_tables(with_all, names, language, style)
    tokens = begin(schema_text(prompt))
    shown = form if with_all == stored else FormSchema(with_all, joins)
    said = spoken_values(with_all, language)
    return View(with_all, names, form, shown, meanings, prompt, said, tuple(tokens), for_question=bool(whole))
