"""Recognises simple questions, which need no samples and no chart."""

from __future__ import annotations

import re

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State, Update
from inquery.answers.chart_choice import wants_chart

SHORT = 50
ANALYSIS = re.compile(
    r"\b(trend|compar|distribut|analy|growth|change|correlat|share|proportion|percent|ratio|over time|breakdown|versus|vs|why|rank)\w*"
    r"|趋势|对比|比较|分布|分析|增长|变化|占比|比例|同比|环比|走势|排名|为什么|原因|相关",
    re.I,
)
SHAPED = re.compile(
    r"\b(by|per|each|every|group|top|most|highest|lowest|best|worst|monthly|daily|yearly|weekly)\b|按|各|每|分组|前\d|最高|最低|最多|最少",
    re.I,
)


def is_simple(question: str) -> bool:
    """Short, without words of analysis or charts, and of simple shape."""
    shaped = SHAPED.search(question) or ANALYSIS.search(question) or wants_chart(question)
    return len(question) < SHORT and not shaped


async def detect_fast_mode(state: State, runtime: Runtime[Context]) -> Update:
    """Set the flags of a simple question."""
    simple = is_simple(question_of(state))
    return {"fast_mode": simple, "skip_sample_retrieval": simple, "skip_chart_generation": simple}
