"""Reads what models really send: JSON in fences, after thoughts, with text around, or SQL alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from inquery.errors import BadOutput

Model = TypeVar("Model", bound=BaseModel)

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.S | re.I)
_UNOPENED = re.compile(r"\A(?:(?!<(?:think|thinking|reasoning)>).)*?</(?:think|thinking|reasoning)>", re.S | re.I)
"""Some templates put the opening tag into the prompt, so that the answer has the closing one alone."""
LONGEST_TAG = len("</reasoning>")
_FENCE = re.compile(r"```[ \t]*([A-Za-z0-9_+-]*)[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_NAME = r"(?:\w+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_READS = rf"(?:with\s+(?:recursive\s+)?{_NAME}\s*(?:\([^)]*\)\s*)?as\b|select\b|\(\s*select\b|values\s*\()"
_WRITES = (
    r"(?:(?:insert|replace|merge)\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|(?:drop|alter|create|truncate)\s+\w+|"
    r"(?:grant|revoke)\s+\w+|pragma\s+\w+|(?:attach|detach)\b|explain\s+(?:select|with|query|analyze)\b)"
)
_SQL_START = re.compile(rf"(?im)^\s*{_READS}")
_SQL_AFTER_WORDS = re.compile(rf"(?is)(?<=[:：`])\s*({_READS}.*?)(?:`|\n\s*\n|\Z)")
"""`Run this: select …`, and a statement between single quotes of code."""
_STATEMENT = re.compile(rf"(?i)\s*(?:{_READS}|{_WRITES})")
_CLAUSE = re.compile(
    r"(?i)\s*(?:[(),]|--|/\*|(?:from|where|group\s+by|having|order\s+by|limit|offset|fetch|union|intersect|except|window|"
    r"(?:(?:left|right|full|inner|outer|cross|natural)\s+)*join)\b)"
)


def without_thoughts(text: str) -> str:
    """The text less its reasoning blocks; an unclosed one swallows the rest, as it should."""
    return _THOUGHT.sub("", _UNOPENED.sub("", text)).strip()


class WithoutThoughts:
    """Hands a streamed text on without its reasoning blocks."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._whole = ""
        self._sent = 0

    def feed(self, piece: str) -> None:
        """Take a piece; what can no longer become a thought is sent on."""
        self._whole += piece
        # From a "<" on it may be the beginning of a tag.
        at = self._whole.rfind("<")
        sure = self._whole if at < 0 or len(self._whole) - at > LONGEST_TAG else self._whole[:at]
        self._send_new(_THOUGHT.sub("", sure).lstrip())

    def end(self) -> None:
        """The text is whole."""
        self._send_new(_THOUGHT.sub("", self._whole).lstrip())

    def _send_new(self, clean: str) -> None:
        if len(clean) > self._sent:
            self._send(clean[self._sent :])
            self._sent = len(clean)


def fenced(text: str, *languages: str) -> list[str]:
    """The bodies of code fences, those of the wanted languages first."""
    found = [(lang.lower(), body.strip()) for lang, body in _FENCE.findall(text) if body.strip()]
    wanted = [body for lang, body in found if lang in languages]
    return wanted + [body for lang, body in found if lang not in languages]


def json_objects(text: str) -> list[Any]:
    """Every JSON object or list in the text, in order, trailing commas forgiven."""
    decoder = json.JSONDecoder(strict=False)
    found: list[Any] = []
    text = _TRAILING_COMMA.sub(r"\1", text)
    at = 0
    while (start := _next_bracket(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, start)
            found.append(value)
        except ValueError:
            at = start + 1
    return found


def _next_bracket(text: str, at: int) -> int | None:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places) if places else None


def parse_as(text: str, schema: type[Model], *, otherwise: Callable[[str], Model | None] | None = None) -> Model:
    """The first JSON value in the text that fits the schema, else what `otherwise` makes of it, or BadOutput."""
    clean = without_thoughts(text)
    for body in [*fenced(clean, "json"), clean]:
        for value in json_objects(body):
            try:
                return schema.model_validate(value)
            except ValidationError:
                continue
    if otherwise is not None and (made := otherwise(clean)) is not None:
        return made
    raise BadOutput(f"no {schema.__name__} in {len(text)} characters")


def parse_broken(text: str, schema: type[Model]) -> Model | None:
    """The value in a tool call's arguments that are no JSON: with text around, commas too many, brackets too few."""
    try:
        return parse_as(text, schema)
    except BadOutput:
        pass
    from langchain_core.utils.json import parse_partial_json

    try:
        return schema.model_validate(parse_partial_json(text))
    except ValueError:
        return None


def find_sql(text: str) -> str | None:
    """A statement in free text: a fence that holds one, else what begins with a SELECT or WITH, without words after it."""
    clean = without_thoughts(text)
    for body in fenced(clean, "sql", "sqlite", "postgresql", "mysql"):
        if _SQL_START.search(body):
            return body.strip()
    if start := _SQL_START.search(clean):
        return _until_words(clean[start.start() :].strip())
    inline = _SQL_AFTER_WORDS.search(clean)
    return inline.group(1).strip() if inline else None


def is_statement(text: str) -> bool:
    """Whether a text begins as a statement of any kind does."""
    return _STATEMENT.match(text) is not None


def bare_sql(text: str) -> str:
    """A statement without the fence, words and semicolons that models put around it even where SQL alone was asked for."""
    alone = _STATEMENT.match(text) and "```" not in text
    statement = _until_words(text.strip()) if alone else find_sql(text) or text.strip()
    return statement.rstrip("; \n")


def _until_words(statement: str) -> str:
    """Up to the empty line after which there is no more SQL: a statement may hold empty lines too."""
    kept, *rest = re.split(r"\n\s*\n", statement)
    for part in rest:
        ended = kept.rstrip().endswith(";") or kept.count("(") <= kept.count(")")
        if ended and not _STATEMENT.match(part) and (kept.rstrip().endswith(";") or not _CLAUSE.match(part)):
            break
        kept = f"{kept}\n\n{part}"
    return kept.strip()
