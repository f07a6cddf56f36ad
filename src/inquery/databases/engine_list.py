"""The engines that ship, by scheme: a folder each, of which only the record is loaded."""

from __future__ import annotations

from importlib import import_module

from inquery.databases.engine_info import EngineInfo

FOLDERS = (
    "sqlite",
    "postgres",
    "mysql",
    "duckdb",
    "files",
    "clickhouse",
    "chdb",
    "oracle",
    "snowflake",
    "bigquery",
    "mssql",
    "trino",
)


def _read(folder: str) -> EngineInfo:
    about: EngineInfo = import_module(f"inquery.databases.engines.{folder}").ABOUT
    return about


ENGINES: dict[str, EngineInfo] = {about.scheme: about for about in map(_read, FOLDERS)}
