"""Acts on the last answer: another chart, its SQL explained, its result in words, or the same question again."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.emitting import emit
from inquery.agents.events import ChartEvent
from inquery.agents.outcomes.result_words import worded_columns
from inquery.agents.outcomes.rows import describe_result, kept_of, run_checked
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.state import State, Thread, Update
from inquery.agents.state_types import LastAnswer, chart_state, fact_states
from inquery.agents.statements.edits import explain_statement
from inquery.answers.answer import ChartType
from inquery.answers.chart_choice import asked_for, choose_chart
from inquery.answers.facts import compute_facts
from inquery.answers.prose import explain_result
from inquery.errors import Text

KINDS: dict[ChartType, Text] = {
    "bar": Text("a bar chart", "柱状图"),
    "line": Text("a line chart", "折线图"),
    "area": Text("an area chart", "面积图"),
    "pie": Text("a pie chart", "饼图"),
    "scatter": Text("a scatter chart", "散点图"),
    "heat": Text("a heat map", "热力图"),
    "pivot": Text("a pivot table", "透视表"),
}


async def use_last_answer(state: State, runtime: Runtime[Context]) -> Update:
    """Serve what the message wants of the last answer."""
    last, language = state.get("last_answer") or {}, state["language"]
    what = state["query_analysis"].get("what", "")
    if what == "again":
        return {"standalone_question": last["standalone"], "refresh": True, "route_decision": "rewrite_followup"}
    if what == "sql":
        text = explain_statement(last["sql"], runtime.context.here.dialect, language)
        return close_turn(state, outcome="chat", text=text, generated_sql=last["sql"])
    kept = await _rows(runtime.context, last)
    shared: Thread = {
        "outcome": "answered",
        "standalone_question": last["standalone"],
        "generated_sql": last["sql"],
        "execution_result": describe_result(kept, last.get("result_id") or "", 0.0),
        # The same rows are no less sure for being drawn.
        "judged": last.get("judged") or {},
        "plan": last.get("planned") or {},
    }
    if what == "chart":
        return _goes_on(_charted(state, runtime, kept, shared), last)
    columns = worded_columns({**state, **shared}, runtime.context, kept)
    facts = compute_facts(columns, kept.rows, truncated=kept.truncated, today=runtime.context.day())
    text = explain_result(last["standalone"], facts, columns, kept.rows, language=language, truncated=kept.truncated)
    whole = shared | {"text": text, "facts": fact_states(facts), "chart_config": last.get("chart") or {}}
    return _goes_on(close_turn(state, **whole), last)


def _goes_on(update: Update, last: LastAnswer) -> Update:
    """What was asked before stays what the next message turns: "and last year?" after a chart means the question, not the chart."""
    if "plan" in last:
        update["last_answer"]["plan"] = last["plan"]
    return update


def _charted(state: State, runtime: Runtime[Context], kept: Kept, shared: Thread) -> Update:
    language = state["language"]
    columns = worded_columns({**state, **shared}, runtime.context, kept)
    wanted = asked_for(state["question"])
    today = runtime.context.day()
    chart = choose_chart(state["question"], columns, kept.rows, wanted=wanted, language=language, today=today)
    if chart is None:
        text = say(
            language,
            "This result cannot be drawn that way: a chart needs at least two rows and a number.",
            "该结果无法这样绘制：图表至少需要两行数据和一个数值列。",
        )
        return close_turn(state, **(shared | {"text": text, "chart_config": {}}))
    emit(runtime, ChartEvent(chart=chart))
    text = say(language, f"Drawn as {KINDS[chart.type].en}.", f"已绘制为{KINDS[chart.type].zh}。")
    return close_turn(state, **(shared | {"text": text, "chart_config": chart_state(chart)}))


async def _rows(context: Context, last: LastAnswer) -> Kept:
    kept = await context.services.results.load(str(last.get("result_id") or ""), context.user)
    return kept or kept_of(await run_checked(context, last["sql"]), last["sql"])
