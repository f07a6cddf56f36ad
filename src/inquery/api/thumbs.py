"""What a thumb does: up proposes a sample for review, down empties the caches of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inquery.agents.context import Context
from inquery.agents.outcomes.cache_key import key_of
from inquery.agents.state import State
from inquery.api.access import source_of
from inquery.api.identity import User
from inquery.api.shared import Shared
from inquery.errors import NotFound, Text
from inquery.memory.thread_history import thread_config
from inquery.store.sample_rows import SampleRow

SHOWN = ("question", "standalone", "sql", "result_id", "connection_id", "text")


def last_answer_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """A thread's last answer as its owner may see it."""
    last = values.get("last_answer") or {}
    return {name: last[name] for name in SHOWN if last.get(name)}


async def thumb_up(here: Shared, user: User, thread_id: str) -> SampleRow:
    """Propose the last answer as a sample: the user's own until somebody approves it."""
    values = await _values(here, thread_id)
    last = last_answer_of(values)
    source, _ = await source_of(here, user, str(last["connection_id"]))
    assert here.services.samples is not None
    return await here.services.samples.add(
        source.id, str(last["standalone"]), str(last["sql"]), user=user.id, dialect=source.dialect, source="feedback"
    )


async def thumb_down(here: Shared, user: User, thread_id: str) -> None:
    """All three caches forget the last answer."""
    values = await _values(here, thread_id)
    services = here.services
    context = Context(services, user=user.id, tenant=user.tenant, access=user.policy)
    await context.prepare(str(values.get("connection_id", "")), str(values.get("agent_id", "")))
    key = key_of(context, State(**values))  # type: ignore[typeddict-item]
    if services.exact is not None:
        await services.exact.evict(key)
    if services.semantic is not None and context.may_encode():
        template = str((values.get("provenance") or {}).get("template_id", ""))
        await services.semantic.evict(key, user=user.id, template_id=template)
    kept = {digest: entry for digest, entry in (values.get("thread_cache") or {}).items() if digest != key.digest}
    await here.runner.graph.aupdate_state(thread_config(thread_id), {"thread_cache": kept}, as_node="remember")


async def _values(here: Shared, thread_id: str) -> Mapping[str, Any]:
    values: Mapping[str, Any] = (await here.runner.graph.aget_state(thread_config(thread_id))).values
    if not (values.get("last_answer") or {}).get("sql"):
        raise NotFound(thread_id, what=Text("answer", "回答"), name="…")
    return values
