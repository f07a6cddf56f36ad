"""Which engine serves which address; drivers are imported only when one is opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, NamedTuple

from inquery.databases.engine import Engine
from inquery.databases.engine_info import EngineInfo, server_fields
from inquery.databases.engine_list import ENGINES
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.errors import BadConnectionUrl, ConnectFailed, MissingDriver, Text
from inquery.settings import DatabaseSettings, get_settings

PLUGINS = "inquery.engines"
"""The entry points by which a package adds an engine: its scheme, and its class."""


class Plugin(NamedTuple):
    """An engine that a package brings."""

    engine: type[Engine]
    about: EngineInfo


_plugins: dict[str, Plugin] = {}


def plugin_names() -> frozenset[str]:
    """Schemes that installed packages add; those that ship are not a package's to replace."""
    return frozenset(point.name for point in entry_points(group=PLUGINS)) - ENGINES.keys()


def find_plugin(scheme: str) -> Plugin | None:
    """What a package brings for a scheme; None where no package does."""
    if scheme not in _plugins:
        for point in entry_points(group=PLUGINS, name=scheme):
            _plugins[scheme] = _read_plugin(point.load(), scheme)
    return _plugins.get(scheme)


def _read_plugin(brought: Any, scheme: str) -> Plugin:
    about = getattr(brought, "about", None)
    if not isinstance(about, EngineInfo) or about.scheme != scheme:
        about = _plain_record(scheme, brought)  # it has none, or inherits another engine's
    if issubclass(brought, Engine):
        return Plugin(brought, about)
    # Written when Engine was a protocol: what it lacks are the defaults.
    return Plugin(type(brought.__name__, (brought, Engine), {"about": about, "dialect": brought.dialect}), about)


def _plain_record(scheme: str, brought: Any) -> EngineInfo:
    """What can be said of a class that brings no record: a server under a scheme."""
    return EngineInfo(
        scheme=scheme,
        aliases=(),
        label=Text(scheme, scheme),
        dialect=brought.dialect,
        engine=f"{brought.__module__}:{brought.__qualname__}",
        drivers=(),
        extra="",
        is_file=False,
        suffixes=(),
        uploads=False,
        port=None,
        fields=server_fields(None),
        example=f"{scheme}://user:password@host/database",
    )


def engine_info(scheme: str) -> EngineInfo | None:
    """The record of the engine that serves a scheme: a built-in's, else a plugin's, else None."""
    if scheme in ENGINES:
        return ENGINES[scheme]
    plugin = find_plugin(scheme)
    return plugin.about if plugin is not None else None


def every_engine() -> Iterator[EngineInfo]:
    """The records of all engines, those of plugins last; a plugin that cannot be loaded is left out."""
    yield from ENGINES.values()
    for scheme in sorted(plugin_names()):
        try:
            found = engine_info(scheme)
        except (ImportError, AttributeError):
            continue
        if found is not None:
            yield found


def load_driver(module: str, scheme: str) -> ModuleType:
    """Import a driver, or raise the error that says what installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        about = engine_info(scheme)
        if about is None or not about.extra:
            # A plugin's driver comes with the plugin, so there is no extra of ours to name.
            raise ConnectFailed.because(f"the driver {module} is not installed", f"未安装驱动 {module}") from error
        raise MissingDriver(str(error), engine=about.label, extra=about.extra) from error


def require_drivers(scheme: str) -> None:
    """Raise the error that says what installs an engine's drivers, where they are missing; nothing is imported.

    For engines that live in a process of their own: loading DuckDB here too would cost a fifth of a second a question.
    """
    about = ENGINES[scheme]
    if not about.is_installed():
        raise MissingDriver(
            ", ".join(driver.package for driver in about.drivers), engine=about.label, extra=about.extra
        )


def engine_class(scheme: str) -> type[Engine]:
    """The class that serves a scheme: a built-in, else a plugin."""
    if scheme in ENGINES:
        module, _, name = ENGINES[scheme].engine.partition(":")
        found: type[Engine] = getattr(import_module(module), name)
        return found
    plugin = find_plugin(scheme)
    if plugin is None:
        raise BadConnectionUrl.because(f"unknown scheme {scheme}", f"未知的协议 {scheme}")
    return plugin.engine


def open_engine(address: Address, *, settings: DatabaseSettings | None = None) -> Engine:
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
