"""SSH tunnels: a database reached through a bastion whose key is known, and only then."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("paramiko")

from tests.contract.bastion import Bastion, bastion
from tests.contract.test_connecting import attempt
from tests.servers import Server

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import AuthFailed, BadConnectionUrl, ConnectFailed, HostNotAllowed, QueryTimeout
from inquery.settings import DatabaseSettings
from inquery.sql.policy import _mint


@pytest.fixture
def gate() -> Iterator[Bastion]:
    with bastion() as made:
        yield made


@pytest.fixture(params=["postgresql", "mysql"])
def target(request: pytest.FixtureRequest) -> str:
    server: Server = request.getfixturevalue({"postgresql": "postgres", "mysql": "mariadb"}[request.param])
    password = quote(server.reader_password, safe="")
    database = "postgres" if request.param == "postgresql" else "information_schema"
    return f"{request.param}://{server.reader}:{password}@127.0.0.1:{server.port}/{database}"


def through(gate: Bastion, target: str, **changes: str) -> str:
    params = {
        "ssh_host": "127.0.0.1", "ssh_port": str(gate.port), "ssh_user": gate.user, "ssh_password": gate.password,
        "ssh_host_key": gate.fingerprint,
    } | changes  # fmt: skip
    return target + "?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in params.items() if value)


def test_a_tunnel_with_a_password(gate: Bastion, target: str) -> None:
    assert attempt(through(gate, target)) is None
    assert gate.forwarded == 1


def test_a_tunnel_with_a_key(gate: Bastion, target: str, tmp_path: Path) -> None:
    gate.key.write_private_key_file(str(tmp_path / "key"), password="pass phrase")
    url = through(gate, target, ssh_password="", ssh_key=str(tmp_path / "key"), ssh_key_password="pass phrase")
    assert attempt(url) is None


def test_known_hosts_are_read(gate: Bastion, target: str, tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text("")
    unknown = attempt(through(gate, target, ssh_host_key="", ssh_known_hosts=str(file)))
    assert isinstance(unknown, ConnectFailed)
    assert "known_hosts" in unknown.public_message("zh")


def test_another_host_key_is_refused(gate: Bastion, target: str) -> None:
    assert isinstance(attempt(through(gate, target, ssh_host_key="SHA256:" + "A" * 43)), ConnectFailed)
    assert gate.forwarded == 0


def test_a_wrong_ssh_password(gate: Bastion, target: str) -> None:
    assert isinstance(attempt(through(gate, target, ssh_password="wrong")), AuthFailed)


def test_the_bastion_obeys_the_network_rules(gate: Bastion, target: str) -> None:
    assert isinstance(attempt(through(gate, target), private_networks=False), HostNotAllowed)


def test_a_tunnel_without_a_host_is_refused(target: str) -> None:
    assert isinstance(attempt(target + "?ssh_user=x"), BadConnectionUrl)


async def test_a_timeout_reaches_the_server_through_the_tunnel(gate: Bastion, target: str) -> None:
    engine = open_engine(parse_address(through(gate, target)))
    executor.attach("tunnelled", engine, settings=DatabaseSettings(pool_size=2))
    try:
        sleep = "SELECT pg_sleep(30)" if engine.dialect == "postgres" else "SELECT SLEEP(30)"
        with pytest.raises(QueryTimeout):
            await executor.execute("tunnelled", _mint(sleep, dialect=engine.dialect), limits=Limits(timeout_s=0.5))
        result = await executor.execute("tunnelled", _mint("SELECT 1", dialect=engine.dialect))
        assert result.rows == [(1,)]
    finally:
        executor.detach("tunnelled")
