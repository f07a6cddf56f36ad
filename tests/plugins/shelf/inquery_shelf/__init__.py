"""An engine over SQLite's files under another scheme, with a dialect of its own: an example of both.

The dialect is SQLite's with two differences. A name is quoted by backticks and by nothing else, and fewer functions may be
called: those of functions.txt.
"""

from dataclasses import replace
from typing import ClassVar

from sqlglot.dialects.sqlite import SQLite

from inquery.databases.engine_info import Driver, EngineInfo, file_fields
from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.errors import Text
from inquery.sql.dialects import DIALECTS, FunctionList


class Shelf(SQLite):
    """How sqlglot reads and writes the dialect."""

    class Tokenizer(SQLite.Tokenizer):
        IDENTIFIERS: ClassVar[list[str]] = ["`"]  # type: ignore[assignment]


DIALECT = replace(
    DIALECTS["sqlite"],
    name="shelf",
    notes="Shelf, a kind of SQLite; quote names with backticks, never with double quotes.",
    quotes=("`", "`"),
    quoted_texts=False,
    functions=(FunctionList("inquery_shelf", "functions.txt"),),
)


class ShelfEngine(SqliteEngine):
    """The engine of `shelf:///file` and of paths that end with .shelf."""

    about = EngineInfo(
        scheme="shelf",
        aliases=(),
        label=Text("Shelf", "书架"),
        dialect="shelf",
        engine="inquery_shelf:ShelfEngine",
        drivers=(Driver("", "sqlite3"),),
        extra="",
        is_file=True,
        suffixes=(".shelf",),
        uploads=False,
        port=None,
        fields=file_fields(),
        example="shelf:///books.shelf",
    )
