"""Nodes as supersteps of LangGraph's: with what a run needs, and where a checkpoint is worth its price.

LangGraph spends about as long between two nodes as most nodes spend inside. So a superstep goes on from node to node,
by the same table, until there is something worth a checkpoint (a model was called, a statement was run) or the next
node interrupts, since that one is run again from its start.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from langgraph.runtime import Runtime

from inquery.agents.context import Context, Services
from inquery.agents.driver import Move, Node, drive_nodes
from inquery.agents.state import State, Update
from inquery.agents.supervisor import ROUTES
from inquery.llm.usage import UsageMeter
from inquery.sql import Policy

UNPREPARED = frozenset({"begin_turn", "load_profile"})
ALONE = frozenset({"ask_user", "approve", "analyse"})
"""Never run on into: they interrupt, or they run side by side."""
DEAR = frozenset({"run_sql"})
"""Always the last of a superstep; a model call ends one too."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a caller of LangGraph's own server may say of a run; plain data, since it comes over the wire."""

    can_ask: bool = True
    refresh: bool = False


def as_superstep(name: str, nodes: Mapping[str, Node], *, alone: bool) -> Callable[..., Awaitable[Update]]:
    """A node as LangGraph runs it: `alone`, or with those that may follow it; `reached` says where that ended."""

    async def step(state: State, runtime: Runtime[Context]) -> Update:
        runtime = await _prepared(name, state, runtime)
        if alone or name not in ROUTES:
            return (await drive_nodes(name, state, runtime, nodes, lambda move: True)).update
        driven = await drive_nodes(name, state, runtime, nodes, _is_worth_keeping)
        return driven.update | {"reached": driven.last.name}

    step.__name__ = name
    return step


def _is_worth_keeping(move: Move) -> bool:
    """Whether a checkpoint comes now: what was paid for once is kept before anything else can fail."""
    return move.onward in ALONE or move.name in DEAR or move.model_calls > 0


async def _prepared(name: str, state: State, runtime: Runtime[Context]) -> Runtime[Context]:
    """The run with its context, and with its database where it begins in the middle."""
    given: Context | Wishes | None = runtime.context
    context = given if isinstance(given, Context) else _default(given)
    if context is not given:
        runtime = runtime.override(context=context)
    if not context.model_named and name not in UNPREPARED:
        context.model_named = state.get("model", "")  # a turn goes on with the model it began with
    if context.source is None and name not in UNPREPARED:
        await context.prepare(state.get("connection_id", ""), state.get("agent_id", ""))
    return runtime


@lru_cache(maxsize=1)
def _services() -> Services:
    return Services.of()


def _default(wishes: Wishes | None) -> Context:
    """A context for each node of a door that gives none, such as LangGraph's own server; services are shared."""
    services, said = _services(), wishes or Wishes()
    policy = Policy(row_cap=services.settings.query.rows)
    meter = UsageMeter.of(services.settings.llm)
    return Context(services, policy=policy, can_ask=said.can_ask, refresh=said.refresh, meter=meter)
