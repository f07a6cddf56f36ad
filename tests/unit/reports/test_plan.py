"""The plan of solving: nothing leaves the table, nothing runs before what it needs, and circles end."""

from typing import Any

import pytest

from inquery.agents.resource_pool import ResourcePool
from inquery.errors import InternalError
from inquery.reports.plan import (
    COLUMNS,
    DONE,
    EXECUTE,
    GENERATE,
    LIST,
    NODE_TOOLS,
    REFINE,
    ROUTES,
    STOP,
    VALIDATE,
    SolvingStep,
    exhausted,
    following,
    gated,
)


@pytest.mark.parametrize("tool", ROUTES)
@pytest.mark.parametrize("decision", ["", "write_sql", "run_sql", "end", "analyse", "recover", "drop_everything"])
def test_nothing_leaves_the_table(tool: str, decision: Any) -> None:
    if not decision or NODE_TOOLS.get(decision) in ROUTES[tool]:
        assert following(tool, decision) in ROUTES[tool]
        return
    with pytest.raises(InternalError, match=f"{tool} decided on {decision}"):
        following(tool, decision)


def test_the_way_without_a_fault() -> None:
    tool, way = LIST, []
    while tool != DONE:
        way.append(tool)
        tool = following(tool, "")
    assert way == [LIST, COLUMNS, GENERATE, VALIDATE, EXECUTE]
    assert following(EXECUTE, "recover") == REFINE
    assert following(REFINE, "end") == STOP


def test_a_tool_waits_for_what_it_needs() -> None:
    pool = ResourcePool()
    pool.merge("question", "q")
    assert gated(EXECUTE, pool) == COLUMNS
    pool.merge("column_details", {"t": {"a": "INT"}})
    assert gated(EXECUTE, pool) == GENERATE
    pool.merge("current_sql", "SELECT 1")
    assert gated(EXECUTE, pool) == EXECUTE


def test_circles_end() -> None:
    pool = ResourcePool()
    failed = [SolvingStep(GENERATE, False, 1.0)] * 3
    assert exhausted(failed, pool) == "same_tool"
    assert (
        exhausted(
            [SolvingStep(LIST, True, 1.0), SolvingStep(COLUMNS, False, 1.0), SolvingStep(COLUMNS, True, 1.0)], pool
        )
        == "no_schema"
    )
    pool.merge("column_details", {"t": True})
    mixed = [SolvingStep(GENERATE, False, 1.0), SolvingStep(REFINE, True, 1.0)] * 5
    assert exhausted(mixed, pool) == "no_sql"
    pool.merge("current_sql", "SELECT 1")
    assert exhausted(mixed, pool) == ""
    assert exhausted([SolvingStep(LIST, True, 1.0)] * 24, pool) == "steps"
