"""The metrics of one database as doors use them: listed, proposed, kept, and run by a plan."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from pydantic import ValidationError
from typing_extensions import TypedDict

from inquery.agents.bilingual import Language
from inquery.agents.context import Context, Services
from inquery.agents.outcomes.provenance import planned_confidence
from inquery.agents.outcomes.rows import kept_of, run_checked, store_result
from inquery.agents.questions.question_plan import planned_statement, told_of, vocabulary_of
from inquery.agents.sources import Source
from inquery.agents.truth.judge import grade_of
from inquery.answers.answer import Answer, Usage
from inquery.answers.chart_choice import choose_chart
from inquery.answers.formats import json_cell
from inquery.answers.plan_answer import plan_facts, plan_prose
from inquery.answers.prose import explain_result, led_by
from inquery.databases.engine import Result
from inquery.errors import BadRequest, InqueryError, SqlRefused, Text
from inquery.knowledge.glossary import Glossary, Said, both_texts, parse_glossary, plain_glossary
from inquery.knowledge.glossary_files import describe_catalog, glossary_of, merge_glossaries, save_glossary
from inquery.language.dates import Span, before, year_before
from inquery.language.periods import periods_in
from inquery.metrics.compile_plan import CompiledPlan, compile_plan
from inquery.metrics.imports.semantic_models import Imported
from inquery.metrics.metric_book import Book
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_told import describe_plan
from inquery.metrics.plan_types import Comparison, Grouping, Plan, PlanFilter, PlanPeriod, PlanRanking, TimeUnit
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import key_of
from inquery.metrics.routes import find_table, repeated_values
from inquery.sql import Policy, check
from inquery.store import open_store

EDITABLE = (
    "expression", "filter", "entity", "time", "additivity", "unit", "format", "numerator", "denominator", "per", "having",
    "synonyms", "label", "label.en", "label.zh", "description", "description.en", "description.zh", "needs_period", "status",
)  # fmt: skip
TOLD_TWICE = ("label", "description")
"""Fields that are texts in both languages."""


class MetricInfo(TypedDict):
    """A metric as a list shows it; `problem` says why one cannot be used."""

    name: str
    label: dict[str, str]
    definition: str
    entity: str
    time: str
    additivity: str
    unit: str
    format: str
    synonyms: list[str]
    status: str
    version: str
    problem: str


class LeftOut(TypedDict):
    """A metric of a file that was not kept, and why."""

    name: str
    why: str


class ImportReport(TypedDict):
    """What became of a file's metrics."""

    kept: list[str]
    left_out: list[LeftOut]


class DimensionInfo(TypedDict):
    """Something figures can be split by."""

    name: str
    label: dict[str, str]


@dataclass(frozen=True, slots=True)
class PlanRun:
    """What a plan gave: its statement, its rows, and itself in words."""

    text: str
    made: CompiledPlan
    result: Result


def open_desk(
    services: Services,
    source: Source,
    policy: Policy,
    language: Language,
    *,
    user: str = "local",
    tenant: str = "local",
) -> MetricDesk:
    """The desk of a database for one person: what they may not see is not there."""
    context = Context(services, user=user, tenant=tenant, policy=policy)
    context.take(source)
    return MetricDesk(context, language)


