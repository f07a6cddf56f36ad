"""Questions that compare columns of a row, dates, or two kinds of rows."""

from __future__ import annotations

from collections.abc import Iterator

from inquery.form.ast import Agg, Arith, Block, ColumnRef, Days, Literal, Predicate, Sort, Source, TableRef
from training.engine.ask_rows import said_count, said_list
from training.engine.condition import literal
from training.engine.filters import said_value
from training.engine.plan import (
    Kit,
    Plan,
    fill,
    names_of,
    refs,
    show,
)
from training.engine.schema import Column, Table
from training.engine.scope import Mod, Scope, is_tree, steps
from training.engine.talk import Talk

_PAIRS = (
    ("home score", "away score"), ("actual hours", "estimated hours"), ("finished quantity", "planned quantity"), ("raised amount", "goal"),
    ("open price", "close price"), ("wins", "losses"), ("received quantity", "quantity"), ("paid amount", "claim amount"), ("cost", "price"),
    ("max temperature", "min temperature"), ("debit amount", "credit amount"), ("budget", "box office"), ("lines added", "lines deleted"),
    ("maximum salary", "minimum salary"), ("sale price", "guide price"), ("height", "width"), ("home points", "away points"),
)  # fmt: skip


def _pair(kit: Kit) -> tuple[Table, Column, Column] | None:
    found = []
    for table in kit.schema.tables:
        by_name = {name: c for c in table.data if c.attribute and c.attribute.numeric for name in c.attribute.names}
        for first, second in _PAIRS:
            if first in by_name and second in by_name and by_name[first] is not by_name[second]:
                found.append((table, by_name[first], by_name[second]))
    return kit.rng.choice(found) if found else None


def compared_columns(kit: Kit) -> Plan | None:
    """Two columns of a row compared, or their difference shown or ranked."""
    found = _pair(kit)
    if not found:
        return None
    rng = kit.rng
    table, first, second = found
    if rng.random() < 0.5:
        first, second = second, first
    scope = Scope(table)
    name = [c for c in kit.shown_name(table) if c not in (first, second)] or [
        c for c in kit.columns(table) if c not in (first, second)
    ]
    if not name:
        return None
    if rng.random() < 0.55:
        query = Block(scope.sources, refs(table.name, name), where=Predicate(">", scope.ref(first), scope.ref(second)))
        counted = rng.random() < 0.35
        if counted:
            query = Block(scope.sources, (Agg("count"),), where=query.where)
        return Plan(query, lambda talk: _said_compared(talk, table, name, first, second, counted), ["compare columns"])
    gap = Arith("-", scope.ref(first), scope.ref(second))
    ranked = rng.random() < 0.5
    query = Block(
        scope.sources,
        (*refs(table.name, name), gap),
        sort=(Sort(gap, True),) if ranked else (),
        top=Literal(1, "number") if ranked else None,
    )
    return Plan(query, lambda talk: _said_gap(talk, table, name, first, second, ranked), ["arithmetic"])


def _said_compared(
    talk: Talk, table: Table, name: list[Column], first: Column, second: Column, counted: bool
) -> tuple[str, bool]:
    one, two = talk.label(first), talk.label(second)
    part = (
        ("", talk.pick(f"{one}大于{two}", f"{one}超过{two}", f"{one}高于{two}"))
        if talk.zh
        else (
            "",
            talk.pick(
                f"whose {one} is greater than the {two}", f"whose {one} exceeds their {two}", f"with {one} above {two}"
            ),
        )
    )
    scope = Scope(table, [Mod(None, lambda _: part, [])])
    return said_count(talk, scope) if counted else said_list(talk, scope, name)


def _said_gap(
    talk: Talk, table: Table, shown: list[Column], first: Column, second: Column, ranked: bool
) -> tuple[str, bool]:
    one, two, noun = talk.label(first), talk.label(second), talk.noun(table, many=False)
    cols = names_of(talk, shown, many=False)
    name = "compare.gap_largest" if ranked else "compare.gap"
    measure = talk.measure(table) if talk.zh else ""
    return fill(talk, name, one=one, two=two, noun=noun, cols=cols, m=measure)


def days_between(kit: Kit) -> Plan | None:
    """The days between two dates of a row: averaged, filtered or ranked."""
    rng = kit.rng
    found = []
    for table in kit.schema.tables:
        dates = [c for c in table.data if c.attribute and c.attribute.kind in ("date", "time")]
        if len(dates) == 2:
            found.append((table, dates))
    if not found:
        return None
    table, (start, end) = rng.choice(found)
    if min(str(c) for c in start.cells if c) > min(str(c) for c in end.cells if c):
        start, end = end, start
    gap = Days(ColumnRef(table.name, start.name), ColumnRef(table.name, end.name))
    sources = (Source(table.name),)
    group = kit.category(table) if rng.random() < 0.4 else None
    if rng.random() < 0.6:
        shown = (ColumnRef(table.name, group.name), Agg("avg", gap)) if group else (Agg("avg", gap),)
        query = Block(sources, shown, by=(ColumnRef(table.name, group.name),) if group else ())
        return Plan(
            query, lambda talk: _said_days(talk, table, start, end, group), ["days", *(["group"] if group else [])]
        )
    limit = rng.choice([7, 10, 15, 20, 30])
    columns = kit.columns(table)
    query = Block(sources, refs(table.name, columns), where=Predicate(">", gap, Literal(limit, "number")))

    def say(talk: Talk) -> tuple[str, bool]:
        one, two = talk.label(start), talk.label(end)
        part = (
            ("", f"{one}到{two}超过{limit}天")
            if talk.zh
            else ("", f"with more than {limit} days between {one} and {two}")
        )
        return said_list(talk, Scope(table, [Mod(None, lambda _: part, [])]), columns)

    return Plan(query, say, ["days"])


