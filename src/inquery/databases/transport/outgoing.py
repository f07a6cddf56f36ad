"""Which addresses Inquery calls over HTTP by itself: models, webhooks, chart servers, sign-in providers. One policy for all.

- Link-local addresses, the clouds' metadata services among them, are never called.
- An address of the settings may be on a private network: whoever writes them owns the machine.
- One that a person of the server gives, a webhook or a model to try, may be so only where `outgoing.private_networks`
  lets it, and by itself where the server asks nobody who they are.
- A model that an administrator keeps may be so, as a database may, unless the settings close private networks.
- A name is resolved once, here, and the connection goes to the address that was checked.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from inquery.databases.transport.hosts import HostRules, check_name, resolve_all
from inquery.errors import BadRequest, ConnectFailed, HostNotAllowed
from inquery.settings import Settings

if TYPE_CHECKING:
    import httpx

LOG = logging.getLogger("inquery.outgoing")
Client = TypeVar("Client")
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Rules for hosts, as `hosts` reads them."""

    allowed_hosts: list[str]
    private_networks: bool


OF_SETTINGS = Outgoing([], True)
"""For addresses that the settings name."""


def rules_of_people(settings: Settings) -> Outgoing:
    """For addresses that people of the server give."""
    given = settings.outgoing
    own = settings.database.private_networks and not settings.asks_for_users
    private = own if given.private_networks is None else given.private_networks
    return Outgoing(given.allowed_hosts or settings.database.allowed_hosts, private)


def rules_of_keepers(settings: Settings) -> Outgoing:
    """For addresses that administrators keep, such as a model's: what the settings close is closed to them too."""
    given = settings.outgoing
    private = settings.database.private_networks if given.private_networks is None else given.private_networks
    return Outgoing(given.allowed_hosts or settings.database.allowed_hosts, private)


def addresses_of(host: str, port: int, rules: HostRules) -> list[str]:
    """The addresses of a host that may be called; raises HostNotAllowed, or ConnectFailed for an unknown name.

    Where private networks are closed, an unknown name is refused like a private one: which names a company has inside
    is not told either.
    """
    try:
        return resolve_all(host, port, rules)
    except ConnectFailed as error:
        if rules.private_networks:
            raise
        raise HostNotAllowed(str(error)) from error


def split_url(url: str) -> tuple[str, str, int]:
    """Scheme, host and port; raises BadRequest for what is no address of the web, or is read in more ways than one."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _bad_url() from error
    strange = parts.username is not None or parts.password is not None or "\\" in url or not url.isprintable()
    if parts.scheme not in PORTS or not parts.hostname or strange:
        raise _bad_url()
    return parts.scheme, parts.hostname, port or PORTS[parts.scheme]


def check_url(url: str, rules: HostRules) -> None:
    """Raise what `split_url` and `addresses_of` do."""
    _, host, port = split_url(url)
    addresses_of(host, port, rules)


def _bad_url() -> BadRequest:
    return BadRequest.because("this is no http or https address", "应为 http 或 https 地址", detail="address")


def checked_client(rules: HostRules = OF_SETTINGS, **options: Any) -> httpx.AsyncClient:
    """A client that connects to checked addresses alone, and follows no redirect: keys of its headers stay with the host."""
    import httpx

    return pinned(httpx.AsyncClient(**{"follow_redirects": False, **options}), rules)


def checked_transport(rules: HostRules = OF_SETTINGS) -> httpx.AsyncHTTPTransport:
    """The transport of such a client, for libraries that make the client themselves."""
    import httpx

    made = httpx.AsyncHTTPTransport()
    _pin(made, rules)
    return made


def pinned(client: Client, rules: HostRules = OF_SETTINGS) -> Client:
    """A client of httpx, or of a library that has taken its shape, that connects to checked addresses alone."""
    made: Any = client
    _pin(made._transport, rules)
    if made._mounts:  # a proxy of the environment resolves names itself, so that there is no address to pin

        async def check(request: Any) -> None:
            check_name(request.url.host, rules)

        made.event_hooks = {**made.event_hooks, "request": [*made.event_hooks["request"], check]}
    return client


def _pin(transport: Any, rules: HostRules) -> None:
    # httpx has no argument for it; tests/security/test_hosts_of_calls.py tells when a name changes.
    transport._pool._network_backend = _Pinned(transport._pool._network_backend, rules)


class _Pinned:
    """Opens sockets to addresses that were checked, in place of httpcore's own backend; TLS is still about the name."""

    def __init__(self, inner: Any, rules: HostRules) -> None:
        self._inner = inner
        self._rules = rules

    async def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> Any:
        """A connection to the first address that answers; raises HostNotAllowed, or OSError for an unknown name."""
        try:
            *others, last = await asyncio.to_thread(addresses_of, host, port, self._rules)
        except ConnectFailed as error:
            raise OSError(str(error)) from error
        for address in others:
            try:
                return await self._inner.connect_tcp(address, port, *args, **options)
            except Exception as error:  # noqa: BLE001 - of httpcore or httpcore2, whichever is inside; the last is raised
                LOG.debug("%s did not answer: %s", address, error)
        return await self._inner.connect_tcp(last, port, *args, **options)

    async def connect_unix_socket(self, *_args: Any, **_options: Any) -> Any:
        """No address of ours is one."""
        raise HostNotAllowed("a unix socket")

    async def sleep(self, seconds: float) -> None:
        """As the library waits between tries."""
        await self._inner.sleep(seconds)
