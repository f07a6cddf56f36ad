"""L1 and L2: the same question by anyone with the same rights, or one like it whose SQL is a template."""

from __future__ import annotations

import asyncio
import time

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.outcomes.cache_key import key_of, names_in
from inquery.agents.outcomes.entries import served
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State, Update
from inquery.aside import run_aside
from inquery.cache.answer_key import CacheKey
from inquery.cache.entry import CacheEntry
from inquery.cache.exact import CLAIM_S, ExactCache
from inquery.errors import InqueryError

WAIT_S = 0.05


async def check_cache(state: State, runtime: Runtime[Context]) -> Update:
    """Serve an exact hit; a semantic one gives the writer its SQL as a template."""
    context = runtime.context
    services = context.services
    onward: Update = {"route_decision": "link_schema", "current_stage": "schema_analysis"}
    if state.get("refresh") or not context.settings.cache.enabled:
        return onward
    long = context.is_long(question_of(state))
    key = await run_aside(long, key_of, context, state)
    if services.exact is not None and (entry := await _found(services.exact, key, context, state)):
        answer = await served(state, runtime, entry, "exact")
        if answer is not None:
            return answer
    if services.semantic is not None and context.may_encode():
        try:
            names = await run_aside(long, names_in, context, state)
            found = await services.semantic.get(key, user=context.user, names=names)
        except InqueryError:  # an encoder that does not answer costs a template, not the answer
            found = None
        if found is not None:
            onward |= {"template": found.sql, "template_p": found.p, "cache_hit_type": "semantic", "as_of": found.as_of}
    return onward


async def _found(exact: ExactCache, key: CacheKey, context: Context, state: State) -> CacheEntry | None:
    """The entry; where another worker is about to make it, it is waited for instead of made twice."""
    owner, end = state.get("thread_id") or context.run_id, time.monotonic() + CLAIM_S
    while True:
        entry = await exact.get(key)
        if entry is not None or time.monotonic() >= end:
            return entry
        if await exact.claim(key, owner):
            context.claims.append((key, owner))
            return None
        await asyncio.sleep(WAIT_S)
