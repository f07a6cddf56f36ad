"""Which engine serves which address; drivers are imported only when one is opened."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import ClassVar, NamedTuple, Protocol, Self

from inquery.databases.engine import Engine, Session
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.errors import BadConnectionUrl, MissingDriver
from inquery.settings import DatabaseSettings, get_settings


class Known(NamedTuple):
    """Where an engine's class is, what people call it and which extra installs its driver."""

    module: str
    name: str
    label: str
    extra: str


ENGINES: dict[str, Known] = {
    "sqlite": Known("inquery.databases.engines.sqlite.engine", "SqliteEngine", "SQLite", ""),
    "postgresql": Known("inquery.databases.engines.postgres.engine", "PostgresEngine", "PostgreSQL", "postgres"),
    "mysql": Known("inquery.databases.engines.mysql.engine", "MysqlEngine", "MySQL/MariaDB", "mysql"),
    "duckdb": Known("inquery.databases.engines.duckdb.engine", "DuckdbEngine", "DuckDB", "duckdb"),
    "files": Known("inquery.databases.engines.files.engine", "FilesEngine", "CSV, Parquet and XLSX files", "duckdb"),
    "clickhouse": Known("inquery.databases.engines.clickhouse.engine", "ClickhouseEngine", "ClickHouse", "clickhouse"),
    "chdb": Known("inquery.databases.engines.chdb.engine", "ChdbEngine", "chdb", "chdb"),
    "oracle": Known("inquery.databases.engines.oracle.engine", "OracleEngine", "Oracle", "oracle"),
    "snowflake": Known("inquery.databases.engines.snowflake.engine", "SnowflakeEngine", "Snowflake", "snowflake"),
    "bigquery": Known("inquery.databases.engines.bigquery.engine", "BigqueryEngine", "BigQuery", "bigquery"),
    "mssql": Known("inquery.databases.engines.mssql.engine", "MssqlEngine", "SQL Server", "mssql"),
    "trino": Known("inquery.databases.engines.trino.engine", "TrinoEngine", "Trino", "trino"),
}


class EngineClass(Engine, Protocol):
    """What a class must have to be registered, beyond the contract of its instances."""

    dialect: str
    parameters: ClassVar[frozenset[str]]

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Make the engine; nothing is connected yet."""

    def check_role(self, s: Session) -> str | None:
        """Why the account may do more than read, or None."""


def plugin_names() -> frozenset[str]:
    """Schemes that installed packages add."""
    return frozenset(point.name for point in entry_points(group="inquery.engines")) - ENGINES.keys()


def load_driver(module: str, scheme: str) -> ModuleType:
    """Import a driver, or raise MissingDriver naming the extra that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        known = ENGINES[scheme]
        raise MissingDriver(str(error), engine=known.label, extra=known.extra) from error


def engine_class(scheme: str) -> type[EngineClass]:
    """The class that serves a scheme: a built-in, else a plugin."""
    known = ENGINES.get(scheme)
    if known is not None:
        found: type[EngineClass] = getattr(import_module(known.module), known.name)
        return found
    for point in entry_points(group="inquery.engines", name=scheme):
        loaded: type[EngineClass] = point.load()
        return loaded
    raise BadConnectionUrl.because(f"unknown scheme {scheme}", f"未知的协议 {scheme}")


def open_engine(address: Address, *, settings: DatabaseSettings | None = None) -> EngineClass:
    """The engine for an address; parameters and files are checked, nothing is connected yet."""
    settings = settings or get_settings().database
    cls = engine_class(address.scheme)
    _check_parameters(address.params, cls.parameters)
    if address.is_file:
        check_file(address.database, settings)
    return cls.from_address(address, settings)


def _check_parameters(given: Iterable[str], allowed: frozenset[str]) -> None:
    # An allow-list: drivers take parameters that read files, load code or leave the network rules.
    for name in given:
        if name not in allowed:
            shown = ", ".join(sorted(allowed)) or "–"
            raise BadConnectionUrl.because(
                f"the parameter {name} is not allowed; allowed are: {shown}",
                f"不允许使用参数 {name}；允许的有：{shown}",
            )
