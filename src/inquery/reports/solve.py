"""Solves one placeholder: the nodes that answer a question, driven by the same table, then a look at what came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.driver import Move, drive_nodes
from inquery.agents.graph import NODES
from inquery.agents.outcomes.provenance import graded
from inquery.agents.questions.intents import read_intent
from inquery.agents.state import State, fill_blanks
from inquery.agents.state_types import Fault, make_candidate
from inquery.agents.truth.claims import Breach, Wanted
from inquery.agents.truth.read_claims import claims_of, is_from_people
from inquery.agents.truth.rules import first_breach
from inquery.errors import DatabaseUnavailable, InqueryError, Text
from inquery.llm.usage import UsageCounts
from inquery.reports.goals import Asked, Goal
from inquery.reports.problems import Problem
from inquery.reports.verdicts import unlikely

_READS = Text("it asks to change data, and reports only read", "该占位符要求修改数据，而报告只读取数据")
_NOTHING = Text("nothing in the database matches the question", "数据库中没有与该问题相关的内容")
_EMPTY = Text("the database has no tables that can be read", "数据库中没有可读取的表")
_STEPS = Text("too many steps without an answer", "步骤过多仍未得到结果")
_UNREACHED = Text(
    "the database could not be reached; the statement is kept and will run later",
    "无法连接数据库；语句已保留，稍后执行",
)


class PlainStep(TypedDict):
    """A step as plain data, for the store and for JSON."""

    name: str
    ok: bool
    ms: float
    note: str


@dataclass(slots=True)
class Solved:
    """What became of a placeholder: solved, doubtful, unverified, unsolved or refused."""

    status: str
    sql: str = ""
    kept: Kept | None = None
    problem: Problem | None = None
    notes: list[str] = field(default_factory=list)
    steps: list[PlainStep] = field(default_factory=list)
    usage: UsageCounts = field(default_factory=UsageCounts)
    agreement: float = 1.0


async def solve_goal(goal: Goal, asked: Asked, context: Context, *, rejected: tuple[str, ...] = ()) -> Solved:
    """The statement and rows of a goal, or why there are none; never raises what belongs to one placeholder."""
    what = read_intent(asked.question, None)
    if what.what == "refuse":
        return Solved("refused", problem=Problem(goal.line, "only_reads", _READS))
    if not context.here.seen(context.rules).tables:
        return Solved("unsolved", problem=Problem(goal.line, "no_schema", _EMPTY))
    given = tuple(str(value) for value in asked.values.values())
    context.wanted = Wanted(goal.shape, given, rejected, strict=True, surroundings=goal.context)
    context.send = context.send or (lambda event: None)
    work = Work(goal, asked, context)
    try:
        await work.drive(work.take_statement() if what.what == "sql" else "link_schema")
        if work.is_about_nothing and goal.context:
            work.widen()
            await work.drive("link_schema")
        while (found := work.misfit()) is not None and len(work.steps) < context.settings.agent.recursion_limit:
            work.blame(found)
            await work.drive("recover")
    except InqueryError as error:
        return work.unsolved(_problem(goal.line, error))
    return work.judge()


class Work:
    """One placeholder being solved: its goal, its state and the steps taken."""

    def __init__(self, goal: Goal, asked: Asked, context: Context) -> None:
        self.goal = goal
        self.context = context
        self.steps: list[PlainStep] = []
        self.reached = False
        self.asked: State = {
            "question": asked.question,
            "standalone_question": asked.question,
            "language": asked.language,
            "thread_id": "",
        }
        self.state = fill_blanks(self.asked)

    async def drive(self, first: str) -> None:
        """Go on from a node until there are rows, or the end."""
        runtime = Runtime(context=self.context)
        driven = await drive_nodes(first, self.state, runtime, NODES, self._rests)
        self.state, self.reached = driven.last.after, driven.last.onward == "analyse"

    def _rests(self, move: Move) -> bool:
        """Note a step; facts, prose and pictures of the rows are the document's own matter."""
        before, faults = move.before["error_history"], move.after["error_history"]
        ok = len(faults) == len(before)
        repairs = move.after["repairs"][len(move.before["repairs"]) :]
        note = repairs[-1] if repairs else ", ".join(_passed_over(move)) if ok else faults[-1]["class"]
        self.steps.append({"name": move.name, "ok": ok, "ms": round(move.ms, 1), "note": note})
        return move.onward == "analyse" or len(self.steps) >= self.context.settings.agent.recursion_limit

    def take_statement(self) -> str:
        """A placeholder may hold a statement of its own; it is checked and run, and never repaired by guessing."""
        sql = self.state["question"]
        self.state |= {"candidates": [make_candidate(sql)], "generated_sql": sql, "query_analysis": {"what": "sql"}}
        return "check_sql"

    @property
    def is_about_nothing(self) -> bool:
        """Whether no word of the question was found in the database."""
        return self.state["outcome"] == "declined" and bool(self.state["query_analysis"].get("unlinked"))

    def widen(self) -> None:
        """The question alone is about nothing here: its heading may say what it is about."""
        heading, apart = self.goal.context.splitlines()[0], say(self.state["language"], ": ", "：")
        whole = f"{heading}{apart}{self.asked['question']}"
        self.state = fill_blanks({**self.asked, "standalone_question": whole})

    def misfit(self) -> Fault | None:
        """Why the rows that came are not what the placeholder shows."""
        kept = self._kept()
        return unlikely(self.goal, kept.columns, kept.rows, self.state["generated_sql"]) if kept else None

    def blame(self, fault: Fault) -> None:
        """Record a fault of our own, for repair."""
        self.steps[-1] |= {"ok": False, "note": fault["class"]}
        candidates = [c | {"status": "failed"} if c["sql"] == fault["sql"] else c for c in self.state["candidates"]]
        self.state |= {"error_history": [*self.state["error_history"], fault], "candidates": candidates}

    def judge(self) -> Solved:
        """The goal is reached with rows, with a statement that waits for its database, or not at all."""
        state, sql, kept = self.state, self.state["generated_sql"], self._kept()
        if kept is not None and self.misfit() is None:
            doubt = self._doubt()
            # What the page would ask to be checked is no value that was found. Only answers have a grade, and these rows
            # are not yet one; what nobody judged, as a person's own statement, has none.
            grade = graded({**state, "outcome": "answered"}) if "p" in state["judged"] else None
            unsure = state["agreement"] < self.context.settings.reports.agreement or grade == "check"
            doubtful = unsure or doubt is not None
            made = Solved("doubtful" if doubtful else "solved", sql, kept, steps=self.steps)
            made.notes = [*state["assumptions"], *state["warnings"]]
            made.notes += [say(state["language"], doubt.reason.en, doubt.reason.zh)] if doubt else []
            if read_at := state["execution_result"].get("as_of"):
                made.notes.append(say(state["language"], f"read at {read_at}", f"数据读取于 {read_at}"))
            made.usage, made.agreement = self.context.meter.snapshot(), state["agreement"]
            return made
        proved = [step["ok"] for step in self.steps if step["name"] == "check_sql"]
        code = state["error_history"][-1]["class"] if state["error_history"] else "unanswerable"
        if code == "connection" and proved and proved[-1]:
            unreached = Problem(self.goal.line, "unverified", _UNREACHED)
            return Solved("unverified", sql, problem=unreached, steps=self.steps, usage=self.context.meter.snapshot())
        return self.unsolved(self._why(code))

    def unsolved(self, problem: Problem) -> Solved:
        """No answer, and why."""
        refused = problem.code in {"not_a_query", "permission", "read_only"}
        usage = self.context.meter.snapshot()
        sql = self.state["generated_sql"]
        return Solved("refused" if refused else "unsolved", sql, problem=problem, steps=self.steps, usage=usage)

    def _why(self, code: str) -> Problem:
        state = self.state
        if state["outcome"] == "declined":
            said = str((state["error"] or {}).get("message", ""))
            return Problem(self.goal.line, "unanswerable", Text(said, said) if said else _NOTHING)
        if not state["outcome"]:
            return Problem(self.goal.line, "unsolved", _STEPS)
        return Problem(self.goal.line, code, Text(**state["error_history"][-1]["public"]))

    def _kept(self) -> Kept | None:
        """The rows in hand, once there are some to show."""
        result = self.state["execution_result"]
        return self.context.kept[result["result_id"]] if self.reached and result.get("success") else None

    def _doubt(self) -> Breach | None:
        """What the statement that answered may break of its question."""
        statement = self.context.statement_of(self.state["generated_sql"])
        if statement is None or is_from_people(self.state["generated_sql"], self.state):
            return None
        return first_breach(statement, claims_of(self.state, self.context))


def _passed_over(move: Move) -> list[str]:
    """What candidates broke that were found to be no answers in this step."""
    before = {c["sql"] for c in move.before["candidates"] if c["status"] == "failed"}
    failed = [c for c in move.after["candidates"] if c["status"] == "failed" and c["sql"] not in before]
    return list(dict.fromkeys(code for c in failed for code in c.get("breaches", [])))


def _problem(line: int, error: InqueryError) -> Problem:
    code = "connection" if isinstance(error, DatabaseUnavailable) else error.code
    return Problem(line, code, Text(error.public_message("en"), error.public_message("zh")))
