"""Questions that this database answers, for whoever asked something else; figures for whoever asks how things are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.first_questions import first_questions
from inquery.agents.outcomes.rows import run_checked
from inquery.agents.questions.question_plan import plan_question, told_of, vocabulary_of
from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import plan_labels, plan_prose
from inquery.errors import InqueryError
from inquery.metrics.metric_types import Dimension, Metric
from inquery.metrics.plan_types import Plan

MOST = 3
MEASURED = 2
"""Main figures that are told, and of the questions offered those about them."""
TRIED = 12
MOST_LISTED = 50
"""Things by which an answer is split for a look: five thousand customers are no split."""


async def offer_questions(context: Context, language: str) -> list[str]:
    """Three questions with an answer here: of accepted metrics those that code can plan, then of the main tables."""
    return await asyncio.to_thread(_offered, context, language)


def _offered(context: Context, language: str) -> list[str]:
    wanted = [
        say(language, f"What was the {_lower(metric, 'en')} last month?", f"上个月的{metric.label.zh}是多少？")
        for metric in main_metrics(context, language)
    ]
    found = _planned(wanted, context, language, MEASURED)
    kinds: set[str] = set()
    for each in first_questions(context.here.seen(context.rules), language):
        if len(found) < MOST and each.kind not in kinds and each.question not in found:
            kinds.add(each.kind)
            found.append(each.question)
    return found[:MOST]


def main_metrics(context: Context, language: str) -> list[Metric]:
    """Accepted metrics with a time, amounts of money first, in the order in which people wrote them."""
    known = vocabulary_of(context).book.metrics.values()
    taught = context.here.glossary.metrics
    fine = [
        metric
        for metric in known
        if metric.status == "accepted"
        and metric.time is not None
        and metric.kind == "simple"
        and metric.additivity == "additive"
        and (metric.label.zh if language == "zh" else metric.label.en)
        and metric.name in taught
        and taught[metric.name].writer
    ]
    return sorted(fine, key=lambda metric: metric.format != "money")


async def break_downs(context: Context, question: str, language: str) -> list[str]:
    """Questions that take a change apart, of the metric a question names, else of the first; filled up with others."""
    found = await asyncio.to_thread(_break_downs, context, question, language)
    return [*found, *(each for each in await offer_questions(context, language) if each not in found)][:MOST]


def _break_downs(context: Context, question: str, language: str) -> list[str]:
    book = vocabulary_of(context).book
    said = [name for _, names in context.here.glossary.metrics_in(question) for name in names]
    metrics = [book.metrics[name] for name in said if name in book.metrics] or main_metrics(context, language)
    if not metrics:
        return []
    metric = metrics[0]
    # What people named comes first: a column that was only found may be a code.
    named = context.here.glossary.dimensions
    ordered = sorted(book.dimensions.values(), key=lambda each: each.name not in named)
    return _planned(_apart(metric, ordered, language), context, language, MOST)


async def deeper_questions(context: Context, fields: Mapping[str, JsonValue], language: str) -> list[str]:
    """What a person asks after such an answer: the same measure over time, by something else, against the year before."""
    return await asyncio.to_thread(_deeper, context, Plan.model_validate(fields), language)


def _deeper(context: Context, plan: Plan, language: str) -> list[str]:
    book = vocabulary_of(context).book
    metric = book.metrics.get(plan.measures[0]) if plan.measures else None
    if metric is None or not metric.label.said(language):
        return []
    en, zh = _lower(metric, "en"), metric.label.zh
    split = {group.dimension for group in plan.groups}
    asked: list[list[str]] = []
    if metric.time is not None and not any(group.unit for group in plan.groups):
        asked.append([say(language, f"{_upper(en)} by month this year", f"今年每个月的{zh}")])
    named = context.here.glossary.dimensions
    sizes = {table.full_name: table.estimated_rows for table in book.catalog.tables}
    others = [
        each
        for each in book.dimensions.values()
        if each.name in named
        and each.name not in split
        and not (each.is_entity and (sizes.get(each.table) or 0) > MOST_LISTED)
    ]
    labels = [(each.label.en, each.label.zh) for each in others if each.label.said(language)]
    start = len(plan.groups)  # so that one answer after the other does not offer the same
    turned = (labels[start:] + labels[:start])[:TRIED]
    asked.append([say(language, f"{_upper(en)} by {by} this year", f"今年各{by_zh}的{zh}") for by, by_zh in turned])
    if metric.time is not None and plan.comparison is None:
        asked.append([say(language, f"Compare {en} this year with last year", f"今年{zh}同比增长多少？")])
    return [question for each in asked for question in _planned(each, context, language, 1)]


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _apart(metric: Metric, dimensions: Iterable[Dimension], language: str) -> list[str]:
    labels = [(each.label.en, each.label.zh) for each in dimensions if each.label.said(language)][:TRIED]
    return [
        say(
            language,
            f"Compare {_lower(metric, 'en')} by {en} last month with the month before",
            f"上个月各{zh}的{metric.label.zh}环比变化",
        )
        for en, zh in labels
        if (zh if language == "zh" else en)
    ]


def _lower(metric: Metric, language: str) -> str:
    label = metric.label.said(language)
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def _planned(questions: Iterable[str], context: Context, language: str, most: int) -> list[str]:
    """The first questions that a plan answers."""
    found: list[str] = []
    for question in questions:
        if len(found) == most:
            break
        if plan_question(question, context, language) is not None:
            found.append(question)
    return found


async def main_figures(context: Context, language: str) -> str:
    """The main figures of last month against the month before, in words; empty where no metric is accepted."""
    told: list[str] = []
    for metric in main_metrics(context, language)[: MEASURED * 2]:
        question = say(
            language,
            f"Compare {_lower(metric, 'en')} last month with the month before",
            f"上个月{metric.label.zh}环比变化",
        )
        if len(told) < MEASURED and (text := await _figure(question, context, language)):
            told.append(text)
    return say(language, " ", "").join(told)


async def _figure(question: str, context: Context, language: str) -> str:
    planned = await asyncio.to_thread(plan_question, question, context, language)
    if planned is None:
        return ""
    try:
        result = await run_checked(context, planned["sql"])
    except InqueryError:
        return ""  # an overview without one of its figures is still one
    told = told_of(planned)
    columns = plan_labels(told, [AnswerColumn(name=column.name, kind=column.kind) for column in result.columns])
    return plan_prose(told, columns, result.rows, language) if len(result.rows) == 1 else ""
