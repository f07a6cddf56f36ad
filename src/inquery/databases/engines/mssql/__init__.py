"""SQL Server."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT = 1433

ABOUT = EngineInfo(
    scheme="mssql",
    aliases=("sqlserver",),
    label=Text("SQL Server", "SQL Server"),
    dialect="tsql",
    engine="inquery.databases.engines.mssql.engine:MssqlEngine",
    drivers=(Driver("python-tds", "pytds"),),
    extra="mssql",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT),
    example="mssql://user:password@host/database",
)
