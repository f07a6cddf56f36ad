"""The one graph: built here, compiled with or without a saver, drawn in docs/ from itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Literal, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from inquery.agents.context import Context
from inquery.agents.driver import Node
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
from inquery.agents.state import Input, State
from inquery.agents.state_types import Successor
from inquery.agents.steps import as_superstep
from inquery.agents.supervisor import ROUTES, choose_next
from inquery.tracing import is_decided, langsmith_allowed, without_tracers

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


class Untraced(CompiledStateGraph[State, Context, Input, State]):
    """The graph, of which LangSmith hears nothing unless whoever runs it has allowed that; LangGraph's server has not.

    Its caller's own context is touched only while a step is waited for, not between two of them.
    """

    async def astream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> AsyncIterator[Any]:
        """The same steps."""
        steps = super().astream(input, config if is_decided() else without_tracers(config), **options)
        try:
            while True:
                with langsmith_allowed(False):
                    try:
                        step = await anext(steps)
                    except StopAsyncIteration:
                        return
                yield step
        finally:
            await steps.aclose()  # type: ignore[attr-defined]

    def stream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> Iterator[Any]:
        """The same steps."""
        steps = super().stream(input, config if is_decided() else without_tracers(config), **options)
        while True:
            with langsmith_allowed(False):
                try:
                    step = next(steps)
                except StopIteration:
                    return
            yield step

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """The same change."""
        with langsmith_allowed(False):
            return await super().abulk_update_state(config, supersteps)

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """The same change."""
        with langsmith_allowed(False):
            return super().bulk_update_state(config, supersteps)


def build_graph(
    saver: BaseCheckpointSaver[Any] | None = None, *, context: type[Any] = Context, chained: bool = False
) -> Graph:
    """The whole journey of a question; `chained` runs cheap nodes in one superstep, with the same steps and answers."""
    graph = StateGraph(State, context_schema=context, input_schema=Input)
    for name in NODES:
        graph.add_node(name, as_superstep(name, NODES, alone=not chained))
    graph.add_edge(START, "begin_turn")
    for stage in ROUTES:
        graph.add_conditional_edges(
            stage, _route("" if chained else stage), _targets(list(ROUTES) if chained else [stage])
        )
    graph.add_edge(list(PARALLEL), "remember")
    for last in ("general_chat", "describe_data", "remember"):
        graph.add_edge(last, END)
    made = vars(graph.compile(checkpointer=saver, name="inquery"))
    return Untraced(**{name: value for name, value in made.items() if name != "__orig_class__"})


class Decision(TypedDict, total=False):
    """All that a route reads: langgraph would copy the whole state for it otherwise."""

    route_decision: Literal[""] | Successor
    reached: str


def _route(stage: str) -> Callable[[Decision], Awaitable[str | list[str]]]:
    """The supervisor's choice after one stage, or after the last of a chain; async, since langgraph sends a plain
    function to a thread."""

    async def route(state: Decision) -> str | list[str]:
        last = stage or state.get("reached", "")
        chosen = choose_next(last, state.get("route_decision", "")) if last in ROUTES else "end"
        return END if chosen == "end" else list(PARALLEL) if chosen == "analyse" else chosen

    route.__name__ = f"after_{stage or 'chain'}"
    return route


def _targets(stages: list[str]) -> list[str]:
    """Where some stages may lead, for drawing and for checking."""
    names: dict[str, None] = {}
    for name in (target for stage in stages for target in ROUTES[stage]):
        names |= dict.fromkeys([END] if name == "end" else PARALLEL if name == "analyse" else [name])
    return list(names)
