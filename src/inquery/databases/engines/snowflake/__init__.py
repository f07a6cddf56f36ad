"""Snowflake."""

from inquery.databases.engine_info import AddressField, Driver, EngineInfo, account_fields, parameter_field
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="snowflake",
    aliases=(),
    label=Text("Snowflake", "Snowflake"),
    dialect="snowflake",
    engine="inquery.databases.engines.snowflake.engine:SnowflakeEngine",
    drivers=(Driver("snowflake-connector-python", "snowflake.connector"),),
    extra="snowflake",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=None,
    fields=(
        AddressField(name="host", label=Text("Account", "账户"), required=True),
        AddressField(name="database", label=Text("Database/schema", "数据库/模式"), required=True),
        *account_fields(),
        parameter_field("warehouse", "Warehouse", "计算仓库"),
        parameter_field("role", "Role", "角色"),
    ),
    example="snowflake://user@account/database",
)
