"""Solves one placeholder: plan, use one tool, look at what came, decide whether the goal is reached; then again."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.questions.intents import read_intent
from inquery.agents.state_types import make_candidate
from inquery.errors import DatabaseUnavailable, InqueryError, Text
from inquery.llm.usage import UsageCounts
from inquery.reports.goals import Asked, Goal
from inquery.reports.plan import (
    DONE,
    LIST,
    REFINE,
    STOP,
    VALIDATE,
    SolvingStep,
    exhausted,
    following,
    gated,
    last_fault,
)
from inquery.reports.problems import Problem
from inquery.reports.solving_tools import TOOLS, Work, doubt_of

_GIVEN_UP = {
    "steps": Text("too many steps without an answer", "步骤过多仍未得到结果"),
    "same_tool": Text("the same step failed three times", "同一步骤连续失败三次"),
    "no_schema": Text("no table could be read", "无法读取任何表"),
    "no_sql": Text("no statement was written", "未能生成语句"),
}
_READS = Text("it asks to change data, and reports only read", "该占位符要求修改数据，而报告只读取数据")
_NOTHING = Text("nothing in the database matches the question", "数据库中没有与该问题相关的内容")
_UNREACHED = Text(
    "the database could not be reached; the statement is kept and will run later",
    "无法连接数据库；语句已保留，稍后执行",
)


@dataclass(slots=True)
class Solved:
    """What became of a placeholder: solved, doubtful, unverified, unsolved or refused."""

    status: str
    sql: str = ""
    kept: Kept | None = None
    problem: Problem | None = None
    notes: list[str] = field(default_factory=list)
    steps: list[SolvingStep] = field(default_factory=list)
    usage: UsageCounts = field(default_factory=UsageCounts)
    agreement: float = 1.0


async def solve_goal(goal: Goal, asked: Asked, context: Context, *, rejected: tuple[str, ...] = ()) -> Solved:
    """The statement and rows of a goal, or why there are none; never raises what belongs to one placeholder."""
    what = read_intent(asked.question, None)
    if what.what == "refuse":
        return Solved("refused", problem=Problem(goal.line, "only_reads", _READS))
    work = Work.of(goal, asked, context, rejected)
    tool = LIST
    if what.what == "sql":
        tool = _own_statement(work, asked.question)
    steps: list[SolvingStep] = []
    while tool not in {DONE, STOP}:
        tool, stopped = await _turn(work, tool, steps)
        if stopped is not None:
            return _unsolved(work, steps, stopped)
    return _judged(work, steps, reached=tool == DONE)


def _own_statement(work: Work, sql: str) -> str:
    """A placeholder may hold a statement of its own; it is checked and run, and never repaired by guessing."""
    work.context.pool.merge("column_details", {"": True})
    work.context.pool.merge("current_sql", sql)
    work.state |= {"candidates": [make_candidate(sql)], "generated_sql": sql, "query_analysis": {"what": "sql"}}
    return VALIDATE


async def _turn(work: Work, tool: str, steps: list[SolvingStep]) -> tuple[str, Problem | None]:
    """One tool, and what the plan says comes next."""
    tool = gated(tool, work.context.pool)
    started, faults = time.perf_counter(), len(work.state["error_history"])
    work.state["route_decision"] = ""
    passed_over = len(work.context.pool.get("passed_over") or ())
    try:
        await TOOLS[tool](work)
        onward = following(tool, work.state["route_decision"])
    except InqueryError as error:
        steps.append(SolvingStep(tool, False, (time.perf_counter() - started) * 1000, error.code))
        return STOP, _problem(work.goal.line, error)
    ok = len(work.state["error_history"]) == faults
    note = ", ".join((work.context.pool.get("passed_over") or [])[passed_over:]) if ok else _last_class(work)
    repairs = work.state["repairs"]
    steps.append(
        SolvingStep(
            tool, ok, (time.perf_counter() - started) * 1000, repairs[-1] if tool == REFINE and repairs else note
        )
    )
    if (why := exhausted(steps, work.context.pool)) and onward != DONE:
        return STOP, Problem(work.goal.line, "unsolved", _GIVEN_UP[why])
    return onward, None


def _judged(work: Work, steps: list[SolvingStep], *, reached: bool) -> Solved:
    """The goal is reached with rows, with a statement that waits for its database, or not at all."""
    state, sql = work.state, work.state["generated_sql"]
    result = state["execution_result"]
    if reached and result.get("success"):
        kept = work.context.kept[result["result_id"]]
        doubt = doubt_of(work)
        doubtful = state["agreement"] < work.context.settings.reports.agreement or doubt is not None
        made = Solved("doubtful" if doubtful else "solved", sql, kept, steps=steps, agreement=state["agreement"])
        made.notes = [*state["assumptions"], *state["warnings"]]
        made.notes += [say(state["language"], doubt.reason.en, doubt.reason.zh)] if doubt else []
        if read_at := result.get("as_of"):
            made.notes.append(say(state["language"], f"read at {read_at}", f"数据读取于 {read_at}"))
        made.usage = work.context.meter.snapshot()
        return made
    proved = [step.ok for step in steps if step.tool == VALIDATE]
    if _last_class(work) == "connection" and proved and proved[-1]:
        unreached = Problem(work.goal.line, "unverified", _UNREACHED)
        return Solved("unverified", sql, problem=unreached, steps=steps, usage=work.context.meter.snapshot())
    fault = last_fault(state)
    reason = Text(**fault["public"]) if fault else _NOTHING
    return _unsolved(work, steps, Problem(work.goal.line, _last_class(work) or "unanswerable", reason))


def _last_class(work: Work) -> str:
    fault = last_fault(work.state)
    return fault["class"] if fault else ""


def _unsolved(work: Work, steps: list[SolvingStep], problem: Problem) -> Solved:
    refused = problem.code in {"not_a_query", "permission", "read_only"}
    sql = work.state["generated_sql"]
    usage = work.context.meter.snapshot()
    return Solved("refused" if refused else "unsolved", sql, problem=problem, steps=steps, usage=usage)


def _problem(line: int, error: InqueryError) -> Problem:
    code = "connection" if isinstance(error, DatabaseUnavailable) else error.code
    return Problem(line, code, Text(error.public_message("en"), error.public_message("zh")))
