"""PostgreSQL."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT = 5432

ABOUT = EngineInfo(
    scheme="postgresql",
    aliases=("postgres",),
    label=Text("PostgreSQL", "PostgreSQL"),
    dialect="postgres",
    engine="inquery.databases.engines.postgres.engine:PostgresEngine",
    drivers=(Driver("psycopg", "psycopg"),),
    extra="postgres",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT),
    example="postgresql://user:password@host/database",
)
