"""A loopback server that speaks OpenAI's and Anthropic's chat protocols, whole or streamed, well or badly, as a test says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HTML = "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body>It works.</body></html>"


@dataclass
class Reply:
    """One scripted reply.

    `fault` is half_stream, half_body, drips (a byte at a time), not_json or streams (unasked); `arguments` go into a tool call where a tool was offered, as text where they are
    no JSON; `error` is the body of a status; `body` is a whole answer of its own; `usage` adds to what is reported.
    """

    content: str | None = ""
    arguments: dict[str, Any] | str | None = None
    status: int = 200
    error: Any = None
    body: Any = None
    retry_after: str | None = None
    fault: str = ""
    pause_s: float = 0.0
    finish: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    usage: dict[str, Any] = field(default_factory=dict)


@dataclass
class Refusal:
    """A request that has `has` gets this error, as often as it comes: `name`, `name=part`, or `!name` for one without."""

    has: str
    error: Any = None
    status: int = 400

    def meets(self, body: dict[str, Any]) -> bool:
        name, _, part = self.has.partition("=")
        if name.startswith("!"):
            return not body.get(name[1:])
        return name in body and (not part or part in json.dumps(body[name]))


@dataclass
class Stub:
    """The server's address, its script, and what it was asked."""

    url: str
    replies: list[Reply]
    refuses: Sequence[Refusal] = ()
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def openai_server(*replies: Reply, refuses: Sequence[Refusal] = ()) -> Iterator[Stub]:
    """Serve the replies in order; the last one repeats. What is refused uses no reply up."""
    stub = Stub("", list(replies), refuses)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            if self.path.endswith("/api/tags"):
                self.send(200, json.dumps({"models": [{"name": "qwen3:8b"}]}))
            else:
                self.send(404, "{}")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stub.asked.append(body)
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            refused = next((each for each in stub.refuses if each.meets(body)), None)
            if refused is not None:
                self.send(refused.status, json.dumps(refused.error))
                return
            reply = stub.replies.pop(0) if len(stub.replies) > 1 else stub.replies[0]
            time.sleep(reply.pause_s)
            with suppress(BrokenPipeError, ConnectionResetError):
                self.answer(reply, body)

        def answer(self, reply: Reply, body: dict[str, Any]) -> None:
            anthropic = self.path.endswith("/messages")
            if reply.status != 200:
                error = reply.error if reply.error is not None else {"error": {"message": "scripted fault"}}
                text = error if isinstance(error, str) else json.dumps(error)
                self.send(reply.status, text, reply.retry_after)
            elif reply.fault == "not_json":
                self.send(200, HTML)
            elif reply.fault in {"half_body", "drips"}:
                self.send_slowly(json.dumps(completion(reply, body)), cut=reply.fault == "half_body")
            elif reply.body is not None:
                self.send(200, json.dumps(reply.body))
            elif self.path.endswith("/api/chat"):
                self.send(200, "\n".join(map(json.dumps, ollama_lines(reply, body))) + "\n")
            elif body.get("stream") or reply.fault == "streams":
                self.stream(reply, anthropic_events(reply, body) if anthropic else openai_events(reply, body))
            else:
                self.send(200, json.dumps(anthropic_message(reply, body) if anthropic else completion(reply, body)))

        def send(self, status: int, text: str, retry_after: str | None = None) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", "text/html" if text.startswith("<") else "application/json")
            self.send_header("content-length", str(len(data)))
            if retry_after is not None:
                self.send_header("retry-after", retry_after)
            self.end_headers()
            self.wfile.write(data)

        def send_slowly(self, text: str, *, cut: bool) -> None:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            for character in text[: len(text) // 2] if cut else text:
                self.wfile.write(character.encode())
                time.sleep(0 if cut else 0.1)
            self.close_connection = True

        def stream(self, reply: Reply, events: list[str]) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            cut = len(events) // 2 if reply.fault == "half_stream" else len(events)
            for event in events[:cut]:
                self.wfile.write(event.encode())
            if reply.fault == "half_stream":
                self.wfile.write(b'data: {"choices": [{"delta": {"con')
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


def _arguments(reply: Reply, body: dict[str, Any]) -> str | None:
    """The arguments of a tool call as they go over the wire, where a tool was offered."""
    if reply.arguments is None or not body.get("tools"):
        return None
    return reply.arguments if isinstance(reply.arguments, str) else json.dumps(reply.arguments)


def _text(reply: Reply, body: dict[str, Any]) -> str | None:
    """What is said in words: the arguments as JSON where no tool was offered."""
    if isinstance(reply.arguments, dict) and not body.get("tools") and not reply.content:
        return json.dumps(reply.arguments)
    return reply.content


def completion(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    """A whole answer in OpenAI's protocol."""
    message: dict[str, Any] = {"role": "assistant", "content": _text(reply, body)}
    arguments = _arguments(reply, body)
    if arguments is not None:
        call = {"name": body["tools"][0]["function"]["name"], "arguments": arguments}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": call}],
        }
    if reply.refusal is not None:
        message |= {"content": None, "refusal": reply.refusal}
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    return {
        "id": "stub", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **reply.usage},
    }  # fmt: skip


