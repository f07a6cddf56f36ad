"""Engines are found by scheme, lazily; what is missing is named."""

import sys
from pathlib import Path

import pytest

from inquery.databases import registry
from inquery.databases.engine import Engine
from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.databases.transport.address import parse_address
from inquery.errors import BadConnectionUrl, MissingDriver


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


OLD_ENGINES = """
from inquery.databases.engines.sqlite.engine import SqliteEngine

class Inherits(SqliteEngine):
    dialect = "postgres"

    @classmethod
    def from_address(cls, address, settings):
        return object.__new__(cls)

def nothing(*arguments):
    return None

class Written:
    # As plugins were written when Engine was a protocol.
    dialect, parameters = "sqlite", frozenset()
    open = close = introspect = explain = stream = cancel = reset = classify = check_role = nothing

    @classmethod
    def from_address(cls, address, settings):
        return cls()
"""
POINTS = """
[inquery.engines]
inherits = old_engines:Inherits
written = old_engines:Written
broken = old_engines:Nowhere
sqlite = old_engines:Inherits
"""


@pytest.fixture
def _old_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as an installation leaves it, of plugins that know nothing of records."""
    (tmp_path / "old_engines.py").write_text(OLD_ENGINES)
    metadata = tmp_path / "old_engines-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: old-engines\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("_old_plugins")
def test_a_plugin_without_a_record_is_a_server_under_its_scheme() -> None:
    engine = registry.open_engine(parse_address("inherits://h/d"))
    assert (type(engine).__name__, engine.dialect) == ("Inherits", "postgres")
    about = registry.engine_info("inherits")
    assert about is not None
    assert (about.scheme, about.dialect, about.is_file) == ("inherits", "postgres", False)


@pytest.mark.usefixtures("_old_plugins")
def test_a_plugin_of_the_old_protocol_gets_the_defaults() -> None:
    engine = registry.open_engine(parse_address("written://h/d"))
    assert isinstance(engine, Engine)
    assert (engine.dialect, engine.max_sessions, engine.timezone, engine.fingerprint()) == ("sqlite", None, "", None)
    engine.abandon(None)
    engine.shutdown()


@pytest.mark.usefixtures("_old_plugins")
def test_a_plugin_neither_replaces_an_engine_nor_hides_the_others() -> None:
    assert registry.engine_class("sqlite") is SqliteEngine
    assert [about.scheme for about in registry.every_engine()] == [*registry.ENGINES, "inherits", "written"]