class MetricDesk:
    """One database, for a run that is prepared."""

    def __init__(self, context: Context, language: Language) -> None:
        self.context, self.language = context, language

    @property
    def book(self) -> Book:
        """Everything that can be named."""
        return vocabulary_of(self.context).book

    def metrics(self) -> list[MetricInfo]:
        """The metrics of the glossary, with those that cannot be used and why, and what is proposed in their absence."""
        found = [info_of(metric) for metric in self.book.metrics.values()]
        zh = self.language == "zh"
        for name, why in self.book.problems.items():
            known = self.book.glossary.metrics[name]
            found.append({
                "name": name, "label": {"en": known.label.en, "zh": known.label.zh}, "definition": known.definition,
                "entity": known.entity, "time": known.time, "additivity": "", "unit": known.unit, "format": "",
                "synonyms": [*known.synonyms], "status": known.status, "version": "", "problem": why.zh if zh else why.en,
            })  # fmt: skip
        return found

    def dimensions(self) -> list[DimensionInfo]:
        """Everything figures can be split by."""
        return [
            {"name": name, "label": {"en": each.label.en, "zh": each.label.zh}}
            for name, each in self.book.dimensions.items()
        ]

    def proposals(self) -> list[Metric]:
        """Metrics that the columns suggest and nobody has yet, without those that only count the part of a rate."""
        return [metric for metric in self._proposed() if metric.label.en or metric.label.zh]

    def _proposed(self) -> list[Metric]:
        source, rules = self.context.here, self.context.rules
        bare = source.glossary.model_copy(update={"metrics": {}})
        found = propose_metrics(source.seen(rules), bare, source.values_for(rules).by_place())
        return [metric for metric in found if metric.name not in self.book.glossary.metrics]

    async def accept(self, name: str) -> MetricInfo:
        """Keep a proposal as accepted, or accept one that was kept as proposed."""
        known = self.book.glossary.metrics.get(name)
        if known is not None:
            return await self.edit(name, {"status": "accepted"})
        every = {metric.name: metric for metric in self._proposed()}
        if name not in every:
            raise BadRequest.because(f"nothing proposes a metric {name}", f"没有建议的指标 {name}")
        proposed = every[name]
        parts = {part: every[part] for part in (proposed.numerator, proposed.denominator) if part in every}
        kept = {part: {**plain_metric(metric), "status": "accepted"} for part, metric in parts.items()}
        return await self._keep(name, {**plain_metric(proposed), "status": "accepted"}, kept)

    async def edit(self, name: str, changes: Mapping[str, object]) -> MetricInfo:
        """Change fields of a metric, or make one; nothing is kept where it could not be used.

        `label.en` and `label.zh` set one language; so does a bare text for `label`, that of its letters. The other stays.
        """
        for field in changes:
            if field not in EDITABLE:
                raise BadRequest.because(
                    f"a metric has no {field}; it has {', '.join(EDITABLE)}",
                    f"指标没有 {field}；可用的有 {', '.join(EDITABLE)}",
                )
        kept = plain_glossary(self.context.here.glossary).get("metrics", {}).get(name, {})
        return await self._keep(name, {**kept, **_with_both_languages(changes, kept)})

    async def _keep(
        self, name: str, content: Mapping[str, object], parts: Mapping[str, Mapping[str, object]] | None = None
    ) -> MetricInfo:
        """Keep a metric with the parts of a rate, all of them tried first."""
        source = self.context.here
        whole_of = {part: dict(each) for part, each in (parts or {}).items()}
        added = parse_glossary({"metrics": {**whole_of, name: dict(content)}})
        whole = merge_glossaries(source.glossary, added)
        book = Book(source.seen(self.context.rules), whole, source.values_for(self.context.rules).by_place())
        metric = book.metric(name)  # raises where it cannot be used
        self._refuse_a_word_twice(name, whole)
        for leaf in book.leaves(metric):
            made = compile_plan(Plan(measures=(leaf.name,)), book, source.dialect)
            await run_checked(self.context, made.sql)
        store = open_store(self.context.settings)
        await asyncio.to_thread(
            lambda: save_glossary(source.id, merge_glossaries(glossary_of(source.id, store), added), store)
        )
        self.context.services.sources.forget(source.id)
        return info_of(metric)

    async def import_metrics(self, imported: Imported) -> ImportReport:
        """Keep every metric of a file that can be used here; the others are told with why, and nothing of them is kept.

        Raises BadRequest where the file as a whole cannot be trusted: two metrics that share a word.
        """
        source, added = self.context.here, await self._with_tested_keys(imported.glossary)
        left_out = dict(imported.left_out)
        seen = describe_catalog(source.seen(self.context.rules), Glossary(joins=added.joins))
        values = source.values_for(self.context.rules).by_place()
        book = Book(seen, merge_glossaries(source.glossary, added), values)
        for name in added.metrics:
            if name in book.problems:
                left_out[name] = book.problems[name]
            elif why := self._refused(name, book):
                left_out[name] = why
        kept = {name: metric for name, metric in added.metrics.items() if name not in left_out}
        made = added.model_copy(update={"metrics": kept, "dimensions": _known_dimensions(added, book)})
        whole = merge_glossaries(source.glossary, made)
        for name in kept:
            self._refuse_a_word_twice(name, whole)
        if kept:
            store = open_store(self.context.settings)
            await asyncio.to_thread(
                lambda: save_glossary(source.id, merge_glossaries(glossary_of(source.id, store), made), store)
            )
            self.context.services.sources.forget(source.id)
        zh = self.language == "zh"
        return {
            "kept": list(kept),
            "left_out": [{"name": name, "why": why.zh if zh else why.en} for name, why in left_out.items()],
        }

    async def _with_tested_keys(self, added: Glossary) -> Glossary:
        """Joins of a file whose far side is no declared key, with whether its values are all different.

        A tool that calls a column a primary entity is believed only as far as the rows say so; rows that are not one's own
        prove nothing of the others.
        """
        catalog = self.context.here.seen(self.context.rules)
        if self.context.rules.row_filters:
            return added
        hints = []
        for hint in added.joins:
            table, column = hint.sides[1]
            home = find_table(catalog, table)
            known = home.column(column) if home else None
            if home is None or known is None or [c.name for c in home.columns if c.primary_key] == [known.name]:
                hints.append(hint)
                continue
            try:
                result = await run_checked(self.context, repeated_values(home, known.name, self.context.here.dialect))
            except InqueryError:  # a table too large to be counted in time proves nothing
                hints.append(hint)
                continue
            hints.append(hint.model_copy(update={"unique": not result.rows}))
        return added.model_copy(update={"joins": tuple(hints)})

    def _refused(self, name: str, book: Book) -> Text | None:
        """Why the statement of a metric would not run: what the compiler or the guard says of it."""
        try:
            made = compile_plan(Plan(measures=(name,)), book, self.context.here.dialect)
            check(made.sql, dialect=self.context.here.dialect, catalog=book.catalog, policy=self.context.rules)
        except (BadRequest, SqlRefused) as error:
            return Text(error.public_message("en"), error.public_message("zh"))
        return None

    def _refuse_a_word_twice(self, name: str, whole: Glossary) -> None:
        mine = whole.metrics[name]
        words = {
            key_of(word) for word in (name.replace("_", " "), mine.label.en, mine.label.zh, *mine.synonyms) if word
        }
        for other, metric in whole.metrics.items():
            theirs = {key_of(word): word for word in (metric.label.en, metric.label.zh, *metric.synonyms) if word}
            shared = next((theirs[key] for key in words & set(theirs)), None) if other != name else None
            if shared:
                raise BadRequest.because(f"“{shared}” names {other} already", f"“{shared}”已是指标 {other} 的名称")

    async def run(self, plan: Plan) -> PlanRun:
        """The rows of a plan; raises BadRequest where it does not go together, SqlRefused where it reads what is hidden."""
        made = compile_plan(
            plan, self.book, self.context.here.dialect, language=self.language, today=self.context.day()
        )
        return PlanRun(describe_plan(plan, self.book, self.language), made, await run_checked(self.context, made.sql))

    async def answer(self, plan: Plan) -> Answer:
        """The same, as every door answers a question."""
        started = time.perf_counter()
        ran = await self.run(plan)
        planned = planned_statement(plan, ran.made, self.book, self.language)
        kept = kept_of(ran.result, ran.made.sql)
        stored = await store_result(self.context, "", kept, ran.result.ms)
        told, today = told_of(planned), self.context.day()
        facts = plan_facts(told, kept.columns, kept.rows, truncated=kept.truncated, today=today)
        text = plan_prose(told, kept.columns, kept.rows, self.language)
        if not text:
            text = explain_result(
                ran.text, facts, kept.columns, kept.rows, language=self.language, truncated=kept.truncated
            )
            text = led_by(told.narrowed, text, kept.columns, self.language)
        return Answer(
            status="answered",
            question=ran.text,
            language=self.language,
            sql=ran.made.sql,
            columns=list(kept.columns),
            rows=[[json_cell(cell) for cell in row] for row in kept.rows],
            row_count=len(kept.rows),
            truncated=kept.truncated,
            text=text,
            reading={"plan": {"text": ran.text, "accepted": planned["accepted"], "fields": planned["fields"]}},
            facts=facts,
            chart=await asyncio.to_thread(choose_chart, ran.text, kept.columns, kept.rows),
            confidence=(sure := planned_confidence(accepted=planned["accepted"])),
            grade=grade_of(sure, verified=planned["accepted"]),
            usage=Usage(ms=round((time.perf_counter() - started) * 1000, 1)),
            connection_id=self.context.here.id,
            result_id=stored.get("result_id"),
            permission=self.context.policy.hash,
        )

    def simple_plan(
        self,
        measures: Sequence[str],
        by: Sequence[str] = (),
        period: str = "",
        against: str = "",
        where: Mapping[str, Sequence[str]] | None = None,
        top: int | None = None,
    ) -> Plan:
        """A plan from words: dimensions or units of time, a period as people say it, previous or year_before.

        `where` keeps members of dimensions, `top` the first n.
        """
        groups = tuple(
            Grouping(unit=cast(TimeUnit, each))
            if each in get_args(TimeUnit)
            else Grouping(dimension=self._dimension(each))
            for each in by
        )
        when = self._period(period) if period else None
        comparison = None
        if against and any(group.unit for group in groups):
            comparison = Comparison(against="year_before" if against == "year_before" else "previous")
        elif against:
            if when is None:
                raise BadRequest.because("a comparison needs a period", "对比需要指定时间段")
            span = Span(when.start, when.end, when.grain)
            other = (year_before if against == "year_before" else before)(span)
            comparison = Comparison(
                against="year_before" if against == "year_before" else "previous",
                period=PlanPeriod(start=other.start, end=other.end, grain=when.grain),
            )
        filters = tuple(
            PlanFilter(dimension=self._dimension(name), values=tuple(values)) for name, values in (where or {}).items()
        )
        return Plan(
            measures=tuple(measures),
            groups=groups,
            filters=filters,
            period=when,
            comparison=comparison,
            ranking=PlanRanking(n=top) if top else None,
        )

    def _dimension(self, said: str) -> str:
        """A dimension by its name or by what people call it."""
        if said in self.book.dimensions:
            return said
        found = [name for name, each in self.book.dimensions.items() if key_of(said) in map(key_of, each.words)]
        if len(found) > 1:
            listed = ", ".join(found)
            raise BadRequest.because(f"{said} may be {listed}", f"{said} 可能指 {listed}")
        return found[0] if found else self.book.dimension(said).name

    def _period(self, said: str) -> PlanPeriod:
        options = self.context.here.connection.options
        found = periods_in(
            said, today=self.context.day(), week_start=options.week_start, fiscal_start=options.fiscal_year_start
        )
        if len(found) != 1:
            raise BadRequest.because(f"{said} is no single period", f"{said} 不是一个明确的时间段")
        return PlanPeriod(start=found[0].start, end=found[0].end, grain=found[0].grain, text=found[0].text)


