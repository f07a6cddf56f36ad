"""Questions that this database answers, for whoever asked something else; figures for whoever asks how things are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.first_questions import first_questions
from inquery.agents.outcomes.rows import run_checked
from inquery.agents.questions.question_plan import plan_question, told_of, vocabulary_of
from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import plan_labels, plan_prose
from inquery.errors import InqueryError
from inquery.metrics.metric_types import Dimension, Metric

MOST = 3
MEASURED = 2
"""Main figures that are told, and of the questions offered those about them."""
TRIED = 12


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
