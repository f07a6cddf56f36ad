"""A result in its reader's words: its columns, and what of its statement a sentence must tell."""

from __future__ import annotations

import datetime

from inquery.agents.context import Context, Kept
from inquery.agents.questions.question_plan import told_of
from inquery.agents.state import State, used_plan
from inquery.answers.answer import AnswerColumn
from inquery.answers.column_words import ranking_words, word_columns
from inquery.answers.plan_answer import plan_labels
from inquery.answers.prose import Ranked
from inquery.sql.statement import Statement


def worded_columns(state: State, context: Context, kept: Kept) -> list[AnswerColumn]:
    """The columns of a result with what the reader calls them."""
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    statement = context.statement_of(kept.sql)
    language = state.get("language", "en")
    columns = word_columns(kept.columns, kept.rows, statement, glossary, seen, language)
    plan = used_plan(state)
    if plan is None or len(plan["columns"]) != len(columns):
        return columns
    return plan_labels(told_of(plan), columns)


def ranked_by(statement: Statement | None, context: Context, language: str) -> Ranked | None:
    """How the rows are ranked; an order by time or name is no ranking."""
    found = ranking_words(statement, context.here.glossary, context.here.seen(context.rules), language)
    if found is None or statement is None:
        return None
    return Ranked(found[0], found[1], cut=bool(statement.ranking.most))


def first_day(state: State) -> datetime.date | None:
    """The first day that the statement takes, where the question names one period and the statement its start."""
    periods = state["query_analysis"].get("periods", [])
    if len(periods) != 1 or periods[0]["start"] not in state["generated_sql"]:
        return None
    return datetime.date.fromisoformat(periods[0]["start"])
