"""Where an answer comes from, how it was read, and how sure it is."""

from __future__ import annotations

from inquery.agents.context import Context
from inquery.agents.state import State
from inquery.answers.answer import MatchedValue, Provenance, Reading
from inquery.llm.writers import model_name


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
    return {
        **state["provenance"],
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
    }


def values_used(state: State) -> list[MatchedValue]:
    """The matched values that stand in the statement."""
    sql = state["generated_sql"]
    return [value for value in state["values"] if f"'{value['value']}'" in sql]


def reading_of(state: State) -> Reading:
    """The question as it was understood: filters, period and metric in the user's words."""
    analysis = state["query_analysis"]
    return {
        "question": state.get("enriched_question") or state["standalone_question"],
        "filters": [
            {"phrase": v["phrase"], "table": v["table"], "column": v["column"], "value": v["value"]}
            for v in values_used(state)
        ],
        "period": [{"text": p["text"], "start": p["start"], "end": p["end"]} for p in analysis.get("periods", [])],
        "metric": {word: names[0] for word, names in analysis.get("metrics", {}).items()},
        "assumptions": state["assumptions"],
    }


def confidence_of(state: State) -> float | None:
    """How sure the answer is, from 0 to 1: what the run saw, weighed by rules, never a model's own opinion."""
    if state.get("outcome") != "answered" or not state.get("generated_sql"):
        return None
    score = 0.55 + 0.35 * float(state.get("agreement") or 1.0)
    score -= 0.12 * min(3, len(state.get("repairs") or ()))
    score -= 0.15 * (not (state.get("execution_result") or {}).get("row_count"))
    score -= 0.05 * len(state.get("assumptions") or ())
    score -= 0.1 * bool(state.get("warnings"))
    score += 0.05 * bool((state.get("provenance") or {}).get("samples"))
    return round(min(0.99, max(0.05, score)), 2)
