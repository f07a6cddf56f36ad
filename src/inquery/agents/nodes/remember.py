"""Ends an answered turn: where it came from, the caches, and what was learnt of the user."""

from __future__ import annotations

from contextlib import suppress

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.nodes.detect_ambiguity import KIND
from inquery.agents.outcomes.cache_key import key_of, names_in, proof_of
from inquery.agents.outcomes.entries import make_entry, slim
from inquery.agents.outcomes.provenance import provenance_of, reading_of
from inquery.agents.outcomes.result_words import read_aloud, worded_columns
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.state import State, Thread, Update
from inquery.agents.state_types import AnsweredUsage
from inquery.answers.answer import Reading
from inquery.cache.entry import CacheEntry
from inquery.cache.thread import ThreadCache
from inquery.errors import InqueryError


async def remember(state: State, runtime: Runtime[Context]) -> Update:
    """Keep the answer where the next question may find it."""
    context = runtime.context
    update: Thread = {
        "provenance": provenance_of(state, context),
        "reading": await _reading(state, context),
        "outcome": "answered",
    }
    await _learn(state, context)
    whole: State = {**state, **update}
    if context.settings.cache.enabled and _cacheable(state):
        update["thread_cache"] = await _cached(whole, context)
    steps = {step.name: step.ms for step in context.steps}
    spent: AnsweredUsage = {**context.meter.snapshot(), "steps": steps}
    update["usage"] = spent
    return close_turn(state, key=key_of(context, state), **update)


async def _reading(state: State, context: Context) -> Reading:
    """How the question was understood, with all of it in one line."""
    reading = reading_of(state, context)
    columns = worded_columns(state, context, await rows_of(context, state))
    return read_aloud(reading, state, context, columns)


def _cacheable(state: State) -> bool:
    """Pasted statements, edits and cut results are answered anew each time, and so is what one may be asked back about."""
    is_open = bool(state["clarification"].get("left_open"))
    return state["query_analysis"].get("what") != "sql" and state["intent"] == "data" and not is_open


async def _cached(state: State, context: Context) -> dict[str, CacheEntry]:
    """Put the answer into L1 and L2, and return the thread's own cache with it."""
    entry, key, services = make_entry(state), key_of(context, state), context.services
    if services.exact is not None:
        await services.exact.put(key, entry)
    if services.semantic is not None and context.may_encode():
        with suppress(InqueryError):  # an encoder that does not answer is no reason to fail an answer
            await services.semantic.put(key, entry, user=context.user, names=names_in(context, state))
    own = ThreadCache(state.get("thread_cache"), ttl_s=context.settings.cache.thread_ttl_s)
    await own.put(key, slim(entry), proof_of(context))
    return own.kept


async def _learn(state: State, context: Context) -> None:
    """Remember which reading this user chose, so that it is not asked again."""
    asking = state["clarification"]
    if asking.get("option") and asking.get("history"):
        key = f"{context.here.id}:{asking['id']}"
        await context.services.memory.learn(
            context.user, KIND, key, {"option": asking["option"]}, tenant=context.tenant
        )
