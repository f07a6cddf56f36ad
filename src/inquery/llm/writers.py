"""Which model sits in the seat: chosen by settings, switched per run."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from weakref import WeakKeyDictionary

from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.llm.privacy import check_provider
from inquery.llm.writer import SqlWriter
from inquery.settings import LLMSettings

_LOCK = threading.Lock()
_CHATS: WeakKeyDictionary[object, dict[str, ChatModel]] = WeakKeyDictionary()
_WRITERS: dict[str, SqlWriter] = {}


def writer_for(settings: LLMSettings, *, privacy: str = "full", prompts: Path | None = None) -> SqlWriter:
    """The writer for these settings; raises ModelMissing when it cannot be had or privacy forbids it."""
    check_provider(settings, privacy)
    if settings.provider in {"embedded", "scripted"}:
        return _kept(settings.provider, settings.model)
    chat = chat_model_for(settings)
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


def chat_model_for(settings: LLMSettings) -> ChatModel | None:
    """The chat model for these settings, one an event loop so that its limits hold; None where there is none.

    Its connections belong to the loop they were opened in: another loop of this process has its own.
    """
    if settings.provider in {"embedded", "scripted"}:
        return None
    from inquery.llm.providers import open_chat

    key = settings.model_dump_json() + settings.api_key.get_secret_value()
    with _LOCK:
        kept = _CHATS.setdefault(_loop(), {})
        if key not in kept:
            kept[key] = open_chat(settings)
        return kept[key]


def _loop() -> object:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return ChatModel  # asked outside of any loop


def model_name(settings: LLMSettings) -> str:
    """What traces, caches and answers call the model."""
    return f"{settings.provider}:{settings.model}" if settings.model else settings.provider
