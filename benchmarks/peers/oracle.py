"""The model of every system: a loopback server that speaks the OpenAI protocol and knows the SQL of each question.

It does what a perfect model would do in each system's own conversation: ask for the schema where the system leaves that
to the model, call the system's tool with the SQL, and say a closing sentence. With faults on, the SQL it writes has the
mistakes of `faults`, drawn by question and attempt, so that all systems get the same ones.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import sqlglot
from benchmarks.peers.faults import SHARE, faulted
from rapidfuzz import fuzz
from rapidfuzz.utils import default_process
from sqlglot import exp

CHARACTERS_A_TOKEN = 4
NEAR = 95
FAILURES = (
    "error", "tool execution failed", 'near "', "no such ", "you can only execute one", "unrecognized token", "incomplete input",
    "ambiguous column", "wrong number of arguments", "misuse of", "sub-select returns", "datatype mismatch", "order by term",
)  # fmt: skip
"""How a result begins that is none: the toolkits' words or SQLite's own; a write the model knows by itself."""
DONE = "Here is the result."
READS_SCHEMA = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"


@dataclass
class Oracle:
    """What the model knows, how long it takes, and what it was asked so far."""

    answers: Mapping[str, str]
    delay_s: float = 0.0
    share: float = 0.0
    url: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    model_s: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)
    wrote: str = ""

    def take(self) -> dict[str, Any]:
        """Counts since the last time."""
        taken = {
            "calls": self.calls, "prompt_tokens": self.prompt_tokens, "model_s": self.model_s, "faults": dict(self.faults),
        }  # fmt: skip
        self.calls, self.prompt_tokens, self.model_s = 0, 0, 0.0
        self.faults.clear()
        self.attempts.clear()
        self.wrote = ""
        return taken

    def reply(self, body: Mapping[str, Any]) -> tuple[str, tuple[str, dict[str, Any]] | None]:
        """The text, and the tool with its arguments."""
        self.calls += 1
        self.prompt_tokens += tokens_of(body)
        messages = body["messages"]
        tools = [tool["function"]["name"] for tool in body.get("tools", ())]
        if self.is_check(messages):
            return "", ("sql_db_query", {"query": text_of(messages[-1])})
        question = self.question(messages)
        if "sql_db_schema" in tools:
            return "", ("sql_db_schema", {"table_names": ", ".join(self.tables(question))})
        if "run_sql" in tools:
            return self.with_run_sql(question, messages)
        if "sql_db_query" in tools:
            done = self.wrote != "write" and last_result(messages, "sql_db_query")
            return (DONE, None) if done else ("", ("sql_db_query", {"query": self.write(question)}))
        if "Route" in tools:
            return "", ("Route", {"next": "write_sql", "why": "write it again"})
        if "SqlAnswer" in tools:
            return "", ("SqlAnswer", {"candidates": [{"sql": self.write(question), "why": "as asked"}]})
        return self.write(question), None

    def with_run_sql(
        self, question: str, messages: list[dict[str, Any]]
    ) -> tuple[str, tuple[str, dict[str, Any]] | None]:
        """A conversation in which the model finds the schema itself."""
        since = messages[max(i for i, m in enumerate(messages) if m["role"] == "user") :]
        if not any(m["role"] == "tool" for m in since):
            return "", ("run_sql", {"sql": READS_SCHEMA})
        wrote = self.attempts[question] > 0 and self.wrote != "write"
        done = wrote and last_result(messages, "run_sql")
        return (DONE, None) if done else ("", ("run_sql", {"sql": self.write(question)}))

    @staticmethod
    def is_check(messages: list[dict[str, Any]]) -> bool:
        """Whether the tutorial's graph asks to look over a statement."""
        return "strong attention to detail" in text_of(messages[0])

    def question(self, messages: list[dict[str, Any]]) -> str:
        """The last known question that the messages hold."""
        for message in reversed(messages):
            text = plain(text_of(message))
            found = [question for question in self.answers if plain(question) in text]
            if found:
                return max(found, key=len)
            # Inquery writes its reading of a name into the question: "… is Smithson (STUDENT STU LNAME) took?"
            asked = text.rpartition("Question:")[2].partition("Answer with JSON")[0] if "Question:" in text else ""
            near = max(self.answers, key=lambda question: likeness(question, asked)) if asked else ""
            if near and likeness(near, asked) > NEAR:
                return near
        raise KeyError(f"no known question in the prompt: {text_of(messages[-1])[-600:]}")

    def tables(self, question: str) -> list[str]:
        """The tables of its SQL."""
        return sorted({t.name for t in sqlglot.parse_one(self.answers[question], read="sqlite").find_all(exp.Table)})

    def write(self, question: str) -> str:
        """The SQL, with the fault this attempt has."""
        self.attempts[question] += 1
        text, kind = faulted(self.answers[question], f"{question} {self.attempts[question]}", self.share)
        self.wrote = kind
        if kind:
            self.faults[kind] += 1
        return text


