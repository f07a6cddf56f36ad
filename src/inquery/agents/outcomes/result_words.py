"""A result in its reader's words: its columns, and what of its statement a sentence must tell."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.outcomes.condition_words import tell_conditions, tell_ranking
from inquery.agents.outcomes.provenance import filters_used
from inquery.agents.outcomes.reading_parts import ReadingWords, parts_of
from inquery.agents.outcomes.rows import limits_of, run_checked
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import told_of, vocabulary_of
from inquery.agents.state import State, used_plan
from inquery.agents.state_types import PlannedStatement
from inquery.agents.statements.numeric_date_terms import days_as_written
from inquery.answers.answer import AnswerColumn, Reading
from inquery.answers.column_words import name_of_column, own_names, ranking_words, word_columns
from inquery.answers.plan_answer import plan_labels
from inquery.answers.prose import Ranked
from inquery.answers.reading_words import reading_line
from inquery.answers.shape import FIGURES
from inquery.catalog.collect import table_named
from inquery.catalog.time_columns import time_columns
from inquery.errors import InqueryError
from inquery.metrics.plan_told import told_limits
from inquery.metrics.plan_types import Plan
from inquery.sql.statement import Place, Statement

LOOK_S = 1.0
MOST_ROWS = 5_000_000
"""Larger tables are not read again to learn when they begin."""


def worded_columns(state: State, context: Context, kept: Kept) -> list[AnswerColumn]:
    """The columns of a result with what the reader calls them."""
    if context.source is None:  # a thread that was answered before is only shown again
        return list(kept.columns)
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    statement = context.statement_of(days_as_written(kept.sql, seen))
    language = state.get("language", "en")
    bare = [AnswerColumn(name=column.name, kind=column.kind) for column in kept.columns]
    columns = word_columns(bare, kept.rows, statement, glossary, seen, language, question_of(state))
    plan = used_plan(state)
    if plan is None or len(plan["columns"]) != len(columns):
        return columns
    # A plan names a group as its column is stored; what people call that column goes before.
    own = own_names(statement, len(columns), glossary, seen, language)
    labelled = plan_labels(told_of(plan), columns)
    return [
        column.model_copy(update={"label": name}) if name else column
        for column, name in zip(labelled, own, strict=True)
    ]


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


async def data_begins(context: Context, statement: Statement) -> datetime.date | None:
    """The first day that there is data of, where rows are grouped by time: the period that holds it may be cut."""
    place = _grouped_moment(statement)
    if place is None or (place.table.estimated_rows or 0) > MOST_ROWS:
        return None
    column = exp.column(exp.to_identifier(place.column, quoted=True))
    sql = exp.select(exp.alias_(exp.Min(this=column), "first_day")).from_(table_named(place.table))
    try:
        result = await run_checked(
            context, sql.sql(dialect=context.here.dialect), replace(limits_of(context), timeout_s=LOOK_S)
        )
        return datetime.date.fromisoformat(str(result.rows[0][0])[:10])
    except (InqueryError, ValueError, IndexError):
        return None


def _grouped_moment(statement: Statement) -> Place | None:
    """The column that says when, of which parts are grouped by."""
    for scope in statement.scopes:
        for item in scope.grouping():
            columns = [] if isinstance(item, exp.Column) else list(item.find_all(exp.Column))
            for place in filter(None, map(scope.place, columns)):
                if place.column in {each.name for each in time_columns(place.table)}:
                    return place
    return None


def _lists_rows(statement: Statement) -> bool:
    """Whether rows are shown one by one: their key first, and nothing added up."""
    top = statement.top
    if top is None or top.grouping() or top.select.find(exp.AggFunc) is not None or not top.select.expressions:
        return False
    first = top.select.expressions[0].unalias()
    place = top.place(first) if isinstance(first, exp.Column) else None
    return place is not None and place.is_key


def read_aloud(reading: Reading, state: State, context: Context, columns: Sequence[AnswerColumn]) -> Reading:
    """The reading in one line and part by part: measures, groups, the period, conditions, definitions, database."""
    seen, glossary, language = context.here.seen(context.rules), context.here.glossary, state["language"]
    statement = context.statement_of(state["generated_sql"])
    compared = {each.place.name: each.place for each in (statement.filters() if statement else ()) if each.place}
    # A phrase may be a value of several columns; the statement compares it with some of them.
    kept = [each for each in reading.get("filters", []) if f"{each['table']}.{each['column']}" in compared]
    once = {(each["table"], each["column"], each["value"]): each for each in reversed(kept)}
    told: Reading = {**reading, "filters": list(reversed(once.values()))}
    plan = used_plan(state)
    if plan is None:
        told |= _kept_periods(told, days_as_written(state["generated_sql"], seen))
    names = {
        name: name_of_column(place, glossary, seen, language, question_of(state)) for name, place in compared.items()
    }
    # A list of orders measures nothing: amount and customer are told of each.
    worked = () if statement is not None and _lists_rows(statement) else columns
    figure = _figures(columns, statement) if plan is None else [column.format in FIGURES for column in columns]
    figures = [
        column.label for column, is_one in zip(columns, figure, strict=True) if worked and is_one and column.label
    ]
    groups = [column.label for column, is_one in zip(columns, figure, strict=True) if not is_one and column.label]
    if plan is None and statement is not None and statement.top is not None:
        shown_by = [each for each in statement.top.grouping() if isinstance(each, exp.Column)]
        places = [place for each in shown_by if (place := statement.top.place(each)) and not place.is_key]
        groups = groups or [name_of_column(place, glossary, seen, language, question_of(state)) for place in places]
    named = [*told.get("metric", {}).values(), *(Plan.model_validate(plan["fields"]).measures if plan else ())]
    used = dict.fromkeys(glossary.metrics[name] for name in named if name in glossary.metrics)
    shown = [
        metric for metric in used if metric.label.said(language).casefold() in {each.casefold() for each in figures}
    ]
    words = ReadingWords(
        measures=figures,
        groups=groups if figures else (),
        filters=names,
        conditions=_limits(plan, context, language)
        if plan is not None
        else _conditions(told, statement, state, context, figures),
        definitions={m.label.said(language): m.description.said(language) for m in shown if m.description},
    )
    line = reading_line(
        told,
        language,
        measures=words.measures,
        groups=words.groups,
        names=words.filters,
        conditions=words.conditions,
        definitions=words.definitions,
        database=context.here.connection.name,
    )
    return {**reading, "text": line, "parts": parts_of(told, state, context, words, statement)}


def _limits(plan: PlannedStatement, context: Context, language: str) -> list[str]:
    """What a plan lists by, besides its filters: the first three, those above a figure."""
    return told_limits(Plan.model_validate(plan["fields"]), vocabulary_of(context).book, language)


def tell_left_out(state: State, context: Context, statement: Statement | None) -> str:
    """The values of the question whose rows a statement leaves out, as a sentence begins with them."""
    if statement is None:
        return ""
    seen, glossary, language = context.here.seen(context.rules), context.here.glossary, state["language"]
    told = []
    for each in filters_used(state, context):
        table = seen.by_name.get(each["table"])
        if table is None or not each.get("denied"):
            continue
        name = name_of_column(Place(table, each["column"]), glossary, seen, language, question_of(state))
        said = each["phrase"]
        told.append(say(language, f"without {name} {said}", f"{name}不含{said}"))
    return say(language, " and ", "、").join(dict.fromkeys(told))


def _figures(columns: Sequence[AnswerColumn], statement: Statement | None) -> list[bool]:
    """Which columns are figures: by their format, or since the statement works them out."""
    top = statement.top if statement else None
    items = top.select.expressions if top is not None else []
    if len(items) != len(columns):
        return [column.format in FIGURES for column in columns]
    return [
        column.format in FIGURES or (item.find(exp.AggFunc) is not None and column.kind == "number")
        for column, item in zip(columns, items, strict=True)
    ]


def _kept_periods(reading: Reading, sql: str) -> Reading:
    """The periods that the statement limits its rows to; others are said to be unused."""
    asked = reading.get("period", [])
    used = [each for each in asked if each["start"][:4] in sql or each["end"][:4] in sql]
    ignored = [*reading.get("ignored", []), *(each["text"] for each in asked if each not in used)]
    return {"period": used, "ignored": list(dict.fromkeys(ignored))}


def _conditions(
    reading: Reading, statement: Statement | None, state: State, context: Context, figures: Sequence[str]
) -> list[str]:
    """Conditions that the reading of values and periods does not tell, and which rows of many are shown."""
    language = state["language"]
    told = {(f"{each['table']}.{each['column']}", each["value"].casefold()) for each in reading.get("filters", [])}
    found = tell_conditions(statement, context, language, question_of(state), told, dated=bool(reading.get("period")))
    most = statement.ranking.most if statement is not None else ""
    ranked = ranking_words(statement, context.here.glossary, context.here.seen(context.rules), language)
    if ranked and most.isdigit():
        found.append(tell_ranking(ranked[0], most, language, descending=ranked[1]))
    return found
