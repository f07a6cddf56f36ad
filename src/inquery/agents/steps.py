"""A node as a step of the graph: its events, its milliseconds, and the nodes that may run on in the same superstep.

LangGraph spends about as long between two nodes as most nodes spend inside. So a superstep goes on from node to node,
by the same table, until there is something worth a checkpoint (a model was called, a statement was run) or the next
node interrupts, since that one is run again from its start.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime

from inquery.agents.context import Context, Services
from inquery.agents.emitting import emit
from inquery.agents.events import StepEvent
from inquery.agents.state import State, Update, fill_blanks
from inquery.agents.supervisor import ROUTES, choose_next
from inquery.answers.answer import Step
from inquery.llm.usage import UsageMeter, count_calls
from inquery.sql import Policy
from inquery.tracing import span

Node = Callable[[State, Runtime[Context]], Awaitable[Update]]

UNPREPARED = frozenset({"begin_turn", "load_profile"})
ALONE = frozenset({"ask_user", "approve", "analyse", "end"})
"""Never run on into: they interrupt, they run side by side, or there is nothing to run."""
DEAR = frozenset({"run_sql"})
"""Always the last of a superstep; a model call ends one too."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a caller of LangGraph's own server may say of a run; plain data, since it comes over the wire."""

    can_ask: bool = True
    refresh: bool = False


def single(name: str, node: Node) -> Callable[..., Awaitable[Update]]:
    """The node as a superstep of its own."""

    async def step(state: State, runtime: Runtime[Context]) -> Update:
        return await _timed(name, node, fill_blanks(state), await _prepared(name, state, runtime))

    step.__name__ = name
    return step


def chained(name: str, nodes: dict[str, Node]) -> Callable[..., Awaitable[Update]]:
    """The node and those that may follow it in one superstep; `reached` says where it ended."""

    async def step(state: State, runtime: Runtime[Context]) -> Update:
        runtime = await _prepared(name, state, runtime)
        meter, current, whole = runtime.context.meter, name, fill_blanks(state)
        update: Update = {}
        while True:
            calls = meter.model_calls
            made = await _timed(current, nodes[current], whole, runtime)
            update = _joined(update, made)
            # Nodes that are not in the table end their superstep.
            chosen = choose_next(current, made.get("route_decision", "")) if current in ROUTES else "end"
            # Paid for once: what a model or a database was asked is in a checkpoint before anything else can fail.
            if chosen in ALONE or current in DEAR or meter.model_calls != calls:
                return update | {"reached": current}
            whole, current = _after(whole, made), chosen

    step.__name__ = name
    return step


def _after(state: State, made: Update) -> State:
    """The state as LangGraph would hand it to the next node."""
    whole = cast("State", {**state, **made})  # the messages of an update become the state's own below
    # The one field that LangGraph adds to. Another with a reducer would have to be added here and in `_joined`.
    if "messages" in made:
        before: Any = state.get("messages", [])
        added: Any = made["messages"]
        both: Any = add_messages(before, added)  # any way of writing a message is allowed there
        whole["messages"] = both
    return whole


def _joined(update: Update, made: Update) -> Update:
    """Two updates as one; messages are added, all else is replaced."""
    both = update | made
    if "messages" in update and "messages" in made:
        both["messages"] = [*update["messages"], *made["messages"]]
    return both


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


async def _timed(name: str, node: Node, state: State, runtime: Runtime[Context]) -> Update:
    """The node's update; its events and milliseconds are told, every model call goes on the run's meter.

    Decisions before it are cleared: a node that decides nothing, as detect_fast_mode, took the one of an earlier node.
    """
    context = runtime.context
    emit(runtime, StepEvent(name=name, status="started"))
    started = time.perf_counter()
    with count_calls(context.meter), span("node", node=name):
        update = await node(state | {"route_decision": ""}, runtime)
    ms = round((time.perf_counter() - started) * 1000, 2)
    context.steps.append(Step(name=name, ms=ms))
    emit(runtime, StepEvent(name=name, status="finished", ms=ms))
    # Those outside the table run side by side, where two of them may not write one field.
    return {"route_decision": "", **update} if name in ROUTES else update


@lru_cache(maxsize=1)
def _services() -> Services:
    return Services.of()


def _default(wishes: Wishes | None) -> Context:
    """A context for each node of a door that gives none, such as LangGraph's own server; services are shared."""
    services, said = _services(), wishes or Wishes()
    policy = Policy(row_cap=services.settings.query.rows)
    meter = UsageMeter.of(services.settings.llm)
    return Context(services, policy=policy, can_ask=said.can_ask, refresh=said.refresh, meter=meter)
