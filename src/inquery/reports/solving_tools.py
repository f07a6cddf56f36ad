"""The six tools of solving: each one step, over the same nodes that answer questions in a conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.nodes.check_sql import check_sql
from inquery.agents.nodes.detect_ambiguity import detect_ambiguity
from inquery.agents.nodes.link_schema import link_schema
from inquery.agents.nodes.recover import recover
from inquery.agents.nodes.run_sql import run_sql
from inquery.agents.nodes.write_sql import write_sql
from inquery.agents.state import State, fill_blanks
from inquery.agents.state_types import Fault, make_fault
from inquery.agents.steps import Node
from inquery.agents.truth.claims import Breach, Wanted
from inquery.agents.truth.read_claims import claims_of, is_from_people
from inquery.agents.truth.rules import first_breach
from inquery.catalog.time_columns import recommended_time
from inquery.errors import Text
from inquery.llm.usage import count_calls
from inquery.reports.goals import Asked, Goal
from inquery.reports.plan import COLUMNS, EXECUTE, GENERATE, LIST, REFINE, VALIDATE
from inquery.reports.verdicts import unlikely


@dataclass(slots=True)
class Work:
    """One placeholder being solved: its goal, its state, its pool and what is wanted of it (in the context)."""

    goal: Goal
    state: State
    runtime: Runtime[Context]
    widened: bool = field(default=False)

    @classmethod
    def of(cls, goal: Goal, asked: Asked, context: Context, rejected: tuple[str, ...] = ()) -> Work:
        """Work on a question as it is asked in this run."""
        question, language = asked.question, asked.language
        context.send = context.send or (lambda event: None)
        state: State = {
            "question": question,
            "standalone_question": question,
            "language": language,
            "thread_id": "",
        }
        context.pool.merge("question", question)
        context.pool.merge("template_context", goal.context)
        given = tuple(str(value) for value in asked.values.values())
        context.wanted = Wanted(goal.shape, given, rejected, strict=True)
        return cls(goal, fill_blanks(state), Runtime(context=context))

    @property
    def context(self) -> Context:
        """What this work is given besides its state."""
        return self.runtime.context

    async def node(self, node: Node) -> None:
        """Run one node of the graph on this state, as after no decision; a placeholder has no messages."""
        undecided = self.state | {"route_decision": ""}
        with count_calls(self.context.meter):
            self.state = cast("State", {**undecided, **await node(undecided, self.runtime)})

    def failed(self, found: Fault) -> None:
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
        work.failed(make_fault("no_schema", reason, stage="schema_analysis"))
        work.state["route_decision"] = "end"


async def get_columns(work: Work) -> None:
    """The columns, values, periods and time column that the question is about; a doubt takes its best reading."""
    await work.node(link_schema)
    if work.state["outcome"] in {"failed", "declined"} and not work.widened and work.goal.context:
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
        context.pool.merge("time_column", recommended_time(context.here.seen(context.rules), wanted))


async def generate(work: Work) -> None:
    """The next statement: an unused candidate, else the writer's."""
    await work.node(write_sql)
    if work.state["outcome"] == "declined":
        said = str((work.state["error"] or {}).get("message", ""))
        work.failed(make_fault("unanswerable", Text(said, said), stage="sql_generation"))
        work.state["route_decision"] = "end"
        return


async def validate(work: Work) -> None:
    """The guard, every name, what the question says, and statements that people rejected."""
    await work.node(check_sql)
    if work.state["route_decision"] == "approve":
        work.state["route_decision"] = "run_sql"


def doubt_of(work: Work) -> Breach | None:
    """What the statement that answered may break of its question."""
    statement = work.context.statement_of(work.state["generated_sql"])
    if statement is None or is_from_people(work.state["generated_sql"], work.state):
        return None
    return first_breach(statement, claims_of(work.state, work.context))


async def execute(work: Work) -> None:
    """Run it, and see whether the result is what was asked for."""
    await work.node(run_sql)
    if work.state["route_decision"] != "analyse":
        return
    result = work.state["execution_result"]
    kept = work.context.kept[result["result_id"]]
    found = unlikely(work.goal, kept.columns, kept.rows, work.state["generated_sql"])
    if found is not None:
        work.failed(found)


async def refine(work: Work) -> None:
    """Repair by the table of recovery: the next candidate, a mended tree, a fresh catalogue, the writer, or the end."""
    await work.node(recover)


TOOLS: dict[str, Callable[[Work], Awaitable[None]]] = {
    LIST: list_tables,
    COLUMNS: get_columns,
    GENERATE: generate,
    VALIDATE: validate,
    REFINE: refine,
    EXECUTE: execute,
}
