"""DuckDB."""

from inquery.databases.engine_info import Driver, EngineInfo, file_fields
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="duckdb",
    aliases=(),
    label=Text("DuckDB", "DuckDB"),
    dialect="duckdb",
    engine="inquery.databases.engines.duckdb.engine:DuckdbEngine",
    drivers=(Driver("duckdb", "duckdb"),),
    extra="duckdb",
    is_file=True,
    suffixes=(".duckdb", ".ddb"),
    uploads=False,
    port=None,
    fields=file_fields(),
    example="duckdb:///shop.duckdb",
)
