"""The plan of a question, where code can read one: compiled, proved by the guard, and kept as plain data in the state."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

from cachetools import LRUCache
from pydantic import JsonValue, ValidationError

from inquery.agents.context import Context
from inquery.agents.outcomes.rows import check_again
from inquery.agents.state_types import PlannedStatement
from inquery.agents.truth.part_rules import asks_for_list
from inquery.answers.chart_choice import without_chart
from inquery.answers.column_words import style_of_measure
from inquery.answers.plan_answer import PlanFigure, PlanTold
from inquery.aside import LARGE_CATALOG
from inquery.errors import InqueryError
from inquery.language.dates import Clock
from inquery.lasting import make_lasting
from inquery.metrics.compile_plan import CompiledPlan, compile_plan, plan_metrics
from inquery.metrics.metric_book import Book
from inquery.metrics.metric_types import Metric
from inquery.metrics.named_parts import Named, named_parts
from inquery.metrics.plain_figures import is_plain
from inquery.metrics.plan_told import (
    describe_plan,
    group_names,
    narrowing,
    period_before,
    period_name,
    shared_part,
)
from inquery.metrics.plan_types import Plan
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.metrics.read_plan import read_plan
from inquery.metrics.routes import find_table
from inquery.metrics.turn_plan import turn_plan
from inquery.tracing import span

_KNOWN: LRUCache[tuple[str, str, str, str], Vocabulary] = LRUCache(16)
_LOCK = Lock()


def vocabulary_of(context: Context) -> Vocabulary:
    """What can be measured and said of this database, as far as the user may see it; made once."""
    source = context.here
    key = (source.id, source.catalog.version, source.glossary_version, context.rules.hash)
    with _LOCK:
        known = _KNOWN.get(key)
    if known is None:
        seen = source.seen(context.rules)
        values = source.values_for(context.rules).by_place()
        glossary = source.glossary
        with make_lasting(len(seen.tables) > LARGE_CATALOG):
            known = Vocabulary(Book(seen, glossary, values, propose_metrics(seen, glossary, values)))
        with _LOCK:
            _KNOWN[key] = known
    return known


def plan_question(question: str, context: Context, language: str) -> PlannedStatement | None:
    """The statement of a plan that owns every word of the question, None where there is none."""
    options = context.here.connection.options
    with span("plan"):
        vocabulary = vocabulary_of(context)
        read = read_plan(
            without_chart(question),
            vocabulary,
            today=context.day(),
            week_start=options.week_start,
            fiscal_start=options.fiscal_year_start,
        )
        if read.plan is None or _wants_rows(question, read.plan, vocabulary.book):
            return None
        try:
            made = compile_plan(
                read.plan, vocabulary.book, context.here.dialect, language=language, today=context.day()
            )
            check_again(context, made.sql)
        except InqueryError:  # what the guard or the policy refuses is left to the writer and its own words
            return None
    planned = planned_statement(read.plan, made, vocabulary.book, language)
    planned["plain"] = is_plain(without_chart(question), read.plan, vocabulary)
    return planned if planned["accepted"] or _writes_less_well(context) else None


def _wants_rows(question: str, plan: Plan, book: Book) -> bool:
    """Whether a list was asked for where the plan would count: "List the orders of yesterday" wants them, not that they are 64."""
    counts = all(book.metric(name).expression.upper().startswith("COUNT(") for name in plan.measures)
    return asks_for_list(question) and counts and not plan.groups


def parts_named(message: str, context: Context) -> Named:
    """What a message names of what can be measured and said of this database."""
    options = context.here.connection.options
    clock = Clock(context.day(), options.week_start, options.fiscal_year_start)
    return named_parts(without_chart(message), vocabulary_of(context), clock)


def turn_question(
    message: str, fields: Mapping[str, JsonValue], context: Context, language: str
) -> PlannedStatement | None:
    """The statement of the plan before it as a follow-up turns it, None where it turns none."""
    options = context.here.connection.options
    vocabulary = vocabulary_of(context)
    clock = Clock(context.day(), options.week_start, options.fiscal_year_start)
    try:
        plan = turn_plan(message, Plan.model_validate(fields), vocabulary, clock)
        if plan is None:
            return None
        made = compile_plan(plan, vocabulary.book, context.here.dialect, language=language, today=context.day())
        check_again(context, made.sql)
    except (InqueryError, ValidationError):  # a plan of an older version, or what may no longer be read
        return None
    return planned_statement(plan, made, vocabulary.book, language)


def _writes_less_well(context: Context) -> bool:
    """Whether definitions that nobody accepted are still the better guess: beside the embedded writer, not beside others."""
    return context.writer is None and context.model.provider == "embedded"


def planned_statement(plan: Plan, made: CompiledPlan, book: Book, language: str) -> PlannedStatement:
    """A compiled plan as the state holds it."""
    metrics = {metric.name: metric for metric in plan_metrics(plan, book)}
    leaves = [leaf for metric in metrics.values() for leaf in book.leaves(metric)]
    looks = {name: _look_of(metric, book) for name, metric in metrics.items()}
    fields: dict[str, JsonValue] = plan.model_dump(mode="json", exclude_defaults=True)
    return {
        "sql": made.sql,
        "fields": fields,
        "text": describe_plan(plan, book, language),
        "accepted": all(metric.status == "accepted" for metric in (*metrics.values(), *leaves)),
        "columns": [
            {
                "name": column.name,
                "role": column.role,
                "label": metrics[column.metric].label.said(language) if column.metric else "",
                "format": looks[column.metric][0] if column.metric else "",
                "unit": looks[column.metric][1] if column.metric else "",
            }
            for column in made.columns
        ],
        "now": period_name(plan.period, language) if plan.period else "",
        "then": _then(plan, language),
        "narrowed": narrowing(plan, book, language),
        "part": shared_part(plan, book, language),
        "before": period_before(plan, language),
        "open": made.open,
        "sums": all(metric.additivity == "additive" for metric in metrics.values()),
        "things": names[0] if len(names := group_names(plan, book, language)) == 1 else "",
    }


def _look_of(metric: Metric, book: Book) -> tuple[str, str]:
    """Format and unit of a metric: where nobody said, those of the column whose total or mean it is."""
    taught = book.glossary.metrics.get(metric.name)
    table = find_table(book.catalog, metric.entity) if metric.kind == "simple" else None
    if table is None or (taught is not None and (taught.format or taught.unit)):
        return metric.format, metric.unit
    style, unit = style_of_measure(metric.expression, table, book.glossary, book.catalog)
    return (style, unit or metric.unit) if style else (metric.format, metric.unit)


def _then(plan: Plan, language: str) -> str:
    period = plan.comparison.period if plan.comparison else None
    return period_name(period, language) if period else ""


def told_of(planned: PlannedStatement) -> PlanTold:
    """What the sentence about a plan's result needs."""
    plan = Plan.model_validate(planned["fields"])
    names: tuple[str, ...] = ()
    if plan.contrast:
        names = tuple(side.name for side in plan.groups[0].sides) or next(
            each.values for each in plan.filters if each.dimension == plan.groups[0].dimension
        )
    return PlanTold(
        figures=tuple(
            PlanFigure(column["role"], column["label"], column["format"], column["unit"])
            for column in planned["columns"]
        ),
        now=planned["now"],
        then=planned["then"],
        aligned=bool(plan.comparison and plan.comparison.aligned),
        ranked=plan.ranking.by if plan.ranking else "",
        descending=plan.ranking.descending if plan.ranking else True,
        contribution=plan.contribution,
        spread=plan.spread,
        sifted=plan.threshold is not None,
        narrowed=planned.get("narrowed", ""),
        part=planned.get("part", ""),
        things=planned.get("things", ""),
        most=(plan.ranking.n or 0) if plan.ranking else 0,
        before=planned.get("before", ""),
        open=planned.get("open", ""),
        sums=planned.get("sums", False) and plan.comparison is not None and plan.comparison.against == "year_before",
        per_group=bool(plan.ranking and plan.ranking.per_group),
        first=names[0] if names else "",
        second=names[1] if names else "",
    )