def openai_events(reply: Reply, body: dict[str, Any]) -> list[str]:
    """The same answer in pieces."""
    pieces: list[dict[str, Any]] = []
    arguments = _arguments(reply, body)
    if reply.reasoning:
        pieces.append({"role": "assistant", "reasoning_content": reply.reasoning})
    if arguments is not None:
        head = {"index": 0, "id": "1", "type": "function"}
        name = body["tools"][0]["function"]["name"]
        pieces.append({"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]})
        pieces += [{"tool_calls": [{"index": 0, "function": {"arguments": part}}]} for part in _cut(arguments)]
    else:
        pieces += [{"role": "assistant", "content": part} for part in _cut(_text(reply, body) or "")]
    chunks = [*map(chunk, pieces), chunk({}, reply.finish)]
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **reply.usage}
    chunks.append(chunk({}) | {"choices": [], "usage": usage})
    return [f"data: {json.dumps(each)}\n\n" for each in chunks] + ["data: [DONE]\n\n"]


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """One piece of a stream."""
    return {
        "id": "stub", "object": "chat.completion.chunk", "created": 0, "model": "stub",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }  # fmt: skip


def _cut(text: str) -> list[str]:
    return [text[start : start + 5] for start in range(0, len(text), 5)]


_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def _blocks(reply: Reply, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of an answer in Anthropic's protocol."""
    arguments = _arguments(reply, body)
    blocks: list[dict[str, Any]] = []
    if reply.reasoning:
        blocks.append({"type": "thinking", "thinking": reply.reasoning, "signature": "s"})
    if arguments is not None:
        blocks.append(
            {"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"], "input": json.loads(arguments)}
        )
    elif text := _text(reply, body):
        blocks.append({"type": "text", "text": text})
    return blocks


def anthropic_message(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    """A whole answer in Anthropic's protocol."""
    return {
        "id": "stub", "type": "message", "role": "assistant", "model": body["model"],
        "stop_reason": _STOPS.get(reply.finish, reply.finish), "stop_sequence": None,
        "content": _blocks(reply, body), "usage": {"input_tokens": 100, "output_tokens": 20, **reply.usage},
    }  # fmt: skip


def ollama_lines(reply: Reply, body: dict[str, Any]) -> list[dict[str, Any]]:
    """An answer in Ollama's own protocol: a line of JSON for each piece."""
    pieces = [
        {"message": {"role": "assistant", "content": part}, "done": False} for part in _cut(_text(reply, body) or "")
    ]
    last = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": reply.finish}
    counts = {"prompt_eval_count": 100, "eval_count": 20}
    return [{"model": body["model"], "created_at": "2026-01-01T00:00:00Z", **each} for each in (*pieces, last | counts)]


def anthropic_events(reply: Reply, body: dict[str, Any]) -> list[str]:
    """The same answer in pieces."""
    usage = {"input_tokens": 100, "output_tokens": 1, **reply.usage}
    begun = anthropic_message(reply, body) | {"content": [], "stop_reason": None, "usage": usage}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(_blocks(reply, body)):
        if block["type"] == "tool_use":
            events.append({"type": "content_block_start", "index": index, "content_block": block | {"input": {}}})
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in _cut(json.dumps(block["input"]))]
        elif block["type"] == "text":
            events.append({"type": "content_block_start", "index": index, "content_block": block | {"text": ""}})
            deltas = [{"type": "text_delta", "text": part} for part in _cut(block["text"])]
        else:
            events.append({"type": "content_block_start", "index": index, "content_block": block | {"thinking": ""}})
            deltas = [{"type": "thinking_delta", "thinking": part} for part in _cut(block["thinking"])]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": _STOPS.get(reply.finish, reply.finish), "stop_sequence": None}
    events += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": 20}}, {"type": "message_stop"}]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