def _said_days(talk: Talk, table: Table, start: Column, end: Column, group: Column | None) -> tuple[str, bool]:
    one, two, nouns = talk.label(start), talk.label(end), talk.noun(table)
    if talk.zh:
        each = f"各{talk.label(group)}" if group else ""
        return fill(talk, "compare.days", each=each, n=nouns, one=one, two=two)
    each = f" for each {talk.label(group)}" if group else ""
    return fill(talk, "compare.days" if not group else "compare.days_each", one=one, two=two, n=nouns, each=each)


_FACTORS = (
    ("quantity", "unit price"), ("stock", "price"), ("quantity", "price"), ("hours", "hourly rate"),
    ("quantity", "sale price"), ("tickets sold", "ticket price"), ("shares", "cost price"), ("attendance", "ticket price"),
)  # fmt: skip


def _products(kit: Kit) -> Iterator[tuple[Table, Column, Column]]:
    for table in kit.schema.tables:
        names = {name: c for c in table.data if c.attribute and c.attribute.numeric for name in c.attribute.names}
        for amount, price in _FACTORS:
            if amount in names and price in names:
                yield table, names[amount], names[price]


def product_sum(kit: Kit) -> Plan | None:
    """A total of one column times another, overall or per group."""
    found = list(_products(kit))
    if not found:
        return None
    table, first, second = kit.rng.choice(found)
    scope = kit.scope(table, 1)
    if not scope:
        return None
    product = Arith("*", scope.ref(first), scope.ref(second))
    ways = [s for s in steps(kit.schema, table) if s.kind == "up" and s.far.display]
    step = kit.rng.choice(ways) if ways and kit.rng.random() < 0.5 else None
    item = Agg("sum", product)
    if not step:
        query = show(scope, [item])
    else:
        wide = Scope(table, [*scope.mods, Mod(None, lambda _: ("", ""), [], [Source(step.far.name)])])
        if not is_tree(kit.schema, wide.sources):
            return None

        shown = tuple(ColumnRef(step.far.name, c.name) for c in step.far.display)
        query = show(wide, [*shown, item], by=(TableRef(step.far.name),))

    def say(talk: Talk) -> tuple[str, bool]:
        one, two, np = talk.label(first), talk.label(second), scope.phrase(talk)
        each = ""
        if step and talk.zh:
            each = f"每{talk.measure(step.far)}{talk.noun(step.far)}的"
        elif step:
            each = f" for each {talk.noun(step.far, many=False)}"
        return fill(talk, "compare.product", one=one, two=two, np=np, each=each)

    return Plan(query, say, ["arithmetic", *(["group"] if step else [])])


def difference(kit: Kit) -> Plan | None:
    """How many more of one kind than of another, or the gap between the extremes."""
    table = kit.table(lambda t: kit.category(t) is not None)
    if not table:
        return None
    if kit.rng.random() < 0.35:
        return _extent(kit)
    column = kit.category(table)
    if not column or column.kind != "category" or len(set(column.cells) - {None}) < 2:
        return None
    first, second = kit.rng.sample(sorted({c for c in column.cells if c is not None}, key=str), 2)
    ref = ColumnRef(table.name, column.name)

    tests = [Predicate("=", ref, literal(cell)) for cell in (first, second)]
    query = Block((Source(table.name),), (Arith("-", Agg("count", where=tests[0]), Agg("count", where=tests[1])),))

    def say(talk: Talk) -> tuple[str, bool]:
        one = Scope(table, [Mod(None, lambda t: said_value(t, table, column, first), [])]).phrase(talk)
        two = Scope(table, [Mod(None, lambda t: said_value(t, table, column, second), [])]).phrase(talk)
        if talk.zh:
            return fill(talk, "compare.difference", one=one, two=two, m=talk.measure(table))
        return fill(talk, "compare.difference", one=one, two=two)

    return Plan(query, say, ["arithmetic", "conditional"])


def _extent(kit: Kit) -> Plan | None:
    table = kit.table(lambda t: kit.numeric(t) is not None)
    column = kit.numeric(table) if table else None
    scope = kit.scope(table, 1, joins=0) if table else None
    if not table or not column or not scope:
        return None
    ref = scope.ref(column)
    query = show(scope, [Arith("-", Agg("max", ref), Agg("min", ref))])

    def say(talk: Talk) -> tuple[str, bool]:
        np, label = scope.phrase(talk), talk.label(column)
        if talk.zh:
            return fill(talk, "compare.extent", np=np, l=label)
        return fill(talk, "compare.extent", np=np, l=label)

    return Plan(query, say, ["arithmetic", *scope.tags])
