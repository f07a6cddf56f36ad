"""The six tools of solving: each one step, over the same nodes that answer questions in a conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.nodes.check_sql import check_sql
from inquery.agents.nodes.detect_ambiguity import detect_ambiguity
from inquery.agents.nodes.link_schema import link_schema, time_column
from inquery.agents.nodes.recover import recover
from inquery.agents.nodes.run_sql import run_sql
from inquery.agents.nodes.write_sql import write_sql
from inquery.agents.state import BLANK, State
from inquery.errors import Text
from inquery.llm.usage import metered
from inquery.reports.goals import Goal
from inquery.reports.plan import COLUMNS, EXECUTE, GENERATE, LIST, REFINE, VALIDATE
from inquery.reports.verdicts import fault, rejected, wrong_period, wrong_shape


@dataclass(slots=True)
class Work:
    """One placeholder being solved: its goal, its state, its pool (in the context) and what people rejected."""

    goal: Goal
    state: dict[str, Any]
    runtime: Runtime[Context]
    rejected: tuple[str, ...] = ()
    widened: bool = field(default=False)

    @classmethod
    def of(cls, goal: Goal, question: str, language: str, context: Context, rejected: tuple[str, ...] = ()) -> Work:
        """Work on a question as it is asked in this run."""
        context.send = context.send or (lambda event: None)
        state = BLANK | {"question": question, "standalone_question": question, "language": language, "thread_id": ""}
        context.pool.merge("question", question)
        context.pool.merge("template_context", goal.context)
        return cls(goal, state, Runtime(context=context), rejected)

    @property
    def context(self) -> Context:
        """What this work is given besides its state."""
        return self.runtime.context

    async def node(self, node: Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]]) -> None:
        """Run one node of the graph on this state."""
        with metered(self.context.meter):
            self.state |= await node(State(**self.state), self.runtime)  # type: ignore[typeddict-item]

    def failed(self, found: dict[str, Any]) -> None:
        """Record a fault of our own, and send it to repair."""
        candidates = [c | {"status": "failed"} if c["sql"] == found["sql"] else c for c in self.state["candidates"]]
        self.state |= {
            "error_history": [*self.state["error_history"], found],
            "candidates": candidates,
            "route_decision": "recover",
        }


async def list_tables(work: Work) -> None:
    """The tables there are, as far as the user may see them."""
    names = [table.full_name for table in work.context.here.seen(work.context.rules).tables]
    work.context.pool.merge("tables", names)
    work.state["route_decision"] = "link_schema" if names else "end"
    if not names:
        reason = Text("the database has no tables that can be read", "数据库中没有可读取的表")
        work.failed(fault("no_schema", reason, "") | {"stage": "schema_analysis"})
        work.state["route_decision"] = "end"


async def get_columns(work: Work) -> None:
    """The columns, values, periods and time column that the question is about; a doubt takes its best reading."""
    await work.node(link_schema)
    if work.state["outcome"] == "failed" and not work.widened and work.goal.context:
        _widen(work)
        await work.node(link_schema)
    if work.state["route_decision"] == "detect_ambiguity":
        await work.node(detect_ambiguity)
        work.state["route_decision"] = "write_sql"
    _note_columns(work)


def _widen(work: Work) -> None:
    """The question alone is about nothing here: its heading may say what it is about."""
    heading = work.goal.context.splitlines()[0]
    apart = "：" if work.state["language"] == "zh" else ": "
    work.widened = True
    work.state |= {"standalone_question": f"{heading}{apart}{work.state['question']}", "outcome": "", "error": {}}


def _note_columns(work: Work) -> None:
    """Give the pool whole columns with their types and comments, and the time column a period is about."""
    context, names = work.context, work.state["schema_info"].get("tables", [])
    wanted = work.state["schema_info"].get("best", []) or names
    for table in context.here.seen(context.rules).tables:
        if table.full_name in wanted:
            columns = {column.name: f"{column.type} {column.comment}".strip() for column in table.columns}
            context.pool.merge("column_details", {table.full_name: columns})
    spans = work.state["query_analysis"].get("periods", [])
    if spans:
        context.pool.merge("time_range", f"{spans[0]['start']}/{spans[0]['end']}")
        context.pool.merge("time_column", time_column(context, list(wanted)))


async def generate(work: Work) -> None:
    """The next statement: an unused candidate, else the writer's."""
    await work.node(write_sql)


async def validate(work: Work) -> None:
    """The guard, every name, and what this report knows: rejected statements, and the period that was asked for."""
    sql, dialect = work.state["generated_sql"], work.context.here.dialect
    spans = work.state["query_analysis"].get("periods", [])
    found = rejected(sql, dialect, work.rejected)
    if found is None:
        await work.node(check_sql)
        column = str(work.context.pool.get("time_column") or "")
        found = wrong_period(sql, dialect, spans, column) if work.state["route_decision"] != "recover" else None
    if found is not None:
        work.failed(found)
    elif work.state["route_decision"] == "approve":
        work.state["route_decision"] = "run_sql"


async def execute(work: Work) -> None:
    """Run it, and see whether the result is what was asked for."""
    await work.node(run_sql)
    if work.state["route_decision"] != "analyse":
        return
    result = work.state["execution_result"]
    kept = work.context.kept[result["result_id"]]
    found = wrong_shape(work.goal.shape, kept.columns, kept.rows, work.state["generated_sql"])
    if found is not None:
        work.failed(found)


async def refine(work: Work) -> None:
    """Repair by the table of recovery: the next candidate, a mended tree, a fresh catalogue, the writer, or the end."""
    await work.node(recover)


TOOLS: dict[str, Callable[[Work], Awaitable[None]]] = {
    LIST: list_tables, COLUMNS: get_columns, GENERATE: generate, VALIDATE: validate, REFINE: refine, EXECUTE: execute,
}  # fmt: skip
