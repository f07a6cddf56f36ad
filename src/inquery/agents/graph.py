"""The one graph: built here, compiled with or without a saver, drawn in docs/ from itself."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from inquery.agents.context import Context, Services
from inquery.agents.emitting import emit
from inquery.agents.events import StepEvent
from inquery.agents.nodes.analyse import analyse
from inquery.agents.nodes.approve import approve
from inquery.agents.nodes.ask_user import ask_user
from inquery.agents.nodes.begin_turn import begin_turn
from inquery.agents.nodes.check_cache import check_cache
from inquery.agents.nodes.check_sql import check_sql
from inquery.agents.nodes.check_thread import check_thread
from inquery.agents.nodes.describe_data import describe_data
from inquery.agents.nodes.detect_ambiguity import detect_ambiguity
from inquery.agents.nodes.detect_fast_mode import detect_fast_mode
from inquery.agents.nodes.draw_chart import draw_chart
from inquery.agents.nodes.general_chat import general_chat
from inquery.agents.nodes.link_schema import link_schema
from inquery.agents.nodes.load_profile import load_profile
from inquery.agents.nodes.recommend import recommend
from inquery.agents.nodes.recover import recover
from inquery.agents.nodes.remember import remember
from inquery.agents.nodes.rewrite_followup import rewrite_followup
from inquery.agents.nodes.route_intent import route_intent
from inquery.agents.nodes.run_sql import run_sql
from inquery.agents.nodes.use_last_answer import use_last_answer
from inquery.agents.nodes.write_sql import write_sql
from inquery.agents.state import BLANK, Input, State
from inquery.agents.supervisor import ROUTES, decided
from inquery.answers.answer import Step
from inquery.llm.usage import UsageMeter, metered
from inquery.sql import Policy

Node = Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]]
Graph = CompiledStateGraph[State, Context, Input, State]

NODES: dict[str, Node] = {
    node.__name__: node
    for node in (
        begin_turn, load_profile, route_intent, general_chat, describe_data, use_last_answer, rewrite_followup,
        detect_fast_mode, check_thread, check_cache, link_schema, detect_ambiguity, ask_user, write_sql, check_sql,
        approve, run_sql, recover, analyse, draw_chart, recommend, remember,
    )
}  # fmt: skip
PARALLEL = ("analyse", "draw_chart", "recommend")
"""After run_sql, at one time, with disjoint keys; `remember` waits for all three."""
UNPREPARED = frozenset({"begin_turn", "load_profile"})


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a caller of LangGraph's own server may say of a run; plain data, since it comes over the wire."""

    can_ask: bool = True
    refresh: bool = False


def build_graph(saver: BaseCheckpointSaver[Any] | None = None, *, context: type[Any] = Context) -> Graph:
    """The whole journey of a question."""
    graph = StateGraph(State, context_schema=context, input_schema=Input)
    for name, node in NODES.items():
        graph.add_node(name, timed(name, node))
    graph.add_edge(START, "begin_turn")
    for stage in ROUTES:
        graph.add_conditional_edges(stage, _route(stage), _targets(stage))
    graph.add_edge("detect_fast_mode", "check_thread")
    graph.add_edge(list(PARALLEL), "remember")
    for last in ("general_chat", "describe_data", "remember"):
        graph.add_edge(last, END)
    return graph.compile(checkpointer=saver, name="inquery")


class Decision(TypedDict, total=False):
    """All that a route reads: langgraph would copy the whole state for it otherwise."""

    route_decision: str


def _route(stage: str) -> Callable[[Decision], Awaitable[str | list[str]]]:
    """The supervisor's choice for one stage; async, since langgraph sends a plain function to a thread."""

    async def route(state: Decision) -> str | list[str]:
        chosen = decided(state, stage)
        return END if chosen == "end" else list(PARALLEL) if chosen == "analyse" else chosen

    route.__name__ = f"after_{stage}"
    return route


def _targets(stage: str) -> list[str]:
    """Where a stage may lead, for drawing and for checking."""
    names: list[str] = []
    for name in ROUTES[stage]:
        names += [END] if name == "end" else list(PARALLEL) if name == "analyse" else [name]
    return names


def timed(name: str, node: Node) -> Callable[..., Awaitable[dict[str, Any]]]:
    """The node with its step events, its milliseconds, and every model call on the run's meter."""

    async def step(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        given: Context | Wishes | None = runtime.context
        context = given if isinstance(given, Context) else _default(given)
        if context is not given:
            runtime = runtime.override(context=context)
        if context.source is None and name not in UNPREPARED:
            await context.prepare(state.get("connection_id", ""), state.get("agent_id", ""))
        emit(runtime, StepEvent(name=name, status="started"))
        started = time.perf_counter()
        with metered(context.meter):
            # Fields of a turn that nobody set yet are not in the state, which keeps checkpoints small.
            update = await node(State(**{**BLANK, **state}), runtime)  # type: ignore[typeddict-item]
        ms = round((time.perf_counter() - started) * 1000, 2)
        context.steps.append(Step(name=name, ms=ms))
        emit(runtime, StepEvent(name=name, status="finished", ms=ms))
        return update

    step.__name__ = name
    return step


@lru_cache(maxsize=1)
def _services() -> Services:
    return Services.of()


def _default(wishes: Wishes | None) -> Context:
    """A context for each node of a door that gives none, such as LangGraph's own server; services are shared."""
    services, said = _services(), wishes or Wishes()
    policy = Policy(row_cap=services.settings.query.rows)
    meter = UsageMeter.of(services.settings.llm)
    return Context(services, policy=policy, can_ask=said.can_ask, refresh=said.refresh, meter=meter)
