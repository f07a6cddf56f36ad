"""Questions that this database answers, for whoever asked something else; figures for whoever asks how things are."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cachetools import LRUCache
from pydantic import JsonValue
from sqlglot import exp

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.first_questions import first_questions
from inquery.agents.outcomes.result_words import LOOK_S, MOST_ROWS
from inquery.agents.outcomes.rows import limits_of, run_checked
from inquery.agents.questions.question_plan import plan_question, told_of, vocabulary_of
from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import plan_labels, plan_prose
from inquery.catalog.collect import table_named
from inquery.errors import InqueryError
from inquery.language.dates import add_months
from inquery.metrics.metric_book import Book
from inquery.metrics.metric_types import Column, Dimension, Metric
from inquery.metrics.plan_types import Plan, PlanPeriod

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
    others: list[str] = []
    for each in first_questions(context.here.seen(context.rules), language):
        if each.kind not in kinds:
            kinds.add(each.kind)
            found += [] if each.question in found else [each.question]
        else:
            others.append(each.question)
    # A database of people and courses has two kinds of questions; a third of one of them is better than none.
    return [*found, *others][:MOST]


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


async def break_downs(
    context: Context, question: str, fields: Mapping[str, JsonValue] | None, language: str
) -> list[str]:
    """Questions that take a change apart, of the metric a question names, else of the first; filled up with others.

    `fields` are those of the plan that was answered before: why its period differs from the one before it is asked.
    """
    plan = Plan.model_validate(fields) if fields else None
    found = await asyncio.to_thread(_break_downs, context, question, plan, language)
    return [*found, *(each for each in await offer_questions(context, language) if each not in found)][:MOST]


def _break_downs(context: Context, question: str, plan: Plan | None, language: str) -> list[str]:
    book = vocabulary_of(context).book
    metrics = _named_metrics(context, question) or main_metrics(context, language)
    if not metrics:
        return []
    metric = metrics[0]
    # What people named comes first: a column that was only found may be a code.
    named = context.here.glossary.dimensions
    ordered = sorted(_splits(book), key=lambda each: each.name not in named)
    spans = [_LAST_MONTH] if plan is None or (asked := _span(plan.period)) is None else [asked, _LAST_MONTH]
    wanted = [question for span in spans for question in _apart(metric, ordered, span, language)]
    return _planned(wanted, context, language, MOST)


@dataclass(frozen=True, slots=True)
class _Span:
    """A period and the one it is held against, in words."""

    now: str
    then: str
    zh: str
    against: str = "环比"


_LAST_MONTH = _Span("last month", "the month before", "上个月")


def _span(period: PlanPeriod | None) -> _Span | None:
    """The year, quarter or month that was asked about and the one before it; None for other periods."""
    if period is None or period.start.day != 1 or period.end.day != 1:
        return None
    start = period.start
    months = (period.end.year - start.year) * 12 + period.end.month - start.month
    if (months, start.month) == (12, 1):
        return _Span(f"in {start.year}", str(start.year - 1), f"{start.year}年", "同比")
    if months == 3 and start.month % 3 == 1:
        earlier = add_months(start, -3)
        quarter, before = (f"Q{(day.month + 2) // 3} {day.year}" for day in (start, earlier))
        return _Span(f"in {quarter}", before, f"{start.year}年第{(start.month + 2) // 3}季度")
    if months == 1:
        return _Span(f"in {start:%B %Y}", f"{add_months(start, -1):%B %Y}", f"{start.year}年{start.month}月")
    return None


def _named_metrics(context: Context, question: str) -> list[Metric]:
    """The metrics that a question names by their own words."""
    book = vocabulary_of(context).book
    said = [name for _, names in context.here.glossary.metrics_in(question) for name in names]
    return [book.metrics[name] for name in said if name in book.metrics]


def _splits(book: Book) -> list[Dimension]:
    """What an answer can be split by for a look: no names of five thousand customers."""
    sizes = {table.full_name: table.estimated_rows for table in book.catalog.tables}
    return [
        each for each in book.dimensions.values() if not (each.is_entity and (sizes.get(each.table) or 0) > MOST_LISTED)
    ]


@dataclass(frozen=True, slots=True)
class _Years:
    first: int
    last: int


_KNOWN: LRUCache[tuple[str, str, str, Column], _Years | None] = LRUCache(256)
_UNKNOWN = _Years(0, 0)


async def deeper_questions(
    context: Context, question: str, fields: Mapping[str, JsonValue] | None, language: str
) -> list[str]:
    """What a person asks after such an answer: the same measure over time, by something else, against the year before.

    `fields` are those of its plan; where it had none, the measure is the one that the question names.
    """
    plan = Plan.model_validate(fields) if fields else None
    metrics = await asyncio.to_thread(_led_by, context, question, plan)
    metric = next((each for each in metrics if each.label.said(language)), None)
    if metric is None:
        return []
    years = await _years(context, metric)
    return await asyncio.to_thread(_deeper, context, metric, question, plan, years, language)


def _led_by(context: Context, question: str, plan: Plan | None) -> list[Metric]:
    if plan is None:
        return _named_metrics(context, question)
    known = vocabulary_of(context).book.metrics
    return [known[name] for name in plan.measures[:1] if name in known]


def _deeper(
    context: Context, metric: Metric, question: str, plan: Plan | None, years: _Years | None, language: str
) -> list[str]:
    book, groups = vocabulary_of(context).book, plan.groups if plan else ()
    en, zh = _lower(metric, "en"), metric.label.zh
    when, when_zh, before = "this year", "今年", "last year"
    if years is not None and years.last < context.day().year:  # of data that ends in 2024 nobody asks for this year
        when, when_zh, before = f"in {years.last}", f"{years.last}年", str(years.last - 1)
    asked: list[list[str]] = []
    if metric.time is not None and not any(group.unit for group in groups):
        asked.append([say(language, f"{_upper(en)} by month {when}", f"{when_zh}每个月的{zh}")])
    named, split = context.here.glossary.dimensions, {group.dimension for group in groups}
    others = [each for each in _splits(book) if each.name in named and each.name not in split]
    labels = [(each.label.en, each.label.zh) for each in others if each.label.said(language)]
    start = len(groups)  # so that one answer after the other does not offer the same
    turned = [pair for pair in labels[start:] + labels[:start] if not _says(question, *pair)][:TRIED]
    asked.append([say(language, f"{_upper(en)} by {by} {when}", f"{when_zh}各{by_zh}的{zh}") for by, by_zh in turned])
    has_before = years is None or years.first < years.last
    if metric.time is not None and has_before and (plan is None or plan.comparison is None):
        asked.append([say(language, f"Compare {en} {when} with {before}", f"{when_zh}{zh}同比增长多少？")])
    return [question for each in asked for question in _planned(each, context, language, 1)]


def _says(question: str, *words: str) -> bool:
    """Whether a question has one of the words already."""
    return any(word and word.casefold() in question.casefold() for word in words)


async def _years(context: Context, metric: Metric) -> _Years | None:
    """The years of the data of a metric; None where it has no time, or too much to look through."""
    if metric.time is None:
        return None
    table, column = metric.time
    source = context.here
    key = (source.id, source.catalog.version, context.rules.hash, metric.time)
    known = _KNOWN.get(key, _UNKNOWN)
    if known is not _UNKNOWN:
        return known
    found = vocabulary_of(context).book.catalog.by_name.get(table)
    if found is None or (found.estimated_rows or 0) > MOST_ROWS:
        return None
    day = exp.column(exp.to_identifier(column, quoted=True))
    ends = exp.alias_(exp.Min(this=day), "first_day"), exp.alias_(exp.Max(this=day.copy()), "last_day")
    sql = exp.select(*ends).from_(table_named(found)).sql(dialect=source.dialect)
    try:
        result = await run_checked(context, sql, replace(limits_of(context), timeout_s=LOOK_S))
        first, last = (datetime.date.fromisoformat(str(cell)[:10]).year for cell in result.rows[0])
        years = _Years(first, last)
    except (InqueryError, ValueError, IndexError):
        years = None  # days that are kept otherwise, or too much to look through: not looked for again
    _KNOWN[key] = years
    return years


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _apart(metric: Metric, dimensions: Iterable[Dimension], span: _Span, language: str) -> list[str]:
    labels = [(each.label.en, each.label.zh) for each in dimensions if each.label.said(language)][:TRIED]
    return [
        say(
            language,
            f"Compare {_lower(metric, 'en')} by {en} {span.now} with {span.then}",
            f"{span.zh}各{zh}的{metric.label.zh}{span.against}变化",
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
