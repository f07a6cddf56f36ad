"""Models that answer from a script: for tests, benchmarks and dry runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from inquery.errors import ModelMissing
from inquery.llm.usage import current_usage
from inquery.llm.writer import Candidate, Failure, WriteRequest

Script = Sequence[Sequence[str] | str] | Callable[[WriteRequest], Sequence[str]]


class ScriptedModel(BaseChatModel):
    """A chat model that returns queued texts or messages, or raises queued errors, and remembers what it was asked."""

    answers: list[Any]
    _asked: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def asked(self) -> list[list[BaseMessage]]:
        """Every conversation this model was given."""
        return self._asked

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        """Bound like a provider's model, so that structured output takes the same path."""
        kwargs.pop("tool_choice", None)
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._asked.append(messages)
        if not self.answers:
            raise ModelMissing("the script has no answer left", reason="scripted")
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        message = answer if isinstance(answer, AIMessage) else AIMessage(content=answer)
        message.response_metadata = {"finish_reason": "stop", **message.response_metadata}
        return ChatResult(generations=[ChatGeneration(message=message)])


class ScriptedWriter:
    """A SQL writer that follows a script: statements in order, by question, or from a function."""

    name = "scripted"

    def __init__(self, script: Script | dict[str, list[str]], *, delay_s: float = 0.0) -> None:
        self._script = script
        self._delay_s = delay_s
        self._turn = 0
        self.requests: list[tuple[WriteRequest, Failure | None]] = []

    @classmethod
    def from_file(cls, path: str) -> ScriptedWriter:
        """A script of questions and their statements: {"delay_ms": 0, "answers": {question: [sql, …]}}."""
        try:
            script = json.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ModelMissing(str(error), reason="INQUERY_LLM__MODEL = script.json") from error
        return cls(script["answers"], delay_s=script.get("delay_ms", 0) / 1000)

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """The next statements of the script."""
        return await self._next(request, None)

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """The next statements of the script; by question, those after the failed one."""
        return await self._next(request, failed)

    async def _next(self, request: WriteRequest, failed: Failure | None) -> list[Candidate]:
        self.requests.append((request, failed))
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        statements = self._statements(request, failed)
        current_usage().add(self.name, len(request.question) // 4 + 1, sum(map(len, statements)) // 4 + 1)
        return [Candidate(sql, score=-float(place)) for place, sql in enumerate(statements[: max(request.n, 1)])]

    def _statements(self, request: WriteRequest, failed: Failure | None) -> list[str]:
        if callable(self._script):
            return list(self._script(request))
        if isinstance(self._script, dict):
            known = self._script.get(request.question, [])
            return known[known.index(failed.sql) + 1 :] if failed and failed.sql in known else known
        if self._turn >= len(self._script):
            raise ModelMissing("the script has no statement left", reason="scripted")
        step = self._script[self._turn]
        self._turn += 1
        return [step] if isinstance(step, str) else list(step)
