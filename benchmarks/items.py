"""Questions with their right SQL: which of many are asked, and whether a statement is right by its rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from inquery.evals.compare import RunFailed, execution_match

T = TypeVar("T")
Rows = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Item:
    """A question, its right SQL, and the database it is about."""

    database: Path
    question: str
    sql: str


def spaced(items: Sequence[T], count: int) -> list[T]:
    """So many of them, evenly spaced."""
    if count >= len(items):
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


@contextmanager
def rows_of(database: Path) -> Iterator[Rows]:
    """Gives the rows of statements on a database that is only read; raises RunFailed."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")

        def rows(text: str) -> list[tuple[Any, ...]]:
            try:
                return connection.execute(text).fetchall()
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise RunFailed(str(error)) from error

        yield rows


def judged(item: Item, sql: str) -> tuple[bool, bool]:
    """Whether a statement gives the right rows, and whether it runs."""
    if not sql:
        return False, False
    with rows_of(item.database) as rows:
        try:
            match = execution_match(item.sql, sql, rows)
        except RunFailed:
            return False, False
    return match.correct, not match.error
