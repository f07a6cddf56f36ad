"""What a run spends in its model and its database, so that the rest can be told apart; and a model on that clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field, PrivateAttr

from inquery.databases.executor import execute as executor
from inquery.databases.executor.fetched import collect
from inquery.llm.scripted import ScriptedModel

Reply = Callable[[list[BaseMessage], list[str]], AIMessage]


class Clock:
    """Seconds in models and databases since it was last read, by the wall and by the processor; for one run at a time."""

    def __init__(self) -> None:
        self.wall = 0.0
        self.processor = 0.0
        self.calls = 0

    def read(self) -> tuple[float, float, int]:
        """Seconds by the wall, seconds by the processor, and model calls since the last reading."""
        found = (self.wall, self.processor, self.calls)
        self.wall, self.processor, self.calls = 0.0, 0.0, 0
        return found

    @contextmanager
    def away(self) -> Iterator[None]:
        """The block is the model's or the database's time."""
        wall, processor = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            self.wall += time.perf_counter() - wall
            self.processor += time.thread_time() - processor


class TimedModel(ScriptedModel):
    """A chat model that replies by a function of the messages and the names of its tools."""

    answers: list[Any] = Field(default_factory=list)
    _reply: Reply = PrivateAttr()
    _clock: Clock = PrivateAttr()
    _delay_s: float = PrivateAttr(0.0)

    @classmethod
    def of(cls, reply: Reply, clock: Clock, delay_s: float = 0.0) -> TimedModel:
        """The model of a reply function."""
        made = cls()
        made._reply, made._clock, made._delay_s = reply, clock, delay_s
        return made

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        with self._clock.away():
            tools = [tool["function"]["name"] for tool in kwargs.get("tools", ())]
            message = self._reply(messages, tools)
        self._clock.calls += 1
        return ChatResult(generations=[ChatGeneration(message=message)])


@contextmanager
def database_timed(clock: Clock) -> Iterator[None]:
    """Count what the executor spends on the engine's own stream of rows."""

    def timed(batches: Any, caps: Any) -> Any:
        with clock.away():
            return collect(batches, caps)

    with patch.object(executor, "collect", timed):
        yield
