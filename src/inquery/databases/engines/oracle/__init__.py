"""Oracle."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT, TLS_PORT = 1521, 2484

ABOUT = EngineInfo(
    scheme="oracle",
    aliases=(),
    label=Text("Oracle", "Oracle"),
    dialect="oracle",
    engine="inquery.databases.engines.oracle.engine:OracleEngine",
    drivers=(Driver("oracledb", "oracledb"),),
    extra="oracle",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT, database=Text("Service", "服务名")),
    example="oracle://user:password@host/service",
)
