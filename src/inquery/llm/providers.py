"""Chat providers by name, imported when they are first used."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from inquery.errors import MissingDriver, ModelMissing
from inquery.llm.chat import ChatModel
from inquery.settings import LLMSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Factory = Callable[[LLMSettings], "BaseChatModel"]


def openai(settings: LLMSettings) -> BaseChatModel:
    """OpenAI and every server that speaks its protocol, by base_url."""
    import httpx

    try:
        from langchain_openai import ChatOpenAI
    except ImportError as error:
        raise MissingDriver(str(error), engine="OpenAI", extra="openai") from error

    return ChatOpenAI(
        model=settings.model,
        base_url=address_of(settings),
        api_key=settings.api_key if settings.api_key.get_secret_value() else lambda: "none",
        temperature=settings.temperature,
        max_completion_tokens=settings.max_tokens,
        stream_usage=True,
        timeout=settings.timeout_s,
        max_retries=0,
        # Its own default client is shared by all loops of a process, and dies with the first of them.
        http_async_client=httpx.AsyncClient(timeout=settings.timeout_s, follow_redirects=True),
    )


def anthropic(settings: LLMSettings) -> BaseChatModel:
    """Anthropic's models."""
    try:
        from anthropic import AsyncClient, DefaultAsyncHttpxClient
        from langchain_anthropic import ChatAnthropic
    except ImportError as error:
        raise MissingDriver(str(error), engine="Anthropic", extra="anthropic") from error

    class OfOneLoop(ChatAnthropic):
        """With a client of its own: the default one is shared by all loops of a process, as OpenAI's is."""

        @cached_property
        def _async_client(self) -> AsyncClient:
            own = DefaultAsyncHttpxClient(proxy=self.anthropic_proxy or None)
            return AsyncClient(**self._client_params, http_client=own)

    return OfOneLoop(  # type: ignore[call-arg]
        model_name=settings.model,
        base_url=address_of(settings),
        api_key=settings.api_key,
        temperature=settings.temperature,
        max_tokens_to_sample=settings.max_tokens,
        timeout=settings.timeout_s,
        max_retries=0,
    )


def ollama(settings: LLMSettings) -> BaseChatModel:
    """Models served by Ollama."""
    try:
        from langchain_ollama import ChatOllama
    except ImportError as error:
        raise MissingDriver(str(error), engine="Ollama", extra="ollama") from error

    return ChatOllama(
        model=settings.model,
        base_url=settings.base_url or None,
        temperature=settings.temperature,
        num_predict=settings.max_tokens,
    )


# Named in full: where no address is given, langchain would take LANGSMITH_GATEWAY's, and send prompts and key there.
_HOMES = {
    "openai": (("OPENAI_API_BASE", "OPENAI_BASE_URL"), "https://api.openai.com/v1"),
    "anthropic": (("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"), "https://api.anthropic.com"),
}
_PORTS = {"http": 80, "https": 443}
KEYLESS = frozenset({"embedded", "scripted", "ollama"})
"""Providers that are sent no key."""


def address_of(settings: LLMSettings) -> str:
    """Where a provider is called: by its base_url, the variables of its own library, or its public address."""
    if settings.base_url:
        return settings.base_url
    names, public = _HOMES.get(settings.provider, ((), ""))
    return next((found for name in names if (found := os.environ.get(name))), public)


def withhold_key(stored: LLMSettings, made: LLMSettings) -> LLMSettings:
    """Settings made from stored ones, without the stored key where they lead to another place than its own."""
    return made if _place(made) == _place(stored) else made.model_copy(update={"api_key": SecretStr("")})


def refuse_keyless(stored: LLMSettings, made: LLMSettings, *, own: bool = False) -> None:
    """Raise ModelMissing where a key is stored, but for another place, and the call has none of its `own`."""
    if own or made.provider in KEYLESS or not stored.api_key.get_secret_value() or _place(made) == _place(stored):
        return
    raise ModelMissing.because(
        "the stored key is for the configured provider and address alone; give a key of its own (empty for none)",
        "已保存的密钥仅用于所配置的服务商和地址，请另行提供密钥（留空表示无需密钥）",
        detail=made.provider,
    )


def _place(settings: LLMSettings) -> tuple[str, ...]:
    """Scheme, host and port of a provider; an address that programs read differently is like no other."""
    address = address_of(settings)
    if not address:
        return (settings.provider,)
    parts = urlsplit(address)
    try:
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return (address,)
    if not parts.hostname or any(mark in address for mark in "\\@ \t\r\n"):
        return (address,)
    return parts.scheme, parts.hostname, str(port)


BUILT_IN: dict[str, Factory] = {"openai": openai, "anthropic": anthropic, "ollama": ollama}


@lru_cache(maxsize=1)
def plugged_in() -> dict[str, Factory]:
    """Providers of other packages, by the entry point group `inquery.providers`."""
    return {point.name: point.load() for point in entry_points(group="inquery.providers")}


def open_chat(settings: LLMSettings) -> ChatModel:
    """The chat model the settings name, or ModelMissing with what to set."""
    factory = BUILT_IN.get(settings.provider) or plugged_in().get(settings.provider)
    if factory is None:
        known = ", ".join(sorted({*BUILT_IN, *plugged_in(), "embedded", "scripted"}))
        raise ModelMissing(settings.provider, reason=f"INQUERY_LLM__PROVIDER = {known}")
    if not settings.model:
        raise ModelMissing(settings.provider, reason="INQUERY_LLM__MODEL")
    return ChatModel(factory(settings), settings, name=f"{settings.provider}:{settings.model}")


def is_local(settings: LLMSettings) -> bool:
    """Whether text sent to this provider stays on this machine."""
    if settings.provider in {"embedded", "scripted"}:
        return True
    host = urlsplit(settings.base_url).hostname or ("localhost" if settings.provider == "ollama" else "")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
