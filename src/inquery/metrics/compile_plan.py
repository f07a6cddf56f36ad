"""From a plan to one statement of any dialect.

Each thing that is summed is a block of its own, grouped by the plan's groups; blocks are stacked by UNION ALL and folded
into one row a group. So two measures never multiply each other's rows, a period without rows is still there, and no engine
needs a full join.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from inquery.errors import BadRequest
from inquery.form import date_units as dates
from inquery.form.idents import identifier
from inquery.knowledge.glossary import Both
from inquery.language.dates import OPEN_END, OPEN_START, add_months
from inquery.language.text import singular
from inquery.metrics.buckets import bucket_labels, bucket_starts, label_of
from inquery.metrics.metric_book import Book, code_words, shown_column
from inquery.metrics.metric_types import Dimension, Metric
from inquery.metrics.plan_types import READ_IN_ORDER, SERIES, Figure, Plan, PlanFilter, PlanPeriod, Side, TimeUnit
from inquery.metrics.routes import find_table
from inquery.sql.catalog import Table
from inquery.sql.stored_dates import StoredDate, stored_date

Role = Literal[
    "label",
    "further",
    "bucket",
    "value",
    "previous",
    "difference",
    "percent",
    "share",
    "running",
    "moving",
    "count",
    "first",
    "second",
]
MOST_FILLED = 62
"""Buckets of a spine that is written out; of longer series empty ones are left out."""
PARTS, WIDE, FIGURES, RANKED, WHOLE = "plan_parts", "plan_wide", "plan_figures", "plan_ranked", "plan_whole"
_TEXT_TYPE = re.compile(r"char|text|clob|string|enum|^$", re.I)
_OPERATORS: dict[str, type[exp.Binary]] = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}
_UNITS = {
    "day": ("day", "日期"), "week": ("week", "周"), "month": ("month", "月份"), "quarter": ("quarter", "季度"),
    "year": ("year", "年份"), "weekpart": ("part_of_week", "周末或工作日"), "weekday": ("weekday", "星期"), "hour": ("hour", "小时"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanColumn:
    """A column of the result: what it is, and of which metric."""

    name: str
    role: Role
    metric: str = ""


@dataclass(frozen=True, slots=True)
class CompiledPlan:
    """The statement of a plan, and its columns in order."""

    sql: str
    columns: tuple[PlanColumn, ...]
    open: str = ""
    """The bucket of a series that holds today and is not over."""


def compile_plan(
    plan: Plan, book: Book, dialect: str, *, language: str = "en", today: datetime.date | None = None
) -> CompiledPlan:
    """The statement of a plan; raises BadRequest where its metrics and dimensions do not go together.

    `today` ends a series: buckets that have not begun are not listed, and one that is not over is compared with nothing.
    """
    return _Compiler(plan, book, dialect, language, today).compile()


def plan_metrics(plan: Plan, book: Book) -> list[Metric]:
    """What a plan shows: its measures, or each of them over the metric that it is divided by."""
    found = [book.metric(name) for name in plan.measures]
    return [_divided(metric, book.metric(plan.per)) for metric in found] if plan.per else found


def _divided(part: Metric, by: Metric) -> Metric:
    """A ratio that nobody named: sum over sum, in the unit of what is divided."""
    for metric in (part, by):
        if metric.additivity == "ratio":
            raise BadRequest.because(
                f"{metric.name} is a ratio already, and is not divided again",
                f"{metric.label.zh or metric.name} 已是比率，不能再作除法",
            )
    if part.format == by.format == "money":
        return _part_of(part, by)
    words = (by.label.en or by.name.replace("_", " ")).lower().removeprefix("number of ").split()
    noun = next((at for at, word in enumerate(words) if word in ("not", "with", "of")), len(words)) - 1
    named = " ".join([*words[:noun], singular(words[noun]), *words[noun + 1 :]])
    return Metric(
        name=f"{part.name}_per_{by.name}",
        label=Both(
            en=f"{part.label.en or part.name} per {named}", zh=f"{part.label.zh or part.name}/{by.label.zh or by.name}"
        ),
        kind="ratio",
        additivity="ratio",
        numerator=part.name,
        denominator=by.name,
        unit=part.unit,
        format=part.format,
        status="accepted" if part.status == by.status == "accepted" else "proposed",
    )


def _part_of(part: Metric, whole: Metric) -> Metric:
    """Money over money is a part of it, in per cent: refunds of revenue."""
    en = f"{part.label.en or part.name} as a share of {(whole.label.en or whole.name).lower()}"
    return Metric(
        name=f"{part.name}_of_{whole.name}",
        label=Both(en=en, zh=f"{part.label.zh or part.name}占{whole.label.zh or whole.name}的比例"),
        kind="ratio",
        additivity="ratio",
        numerator=part.name,
        denominator=whole.name,
        format="percent",
        status="accepted" if part.status == whole.status == "accepted" else "proposed",
    )


@dataclass(frozen=True, slots=True)
class _Slot:
    """A block: which metric, over which days, under which filters."""

    metric: Metric
    period: PlanPeriod | None
    filters: tuple[PlanFilter, ...]


class _Compiler:
    def __init__(self, plan: Plan, book: Book, dialect: str, language: str, today: datetime.date | None) -> None:
        self.plan, self.book, self.dialect, self.language, self.today = plan, book, dialect, language, today
        self.metrics = plan_metrics(plan, book)
        self.dimensions = [book.dimension(each.dimension) for each in plan.groups if each.dimension]
        self.sides = [each.sides for each in plan.groups if each.dimension]
        units = [each.unit for each in plan.groups if each.unit]
        if len(units) > 1:
            raise BadRequest.because("a plan has one unit of time", "一个计划只能有一个时间单位")
        self.unit: TimeUnit | None = units[0] if units else None
        self.slots: list[_Slot] = []
        self.nulls_small = Dialect.get_or_raise(dialect).NULL_ORDERING == "nulls_are_small"

    # The whole

    def compile(self) -> CompiledPlan:
        plan = self.plan
        self._refuse_what_does_not_add_up()
        if plan.membership and plan.membership.absent:
            return self._absent()
        if plan.membership:
            return self._membership()
        self._fill_slots()
        if self._is_plain():
            return self._plain()
        return self._layered()

    def _refuse_what_does_not_add_up(self) -> None:
        plan = self.plan
        whole = plan.share or plan.concentration or plan.contribution or plan.running
        for metric in self.metrics:
            if whole and metric.additivity == "ratio":
                raise BadRequest.because(
                    f"{metric.name} is a ratio: its parts do not add up to a whole",
                    f"{metric.label.zh or metric.name} 是比率，各部分不能相加",
                )
            if (plan.running or plan.concentration or plan.contribution) and metric.additivity == "distinct":
                raise BadRequest.because(
                    f"{metric.name} counts each member once, so it is never added up",
                    f"{metric.label.zh or metric.name} 按去重计数，不能累加",
                )
        if (plan.running or plan.moving) and self.unit not in SERIES:
            raise BadRequest.because("a running figure needs a unit of time", "累计或移动平均需要时间单位")
        if plan.contrast and (len(self.dimensions) != 1 or self.unit or len(self._contrasted()) != 2):
            raise BadRequest.because("a contrast needs two members of one dimension", "对比需要同一维度的两个成员")
        if plan.spread and (len(plan.groups) != 1 or len(self.metrics) != 1):
            raise BadRequest.because(
                "a spread needs one dimension or unit of time", "最高与最低的差额需要一个维度或时间单位"
            )
        if (plan.spread or plan.contrast) and self.dimensions and self.dimensions[0].further:
            raise BadRequest.because("people are told by two columns", "人员以两列姓名显示")
        if plan.comparison and self.unit and self.unit not in SERIES:
            raise BadRequest.because(f"{self.unit} has no period before", f"{self.unit} 没有上一期")
        if plan.comparison and self.unit and plan.comparison.against == "period":
            raise BadRequest.because(
                "a series is compared with the bucket or the year before", "时间序列只能与上一期或去年同期对比"
            )
        if plan.comparison and self.unit and self.dimensions:
            raise BadRequest.because("a series is compared for one group at a time", "按时间序列对比时不能再拆分维度")

    def _contrasted(self) -> tuple[str, ...]:
        if self.sides[0]:
            return tuple(side.name for side in self.sides[0])
        own = self.dimensions[0].name
        found = [f for f in self.plan.filters if self.book.dimension(f.dimension).name == own and not f.negated]
        return found[0].values if len(found) == 1 else ()

    # Blocks

    def _fill_slots(self) -> None:
        """Current figures, those they are held against, and the whole of which they are a share."""
        plan = self.plan
        for metric in self.metrics:
            for leaf in self.book.leaves(metric):
                self._slot(leaf, self._scanned(), plan.filters)
        if plan.comparison and not self.unit:
            if plan.comparison.period is None or plan.period is None:
                raise BadRequest.because("a comparison needs two periods", "对比需要两个时间段")
            for metric in self.metrics:
                for leaf in self.book.leaves(metric):
                    self._slot(leaf, plan.comparison.period, plan.filters)
        if plan.share_of:
            for metric in self.metrics:
                for leaf in self.book.leaves(metric):
                    self._slot(leaf, plan.period, self._without_part())

    def _without_part(self) -> tuple[PlanFilter, ...]:
        return tuple(each for each in self.plan.filters if each.dimension != self.plan.share_of)

    def _slot(self, metric: Metric, period: PlanPeriod | None, filters: tuple[PlanFilter, ...]) -> int:
        # Employees have no day that they are counted on: sales of a year are divided by those there are.
        dated = period if metric.time or metric.name != self.plan.per else None
        slot = _Slot(metric, dated, filters)
        if slot not in self.slots:
            self.slots.append(slot)
        return self.slots.index(slot)

    def _scanned(self) -> PlanPeriod | None:
        """The plan's period, begun earlier where a bucket looks back."""
        period = self.plan.period
        back = self._looks_back()
        if period is None or not back or self.unit is None or period.start == OPEN_START:
            return period
        return period.model_copy(update={"start": shift(period.start, self.unit, -back)})

    def _looks_back(self) -> int:
        """How many buckets before the first one are read."""
        back = self.plan.moving.size - 1 if self.plan.moving else 0
        if self.plan.comparison and self.unit:
            back = max(back, self._lag())
        return back

    def _lag(self) -> int:
        assert self.plan.comparison is not None
        if self.plan.comparison.against == "year_before":
            return {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}[self.unit or "year"]
        return 1

    def _block(self, slot: _Slot, *, grouped: bool = True) -> exp.Select:
        """The figures of one metric: a row a group, the value as v."""
        metric = slot.metric
        entity = self._table(metric.entity)
        sources = _Sources(self, entity)
        keys = self._keys(sources, metric) if grouped else []
        conditions = self._conditions(sources, slot)
        if metric.kind == "members":
            return self._members_block(sources, metric, keys, conditions)
        value = sources.bind(self.book.parse(metric.expression))
        if metric.additivity == "semi" and metric.time:
            return self._last_block(sources, metric, keys, conditions, value)
        select = exp.select(*(exp.alias_(node, name) for name, node in keys), exp.alias_(value, "v"))
        return _grouped(sources.attach(select, conditions), [node for _, node in keys])

    def _members_block(
        self, sources: _Sources, metric: Metric, keys: list[tuple[str, exp.Expr]], conditions: list[exp.Expr]
    ) -> exp.Select:
        """Members that meet the condition, counted: each is one row of the query inside."""
        assert metric.per is not None
        member = sources.column(*metric.per)
        inner = exp.select(*(exp.alias_(node, name) for name, node in keys), exp.alias_(member, "member"))
        inner = sources.attach(inner, [*conditions, member.copy().is_(exp.null()).not_()])
        inner = _grouped(inner, [*(node for _, node in keys), member])
        inner.set("having", exp.Having(this=sources.bind(self.book.parse(metric.having))))
        names = [exp.column(name) for name, _ in keys]
        outer = exp.select(*names, exp.alias_(exp.Count(this=exp.Star()), "v")).from_(inner.subquery("members"))
        return _grouped(outer, names)

    def _last_block(
        self,
        sources: _Sources,
        metric: Metric,
        keys: list[tuple[str, exp.Expr]],
        conditions: list[exp.Expr],
        value: exp.Expr,
    ) -> exp.Select:
        """What is there at the end of each bucket: stock and balances are added over members, never over days."""
        assert metric.time is not None
        if not isinstance(value, exp.Sum):
            raise BadRequest.because(f"{metric.name} is no sum", f"{metric.name} 不是求和")
        day = self._bucket("day", sources, metric)
        within = [node for name, node in keys if name == "b"]
        latest = exp.Window(
            this=exp.func("RANK"),
            partition_by=within or None,
            order=exp.Order(expressions=[exp.Ordered(this=day, desc=True)]),
        )
        inner = exp.select(
            *(exp.alias_(node, name) for name, node in keys), exp.alias_(value.this, "x"), exp.alias_(latest, "late")
        )
        inner = sources.attach(inner, conditions)
        names = [exp.column(name) for name, _ in keys]
        total = exp.Sum(this=exp.column("x"))
        outer = exp.select(*names, exp.alias_(total, "v")).from_(inner.subquery("lasting"))
        return _grouped(outer.where(exp.column("late").eq(1)), names)

    def _keys(self, sources: _Sources, metric: Metric) -> list[tuple[str, exp.Expr]]:
        """What a block is grouped by: keys and names of dimensions as k0_0 and d0, the bucket as b."""
        found: list[tuple[str, exp.Expr]] = []
        for place, dimension in enumerate(self.dimensions):
            for number, key in enumerate(dimension.key):
                found.append((f"k{place}_{number}", sources.column(dimension.table, key)))
            shown = sources.column(dimension.table, self._shown(dimension))
            found.append((f"d{place}", self._side(shown, dimension, self.sides[place])))
            if dimension.further:
                found.append((f"e{place}", sources.column(dimension.table, dimension.further)))
        if self.unit:
            found.append(("b", self._bucket(self.unit, sources, metric)))
        return found

    def _side(self, shown: exp.Expr, dimension: Dimension, sides: Sequence[Side]) -> exp.Expr:
        """A member by the word for its side, by itself where there are none."""
        if not sides:
            return shown
        if dimension.is_entity:
            raise BadRequest.because(f"{dimension.name} has no sides", f"{dimension.name} 不能合并成员")
        whens = [
            exp.If(
                this=_among(shown.copy(), self._literals(dimension, side.values), negated=False),
                true=exp.Literal.string(side.name),
            )
            for side in sides
        ]
        return exp.Case(ifs=whens)

    def _worded(self, place: int, member: exp.Expr) -> exp.Expr:
        """A code as the word that it stands for, in the reader's language; figures are grouped by the code itself."""
        dimension = self.dimensions[place]
        known = self._table(dimension.table).column(dimension.column)
        words = code_words(known, self.language) if known and not dimension.is_entity and not self.sides[place] else {}
        if not words:
            return member
        codes = self._literals(dimension, tuple(words))
        whens = [
            exp.If(this=exp.EQ(this=member.copy(), expression=code), true=exp.Literal.string(word))
            for code, word in zip(codes, words.values(), strict=True)
        ]
        return exp.Case(ifs=whens, default=exp.cast(member.copy(), "text"))

    def _shown(self, dimension: Dimension) -> str:
        table = self._table(dimension.table)
        return (shown_column(table, self.language) if dimension.is_entity else None) or dimension.column

    def _time(self, metric: Metric) -> tuple[str, str]:
        if self.plan.time:
            table, _, column = self.plan.time.rpartition(".")
            return table, column
        if metric.time is None:
            raise BadRequest.because(
                f"{metric.name} has no time column, so it has no periods",
                f"{metric.label.zh or metric.name} 没有时间列，无法按时间统计",
            )
        return metric.time

    def _bucket(self, unit: TimeUnit, sources: _Sources, metric: Metric) -> exp.Expr:
        table, column = self._time(metric)
        text = self._is_text(table, column)
        when: exp.Expr = sources.column(table, column)
        if stored := self._stored(table, column):
            # 20250630 is a number to the engine: it is made a day before months are cut from it.
            when, text = dates.as_day(when, stored, self.dialect), True
        if unit != "weekpart":
            return dates.bucket(unit, when, self.dialect, text=text)
        day = dates.bucket("weekday", when, self.dialect, text=text)
        ends = exp.In(this=day, expressions=[exp.Literal.string("0"), exp.Literal.string("6")])
        en, zh = ("weekend", "weekday"), ("周末", "工作日")
        weekend, workday = zh if self.language == "zh" else en
        return exp.Case(ifs=[exp.If(this=ends, true=exp.Literal.string(weekend))], default=exp.Literal.string(workday))

    def _stored(self, table: str, column: str) -> StoredDate | None:
        """How the column keeps days where its engine takes them for numbers or plain text."""
        known = self._table(table).column(column)
        return stored_date(known) if known is not None else None

    def _is_text(self, table: str, column: str) -> bool:
        known = self._table(table).column(column)
        return known is not None and bool(_TEXT_TYPE.search(known.type))

    def _conditions(self, sources: _Sources, slot: _Slot) -> list[exp.Expr]:
        found = [_wrapped(sources.bind(self.book.parse(slot.metric.filter)))] if slot.metric.filter else []
        if slot.period is not None:
            found += self._within(sources, slot.metric, slot.period)
        elif self.unit is not None:
            found += self._dated(sources, slot.metric)
        found += [self._filter(sources, each) for each in slot.filters]
        ranked = self.plan.ranking or self.plan.threshold or self.plan.concentration or self.plan.spread
        if ranked and slot.metric.kind != "ratio":
            found += [
                sources.column(each.table, self._shown(each)).is_(exp.null()).not_()
                for each in self.dimensions
                if not each.is_entity
            ]
        return found

    def _dated(self, sources: _Sources, metric: Metric) -> list[exp.Expr]:
        """Contracts signed by year: one that was never signed is of no year, and a period would leave it out too."""
        table, column = self._time(metric)
        known = self._table(table).column(column)
        maybe = known is not None and known.nullable and not known.primary_key
        return [sources.column(table, column).is_(exp.null()).not_()] if maybe else []

    def _within(self, sources: _Sources, metric: Metric, period: PlanPeriod) -> list[exp.Expr]:
        table, column = self._time(metric)
        text, stored = self._is_text(table, column), self._stored(table, column)
        found: list[exp.Expr] = []
        for day, open_side, compare in ((period.start, OPEN_START, exp.GTE), (period.end, OPEN_END, exp.LT)):
            if day != open_side:
                literal = dates.date_literal(day.isoformat(), self.dialect, text=text)
                if stored is not None:
                    kept = stored.border(day.isoformat()) if compare is exp.GTE else stored.after(day.isoformat())
                    literal = exp.Literal.string(kept) if isinstance(kept, str) else exp.Literal.number(kept)
                found.append(compare(this=sources.column(table, column), expression=literal))
        return found

    def _filter(self, sources: _Sources, wanted: PlanFilter) -> exp.Expr:
        dimension = self.book.dimension(wanted.dimension)
        if wanted.holding:
            return sources.holding(dimension, wanted)
        if not wanted.values:
            missing = sources.reference(dimension).is_(exp.null())
            return missing if wanted.negated else missing.not_()
        return _among(
            sources.column(dimension.table, dimension.column), self._literals(dimension, wanted.values), wanted.negated
        )

    def _literals(self, dimension: Dimension, values: Sequence[str]) -> list[exp.Expr]:
        known = self._table(dimension.table).column(dimension.column)
        if known is not None and re.match(r"\s*bool", known.type, re.I):
            return [exp.true() if value in ("1", "true") else exp.false() for value in values]
        text = known is None or bool(_TEXT_TYPE.search(known.type))
        numbers = [re.fullmatch(r"-?\d+(\.\d+)?", value) is not None for value in values]
        return [
            exp.Literal.number(value) if number and not text else exp.Literal.string(value)
            for value, number in zip(values, numbers, strict=True)
        ]

    def _table(self, name: str) -> Table:
        table = find_table(self.book.catalog, name)
        if table is None:
            raise BadRequest.because(f"there is no table {name}", f"没有表 {name}")
        return table

    # One block alone

    def _is_plain(self) -> bool:
        plan = self.plan
        layered = (
            plan.comparison, plan.share, plan.share_of, plan.contribution, plan.contrast, plan.spread, plan.concentration,
            plan.count, plan.running, plan.moving, plan.ranking and plan.ranking.per_group,
        )  # fmt: skip
        return len(self.slots) == 1 and not any(layered) and not self._spine()

    def _plain(self) -> CompiledPlan:
        """A plain SELECT ... GROUP BY ... ORDER BY, as a person would write it."""
        metric, plan = self.metrics[0], self.plan
        select = self._block(self.slots[0])
        if plan.threshold and metric.kind != "members":
            value = next(e for e in select.expressions if e.alias == "v").this
            select.set("having", exp.Having(this=self._passes(self._as_shown(metric, value), plan.threshold.number)))
            figures: exp.Select = select
        elif plan.threshold:
            figures = exp.select("*").from_(select.subquery(FIGURES))
            figures = figures.where(self._passes(exp.column("v"), plan.threshold.number))
        else:
            figures = select
        columns: list[PlanColumn] = []
        shown = []
        for each in figures.expressions if figures is select else self._inner_names(select):
            name = each.alias_or_name
            if name.startswith("k"):
                continue
            node = each.unalias() if figures is select else exp.column(name)
            if name == "v":
                column = PlanColumn(self._name(metric, "value"), "value", metric.name)
                node = self._as_shown(metric, node)
                if self._is_total(metric) and not isinstance(node, exp.Count):
                    node = exp.func("COALESCE", node, exp.Literal.number(0))
            elif name == "b":
                column = PlanColumn(self._unit_name(), "bucket")
            elif name.startswith("e"):
                column = PlanColumn(self.dimensions[int(name[1:])].further, "further")
            else:
                column = PlanColumn(self._dimension_name(int(name[1:])), "label")
                node = self._worded(int(name[1:]), node)
            columns.append(column)
            shown.append(exp.alias_(node, identifier(column.name, self.dialect)))
        # Names before figures, as they are read: month, channel, revenue.
        order = sorted(range(len(columns)), key=lambda i: {"bucket": 0, "value": 2}.get(columns[i].role, 1))
        columns, shown = [columns[i] for i in order], [shown[i] for i in order]
        figures.set("expressions", shown)
        figures = self._ordered_plain(figures, columns, shown)
        return self._done(figures, columns)

    def _inner_names(self, select: exp.Select) -> list[exp.Expr]:
        return list(select.expressions)

    def _is_total(self, metric: Metric) -> bool:
        """A sum over no rows is nothing in SQL and zero to a person; only the row of a whole can be one."""
        return not self.plan.groups and metric.additivity in ("additive", "semi")

    def _ordered_plain(self, select: exp.Select, columns: list[PlanColumn], shown: list[exp.Expr]) -> exp.Select:
        ranking = self.plan.ranking
        names = {column.role: node.alias for column, node in zip(columns, shown, strict=True)}
        if not self.plan.groups:
            return select
        if self.unit in READ_IN_ORDER and not ranking:
            return select.order_by(self._rising(exp.column(identifier(names["bucket"], self.dialect))))
        descending = ranking.descending if ranking else True
        key = exp.column(identifier(names["value"], self.dialect))
        select = select.order_by(exp.Ordered(this=key, desc=descending, nulls_first=False))
        return select.limit(ranking.n) if ranking and ranking.n else select

    # Layers

    def _layered(self) -> CompiledPlan:
        spine = self._spine()
        group_names = self._group_names()
        blocks = [self._block(slot) for slot in self.slots]
        mixed = len({slot.metric.name for slot in self.slots}) > 1
        ctes: list[tuple[str, exp.Query]] = []
        if len(blocks) == 1 and not spine:
            wide = blocks[0]
            for node in wide.expressions:
                if node.alias == "v":
                    node.set("alias", exp.to_identifier("c0"))
        else:
            ctes.append((PARTS, self._stacked(blocks, spine, mixed)))
            folded = [
                exp.alias_(exp.Max(this=_when(exp.column("part").eq(number), exp.column("v"))), f"c{number}")
                for number in range(len(blocks))
            ]
            names = [exp.column(name) for name in group_names]
            wide = _grouped(exp.select(*names, *folded).from_(PARTS), names)
        ctes.append((WIDE, wide))
        ctes.append((FIGURES, self._figures(group_names)))
        select, columns = self._final(group_names, ctes)
        if self.plan.count:
            counted = exp.alias_(exp.Count(this=exp.Star()), identifier(self._count_name(), self.dialect))
            select.set("order", None)
            select = exp.select(counted).from_(select.subquery("listed"))
            columns = [PlanColumn(self._count_name(), "count")]
        for name, query in ctes:
            select = select.with_(name, as_=query, copy=False)
        return self._done(select, columns)

    def _group_names(self) -> list[str]:
        names = []
        for place, dimension in enumerate(self.dimensions):
            names += [f"k{place}_{number}" for number in range(len(dimension.key))] + self._shown_names(place)
        return [*names, "b"] if self.unit else names

    def _shown_names(self, place: int) -> list[str]:
        """What a member is shown by: d0, and e0 where first and last name are apart."""
        return [f"d{place}", f"e{place}"] if self.dimensions[place].further else [f"d{place}"]

    def _members_of(self, places: Iterable[int]) -> list[exp.Expr]:
        """What tells the members of some dimensions apart."""
        return [exp.column(name) for place in places for name in self._shown_names(place)]

    def _spine(self) -> list[str]:
        """The labels of every bucket of a period, where the series is of one thing; zero is not the same as not there."""
        period = self._scanned()
        if self.unit not in SERIES or self.dimensions or period is None or self.unit is None:
            return []
        if period.start == OPEN_START or (self.plan.ranking and not self.plan.comparison) or self.plan.threshold:
            return []
        end = period.end if self._shows_year_before() or not self.today else min(period.end, self._tomorrow())
        if end == OPEN_END:
            return []
        labels = bucket_labels(self.unit, period.start, end)
        return labels if 0 < len(labels) <= MOST_FILLED else []

    def _tomorrow(self) -> datetime.date:
        assert self.today is not None
        return self.today + datetime.timedelta(1)

    def _shows_year_before(self) -> bool:
        """Whether a year that is not over is beside the whole one before: what is still to come was something then."""
        plan = self.plan
        yearly = plan.comparison is not None and plan.comparison.against == "year_before" and self.unit in SERIES
        else_done = plan.ranking or plan.threshold or plan.count or plan.running or plan.moving or plan.spread
        period = plan.period
        if not yearly or else_done or period is None or self.today is None or period.end == OPEN_END:
            return False
        return period.start <= self.today and period.end > self._tomorrow()

    def _open_bucket(self) -> str:
        """The label of the bucket that holds today, where it is not over."""
        if self.today is None or self.unit not in SERIES or self.unit is None:
            return ""
        end = shift(bucket_starts(self.unit, self.today), self.unit, 1)
        return "" if end <= self._tomorrow() else label_of(self.unit, self.today)

    def _stacked(self, blocks: Sequence[exp.Select], spine: Sequence[str], mixed: bool) -> exp.Query:
        selects: list[exp.Select] = []
        for number, block in enumerate(blocks):
            values = {node.alias: node for node in block.expressions}
            if mixed:
                # Counts and sums have types of their own, and a union wants one.
                values["v"].set("this", exp.cast(values["v"].this.copy(), "double"))
            block.set("expressions", [exp.alias_(exp.Literal.number(number), "part"), *block.expressions])
            selects.append(block)
        for label in spine:
            row = exp.select(
                exp.alias_(exp.Literal.number(-1), "part"),
                exp.alias_(exp.Literal.string(label), "b"),
                exp.alias_(exp.null(), "v"),
            )
            selects.append(row.from_("DUAL") if self.dialect == "oracle" else row)
        stacked: exp.Query = selects[0]
        for each in selects[1:]:
            stacked = exp.Union(this=stacked, expression=each, distinct=False)
        return stacked

    def _figures(self, group_names: Sequence[str]) -> exp.Select:
        """A row a group with the figures of each measure: now as m, before as p, the whole as w."""
        plan = self.plan
        shown: list[exp.Expr] = [exp.column(name) for name in group_names]
        spine, ahead = self._spine(), self._shows_year_before()
        reached = exp.LTE(this=exp.column("b"), expression=self._last_bucket(spine[-1])) if spine else None
        for number, metric in enumerate(self.metrics):
            now = self._value(metric, self._scanned(), plan.filters)
            now = _when(reached.copy(), now) if reached is not None and ahead else now
            shown.append(exp.alias_(now, f"m{number}"))
            if plan.comparison and not self.unit:
                shown.append(exp.alias_(self._value(metric, plan.comparison.period, plan.filters), f"p{number}"))
            if plan.share_of:
                shown.append(exp.alias_(self._value(metric, plan.period, self._without_part()), f"w{number}"))
        select = exp.select(*shown).from_(WIDE)
        return select if reached is None or ahead else select.where(reached)

    def _last_bucket(self, otherwise: str) -> exp.Expr:
        """Where the data ends: a database that stopped in June has no July, neither a nought nor a flat total."""
        assert self.unit is not None
        assert self.unit != "weekpart"  # parts of a week have no spine
        table, column = self._time(self.slots[0].metric)
        sources = _Sources(self, self._table(table))
        latest = exp.Max(this=sources.column(table, column))
        stored, text = self._stored(table, column), self._is_text(table, column)
        when = dates.as_day(latest, stored, self.dialect) if stored else latest
        bucket = dates.bucket(self.unit, when, self.dialect, text=text or stored is not None)
        ends = sources.attach(exp.select(bucket), [])
        return exp.func("COALESCE", ends.subquery(), exp.Literal.string(otherwise))

    def _value(self, metric: Metric, period: PlanPeriod | None, filters: tuple[PlanFilter, ...]) -> exp.Expr:
        cells = [exp.column(f"c{self._slot(leaf, period, filters)}") for leaf in self.book.leaves(metric)]
        if metric.kind == "ratio":
            top = exp.func("COALESCE", exp.cast(cells[0], "double"), exp.Literal.number(0))
            ratio = exp.Div(this=top, expression=exp.func("NULLIF", cells[1], exp.Literal.number(0)))
            return self._as_shown(metric, ratio)
        if metric.additivity == "ratio":
            return self._as_shown(metric, cells[0])
        return exp.func("COALESCE", cells[0], exp.Literal.number(0))

    def _as_shown(self, metric: Metric, value: exp.Expr) -> exp.Expr:
        """A rate in per cent: 4.75 and not 0.0475."""
        if metric.format != "percent":
            return value
        return exp.Mul(this=_wrapped(value), expression=exp.Literal.number(100))

    def _final(
        self, group_names: Sequence[str], ctes: list[tuple[str, exp.Query]]
    ) -> tuple[exp.Select, list[PlanColumn]]:
        plan = self.plan
        if plan.contrast:
            return self._contrast()
        if plan.spread:
            return self._spread()
        if plan.concentration:
            return self._concentration()
        if (plan.comparison and self.unit) or plan.moving:
            self._look_back(group_names, ctes)
        source = ctes[-1][0]
        columns: list[tuple[PlanColumn, exp.Expr]] = []
        for i, dimension in enumerate(self.dimensions):
            columns.append((PlanColumn(self._dimension_name(i), "label"), self._worded(i, exp.column(f"d{i}"))))
            if dimension.further:
                columns.append((PlanColumn(dimension.further, "further"), exp.column(f"e{i}")))
        if self.unit:
            columns.insert(0, (PlanColumn(self._unit_name(), "bucket"), exp.column("b")))
        for number, metric in enumerate(self.metrics):
            columns += self._measure_columns(number, metric)
        condition = self._condition()
        if plan.ranking and plan.ranking.per_group:
            source = self._rank(ctes, source, condition)
            condition = exp.LTE(this=exp.column("place"), expression=exp.Literal.number(plan.ranking.n or 1))
        if plan.share and self.metrics[0].additivity == "distinct":
            ctes.append((WHOLE, self._block(self.slots[0], grouped=False)))
        select = exp.select(*(exp.alias_(node, identifier(about.name, self.dialect)) for about, node in columns))
        select = select.from_(source)
        if plan.share and self.metrics[0].additivity == "distinct":
            select = select.join(exp.to_table(WHOLE), join_type="cross")
        if condition is not None:
            select = select.where(condition)
        return self._order(select, ranked=source == RANKED), [about for about, _ in columns]

    def _measure_columns(self, number: int, metric: Metric) -> list[tuple[PlanColumn, exp.Expr]]:
        plan = self.plan
        found: list[tuple[PlanColumn, exp.Expr]] = [(self._column(metric, "value"), exp.column(f"m{number}"))]
        if plan.comparison:
            found.append((self._column(metric, "previous"), exp.column(f"p{number}")))
            found.append((self._column(metric, "difference"), self._figure("difference", number)))
            if metric.format != "percent":
                found.append((self._column(metric, "percent"), self._figure("percent", number)))
        if plan.share or plan.share_of or plan.contribution:
            found.append((self._column(metric, "share"), self._figure("share", number)))
        if plan.running:
            total = exp.Window(
                this=exp.Sum(this=exp.column(f"m{number}")),
                partition_by=self._members_of(range(len(self.dimensions))) or None,
                order=exp.Order(expressions=[self._rising(exp.column("b"))]),
            )
            found.append((self._column(metric, "running"), total))
        if plan.moving:
            found.append((self._column(metric, "moving"), exp.column(f"a{number}")))
        return found

    def _figure(self, what: Figure, number: int = 0) -> exp.Expr:
        now, before = exp.column(f"m{number}"), exp.column(f"p{number}")
        difference: exp.Expr = exp.Sub(this=now.copy(), expression=before.copy())
        if self._shows_year_before():
            difference = self._unless_unfinished(difference)
        if what == "value":
            return now
        if what == "difference":
            return difference
        if what == "percent":
            return _per_cent(_wrapped(difference), exp.func("ABS", before))
        if self.plan.contribution:
            return _per_cent(_wrapped(difference), exp.Window(this=exp.Sum(this=difference.copy())))
        if self.plan.share_of:
            return _per_cent(now, exp.column(f"w{number}"))
        if self.metrics[number].additivity == "distinct":
            return _per_cent(now, exp.column("v", table=WHOLE))
        within: list[exp.Expr] = [exp.column("b")] if self.unit else []
        if self.plan.share == "parent":
            within += self._members_of(range(len(self.dimensions) - 1))
        return _per_cent(now, exp.Window(this=exp.Sum(this=now.copy()), partition_by=within or None))

    def _look_back(self, group_names: Sequence[str], ctes: list[tuple[str, exp.Query]]) -> None:
        """A series with the bucket before beside each, or averaged with those before, cut to the period asked for."""
        plan = self.plan
        shown: list[exp.Expr] = [exp.column(name) for name in group_names]
        within = self._members_of(range(len(self.dimensions))) or None
        order = exp.Order(expressions=[self._rising(exp.column("b"))])
        for number in range(len(self.metrics)):
            now = exp.column(f"m{number}")
            shown.append(now)
            if plan.comparison:
                lag = exp.Window(
                    this=exp.Lag(this=now.copy(), offset=exp.Literal.number(self._lag())),
                    partition_by=within,
                    order=order.copy(),
                )
                ahead = self._shows_year_before()
                shown.append(exp.alias_(lag if ahead else self._unless_unfinished(lag), f"p{number}"))
            if plan.moving:
                frame = exp.WindowSpec(
                    kind="ROWS",
                    start=exp.Literal.number(plan.moving.size - 1),
                    start_side="PRECEDING",
                    end="CURRENT ROW",
                )
                average = exp.Window(
                    this=exp.Avg(this=exp.cast(now.copy(), "double")),
                    partition_by=within,
                    order=order.copy(),
                    spec=frame,
                )
                shown.append(exp.alias_(average, f"a{number}"))
        ctes.append(("plan_series", exp.select(*shown).from_(FIGURES)))

    def _unless_unfinished(self, figure: exp.Expr) -> exp.Expr:
        """Half a month is not compared with a whole one."""
        label = self._open_bucket()
        return _when(exp.column("b").neq(exp.Literal.string(label)), figure) if label else figure

    def _condition(self) -> exp.Expr | None:
        plan = self.plan
        found: list[exp.Expr] = []
        if self._looks_back() and plan.period is not None and plan.period.start != OPEN_START and self.unit:
            first = exp.Literal.string(label_of(self.unit, plan.period.start))
            found.append(exp.GTE(this=exp.column("b"), expression=first))
        if self._shows_year_before():
            cells = [exp.column(f"{kind}{n}") for n in range(len(self.metrics)) for kind in "mp"]
            found.append(_wrapped(exp.or_(*(cell.is_(exp.null()).not_() for cell in cells))))
        if plan.threshold:
            found.append(self._passes(self._figure(plan.threshold.of), plan.threshold.number))
        if plan.ranking and plan.ranking.by in ("percent", "difference"):
            found.append(self._figure(plan.ranking.by).is_(exp.null()).not_())
        return exp.and_(*found) if found else None

    def _passes(self, figure: exp.Expr, number: float) -> exp.Expr:
        assert self.plan.threshold is not None
        told = int(number) if float(number).is_integer() else number
        literal = exp.Literal.number(told) if number >= 0 else exp.Neg(this=exp.Literal.number(-told))
        return _OPERATORS[self.plan.threshold.operator](this=figure, expression=literal)

    def _rank(self, ctes: list[tuple[str, exp.Query]], source: str, condition: exp.Expr | None) -> str:
        assert self.plan.ranking is not None
        ranking = self.plan.ranking
        outer = len(self.dimensions) - (0 if self.unit else 1)
        parents = self._members_of(range(outer))
        if self.unit and len(self.dimensions) == 1 and self.plan.groups[0].unit:
            parents = [exp.column("b")]
        key = exp.Ordered(this=self._figure(ranking.by), desc=ranking.descending)
        place = exp.Window(this=exp.RowNumber(), partition_by=parents, order=exp.Order(expressions=[key]))
        select = exp.select("*", exp.alias_(place, "place")).from_(source)
        ctes.append((RANKED, select.where(condition) if condition is not None else select))
        return RANKED

    def _order(self, select: exp.Select, *, ranked: bool) -> exp.Select:
        plan = self.plan
        if ranked:
            outer = self._members_of(range(len(self.dimensions) - (0 if self.unit else 1)))
            outer = [exp.column("b")] if self.unit and self.plan.groups[0].unit else outer
            return select.order_by(*map(self._rising, outer), self._rising(exp.column("place")))
        if plan.ranking:
            key = exp.Ordered(this=self._figure(plan.ranking.by), desc=plan.ranking.descending, nulls_first=False)
            select = select.order_by(key)
            return select.limit(plan.ranking.n) if plan.ranking.n else select
        if self.unit in READ_IN_ORDER:
            return select.order_by(self._rising(exp.column("b")))
        if not self.dimensions and not self.unit:
            return select
        by: Figure = "difference" if plan.contribution else "value"
        return select.order_by(exp.Ordered(this=self._figure(by), desc=True, nulls_first=False))

    def _contrast(self) -> tuple[exp.Select, list[PlanColumn]]:
        """Two members in one row: each figure, the difference, and how much the first is above the second."""
        dimension = self.dimensions[0]
        first, second = self._contrasted()
        key = "k0_0" if dimension.is_entity and dimension.column != self._shown(dimension) else "d0"
        cells = []
        for value in (first, second):
            picked = exp.column(key).eq(exp.Literal.string(value))
            cells.append(exp.Max(this=_when(picked, exp.column("m0"))))
        difference = exp.Sub(this=cells[0].copy(), expression=cells[1].copy())
        metric = self.metrics[0]
        names = [_safe(f"{metric.name}_{first}"), _safe(f"{metric.name}_{second}")]
        if self.language == "zh":
            names = [f"{first}{metric.label.zh}", f"{second}{metric.label.zh}"]
        columns = [
            PlanColumn(names[0], "first", metric.name),
            PlanColumn(names[1], "second", metric.name),
            self._column(metric, "difference"),
            self._column(metric, "percent"),
        ]
        nodes = [*cells, difference, _per_cent(_wrapped(difference.copy()), exp.func("ABS", cells[1].copy()))]
        if metric.format == "percent":
            columns, nodes = columns[:3], nodes[:3]
        shown = [exp.alias_(n, identifier(c.name, self.dialect)) for n, c in zip(nodes, columns, strict=True)]
        return exp.select(*shown).from_(FIGURES), columns

    def _spread(self) -> tuple[exp.Select, list[PlanColumn]]:
        """The highest and the lowest in one row with their names, and how far they are apart."""
        metric, value = self.metrics[0], exp.column("m0")

        def placed(name: str, *, descending: bool) -> exp.Expr:
            key = exp.Ordered(this=value.copy(), desc=descending)
            return exp.alias_(exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=[key])), name)

        told = "d0" if self.dimensions else "b"
        ranked = exp.select(
            exp.column(told), value.copy(), placed("high", descending=True), placed("low", descending=False)
        )
        ranked = ranked.from_(FIGURES).where(value.copy().is_(exp.null()).not_())

        def picked(end: str, column: str) -> exp.Expr:
            return exp.Max(this=_when(exp.column(end).eq(1), exp.column(column)))

        difference = exp.Sub(this=picked("high", "m0"), expression=picked("low", "m0"))
        home, zh = self._dimension_name(0) if self.dimensions else self._unit_name(), self.language == "zh"
        names = [
            f"{end}{home}" if zh else f"{end}_{home}" for end in (("最高的", "最低的") if zh else ("highest", "lowest"))
        ]
        figures = [
            f"{end}{metric.label.zh}" if zh else f"{end}_{_safe(metric.name)}"
            for end in (("最高", "最低") if zh else ("highest", "lowest"))
        ]
        columns = [
            PlanColumn(names[0], "label"),
            PlanColumn(figures[0], "first", metric.name),
            PlanColumn(names[1], "label"),
            PlanColumn(figures[1], "second", metric.name),
            self._column(metric, "difference"),
        ]
        high, low = (picked(end, told) for end in ("high", "low"))
        if self.dimensions:
            high, low = self._worded(0, high), self._worded(0, low)
        nodes = [high, picked("high", "m0"), low, picked("low", "m0"), difference]
        shown = [exp.alias_(n, identifier(c.name, self.dialect)) for n, c in zip(nodes, columns, strict=True)]
        return exp.select(*shown).from_(ranked.subquery(RANKED)), columns

    def _concentration(self) -> tuple[exp.Select, list[PlanColumn]]:
        """What the first n make up of the whole."""
        assert self.plan.concentration is not None
        metric = self.metrics[0]
        place = exp.Window(
            this=exp.RowNumber(), order=exp.Order(expressions=[exp.Ordered(this=exp.column("m0"), desc=True)])
        )
        ranked = exp.select(exp.column("m0"), exp.alias_(place, "place")).from_(FIGURES).subquery(RANKED)
        among = exp.LTE(this=exp.column("place"), expression=exp.Literal.number(self.plan.concentration))
        part, whole = exp.Sum(this=_when(among, exp.column("m0"))), exp.Sum(this=exp.column("m0"))
        total = f"总{metric.label.zh}" if self.language == "zh" else f"total_{metric.name}"
        columns = [
            self._column(metric, "value"),
            PlanColumn(total, "second", metric.name),
            self._column(metric, "share"),
        ]
        nodes = [part, whole, _per_cent(part.copy(), whole.copy())]
        shown = [exp.alias_(n, identifier(c.name, self.dialect)) for n, c in zip(nodes, columns, strict=True)]
        return exp.select(*shown).from_(ranked), columns

    # Members over periods

    def _membership(self) -> CompiledPlan:
        """Members of an entity by when they were active, each looked at once."""
        plan, metric = self.plan, self.metrics[0]
        wanted = plan.membership
        assert wanted is not None
        counted = self.book.parse(metric.expression) if metric.kind == "simple" else exp.null()
        known = isinstance(counted, exp.Count) and isinstance(counted.this, exp.Distinct)
        if not known or (plan.period is None and not wanted.each):
            raise BadRequest.because(
                f"{metric.name} counts no members over periods",
                f"{metric.label.zh or metric.name} 不是按时间段统计的成员数",
            )
        sources = _Sources(self, self._table(metric.entity))
        member = sources.bind(counted.this.expressions[0])
        first = exp.and_(*self._within(sources, metric, plan.period)) if plan.period else exp.true()
        conditions = self._conditions(sources, _Slot(metric, None, plan.filters))
        conditions.append(member.copy().is_(exp.null()).not_())
        if wanted.each:
            having = self._with_each(sources, wanted.each)
            conditions += [first] if plan.period else []
        elif wanted.every:
            having = self._in_every(sources, metric, wanted.every)
            conditions.append(first)
        elif wanted.also is not None:
            second = exp.and_(*self._within(sources, metric, wanted.also))
            conditions.append(_wrapped(exp.or_(first.copy(), second.copy())))
            there = exp.GT(this=_times(second), expression=exp.Literal.number(0))
            absent = exp.EQ(this=_times(second), expression=exp.Literal.number(0))
            present = exp.GT(this=_times(first), expression=exp.Literal.number(0))
            having = exp.and_(present, there if wanted.active else absent)
        else:
            raise BadRequest.because("a second period is needed", "需要第二个时间段")
        inner = _grouped(sources.attach(exp.select(exp.alias_(member, "member")), conditions), [member.copy()])
        inner.set("having", exp.Having(this=having))
        if self.dimensions:
            return self._listed(inner)
        name = self._name(metric, "value")
        select = exp.select(exp.alias_(exp.Count(this=exp.Star()), identifier(name, self.dialect)))
        return self._done(select.from_(inner.subquery("members")), [PlanColumn(name, "value", metric.name)])

    def _listed(self, active: exp.Select) -> CompiledPlan:
        """The members themselves: which customers bought in one year and not in the next."""
        dimension = self.dimensions[0]
        if len(self.dimensions) != 1 or self.unit or len(dimension.key) != 1:
            raise BadRequest.because("members are listed by one dimension", "成员只能按一个维度列出")
        members = _Sources(self, self._table(dimension.table))
        own = members.column(dimension.table, dimension.key[0])
        among = exp.In(this=own, query=exp.select(exp.column("member")).from_(active.subquery("active")).subquery())
        return self._names_of(members, [among])

    def _names_of(self, members: _Sources, conditions: Sequence[exp.Expr]) -> CompiledPlan:
        dimension = self.dimensions[0]
        columns = [PlanColumn(self._dimension_name(0), "label")]
        shown = [members.column(dimension.table, self._shown(dimension))]
        if dimension.further:
            columns.append(PlanColumn(dimension.further, "further"))
            shown.append(members.column(dimension.table, dimension.further))
        named = [exp.alias_(n, identifier(c.name, self.dialect)) for n, c in zip(shown, columns, strict=True)]
        select = members.attach(exp.select(*named), conditions)
        return self._done(select.order_by(*(self._rising(each.copy()) for each in shown)), columns)

    def _absent(self) -> CompiledPlan:
        """Members without one row of the measure: customers who never ordered, products that did not sell last month."""
        plan, metric = self.plan, self.metrics[0]
        dimension = self.dimensions[0] if len(self.dimensions) == 1 and not self.unit else None
        if dimension is None or len(dimension.key) != 1 or metric.kind != "simple" or len(self.metrics) != 1:
            raise BadRequest.because(
                "what is absent needs one kind of members and one measure", "查找没有记录的成员需要一个维度和一个指标"
            )
        home = self._table(dimension.table)
        members = _Sources(self, home)
        outer = {f for f in plan.filters if self._is_of(home, f)}
        facts = _Sources(self, self._table(metric.entity))
        key = facts.column(dimension.table, dimension.key[0])
        inside = tuple(each for each in plan.filters if each not in outer)
        conditions = self._conditions(facts, _Slot(metric, plan.period, inside))
        conditions.append(key.copy().is_(exp.null()).not_())
        active = facts.attach(exp.select(key), conditions)
        own = members.column(dimension.table, dimension.key[0])
        absent = [exp.In(this=own, query=active.subquery()).not_(), *(self._filter(members, each) for each in outer)]
        if plan.count:
            counted = exp.alias_(exp.Count(this=exp.Star()), identifier(self._count_name(), self.dialect))
            return self._done(members.attach(exp.select(counted), absent), [PlanColumn(self._count_name(), "count")])
        return self._names_of(members, absent)

    def _is_of(self, home: Table, wanted: PlanFilter) -> bool:
        """Whether a filter is on the members themselves, and not on what they did."""
        goal = self._table(self.book.dimension(wanted.dimension).table)
        return not wanted.holding and self.book.routes.route(home.path, goal.path) is not None

    def _with_each(self, sources: _Sources, dimension: str) -> exp.Expr:
        """As many different values as the filter names: it keeps no others."""
        own = self.book.dimension(dimension)
        wanted = [f for f in self.plan.filters if self.book.dimension(f.dimension).name == own.name and not f.negated]
        if len(wanted) != 1 or wanted[0].holding:
            raise BadRequest.because("members of each need one filter", "需要一个筛选条件来统计同时满足的成员")
        seen = exp.Count(this=exp.Distinct(expressions=[sources.column(own.table, own.column)]))
        return exp.EQ(this=seen, expression=exp.Literal.number(len(set(wanted[0].values))))

    def _in_every(self, sources: _Sources, metric: Metric, unit: TimeUnit) -> exp.Expr:
        period = self.plan.period
        assert period is not None
        end = min(period.end, self.today + datetime.timedelta(1)) if self.today else period.end
        needed = len(bucket_labels(unit, period.start, end))
        buckets = exp.Count(this=exp.Distinct(expressions=[self._bucket(unit, sources, metric)]))
        return exp.EQ(this=buckets, expression=exp.Literal.number(needed))

    def _rising(self, node: exp.Expr) -> exp.Ordered:
        """Ascending, with nothing where the engine puts it by itself."""
        return exp.Ordered(this=node, nulls_first=self.nulls_small)

    # Names

    def _column(self, metric: Metric, role: Role) -> PlanColumn:
        return PlanColumn(self._name(metric, role), role, metric.name)

    def _name(self, metric: Metric, role: Role) -> str:
        """The heading of a figure in the reader's language."""
        if self.language == "zh":
            name = metric.label.zh or metric.name
            forms = {
                "value": "{}", "previous": "对比期{}", "difference": "{}变化", "percent": "{}变化百分比", "share": "{}占比",
                "running": "累计{}", "moving": "{}移动平均",
            }  # fmt: skip
            if role == "share" and self.plan.contribution:
                return f"{name}变化贡献占比"
            if (self.plan.contrast or self.plan.spread) and role == "difference":
                return f"{name}差额"
            return forms[role].format(name)
        forms = {
            "value": "{}", "previous": "previous_{}", "difference": "{}_change", "percent": "{}_change_percent",
            "share": "{}_share_percent", "running": "running_{}", "moving": "moving_average_{}",
        }  # fmt: skip
        name = _safe(metric.name)
        if metric.format == "percent" and role in ("value", "previous", "running", "moving"):
            name += "_percent"
        if role == "share" and self.plan.contribution:
            return f"{name}_contribution_percent"
        if (self.plan.contrast or self.plan.spread) and role in ("difference", "percent"):
            return f"{name}_difference" + ("_percent" if role == "percent" else "")
        return forms[role].format(name)

    def _dimension_name(self, place: int) -> str:
        dimension = self.dimensions[place]
        if self.language == "zh" and dimension.label.zh and not dimension.further:
            return dimension.label.zh
        home = _safe(dimension.label.en) if dimension.is_entity and not dimension.further else dimension.column
        others = [d.column for i, d in enumerate(self.dimensions) if i != place and not d.is_entity]
        return f"{dimension.table.rpartition('.')[2]}_{home}" if home in others else home

    def _unit_name(self) -> str:
        assert self.unit is not None
        return _UNITS[self.unit][self.language == "zh"]

    def _count_name(self) -> str:
        return "数量" if self.language == "zh" else "count"

    def _done(self, select: exp.Select, columns: Sequence[PlanColumn]) -> CompiledPlan:
        return CompiledPlan(select.sql(dialect=self.dialect), tuple(columns), self._open_bucket())


