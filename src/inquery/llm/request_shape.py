"""What one model takes in a request: learnt from its refusals, and remembered by address and model.

Nobody publishes a table of this that holds for a year, and a server of one's own may be any of them. So a request
begins as the settings say; a refusal that names a parameter changes the shape, and the question goes on with it.
"""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import TypeAdapter, ValidationError

from inquery.errors import ModelUnavailable, NotAModel, RequestRejected, UnknownModel
from inquery.home import write_file
from inquery.llm.provider_errors import read_failure

Method = Literal["function_calling", "tools_auto", "json_schema", "json_mode", "text"]
LADDER: tuple[Method, ...] = ("function_calling", "tools_auto", "json_schema", "json_mode", "text")
"""Ways to ask for a structured answer, the surest first; whoever refuses one is asked by the next."""
LimitName = Literal["max_completion_tokens", "max_tokens", ""]
REASONING_ROOM = 4
"""Of a model that thinks, answers may be so many times as long: its thoughts count."""
LEARNT_DAYS = 30.0
"""Then it is tried anew: servers learn too."""

_REFUSED = re.compile(
    r"unsupport|not support|n[o']t (?:be )?(?:allowed|permitted|available|supported|accepted)|unrecogni[sz]ed|unknown|"
    r"unexpected|extra (?:inputs|fields)|invalid|deprecated|only (?:the )?default|may not|must be|requires?|cannot|"
    r"unavailable|no endpoints|不支持|无效",
    re.I,
)
_DROPPED = ("stream_options", "parallel_tool_calls", "cache_control")
"""Parameters that a request does without."""


@dataclass(frozen=True, slots=True)
class RequestShape:
    """How one model is asked."""

    method: Method = "function_calling"
    temperature: bool = True
    limit_name: LimitName = "max_tokens"
    longest: int = 0
    """The longest answer the model allows, in tokens; 0 where it named none."""
    room: int = 1
    streams_only: bool = False
    context_tokens: int = 0
    """The longest prompt, where the model named one."""
    tokens_ratio: float = 1.0
    """Tokens that the provider counted for one of ours."""
    without: tuple[str, ...] = ()
    learnt: float = 0.0

    def most_tokens(self, wanted: int) -> int:
        """The longest answer to ask for."""
        most = wanted * self.room
        return min(most, self.longest) if self.longest else most


def lesson_of(shape: RequestShape, refusal: ModelUnavailable) -> RequestShape | None:
    """The shape after a refusal, or None where it teaches nothing that is not known yet.

    Keys, accounts, filters and lengths are no matter of the shape; servers say what they lack with 404 and 500 too.
    """
    if refusal.__cause__ is None:
        return None
    said = read_failure(refusal.__cause__)
    if isinstance(refusal, NotAModel):  # some proxies stream whatever they are asked
        streams = not shape.streams_only and re.search(r"got str: ['\"]data: *\{", said.words)
        return replace(shape, streams_only=True) if streams else None
    if type(refusal) not in {RequestRejected, UnknownModel, ModelUnavailable}:
        return None
    learnt = _named(shape, said.text)
    if learnt is None and isinstance(refusal, RequestRejected) and not _mentions_anything(said.words):
        learnt = _plainest(shape)
    return None if learnt is None or learnt == shape else learnt


