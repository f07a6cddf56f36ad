"""A private SSH server that forwards TCP, for tunnels; it knows one user by password and by key."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import paramiko

from inquery.databases.transport.ssh import pump


@dataclass
class Bastion:
    """Where the server listens and what it accepts."""

    port: int
    fingerprint: str
    key: paramiko.PKey
    user: str = "tunnel"
    password: str = "t&nnel=1"
    forwarded: int = 0


class Gate(paramiko.ServerInterface):
    """Accepts the one user and connects the channels it asks for."""

    def __init__(self, bastion: Bastion) -> None:
        self.bastion = bastion
        self.targets: dict[int, tuple[str, int]] = {}

    def get_allowed_auths(self, username: str) -> str:
        return "password,publickey"

    def check_auth_password(self, username: str, password: str) -> int:
        good = (username, password) == (self.bastion.user, self.bastion.password)
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        good = username == self.bastion.user and key == self.bastion.key
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_channel_direct_tcpip_request(self, chanid: int, origin: Any, destination: tuple[str, int]) -> int:
        self.targets[chanid] = destination
        return paramiko.OPEN_SUCCEEDED


@contextlib.contextmanager
def bastion() -> Iterator[Bastion]:
    """Serve until the block ends."""
    host_key = paramiko.ECDSAKey.generate()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Bastion(listener.getsockname()[1], host_key.fingerprint, paramiko.ECDSAKey.generate())
        transports: list[paramiko.Transport] = []
        threading.Thread(target=_accept, args=(listener, host_key, made, transports), daemon=True).start()
        try:
            yield made
        finally:
            for transport in transports:
                transport.close()


def _accept(listener: socket.socket, host_key: Any, made: Bastion, transports: list[paramiko.Transport]) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            transport = paramiko.Transport(client)
            transport.add_server_key(host_key)
            transports.append(transport)
            threading.Thread(target=_serve, args=(transport, Gate(made)), daemon=True).start()


def _serve(transport: paramiko.Transport, gate: Gate) -> None:
    with contextlib.suppress(OSError, EOFError, paramiko.SSHException):  # a client that will not trust us leaves
        transport.start_server(server=gate)
    while transport.is_active():
        channel = transport.accept(1)
        if channel is not None:
            gate.bastion.forwarded += 1
            target = socket.create_connection(gate.targets[channel.get_id()])
            threading.Thread(target=pump, args=(target, channel), daemon=True).start()
