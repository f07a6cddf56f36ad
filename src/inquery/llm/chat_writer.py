"""The SQL writer over a chat model: one structured call, up to n candidates."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field, field_validator, model_validator

from inquery.errors import BadOutput, ContextTooLong, Unanswerable, Unclear
from inquery.llm.chat import STABLE, ChatModel
from inquery.llm.context_fit import without_last
from inquery.llm.parsing import bare_sql, find_sql
from inquery.llm.privacy import guarded, guarded_failure
from inquery.llm.prompting import Prompt, load_prompt
from inquery.llm.provider_errors import clean_words
from inquery.llm.schema_text import dialect_notes, glossary_block, samples_block, schema_block, values_block
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import Candidate, Failure, WriteRequest
from inquery.settings import LLMSettings


class WrittenSql(BaseModel):
    """A statement, and why."""

    sql: str
    why: str = ""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, given: Any) -> Any:
        return {"sql": given} if isinstance(given, str) else given

    @field_validator("why", mode="before")
    @classmethod
    def _blank(cls, given: Any) -> Any:
        return given or ""


class SqlAnswer(BaseModel):
    """Statements, best first; or why there is none."""

    candidates: list[WrittenSql] = Field(default_factory=list)
    unanswerable: str = ""
    question: str = ""

    @field_validator("unanswerable", "question", mode="before")
    @classmethod
    def _nothing(cls, given: Any) -> Any:
        return given or ""

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        """Models wrap their answer, or give one statement alone; an object that holds none of it is no answer."""
        if not isinstance(given, dict):
            return given
        known = cls.model_fields.keys()
        if not known & given.keys():
            inner = next((value for value in given.values() if isinstance(value, dict) and known & value.keys()), None)
            if inner is not None:
                return inner
            if isinstance(given.get("sql"), str):
                return {"candidates": [given]}
            raise ValueError("no answer")
        return {name: value for name, value in given.items() if not (name == "candidates" and value is None)}


class ChatWriter:
    """Writes SQL with a chat model, showing it no more than the connection's privacy allows."""

    def __init__(
        self, model: ChatModel, settings: LLMSettings, *, privacy: str = "full", prompts: Path | None = None
    ) -> None:
        self.name = model.name
        self._model = model
        self._settings = settings
        self._privacy = privacy
        self._prompts = prompts

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Candidates from one call; raises Unanswerable or Unclear where the model says no or asks back."""
        seen = guarded(request, self._settings, self._privacy)
        prompt = load_prompt("write_sql", self._prompts)
        return await self._ask(prompt, seen, {"samples": samples_block(seen.samples), "template": _template(seen)})

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """Candidates that avoid the failure."""
        seen = guarded(request, self._settings, self._privacy)
        known = guarded_failure(failed, request, self._settings, self._privacy)
        told = {
            "failed_sql": known.sql,
            "error_class": known.error_class,
            "message": known.message,
            "suggestions": "\n".join(f"- {suggestion}" for suggestion in known.suggestions),
        }
        return await self._ask(load_prompt("repair_sql", self._prompts), seen, told)

    async def _ask(self, prompt: Prompt, request: WriteRequest, own: dict[str, str]) -> list[Candidate]:
        """One call; a model that says how little it can read is asked again with fewer tables."""
        try:
            answer = await self._called(prompt, request, own)
        except ContextTooLong as error:
            limit = error.fields.get("limit")
            shape = await self._model.shape()
            # Without a number, half of what was sent; and less than stated, since a count of ours is no tokenizer's.
            stated = int(limit * 0.9) if isinstance(limit, int) and limit >= LEAST_CONTEXT else 0
            await self._model.learn_context(stated or self._model.prompt_budget(shape) // 2)
            answer = await self._called(prompt, request, own)
        return _candidates(answer, request.n)

    async def _called(self, prompt: Prompt, request: WriteRequest, own: dict[str, str]) -> SqlAnswer:
        budget = self._model.prompt_budget(await self._model.shape())
        text = prompt.fill(**_shared(request), **own)
        while count_tokens(text) > budget and len(request.schema.tables) > 1:
            request = replace(request, schema=without_last(request.schema))
            text = prompt.fill(**_shared(request), **own)
        stable = len(prompt.head(STABLE_VARIABLES, **_shared(request)))
        message = HumanMessage(text, additional_kwargs={STABLE: stable if text[:stable].strip() else 0})
        return await self._model.complete_as([message], SqlAnswer, otherwise=_in_words)


LEAST_CONTEXT = 1000
"""A context that a provider names is at least so many tokens; a smaller number in its words is something else."""
STABLE_VARIABLES = frozenset({"dialect", "schema"})
"""What is the same for the next question: it comes first, so that the provider's cache has it."""


LONGEST_BLOCK = 4000
"""Characters of an analyst's prompt or of a report's headings that go with every question."""


def _block(title: str, text: str) -> str:
    return f"{title}\n{text.strip()[:LONGEST_BLOCK]}" if text.strip() else ""


def _template(request: WriteRequest) -> str:
    return f"SQL that answered a similar question:\n{request.template}" if request.template else ""


def _candidates(answer: SqlAnswer, n: int) -> list[Candidate]:
    written = [(bare_sql(item.sql), item.why) for item in answer.candidates if item.sql.strip()][: max(n, 1)]
    if written:
        return [Candidate(sql, score=-float(place), why=why) for place, (sql, why) in enumerate(written)]
    for words, kind in ((answer.question, Unclear), (answer.unanswerable, Unanswerable)):
        if words.strip():
            reason = clean_words(words)
            raise kind(reason, reason=reason)
    raise BadOutput("no statement")


_NO = re.compile(
    r"\b(?:can(?:no|')t|cannot|could not|couldn't|unable|impossible|(?:do|does|did)(?: not|n't) (?:have|contain|include|exist|hold)|"
    r"no (?:such )?(?:table|column|field|data|information)|not (?:possible|available|enough|in (?:the|this))|insufficient|"
    r"sorry|must decline)\b|无法|不能|没有|抱歉|不包含|不存在|缺少|不足以|未包含|查不到",
    re.I,
)
_LONGEST_NO = 1200
"""A longer text is a model that talks, not one that declines."""


def _in_words(text: str) -> SqlAnswer | None:
    """An answer without JSON: just SQL, as many models give whatever they are asked, or a no, or a question."""
    if sql := find_sql(text):
        return SqlAnswer(candidates=[WrittenSql(sql=sql)])
    told = " ".join(text.split())
    if not told or len(told) > _LONGEST_NO or told.startswith(("{", "[")):
        return None
    if told.endswith(("?", "？")):
        return SqlAnswer(question=told)
    return SqlAnswer(unanswerable=told) if _NO.search(told) else None


def _shared(request: WriteRequest) -> dict[str, str]:
    return {
        "dialect": dialect_notes(request.dialect),
        "schema": schema_block(request.schema, request.question, request.values),
        "glossary": glossary_block(request.glossary),
        "values": values_block(request.values),
        "analyst": _block("Rules of this analyst:", request.analyst),
        "surroundings": _block("The question stands in a report under:", request.surroundings),
        "today": f"{request.today:%Y-%m-%d (%A)}",
        "question": request.question,
        "count": str(request.n),
    }
