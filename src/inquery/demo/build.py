"""The demo as a SQLite file: written beside its place and moved there whole."""

from __future__ import annotations

import datetime
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquery.demo.ddl import create, finish
from inquery.demo.definitions import TABLES
from inquery.demo.knowledge import comments
from inquery.errors import BadRequest
from inquery.home import close_home, new_file, part_of
from inquery.settings import get_settings

if TYPE_CHECKING:
    from inquery.demo.randomness import Columns

SEED = 7

VERSION = 1
"""Raised when the generator changes, so that demos made by an earlier one are made again."""


def build_demo(
    path: str | os.PathLike[str], *, seed: int = SEED, today: datetime.date | None = None, private: bool = False
) -> None:
    """Write the demo database; an existing file is replaced only by a finished one, and `private` is the owner's."""
    from inquery.demo.generate import generate_tables  # 10 ms, for what happens once a day

    target = Path(path).expanduser()
    rows = generate_tables(seed, today or get_settings().day())
    part = part_of(target)
    try:
        new_file(part, private=private).close()
        _write(str(part), rows)
        os.replace(part, target)
    except (OSError, sqlite3.OperationalError) as error:
        raise BadRequest.because("the file cannot be written", "无法写入该文件", detail=str(error)) from error
    finally:
        with suppress(OSError):  # it never came to be, or there is no folder for it
            part.unlink()


def _write(name: str, tables: dict[str, Columns]) -> None:
    known = comments()
    with closing(sqlite3.connect(name, isolation_level=None)) as connection:
        # Nothing is lost if this process dies: the file gets its name only when it is whole.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for statement in create("sqlite", known):
            connection.execute(statement)
        for table, columns in tables.items():
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows_of(columns))
        for statement in finish("sqlite", known):
            connection.execute(statement)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")


def rows_of(columns: Columns) -> zip[tuple[Any, ...]]:
    """The rows of a table held by columns."""
    sequences: Sequence[Sequence[Any]] = columns
    return zip(*sequences, strict=True)


def is_demo(path: Path) -> bool:
    """Whether a file is a demo database and may be replaced by another."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.DatabaseError:
        return False
    return {table.name for table in TABLES} == {name for (name,) in found if not name.startswith("sqlite_")}


def ensure_demo(home: Path, today: datetime.date | None = None) -> Path:
    """The demo of this day under the home folder, made on first use; earlier days' files are removed.

    Two processes at once both succeed: each writes a file of its own and moves it into place whole.
    """
    day = today or get_settings().day()
    close_home(Path(home))
    folder = Path(home) / "demo"
    path = folder / f"demo-{day.isoformat()}-v{VERSION}.sqlite"
    if not path.exists():
        build_demo(path, today=day, private=True)
        for other in folder.glob("demo-*.sqlite"):
            if other != path:
                with suppress(OSError):
                    other.unlink()
    return path
