"""Questions about shares and conditional counts."""

from __future__ import annotations

from inquery.form.ast import Agg, Expr, Sort
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
        np, nouns = narrowed.phrase(talk), talk.noun(table)
        if talk.zh:
            each = f"各{talk.label(group)}" if group else ""
            word = talk.pick("比例", "占比") if func == "share" else talk.pick("百分比", "百分之多少", "占比（%）")
            if word == "百分之多少":
                return fill(
                    talk, ["{each}{np}占{n}总数的百分之多少", "{each}{n}中{np}占百分之多少"], each=each, np=np, n=nouns
                )
            return fill(
                talk,
                ["{each}{np}占全部{n}的{w}是多少", "{each}{np}的{w}", "{each}{n}里{np}的{w}是多少"]
                if group
                else ["{np}占全部{n}的{w}是多少", "{np}在所有{n}中的{w}", "{n}里{np}的{w}是多少", "{np}{w}"],
                each=each,
                np=np,
                n=nouns,
                w=word,
            )
        word = talk.pick("share", "proportion", "fraction") if func == "share" else talk.pick("percentage", "percent")
        tail = (
            talk.pick(f" for each {talk.label(group)}", f" by {talk.label(group)}", f" per {talk.label(group)}")
            if group
            else ""
        )
        lead = "what percent of" if word == "percent" else f"what {word} of"
        return fill(
            talk,
            [
                "{lead} {n} {pred}{tail}",
                "{lead} all {n} {pred}{tail}",
                "{w} of {np}{tail}",
                "show the {w} of {np} among all {n}{tail}",
                "{w} of {n} that {pred}{tail}",
            ],
            pred=predicate(talk, part.say(talk)),
            lead=lead,
            w="percentage" if word == "percent" else word,
            n=nouns,
            np=np,
            tail=tail,
        )

    return Plan(query, say, ["share", *(["group"] if group else [])])


def _best_share(kit: Kit, scope: Scope, group: Column, item: Agg, narrowed: Scope) -> Plan:
    """The group with the highest or lowest share."""
    most = kit.rng.random() < 0.75
    shown = kit.rng.random() < 0.6
    key = scope.ref(group)
    query = show(scope, [key, *([item] if shown else [])], by=(key,), sort=[Sort(item, most)], top=1)

    def say(talk: Talk) -> tuple[str, bool]:
        label, np = talk.label(group), narrowed.phrase(talk)
        word = (
            ("占比" if item.func == "share" else "百分比")
            if talk.zh
            else ("share" if item.func == "share" else "percentage")
        )
        if talk.zh:
            tail = talk.pick("，是多少", "，给出该比例") if shown else ""
            return fill(
                talk,
                ["哪个{l}的{np}{w}最{h}{t}", "{np}{w}最{h}的{l}是哪个{t}"],
                l=label,
                np=np,
                w=word,
                h="高" if most else "低",
                t=tail,
            )
        tail = talk.pick(", and what is it", ", with the figure") if shown else ""
        return fill(
            talk,
            ["which {l} has the {h} {w} of {np}{t}", "{l} with the {h} {w} of {np}{t}"],
            l=label,
            h="highest" if most else "lowest",
            w=word,
            np=np,
            t=tail,
        )

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
            word = talk.pick("占比", "所占比例") if func == "share" else talk.pick("百分比", "占比（百分比）")
            return fill(
                talk,
                [
                    "各{label}{np}{what}的{w}",
                    "{np}按{label}的{what}{w}",
                    "每种{label}的{np}{what}{w}是多少",
                    "各{label}的{np}{what}分别占多少比例" if func == "share" else "各{label}的{np}{what}分别占百分之几",
                ],
                label=label,
                np=np,
                what=what,
                w=word,
            )
        word = talk.pick("share", "proportion") if func == "share" else talk.pick("percentage", "percent share")
        of = f"total {what} of {np}" if column else np
        return fill(
            talk,
            [
                "what {w} of {of} does each {label} account for",
                "{w} of {of} by {label}",
                "show the {w} of {of} for each {label}",
                "for each {label}, what is its {w} of {of}",
            ],
            w=word,
            of=of,
            label=label,
        )

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
        if talk.zh:
            ways = (
                [
                    "各{label}的{n}总数和{np}数量",
                    "按{label}统计{n}数量以及其中{np}的数量",
                    "每个{label}有多少{n}，其中{np}有多少",
                ]
                if both
                else ["各{label}里{np}的数量，没有的也算0", "按{label}统计{np}数量，包括为0的"]
            )
            return fill(talk, ways, label=label, n=nouns, np=np)
        ways = (
            [
                "for each {label}, show the number of {n} and of {np}",
                "number of {n} and number of {np} by {label}",
                "per {label}: how many {n}, and how many of them are {np}",
            ]
            if both
            else [
                "number of {np} for each {label}, zero included",
                "for every {label}, count the {np}, including those with none",
            ]
        )
        return fill(talk, ways, label=label, n=nouns, np=np)

    return Plan(query, say, ["conditional", "group"])
