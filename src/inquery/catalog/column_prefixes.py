"""Names without the letters that a system writes before all of a table's columns: c_name, o_custkey, lnExch, TBLINE.

Older systems call every column after its own table. What a column refers to stands behind those letters: the custkey of
orders is the custkey of customers, though they are called o_custkey and c_custkey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from inquery.language.text import fold, has_cjk, name_words
from inquery.sql import Catalog, Column, Join, Table

Path = tuple[str, ...]
LEAST_COLUMNS, LEAST_TABLES = 4, 3
LETTERS = (2, 3)
"""Letters that stand before all columns where nothing parts them from what follows."""
PARTED = 3
"""As many at most, where an underscore does; a longer one is a word."""
LEFT = 2
"""Letters that have to be left of every name."""


@dataclass(frozen=True)
class PlainNames:
    """A catalogue in its plain names, and what they are called in truth."""

    catalog: Catalog
    tables: dict[Path, Path]
    columns: dict[tuple[Path, str], str]

    def plain(self, joins: Iterable[Join]) -> Iterator[Join]:
        """Joins in plain names."""
        paths = {true: plain for plain, true in self.tables.items()}
        names = {(self.tables[path], true): plain for (path, plain), true in self.columns.items()}
        for join in joins:
            yield replace(
                join,
                left=paths.get(join.left, join.left),
                left_columns=tuple(names.get((join.left, name), name) for name in join.left_columns),
                right=paths.get(join.right, join.right),
                right_columns=tuple(names.get((join.right, name), name) for name in join.right_columns),
            )

    def true(self, join: Join) -> Join:
        """A join in the names of the database."""
        called = self.columns
        condition = join.condition and (
            called.get((join.left, join.condition[0]), join.condition[0]),
            join.condition[1],
        )
        return replace(
            join,
            left=self.tables.get(join.left, join.left),
            left_columns=tuple(called.get((join.left, name), name) for name in join.left_columns),
            right=self.tables.get(join.right, join.right),
            right_columns=tuple(called.get((join.right, name), name) for name in join.right_columns),
            condition=condition,
        )


def plain_names(catalog: Catalog) -> PlainNames | None:
    """The catalogue without such letters, where it is a habit of most of its tables; else nothing."""
    long = [table for table in catalog.tables if len(table.columns) >= LEAST_COLUMNS]
    before = {table.path: found for table in long if (found := letters_before(table))}
    if len(before) < max(LEAST_TABLES, 0.5 * len(long)):
        return None
    glued = [letters for letters in before.values() if not letters.endswith("_")]
    if glued and len(set(glued)) < len(glued):
        return (
            None  # in glued names letters that several tables share are a word, such as the re of all that is re-done
        )
    lead = len(shared_letters([fold(table.name) for table in catalog.tables])) if glued else 0
    tables: dict[Path, Path] = {}
    columns: dict[tuple[Path, str], str] = {}
    made: list[Table] = []
    for table in catalog.tables:
        path = (*table.path[:-1], table.name[lead:])
        cut = len(before.get(table.path, ""))
        tables[path] = table.path
        columns |= {(path, column.name[cut:]): column.name for column in table.columns}
        renamed = tuple(_renamed(column, column.name[cut:]) for column in table.columns)
        made.append(replace(table, path=path, columns=renamed, foreign_keys=()))
    unique = len(tables) == len(made) and len(columns) == sum(len(table.columns) for table in made)
    return PlainNames(replace(catalog, tables=tuple(made), joins=()), tables, columns) if unique else None


def _renamed(column: Column, name: str) -> Column:
    return replace(column, name=name)


def letters_before(table: Table) -> str:
    """The letters before all columns of a table, with the underscore that parts them."""
    names = [fold(column.name) for column in table.columns]
    if any(map(has_cjk, names)):
        return ""
    parted = {name.partition("_")[0] if "_" in name else "" for name in names}
    first = next(iter(parted))
    if len(parted) == 1 and 0 < len(first) <= PARTED:
        return f"{first}_" if all(len(name) >= len(first) + 1 + LEFT for name in names) else ""
    shared = shared_letters(names)
    if "_" in shared or not LETTERS[0] <= len(shared) <= LETTERS[1]:
        return ""
    return shared if all(len(name) >= len(shared) + LEFT for name in names) else ""


def own_prefix(table: Table) -> str:
    """What the names of most columns begin with and which says nothing of them: f_ of f_id, f_name, f_date."""
    heads = [column.name.partition("_")[0] + "_" for column in table.columns if "_" in column.name]
    best = max(set(heads), key=heads.count, default="")
    short = len(best) <= PARTED + 1 and heads.count(best) * 3 >= 2 * len(table.columns) > 3
    if not short or best[:-1].casefold() in {"is", "has"}:
        return ""
    all_have_it = len(table.columns) >= LEAST_COLUMNS and letters_before(table) == best.casefold()
    return best if all_have_it or best[0].casefold() in "_".join(name_words(table.name)) else ""


def shared_letters(names: list[str]) -> str:
    """The letters that all names begin with."""
    first, last = min(names), max(names)
    differ = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return first[: next(differ, min(len(first), len(last)))]
