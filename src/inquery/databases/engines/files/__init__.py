"""Data files, read through DuckDB."""

from inquery.databases.engine_info import Driver, EngineInfo, file_fields
from inquery.errors import Text

ABOUT = EngineInfo(
    scheme="files",
    aliases=("file",),
    label=Text("CSV, Parquet and XLSX files", "CSV、Parquet 和 XLSX 文件"),
    dialect="duckdb",
    engine="inquery.databases.engines.files.engine:FilesEngine",
    drivers=(Driver("duckdb", "duckdb"),),
    extra="duckdb",
    is_file=True,
    suffixes=(".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".xlsx"),
    uploads=True,
    port=None,
    fields=file_fields(Text("Path of the file or folder", "文件或文件夹路径")),
    example="files:///data",
)
