"""How nodes tell the outside what happens: typed events to the run's own reader, else through LangGraph's stream."""

from __future__ import annotations

from collections.abc import Callable

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.events import Event, TokenEvent


def emit(runtime: Runtime[Context], event: Event) -> None:
    """Send one event to whoever streams this run."""
    send = runtime.context.send or runtime.stream_writer
    send(event)


def token(runtime: Runtime[Context]) -> Callable[[str], None]:
    """A callback that sends a model's tokens as they come."""
    return lambda text: emit(runtime, TokenEvent(text=text))
