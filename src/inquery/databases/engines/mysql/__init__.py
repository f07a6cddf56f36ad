"""MySQL and MariaDB."""

from inquery.databases.engine_info import Driver, EngineInfo, server_fields
from inquery.errors import Text

PORT = 3306

ABOUT = EngineInfo(
    scheme="mysql",
    aliases=("mariadb",),
    label=Text("MySQL/MariaDB", "MySQL/MariaDB"),
    dialect="mysql",
    engine="inquery.databases.engines.mysql.engine:MysqlEngine",
    drivers=(Driver("pymysql", "pymysql"),),
    extra="mysql",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=PORT,
    fields=server_fields(PORT),
    example="mysql://user:password@host/database",
)