def text_of(message: Mapping[str, Any]) -> str:
    """The words of a message."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def plain(text: str) -> str:
    """Words without what quoting adds: a question inside JSON has its quotes escaped."""
    return " ".join(text.replace("\\", "").replace('"', "").split())


def likeness(question: str, asked: str) -> float:
    """How much of a question another text has, punctuation aside."""
    return fuzz.token_set_ratio(question, asked, processor=default_process)


def last_result(messages: list[dict[str, Any]], tool: str) -> bool:
    """Whether the last message is a result of this tool that is no error."""
    last = messages[-1]
    called = {c["id"]: c["function"]["name"] for m in messages for c in m.get("tool_calls") or ()}
    failed = text_of(last).strip().lower().startswith(FAILURES)
    return last["role"] == "tool" and called.get(last.get("tool_call_id")) == tool and not failed


def tokens_of(body: Mapping[str, Any]) -> int:
    """The prompt's size, four characters a token, tools included."""
    shown = [text_of(m) + json.dumps(m.get("tool_calls", ""), ensure_ascii=False) for m in body["messages"]]
    return (sum(map(len, shown)) + len(json.dumps(body.get("tools", ""), ensure_ascii=False))) // CHARACTERS_A_TOKEN


@contextmanager
def serving(answers: Mapping[str, str], *, delay_s: float = 0.0, noisy: bool = False) -> Iterator[Oracle]:
    """The model at an address of its own."""
    oracle = Oracle(answers, delay_s, SHARE if noisy else 0.0)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else every answer on a kept connection waits 40 ms for an acknowledgement

        def log_message(self, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            with lock:
                self.send(json.dumps(oracle.take()))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            started = time.perf_counter()
            with lock:
                content, call = oracle.reply(body)
            time.sleep(oracle.delay_s)
            oracle.model_s += time.perf_counter() - started
            with suppress(BrokenPipeError, ConnectionResetError):
                self.stream(content, call) if body.get("stream") else self.send(json.dumps(completion(content, call)))

        def send(self, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def stream(self, content: str, call: tuple[str, dict[str, Any]] | None) -> None:
            delta = message_of(content, call)
            for index, made in enumerate(delta.get("tool_calls", ())):
                made["index"] = index
            pieces = [
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}]},
            ]
            head = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "oracle"}
            data = "".join(f"data: {json.dumps(head | piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(data.encode())))
            self.end_headers()
            self.wfile.write(data.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    oracle.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield oracle
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def message_of(content: str, call: tuple[str, dict[str, Any]] | None) -> dict[str, Any]:
    """An assistant's message."""
    made: dict[str, Any] = {"role": "assistant", "content": content or None}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1], ensure_ascii=False)}
        made["tool_calls"] = [{"id": f"call_{time.monotonic_ns()}", "type": "function", "function": function}]
    return made


def completion(content: str, call: tuple[str, dict[str, Any]] | None) -> dict[str, Any]:
    """A whole answer of the protocol."""
    choice = {"index": 0, "message": message_of(content, call), "finish_reason": "tool_calls" if call else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "oracle",
        "choices": [choice],
        "usage": usage,
    }
