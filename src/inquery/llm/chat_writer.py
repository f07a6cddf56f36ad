"""The SQL writer over a chat model: one structured call, up to n candidates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field, field_validator, model_validator

from inquery.errors import ContextTooLong, ModelRefused, Unanswerable, Unclear
from inquery.llm.chat import STABLE, ChatModel
from inquery.llm.context_fit import without_last
from inquery.llm.parsing import bare_sql, find_sql, is_statement
from inquery.llm.privacy import guarded, guarded_failure
from inquery.llm.prompting import Prompt, load_prompt
from inquery.llm.provider_errors import clean_words
from inquery.llm.schema_text import dialect_notes, glossary_block, samples_block, schema_block, values_block
from inquery.llm.token_count import count_tokens
from inquery.llm.writer import Candidate, Failure, WriteRequest
from inquery.settings import LLMSettings

_STATEMENT_KEYS = ("sql", "query", "sql_query", "statement", "SQL")
"""What models call their statement where they forget the name they were given."""
_REASON_KEYS = ("reason", "why", "explanation", "message", "answer")
_NO_WORDS = frozenset({"null", "none", "nil", "n/a", "na", "no", "false", "-", "无", "否", "空"})
"""What models write into a field that they were told to leave empty."""


class WrittenSql(BaseModel):
    """A statement, and why."""

    sql: str
    why: str = ""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, given: Any) -> Any:
        """Some give the text alone, by another name, or none at all: then the why says why there is no statement."""
        if isinstance(given, str):
            return {"sql": given}
        return {**given, "sql": _first_text(given, _STATEMENT_KEYS)} if isinstance(given, dict) else given

    @field_validator("why", mode="before")
    @classmethod
    def _blank(cls, given: Any) -> Any:
        return given or ""


class SqlAnswer(BaseModel):
    """Statements, best first; or why there is none."""

    candidates: list[WrittenSql] = Field(default_factory=list)
    unanswerable: str = ""
    question: str = ""

    @field_validator("candidates", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        """Some write the list as a text inside the JSON, or one statement without a list."""
        if isinstance(given, str):
            with suppress(ValueError):
                given = json.loads(given, strict=False)
        return given if isinstance(given, list) else [given] if given else []

    @field_validator("unanswerable", "question", mode="before")
    @classmethod
    def _in_one_line(cls, given: Any) -> Any:
        """A question with its choices is one text here, and `true` is a no without a reason."""
        if given is True:
            return " "
        if isinstance(given, dict):
            said = _first_text(given, ("text", "question", "message", *_REASON_KEYS))
            listed = next((value for value in given.values() if isinstance(value, list)), [])
            choices = " / ".join(_choice(each) for each in listed)
            return f"{said} ({choices})" if said and choices else said or choices
        if isinstance(given, list):
            return " ".join(map(str, given))
        return "" if isinstance(given, str) and given.strip().casefold() in _NO_WORDS else given or ""

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        """Models wrap their answer, or give one statement alone; an object that holds none of it is no answer."""
        if isinstance(given, list) and given and all(isinstance(each, dict) for each in given):
            given = {"candidates": given}
        if not isinstance(given, dict):
            return given
        known = cls.model_fields.keys()
        if not known & given.keys():
            inner = next((value for value in given.values() if isinstance(value, dict) and known & value.keys()), None)
            if inner is not None:
                return inner
            if (sql := _first_text(given, _STATEMENT_KEYS)) and find_sql(sql):
                return {"candidates": [{**given, "sql": sql}]}
            raise ValueError("no answer")
        kept = {name: value for name, value in given.items() if not (name == "candidates" and value is None)}
        if not any(kept.get(name) for name in known) and (reason := _first_text(given, _REASON_KEYS)):
            kept["unanswerable"] = reason
        return kept


def _first_text(given: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((found for name in names if isinstance(found := given.get(name), str) and found.strip()), "")


def _choice(given: Any) -> str:
    return _first_text(given, ("label", "text", "name", "value")) if isinstance(given, dict) else str(given)


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
    """The statements, or Unclear, ModelRefused or Unanswerable with the model's words: an empty list is a no as well."""
    reasons = [answer.unanswerable]
    written = []
    for item in answer.candidates:
        if (reason := _no_statement(item)) is None:
            written.append((bare_sql(item.sql), item.why))
        else:
            reasons.append(reason)
    # A model that says no in so many words and writes something all the same is believed: what it wrote is a placeholder.
    if written and not _NO.search(answer.unanswerable):
        kept = written[: max(n, 1)]
        return [Candidate(sql, score=-float(place), why=why) for place, (sql, why) in enumerate(kept)]
    if answer.question.strip():
        asked = clean_words(answer.question)
        raise Unclear(asked, reason=asked)
    reason = _ANNOUNCED.sub("", clean_words(next((each for each in reasons if each.strip()), "")))
    if _WILL_NOT.search(reason) and not _OF_THE_DATA.search(reason):
        raise ModelRefused(reason, reason=reason)
    raise Unanswerable(reason, reason=reason) if reason else Unanswerable.because(*_WITHOUT_REASON)


