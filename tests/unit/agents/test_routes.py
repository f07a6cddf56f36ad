"""Where a node leads: to the first of its row, to another of its row, and nowhere else."""

from typing import get_args

import pytest
from langgraph.runtime import Runtime

from inquery.agents.context import Context, Services
from inquery.agents.driver import drive_nodes
from inquery.agents.graph import NODES
from inquery.agents.state_types import Successor
from inquery.agents.steps import as_superstep
from inquery.agents.supervisor import ROUTES, choose_next
from inquery.errors import InternalError
from inquery.settings import Settings


@pytest.fixture
def runtime(own_home) -> Runtime[Context]:
    """A run on the shop that sends its events nowhere."""
    context = Context(Services.of(Settings(home=own_home)), send=lambda event: None)
    return Runtime(context=context)


def deciding(**update):
    """A node that returns an update and remembers the state it was given."""

    async def node(state, runtime):
        node.given = state
        return update

    return node


def test_the_table_has_every_successor_and_no_other():
    assert {name for row in ROUTES.values() for name in row} == set(get_args(Successor))


@pytest.mark.parametrize("stage", ROUTES)
def test_a_stage_that_decides_nothing_takes_the_first_of_its_row(stage):
    assert choose_next(stage, "") == ROUTES[stage][0]
    assert [choose_next(stage, name) for name in ROUTES[stage]] == list(ROUTES[stage])


@pytest.mark.parametrize("decision", ["analyse", "chek_sql"])
def test_a_route_outside_the_row_is_an_error_that_names_node_and_route(decision):
    with pytest.raises(InternalError, match=f"write_sql decided on {decision}"):
        choose_next("write_sql", decision)


async def test_a_misspelt_route_ends_the_run_with_an_error(desk, monkeypatch):
    monkeypatch.setitem(NODES, "check_thread", deciding(route_decision="check_cash"))
    answer = await desk([]).ask("How many orders are there?")
    assert (answer.status, answer.error["code"]) == ("failed", "internal")


@pytest.mark.parametrize("stale", ["approve", "recover"])
async def test_no_node_sees_or_leaves_the_decision_of_another(runtime, stale):
    node = deciding(fast_mode=True)
    update = await as_superstep("begin_turn", {"begin_turn": node}, alone=True)({"route_decision": stale}, runtime)
    assert node.given["route_decision"] == ""
    assert update == {"route_decision": "", "fast_mode": True}


async def test_a_chain_goes_on_by_each_node_s_own_decision(runtime):
    silent, last = deciding(fast_mode=True), deciding(route_decision="end", text="done")
    nodes = {"begin_turn": deciding(route_decision="load_profile"), "load_profile": silent, "route_intent": last}
    update = await as_superstep("begin_turn", nodes, alone=False)({"route_decision": "end"}, runtime)
    assert (silent.given["route_decision"], last.given["fast_mode"]) == ("", True)
    assert update == {"route_decision": "end", "fast_mode": True, "text": "done", "reached": "route_intent"}


async def test_nodes_that_run_side_by_side_write_no_decision(runtime):
    runtime.context.source = object()  # they begin in the middle, where a database is open already
    drawn = as_superstep("draw_chart", {"draw_chart": deciding(chart_config={})}, alone=False)
    update = await drawn({"route_decision": "analyse"}, runtime)
    assert update == {"chart_config": {}}


async def test_a_drive_goes_on_until_its_caller_rests_or_the_table_ends(runtime):
    nodes = {
        "link_schema": deciding(values=[]),
        "detect_ambiguity": deciding(route_decision="write_sql"),
        "write_sql": deciding(generated_sql="SELECT 1"),
        "check_sql": deciding(route_decision="recover"),
        "recover": deciding(route_decision="end", text="given up"),
    }
    driven = await drive_nodes("link_schema", {"question": "q"}, runtime, nodes, lambda move: False)
    assert (driven.last.name, driven.last.onward, driven.last.after["text"]) == ("recover", "end", "given up")
    assert (driven.update["generated_sql"], "question" in driven.update) == ("SELECT 1", False)
    rested = await drive_nodes("link_schema", {}, runtime, nodes, lambda move: move.onward == "check_sql")
    assert (rested.last.name, rested.last.before["generated_sql"]) == ("write_sql", "")
    with pytest.raises(InternalError, match="write_sql decided on run_sql"):
        await drive_nodes(
            "write_sql", {}, runtime, {"write_sql": deciding(route_decision="run_sql")}, lambda move: True
        )
