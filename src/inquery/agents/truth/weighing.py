"""Holds the candidates that ran against the question: how likely the chosen one is right, and what else may be meant."""

from __future__ import annotations

from collections.abc import Sequence

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.rows import kept_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State
from inquery.agents.state_types import VERIFIED, Candidate, Judged, OtherReading, Weighed, make_candidate, worded_states
from inquery.agents.statements.candidate_choice import Choice, Tried
from inquery.agents.statements.numeric_date_terms import days_as_written
from inquery.agents.truth.doubts import tell_doubts
from inquery.agents.truth.judge import LIKELY, Judge, shipped_judge
from inquery.agents.truth.read_claims import claims_of, coverage_in
from inquery.agents.truth.rules import Breach, breaches
from inquery.agents.truth.run_evidence import PLAIN, Beside, Evidence, evidence_of
from inquery.agents.truth.same_results import tell_same
from inquery.agents.truth.sureness import TELLING
from inquery.answers.column_words import word_columns
from inquery.answers.facts import compute_facts
from inquery.answers.formats import json_cell
from inquery.answers.prose import explain_result

TEMPLATE = "template"
"""The `why` of a statement that was kept from a question like this one."""
UNCONFIRMED = (
    "Please check: the measure was worked out from the columns, and nobody has confirmed it.",
    "请核对：该指标由列推断得出，尚未有人确认。",
)
UNREACHED = (
    "Please check: the limit was read as one on the whole of each group, and none reaches it.",
    "请核对：条件按各组的汇总数值理解，没有任何一组达到。",
)
DOUBTED = 0.6
"""At most so likely is what breaks a telling rule: below `LIKELY`, so that the reason is told, and above what is declined."""
MOST_OTHERS = 1
SHOWN_ROWS = 5
WORTH_SHOWING = 0.15
"""Below this probability another reading is a mistake rather than a reading."""


def judge_choice(choice: Choice, state: State, context: Context, judge: Judge | None = None) -> tuple[Choice, Judged]:
    """The candidates with the likeliest to be right first, the judge's value on it, and another reading where there is doubt.

    Votes are part of the evidence, so that the judge hears them; they decide alone where a writer gives no probabilities,
    since the ranking was proven on none such. What people own is taken before anything is weighed.
    """
    judge = judge or shipped_judge()
    if choice.best.result is None:  # none of them ran
        return choice, {}
    found = bool(choice.best.result.rows)
    if (owned := _owned(choice.best.candidate.sql, state, judge, found=found)) is not None:
        return choice, owned
    seen = [(each, _seen(each, choice, state, context)) for each in choice.tried if each.result is not None]
    if all(_candidate(each, state).get("signs") for each, _ in seen):
        seen.sort(key=lambda pair: -judge.raw(pair[1]))
    ran = tuple(tried for tried, _ in seen)
    choice = Choice((*ran, *(each for each in choice.tried if each.result is None)))
    weighed = [_weighed(tried, evidence, judge) for tried, evidence in seen]
    p = not_surer_than_before(weighed[0]["p"], ran[0], state)
    p = weighed[0]["p"] = not_sure_where_broken(p, _broken(ran[0].candidate.sql, state, context))
    judged: Judged = {"p": p, "evidence": weighed[0]["evidence"], "weighed": weighed}
    if p < LIKELY:
        judged["doubt"] = _doubt(ran[0].candidate.sql, weighed[0]["evidence"], state, context, judge)
        if others := _others(choice, weighed, state, context):
            judged["others"] = others
    return choice, judged


def not_surer_than_before(p: float, taken: Tried, state: State) -> float:
    """A statement kept from an earlier run shows no doubt of its writer's: what was unsure then is so now."""
    known = state.get("template_p")
    return min(p, known) if known is not None and taken.candidate.why == TEMPLATE else p


def not_sure_where_broken(p: float, broken: Sequence[Breach]) -> float:
    """What breaks a rule that right statements hardly ever break is not likely, however sure its writer was."""
    return min(p, DOUBTED) if any(each.rule in TELLING for each in broken) else p


def _broken(sql: str, state: State, context: Context) -> tuple[Breach, ...]:
    statement = context.statement_of(sql)
    return breaches(statement, claims_of(state, context)) if statement else ()