def _with_both_languages(changes: Mapping[str, object], kept: Mapping[str, Any]) -> dict[str, object]:
    """The changes with texts in both languages: where one was said, the other is as it was kept."""
    made = {field: value for field, value in changes.items() if field.partition(".")[0] not in TOLD_TWICE}
    for field in TOLD_TWICE:
        parts = {part: changes[f"{field}.{part}"] for part in ("en", "zh") if f"{field}.{part}" in changes}
        whole = changes.get(field)
        if whole is not None and parts:
            raise BadRequest.because(
                f"say {field}, or {field}.en and {field}.zh", f"{field} 与 {field}.en、{field}.zh 只能给出一种"
            )
        if isinstance(whole, str) and whole:
            parts = {part: text for part, text in both_texts(whole).model_dump().items() if text}
        if parts:
            made[field] = {**both_texts(kept.get(field, {})).model_dump(), **parts}
        elif field in changes:
            made[field] = whole  # both of them in one, or none any more
    return made


def _known_dimensions(added: Glossary, book: Book) -> dict[str, Said]:
    """The labels of columns that are there."""
    places = {f"{t.name}.{c.name}" for t in book.catalog.tables for c in t.columns}
    return {name: said for name, said in added.dimensions.items() if name in places}


def parse_plan(fields: Mapping[str, Any]) -> Plan:
    """A plan from plain data; raises BadRequest naming the first place that is wrong."""
    try:
        return Plan.model_validate(fields)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"]) or "plan"
        raise BadRequest.because(
            f"the plan is wrong at {place}: {problem['msg']}",
            f"计划在 {place} 处有误：{problem['msg']}",
            detail=str(error),
        ) from error


