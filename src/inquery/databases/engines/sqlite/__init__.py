"""SQLite."""

from inquery.databases.engine_info import Driver, EngineInfo, file_fields
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="sqlite",
    aliases=("sqlite3",),
    label=Text("SQLite", "SQLite"),
    dialect="sqlite",
    engine="inquery.databases.engines.sqlite.engine:SqliteEngine",
    drivers=(Driver("", "sqlite3"),),
    extra="",
    is_file=True,
    suffixes=(".sqlite", ".sqlite3", ".db", ".db3"),
    uploads=False,
    port=None,
    fields=file_fields(),
    example="sqlite:///shop.sqlite",
)
