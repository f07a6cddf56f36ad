"""Engines are found by scheme, lazily; what is missing is named."""

import importlib.metadata
import sys

import pytest

from inquery.databases import registry
from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.databases.transport.address import Address, parse_address
from inquery.errors import BadConnectionUrl, MissingDriver
from inquery.settings import DatabaseSettings


@pytest.mark.parametrize("scheme", list(registry.ENGINES))
def test_every_built_in_engine_has_its_class(scheme: str) -> None:
    cls = registry.engine_class(scheme)
    assert isinstance(cls.dialect, str)
    assert isinstance(cls.parameters, frozenset)
    for method in ("open", "close", "introspect", "explain", "stream", "cancel", "reset", "classify", "check_role"):
        assert callable(getattr(cls, method))


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDriver) as caught:
        registry.open_engine(parse_address("postgresql://h/d"))
    assert "inquery[postgres]" in caught.value.public_message("en")
    assert "inquery[postgres]" in caught.value.public_message("zh")


@pytest.mark.parametrize("scheme", ["postgresql", "mysql"])
def test_a_tunnel_without_its_client_names_the_extra(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paramiko", None)
    engine = registry.open_engine(parse_address(f"{scheme}://u:p@127.0.0.1/d?ssh_host=127.0.0.1&ssh_user=me"))
    with pytest.raises(MissingDriver) as caught:
        engine.open()
    assert "inquery[ssh]" in caught.value.public_message("en")
    assert "inquery[ssh]" in caught.value.public_message("zh")


def test_a_parameter_that_is_not_listed_is_refused() -> None:
    with pytest.raises(BadConnectionUrl) as caught:
        registry.open_engine(parse_address("mysql://h/d?init_command=DROP"))
    assert "init_command" in caught.value.public_message("zh")


class PluginEngine(SqliteEngine):
    """An engine that a package adds."""

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> "PluginEngine":
        return object.__new__(cls)


def test_a_package_can_add_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    point = importlib.metadata.EntryPoint("myengine", f"{__name__}:PluginEngine", "inquery.engines")
    monkeypatch.setattr(type(point), "load", lambda self: PluginEngine)

    def points(**wanted: str) -> list[importlib.metadata.EntryPoint]:
        return [point] if wanted.get("name", "myengine") == "myengine" else []

    monkeypatch.setattr(registry, "entry_points", points)
    assert type(registry.open_engine(parse_address("myengine://h/d"))) is PluginEngine
