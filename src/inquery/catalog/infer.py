"""Joins that nobody declared, found by the names and types of columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from inquery.catalog.families import systems
from inquery.catalog.key_names import (
    GENERIC,
    PEOPLE,
    SUPERIORS,
    UPWARD,
    common_prefix,
    entity_of,
    joinable,
    primary_key,
    refers_to,
    same_word,
    type_family,
)
from inquery.language.text import fold, name_words
from inquery.sql import Catalog, Column, Join, Table
from inquery.sql.dialects import DIALECTS

CROWD = 30
SHARED_LIMIT = 6  # a key without a home table in more tables than this says nothing


class Guess(NamedTuple):
    """A possible parent of a column."""

    confidence: float
    table: Table
    column: Column
    reason: str


class Names:
    """Tables of a catalogue by the entity they store and by the name of their key."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        common = common_prefix([table.name for table in catalog.tables])
        self.entity = {table.path: entity_of(table.name, common) for table in catalog.tables}
        self.key = {table.path: primary_key(table) for table in catalog.tables}
        self.by_last: dict[str, list[Table]] = defaultdict(list)
        self.by_key: dict[str, list[Table]] = defaultdict(list)
        self.by_initial: dict[str, set[str]] = defaultdict(set)
        self.by_entity: dict[tuple[str, ...], list[Table]] = defaultdict(list)
        for table in catalog.tables:
            last = self.entity[table.path][-1] if self.entity[table.path] else ""
            self.by_last[last].append(table)
            self.by_initial[last[:2]].add(last)
            self.by_entity[self.entity[table.path]].append(table)
            if len(self.key[table.path]) == 1:
                self.by_key[fold(self.key[table.path][0].name)].append(table)

    def called(self, entity: tuple[str, ...]) -> list[Table]:
        """Tables that an entity may mean; where a word is everywhere, only those named wholly by it."""
        found: list[Table] = []
        for word in sorted(w for w in self.by_initial.get(entity[-1][:2], ()) if same_word(entity[-1], w)):
            crowd = self.by_last[word]
            found += crowd if len(crowd) <= CROWD else self.by_entity.get((*entity[:-1], word), ())
        return found


def inferred(catalog: Catalog, declared: Iterable[Join]) -> Iterator[Join]:
    """Joins beside the declared ones, best guesses only."""
    known = list(declared)
    bound = {(join.left, fold(name)) for join in known for name in join.left_columns}
    names = Names(catalog)
    system = systems(catalog.tables)
    homeless: dict[str, list[tuple[Table, Column]]] = defaultdict(list)
    for table in catalog.tables:
        for column in table.columns:
            if (table.path, fold(column.name)) in bound:
                continue
            guesses = best(
                table, [g for g in guess(names, table, column) if together(system, table.path, g.table.path)]
            )
            for each in guesses:
                yield joined(table, column, each)
            if not guesses and is_identifier(column.name) and not is_own_key(names, table, column):
                homeless[fold(column.name)].append((table, column))
    for join in chain(composite(names, known), shared(homeless)):
        if together(system, join.left, join.right):
            yield join


