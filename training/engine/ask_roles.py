"""Questions about tables that point twice to one table, or to themselves."""

from __future__ import annotations

from inquery.form.ast import (
    Agg,
    Block,
    ColumnRef,
    Expr,
    Literal,
    Predicate,
    Sort,
    Source,
    TableRef,
)
from training.engine.ask_rows import said_count, said_list
from training.engine.condition import literal
from training.engine.plan import Kit, Plan, fill, names_of, refs
from training.engine.schema import Column, Table
from training.engine.scope import Mod, Scope
from training.engine.talk import Talk


def _role_pairs(kit: Kit) -> list[tuple[Table, Column, Column]]:
    found = []
    for table in kit.schema.tables:
        for i, first in enumerate(table.references):
            for second in table.references[i + 1 :]:
                if (
                    first.target is second.target
                    and first.target is not table
                    and first.target
                    and first.target.display
                ):
                    found.append((table, first, second))
    return found


def roles(kit: Kit) -> Plan | None:
    """Both ends of a row that points twice to one table, or the rows or counts of one end."""
    pairs = _role_pairs(kit)
    if not pairs:
        return None
    table, first, second = kit.rng.choice(pairs)
    roll = kit.rng.random()
    if roll < 0.4:
        return _both_ends(kit, table, first, second)
    key = kit.rng.choice([first, second])
    return _one_end(kit, table, key) if roll < 0.7 else _busiest_end(kit, table, key)


def _both_ends(kit: Kit, table: Table, first: Column, second: Column) -> Plan:
    target = first.target
    assert target
    names = target.display[:1]
    own = [c for c in kit.columns(table, kit.rng.choice([1, 2])) if c.attribute] or kit.shown_name(table)
    ends = [Source(target.name, role=c.name) for c in (first, second)]
    shown = (*refs(table.name, own), *(ColumnRef(e.name, names[0].name) for e in ends))
    query = Block((Source(table.name), *ends), shown)

    def say(talk: Talk) -> tuple[str, bool]:
        noun, label = talk.noun(table, many=False), talk.label(names[0])
        cols = names_of(talk, own, many=False)
        a, b = (c.chinese if talk.zh else c.label for c in (first, second))
        al, bl = talk.of_role(a, label), talk.of_role(b, label)
        if talk.zh:
            return fill(
                talk,
                [
                    "列出每{m}{n}的{cols}、{a}和{b}的{l}",
                    "每{m}{n}的{cols}，以及{al}和{bl}",
                    "{n}的{cols}、{al}、{bl}",
                ],
                m=talk.measure(table),
                n=noun,
                cols=cols,
                a=a,
                b=b,
                l=label,
                al=al,
                bl=bl,
            )
        return fill(
            talk,
            [
                "for each {n}, show the {cols}, the {al} and the {bl}",
                "list the {cols} of every {n} with the {l} of its {a} and {b}",
                "{cols}, {al} and {bl} of all {ns}",
            ],
            n=noun,
            ns=talk.noun(table),
            cols=cols,
            a=a,
            b=b,
            l=label,
            al=al,
            bl=bl,
        )

    return Plan(query, say, ["roles", "join", "list"])


def _one_end(kit: Kit, table: Table, key: Column) -> Plan | None:
    target = key.target
    assert target
    name = target.display[0]
    used = [int(k) for k in key.cells if isinstance(k, int)]
    cell = name.cells[kit.rng.choice(used) - 1] if used else None
    if cell is None:
        return None
    end = Source(target.name, role=key.name)
    counted = kit.rng.random() < 0.5
    columns = [c for c in kit.columns(table) if c.attribute] or kit.shown_name(table)
    test = Predicate("=", ColumnRef(key.name, name.name), literal(cell))
    query = Block((Source(table.name), end), (Agg("count"),) if counted else refs(table.name, columns), where=test)

    def say(talk: Talk) -> tuple[str, bool]:
        value = talk.value(target, name, cell)
        part = (
            ("", f"{key.chinese}是{value}")
            if talk.zh
            else ("", f"{'with' if talk.rng.random() < 0.5 else 'whose'} {key.label} {value}")
        )
        part = part if talk.zh or part[1].startswith("with") else ("", f"whose {key.label} is {value}")
        scope = Scope(table, [Mod(None, lambda _: part, [])])
        return said_count(talk, scope) if counted else said_list(talk, scope, columns)

    return Plan(query, say, ["roles", "join", *(["count"] if counted else ["list"])])