def _named(shape: RequestShape, text: str) -> RequestShape | None:
    """The lesson of a refusal that names what it does not like."""
    if re.search(
        r"only support(?:s)? stream|stream(?:ing)? mode|non-streaming calls|does not support http call", text, re.I
    ):
        return replace(shape, streams_only=True)
    if not _REFUSED.search(text) and not re.search(r"tool|range of max_tokens|too large|at most", text, re.I):
        return None
    if re.search(r"max_(?:completion_)?tokens", text):
        return _limited(shape, text)
    if re.search(r"\btemperature\b", text, re.I):
        return replace(shape, temperature=False)
    for name in _DROPPED:
        if name in text and name not in shape.without:
            return replace(shape, without=(*shape.without, name))
    if re.search(r"tool[_ ]choice", text, re.I) and shape.method in {"function_calling", "tools_auto"}:
        return replace(shape, method=_below(shape.method))
    if re.search(r"\btools?\b|function[_ -]?call|tool use", text, re.I) and shape.method in {
        "function_calling",
        "tools_auto",
    }:
        return replace(shape, method="json_schema")
    if (
        re.search(r"response_format|json_schema|json_object|json mode|\bformat\b", text, re.I)
        and "json" in shape.method
    ):
        return replace(shape, method=_below(shape.method))
    return None


def _limited(shape: RequestShape, text: str) -> RequestShape | None:
    """The bound of an answer goes by two names, and has a bound of its own."""
    bound = re.search(
        r"range of max_tokens should be \[\d+, *(\d+)\]|at most (\d+)|(?:less than or equal to|<=|maximum(?: of| value)?(?: is)?) *(\d+)",
        text,
        re.I,
    )
    if bound and (most := int(next(filter(None, bound.groups())))) and most != shape.longest:
        return replace(shape, longest=most)
    other: LimitName = "max_tokens" if shape.limit_name == "max_completion_tokens" else "max_completion_tokens"
    if not shape.limit_name or f"was {other}" in shape.without:
        return replace(shape, limit_name="")
    return replace(shape, limit_name=other, without=(*shape.without, f"was {shape.limit_name}"))


def _below(method: Method) -> Method:
    return LADDER[min(LADDER.index(method) + 1, len(LADDER) - 1)]


def _mentions_anything(text: str) -> bool:
    """Whether a refusal says what it is about; of "Bad Request" one can only guess."""
    return len(re.findall(r"\w+", text)) > 8


def _plainest(shape: RequestShape) -> RequestShape:
    """A request with nothing in it that a server could dislike, for one that does not say what it dislikes."""
    return replace(
        shape, method="text", temperature=False, without=(*shape.without, *set(_DROPPED) - set(shape.without))
    )


_SHAPES = TypeAdapter(dict[str, RequestShape])


class ShapeBook:
    """Shapes by address and model: in memory for all of a process, and in a file of the home for the next one."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known: dict[str, RequestShape] | None = None

    def find(self, key: str) -> RequestShape | None:
        """What is known of a model, unless it is old."""
        with self._lock:
            found = self._read().get(key)
        return found if found and time.time() - found.learnt < LEARNT_DAYS * 86400 else None

    def keep(self, key: str, shape: RequestShape) -> None:
        """Remember a shape that worked."""
        with self._lock:
            known = self._read()
            known[key] = replace(shape, learnt=time.time())
            if self._file is not None:
                write_file(
                    self._file, json.dumps({name: asdict(each) for name, each in known.items()}, indent=1).encode()
                )

    def forget(self, key: str) -> None:
        """Ask a model anew, as a test of its settings does."""
        with self._lock:
            self._read().pop(key, None)

    def _read(self) -> dict[str, RequestShape]:
        if self._known is None:
            try:
                self._known = _SHAPES.validate_json(self._file.read_bytes()) if self._file else {}
            except (OSError, ValidationError):  # not there yet, or written by another release: it is learnt again
                self._known = {}
        return self._known


_BOOKS: dict[Path | None, ShapeBook] = {}
SHAPES = "models.json"


def shape_book(home: Path | None) -> ShapeBook:
    """The book of a home; without one it lasts as long as the process."""
    return _BOOKS.setdefault(home, ShapeBook(home / SHAPES if home else None))


def shape_key(address: str, model: str) -> str:
    """What a model is known by: its address without anybody's password, and its name."""
    parts = urlsplit(address)
    return f"{urlunsplit(parts._replace(netloc=parts.netloc.rpartition('@')[2]))} {model}".strip()
