"""Dialects by name: those that ship, and those that installed packages add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from inquery.sql.dialects.record import Dialect

PLUGINS = "inquery.dialects"
"""The entry points by which a package adds a dialect: its name, and its record."""
_SHIPPED = ("sqlite", "postgres", "mysql", "duckdb", "clickhouse", "snowflake", "bigquery", "oracle", "tsql", "trino")


class Dialects(Mapping[str, Dialect]):
    """Every dialect by its name; going through them gives those that ship, as plugins are looked for only by name."""

    def __init__(self) -> None:
        self._found: dict[str, Dialect] = {}

    def __getitem__(self, name: str) -> Dialect:
        """The record; KeyError for a dialect that nobody brings."""
        if name not in self._found:
            self._found[name] = self._load(name)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_SHIPPED)

    def __len__(self) -> int:
        return len(_SHIPPED)

    def _load(self, name: str) -> Dialect:
        # Those that ship come first: the guard's rules for them are not a package's to replace.
        if name in _SHIPPED:
            shipped: Dialect = import_module(f"inquery.sql.dialects.{name}").DIALECT
            return shipped
        from importlib.metadata import entry_points

        for point in entry_points(group=PLUGINS, name=name):
            brought = point.load()
            if isinstance(brought, Dialect) and brought.name == name:
                return brought
        raise KeyError(name)


DIALECTS = Dialects()
