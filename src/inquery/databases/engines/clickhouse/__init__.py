"""ClickHouse."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT, TLS_PORT = 8123, 8443

ABOUT = EngineInfo(
    scheme="clickhouse",
    aliases=(),
    label=Text("ClickHouse", "ClickHouse"),
    dialect="clickhouse",
    engine="inquery.databases.engines.clickhouse.engine:ClickhouseEngine",
    drivers=(Driver("clickhouse-connect", "clickhouse_connect"),),
    extra="clickhouse",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT),
    example="clickhouse://user:password@host/database",
)
