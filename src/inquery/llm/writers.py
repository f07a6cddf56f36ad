"""Which model sits in the seat: chosen by settings, switched per run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

from inquery.llm.call_limits import CallLimits
from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.llm.privacy import check_provider
from inquery.llm.request_shape import shape_book
from inquery.llm.writer import SqlWriter
from inquery.settings import LLMSettings

_LOCK = threading.Lock()
_CHATS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, ChatModel]] = WeakKeyDictionary()
_HOLDERS: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()
_LIMITS: dict[str, CallLimits] = {}
_WRITERS: dict[str, SqlWriter] = {}
IN_PROCESS = frozenset({"embedded", "scripted"})
"""Providers that write without a chat model."""


def writer_for(
    settings: LLMSettings, *, privacy: str = "full", prompts: Path | None = None, home: Path | None = None
) -> SqlWriter:
    """The writer for these settings; raises ModelMissing when it cannot be had or privacy forbids it."""
    check_provider(settings, privacy)
    if settings.provider in IN_PROCESS:
        return _kept(settings.provider, settings.model)
    chat = chat_model_for(settings, home=home)
    assert chat is not None
    return ChatWriter(chat, settings, privacy=privacy, prompts=prompts)


def _kept(provider: str, model: str) -> SqlWriter:
    with _LOCK:
        key = f"{provider}:{model}"
        if key not in _WRITERS:
            _WRITERS[key] = _open(provider, model)
        return _WRITERS[key]


def _open(provider: str, model: str) -> SqlWriter:
    if provider == "scripted":
        from inquery.llm.scripted import ScriptedWriter

        return ScriptedWriter.from_file(model)
    from inquery.llm.embedded.form_writer import EmbeddedWriter

    return EmbeddedWriter.load(model)


def chat_model_for(settings: LLMSettings, *, home: Path | None = None) -> ChatModel | None:
    """The chat model for these settings, one an event loop; None where there is none.

    Its connections belong to the loop they were opened in, so another loop of this process has its own; rate and
    breaker are the process's. Asked outside of any loop, it is made for the caller alone.
    """
    if settings.provider in IN_PROCESS:
        return None
    from inquery.llm.providers import open_chat

    key = settings.model_dump_json() + settings.api_key.get_secret_value()
    with _LOCK:
        limits = _LIMITS.setdefault(key, CallLimits.of(settings))
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return open_chat(settings, limits=limits, book=shape_book(home))
        kept = _CHATS.setdefault(loop, {})
        if key not in kept:
            kept[key] = open_chat(settings, limits=limits, book=shape_book(home))
        return kept[key]


async def load_client(settings: LLMSettings) -> None:
    """Import what the provider needs, aside: it takes a second, in which the loop would stand still."""
    if settings.provider in IN_PROCESS:
        return
    from inquery.llm.providers import factory_of

    def opened() -> None:
        if settings.model:
            factory_of(settings)(settings)

    if settings.provider not in _LOADED:
        await asyncio.to_thread(opened)
        _LOADED.add(settings.provider)


_LOADED: set[str] = set()


async def check_ready(settings: LLMSettings, *, home: Path | None = None) -> None:
    """Raise ModelMissing where the model cannot be had; nothing is called, and weights are looked for, not loaded."""
    if settings.provider == "embedded" and not settings.model:
        from inquery.llm.embedded.weights import find_model

        await asyncio.to_thread(find_model)
    elif settings.provider in IN_PROCESS:
        await asyncio.to_thread(writer_for, settings)
    else:
        await load_client(settings)
        writer_for(settings, home=home)


@asynccontextmanager
async def hold_chats() -> AsyncIterator[None]:
    """While somebody of this loop is within, its chat models stay open; the last to leave closes them."""
    loop = asyncio.get_running_loop()
    _HOLDERS[loop] = _HOLDERS.get(loop, 0) + 1
    try:
        yield
    finally:
        _HOLDERS[loop] -= 1
        if not _HOLDERS[loop]:
            for chat in _CHATS.pop(loop, {}).values():
                await chat.close()


def model_name(settings: LLMSettings) -> str:
    """What traces, caches and answers call the model."""
    return f"{settings.provider}:{settings.model}" if settings.model else settings.provider