class _Sources:
    """The tables of one block: the entity, and what hangs on it as far as something of it is read."""

    def __init__(self, compiler: _Compiler, entity: Table) -> None:
        self.compiler, self.entity = compiler, entity
        self.book, self.dialect = compiler.book, compiler.dialect
        self.joined: dict[tuple[str, ...], exp.Expr] = {}

    def column(self, table: str, column: str) -> exp.Column:
        """A column by its table, which is joined where it is not yet."""
        found = self.compiler._table(table)
        self._reach(found)
        known = found.column(column)
        if known is None:
            raise BadRequest.because(f"{table} has no column {column}", f"{table} 没有列 {column}")
        return exp.Column(this=identifier(known.name, self.dialect), table=identifier(self._alias(found), self.dialect))

    def bind(self, tree: exp.Expr) -> exp.Expr:
        """A part of a definition with its columns as this block names them."""

        def bound(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column):
                return node
            return self.column(node.table or self.entity.full_name, node.name)

        return tree.copy().transform(bound)

    def _reach(self, table: Table) -> None:
        route = self.book.routes.route(self.entity.path, table.path)
        if route is None:
            raise BadRequest.because(
                f"{self.entity.name} cannot be split by {table.name}: there is no single many-to-one way to it",
                f"{self.entity.name} 不能按 {table.name} 拆分：两者之间没有唯一的多对一关联",
            )
        for join in route.joins:
            if join.right in self.joined:
                continue
            near, far = self.book.catalog.by_path[join.left], self.book.catalog.by_path[join.right]
            self.joined[join.right] = exp.and_(
                *(
                    exp.EQ(this=self._plain_column(near, own), expression=self._plain_column(far, other))
                    for own, other in zip(join.left_columns, join.right_columns, strict=True)
                )
            )

    def _plain_column(self, table: Table, column: str) -> exp.Column:
        known = table.column(column)
        name = known.name if known else column
        return exp.Column(this=identifier(name, self.dialect), table=identifier(self._alias(table), self.dialect))

    def _alias(self, table: Table) -> str:
        alone = len(self.book.catalog.by_last_name[table.name.casefold()]) == 1
        return table.name if alone else "_".join(table.path)

    def _source(self, table: Table) -> exp.Table:
        parts = [identifier(part, self.dialect) for part in reversed(table.path)]
        made = exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))
        if len(table.path) > 1 or self._alias(table) != table.name:
            made.set("alias", exp.TableAlias(this=identifier(self._alias(table), self.dialect)))
        return made

    def attach(self, select: exp.Select, conditions: Sequence[exp.Expr]) -> exp.Select:
        """The SELECT with its tables and conditions."""
        select = select.from_(self._source(self.entity), copy=False)
        for path, on in self.joined.items():
            select = select.join(self._source(self.book.catalog.by_path[path]), on=on, copy=False)
        return select.where(*conditions, copy=False) if conditions else select

    def reference(self, dimension: Dimension) -> exp.Column:
        """What is empty where there is none of a dimension: the reference to it, or the column itself."""
        goal = self.compiler._table(dimension.table)
        route = self.book.routes.route(self.entity.path, goal.path) if dimension.is_entity else None
        if route is None:
            return self.column(dimension.table, dimension.column)
        if not route.joins:
            raise BadRequest.because(
                f"{dimension.name} is what is counted, so that there is always one", f"{dimension.name} 是统计对象本身"
            )
        join = route.joins[-1]
        return self.column(self.book.catalog.by_path[join.left].full_name, join.left_columns[0])

    def holding(self, dimension: Dimension, wanted: PlanFilter) -> exp.Expr:
        """Rows of the entity with such a part: a semi-join, so that an order with two toys counts once."""
        goal = self.compiler._table(dimension.table)
        way = self.book.routes.way_through_parts(self.entity.path, goal.path)
        if way is None or len(way[0].left_columns) != 1:
            raise BadRequest.because(
                f"{dimension.name} is no part of {self.entity.name}",
                f"{dimension.name} 不是 {self.entity.name} 的组成部分",
            )
        join, _ = way
        inner = _Sources(self.compiler, self.book.catalog.by_path[join.left])
        member = _among(
            inner.column(dimension.table, dimension.column),
            self.compiler._literals(dimension, wanted.values),
            negated=False,
        )
        select = inner.attach(exp.select(inner._plain_column(inner.entity, join.left_columns[0])), [member])
        test: exp.Expr = exp.In(this=self._plain_column(self.entity, join.right_columns[0]), query=select.subquery())
        return test.not_() if wanted.negated else test


