"""The source systems of a catalogue: tables that share a schema, or a code before their names as in `k07_orders`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inquery.catalog.key_names import TABLE_PREFIXES
from inquery.language.abbreviations import ABBREVIATIONS
from inquery.language.lexicon import vocabulary
from inquery.language.text import fold, stem
from inquery.sql import Table

LARGEST = 60  # tables of one source that speak for each other; more are a warehouse, not a system
WAREHOUSE = 200  # tables from which codes before names are taken for systems that know nothing of each other
MOSTLY = 0.5  # of a warehouse's tables have the code of a system
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Families:
    """Tables in the order of their families, where each family starts, and the family of each table."""

    order: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int32]
    of: npt.NDArray[np.int32]
    several: bool

    def best(self, gains: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The highest gain in each family."""
        found: npt.NDArray[np.float32] = np.maximum.reduceat(gains[self.order], self.starts)
        return found


def source_code(name: str) -> str:
    """What stands before a table's name and is no word: a system's code; empty where there is none."""
    first, _, rest = fold(name).partition("_")
    if not rest or first in TABLE_PREFIXES or first in ABBREVIATIONS:
        return ""
    return first if any(map(str.isdigit, first)) or stem(first) not in vocabulary() else ""


def without_codes(tables: Sequence[Table]) -> list[Table]:
    """The tables with a code that several share as a part of their path rather than of their name."""
    codes = [source_code(table.name) for table in tables]
    shared = Counter((table.path[:-1], code) for table, code in zip(tables, codes, strict=True) if code)
    return [
        replace(table, path=(*table.path[:-1], code, table.name.partition("_")[2]))
        if shared[table.path[:-1], code] > 1
        else table
        for table, code in zip(tables, codes, strict=True)
    ]


def systems(tables: Sequence[Table]) -> dict[Key, Key]:
    """The system of each coded table of a warehouse, by its path; nothing for smaller catalogues, nor where few have a code.

    One program of 215 tables abbreviates words of its own here and there: `sysmap_url` is of its `sysmaps`, and no system.
    """
    if len(tables) < WAREHOUSE:
        return {}
    bare = zip(tables, without_codes(tables), strict=True)
    coded = {table.path: each.path[:-1] for table, each in bare if table.path != each.path}
    return coded if len(coded) >= MOSTLY * len(tables) else {}


def families(tables: Sequence[Table]) -> Families:
    """The families of tables whose codes are parts of their paths; a table alone or in a crowd is its own."""
    sizes = Counter(table.path[:-1] for table in tables)
    numbers: dict[Key, int] = {}
    of = []
    for table in tables:
        key: Key = table.path[:-1] if 1 < sizes[table.path[:-1]] <= LARGEST else ("", *table.path)
        of.append(numbers.setdefault(key, len(numbers)))
    each = np.array(of, np.int32)
    order = np.argsort(each, kind="stable").astype(np.int32)
    starts = np.searchsorted(each[order], np.arange(len(numbers))).astype(np.int32)
    return Families(order, starts, each, len(set(sizes)) > 1)
