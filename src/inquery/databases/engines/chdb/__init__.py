"""ClickHouse over a folder."""

from inquery.databases.engine_info import FOLDER, Driver, EngineInfo, file_fields, parameter_field
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="chdb",
    aliases=(),
    label=Text("chdb", "chdb"),
    dialect="clickhouse",
    engine="inquery.databases.engines.chdb.engine:ChdbEngine",
    drivers=(Driver("chdb", "chdb"), Driver("clickhouse-connect", "clickhouse_connect")),
    extra="chdb",
    is_file=True,
    suffixes=(),
    uploads=False,
    port=None,
    fields=(*file_fields(FOLDER), parameter_field("database", "Database", "数据库")),
    example="chdb:///folder",
)
