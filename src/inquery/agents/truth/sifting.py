"""Chooses among the statements of one call those that keep to the question, before any of them runs."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State
from inquery.agents.state_types import Candidate, CandidateStatus, Fault, make_fault
from inquery.agents.statements.shown_names import show_names
from inquery.agents.truth.other_subject import find_other_subject
from inquery.agents.truth.read_claims import claims_of, is_from_people
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import Breach, breaches, not_refused
from inquery.agents.truth.sureness import sure_rules
from inquery.llm.writers import IN_PROCESS

CLAIM = "claim"
"""The `rule` of a fault that is a broken claim: the statement runs, and is no answer to the question."""
ALWAYS = frozenset({not_refused.__name__})
"""Not a guess: a person said so."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """The candidates with their breaches, the statement to go on with, and what it surely breaks.

    `fault` is there where none of them will do and another should be written.
    """

    candidates: list[Candidate]
    sql: str
    broken: tuple[Breach, ...] = ()
    fault: Fault | None = None


def sift(state: State, context: Context) -> Sifted:
    """Pass over statements that surely break a claim, as far as there is a better one or one can be written."""
    waiting = [c for c in state["candidates"] if c["status"] in {"current", "new"}]
    if not waiting:
        return Sifted(state["candidates"], state["generated_sql"])
    mended = {c["sql"]: _mended(c["sql"], state, context) for c in waiting}
    everything = [c | {"sql": mended[c["sql"]]} if c in waiting else c for c in state["candidates"]]
    waiting = sorted(
        (c for c in everything if c["status"] in {"current", "new"}), key=lambda c: c["status"] != "current"
    )
    found = {c["sql"]: _breaches_of(c["sql"], state, context) for c in waiting}
    sure = {sql: [each for each in broken if _is_sure(each, context)] for sql, broken in found.items()}
    kept = [sql for sql in found if not sure[sql]]
    if context.wanted.strict:
        kept = [sql for sql in kept if not found[sql]] or kept
    fault = None if kept or not _may_write_again(state, context) else _fault(next(iter(found)), sure[next(iter(found))])
    if fault is None and kept and (elsewhere := _other_subject(kept[0], state, context)):
        fault, kept = _fault(kept[0], [elsewhere, *found[kept[0]]]), []
    if not kept and fault is None:
        fewest = min(len(broken) for broken in sure.values())
        kept = [sql for sql, broken in sure.items() if len(broken) == fewest]
    return Sifted(
        [_marked(c, found, kept) if c in waiting else c for c in everything],
        kept[0] if kept else waiting[0]["sql"],
        tuple(sure[kept[0]]) if kept else (),
        fault,
    )


def _is_sure(broken: Breach, context: Context) -> bool:
    """By the rule's own word where nobody reads the answer twice; else it must have been right often enough."""
    return broken.sure and (context.wanted.strict or broken.rule in ALWAYS or broken.rule in sure_rules())


def _mended(sql: str, state: State, context: Context) -> str:
    """The statement with what code can put right for certain, where that leaves it with fewer breaches."""
    broken = _breaches_of(sql, state, context)
    statement = context.statement_of(sql)
    if statement is None or not any(each.sure for each in broken) or is_from_people(sql, state):
        return sql
    mended = mend_breaches(statement, broken, claims_of(state, context))
    if mended != sql and (rows := context.statement_of(mended)):
        # Rows that are listed now and were counted before show what people know them by.
        mended = show_names(rows, question_of(state), context.here.seen(context.rules))
    return mended if mended != sql and len(_breaches_of(mended, state, context)) < len(broken) else sql


def _breaches_of(sql: str, state: State, context: Context) -> tuple[Breach, ...]:
    """What a statement breaks; of one that people wrote, verified or planned only whether they said no to it since."""
    statement = context.statement_of(sql)
    if statement is None:
        return ()
    claims = claims_of(state, context)
    if is_from_people(sql, state):
        return breaches(statement, claims, rules=(not_refused,))
    return breaches(statement, claims)


def _may_write_again(state: State, context: Context) -> bool:
    """Once, by a model that reads reasons; where a wrong answer is worse than none, as often as there are repairs."""
    if context.wanted.strict:
        return True
    reads_reasons = context.writer is not None or context.model.provider not in IN_PROCESS
    return reads_reasons and not any(each.get("rule") == CLAIM for each in state["error_history"])


def _other_subject(sql: str, state: State, context: Context) -> Breach | None:
    """What a hosted model's statement leaves of the question, the first time; it costs a call, so that only it is asked."""
    hosted = context.model.provider not in IN_PROCESS
    may_ask = hosted and not context.wanted.strict and _may_write_again(state, context)
    return find_other_subject(sql, state, context) if may_ask else None


def _fault(sql: str, broken: list[Breach]) -> Fault:
    """A statement's first breach, with the advice of all its others."""
    first = broken[0]
    advice = list(dict.fromkeys(each.advice for each in broken))
    return make_fault(first.code, first.reason, stage="sql_validation", sql=sql, suggestions=advice, rule=CLAIM)


def _marked(candidate: Candidate, found: dict[str, tuple[Breach, ...]], kept: list[str]) -> Candidate:
    sql = candidate["sql"]
    status: CandidateStatus = "failed" if sql not in kept else "current" if sql == kept[0] else "new"
    codes = list(dict.fromkeys(each.code for each in found[sql]))
    return candidate | {"status": status, "breaches": codes}
