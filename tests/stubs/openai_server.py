"""A loopback server that speaks the OpenAI chat protocol, well or badly, as a test says; Anthropic's well only."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """One scripted reply; `fault` is timeout, half_stream, not_json or empty."""

    content: str = ""
    arguments: dict[str, Any] | None = None
    status: int = 200
    retry_after: str | None = None
    fault: str = ""
    pause_s: float = 0.0


@dataclass
class Stub:
    """The server's address, its script, and what it was asked."""

    url: str
    replies: list[Reply]
    asked: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def openai_server(*replies: Reply) -> Iterator[Stub]:
    """Serve the replies in order; the last one repeats."""
    stub = Stub("", list(replies))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stub.asked.append(body)
            reply = stub.replies.pop(0) if len(stub.replies) > 1 else stub.replies[0]
            time.sleep(reply.pause_s)
            with suppress(BrokenPipeError, ConnectionResetError):
                self.answer(reply, body)

        def answer(self, reply: Reply, body: dict[str, Any]) -> None:
            if reply.status != 200:
                self.send(reply.status, json.dumps({"error": {"message": "scripted fault"}}), reply.retry_after)
            elif reply.fault == "not_json":
                self.send(200, "<html>oops</html>")
            elif self.path.endswith("/messages"):
                self.send(200, json.dumps(anthropic_message(reply, body)))
            elif body.get("stream"):
                self.stream(reply)
            else:
                self.send(200, json.dumps(completion(reply, body)))

        def send(self, status: int, text: str, retry_after: str | None = None) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if retry_after is not None:
                self.send_header("retry-after", retry_after)
            self.end_headers()
            self.wfile.write(data)

        def stream(self, reply: Reply) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            pieces = [reply.content[i : i + 5] for i in range(0, len(reply.content), 5)]
            cut = len(pieces) // 2 if reply.fault == "half_stream" else len(pieces)
            for piece in pieces[:cut]:
                self.wfile.write(f"data: {json.dumps(chunk(piece))}\n\n".encode())
            if reply.fault == "half_stream":
                self.wfile.write(b'data: {"choices": [{"delta": {"con')
                self.close_connection = True
                return
            self.wfile.write(f"data: {json.dumps(chunk('', 'stop'))}\n\ndata: [DONE]\n\n".encode())
            self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    """A whole answer, as a tool call where arguments are scripted and a tool was offered."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.arguments is not None and body.get("tools"):
        call = {"name": body["tools"][0]["function"]["name"], "arguments": json.dumps(reply.arguments)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": call}],
        }
    return {
        "id": "stub", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }  # fmt: skip


def anthropic_message(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    """A whole answer in Anthropic's protocol."""
    return {
        "id": "stub", "type": "message", "role": "assistant", "model": body["model"], "stop_reason": "end_turn",
        "content": [{"type": "text", "text": reply.content}], "usage": {"input_tokens": 100, "output_tokens": 20},
    }  # fmt: skip


def chunk(text: str, finish: str | None = None) -> dict[str, Any]:
    """One piece of a stream."""
    return {
        "id": "stub", "object": "chat.completion.chunk", "created": 0, "model": "stub",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}],
    }  # fmt: skip
