"""References as run time knows them: declared ones taken away, then found again from names and data, mistakes included.

The systems people ask about seldom declare their keys. A writer that has seen `>` at every reference, and at nothing else, is
lost on their schemas; so half of the copies of a schema are shown with what Inquery itself would have found in it.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from inquery.catalog.infer import candidates
from inquery.catalog.join_verdicts import Ends, Tested, ends_of
from inquery.catalog.joins import declared, with_joins
from inquery.sql import Catalog, Join
from inquery.sql.catalog import ForeignKey, Table

UNDECLARED = 0.5
"""The share of copies of a schema whose declarations are taken away."""
UNTESTED = 0.25
"""The share of those that are asked before data was looked at: names alone speak."""
BY_CHANCE = 0.1
"""How often a wrong guess finds its values in the other table: small numbers are found in every key."""
SAMPLED = 20

Edge = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def as_known(
    tables: Sequence[Table], kept: Container[tuple[str, str]], used: Container[str], rng: random.Random
) -> list[Table]:
    """The tables with the references that Inquery would know of.

    `kept` are (table, column) of the keys that the database declares. References between `used` tables stay in any
    case: without them the form that is to be learned could not be written at run time either.
    """
    needed = {
        (table.path, key.columns, key.table)
        for table in tables
        for key in table.foreign_keys
        if table.name in used and key.table[-1] in used
    }
    true = {edge_of(join) for join in declared(Catalog("sqlite", tuple(tables)))}
    bare = [
        replace(t, foreign_keys=tuple(k for k in t.foreign_keys if all((t.name, c) in kept for c in k.columns)))
        for t in tables
    ]
    catalog = Catalog("sqlite", tuple(bare))
    tests = {} if rng.random() < UNTESTED else tested(catalog, true, rng)
    found = [join for join in with_joins(catalog, tests).joins if join.condition is None]
    return [replace(t, foreign_keys=references(t, whole, found, needed)) for t, whole in zip(bare, tables, strict=True)]


def references(bare: Table, whole: Table, joins: Iterable[Join], needed: set[Edge]) -> tuple[ForeignKey, ...]:
    """A table's declared references, the needed ones of those it lost, and what was found; one for each column."""
    lost = (k for k in whole.foreign_keys if k not in bare.foreign_keys and (whole.path, k.columns, k.table) in needed)
    found = (ForeignKey(j.left_columns, j.right, j.right_columns) for j in joins if j.left == bare.path)
    made: dict[tuple[str, ...], ForeignKey] = {}
    for key in (*bare.foreign_keys, *lost, *found):
        made.setdefault(key.columns, key)
    return tuple(made.values())


def tested(catalog: Catalog, true: set[Edge], rng: random.Random) -> dict[Ends, Tested]:
    """What data would say of every guess."""
    tests = {}
    for guess in candidates(catalog, declared(catalog)):
        right = edge_of(guess.join) in true
        found = SAMPLED if right or rng.random() < BY_CHANCE else rng.randrange(SAMPLED // 2)
        ends = ends_of(guess.join)
        tests[ends] = Tested(ends, found, SAMPLED, unique=True, left_unique=False, distinctive=right)
    return tests


def edge_of(join: Join) -> Edge:
    """A join without the columns of its other end, which a declaration may leave out."""
    return join.left, join.left_columns, join.right
