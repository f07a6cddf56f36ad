"""Spans for OpenTelemetry: of runs, nodes, model calls and statements; off unless it is switched on.

Spans carry names, counts and times. Questions, statements, cells and addresses never enter them: a statement is
known by its hash and its tables.

LangSmith's traces hold all of these, and langchain sends them as soon as a variable of the environment says so. So
every run and every call of a model goes through `langsmith_allowed`.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from inquery.errors import MissingDriver
from inquery.settings import TracingSettings

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

_tracer: Any = None
_provider: Any = None
_OFF: AbstractContextManager[None] = nullcontext()


def start(settings: TracingSettings, exporter: SpanExporter | None = None) -> bool:
    """Switch spans on where the settings say so; the exporter is OTLP over HTTP unless one is given."""
    global _tracer, _provider
    if not settings.enabled or _provider is not None:
        return _provider is not None
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    except ImportError as error:
        raise MissingDriver(str(error), engine="OpenTelemetry", extra="otel") from error
    sampler = ParentBased(TraceIdRatioBased(settings.sample))
    _provider = TracerProvider(resource=Resource.create({"service.name": settings.service}), sampler=sampler)
    way = BatchSpanProcessor(_otlp(settings)) if exporter is None else SimpleSpanProcessor(exporter)
    _provider.add_span_processor(way)
    _tracer = _provider.get_tracer("inquery")
    return True


def stop() -> None:
    """Send what is left, and switch spans off."""
    global _tracer, _provider
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None


def _otlp(settings: TracingSettings) -> SpanExporter:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=settings.endpoint) if settings.endpoint else OTLPSpanExporter()


def span(name: str, **attributes: Any) -> AbstractContextManager[Span | None]:
    """A span around a block; nothing at all while spans are off."""
    if _tracer is None:
        return _OFF
    made: AbstractContextManager[Span | None] = _tracer.start_as_current_span(
        f"inquery.{name}", attributes=_named(attributes), record_exception=False, set_status_on_exception=False
    )
    return _Noting(made)


class _Noting(AbstractContextManager["Span | None"]):
    """A span that notes the code of an error of ours, or the class of another; never its text."""

    def __init__(self, made: AbstractContextManager[Span | None]) -> None:
        self._made = made
        self._span: Span | None = None

    def __enter__(self) -> Span | None:
        self._span = self._made.__enter__()
        return self._span

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool | None:
        if error is not None and self._span is not None:
            from opentelemetry.trace import StatusCode

            self._span.set_attribute("error.type", getattr(error, "code", type(error).__name__))
            self._span.set_status(StatusCode.ERROR)
        return self._made.__exit__(kind, error, trace)


def note_on_span(found: Span | None, **attributes: Any) -> None:
    """Add to a span what is known at its end."""
    if found is not None:
        found.set_attributes(_named(attributes))


def statement_digest(text: str) -> str:
    """A text by which two statements can be told apart, and nothing else."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _named(attributes: dict[str, Any]) -> dict[str, Any]:
    return {f"inquery.{name}": value for name, value in attributes.items() if value is not None}


def incoming(headers: dict[str, str]) -> Any:
    """The context of a caller that traces too, by its `traceparent`; None while spans are off."""
    if _tracer is None:
        return None
    from opentelemetry.propagate import extract

    return extract(headers)


def server_span(name: str, context: Any) -> AbstractContextManager[Span | None]:
    """The span of a request, below its caller's."""
    if _tracer is None:
        return _OFF
    from opentelemetry.trace import SpanKind

    made: AbstractContextManager[Span | None] = _tracer.start_as_current_span(name, context, SpanKind.SERVER)
    return made


def trace_id() -> str:
    """The id of the current trace, empty outside one."""
    if _tracer is None:
        return ""
    from opentelemetry.trace import format_trace_id, get_current_span

    found = get_current_span().get_span_context()
    return format_trace_id(found.trace_id) if found.is_valid else ""


_decided: ContextVar[bool] = ContextVar("inquery_langsmith_decided", default=False)


def is_decided() -> bool:
    """Whether a block around this one says what LangSmith may have."""
    return _decided.get()


@contextmanager
def langsmith_allowed(allowed: bool) -> Iterator[None]:
    """Let langchain trace a block as the environment says, or not at all; inside, the outermost block decides.

    Nothing of the process changes: a program that traces its own runs goes on doing so beside ours.
    """
    if _decided.get():
        yield
        return
    deciding = _decided.set(True)
    try:
        with nullcontext() if allowed else _untraced():
            yield
    finally:
        _decided.reset(deciding)


@contextmanager
def _untraced() -> Iterator[None]:
    from langchain_core.runnables.config import var_child_runnable_config
    from langchain_core.tracers.context import tracing_v2_callback_var
    from langsmith import tracing_context

    # Where the caller is a traced run itself, its tracer would come along by these two.
    tracer = tracing_v2_callback_var.set(_silent_tracer())
    parent = var_child_runnable_config.set(without_tracers(var_child_runnable_config.get()))
    try:
        with tracing_context(enabled=False, parent=False):
            yield
    finally:
        var_child_runnable_config.reset(parent)
        tracing_v2_callback_var.reset(tracer)


def without_tracers(config: RunnableConfig | None) -> RunnableConfig | None:
    """What a run takes over from the one that called it, without LangSmith's handlers."""
    if not config or not config.get("callbacks"):
        return config
    from langchain_core.callbacks import BaseCallbackManager
    from langchain_core.tracers import LangChainTracer

    callbacks = config["callbacks"]
    if isinstance(callbacks, BaseCallbackManager):
        callbacks = callbacks.copy()
        for handler in [each for each in callbacks.handlers if isinstance(each, LangChainTracer)]:
            callbacks.remove_handler(handler)
    elif callbacks is not None:
        callbacks = [each for each in callbacks if not isinstance(each, LangChainTracer)]
    return {**config, "callbacks": callbacks}


def _silent_tracer() -> Any:
    """None, or what langchain needs to see: with LANGCHAIN_TRACING set, it refuses every run that has no tracer."""
    old = (os.environ.get(name, "") for name in ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"))
    if all(value in {"", "0", "false", "False"} for value in old):
        return None
    from langchain_core.callbacks import BaseCallbackHandler

    return BaseCallbackHandler()


class TraceIds(logging.Filter):
    """Gives every line of the log the id of its trace, where it has one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets a record through."""
        found = trace_id()
        record.trace = f" trace={found}" if found else ""
        return True
