"""One configured chat model: limits, retries, accounting, structured answers."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from inquery.errors import BadOutput, InqueryError, ModelMissing, ModelTimeout, ModelUnavailable, RateLimited
from inquery.llm.call_limits import Breaker, RateLimiter, retried
from inquery.llm.parsing import parse_as, without_thoughts
from inquery.llm.usage import UsageMeter, current_usage
from inquery.settings import LLMSettings
from inquery.tracing import langsmith_allowed, span

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Schema = TypeVar("Schema", bound=BaseModel)
OnToken = Callable[[str], None]

CHARACTERS_PER_TOKEN = 3.5
"""For providers that do not report usage: English has four characters a token, Chinese fewer than two."""


class ChatModel:
    """A provider's model behind a rate limit, a breaker and bounded retries, shared by all runs of a process."""

    def __init__(self, model: BaseChatModel, settings: LLMSettings, *, name: str) -> None:
        self.name = name
        self._model = model
        self._settings = settings
        self._limiter = RateLimiter(settings.requests_per_minute)
        self._breaker = Breaker(settings.breaker_failures, settings.breaker_pause_s)
        self._bound: dict[type[BaseModel], Any] = {}

    async def complete(
        self, messages: list[BaseMessage], *, usage: UsageMeter | None = None, on_token: OnToken | None = None
    ) -> str:
        """The model's answer as text, without its thoughts."""
        message = await self._call(self._model, messages, usage or current_usage(), on_token)
        text = without_thoughts(text_of(message))
        if not text and not message.tool_calls:
            raise BadOutput("empty answer")
        return text

    async def complete_as(
        self,
        messages: list[BaseMessage],
        schema: type[Schema],
        *,
        usage: UsageMeter | None = None,
        otherwise: Callable[[str], Schema | None] | None = None,
    ) -> Schema:
        """The model's answer as a value of the schema, by the method of the settings.

        Text is always tried too, and `otherwise` may make a value of text that holds no JSON.
        """
        message = await self._call(self._structured(schema), messages, usage or current_usage(), None)
        for call in message.tool_calls:
            try:
                return schema.model_validate(call["args"])
            except ValueError:
                continue
        return parse_as(text_of(message), schema, otherwise=otherwise)

    def _structured(self, schema: type[BaseModel]) -> Any:
        """The model bound to a schema; kept, since writing a JSON schema takes milliseconds."""
        if schema not in self._bound:
            self._bound[schema] = self._bind(schema)
        return self._bound[schema]

    def _bind(self, schema: type[BaseModel]) -> Any:
        match self._settings.structured_output:
            case "function_calling":
                return self._model.bind_tools([schema], tool_choice=schema.__name__)
            case "json_mode":
                return self._model.bind(response_format={"type": "json_object"})
            case "json_schema":
                shape = {"name": schema.__name__, "schema": schema.model_json_schema()}
                return self._model.bind(response_format={"type": "json_schema", "json_schema": shape})
            case _:
                return self._model

    async def _call(
        self, model: Any, messages: list[BaseMessage], usage: UsageMeter, on_token: OnToken | None
    ) -> AIMessage:
        usage.allow()

        async def once() -> AIMessage:
            await self._limiter.wait()
            async with asyncio.timeout(self._settings.timeout_s):
                return await (streamed(model, messages, on_token) if on_token else model.ainvoke(messages))

        with span("model", what="chat", model=self.name), langsmith_allowed(False):
            message = await retried(once, retries=self._settings.retries, breaker=self._breaker, classify=model_error)
        self._count(message, messages, usage)
        return message

    def _count(self, message: AIMessage, messages: list[BaseMessage], usage: UsageMeter) -> None:
        reported = message.usage_metadata
        if reported:
            usage.add(self.name, reported["input_tokens"], reported["output_tokens"])
        else:
            asked = sum(len(text_of(m)) for m in messages)
            usage.add(
                self.name, round(asked / CHARACTERS_PER_TOKEN), round(len(text_of(message)) / CHARACTERS_PER_TOKEN)
            )


_ENDINGS = {"finish_reason", "stop_reason", "done_reason"}
"""How providers say that a stream is whole; without one of these it was cut."""


async def streamed(model: Any, messages: list[BaseMessage], on_token: OnToken) -> AIMessage:
    """The whole message from a stream, its pieces handed on as they come; a stream that ends early is an error."""
    whole: Any = None
    async for piece in model.astream(messages):
        whole = piece if whole is None else whole + piece
        if text := text_of(piece):
            on_token(text)
    if whole is None or not _ENDINGS & whole.response_metadata.keys():
        raise BadOutput("the stream ended early")
    return AIMessage(content=whole.content, tool_calls=whole.tool_calls, usage_metadata=whole.usage_metadata)


def text_of(message: BaseMessage) -> str:
    """The text parts of a message, whatever shape its content has."""
    if isinstance(message.content, str):
        return message.content
    parts = (part if isinstance(part, str) else part.get("text", "") for part in message.content)
    return "".join(str(part) for part in parts)


def model_error(error: BaseException) -> ModelUnavailable | None:
    """The error of the tree for a provider's error, by status first; None for bugs and our own refusals."""
    if isinstance(error, ModelUnavailable):
        return error
    if isinstance(error, InqueryError | asyncio.CancelledError):
        return None
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in kind:
        return ModelTimeout(kind)
    if status == 429:
        return RateLimited(kind)
    if status in {401, 403}:
        return ModelMissing(kind, reason="the provider refused the key / 服务商拒绝了密钥")
    if status == 404:
        return ModelMissing(kind, reason="the provider does not know this model / 服务商没有该模型")
    if status == 400:
        return final(ModelUnavailable(kind))
    if status is not None or isinstance(error, OSError) or _comes_from_a_provider(error):
        return ModelUnavailable(kind)
    return BadOutput(kind) if _broke_in_a_client(error) else None


_PROVIDER_MODULES = {"anthropic", "httpcore", "httpx", "json", "langchain_core", "ollama", "openai"}


def _comes_from_a_provider(error: BaseException) -> bool:
    """Whether any class of the error is a client library's; bugs of ours are not to be retried."""
    return any(cls.__module__.split(".")[0] in _PROVIDER_MODULES for cls in type(error).__mro__)


def _broke_in_a_client(error: BaseException) -> bool:
    """Whether a client library stumbled over what a server sent: `{}` is a TypeError there, other answers others."""
    frames = [frame.f_globals.get("__name__", "").split(".")[0] for frame, _ in traceback.walk_tb(error.__traceback__)]
    return "langchain_core" in frames and frames[-1] != "inquery"


def final(error: ModelUnavailable) -> ModelUnavailable:
    """The same error, not worth another try."""
    error.retryable = False  # type: ignore[misc]
    return error
