"""Where an answer comes from, how it was read, and how sure it is."""

from __future__ import annotations

import re

from inquery.agents.context import Context
from inquery.agents.outcomes.condition_words import denied_values
from inquery.agents.questions.question_plan import vocabulary_of
from inquery.agents.state import State, used_plan
from inquery.agents.truth.judge import Grade, grade_of, shipped_judge
from inquery.agents.truth.read_claims import coverage_in
from inquery.answers.answer import MatchedValue, Provenance, ReadFilter, Reading
from inquery.llm.writers import model_name
from inquery.metrics.plan_types import Plan

UNJUDGED = 0.5
"""Of a statement that a person wrote, or that was answered before there was a judge."""


def provenance_of(state: State, context: Context) -> Provenance:
    """Tables, joins, samples, terms and values used, and the checks passed."""
    catalog = context.here.seen(context.rules)
    names = state["validation_result"].get("tables", [])
    paths = {catalog.by_name[name].path for name in names if name in catalog.by_name}
    joins = [
        f"{'.'.join(join.left)}.{'+'.join(join.left_columns)} = {'.'.join(join.right)}.{'+'.join(join.right_columns)}"
        for join in catalog.joins_of(paths)
        if join.left in paths and join.right in paths
    ]
    kept: Provenance = {"rows_as_of": read_at} if (read_at := state["execution_result"].get("as_of")) else {}
    return {
        **state["provenance"],
        **kept,
        "connection": context.here.connection.name,
        "tables": names,
        "columns": state["validation_result"].get("columns", []),
        "joins": joins,
        "glossary": dict(context.here.glossary.relevant(state.get("standalone_question", ""), state["language"])),
        "values": values_used(state),
        "template": state["template"] or None,
        "candidates": len(state["candidates"]),
        "agreement": state["agreement"],
        "guard": "passed",
        "repairs": list(state["repairs"]),
        "advice": state["validation_result"].get("advice", []),
        "model": model_name(context.model),
        "schema_version": state["schema_info"].get("version", catalog.version),
        "assumptions": state["assumptions"],
        "evidence": state["judged"].get("evidence", {}),
    }


def values_used(state: State) -> list[MatchedValue]:
    """The matched values that stand in the statement."""
    return [value for value in state["values"] if _stands_in(value, state["generated_sql"])]


def _stands_in(match: MatchedValue, sql: str) -> bool:
    """Whether a statement compares with a value; a number, as codes are, has to stand beside its column."""
    value = match["value"]
    if f"'{value}'" in sql:
        return True
    beside = rf"(?<!\w){re.escape(match['column'])}[\"`\]]?\s*(?:=|<>|!=|(?:NOT\s+)?IN\s*\([^()]*?)\s*{re.escape(value)}(?![\w.])"
    return value.isdigit() and re.search(beside, sql, re.IGNORECASE) is not None


def reading_of(state: State, context: Context) -> Reading:
    """The question as it was understood: filters, period and metric in the user's words, and what was left out."""
    analysis = state["query_analysis"]
    plan = used_plan(state)
    known: Reading = (
        {"plan": {"text": plan["text"], "accepted": plan["accepted"], "fields": plan["fields"]}} if plan else {}
    )
    read: Reading = {
        **known,
        "question": state.get("enriched_question") or state["standalone_question"],
        "filters": filters_used(state, context),
        "period": [{"text": p["text"], "start": p["start"], "end": p["end"]} for p in analysis.get("periods", [])],
        "metric": {word: names[0] for word, names in analysis.get("metrics", {}).items()},
        "assumptions": state["assumptions"],
        "ignored": ignored_words(state, context),
    }
    chosen = chosen_words(state)
    return read | {"chosen": chosen} if chosen else read


def filters_used(state: State, context: Context) -> list[ReadFilter]:
    """The values that rows are narrowed to and those that are left out: of a plan its own, whoever said them and when."""
    if plan := used_plan(state):
        wanted, book = Plan.model_validate(plan["fields"]), vocabulary_of(context).book
        return [
            _read_filter(each.text or value, of.table, of.column, value, denied=each.negated)
            for each in wanted.filters
            for of in (book.dimension(each.dimension),)
            for value in each.values
        ]
    statement = context.statement_of(state["generated_sql"]) if state["generated_sql"] else None
    left_out = denied_values(statement) if statement else set()
    found = []
    for used in values_used(state):
        denied = (f"{used['table']}.{used['column']}", used["value"].casefold()) in left_out
        found.append(_read_filter(used["phrase"], used["table"], used["column"], used["value"], denied=denied))
    return found


def _read_filter(phrase: str, table: str, column: str, value: str, *, denied: bool) -> ReadFilter:
    read: ReadFilter = {"phrase": phrase, "table": table, "column": column, "value": value}
    return read | {"denied": True} if denied else read


def ignored_words(state: State, context: Context) -> list[str]:
    """Words of the question that nothing in the statement owns."""
    found = coverage_in(state, context, state["generated_sql"]) if state["generated_sql"] else None
    return list(found.ignored) if found else []


def chosen_words(state: State) -> str:
    """What the user chose when asked back, as it was offered to them, or their own words; empty where nobody asked."""
    asking = state.get("clarification") or {}
    if not asking.get("reply"):
        return ""
    offered = {option["id"]: option["label"] for option in asking["options"]}
    return offered.get(asking.get("option", ""), asking["reply"])


def confidence_of(state: State) -> float | None:
    """How likely the answer is right, from 0 to 1: the judge's value, never a model's own opinion."""
    if state.get("outcome") != "answered" or not state.get("generated_sql"):
        return None
    return (state.get("judged") or {}).get("p", UNJUDGED)


def graded(state: State) -> Grade | None:
    """The word for how sure an answer is; `verified` where people defined or confirmed all of it."""
    confidence = confidence_of(state)
    if confidence is None:
        return None
    return grade_of(confidence, verified=(state.get("judged") or {}).get("verified", False))


def planned_confidence(*, accepted: bool) -> float:
    """How sure a plan is, by whether people accepted the definitions it uses."""
    return shipped_judge().planned["accepted" if accepted else "proposed"]
