"""Which hosts and files a connection may reach; names are resolved here so that rebinding cannot happen."""

from __future__ import annotations

import fnmatch
import ipaddress
import socket
from pathlib import Path
from typing import Protocol

from inquery.errors import ConnectFailed, HostNotAllowed, MissingFile
from inquery.settings import DatabaseSettings

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class HostRules(Protocol):
    """What settings say of hosts: those of databases, and those of calls that Inquery makes by itself."""

    @property
    def allowed_hosts(self) -> list[str]:
        """Hosts that may be reached; empty for all but forbidden ones."""

    @property
    def private_networks(self) -> bool:
        """Whether private and loopback addresses may be reached."""


# Reached by nothing of ours, whatever the settings: this network, link-local with the clouds' metadata services
# (AWS, GCP, Azure 169.254.169.254; Azure 168.63.129.16; Alibaba 100.100.100.200; Oracle 192.0.0.192), multicast.
_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.0/24", "224.0.0.0/4",
        "240.0.0.0/4", "::/128", "fe80::/10", "fec0::/10", "ff00::/8", "fd00:ec2::/32", "fd20:ce::/32",
    )
)  # fmt: skip
_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
_6TO4 = ipaddress.ip_network("2002::/16")
_COMPATIBLE = ipaddress.ip_network("::/96")
_TEREDO = ipaddress.ip_network("2001::/32")


def embedded(address: IPAddress) -> list[IPAddress]:
    """The address and every IPv4 address it carries: mapped, compatible, NAT64, 6to4, Teredo."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    found: list[IPAddress] = [address]
    number = int(address)
    low = ipaddress.IPv4Address(number & 0xFFFFFFFF)
    if address.ipv4_mapped is not None:
        found.append(address.ipv4_mapped)
    elif any(address in net for net in _NAT64) or (address in _COMPATIBLE and number > 1):
        found.append(low)
    elif address in _6TO4:
        found.append(ipaddress.IPv4Address((number >> 80) & 0xFFFFFFFF))
    elif address in _TEREDO:
        found.append(ipaddress.IPv4Address(int(low) ^ 0xFFFFFFFF))
    return found


def is_private(address: IPAddress) -> bool:
    """Whether the address, or one it carries, is not on the public internet."""
    return any(not part.is_global for part in embedded(address) if not _carrier(part))


def _carrier(address: IPAddress) -> bool:
    # A NAT64 or mapped address is judged by the IPv4 address inside it.
    return len(embedded(address)) > 1


def is_forbidden(address: IPAddress) -> bool:
    """Whether no setting can allow the address."""
    return any(part in net for part in embedded(address) for net in _NEVER if part.version == net.version)


def resolve(host: str, port: int, settings: HostRules) -> str:
    """The first of `resolve_all`, for drivers that take one address."""
    return resolve_all(host, port, settings)[0]


def resolve_all(host: str, port: int, settings: HostRules) -> list[str]:
    """Check a host and return the IP addresses to connect to; raises HostNotAllowed or ConnectFailed.

    Every address the name has is checked, and the caller connects to one returned, never to the name.
    """
    if host.startswith(("/", "@", "\\")):
        if settings.private_networks and not settings.allowed_hosts:
            return [host]
        raise HostNotAllowed("unix sockets are not allowed")
    addresses = _lookup(host, port)
    named = _name_listed(host, settings.allowed_hosts)
    for address in addresses:
        _check_address(address, settings, named=named)
    return [str(address) for address in sorted(addresses, key=lambda a: a.version)]


def check_name(host: str, settings: HostRules) -> None:
    """Check a host that a tunnel's far end resolves: by its name, and by its address when it is one."""
    if settings.allowed_hosts and not _name_listed(host, settings.allowed_hosts):
        raise HostNotAllowed(f"{host} is not in allowed_hosts")
    try:
        literal = ipaddress.ip_address(host.split("%")[0])
    except ValueError:
        return
    if is_forbidden(literal):
        raise HostNotAllowed(f"{host} is a forbidden address")


def _lookup(host: str, port: int) -> list[IPAddress]:
    try:
        # getaddrinfo also reads decimal, octal and hexadecimal spellings the way connect() would.
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConnectFailed.because("the host name is unknown", "无法解析主机名", detail=f"{host}: {error}") from error
    texts = dict.fromkeys(str(info[4][0]).split("%")[0] for info in infos)
    return [ipaddress.ip_address(text) for text in texts]


def _check_address(address: IPAddress, settings: HostRules, *, named: bool) -> None:
    listed = _address_listed(address, settings.allowed_hosts)
    if is_forbidden(address):
        raise HostNotAllowed(f"{address} is a forbidden address")
    if settings.allowed_hosts and not (named or listed):
        raise HostNotAllowed(f"{address} is not in allowed_hosts")
    if is_private(address) and not settings.private_networks and not listed:
        raise HostNotAllowed(f"{address} is on a private network")


def _name_listed(host: str, allowed: list[str]) -> bool:
    name = host.rstrip(".").casefold()
    return any(fnmatch.fnmatchcase(name, entry.rstrip(".").casefold()) for entry in allowed if "/" not in entry)


def _address_listed(address: IPAddress, allowed: list[str]) -> bool:
    for entry in allowed:
        try:
            if address in ipaddress.ip_network(entry, strict=False):
                return True
        except ValueError:
            continue
    return False


def check_file(path: str, settings: DatabaseSettings) -> Path:
    """The real path of a database file or folder that exists and may be opened; raises MissingFile."""
    name = Path(path).name or path
    try:
        real = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise MissingFile(str(error), name=name) from error
    folders = [Path(folder).expanduser().resolve() for folder in settings.allowed_folders]
    if folders and not any(real.is_relative_to(folder) for folder in folders):
        # The same answer as for a missing file: what lies outside is nobody's business.
        raise MissingFile(f"{real} is outside allowed_folders", name=name)
    return real
