"""Questions about groups that pass a threshold, and about the best of them."""

from __future__ import annotations

from inquery.form.ast import (
    Literal,
    Predicate,
    Sort,
)
from training.engine.filters import nice
from training.engine.groups import Group, Metric, pick_group, pick_metric, rows_phrase
from training.engine.plan import Kit, Plan, fill, show
from training.engine.talk import Talk


def having(kit: Kit) -> Plan | None:
    """Groups whose metric passes a threshold."""
    group = pick_group(kit, most=1, by_table=0.6)
    if not group:
        return None
    rng = kit.rng
    metric = pick_metric(kit, group.scope, 0.72)
    if metric.func == "count":
        usual = group.scope.table.rows / group.count()
        value: float = max(1 if rng.random() < 0.4 else 2, round(usual * rng.choice([0.5, 0.8, 1, 1.3])))
    else:
        cells = sorted(float(c) for c in metric.column.cells if isinstance(c, int | float)) if metric.column else [1]

        value = nice(
            cells[len(cells) // 2] * (group.scope.table.rows / group.count() if metric.func == "sum" else 1),
            metric.column.kind if metric.column else "int",
        )
    op = rng.choices(
        [">", ">=", "<", "="], (48, 36 if value > 1 else 0, 12 if value > 1 else 0, 4 if metric.func == "count" else 0)
    )[0]
    shown = rng.random() < 0.45
    test = Predicate(op, metric.expr, Literal(value, "number"))  # type: ignore[arg-type]
    query = show(group.scope, [*group.items, *([metric.expr] if shown else [])], by=group.keys, having=test)

    def say(talk: Talk) -> tuple[str, bool]:
        return _said_having(talk, group, metric, op, value, shown)

    return Plan(query, say, ["having", "group", metric.func, *group.scope.tags])


_SIGNS = {">": "over", ">=": "least", "<": "under", "=": "exactly"}


def _said_having(talk: Talk, group: Group, metric: Metric, op: str, value: float, shown: bool) -> tuple[str, bool]:
    np, words = rows_phrase(talk, group), group.word(talk, many=True)
    said = talk.number(value, metric.column)
    sign = talk.one_of(f"ranked_groups.sign_{_SIGNS[op]}")
    name = "ranked_groups.having_shown" if shown else "ranked_groups.having"
    if talk.zh:
        clause = _having_clause_zh(talk, group, metric, np, sign, said)
        kind = "count" if metric.func == "count" else "value"
        return fill(talk, name, w=words, c=clause, t=talk.one_of(f"ranked_groups.having_{kind}_tail"))
    if metric.func == "count":
        tail = talk.one_of("ranked_groups.having_count_tail")
        return fill(talk, name, w=words, c=f"{sign} {said} {np}", t=tail)
    what = metric.word(talk, np)
    above, below = talk.one_of("ranked_groups.above"), talk.one_of("ranked_groups.below")
    side = {">": above, ">=": "of at least", "<": below, "=": "of exactly"}[op]
    tail = f", and show the {what.split(' of ')[0]}" if shown else ""
    what = talk.a(what) if talk.rng.random() < 0.5 and metric.func == "avg" else what
    plain = side.removeprefix("of ")
    return fill(talk, "ranked_groups.having_value", w=words, what=what, s=side, s2=plain, v=said, t=tail)


def _having_clause_zh(talk: Talk, group: Group, metric: Metric, np: str, sign: str, said: str) -> str:
    if metric.func != "count":
        return f"{metric.word(talk, np)}{sign.replace('至少有', '不低于')}{said}"
    measure = talk.measure(group.scope.table)
    least = sign in talk.ways("ranked_groups.sign_least")
    return talk.pick(
        f"{np}{sign.replace('至少有', '至少为')}{said}{measure}",
        f"{np}数量{sign.replace('至少有', '不少于')}{said}",
        f"至少有{said}{measure}{np}" if least else f"{np}数{sign.replace('至少有', '不少于')}{said}",
    )


def best_group(kit: Kit) -> Plan | None:
    """The group, or the first few, with the most or least of a metric."""
    group = pick_group(kit, by_table=0.6)
    if not group:
        return None
    rng = kit.rng
    metric = pick_metric(kit, group.scope, 0.6)
    if metric.func in ("max", "min"):
        return None
    most = rng.random() < 0.8
    top = rng.choices([1, 3, 5, 10], (68, 14, 13, 5))[0]
    if group.count() <= top + 1:
        return None
    shown = rng.random() < (0.35 if top == 1 else 0.6)
    items = [*group.items, *([metric.expr] if shown else [])]
    ties = top > 1 and rng.random() < 0.15
    sort = [Sort(metric.expr, most), *([Sort(group.items[0])] if ties else [])]
    query = show(group.scope, items, by=group.keys, sort=sort, top=top)

    def say(talk: Talk) -> tuple[str, bool]:
        if talk.zh:
            text, asks = _said_best_group_zh(talk, group, metric, most, top, shown)
            return (text + f"，相同的按{group.word(talk)}排", False) if ties else (text, asks)
        text, asks = _said_best_group_en(talk, group, metric, most, top, shown)
        return (text + f", ties by {group.word(talk)} name", asks) if ties else (text, asks)

    return Plan(query, say, ["group", "superlative" if top == 1 else "top", metric.func, *group.scope.tags])


def _said_best_group_en(
    talk: Talk, group: Group, metric: Metric, most: bool, top: int, shown: bool
) -> tuple[str, bool]:
    np, word, words = rows_phrase(talk, group), group.word(talk), group.word(talk, many=True)
    what = metric.word(talk, np)
    high = talk.one_of("ranked_groups.highest" if most else "ranked_groups.lowest")
    tail = (
        talk.one_of("ranked_groups.best_count_tail")
        if metric.func == "count"
        else talk.pick(", and what is it", ", with the value", f" and the {what.split(' of ')[0]}")
    )
    slots = {"np": np, "word": word, "words": words, "what": what, "h": high, "t": tail if shown else ""}
    slots |= {"m": "most" if most else "fewest", "least": "most" if most else "least"}
    slots |= {"n": "" if top == 1 else talk.number(top), "top": "top" if most else "bottom"}
    return fill(talk, _best_group_ways(talk, group, metric, most, top), **slots)


def _best_group_ways(talk: Talk, group: Group, metric: Metric, most: bool, top: int) -> list[str]:
    if metric.func != "count":
        return talk.ways("ranked_groups.best_value" if top == 1 else "ranked_groups.several_value")
    if top > 1:
        return talk.ways("ranked_groups.most_count" if most else "ranked_groups.fewest_count")
    return talk.ways("ranked_groups.best_count") + talk.ways("ranked_groups.most_common") * (2 if group.column else 0)


def _said_best_group_zh(
    talk: Talk, group: Group, metric: Metric, most: bool, top: int, shown: bool
) -> tuple[str, bool]:
    np, word = rows_phrase(talk, group), group.word(talk)
    measure = talk.measure(group.table) if group.table else "个"
    if metric.func == "count":
        best = talk.pick(
            f"{np}最{'多' if most else '少'}",
            f"{np}数量最{'多' if most else '少'}",
            f"拥有{np}最{'多' if most else '少'}" if group.table else f"{np}最{'多' if most else '少'}",
        )
        tail = talk.pick("，有多少" + talk.measure(group.scope.table), "，并给出数量", "及数量")
    else:
        best = metric.word(talk, np) + ("最高" if most else "最低")
        tail = talk.one_of("ranked_groups.best_value_tail")
    tail = tail if shown else ""
    if top == 1:
        ways = talk.ways("ranked_groups.best")
        if group.column and metric.func == "count":
            ways += talk.ways("ranked_groups.most_common") if most else []
        return fill(talk, ways, m=measure, word=word, best=best, t=tail, np=np)
    count = talk.number(top)
    return fill(talk, "ranked_groups.several", best=best, n=count, m=measure, word=word, t=tail)
