"""SSH tunnels: a loopback port forwarded through a bastion whose host key is known."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import selectors
import socket
import socketserver
import threading
from pathlib import Path
from typing import Any, cast

from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, check_name, resolve_all
from inquery.errors import AuthFailed, BadConnectionUrl, ConnectFailed, HostNotAllowed, MissingDriver, Text
from inquery.settings import DatabaseSettings

SSH_PARAMETERS = frozenset(
    {
        "ssh_host",
        "ssh_port",
        "ssh_user",
        "ssh_password",
        "ssh_key",
        "ssh_key_password",
        "ssh_host_key",
        "ssh_known_hosts",
    }
)
_UNREACHED = Text("the SSH server could not be reached", "无法连接 SSH 服务器")
_UNKNOWN_KEY = Text(
    "the SSH server's host key is not known; add it to known_hosts or give ssh_host_key=SHA256:…",
    "SSH 服务器的主机密钥未知；请将其加入 known_hosts，或提供 ssh_host_key=SHA256:…",
)
_CHUNK = 1 << 16


class Tunnels:
    """The tunnel of one connection, made when first needed and again when it broke."""

    def __init__(self, address: Address, default_port: int, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.target = (address.host or "localhost", address.port or default_port)
        self._lock = threading.Lock()
        self._tunnel: Tunnel | None = None
        given = [name for name in address.params if name.startswith("ssh_")]
        if given and "ssh_host" not in address.params:
            raise BadConnectionUrl.because("ssh_host is missing", "缺少 ssh_host")

    def local_address(self) -> tuple[str, int] | None:
        """Where to connect instead of the database's host, or None without a tunnel."""
        if "ssh_host" not in self.address.params:
            return None
        with self._lock:
            if self._tunnel is None or not self._tunnel.alive:
                if self._tunnel is not None:
                    self._tunnel.close()
                self._tunnel = Tunnel(self._connect(), self.target)
            return self._tunnel.local

    def close(self) -> None:
        """End the tunnel, if there is one."""
        with self._lock:
            if self._tunnel is not None:
                self._tunnel.close()
            self._tunnel = None

    def _connect(self) -> Any:
        try:
            import paramiko
        except ImportError as error:
            raise MissingDriver(str(error), engine="SSH", extra="ssh") from error
        params = self.address.params
        host, port = params["ssh_host"], int(params.get("ssh_port", "22"))
        check_name(self.target[0], self.settings)
        if host.startswith("/"):
            raise HostNotAllowed("an SSH server has no socket path")
        sock = open_socket(resolve_all(host, port, self.settings), port, self.settings.connect_timeout_s)
        client = paramiko.SSHClient()
        client.set_missing_host_key_policy(_policy(paramiko, params.get("ssh_host_key")))
        self._load_known_hosts(client)
        try:
            client.connect(host, port, sock=sock, **self._credentials())
        except paramiko.AuthenticationException as error:
            _close(client, sock)
            raise AuthFailed(str(error)) from error
        except (paramiko.SSHException, OSError, ValueError) as error:
            _close(client, sock)
            unknown = "host key" in str(error).lower() or "not found in known_hosts" in str(error)
            raise ConnectFailed(str(error), reason=_UNKNOWN_KEY if unknown else _UNREACHED) from error
        return client.get_transport()

    def _load_known_hosts(self, client: Any) -> None:
        given = self.address.params.get("ssh_known_hosts")
        if given is not None:
            client.load_host_keys(str(check_file(given, self.settings)))
        elif "ssh_host_key" not in self.address.params:
            with contextlib.suppress(OSError):
                client.load_host_keys(str(Path("~/.ssh/known_hosts").expanduser()))

    def _credentials(self) -> dict[str, Any]:
        params = self.address.params
        key = params.get("ssh_key")
        timeout = self.settings.connect_timeout_s
        return {
            "username": params.get("ssh_user") or None,
            "password": params.get("ssh_password"),
            "key_filename": str(check_file(key, self.settings)) if key else None,
            "passphrase": params.get("ssh_key_password"),
            "allow_agent": False,
            "look_for_keys": False,
            "timeout": timeout,
            "banner_timeout": timeout,
            "auth_timeout": timeout,
        }


def _close(*things: Any) -> None:
    for thing in things:
        with contextlib.suppress(OSError):
            thing.close()


def open_socket(addresses: list[str], port: int, timeout_s: float) -> socket.socket:
    """A TCP connection to the first of the checked addresses that answers."""
    problem: OSError = OSError("no address")
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout_s)
        except OSError as error:
            problem = error
    raise ConnectFailed(str(problem), reason=_UNREACHED) from problem


def _policy(paramiko: Any, fingerprint: str | None) -> Any:
    class Pinned(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
        """Accepts the one key whose SHA-256 was given."""

        def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
            digest = base64.b64encode(hashlib.sha256(key.asbytes()).digest()).decode().rstrip("=")
            if fingerprint is None or f"SHA256:{digest}" != fingerprint.rstrip("="):
                raise paramiko.SSHException(f"host key SHA256:{digest} is not the expected one")

    return Pinned()


class Tunnel:
    """A loopback server that forwards each connection over the transport."""

    def __init__(self, transport: Any, target: tuple[str, int]) -> None:
        self.transport = transport
        transport.set_keepalive(30)
        from paramiko import SSHException

        class Forward(socketserver.BaseRequestHandler):
            """One forwarded connection."""

            def handle(self) -> None:
                with contextlib.suppress(OSError, EOFError, SSHException):
                    channel = transport.open_channel("direct-tcpip", target, self.client_address)
                    pump(self.request, channel)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Forward)
        self._server.daemon_threads = True
        threading.Thread(target=self._serve, daemon=True, name="inquery-ssh").start()

    def _serve(self) -> None:
        with self._server:
            self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Stop listening and leave the SSH server."""
        self._server.shutdown()
        self.transport.close()

    @property
    def alive(self) -> bool:
        """Whether the SSH connection still stands."""
        return bool(self.transport.is_active())

    @property
    def local(self) -> tuple[str, int]:
        """The loopback address that is forwarded."""
        return "127.0.0.1", int(self._server.server_address[1])


def pump(one: socket.socket, other: Any) -> None:
    """Copy both ways until either side closes."""
    # Not select(): it knows no descriptor above 1,023, which a busy server has.
    with (
        contextlib.suppress(OSError, EOFError, ValueError),
        contextlib.closing(other),
        contextlib.closing(one),
        selectors.DefaultSelector() as selector,
    ):
        selector.register(one, selectors.EVENT_READ, other)
        selector.register(other, selectors.EVENT_READ, one)
        while True:
            for key, _ in selector.select():
                source, sink = cast("socket.socket", key.fileobj), key.data
                data = source.recv(_CHUNK)
                if not data:
                    return
                sink.sendall(data)
