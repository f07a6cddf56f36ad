"""One configured chat model: limits, retries, accounting, structured answers.

A call has one deadline, over all its tries. What the model refuses to be asked (a temperature, a forced tool, a
response format) is learnt from the refusal and the same question goes on without it; see `request_shape`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from inquery.errors import AnswerCut, BadOutput, ContentFiltered, ModelRefused, ModelTimeout, ModelUnavailable
from inquery.llm.call_limits import CallLimits, retried
from inquery.llm.parsing import WithoutThoughts, parse_as, parse_broken, without_thoughts
from inquery.llm.provider_errors import clean_words, model_error
from inquery.llm.request_shape import REASONING_ROOM, RequestShape, ShapeBook, lesson_of
from inquery.llm.token_count import count_tokens
from inquery.llm.usage import UsageMeter, current_usage
from inquery.settings import LLMSettings
from inquery.tracing import langsmith_allowed, span

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Schema = TypeVar("Schema", bound=BaseModel)
OnToken = Callable[[str], None]

LOG = logging.getLogger("inquery.llm")
MOST_LESSONS = 8
"""A model that refuses more than this in a row is not to be taught."""
_CUT = {"length", "max_tokens", "model_context_window_exceeded"}
_ENDINGS = {"finish_reason", "stop_reason", "done_reason"}
"""How providers say that an answer is whole, and why it ended; a stream without one of these was cut."""
_DATA = ("{", "[{", "```")
_CLOSE_RATIO = 0.05
STABLE = "inquery_stable"
"""The key under which a message says how many of its first characters come again with the next question."""


class ChatModel:
    """A provider's model behind a rate limit, a breaker and bounded retries, shared by all runs of a loop."""

    def __init__(
        self,
        model: BaseChatModel,
        settings: LLMSettings,
        *,
        name: str,
        limits: CallLimits | None = None,
        book: ShapeBook | None = None,
        key: str = "",
        shape: RequestShape | None = None,
    ) -> None:
        self.name = name
        self._model = model
        self._settings = settings
        self._limits = limits or CallLimits.of(settings)
        self._book = book or ShapeBook()
        self._key = key or name
        self._first = shape or RequestShape(method=settings.structured_output)
        self._shape: RequestShape | None = None
        self._bound: dict[tuple[type[BaseModel], str], Any] = {}

    async def complete(
        self, messages: list[BaseMessage], *, usage: UsageMeter | None = None, on_token: OnToken | None = None
    ) -> str:
        """The model's answer in words, without its thoughts; data instead of words is nothing to show to a person."""
        async with self._deadline():
            message = await self._answer(messages, usage or current_usage(), None, on_token)
        text = without_thoughts(text_of(message))
        if text.startswith(_DATA):
            raise _said(BadOutput("data instead of words"), text)
        if not text:
            if refusal := self._refusal(message):
                raise ModelRefused(refusal, reason=refusal)
            raise self._why_empty(message) or BadOutput("empty answer")
        return text

    async def complete_as(
        self,
        messages: list[BaseMessage],
        schema: type[Schema],
        *,
        usage: UsageMeter | None = None,
        otherwise: Callable[[str], Schema | None] | None = None,
    ) -> Schema:
        """The model's answer as a value of the schema, asked for in the surest way the model takes.

        Text is always tried too, and `otherwise` may make a value of text that holds no JSON.
        """
        meter = usage or current_usage()
        async with self._deadline():
            message = await self._answer(messages, meter, schema, None)
            found = _read_as(message, schema, otherwise)
            if found is None and _is_cut(message) and (await self.shape()).room < REASONING_ROOM:
                # A model that thinks has spent the answer's tokens on its thoughts: once more with room for both.
                await self._keep(replace(await self.shape(), room=REASONING_ROOM))
                message = await self._answer(messages, meter, schema, None)
                found = _read_as(message, schema, otherwise)
        if found is not None:
            return found
        if refusal := self._refusal(message):
            raise ModelRefused(refusal, reason=refusal)
        shown = without_thoughts(text_of(message))
        raise self._why_empty(message) or _said(BadOutput(f"no {schema.__name__}"), shown)

    async def shape(self) -> RequestShape:
        """How the model is asked, as far as it is known."""
        if self._shape is None:
            known = await asyncio.to_thread(self._book.find, self._key)
            self._shape = known or self._first
        return self._shape

    async def forget_shape(self) -> None:
        """Ask anew as the settings say: who tries a model wants to know what it takes now."""
        await asyncio.to_thread(self._book.forget, self._key)
        self._shape = self._first

    async def close(self) -> None:
        """Close the connections, which belong to the loop they were opened in."""
        from inquery.llm.providers import close_client

        await close_client(self._model)

    def prompt_budget(self, shape: RequestShape) -> int:
        """The tokens of our count that a prompt may have: what the settings and the model allow, less the answer."""
        most = self._settings.context_tokens
        if shape.context_tokens:
            most = min(most, shape.context_tokens)
        room = min(shape.most_tokens(self._settings.max_tokens), most // 2)
        return max(256, round((most - room) / max(shape.tokens_ratio, 0.2)))

    async def learn_context(self, limit: int) -> None:
        """Remember how much the model said it can read."""
        shape = await self.shape()
        if limit and limit != shape.context_tokens:
            await self._keep(replace(shape, context_tokens=limit))

    @asynccontextmanager
    async def _deadline(self) -> AsyncIterator[None]:
        """One bound over all tries, pauses and lessons of a call: a person waits for it once."""
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                yield
        except TimeoutError as error:
            self._limits.breaker.failed()
            LOG.warning("%s: no answer within %s s", self.name, self._settings.timeout_s)
            raise ModelTimeout(f"{self._settings.timeout_s} s") from error

    async def _answer(
        self, messages: list[BaseMessage], usage: UsageMeter, schema: type[BaseModel] | None, on_token: OnToken | None
    ) -> AIMessage:
        """One answer; refusals of how it was asked are learnt from, and it is asked again."""
        before = shape = await self.shape()
        for _ in range(MOST_LESSONS):
            try:
                message = await self._call(shape, messages, usage, schema, on_token)
            except ModelUnavailable as error:
                learnt = lesson_of(shape, error)
                if learnt is None:
                    LOG.warning("%s: %s %s", self.name, error.code, error.detail)
                    raise
                LOG.info("%s does not take %s: %s", self.name, _difference(shape, learnt), error.said)
                shape = learnt
                continue
            shape = self._observed(shape, message, messages)
            if shape != before:
                await self._keep(shape)
            return message
        raise BadOutput("the model refuses every way of asking")

    async def _keep(self, shape: RequestShape) -> None:
        self._shape = shape
        await asyncio.to_thread(self._book.keep, self._key, shape)

    def _observed(self, shape: RequestShape, message: AIMessage, messages: list[BaseMessage]) -> RequestShape:
        """What an answer tells of its model: that it thinks, and how it counts."""
        reported = message.usage_metadata
        if not reported:
            return shape
        if (reported.get("output_token_details") or {}).get("reasoning"):
            shape = replace(shape, room=max(shape.room, REASONING_ROOM))
        ours = sum(count_tokens(text_of(m)) for m in messages)
        # A short prompt is mostly what a provider adds by itself, which says nothing of its tokenizer.
        if ours >= 1000 and reported["input_tokens"] >= 500:
            ratio = round(reported["input_tokens"] / ours, 2)
            if abs(ratio - shape.tokens_ratio) > _CLOSE_RATIO:
                shape = replace(shape, tokens_ratio=ratio)
        return shape

    def _structured(self, schema: type[BaseModel], shape: RequestShape) -> Any:
        """The model bound to a schema; kept, since writing a JSON schema takes milliseconds."""
        key = (schema, shape.method)
        if key not in self._bound:
            self._bound[key] = self._bind(schema, shape)
        return self._bound[key]

    def _bind(self, schema: type[BaseModel], shape: RequestShape) -> Any:
        match shape.method:
            case "function_calling":
                return self._model.bind_tools([schema], tool_choice=schema.__name__)
            case "tools_auto":
                return self._model.bind_tools([schema])
            case "json_mode":
                return self._model.bind(response_format={"type": "json_object"})
            case "json_schema":
                described = {"name": schema.__name__, "schema": schema.model_json_schema()}
                return self._model.bind(response_format={"type": "json_schema", "json_schema": described})
            case _:
                return self._model

    async def _call(
        self,
        shape: RequestShape,
        messages: list[BaseMessage],
        usage: UsageMeter,
        schema: type[BaseModel] | None,
        on_token: OnToken | None,
    ) -> AIMessage:
        usage.allow()
        if hasattr(self._model, "shape"):
            self._model.shape = shape
        model = self._model if schema is None else self._structured(schema, shape)
        key = self._settings.api_key.get_secret_value()
        sent = is_data = False

        def hand_on(text: str) -> None:
            nonlocal sent, is_data
            is_data = is_data or (not sent and text.lstrip()[:1] in {"{", "[", "`"})
            if on_token and not is_data:
                sent = True
                on_token(text)

        async def once() -> AIMessage:
            await self._limits.limiter.wait()
            if on_token or shape.streams_only:
                spoken = WithoutThoughts(hand_on)
                whole = await streamed(model, messages, spoken.feed)
                spoken.end()
                return whole
            found: AIMessage = await model.ainvoke(messages)
            return found

        def classify(error: BaseException) -> ModelUnavailable | None:
            found = model_error(error, key)
            if found is None:
                return None
            found.__cause__ = error
            # What was shown cannot be taken back by a second try, and what teaches a lesson is asked differently.
            return final(found) if sent or lesson_of(shape, found) is not None else found

        limits = self._limits
        with span("model", what="chat", model=self.name), langsmith_allowed(False):
            message = await retried(once, retries=self._settings.retries, breaker=limits.breaker, classify=classify)
        self._count(message, messages, usage)
        return message

    def _count(self, message: AIMessage, messages: list[BaseMessage], usage: UsageMeter) -> None:
        reported = message.usage_metadata
        if reported:
            usage.add(self.name, reported["input_tokens"], reported["output_tokens"], cached=_cached(message))
        else:
            asked = sum(count_tokens(text_of(m)) for m in messages)
            usage.add(self.name, asked, count_tokens(text_of(message)))

    def _why_empty(self, message: AIMessage) -> ModelUnavailable | None:
        """Why an answer holds nothing of use, where the provider says it."""
        reason = _ending(message)
        if _is_cut(message):
            limit = (self._shape or self._first).most_tokens(self._settings.max_tokens)
            return AnswerCut(reason, limit=limit)
        if reason.startswith("content_filter") or reason in {"safety", "refusal", "recitation"}:
            return _said(ContentFiltered(reason), self._refusal(message))
        return None

    def _refusal(self, message: AIMessage) -> str:
        """The model's own words of refusal, where it gave them a field of their own."""
        return clean_words(str(message.additional_kwargs.get("refusal") or ""))


def _said(error: ModelUnavailable, words: str) -> ModelUnavailable:
    """The error with the model's own words."""
    error.said = clean_words(words)
    error.detail = f"{error.detail}: {error.said}" if error.said else error.detail
    return error


def _difference(one: RequestShape, other: RequestShape) -> str:
    names = ("method", "temperature", "limit_name", "longest", "streams_only", "without")
    return ", ".join(name for name in names if getattr(one, name) != getattr(other, name))


def _ending(message: AIMessage) -> str:
    return str(next((found for name in _ENDINGS if (found := message.response_metadata.get(name))), "")).lower()


def _is_cut(message: AIMessage) -> bool:
    return _ending(message) in _CUT


def _cached(message: AIMessage) -> int:
    """Prompt tokens that the provider had read before; DeepSeek and Moonshot count them under names of their own."""
    reported = message.usage_metadata
    details = reported.get("input_token_details") if reported else None
    own = message.response_metadata.get("token_usage") or {}
    found = (details or {}).get("cache_read") or own.get("prompt_cache_hit_tokens") or own.get("cached_tokens")
    return int(found or 0)


def _read_as(
    message: AIMessage, schema: type[Schema], otherwise: Callable[[str], Schema | None] | None
) -> Schema | None:
    """The value in a message: of a tool call, of one whose JSON is broken, or in its text; None where there is none."""
    for call in message.tool_calls:
        try:
            return schema.model_validate(call["args"])
        except ValueError:
            continue
    if not _is_cut(message):  # half of a statement may be a statement, and another one
        for broken in message.invalid_tool_calls:
            if (mended := parse_broken(str(broken.get("args") or ""), schema)) is not None:
                return mended
    try:
        return parse_as(text_of(message), schema, otherwise=None if _is_cut(message) else otherwise)
    except BadOutput:
        return None


async def streamed(model: Any, messages: list[BaseMessage], on_token: OnToken) -> AIMessage:
    """The whole message from a stream, its pieces handed on as they come; a stream that ends early is an error."""
    whole: Any = None
    async for piece in model.astream(messages):
        whole = piece if whole is None else whole + piece
        if text := text_of(piece):
            on_token(text)
    if whole is None or not _ENDINGS & whole.response_metadata.keys():
        # The server's fault, not the model's: whoever takes it for a bad answer pays for a repair of nothing.
        raise _said(ModelUnavailable("cut"), "the stream ended early")
    return AIMessage(
        content=whole.content,
        tool_calls=whole.tool_calls,
        invalid_tool_calls=whole.invalid_tool_calls,
        usage_metadata=whole.usage_metadata,
        response_metadata=whole.response_metadata,
        additional_kwargs=whole.additional_kwargs,
    )


def text_of(message: BaseMessage) -> str:
    """The text parts of a message, whatever shape its content has."""
    if isinstance(message.content, str):
        return message.content
    parts = (part if isinstance(part, str) else part.get("text", "") for part in message.content)
    return "".join(str(part) for part in parts)


def final(error: ModelUnavailable) -> ModelUnavailable:
    """The same error, not worth another try."""
    error.retryable = False  # type: ignore[misc]
    return error