def info_of(metric: Metric) -> MetricInfo:
    """A metric as a list shows it."""
    if metric.kind == "ratio":
        definition = f"{metric.numerator} / {metric.denominator}"
    elif metric.kind == "members":
        definition = f"{'.'.join(metric.per or ())} having {metric.having}"
    else:
        definition = metric.expression
    definition += f" where {metric.filter}" if metric.filter else ""
    return {
        "name": metric.name, "label": {"en": metric.label.en, "zh": metric.label.zh}, "definition": definition,
        "entity": metric.entity, "time": ".".join(metric.time or ()), "additivity": metric.additivity, "unit": metric.unit,
        "format": metric.format, "synonyms": [*metric.synonyms], "status": metric.status, "version": metric.version,
        "problem": "",
    }  # fmt: skip


def plain_metric(metric: Metric) -> dict[str, object]:
    """A metric as the glossary keeps it."""
    fields: dict[str, object] = {
        "expression": metric.expression, "filter": metric.filter, "entity": metric.entity,
        "tables": [metric.entity] if metric.entity else [], "numerator": metric.numerator, "denominator": metric.denominator,
        "time": ".".join(metric.time or ()), "additivity": metric.additivity, "unit": metric.unit, "format": metric.format,
        "label": {"en": metric.label.en, "zh": metric.label.zh}, "synonyms": [*metric.synonyms], "status": metric.status,
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value}