def _seen(tried: Tried, choice: Choice, state: State, context: Context) -> Evidence:
    return evidence_of(_candidate(tried, state), tried.result, _beside(tried, choice), state, context)


def _weighed(tried: Tried, evidence: Evidence, judge: Judge) -> Weighed:
    return {"sql": tried.candidate.sql, "p": judge.p_right(evidence), "evidence": evidence}


def _doubt(sql: str, evidence: Evidence, state: State, context: Context, judge: Judge) -> str:
    broken = _broken(sql, state, context)
    return tell_doubts(judge, evidence, coverage_in(state, context, sql), broken, state["language"])


def _owned(sql: str, state: State, judge: Judge, *, found: bool = True) -> Judged | None:
    """The judgement on a statement all of whose words people own: verified for this question, or compiled from definitions."""
    if state["repairs"]:
        return None
    if any(c["sql"] == sql and c["why"] == VERIFIED for c in state["candidates"]):
        return {"p": judge.planned["verified"], "verified": True}
    plan = state["plan"]
    if plan.get("sql") != sql:
        return None
    # The compiler guarantees the statement; a definition that nobody accepted may be another's.
    accepted = plan["accepted"]
    if accepted and not found and plan["fields"].get("threshold"):
        # `orders above 50,000 in each segment` limits orders, not how many there are: nothing reaches a limit misread so.
        return {"p": judge.planned["proposed"], "verified": False, "doubt": say(state["language"], *UNREACHED)}
    if accepted:
        return {"p": judge.planned["accepted"], "verified": True}
    if plan.get("plain"):
        # Rows of a named thing are counted, without a condition: there is no definition that anybody could confirm.
        return {"p": judge.planned["accepted"], "verified": False}
    return {"p": judge.planned["proposed"], "verified": False, "doubt": say(state["language"], *UNCONFIRMED)}


def _candidate(tried: Tried, state: State) -> Candidate:
    """The candidate of the state that was tried: the state's knows its signs."""
    found = (c for c in state["candidates"] if c["sql"] == tried.candidate.sql)
    return next(found, make_candidate(tried.candidate.sql))


def _beside(tried: Tried, choice: Choice) -> Beside:
    other = [each for each in choice.tried if each.rows != tried.rows and each.result is not None]
    gap = tried.candidate.score - max((each.candidate.score for each in other), default=tried.candidate.score - PLAIN)
    return Beside(tried.weight, tried.agreement, gap, len({repr(each.rows) for each in other}))


def _others(choice: Choice, weighed: list[Weighed], state: State, context: Context) -> list[OtherReading]:
    p_of = {each["sql"]: each["p"] for each in weighed}
    found: list[OtherReading] = []
    for tried in choice.tried[1:]:
        if tried.result is None or not tried.result.rows or tried.rows == choice.best.rows:
            continue
        if choice.best.result is not None and tell_same(choice.best.result, tried.result):
            continue
        if (p := p_of[tried.candidate.sql]) >= WORTH_SHOWING:
            found.append(_other(tried, p, state, context))
    return sorted(found, key=lambda other: -other["confidence"])[:MOST_OTHERS]


def _other(tried: Tried, p: float, state: State, context: Context) -> OtherReading:
    assert tried.result is not None
    kept = kept_of(tried.result, tried.candidate.sql)
    seen, glossary, language = context.here.seen(context.rules), context.here.glossary, state["language"]
    statement, question = context.statement_of(days_as_written(kept.sql, seen)), question_of(state)
    columns = word_columns(kept.columns, kept.rows, statement, glossary, seen, language, question)
    facts = compute_facts(columns, kept.rows, truncated=kept.truncated, today=context.day())
    told = explain_result(question, facts, columns, kept.rows, language=language)
    return {
        "sql": tried.candidate.sql,
        "confidence": p,
        "text": told,
        "columns": [column.name for column in tried.result.columns],
        "words": worded_states(columns),
        "preview": [[json_cell(cell) for cell in row] for row in tried.result.rows[:SHOWN_ROWS]],
        "row_count": len(tried.result.rows),
    }
