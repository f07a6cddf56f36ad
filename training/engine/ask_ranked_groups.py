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


def _said_having(talk: Talk, group: Group, metric: Metric, op: str, value: float, shown: bool) -> tuple[str, bool]:
    np, words = rows_phrase(talk, group), group.word(talk, many=True)
    said = talk.number(value, metric.column)
    if talk.zh:
        sign = talk.pick(
            *{
                ">": ("超过", "多于", "大于"),
                ">=": ("不少于", "至少有", "大于等于"),
                "<": ("少于", "不到", "低于"),
                "=": ("等于", "刚好为"),
            }[op]
        )
        if metric.func == "count":
            measure = talk.measure(group.scope.table)
            clause = talk.pick(
                f"{np}{sign.replace('至少有', '至少为')}{said}{measure}",
                f"{np}数量{sign.replace('至少有', '不少于')}{said}",
                f"至少有{said}{measure}{np}" if op == ">=" else f"{np}数{sign.replace('至少有', '不少于')}{said}",
            )
        else:
            clause = f"{metric.word(talk, np)}{sign.replace('至少有', '不低于')}{said}"
        tail = (
            talk.pick("及其数量", "和对应数量", "，并给出数量")
            if metric.func == "count"
            else talk.pick("及对应数值", "，并给出该值")
        )
        return fill(
            talk,
            ["哪些{w}的{c}", "{c}的{w}有哪些", "列出{c}的{w}", "{c}的{w}", "找出{c}的{w}"]
            if not shown
            else ["列出{c}的{w}{t}", "{c}的{w}{t}", "找出{c}的{w}{t}"],
            w=words,
            c=clause,
            t=tail,
        )
    sign = talk.pick(
        *{
            ">": ("more than", "over"),
            ">=": ("at least", "no fewer than"),
            "<": ("fewer than", "less than"),
            "=": ("exactly",),
        }[op]
    )
    if metric.func == "count":
        clause = f"{sign} {said} {np}"
        tail = talk.pick(" and how many", ", with the number", ", and show the count")
        ways = [
            "which {w} have {c}",
            "{w} with {c}",
            "find the {w} with {c}",
            "list the {w} that have {c}",
            "show {w} having {c}",
            "what are the {w} with {c}",
        ]
        if shown:
            ways = [
                "which {w} have {c}{t}",
                "{w} with {c}{t}",
                "list the {w} with {c}{t}",
                "show the {w} that have {c}{t}",
            ]
        return fill(talk, ways, w=words, c=clause, t=tail)
    what = metric.word(talk, np)
    side = {
        ">": talk.pick("above", "over", "greater than"),
        ">=": "of at least",
        "<": talk.pick("below", "under"),
        "=": "of exactly",
    }[op]
    tail = f", and show the {what.split(' of ')[0]}" if shown else ""
    return fill(
        talk,
        [
            "which {w} have {what} {s} {v}{t}",
            "find the {w} whose {what} is {s2} {v}{t}",
            "{w} with {what} {s} {v}{t}",
            "list {w} where the {what} is {s2} {v}{t}",
        ],
        w=words,
        what=talk.a(what) if talk.rng.random() < 0.5 and metric.func == "avg" else what,
        s=side,
        s2=side.removeprefix("of "),
        v=said,
        t=tail,
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
    high = talk.pick("highest", "largest", "greatest") if most else talk.pick("lowest", "smallest")
    tail = (
        talk.pick(", and how many", ", with the number", " and the count")
        if metric.func == "count"
        else talk.pick(", and what is it", ", with the value", f" and the {what.split(' of ')[0]}")
    )
    tail = tail if shown else ""
    if top == 1:
        if metric.func == "count":
            ways = [
                "which {word} has the {m} {np}{t}",
                "what is the {word} with the {m} {np}{t}",
                "find the {word} with the {m} {np}{t}",
                "{word} with the {m} {np}{t}",
            ]
            if group.column:
                ways += [
                    "what is the most common {word} of {np}{t}"
                    if most
                    else "what is the least common {word} of {np}{t}"
                ] * 2
            return fill(talk, ways, word=word, m="most" if most else "fewest", np=np, t=tail)
        return fill(
            talk,
            [
                "which {word} has the {h} {what}{t}",
                "find the {word} with the {h} {what}{t}",
                "{word} with the {h} {what}{t}",
            ],
            word=word,
            h=high,
            what=what,
            t=tail,
        )
    count = talk.number(top)
    if metric.func == "count":
        return fill(
            talk,
            [
                "top {n} {words} by number of {np}{t}",
                "which {n} {words} have the {m} {np}{t}",
                "list the {n} {words} with the {m} {np}{t}",
                "show the {n} {words} having the {m} {np}{t}",
            ]
            if most
            else ["which {n} {words} have the fewest {np}{t}", "the {n} {words} with the fewest {np}{t}"],
            n=count,
            words=words,
            m="most",
            np=np,
            t=tail,
        )
    return fill(
        talk,
        [
            "top {n} {words} by {what}{t}" if most else "bottom {n} {words} by {what}{t}",
            "which {n} {words} have the {h} {what}{t}",
            "list the {n} {words} with the {h} {what}{t}",
        ],
        n=count,
        words=words,
        what=what,
        h=high,
        t=tail,
    )


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
        tail = talk.pick("，是多少", "，并给出数值", "及对应数值")
    tail = tail if shown else ""
    if top == 1:
        ways = [
            "哪{m}{word}的{best}{t}",
            "{best}的{word}是哪{m}{t}",
            "哪{m}{word}{best}{t}",
            "{best}的{word}{t}",
            "找出{best}的{word}{t}",
        ]
        if group.column and metric.func == "count":
            ways += ["{np}最常见的{word}是什么{t}"] if most else []
        return fill(talk, ways, m=measure, word=word, best=best, t=tail, np=np)
    count = talk.number(top)
    return fill(
        talk,
        [
            "{best}的前{n}{m}{word}{t}",
            "{best}的{n}{m}{word}{t}",
            "{best}的{n}{m}{word}是哪些{t}",
            "列出{best}的前{n}{m}{word}{t}",
            "找出{best}的{n}{m}{word}{t}",
        ],
        best=best,
        n=count,
        m=measure,
        word=word,
        t=tail,
    )
