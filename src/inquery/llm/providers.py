"""Chat providers by name, imported when they are first used."""

from __future__ import annotations

import ipaddress
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from inquery.databases.transport.outgoing import checked_client, checked_transport, pinned
from inquery.errors import MissingDriver, ModelMissing, Text
from inquery.llm.call_limits import CallLimits
from inquery.llm.chat import STABLE, ChatModel
from inquery.llm.request_shape import RequestShape, ShapeBook, shape_key
from inquery.settings import LLMSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

Factory = Callable[[LLMSettings], "BaseChatModel"]


@dataclass(frozen=True, slots=True)
class Compatible:
    """A provider that speaks OpenAI's protocol: what people call it, and its public address."""

    label: Text
    address: str = ""


# Named in full: where no address is given, langchain would take LANGSMITH_GATEWAY's, and send prompts and key there.
COMPATIBLE: dict[str, Compatible] = {
    "openai": Compatible(Text("OpenAI", "OpenAI"), "https://api.openai.com/v1"),
    "azure": Compatible(Text("Azure OpenAI", "Azure OpenAI")),
    "deepseek": Compatible(Text("DeepSeek", "深度求索"), "https://api.deepseek.com/v1"),
    "dashscope": Compatible(
        Text("Qwen", "阿里云百炼（通义千问）"), "https://dashscope.aliyuncs.com/compatible-mode/v1"
    ),
    "gemini": Compatible(Text("Gemini", "Gemini"), "https://generativelanguage.googleapis.com/v1beta/openai/"),
    "lmstudio": Compatible(Text("LM Studio", "LM Studio"), "http://localhost:1234/v1"),
    "siliconflow": Compatible(Text("SiliconFlow", "硅基流动"), "https://api.siliconflow.cn/v1"),
    "vllm": Compatible(Text("vLLM", "vLLM"), "http://localhost:8000/v1"),
}
OLLAMA = "http://localhost:11434"
_VARIABLES = {
    "openai": ("OPENAI_API_BASE", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
    "ollama": ("OLLAMA_HOST",),
}
_PUBLIC = {name: each.address for name, each in COMPATIBLE.items()} | {
    "anthropic": "https://api.anthropic.com",
    "ollama": OLLAMA,
}
OLLAMA_CONTEXT = 16_384
"""Ollama cuts a longer prompt at its own 4,096 tokens without a word; each token costs its memory."""
CACHED_FROM = 3000
"""Characters from which the beginning of a prompt is worth a place in Anthropic's cache, which asks for 1,024 tokens."""


def openai(settings: LLMSettings) -> BaseChatModel:
    """OpenAI and every server that speaks its protocol, by base_url."""
    try:
        from langchain_openai import ChatOpenAI
    except ImportError as error:
        raise MissingDriver(str(error), engine="OpenAI", extra="openai") from error
    # A refused schema is a lesson here, and no business of whoever reads a terminal.
    warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured output")

    class Shaped(ChatOpenAI):
        """Sends what its model takes and no more."""

        shape: RequestShape = RequestShape()

        def _get_request_payload(self, input_: Any, *, stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
            payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
            limit = payload.pop("max_completion_tokens", None) or payload.pop("max_tokens", None)
            if limit and self.shape.limit_name:
                payload[self.shape.limit_name] = self.shape.most_tokens(limit)
            if not self.shape.temperature:
                payload.pop("temperature", None)
            for name in self.shape.without:
                payload.pop(name, None)
            return payload

    key = settings.api_key
    return Shaped(
        model=settings.model,
        base_url=address_of(settings),
        api_key=key if key.get_secret_value() else lambda: "none",
        temperature=settings.temperature,
        max_completion_tokens=settings.max_tokens,
        stream_usage=True,
        timeout=settings.timeout_s,
        max_retries=0,
        # Its own default client is shared by all loops of a process, and dies with the first of them.
        http_async_client=checked_client(timeout=settings.timeout_s),
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

        shape: RequestShape = RequestShape()

        @cached_property
        def _async_client(self) -> AsyncClient:
            own = pinned(DefaultAsyncHttpxClient(proxy=self.anthropic_proxy or None, follow_redirects=False))
            return AsyncClient(**self._client_params, http_client=own)

        def _get_request_payload(self, input_: Any, *, stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
            payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
            payload["max_tokens"] = self.shape.most_tokens(payload["max_tokens"])
            if not self.shape.temperature:
                payload.pop("temperature", None)
                payload.get("extra_body", {}).pop("temperature", None)
            if "cache_control" not in self.shape.without:
                _mark_stable(payload, self._convert_input(input_).to_messages())
            # Its own protocol knows no response_format: the prompt asks for JSON in words as well.
            payload.pop("response_format", None)
            return payload

        def _format_output(self, data: Any, **kwargs: Any) -> Any:
            # Its client hands on whatever a server sends with 200; said as OpenAI's does, it is told for what it is.
            if not hasattr(data, "model_dump"):
                raise ValueError(f"Unexpected response type: got {type(data).__name__}: {str(data)[:500]!r}")
            if error := (getattr(data, "model_extra", None) or {}).get("error"):
                raise ValueError(error)
            return super()._format_output(data, **kwargs)

    return OfOneLoop(  # type: ignore[call-arg]
        model_name=settings.model,
        base_url=address_of(settings),
        api_key=settings.api_key,
        temperature=settings.temperature,
        max_tokens_to_sample=settings.max_tokens,
        timeout=settings.timeout_s,
        max_retries=0,
    )


def _mark_stable(payload: dict[str, Any], messages: Sequence[BaseMessage]) -> None:
    """Tell Anthropic which beginning of a prompt comes again; others find that out by themselves."""
    stable = int(messages[-1].additional_kwargs.get(STABLE, 0)) if messages else 0
    last = payload["messages"][-1]
    text = last["content"]
    if stable < CACHED_FROM or not isinstance(text, str):
        return
    head = {"type": "text", "text": text[:stable], "cache_control": {"type": "ephemeral"}}
    payload["messages"][-1] = {**last, "content": [head, {"type": "text", "text": text[stable:]}]}


def ollama(settings: LLMSettings) -> BaseChatModel:
    """Models served by Ollama."""
    try:
        from langchain_ollama import ChatOllama
    except ImportError as error:
        raise MissingDriver(str(error), engine="Ollama", extra="ollama") from error

    class Shaped(ChatOllama):
        """Sends what its model takes and no more."""

        shape: RequestShape = RequestShape()

        def _chat_params(self, messages: Any, stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
            params: dict[str, Any] = super()._chat_params(messages, stop, **kwargs)
            limit = params["options"].get("num_predict")
            if limit:
                params["options"]["num_predict"] = self.shape.most_tokens(limit)
            return params

    return Shaped(
        model=settings.model,
        base_url=address_of(settings),
        temperature=settings.temperature,
        num_predict=settings.max_tokens,
        num_ctx=min(settings.context_tokens, OLLAMA_CONTEXT),
        client_kwargs={"timeout": settings.timeout_s},
        async_client_kwargs={"transport": checked_transport()},
    )


async def close_client(model: BaseChatModel) -> None:
    """Close the connections of a provider's model; of one that we did not make, its own library closes them."""
    for name in ("root_async_client", "_async_client"):
        client = getattr(model, name, None) or model.__dict__.get(name)
        if client is None:
            continue
        inner = getattr(client, "_client", client)
        close = getattr(client, "close", None) or getattr(inner, "aclose", None)
        if close is not None:
            await close()
            return


def first_shape(settings: LLMSettings) -> RequestShape:
    """How a model is asked before anything is known of it: as its provider's documentation says."""
    method = settings.structured_output
    if settings.provider == "ollama":
        # It ignores a forced tool, and holds every model to a schema.
        method = "json_schema" if method == "function_calling" else method
        return RequestShape(method=method, context_tokens=min(settings.context_tokens, OLLAMA_CONTEXT))
    host = urlsplit(address_of(settings)).hostname or ""
    own = host == "api.openai.com" or host.endswith(".openai.azure.com") or settings.provider == "azure"
    # The older name is understood by everything that is compatible, and refused by OpenAI's own newer models.
    return RequestShape(method=method, limit_name="max_completion_tokens" if own else "max_tokens")


_PORTS = {"http": 80, "https": 443}
KEYLESS = frozenset({"embedded", "scripted", "ollama"})
"""Providers that are sent no key."""


def address_of(settings: LLMSettings) -> str:
    """Where a provider is called: by its base_url, the variables of its own library, or its public address."""
    if settings.provider == "azure" and settings.base_url:
        address = settings.base_url.rstrip("/")
        return address if "/openai" in address else f"{address}/openai/v1"
    if settings.base_url:
        return settings.base_url
    names = _VARIABLES.get(settings.provider, ())
    found = next((value for name in names if (value := os.environ.get(name))), "")
    if settings.provider == "ollama" and found:
        return _ollama_address(found)
    return found or _PUBLIC.get(settings.provider, "")


def _ollama_address(said: str) -> str:
    """OLLAMA_HOST as a client reads it: a host, a port or both; 0.0.0.0 is what a server listens on."""
    address = said if "://" in said else f"http://{said}"
    parts = urlsplit(address)
    host = parts.hostname or "localhost"
    return f"{parts.scheme}://{'localhost' if host == '0.0.0.0' else host}:{parts.port or 11434}"


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


BUILT_IN: dict[str, Factory] = {**dict.fromkeys(COMPATIBLE, openai), "anthropic": anthropic, "ollama": ollama}


@lru_cache(maxsize=1)
def plugged_in() -> dict[str, Factory]:
    """Providers of other packages, by the entry point group `inquery.providers`."""
    return {point.name: point.load() for point in entry_points(group="inquery.providers")}


def open_chat(settings: LLMSettings, *, limits: CallLimits | None = None, book: ShapeBook | None = None) -> ChatModel:
    """The chat model the settings name, or ModelMissing with what to set."""
    factory = factory_of(settings)
    if not settings.model:
        raise ModelMissing(settings.provider, reason="INQUERY_LLM__MODEL")
    if settings.provider == "azure" and not settings.base_url:
        raise ModelMissing(settings.provider, reason="INQUERY_LLM__BASE_URL = https://….openai.azure.com")
    return ChatModel(
        factory(settings),
        settings,
        name=f"{settings.provider}:{settings.model}",
        limits=limits,
        book=book,
        key=shape_key(address_of(settings) or settings.provider, settings.model),
        shape=first_shape(settings),
    )


def factory_of(settings: LLMSettings) -> Factory:
    """Who opens the models of a provider; importing its library takes a second, and is done by the factory."""
    factory = BUILT_IN.get(settings.provider) or plugged_in().get(settings.provider)
    if factory is None:
        known = ", ".join(sorted({*BUILT_IN, *plugged_in(), "embedded", "scripted"}))
        raise ModelMissing(settings.provider, reason=f"INQUERY_LLM__PROVIDER = {known}")
    return factory


def is_local(settings: LLMSettings) -> bool:
    """Whether text sent to this provider stays on this machine."""
    if settings.provider in {"embedded", "scripted"}:
        return True
    host = urlsplit(address_of(settings)).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