def _busiest_end(kit: Kit, table: Table, key: Column) -> Plan:
    target = key.target
    assert target
    end = Source(target.name, role=key.name)
    top = kit.rng.choice([0, 1, 1, 3])
    items: tuple[Expr, ...] = (
        *(ColumnRef(key.name, c.name) for c in target.display[:1]),
        *([Agg("count")] if top != 1 else []),
    )
    query = Block(
        (Source(table.name), end),
        items,
        by=(TableRef(key.name),),
        sort=(Sort(Agg("count"), True),) if top else (),
        top=Literal(top, "number") if top else None,
    )

    def say(talk: Talk) -> tuple[str, bool]:
        noun, nouns, many = talk.noun(target, many=False), talk.noun(table), talk.noun(target)
        if talk.zh:
            if not top:
                return fill(
                    talk,
                    ["每{m}{t}作为{r}的{n}有多少{k}", "统计各{t}作为{r}的{n}数量"],
                    m=talk.measure(target),
                    t=noun,
                    r=key.chinese,
                    n=nouns,
                    k=talk.measure(table),
                )
            which = f"哪{talk.measure(target)}" if top == 1 else f"哪{top}{talk.measure(target)}"
            return fill(
                talk,
                ["{w}{t}作为{r}的{n}最多", "作为{r}出现在{n}中次数最多的{x}{t}"],
                w=which,
                t=noun,
                r=key.chinese,
                n=nouns,
                x="" if top == 1 else f"{top}{talk.measure(target)}",
            )
        if not top:
            return fill(
                talk,
                [
                    "how many {n} does each {t} have as {r}",
                    "number of {n} per {r}",
                    "for each {t}, count the {n} where it is the {r}",
                ],
                n=nouns,
                t=noun,
                r=key.label,
            )
        return fill(
            talk,
            ["which {t} is the {r} of the most {n}", "find the {t} that appears most often as {r}"]
            if top == 1
            else ["top {k} {ts} by number of {n} as {r}", "which {k} {ts} were most often the {r} of {n}"],
            t=noun,
            ts=many,
            r=key.label,
            n=nouns,
            k=str(top),
        )

    return Plan(query, say, ["roles", "join", "group"])


def own_kind(kit: Kit) -> Plan | None:
    """A table that points to itself: employees and their managers."""
    found = [(t, c) for t in kit.schema.tables for c in t.references if c.target is t and t.display]
    if not found:
        return None
    rng = kit.rng
    table, key = rng.choice(found)
    head = Source(table.name, role=key.name)
    name = table.display[0]
    roll = rng.random()
    column = kit.numeric(table)
    own, far = ColumnRef(table.name, name.name), ColumnRef(key.name, name.name)
    if roll < 0.35 or column is None:
        query = Block((Source(table.name), head), (own, far))
        return Plan(query, lambda talk: _said_pair(talk, table, key, name), ["self join", "list"])
    if roll < 0.65:
        test = Predicate(">", ColumnRef(table.name, column.name), ColumnRef(key.name, column.name))
        query = Block((Source(table.name), head), (own,), where=test)
        return Plan(query, lambda talk: _said_beats(talk, table, key, column), ["self join", "compare columns"])
    query = Block((Source(table.name), head), (far, Agg("count")), by=(TableRef(key.name),))
    return Plan(query, lambda talk: _said_followers(talk, table, key), ["self join", "group"])


def _said_pair(talk: Talk, table: Table, key: Column, name: Column) -> tuple[str, bool]:
    noun, label = talk.noun(table, many=False), talk.label(name)
    if talk.zh:
        return fill(
            talk,
            ["列出每{m}{n}和{r}的{l}", "每{m}{n}的{l}以及其{r}的{l}", "{n}的{l}和对应{r}的{l}"],
            m=talk.measure(table),
            n=noun,
            r=key.chinese,
            l=label,
        )
    return fill(
        talk,
        [
            "list the {l} of each {n} and the {l} of the {r}",
            "for each {n}, show the {l} and the {r}'s {l}",
            "show {ns} together with their {r}s by {l}",
        ],
        l=label,
        n=noun,
        ns=talk.noun(table),
        r=key.label,
    )


def _said_beats(talk: Talk, table: Table, key: Column, column: Column) -> tuple[str, bool]:
    label = talk.label(column)
    if talk.zh:
        return fill(
            talk,
            ["{l}比{r}高的{n}有哪些", "哪些{n}的{l}高于自己的{r}", "列出{l}超过其{r}的{n}"],
            l=label,
            r=key.chinese,
            n=talk.noun(table),
        )
    return fill(
        talk,
        [
            "which {n} have a higher {l} than their {r}",
            "find {n} whose {l} is higher than that of their {r}",
            "{n} with more {l} than their {r}",
        ],
        n=talk.noun(table),
        l=label,
        r=key.label,
    )


def _said_followers(talk: Talk, table: Table, key: Column) -> tuple[str, bool]:
    if talk.zh:
        return fill(
            talk,
            ["每位{r}名下有多少{n}", "各{r}分别带多少{m}{n}", "统计每个{r}的{n}数量"],
            r=key.chinese,
            n=talk.noun(table),
            m=talk.measure(table),
        )
    return fill(
        talk,
        ["how many {n} does each {r} have", "number of {n} per {r}", "for each {r}, count the {n}"],
        n=talk.noun(table),
        r=key.label,
    )
