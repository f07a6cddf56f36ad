"""Questions about groups: a metric for each, conditions on groups, the best of them."""

from __future__ import annotations

from inquery.form.ast import (
    Agg,
    Block,
    ColumnRef,
    Literal,
    Predicate,
    Sort,
    Source,
    TableRef,
)
from training.engine.ask_rows import said_list
from training.engine.groups import Group, Metric, pick_group, pick_metric, rows_phrase
from training.engine.plan import Kit, Plan, fill, refs, show
from training.engine.scope import Mod, Scope, conjunction, steps
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh, plural


def grouped(kit: Kit) -> Plan | None:
    """A metric or two for each group, perhaps ordered."""
    group = pick_group(kit)
    if not group:
        return None
    metrics = [pick_metric(kit, group.scope)]
    if kit.rng.random() < 0.2:
        other = pick_metric(kit, group.scope, 0.3)
        metrics += [other] if other.expr != metrics[0].expr else []
    sort = [Sort(metrics[0].expr, kit.rng.random() < 0.85)] if kit.rng.random() < 0.25 else []
    items = [*group.items, *(m.expr for m in metrics)]
    if kit.rng.random() < 0.08:
        items = [*(m.expr for m in metrics), *group.items]
    query = show(group.scope, items, by=group.keys, sort=sort)
    down = bool(sort) and sort[0].descending

    def say(talk: Talk) -> tuple[str, bool]:
        text, asks = _said_grouped(talk, group, metrics)
        return text + (_said_order(talk, metrics[0], down) if sort else ""), asks and not sort

    return Plan(query, say, ["group", *[m.func for m in metrics], *(["sort"] if sort else []), *group.scope.tags])


def _said_grouped(talk: Talk, group: Group, metrics: list[Metric]) -> tuple[str, bool]:
    np = rows_phrase(talk, group)
    word = group.word(talk)
    single = metrics[0].func == "count" and len(metrics) == 1
    if talk.zh:
        each = group.each(talk)
        measure = talk.measure(group.scope.table)
        if single:
            return fill(talk, "groups.count", each=each, m=measure, np=np, word=word)
        what = listed_zh(
            [
                m.word(talk, np) if i == 0 else m.word(talk, np).removeprefix(f"{np}的").removeprefix(np)
                for i, m in enumerate(metrics)
            ],
            talk.rng,
        )
        return fill(talk, "groups.metric", each=each, word=word, what=what)
    what = listed(
        [
            m.word(talk, np)
            if i == 0
            else m.word(talk, np).removesuffix(f" of {np}")
            if m.func != "count"
            else "their number"
            for i, m in enumerate(metrics)
        ],
        talk.rng,
    )
    if single:
        return fill(talk, "groups.count", np=np, word=word, words=plural(word))
    return fill(talk, "groups.metric", what=what, word=word, of="for" if group.table else "of")


def _said_order(talk: Talk, metric: Metric, down: bool) -> str:
    if talk.zh:
        return (
            talk.one_of("groups.most_first")
            if down and metric.func == "count"
            else "，从高到低排序"
            if down
            else talk.one_of("groups.lowest_first")
        )
    if metric.func == "count":
        return talk.one_of("groups.most_first" if down else "groups.fewest_first")
    return talk.one_of("groups.highest_first" if down else "groups.lowest_first")


def two_keys(kit: Kit) -> Plan | None:
    """A metric by two columns at once."""
    table = kit.table(lambda t: sum(c.kind == "category" for c in t.data) > 1)
    if not table:
        return None
    first, second = kit.rng.sample([c for c in table.data if c.kind == "category"], 2)
    scope = kit.scope(table, 1, joins=0)
    if not scope or any(c.name in str(m.condition) for m in scope.mods for c in (first, second)):
        return None
    metric = pick_metric(kit, scope, 0.65)
    keys = (scope.ref(first), scope.ref(second))
    query = show(scope, [*keys, metric.expr], by=keys)

    def say(talk: Talk) -> tuple[str, bool]:
        one, two = talk.label(first), talk.label(second)
        what = metric.word(talk, scope.phrase(talk))
        if talk.zh:
            return fill(talk, "groups.two_keys", one=one, two=two, what=what)
        return fill(talk, "groups.two_keys", one=one, two=two, what=what)

    return Plan(query, say, ["group", "two keys", metric.func])


def with_zero(kit: Kit) -> Plan | None:
    """How many related rows each row has, those with none included."""
    parent = kit.table(lambda t: bool(t.display) and any(s.kind == "down" for s in steps(kit.schema, t)))
    if not parent:
        return None
    step = kit.rng.choice([s for s in steps(kit.schema, parent) if s.kind == "down"])
    child = step.far
    sources = (Source(parent.name), Source(child.name, optional=True))
    query = Block(
        sources, (*refs(parent.name, parent.display), Agg("count", TableRef(child.name))), by=(TableRef(parent.name),)
    )

    def say(talk: Talk) -> tuple[str, bool]:
        noun, kids = talk.noun(parent, many=False), talk.noun(child)
        if talk.zh:
            return fill(talk, "groups.with_zero", m=talk.measure(parent), n=noun, k=kids, km=talk.measure(child))
        return fill(talk, "groups.with_zero", k=kids, n=noun, ns=talk.noun(parent))

    return Plan(query, say, ["group", "left join", "count"])


def most_common_members(kit: Kit) -> Plan | None:
    """Rows that share the most common value of a column."""
    table = kit.table(lambda t: kit.category(t) is not None and bool(t.display))
    column = kit.category(table) if table else None
    if not table or not column or column.kind != "category":
        return None
    ref = ColumnRef(table.name, column.name)
    most = kit.rng.random() < 0.8
    inner = Block((Source(table.name),), (ref,), by=(ref,), sort=(Sort(Agg("count"), most),), top=Literal(1, "number"))
    columns = kit.columns(table)
    query = Block((Source(table.name),), refs(table.name, columns), where=conjunction([Predicate("=", ref, inner)]))

    def say(talk: Talk) -> tuple[str, bool]:

        label = talk.label(column)
        if talk.zh:
            part = ("", f"{label}{'最常见' if most else '最少见'}")
        else:
            part = ("", f"with the {'most' if most else 'least'} common {label}")
        return said_list(talk, Scope(table, [Mod(None, lambda _: part, [])]), columns)

    return Plan(query, say, ["nested", "group"])
