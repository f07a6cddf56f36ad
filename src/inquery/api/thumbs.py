"""What a thumb does: up proposes a sample for review, down empties the caches of the answer, and either takes the other back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from inquery.agents.context import Context
from inquery.agents.events import DoneEvent
from inquery.agents.outcomes.cache_key import key_of
from inquery.agents.state import State
from inquery.api.access import source_of
from inquery.api.identity import User
from inquery.api.shared import Shared
from inquery.errors import NotFound, Text
from inquery.memory.thread_history import thread_config
from inquery.store.paths import paths_of
from inquery.store.sample_rows import SampleRow

SHOWN = ("question", "standalone", "sql", "result_id", "connection_id", "text")
PROPOSED = "feedback"
"""The source of a sample that a thumb proposed; only such a one goes when the thumb is taken back."""


class Judged(NamedTuple):
    """The answer a thumb is for."""

    question: str
    sql: str
    connection_id: str
    language: str
    template_id: str
    values: Mapping[str, Any]
    run_id: str = ""


def last_answer_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """A thread's last answer as its owner may see it."""
    last = values.get("last_answer") or {}
    return {name: last[name] for name in SHOWN if last.get(name)}


async def judged_answer(here: Shared, user: User, thread_id: str, run_id: str = "") -> Judged:
    """The answer of a run of a thread, or without one its last; raises NotFound."""
    values: Mapping[str, Any] = (await here.runner.graph.aget_state(thread_config(thread_id))).values
    if run_id:
        return await _answer_of_run(here, user, thread_id, run_id, values)
    last = values.get("last_answer") or {}
    if not last.get("sql"):
        raise _no_answer(thread_id)
    return Judged(
        str(last["standalone"]),
        str(last["sql"]),
        str(last["connection_id"]),
        str(values["language"]),
        str((values.get("provenance") or {}).get("template_id", "")),
        values,
        await _last_run(here, thread_id),
    )


async def _answer_of_run(here: Shared, user: User, thread_id: str, run_id: str, values: Mapping[str, Any]) -> Judged:
    # The caller owns the thread; a run of another thread is somebody else's until it is shown to be of this one.
    if await asyncio.to_thread(here.runs.log.thread_of, run_id) != thread_id:
        raise _no_answer(run_id)
    events = await here.runs.replay(user, run_id)
    answer = next((event.answer for event in reversed(events) if isinstance(event, DoneEvent)), None)
    if answer is None or not answer.sql:
        raise _no_answer(run_id)
    return Judged(
        answer.reading.get("question") or answer.question,
        answer.sql,
        answer.connection_id,
        answer.language,
        str(dict(answer.provenance).get("template_id", "")),
        values,
        run_id,
    )


async def _last_run(here: Shared, thread_id: str) -> str:
    """The run of a thread's last answer; empty where its events are gone."""
    shown = (await asyncio.to_thread(paths_of, here.store, thread_id)).shown
    return shown[-1] if shown else ""


async def thumb_up(here: Shared, user: User, judged: Judged) -> SampleRow:
    """Propose the answer as a sample: the user's own until somebody approves it."""
    source, _ = await source_of(here, user, judged.connection_id)
    assert here.services.samples is not None
    return await here.services.samples.add(
        source.id, judged.question, judged.sql, user=user.id, dialect=source.dialect, source=PROPOSED
    )


async def thumb_down(here: Shared, user: User, thread_id: str, judged: Judged) -> None:
    """All three caches forget the answer, and a thumb up of before is taken back."""
    await take_back(here, user, judged)
    values, services = judged.values, here.services
    context = Context(services, user=user.id, tenant=user.tenant, access=user.policy)
    await context.prepare(judged.connection_id, str(values.get("agent_id", "")))
    # Of an earlier answer the thread keeps no state: its key is that of the question as it was understood then.
    asked = {**values, "enriched_question": judged.question, "language": judged.language}
    key = key_of(context, State(**asked))  # type: ignore[typeddict-item]
    if services.exact is not None:
        await services.exact.evict(key)
    if services.semantic is not None and context.may_encode():
        await services.semantic.evict(key, user=user.id, template_id=judged.template_id)
    kept = {digest: entry for digest, entry in (values.get("thread_cache") or {}).items() if digest != key.digest}
    await here.runner.graph.aupdate_state(thread_config(thread_id), {"thread_cache": kept}, as_node="remember")


async def take_back(here: Shared, user: User, judged: Judged) -> None:
    """Forget what a thumb of this user proposed for the answer; what was approved meanwhile is everybody's and stays."""
    samples = here.services.samples
    assert samples is not None
    for row in await samples.list(judged.connection_id, user.id):
        same = (row.question, row.sql, row.owner, row.source) == (judged.question, judged.sql, user.id, PROPOSED)
        if same and not row.approved:
            await samples.remove(row.id)


def _no_answer(name: str) -> NotFound:
    return NotFound(name, what=Text("answer", "回答"), name="…")
