"""BigQuery."""

from inquery.databases.engine_info import AddressField, Driver, EngineInfo, parameter_field
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="bigquery",
    aliases=(),
    label=Text("BigQuery", "BigQuery"),
    dialect="bigquery",
    engine="inquery.databases.engines.bigquery.engine:BigqueryEngine",
    drivers=(Driver("google-cloud-bigquery", "google.cloud.bigquery"),),
    extra="bigquery",
    is_file=False,
    suffixes=(),
    uploads=False,
    port=None,
    fields=(
        AddressField(name="host", label=Text("Project", "项目"), required=True),
        AddressField(name="database", label=Text("Dataset", "数据集")),
        parameter_field("location", "Location", "位置"),
        parameter_field("credentials_file", "Path of the key file", "密钥文件路径"),
    ),
    example="bigquery://project/dataset",
)
