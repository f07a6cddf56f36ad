"""Tries a model as questions will use it: a real structured call, and what was learnt of how it is asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from inquery.errors import BadOutput, Unanswerable, Unclear
from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.llm.providers import open_chat
from inquery.llm.request_shape import RequestShape, shape_book
from inquery.llm.usage import UsageMeter, count_calls
from inquery.llm.writer import SchemaView, WriteRequest
from inquery.llm.writers import load_client
from inquery.settings import LLMSettings
from inquery.sql import Column, Table

ASKED = WriteRequest(
    question="How many orders are there?",
    language="en",
    dialect="sqlite",
    schema=SchemaView((Table(("orders",), (Column("id", "INTEGER", primary_key=True), Column("amount", "REAL"))),)),
)
"""Nobody's data: a model may be tried before it may see any."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A model that answered: how long it took, what it wrote, how it was asked, and in how many calls."""

    ms: float
    sql: str
    shape: RequestShape
    calls: int
    tokens: int


async def try_model(settings: LLMSettings, *, home: Path | None = None) -> Trial:
    """Have the model write a statement, by a client of its own; raises ModelUnavailable with the provider's words."""
    await load_client(settings)
    chat = open_chat(settings, book=shape_book(home))
    try:
        return await _tried(chat, settings)
    finally:
        await chat.close()


async def _tried(chat: ChatModel, settings: LLMSettings) -> Trial:
    await chat.forget_shape()
    started = time.perf_counter()
    with count_calls(UsageMeter.of(settings)) as meter:
        try:
            written = await ChatWriter(chat, settings).write(ASKED)
        except (Unanswerable, Unclear) as error:
            # It can be spoken to, and cannot do what it is for.
            told = BadOutput(error.detail)
            told.said = error.detail
            raise told from error
    ms = round((time.perf_counter() - started) * 1000, 1)
    tokens = meter.prompt_tokens + meter.completion_tokens
    return Trial(ms, written[0].sql, await chat.shape(), meter.model_calls, tokens)