def together(system: Mapping[tuple[str, ...], tuple[str, ...]], left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether names may be compared: a key of one system of a warehouse says nothing about another system's tables."""
    return left not in system or right not in system or system[left] == system[right]


def guess(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Every table the column may refer to."""
    folded = fold(column.name)
    if is_own_key(names, table, column):
        yield from inherited(names, table, column)
        return
    if folded not in GENERIC:
        for other in names.by_key.get(folded, ()):
            key = names.key[other.path][0]
            if other.path != table.path:
                sure = 0.9 if names_entity(names, column, other) else 0.8 if refers_to(column.name) else 0.55
                yield from typed(names, column, Guess(sure, other, key, "same name as the key of the other table"))
    yield from by_entity(names, table, column)


def by_entity(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables whose name is the entity the column names: customer_id, ship_address_id, 客户编号."""
    reference = refers_to(column.name)
    if reference is None:
        yield from by_plain_name(names, table, column)
        return
    if reference.chinese:
        candidates = [t for tail in tails(reference.chinese) for t in names.by_last.get(tail, ())]
    else:
        candidates = names.called(reference.entity)
    for other in candidates:
        fit = entity_fit(names, reference.entity, reference.chinese, other)
        yield from target(names, table, column, other, fit)
    if not candidates:
        yield from by_role(names, table, column)


def by_role(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Columns that say what the row is to this one: a parent of its kind, a manager among the people."""
    if is_upward(column.name, UPWARD):
        yield from target(names, table, column, table, 0.7, reason="a column that points upward in its own table")
    elif is_upward(column.name, SUPERIORS):
        people = [t for word in PEOPLE for t in names.by_last.get(word, ()) if names.entity[t.path] == (word,)]
        if table in people:
            yield from target(names, table, column, table, 0.7, reason="a superior in the same table")
        elif len(people) == 1:
            yield from target(names, table, column, people[0], 0.6, reason="a superior is one of the people")


def by_plain_name(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A column named exactly as a table: artist → artists, when their keys fit."""
    if not name_words(column.name) or fold(column.name) in GENERIC or not column.type:
        return
    if type_family(column.type) == "number":
        yield from by_role(names, table, column)
    entity = entity_of(column.name)
    for other in names.by_last.get(entity[-1], ()):
        key = names.key[other.path]
        if names.entity[other.path] == entity and other.path != table.path and len(key) == 1 and key[0].type:
            yield from target(names, table, column, other, 0.6, reason="named as the other table")


def entity_fit(names: Names, entity: tuple[str, ...], chinese: str, other: Table) -> float:
    """How well a reference names a table: wholly, by its last word, or by a short form."""
    stored = names.entity[other.path]
    if chinese:
        return 0.85 if stored[-1] == chinese else 0.7
    if entity == stored:
        return 0.88
    if entity[-1] != stored[-1]:
        return 0.65 if len(entity) == len(stored) else 0.0
    if entity[-len(stored) :] == stored:
        return 0.75
    # order_status_id and status: the table has words the column lacks
    return 0.6 if len(stored) - len(entity) == 1 and len(entity) == 1 else 0.0


def target(
    names: Names, table: Table, column: Column, other: Table, confidence: float, *, reason: str = ""
) -> Iterator[Guess]:
    """The column of the other table that the reference can mean: its only key, or a column of that name."""
    if not confidence or (other.path == table.path and not is_upward(column.name, UPWARD | SUPERIORS)):
        return
    key = names.key[other.path]
    found = key[0] if len(key) == 1 else other.column(column.name)
    if len(key) > 1:
        confidence = min(confidence, 0.5)  # a part of a key does not name one row
    if found is None and not key:
        found = other.column("id")
    if found is not None and (other.path, found.name) != (table.path, column.name):
        yield from typed(names, column, Guess(confidence, other, found, reason or f"{column.name} names {other.name}"))


def typed(names: Names, column: Column, found: Guess) -> Iterator[Guess]:
    """The guess if the types allow it; engines that compare any types are often declared sloppily."""
    if joinable(column, found.column):
        yield found
    elif found.confidence >= 0.85 and DIALECTS[names.catalog.dialect].compares_any_types:
        yield found._replace(confidence=0.5, reason=found.reason + ", though the types differ")


def inherited(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A key that is also another table's key extends it: employees.person_id of persons."""
    if fold(column.name) in GENERIC or names_entity(names, column, table):
        return
    for other in names.by_key.get(fold(column.name), ()):
        if other.path != table.path and names_entity(names, column, other):
            yield Guess(0.75, other, names.key[other.path][0], "shares the key of the other table")


def is_identifier(column: str) -> bool:
    """Whether a column is named as an id of something: a shared phone number joins nothing."""
    return refers_to(column) is not None and fold(column).endswith(("id", "uuid", "编号"))


def is_own_key(names: Names, table: Table, column: Column) -> bool:
    """Whether the column alone is the key of its table."""
    return len(names.key[table.path]) == 1 and names.key[table.path][0].name == column.name


def names_entity(names: Names, column: Column, table: Table) -> bool:
    """Whether a key's name speaks of what the table stores."""
    reference = refers_to(column.name)
    if reference is None:
        return False
    stored = names.entity[table.path]
    return reference.chinese == stored[-1] if reference.chinese else same_word(reference.entity[-1], stored[-1])


def is_upward(column: str, words: frozenset[str]) -> bool:
    """Whether the name says parent, manager and the like."""
    folded = fold(column)
    return any(word in words for word in name_words(column)) or any(w in folded for w in words if not w.isascii())


def tails(chinese: str) -> list[str]:
    """A Chinese name and its endings of two characters or more: 下单客户 → 下单客户, 单客户, 客户."""
    return [chinese[start:] for start in range(max(1, len(chinese) - 1))]


def best(table: Table, guesses: list[Guess]) -> list[Guess]:
    """The surest parent; equally sure ones only when few, those of the same schema first."""
    if not guesses:
        return []
    unique: dict[tuple[str, ...], Guess] = {}
    for each in sorted(guesses, key=lambda g: (-g.confidence, g.table.path)):
        unique.setdefault(each.table.path, each)
    top = next(iter(unique.values())).confidence
    equal = [each for each in unique.values() if each.confidence == top]
    near = [each for each in equal if each.table.path[:-1] == table.path[:-1]]
    chosen = near or equal
    if len(chosen) > 3:
        return []
    return [each._replace(confidence=round(each.confidence - 0.15 * (len(chosen) > 1), 2)) for each in chosen]


def joined(table: Table, column: Column, found: Guess) -> Join:
    """The edge for a guess."""
    return Join(
        table.path, (column.name,), found.table.path, (found.column.name,), False, found.confidence, found.reason
    )


def composite(names: Names, declared: list[Join]) -> Iterator[Join]:
    """Tables that hold all columns of another table's key of several columns."""
    known = {(join.left, join.right) for join in declared}
    holders: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    keyed = [t for t in names.catalog.tables if len(names.key[t.path]) > 1]
    wanted = {fold(c.name) for t in keyed for c in names.key[t.path]}
    for table in names.catalog.tables if keyed else ():
        for column in table.columns:
            if fold(column.name) in wanted:
                holders[fold(column.name)].add(table.path)
    for other in keyed:
        key = names.key[other.path]
        if all(fold(c.name) in GENERIC for c in key):
            continue
        for path in sorted(set.intersection(*(holders[fold(c.name)] for c in key)) - {other.path}):
            if (path, other.path) in known or (other.path, path) in known or _same_key(names, path, key, other):
                continue
            columns = [names.catalog.by_path[path].column(c.name) for c in key]
            if all(mine and joinable(mine, c) for mine, c in zip(columns, key, strict=True)):
                left = tuple(mine.name for mine in columns if mine)
                sure = (
                    0.5 if len(names.key[path]) == len(key) and set(left) == {c.name for c in names.key[path]} else 0.7
                )
                yield Join(
                    path,
                    left,
                    other.path,
                    tuple(c.name for c in key),
                    False,
                    sure,
                    "holds the whole key of the other table",
                )


def _same_key(names: Names, path: tuple[str, ...], key: tuple[Column, ...], other: Table) -> bool:
    """Of two tables with one key, only the first by name is the child, so that there is one edge."""
    mine = {fold(c.name) for c in names.key[path]}
    return mine == {fold(c.name) for c in key} and path > other.path


def shared(homeless: dict[str, list[tuple[Table, Column]]]) -> Iterator[Join]:
    """Tables that share a key whose own table is not in the catalogue."""
    for places in homeless.values():
        if not 2 <= len(places) <= SHARED_LIMIT:
            continue
        hub, hub_column = places[0]
        for table, column in places[1:]:
            if joinable(column, hub_column):
                yield Join(
                    table.path, (column.name,), hub.path, (hub_column.name,), False, 0.45, "both hold the same key"
                )
