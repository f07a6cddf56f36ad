"""Trino."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT, TLS_PORT = 8080, 443

ABOUT = EngineInfo(
    scheme="trino",
    aliases=(),
    label=Text("Trino", "Trino"),
    dialect="trino",
    engine="inquery.databases.engines.trino.engine:TrinoEngine",
    drivers=(Driver("trino", "trino"),),
    extra="trino",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT, database=Text("Catalog/schema", "目录/模式")),
    example="trino://user@host/catalog/schema",
)
