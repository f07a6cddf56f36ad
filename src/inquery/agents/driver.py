"""The one driver: runs nodes one after another by the supervisor's table, for chat and for reports alike.

A plain function and no subgraph of LangGraph's, which would add namespaces to checkpoints, break threads that are stored
and cost two milliseconds a node (ADR 0007).
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import StepEvent
from inquery.agents.state import State, Update, fill_blanks
from inquery.agents.state_types import Successor
from inquery.agents.supervisor import ROUTES, choose_next
from inquery.answers.answer import Step
from inquery.llm.usage import count_calls
from inquery.tracing import span

Node = Callable[[State, Runtime[Context]], Awaitable[Update]]


@dataclass(frozen=True, slots=True)
class Move:
    """One node that has run: the state before and after it, the models it asked, and who comes next."""

    name: str
    before: State
    after: State
    onward: Successor
    ms: float
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Driven:
    """Where a drive ended: its last move, and all that its nodes changed."""

    last: Move
    update: Update


async def drive_nodes(
    first: str, state: State, runtime: Runtime[Context], nodes: Mapping[str, Node], rests: Callable[[Move], bool]
) -> Driven:
    """Run a node and whoever the table says comes next, until a move after which the caller rests."""
    current, whole, update = first, fill_blanks(state), cast("Update", {})
    while True:
        move, made = await _move(current, whole, runtime, nodes)
        update = _joined(update, made)
        if rests(move) or move.onward == "end":  # asked of every move, since a caller may note them
            return Driven(move, update)
        current, whole = move.onward, move.after


async def _move(name: str, state: State, runtime: Runtime[Context], nodes: Mapping[str, Node]) -> tuple[Move, Update]:
    """One node; its events and milliseconds are told, every model call goes on the run's meter.

    Decisions before it are cleared: a node that decides nothing, as detect_fast_mode, took the one of an earlier node.
    """
    context = runtime.context
    emit(runtime, StepEvent(name=name, status="started"))
    started, calls = time.perf_counter(), context.meter.model_calls
    with count_calls(context.meter), span("node", node=name):
        made = await nodes[name](state | {"route_decision": ""}, runtime)
    ms = round((time.perf_counter() - started) * 1000, 2)
    context.steps.append(Step(name=name, ms=ms))
    emit(runtime, StepEvent(name=name, status="finished", ms=ms))
    if name not in ROUTES:
        # Those outside the table run side by side, where two of them may not write one field, or are the last.
        return Move(name, state, _after(state, made), "end", ms), made
    made = {"route_decision": "", **made}
    onward = choose_next(name, made.get("route_decision", ""))
    return Move(name, state, _after(state, made), onward, ms, context.meter.model_calls - calls), made


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
