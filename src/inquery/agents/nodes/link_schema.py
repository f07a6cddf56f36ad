"""Finds the tables, columns, joins and values a question is about."""

from __future__ import annotations

import asyncio
import re

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import plan_question
from inquery.agents.questions.unanswerable import close_unlinked
from inquery.agents.state import State, Update
from inquery.agents.state_types import Fault, FoundPeriod, QuestionAnalysis, found_period, make_fault, matched_value
from inquery.answers.answer import OptionReading
from inquery.aside import run_aside
from inquery.catalog.search import Ranking
from inquery.catalog.value_index import ValueMatch
from inquery.errors import Text
from inquery.knowledge.value_search import near_values
from inquery.language.concepts import concepts_in
from inquery.language.periods import periods_in
from inquery.language.text import name_stems
from inquery.sql import Catalog

RANKED = 60
LEAST = 0.5
"""A best table below this score shares no telling word with the question."""
SAID = 0.4
"""A term of this weight is said by a word of the question, if only of one character: 山 says mountain."""
WHOLE_WORD = 0.8
FEW = 3
ROWS = frozenset({"record", "记录", "row", "entry"})
MONEY = frozenset(
    {"amount", "cost", "expense", "expens", "fee", "money", "spend", "revenue", "sale", "price", "income", "payment", "budget"}
    | {"金额", "费用", "花费", "花销", "开销", "支出", "成本", "收入", "销售额", "价格", "预算", "款项"}
)  # fmt: skip
VALUES = 12


async def link_schema(state: State, runtime: Runtime[Context]) -> Update:
    """Link the question; after a fault of names the catalogue is read anew first."""
    context, question = runtime.context, question_of(state)
    if "refresh_schema" in state.get("repairs", [])[-1:]:
        context.take(await context.services.sources.open(context.here.id, anew=True))
    source = context.here
    matches = await _all_matches(question, context)
    long = context.is_long(question)
    ranking = await run_aside(long, lambda: source.ranking(question, context.rules, matches))
    chosen = state.get("clarification", {}).get("reading", {})
    values = [match for match in ranking.values if _fits(match, chosen)][:VALUES]
    names = await source.linked(question, context.rules, ranking, context.encoder())
    if not names:
        return {
            "error_history": [*state["error_history"], _no_schema()],
            "current_stage": "error_recovery",
            "route_decision": "recover",
        }
    metrics = await run_aside(long, lambda: dict(source.glossary.metrics_in(question)))
    unlinked = (
        not (
            await run_aside(long, _matched, question, ranking, metrics)
            or await run_aside(long, _says_a_column, question, source.seen(context.rules))
        )
        and _readable(source.seen(context.rules))
        and context.chat_model() is None
    )
    # Nobody would say how sure an answer is, or one has failed already.
    if unlinked and (context.model.provider != "embedded" or state.get("retry_count")):
        nothing: QuestionAnalysis = {"unlinked": True}
        ended = await run_aside(long, close_unlinked, state, context)
        return ended | {"query_analysis": state["query_analysis"] | nothing}
    periods = await run_aside(long, _periods, question, context)
    planned = (
        None
        if state.get("retry_count")
        else await asyncio.to_thread(plan_question, question, context, state["language"])
    )
    return {
        "current_stage": "sql_generation" if state.get("retry_count") else "schema_analysis",
        "schema_info": {
            "version": source.catalog.version,
            "tables": names,
            "relevance": [list(place) for place, _ in ranking.columns[:RANKED]],
            "best": [name for name, _ in ranking.tables[:5]],
        },
        "plan": planned or {},
        "values": [matched_value(match) for match in values],
        "query_analysis": state["query_analysis"] | {"metrics": metrics, "periods": periods, "unlinked": unlinked},
        "route_decision": "write_sql" if state.get("retry_count") else "detect_ambiguity",
    }


async def _all_matches(question: str, context: Context) -> list[ValueMatch]:
    """Stored values that the question names by letters, and a few more that it means."""
    found, encoder = context.matches(question), context.encoder()
    if encoder is None:
        return found
    seen, values = context.here.seen(context.rules), context.here.values_for(context.rules)
    return [*found, *await near_values(question, seen, values, encoder, found)]


def _fits(match: ValueMatch, chosen: OptionReading) -> bool:
    """Whether a match agrees with the reading the user chose for its phrase."""
    if chosen.get("phrase") != match.phrase or "column" not in chosen:
        return True
    return bool(match.table == chosen["table"] and match.column == chosen["column"])


def _matched(question: str, ranking: Ranking, metrics: dict[str, list[str]]) -> bool:
    """Whether the question speaks of this database: a value, a metric, a table that fits, or one named by a single character."""
    if ranking.values or metrics or not ranking.tables:
        return bool(ranking.values or metrics)
    best, score = ranking.tables[0]
    spoken = {term for thing in concepts_in(question) for term, weight in thing.items() if weight >= SAID}
    return score >= LEAST or set(name_stems(best.rpartition(".")[2])) <= spoken


def _says_a_column(question: str, catalog: Catalog) -> bool:
    """Whether a question says a column's whole name, or speaks of rows or money where one table has them.

    Scores weigh how rare a word is, and among one to three tables none is: 部门 was no match for a sheet with that column,
    nor 费用 for one whose only amount is 金额.
    """
    if len(catalog.tables) > FEW:
        return False
    spoken = {term for thing in concepts_in(question) for term, weight in thing.items() if weight >= WHOLE_WORD}
    if len(catalog.tables) == 1 and spoken & ROWS:
        return True
    names = [name_stems(column.name) for table in catalog.tables for column in table.columns]
    if len(catalog.tables) == 1 and spoken & MONEY and any(MONEY.intersection(stems) for stems in names):
        return True
    return any(stems and spoken.issuperset(stems) for stems in names)


def _readable(catalog: Catalog) -> bool:
    """Whether most tables have names or comments in words; else a question cannot be expected to match them."""
    worded = sum(
        bool(table.comment or re.search(r"[a-zA-Z]{4}|[\u4e00-\u9fff]", table.name)) for table in catalog.tables
    )
    return worded * 5 >= len(catalog.tables) * 3


def _periods(question: str, context: Context) -> list[FoundPeriod]:
    options = context.here.connection.options
    found = periods_in(
        question, today=context.day(), week_start=options.week_start, fiscal_start=options.fiscal_year_start
    )
    return [found_period(period) for period in found]


def _no_schema() -> Fault:
    text = Text("The database has no tables that you can read.", "数据库中没有您可以读取的表。")
    return make_fault("no_schema", text, stage="schema_analysis", code="not_found")
