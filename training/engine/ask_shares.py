"""Questions about shares and conditional counts."""

from __future__ import annotations

from inquery.form.ast import Agg, Expr, Sort
from training.engine.condition import Filter
from training.engine.plan import Kit, Plan, additive, fill, predicate, show
from training.engine.schema import Column
from training.engine.scope import Mod, Scope, own_filter
from training.engine.talk import Talk


def share(kit: Kit) -> Plan | None:
    """What part of the rows passes a test, overall or per group."""
    rng = kit.rng
    table = kit.table(lambda t: len(t.data) > 1 and not t.entity.link)
    part = own_filter(table, rng, {c.name for c in table.display}) if table else None
    if not table or not part or not part.column or part.tag in ("like",):
        return None
    group = kit.category(table) if rng.random() < 0.35 else None
    group = None if group is part.column else group
    func = rng.choice(["share", "percent"])
    item = Agg(func, where=part.condition)  # type: ignore[arg-type]
    scope = Scope(table)
    keys = (scope.ref(group),) if group else ()
    narrowed = Scope(table, [Mod(None, part.say, [])])
    if group and rng.random() < 0.35:
        return _best_share(kit, scope, group, item, narrowed)
    query = show(scope, [*keys, item], by=keys)

    def say(talk: Talk) -> tuple[str, bool]:
        return _said_share(talk, narrowed, part, group, func)

    return Plan(query, say, ["share", *(["group"] if group else [])])


def _said_share(talk: Talk, narrowed: Scope, part: Filter, group: Column | None, func: str) -> tuple[str, bool]:
    np, nouns = narrowed.phrase(talk), talk.noun(narrowed.table)
    if talk.zh:
        each = f"各{talk.label(group)}" if group else ""
        word = talk.one_of(f"shares.{func}_word")
        name = "percent_of" if word == "百分之多少" else "each" if group else "whole"
        return fill(talk, f"shares.{name}", each=each, np=np, n=nouns, w=word)
    word = talk.one_of(f"shares.{func}_word")
    tail = ""
    if group:
        tail = talk.pick(f" for each {talk.label(group)}", f" by {talk.label(group)}", f" per {talk.label(group)}")
    lead = f"what {word} of"
    pred = predicate(talk, part.say(talk))
    word = "percentage" if word == "percent" else word
    return fill(talk, "shares.part", pred=pred, lead=lead, w=word, n=nouns, np=np, tail=tail)


def _best_share(kit: Kit, scope: Scope, group: Column, item: Agg, narrowed: Scope) -> Plan:
    """The group with the highest or lowest share."""
    most = kit.rng.random() < 0.75
    shown = kit.rng.random() < 0.6
    key = scope.ref(group)
    query = show(scope, [key, *([item] if shown else [])], by=(key,), sort=[Sort(item, most)], top=1)

    def say(talk: Talk) -> tuple[str, bool]:
        label, np = talk.label(group), narrowed.phrase(talk)
        words = {"share": "占比", "percent": "百分比"} if talk.zh else {"share": "share", "percent": "percentage"}
        word = words[item.func]
        high = ("高" if most else "低") if talk.zh else "highest" if most else "lowest"
        tail = talk.one_of("shares.best_tail") if shown else ""
        return fill(talk, "shares.best", l=label, np=np, w=word, h=high, t=tail)

    return Plan(query, say, ["share", "group", "superlative"])


def group_share(kit: Kit) -> Plan | None:
    """Each group's part of the whole."""
    table = kit.table(lambda t: kit.category(t) is not None and not t.entity.link)
    group = kit.category(table) if table else None
    scope = kit.scope(table, 1, joins=0) if table else None
    if not table or not group or not scope or any(m.condition and group.name in str(m.condition) for m in scope.mods):
        return None
    columns = [c for c in table.data if additive(c)]
    column = kit.rng.choice(columns) if columns and kit.rng.random() < 0.45 else None
    func = kit.rng.choice(["share", "percent"])
    item = Agg(func, scope.ref(column) if column else None)  # type: ignore[arg-type]
    query = show(scope, [scope.ref(group), item], by=(scope.ref(group),))

    def say(talk: Talk) -> tuple[str, bool]:
        np, label = scope.phrase(talk), talk.label(group)
        what = talk.label(column) if column else ""
        if talk.zh:
            word = talk.one_of(f"shares.group_{func}_word")
            return fill(
                talk,
                "shares.group",
                label=label,
                np=np,
                what=what,
                w=word,
                part="多少比例" if func == "share" else "百分之几",
            )
        word = talk.one_of(f"shares.group_{func}_word")
        of = f"total {what} of {np}" if column else np
        return fill(talk, "shares.group", w=word, of=of, label=label)

    return Plan(query, say, ["share", "group", *scope.tags])


def conditional_counts(kit: Kit) -> Plan | None:
    """Per group: all rows and those that pass a test."""
    table = kit.table(lambda t: kit.category(t) is not None and not t.entity.link)
    group = kit.category(table) if table else None
    if not table or not group:
        return None
    part = own_filter(table, kit.rng, {group.name, *(c.name for c in table.display)})
    if not part or part.tag in ("like", "null"):
        return None
    scope = Scope(table)
    both = kit.rng.random() < 0.6
    items: list[Expr] = [scope.ref(group), *([Agg("count")] if both else []), Agg("count", where=part.condition)]
    query = show(scope, items, by=(scope.ref(group),))
    narrowed = Scope(table, [Mod(None, part.say, [])])

    def say(talk: Talk) -> tuple[str, bool]:
        label, nouns, np = talk.label(group), talk.noun(table), narrowed.phrase(talk)
        return fill(talk, "shares.with_all" if both else "shares.zero_included", label=label, n=nouns, np=np)

    return Plan(query, say, ["conditional", "group"])
