"""Draws the result where a picture says more than the table."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import ChartEvent
from inquery.agents.outcomes.result_words import worded_columns
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import told_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import chart_state
from inquery.answers.answer import AnswerColumn, ChartSpec
from inquery.answers.chart_choice import asked_for, choose_chart
from inquery.answers.people_names import with_whole_names
from inquery.answers.plan_answer import plan_columns
from inquery.answers.shape import Rows


async def draw_chart(state: State, runtime: Runtime[Context]) -> Update:
    """A typed chart by rules; simple questions get none."""
    context = runtime.context
    if state["skip_chart_generation"] or (context.profile and context.profile.chart == "none"):
        return {"chart_config": {}}
    kept = await rows_of(context, state)
    style = asked_for(context.profile.chart) if context.profile and context.profile.chart else None
    wanted = asked_for(state["question"]) or asked_for(question_of(state)) or style
    columns, rows = with_whole_names(*_drawn(state, worded_columns(state, context, kept), kept.rows))
    chart = choose_chart(
        question_of(state), columns, rows, wanted=wanted, language=state["language"], today=context.day()
    )
    if chart is None and wanted:
        chart = choose_chart(question_of(state), columns, rows, language=state["language"], today=context.day())
    if chart is None:
        return {"chart_config": {}}
    chart.picture = await _picture(context, chart)
    emit(runtime, ChartEvent(chart=chart))
    return {"chart_config": chart_state(chart)}


def _drawn(state: State, columns: Sequence[AnswerColumn], rows: Rows) -> tuple[Sequence[AnswerColumn], Rows]:
    """The columns worth drawing: of a plan its figures beside those they are held against, not the change in per cent."""
    plan = used_plan(state)
    if plan is None:
        return columns, rows
    told = told_of(plan)
    figures = plan_columns(told, ("running",)) or plan_columns(told, ("value", "previous", "moving"))
    places = [*plan_columns(told, ("bucket", "label", "further")), *figures]
    if told.contribution:
        places = [*plan_columns(told, ("label", "further")), *plan_columns(told, ("difference",))]
    return [columns[i] for i in places], [[row[i] for i in places] for row in rows]


async def _picture(context: Context, chart: ChartSpec) -> str:
    """A picture by the chart server, where one is set up and the connection's privacy lets it see the data."""
    charts = context.services.charts
    if charts is None or not (charts.keeps_data or context.here.privacy(context.settings) == "full"):
        return ""
    return await charts.draw(chart)
