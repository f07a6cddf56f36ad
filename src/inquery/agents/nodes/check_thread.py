"""L0: the same question in the same thread, a short while ago or over an unchanged file."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.outcomes.cache_key import key_of, proof_of
from inquery.agents.outcomes.entries import served
from inquery.agents.state import State, Update
from inquery.cache.thread import ThreadCache


async def check_thread(state: State, runtime: Runtime[Context]) -> Update:
    """Serve the thread's own answer."""
    context = runtime.context
    onward: Update = {"route_decision": "check_cache"}
    if state.get("refresh") or not context.settings.cache.enabled or not state.get("thread_cache"):
        return onward
    cache = ThreadCache(state.get("thread_cache"), ttl_s=context.settings.cache.thread_ttl_s)
    entry = await cache.get(key_of(context, state), proof_of(context))
    return (await served(state, runtime, entry, "thread") if entry else None) or onward
