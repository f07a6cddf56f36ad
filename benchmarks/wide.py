"""One database among the tables of others, as in a warehouse: what linking has to find its tables in."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"


def widened(database: Path, others: Iterable[Path], target: Path) -> int:
    """Write the database with the tables and rows of others to a new file; gives the number of its tables.

    Its own tables keep their names, since the right SQL uses them; one of another database that has a name already
    taken gets its database's name before its own.
    """
    shutil.copy(database, target)
    with closing(_opened(target)) as made:
        made.execute("PRAGMA foreign_keys = OFF")
        for other in others:
            if other.stem != database.stem:
                _added(made, other)
        made.commit()
        return len(made.execute(TABLES).fetchall())


def _added(made: sqlite3.Connection, other: Path) -> None:
    """Add one database's tables."""
    taken = {name.casefold() for (name,) in made.execute(TABLES)}
    with closing(_opened(other)) as stored, closing(_opened(":memory:")) as copy:
        stored.backup(copy)
        for (name,) in copy.execute(TABLES).fetchall():
            if name.casefold() in taken:  # SQLite changes what refers to it along with it
                copy.execute(f"ALTER TABLE {_quoted(name)} RENAME TO {_quoted(f'{other.stem}_{name}')}")
        for name, sql in copy.execute(TABLES.replace("name FROM", "name, sql FROM")).fetchall():
            made.execute(sql)
            rows = copy.execute(f"SELECT * FROM {_quoted(name)}")
            marks = ", ".join("?" * len(rows.description))
            made.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", rows)


def _opened(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