def _among(column: exp.Expr, values: Sequence[exp.Expr], negated: bool) -> exp.Expr:
    if len(values) == 1:
        return exp.NEQ(this=column, expression=values[0]) if negated else exp.EQ(this=column, expression=values[0])
    test = exp.In(this=column, expressions=list(values))
    return test.not_() if negated else test


def _grouped(select: exp.Select, keys: Sequence[exp.Expr]) -> exp.Select:
    if keys:
        select.set("group", exp.Group(expressions=[key.copy() for key in keys]))
    return select


def _when(condition: exp.Expr, value: exp.Expr) -> exp.Case:
    return exp.Case(ifs=[exp.If(this=condition, true=value)])


def _times(condition: exp.Expr) -> exp.Expr:
    one, none = exp.Literal.number(1), exp.Literal.number(0)
    return exp.Sum(this=exp.Case(ifs=[exp.If(this=condition.copy(), true=one)], default=none))


def _per_cent(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    top = exp.Mul(this=exp.cast(part.copy(), "double"), expression=exp.Literal.number(100))
    return exp.Div(this=top, expression=exp.func("NULLIF", whole, exp.Literal.number(0)))


def _wrapped(node: exp.Expr) -> exp.Expr:
    return exp.paren(node, copy=False) if isinstance(node, exp.Binary | exp.Connector) else node


def _safe(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").lower() or "value"


def shift(day: datetime.date, unit: TimeUnit, count: int) -> datetime.date:
    """The day some units later, earlier for a negative count."""
    if unit in ("day", "week"):
        return day + datetime.timedelta(count * (7 if unit == "week" else 1))
    return add_months(day, count * {"month": 1, "quarter": 3, "year": 12}[unit])
