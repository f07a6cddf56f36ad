"""What a tunnel carries: both ways, whatever the number of the descriptor."""

import os
import resource
import socket
import threading
from collections.abc import Iterator

import pytest

from inquery.databases.transport.ssh import pump

MANY = 1100


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """More files open than select() can name."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * MANY:
        pytest.skip(f"this machine allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * MANY), hard))
    taken = [os.open(os.devnull, os.O_RDONLY) for _ in range(MANY)]
    yield
    for each in taken:
        os.close(each)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_busy_server_has_tunnels_too(many_descriptors: None) -> None:
    client, near = socket.socketpair()
    far, server = socket.socketpair()
    assert near.fileno() > 1023
    thread = threading.Thread(target=pump, args=(near, far), daemon=True)
    thread.start()
    with client, server:
        client.settimeout(10)
        server.settimeout(10)
        client.sendall(b"question")
        assert server.recv(100) == b"question"
        server.sendall(b"answer")
        assert client.recv(100) == b"answer"
    thread.join(10)
    assert not thread.is_alive()
