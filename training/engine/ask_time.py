"""Questions about a metric over time."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.form.ast import (
    Bucket,
    ColumnRef,
    Expr,
    Literal,
    Predicate,
    Sort,
)
from training.engine.groups import Metric, pick_metric
from training.engine.periods import Span
from training.engine.plan import Kit, Plan, fill, show
from training.engine.schema import Column, Table
from training.engine.scope import Mod, Scope
from training.engine.talk import Talk


def over_time(kit: Kit) -> Plan | None:
    """A metric per year, quarter, month or day."""
    rng = kit.rng
    found = [(t, c) for t in kit.schema.tables for c in t.data if c.attribute and c.attribute.kind in ("date", "time")]
    if not found:
        return None
    table, column = rng.choice(found)
    unit = rng.choices(
        ["month", "year", "quarter", "day", "weekday", "hour", "week"],
        (48, 27, 12, 4, 4, 3 if column.kind == "time" else 0, 2),
    )[0]
    scope = kit.scope(table, 1, joins=0.3)
    if not scope or any(column.name in str(m.condition) for m in scope.mods):
        return None
    metric = pick_metric(kit, scope, 0.55)
    if metric.column is column:
        return None
    period = (
        _within(kit, table, column) if unit in ("month", "quarter", "day", "week") and rng.random() < 0.55 else None
    )
    bucket = Bucket(unit, scope.ref(column))  # type: ignore[arg-type]
    tags = ["time", "group", metric.func, unit, *scope.tags]
    if period:
        scope = Scope(table, [*scope.mods, Mod(period.condition, lambda _: ("", ""), ["period"])])
    second = kit.category(table) if rng.random() < 0.1 else None
    if second and any(f"column={second.name!r}" in repr(m.condition) for m in scope.mods):
        second = None
    keys: tuple[Expr, ...] = (bucket, scope.ref(second)) if second else (bucket,)
    order = rng.random() < 0.35
    query = show(scope, [*keys, metric.expr], by=keys, sort=[Sort(bucket)] if order else [])
    shown = Scope(table, scope.mods[: -1 if period else None])

    def say(talk: Talk) -> tuple[str, bool]:
        np = shown.phrase(talk)
        when = period.span.say(talk) if period else ""
        extra = talk.label(second) if second else ""
        ambiguous = sum(1 for c in table.data if c.attribute and c.attribute.kind in ("date", "time")) > 1
        return _said_time(talk, metric, np, unit, when, extra, talk.label(column) if ambiguous else "")

    return Plan(query, say, tags)


@dataclass
class _Period:
    condition: Predicate
    span: Span


def _within(kit: Kit, table: Table, column: Column) -> _Period | None:

    days = [str(c)[:4] for c in column.cells if c]
    if not days:
        return None
    year = int(kit.rng.choice(days))
    ends = (f"{year}-01-01", f"{year + 1}-01-01")
    if kit.rng.random() < 0.7:
        span = Span(*ends, "in", (f"in {year}", f"for {year}", f"during {year}"), (f"{year}年",))
    else:
        span = Span(*ends, ">=", (f"since {year}", f"from {year} on"), (f"{year}年以来", f"{year}年起"))
    test = Predicate(span.op, ColumnRef(table.name, column.name), Literal((span.start, span.end), "period"))
    return _Period(test, span)


def _said_time(talk: Talk, metric: Metric, np: str, unit: str, when: str, extra: str, date: str) -> tuple[str, bool]:
    what = metric.word(talk, np)
    if talk.zh:
        each = talk.one_of(f"time.{unit}")
        by = f"按{date}" if date else ""
        tail = f"和{extra}" if extra else ""
        if each.startswith("按"):
            return fill(talk, "time.by_unit", when=when, each=each, tail=tail, what=what)
        if extra:
            return fill(talk, "time.each_and", when=when, each=each, extra=extra, what=what, by=by)
        ways = talk.ways("time.each")
        if metric.func == "count":
            ways += talk.ways("time.each_count")
        return fill(talk, ways, when=when, each=each, what=what, by=by, np=np)
    noun, adverb = talk.ways(f"time.{unit}")
    tail = f" and {extra}" if extra else ""
    of = f" of {date}" if date else ""
    ways = talk.ways("time.each")
    if not extra and not date and unit not in ("weekday",):
        ways += talk.ways("time.adverb")
    if metric.func == "count":
        ways += talk.ways("time.each_count")
    return fill(talk, ways, what=what, u=noun, w=when, w2=when, x=tail, of=of, a=adverb, np=np)