_WITHOUT_REASON = ("the language model found nothing in these tables.", "语言模型在这些表中没有找到所需的数据。")


def _no_statement(item: WrittenSql) -> str | None:
    """Why an item holds no statement, in the model's words: some say no where the statement should be."""
    text = item.sql.strip()
    if not text:
        return item.why
    bare = re.sub(r"(?m)^\s*(?:--|#|/\*)|\*/\s*$", "", text).strip()
    if (selected := _ONLY_WORDS.fullmatch(bare_sql(text))) and _NO.search(selected.group(1)):
        return selected.group(1).replace("''", "'")
    # A statement of any kind is the guard's to judge, and so is what may be one with a mistake in it.
    if is_statement(bare) or find_sql(text) or not _NO.search(bare) or not _reads_like_words(bare):
        return None
    return bare


_ONLY_WORDS = re.compile(r"select\s+'((?:[^']|'')+)'(?:\s+(?:as\s+)?[\w\"`\[\]]+)?(?:\s+from\s+dual)?", re.I)
"""A statement that selects a sentence and reads nothing: a no in the form of SQL."""
_ANNOUNCED = re.compile(
    r"^(?:sorry,?\s+)?(?:(?:this|the|your) (?:question|request|query)\s+)?(?:cannot|can['’]t|can not) be answered"
    r"(?: (?:from|with|using|by) (?:this|the)[\w ]{0,30}(?:data|database|schema|tables?))?\s*[:：]\s*|"
    r"^无法(?:根据[^：:]{0,12})?回答\s*[:：]\s*",
    re.I,
)
"""What our own sentence says already before the model's reason."""


def _reads_like_words(text: str) -> bool:
    """Whether a text is a sentence rather than code: no brackets, stars, comparisons or ends of statements."""
    return not re.search(r"[*=<>();]|\b(?:select|from\s+\w+\s+where)\b", text, re.I)


_NO = re.compile(
    r"\b(?:cannot|unable|impossible|no|not|none|nothing|neither|nor|never|lacks?|lacking|missing|absent|without|outside|"
    r"unrelated|irrelevant|insufficient|unavailable|unanswerable|sorry|apologi[sz]e|decline|refuse)\b|n['’]t\b|"
    r"[无没不未缺非]|抱歉|拒绝|超出",
    re.I,
)
"""Words of a no. Text that holds neither a statement nor one of these is taken for a slip, and asked for once more."""
_WILL_NOT = re.compile(
    r"(?:can(?:not|['’]t| not)|won['’]t|will not|unable to|must decline to|not (?:able|allowed|permitted) to|refuse to)\s+"
    r"(?:\w+\s+)?(?:assist|help|comply|fulfil|engage|continue|discuss|do (?:that|this))|\b(?:my|our|content|usage) "
    r"(?:guidelines|polic(?:y|ies))|must decline|rather not|(?:无法|不能|不可以)(?:为您|向您|给您)?(?:协助|帮助|提供帮助|满足|讨论)|"
    r"不便|不方便|拒绝|违反.{0,12}(?:规定|政策|准则)",
    re.I,
)
"""A model that will not, which is no matter of the data."""
_OF_THE_DATA = re.compile(
    r"\b(?:data|database|tables?|columns?|fields?|schema|records?)\b|数据|表|字段|列|库|记录", re.I
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
    if _NO.search(told):
        return SqlAnswer(unanswerable=told)
    return SqlAnswer(question=told) if re.search(r"[?？]", told) else None


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
