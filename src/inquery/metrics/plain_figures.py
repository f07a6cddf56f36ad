"""Which plans define nothing that could be wrong: rows of a named thing that are counted, a named column that is added up.

A proposed measure is a guess at what the business means by a word. `How many tracks are there?` leaves nothing to guess:
the rows of the one thing that is called so are counted, all of them, split by what is named.
"""

from __future__ import annotations

import re

from inquery.catalog.time_columns import time_columns
from inquery.knowledge.glossary import Glossary
from inquery.metrics.metric_book import Book
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import Grouping, Plan
from inquery.metrics.propose import not_deleted
from inquery.metrics.question_cover import Key, Vocabulary, key_of, stands_in
from inquery.metrics.spoken_labels import short_texts, spoken_name
from inquery.sql.catalog import Column, Table

_PLAIN = frozenset({"measures", "groups", "period", "ranking"})
_TOTAL = re.compile(r'SUM\((?:"[^"]+"|\w+)\.(?:"(?P<quoted>[^"]+)"|(?P<bare>\w+))\)')


def is_plain(question: str, plan: Plan, vocabulary: Vocabulary) -> bool:
    """Whether a plan counts rows or adds up a column, all of whose names the question says, each of them one thing's alone."""
    if set(plan.model_dump(exclude_defaults=True)) - _PLAIN or len(plan.measures) != 1:
        return False
    if plan.ranking is not None and (plan.ranking.per_group or plan.ranking.by != "value"):
        return False
    book, said = vocabulary.book, key_of(question)
    metric = book.metric(plan.measures[0])
    table = book.catalog.by_name.get(metric.entity)
    if table is None or metric.kind != "simple" or metric.filter not in {"", not_deleted(table)}:
        return False
    dated = plan.period is not None or any(group.unit for group in plan.groups)
    if dated and len(time_columns(table)) != 1:
        return False  # which of several dates counts is a guess
    counts = metric.expression == "COUNT(*)" and _is_alone(table, said, book)
    measured = counts or _adds_up(metric, table, said, vocabulary)
    return measured and all(_is_named(group, said, vocabulary) for group in plan.groups if group.dimension)


def _is_alone(table: Table, said: Key, book: Book) -> bool:
    """Whether the question says a word for a table that no other table is called by."""
    own = {key for key in map(key_of, book.table_words(table)) if key and stands_in(key, said)}
    return any(book.called[key] == 1 for key in own)


def _adds_up(metric: Metric, table: Table, said: Key, vocabulary: Vocabulary) -> bool:
    """Whether a measure is the total of a column that adds up and that the question calls by its own name."""
    found = _TOTAL.fullmatch(metric.expression)
    column = table.column(found["quoted"] or found["bare"]) if found else None
    if column is None or metric.additivity != "additive":
        return False
    for key in map(key_of, _own_names(table, column, vocabulary.book.glossary)):
        senses = vocabulary.phrases.get(key) if key and stands_in(key, said) else None
        if senses is not None and senses.metrics == [metric.name]:
            return True
    return False


def _own_names(table: Table, column: Column, glossary: Glossary) -> tuple[str, ...]:
    """What a column is called by its database and by people, without what a dictionary makes of that."""
    label = glossary.shown_as(table, column.name).label
    return (spoken_name(column.name), label.en, label.zh, *short_texts(column.comment))


def _is_named(group: Grouping, said: Key, vocabulary: Vocabulary) -> bool:
    """Whether the question names what is split by, with a word that nothing else here is called by."""
    book, dimension = vocabulary.book, vocabulary.book.dimension(group.dimension)
    table = book.catalog.by_name.get(dimension.table)
    if table is None or group.sides:
        return False
    if dimension.is_entity and _is_alone(table, said, book):
        return True
    for key in map(key_of, book.column_words(table, dimension.column)):
        senses = vocabulary.phrases.get(key) if key and stands_in(key, said) else None
        if senses is not None and senses.dimensions == [dimension.name]:
            return True
    return False
