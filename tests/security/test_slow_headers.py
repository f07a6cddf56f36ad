"""A client that never finishes its headers is sent away, with either parser; one that is only slow to ask again is not."""

import pickle
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from inquery.api.http_protocol import BoundedHeaders, HeaderBounds

PARSERS = [H11Protocol, HttpToolsProtocol]


async def answer(_scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    """Reads the body, however long it takes, and answers."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def serving(parser: type, **bounds: Any) -> Iterator[int]:
    spoken = type("Spoken", (HeaderBounds, parser), bounds)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(answer, http=spoken, lifespan="off", log_level="error", timeout_keep_alive=30)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


def everything(port: int, *pieces: bytes) -> bytes:
    """What a server says until it ends the connection; a client that waits longer than it should fails the test."""
    with socket.create_connection(("127.0.0.1", port), timeout=15) as wire:
        for piece in pieces:
            wire.sendall(piece)
        said = b""
        while more := wire.recv(4096):
            said += more
        return said


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "begun", [b"", b"G", b"GET / HTTP/1.1\r\nhost: x\r\n", b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: "]
)
def test_headers_that_never_end_are_ended(parser: type, begun: bytes) -> None:
    with serving(parser, headers_s=0.3) as port:
        assert everything(port, begun).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("parser", PARSERS)
def test_a_second_request_that_never_ends_is_ended(parser: type) -> None:
    with serving(parser, headers_s=0.3) as port, socket.create_connection(("127.0.0.1", port), timeout=15) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert wire.recv(4096).startswith(b"HTTP/1.1 200 ")
        wire.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")
        said = b""
        while more := wire.recv(4096):
            said += more
        assert b"HTTP/1.1 408 " in said


@pytest.mark.parametrize("parser", PARSERS)
def test_headers_have_a_size(parser: type) -> None:
    """Whoever goes on sending finds the connection gone, and may not get to read why."""
    with serving(parser, headers_bytes=20_000) as port, socket.create_connection(("127.0.0.1", port), 15) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")
        with pytest.raises(OSError):
            wire.sendall(b"".join(b"x-%d: %s\r\n" % (number, b"a" * 900) for number in range(20_000)))


@pytest.mark.parametrize("parser", PARSERS)
def test_a_body_may_take_longer_than_headers(parser: type) -> None:
    """It has bounds of its own; so has what the application takes to answer."""
    with serving(parser, headers_s=0.3) as port, socket.create_connection(("127.0.0.1", port), timeout=15) as wire:
        wire.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nconnection: close\r\n\r\n")
        for letter in (b"a", b"b", b"c", b"d"):
            threading.Event().wait(0.2)
            wire.sendall(letter)
        assert wire.recv(4096).startswith(b"HTTP/1.1 200 ")


def test_workers_of_their_own_are_told_the_same_protocol() -> None:
    assert pickle.loads(pickle.dumps(BoundedHeaders)) is BoundedHeaders
