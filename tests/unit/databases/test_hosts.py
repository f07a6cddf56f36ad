"""Forbidden hosts are forbidden in every spelling, and names are resolved once."""

import socket

import pytest

from inquery.databases.transport import hosts
from inquery.errors import ConnectFailed, HostNotAllowed
from inquery.settings import DatabaseSettings

OPEN = DatabaseSettings()
PUBLIC_ONLY = DatabaseSettings(private_networks=False)

NEVER = [
    "169.254.169.254", "0.0.0.0", "0", "::", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1",
    "fe80::1", "fe80::1%lo", "fd00:ec2::254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "224.0.0.1",
    "255.255.255.255", "ff02::1", "2852039166", "0251.0376.0251.0376", "0xa9fea9fe", "169.16689662",
    "::169.254.169.254", "2001:0:0:0:0:0:5601:5601",
]  # fmt: skip
PRIVATE = [
    "127.0.0.1", "127.1", "2130706433", "0177.0.0.1", "0x7f.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "172.16.0.1",
    "192.168.1.1", "100.64.0.1", "fc00::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "198.18.0.1",
    "::ffff:0a00:1", "localhost", "LOCALHOST",
]  # fmt: skip


@pytest.mark.parametrize("host", NEVER)
def test_metadata_and_special_addresses_are_never_reached(host: str) -> None:
    with pytest.raises((HostNotAllowed, ConnectFailed)):
        hosts.resolve(host, 5432, OPEN)
    with pytest.raises((HostNotAllowed, ConnectFailed)):
        hosts.resolve(host, 5432, DatabaseSettings(allowed_hosts=["*", "0.0.0.0/0", "::/0"]))


@pytest.mark.parametrize("host", ["169.254.169.254", "::ffff:169.254.169.254", "2852039166", "64:ff9b::a9fe:a9fe"])
def test_the_metadata_service_is_named_as_forbidden(host: str) -> None:
    with pytest.raises(HostNotAllowed):
        hosts.resolve(host, 80, OPEN)


@pytest.mark.parametrize("host", PRIVATE)
def test_private_addresses_follow_the_setting(host: str) -> None:
    with pytest.raises(HostNotAllowed):
        hosts.resolve(host, 5432, PUBLIC_ONLY)


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3", "::1", "8.8.8.8"])
def test_by_default_private_and_public_addresses_are_reached(host: str) -> None:
    assert hosts.resolve(host, 5432, OPEN) == host


def answer(monkeypatch: pytest.MonkeyPatch, *replies: list[str]) -> None:
    """Make names resolve to each list of addresses in turn, the last one for ever."""
    waiting = list(replies)

    def lookup(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in found]

    monkeypatch.setattr(hosts.socket, "getaddrinfo", lookup)


def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, ["10.0.0.5"])
    with pytest.raises(HostNotAllowed):
        hosts.resolve("innocent.example.com", 5432, PUBLIC_ONLY)


def test_one_bad_address_among_good_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, ["8.8.8.8", "169.254.169.254"])
    with pytest.raises(HostNotAllowed):
        hosts.resolve("mixed.example.com", 5432, OPEN)


def test_the_address_checked_is_the_address_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])  # rebinding: a second lookup would lead inside
    assert hosts.resolve("rebind.example.com", 5432, PUBLIC_ONLY) == "8.8.8.8"


def test_the_allow_list_names_hosts_patterns_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, ["8.8.8.8"])
    listed = DatabaseSettings(allowed_hosts=["DB.example.com", "*.corp.example.com", "9.9.9.0/24"])
    for host in ("db.example.com", "Db.Example.com.", "a.corp.example.com"):
        assert hosts.resolve(host, 5432, listed) == "8.8.8.8"
    for host in ("example.com", "db.example.com.evil.org", "corp.example.com", "xdb.example.com"):
        with pytest.raises(HostNotAllowed):
            hosts.resolve(host, 5432, listed)
    answer(monkeypatch, ["9.9.9.9"])
    assert hosts.resolve("anything.example.org", 5432, listed) == "9.9.9.9"


def test_unix_sockets_need_private_networks_and_no_list() -> None:
    assert hosts.resolve("/var/run", 5432, OPEN) == "/var/run"
    for settings in (PUBLIC_ONLY, DatabaseSettings(allowed_hosts=["db.example.com"])):
        with pytest.raises(HostNotAllowed):
            hosts.resolve("/var/run", 5432, settings)


def test_a_host_behind_a_tunnel_is_checked_by_name() -> None:
    hosts.check_name("db.internal", OPEN)
    with pytest.raises(HostNotAllowed):
        hosts.check_name("169.254.169.254", OPEN)
    with pytest.raises(HostNotAllowed):
        hosts.check_name("db.internal", DatabaseSettings(allowed_hosts=["bastion.example.com"]))
