"""The SQL writer over a chat model: one structured call, up to n candidates."""

from __future__ import annotations

from pathlib import Path

from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from inquery.errors import BadOutput
from inquery.llm.chat import ChatModel
from inquery.llm.parsing import bare_sql, find_sql
from inquery.llm.privacy import guarded, guarded_failure
from inquery.llm.prompting import load_prompt
from inquery.llm.schema_text import dialect_notes, glossary_block, samples_block, schema_block, values_block
from inquery.llm.writer import Candidate, Failure, WriteRequest
from inquery.settings import LLMSettings


class WrittenSql(BaseModel):
    """One statement and why it answers the question."""

    sql: str
    why: str = ""


class SqlAnswer(BaseModel):
    """Statements that answer the question, best first."""

    candidates: list[WrittenSql] = Field(default_factory=list)


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
        """Candidates from one call."""
        seen = guarded(request, self._settings, self._privacy)
        prompt = load_prompt("write_sql", self._prompts).fill(
            **_shared(seen),
            samples=samples_block(seen.samples),
            template=f"SQL that answered a similar question:\n{seen.template}" if seen.template else "",
            count=str(seen.n),
        )
        return await self._ask(prompt, seen.n)

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """Candidates that avoid the failure."""
        seen = guarded(request, self._settings, self._privacy)
        known = guarded_failure(failed, request, self._settings, self._privacy)
        prompt = load_prompt("repair_sql", self._prompts).fill(
            **_shared(seen),
            failed_sql=known.sql,
            error_class=known.error_class,
            message=known.message,
            suggestions="\n".join(f"- {suggestion}" for suggestion in known.suggestions),
        )
        return await self._ask(prompt, seen.n)

    async def _ask(self, prompt: str, n: int) -> list[Candidate]:
        answer = await self._model.complete_as([HumanMessage(prompt)], SqlAnswer, otherwise=_statement_alone)
        written = [(bare_sql(item.sql), item.why) for item in answer.candidates if item.sql.strip()][: max(n, 1)]
        if not written:
            raise BadOutput("no statement")
        return [Candidate(sql, score=-float(place), why=why) for place, (sql, why) in enumerate(written)]


def _statement_alone(text: str) -> SqlAnswer | None:
    """An answer that is just SQL, as many models give whatever they are asked."""
    sql = find_sql(text)
    return SqlAnswer(candidates=[WrittenSql(sql=sql)]) if sql else None


def _shared(request: WriteRequest) -> dict[str, str]:
    return {
        "dialect": dialect_notes(request.dialect),
        "schema": schema_block(request.schema),
        "glossary": glossary_block(request.glossary),
        "values": values_block(request.values),
        "today": f"{request.today:%Y-%m-%d (%A)}",
        "question": request.question,
    }
