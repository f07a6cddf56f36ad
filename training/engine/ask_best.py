"""Questions about extremes: the first rows, the best of a child table or of each group, above the average."""

from __future__ import annotations

from inquery.form.ast import (
    Agg,
    Block,
    ColumnRef,
    Literal,
    Predicate,
    Sort,
    Source,
)
from training.engine.ask_rows import said_count, said_list
from training.engine.plan import (
    Kit,
    Plan,
    extreme,
    fill,
    names_of,
    refs,
    show,
    superlative,
)
from training.engine.schema import Column, Table
from training.engine.scope import Mod, Scope, Step, is_tree, steps
from training.engine.talk import Talk


def best_of_each(kit: Kit) -> Plan | None:
    """The row with the highest or lowest value within each group."""
    table = kit.table(lambda t: kit.category(t) is not None and kit.numeric(t) is not None)
    column = kit.numeric(table) if table else None
    group = kit.category(table) if table else None
    if not table or not column or not group or group.kind == "flag":
        return None
    most = kit.rng.random() < 0.75
    name = [c for c in kit.shown_name(table) if c not in (group, column)]
    ref, key = ColumnRef(table.name, column.name), ColumnRef(table.name, group.name)
    inner = Block((Source(table.name),), (Agg("max" if most else "min", ref),), same=(key,))
    shown = [key, *refs(table.name, name), ref]
    query = Block((Source(table.name),), tuple(shown), where=Predicate("=", ref, inner))

    def say(talk: Talk) -> tuple[str, bool]:
        label, noun = talk.label(group), talk.noun(table, many=False)
        cols = names_of(talk, [*name, column], many=False)
        adjective = superlative(talk, column, most)
        if talk.zh:
            return fill(talk, "best.of_each", l=label, adj=adjective, n=noun, cols=cols, m=talk.measure(table))
        end = f"the {adjective} {noun}" if adjective else f"the {noun} {extreme(talk, column, most)}"
        return fill(talk, "best.of_each", l=label, end=end, cols=cols)

    return Plan(query, say, ["per group", "nested"])


def best(kit: Kit) -> Plan | None:
    """The first rows by a column: one or several."""
    rng = kit.rng
    table = kit.table(lambda t: kit.ranked(t) is not None)
    order = kit.ranked(table) if table else None
    scope = kit.scope(table, 1, joins=0.3) if table else None
    if not table or not order or not scope:
        return None
    if any(f"column={order.name!r}" in repr(mod.condition) for mod in scope.mods):
        return None
    most = rng.random() < 0.72
    top = rng.choices([1, 2, 3, 5, 10], (58, 3, 18, 15, 6))[0]
    columns = list(kit.shown_name(table)) if rng.random() < 0.6 else kit.columns(table)
    if rng.random() < 0.25 and order not in columns:
        columns.append(order)
    query = show(scope, refs(scope.source, columns), sort=[Sort(scope.ref(order), most)], top=top)

    def say(talk: Talk) -> tuple[str, bool]:
        return (
            _said_best_zh(talk, scope, columns, order, most, top)
            if talk.zh
            else _said_best_en(talk, scope, columns, order, most, top)
        )

    return Plan(query, say, ["top" if top > 1 else "superlative", *scope.tags])


def _said_best_en(
    talk: Talk, scope: Scope, columns: list[Column], order: Column, most: bool, top: int
) -> tuple[str, bool]:
    table = scope.table
    adjective = superlative(talk, order, most)
    one = top == 1
    np = scope.phrase(talk, many=not one)
    bare = columns == table.display
    cols = names_of(talk, columns, many=not one)
    label = talk.label(order)
    count = talk.number(top)
    ends = [f"the {'' if one else count + ' '}{np} {extreme(talk, order, most)}"]
    if adjective:
        ends += [f"the {'' if one else count + ' '}{adjective} {np}"] * 2
    if not one:
        ends += [f"the {'top' if most else 'bottom'} {count} {np} by {label}"] * 2
    end = talk.pick(*ends)
    if bare and one:
        words = "highest" if most else "lowest"
        if order.attribute and (order.attribute.dated or order.kind == "year"):
            words = "latest" if most else "earliest"
        return fill(
            talk,
            "best.one",
            np=np,
            words=words,
            label=label,
            end=end,
            name=talk.label(columns[0]),
            who="who" if table.entity.person else "which",
        )
    if bare:
        return fill(talk, "best.several", end=end.removeprefix("the ") if talk.rng.random() < 0.2 else end)
    return fill(talk, "best.columns", cols=cols, end=end, be="is" if one and len(columns) == 1 else "are")


def _said_best_zh(
    talk: Talk, scope: Scope, columns: list[Column], order: Column, most: bool, top: int
) -> tuple[str, bool]:
    table = scope.table
    adjective = superlative(talk, order, most)
    np, measure = scope.phrase(talk), talk.measure(table)
    cols = names_of(talk, columns, many=False)
    label = talk.label(order)
    bare = columns == table.display
    if top == 1:
        if bare:
            ways = talk.ways("best.one")
            if table.entity.person:
                ways += talk.ways("best.one_person")
            elif columns and "名" in talk.label(columns[0]):
                ways += talk.ways("best.one_named")
            return fill(talk, ways, adj=adjective, np=np, m=measure)
        return fill(talk, "best.one_columns", adj=adjective, np=np, m=measure, cols=cols)
    count = talk.number(top)
    ways = talk.ways("best.end" if most else "best.end_least")
    if order.attribute and not order.attribute.numeric:
        ways = ways[:2]
    end = talk.pick(*ways).format(adj=adjective, n=count, m=measure, np=np, label=label)
    if bare:
        return fill(talk, "best.several", end=end)
    return fill(talk, "best.columns", end=end, cols=cols)


def above_average(kit: Kit) -> Plan | None:
    """Rows compared with the average, the maximum or the minimum of all rows."""
    rng = kit.rng
    table = kit.table(lambda t: kit.numeric(t) is not None)
    column = kit.numeric(table) if table else None
    if not table or not column:
        return None
    scope = Scope(table)
    ref = scope.ref(column)
    func, op = rng.choices([("avg", ">"), ("avg", "<"), ("max", "="), ("min", "=")], (58, 32, 6, 4))[0]
    inner = Block((Source(table.name),), (Agg(func, ref),))  # type: ignore[arg-type]
    columns = kit.columns(table)
    counted = func == "avg" and rng.random() < 0.25
    test = Predicate(op, ref, inner)  # type: ignore[arg-type]
    query = Block((Source(table.name),), (Agg("count"),) if counted else refs(table.name, columns), where=test)

    def say(talk: Talk) -> tuple[str, bool]:
        part = _said_average(talk, column, func, op)
        described = Scope(table, [Mod(None, lambda _: part, [])])
        if counted:
            return said_count(talk, described)
        return said_list(talk, described, columns)

    return Plan(query, say, ["nested", "average" if func == "avg" else "extreme"])


def _said_average(talk: Talk, column: Column, func: str, op: str) -> tuple[str, str]:
    label = talk.label(column)
    if talk.zh:
        if func == "avg":
            return "", talk.pick(
                f"{label}{'高于' if op == '>' else '低于'}平均值",
                f"{label}{'超过' if op == '>' else '不到'}平均{label}",
                f"{label}{'大于' if op == '>' else '小于'}平均水平",
            )
        return "", f"{label}等于{'最大值' if func == 'max' else '最小值'}"
    if func == "avg":
        word = talk.one_of("best.above" if op == ">" else "best.below")
        side = "above" if op == ">" else "below"
        return "", talk.pick(
            f"{talk.whose(label)} {word} the average",
            f"with {talk.a(label)} {word} average",
            f"{talk.whose(label)} {word} the average {label}",
            f"with {side}-average {label}",
        )
    return "", f"whose {label} equals the {'maximum' if func == 'max' else 'minimum'}"


def best_of_child(kit: Kit) -> Plan | None:
    """A table found by the best row of a table that refers to it."""
    rng = kit.rng
    child = kit.table(lambda t: kit.numeric(t) is not None and kit.up(t) is not None and not t.entity.link)
    column = kit.numeric(child) if child else None
    ways = [s for s in steps(kit.schema, child) if s.kind == "up" and s.far.display] if child else []
    if not child or not column or not ways:
        return None
    step = rng.choice(ways)
    parent = step.far
    sources = (Source(parent.name), Source(child.name))
    if not is_tree(kit.schema, sources):
        return None
    columns = kit.columns(parent, rng.choice([1, 1, 2]))
    most = rng.random() < 0.75
    query = Block(
        sources,
        refs(parent.name, columns),
        sort=(Sort(ColumnRef(child.name, column.name), most),),
        top=Literal(1, "number"),
    )

    def say(talk: Talk) -> tuple[str, bool]:
        return _said_child(talk, step, child, columns, superlative_of=(column, most))

    return Plan(query, say, ["superlative", "join"])


_HAS = {"have": "has", "own": "owns", "teach": "teaches", "employ": "employs", "hold": "holds", "manage": "manages"}
_HAS |= {"contain": "contains", "offer": "offers"}


def _said_child(
    talk: Talk, step: Step, child: Table, columns: list[Column], superlative_of: tuple[Column, bool]
) -> tuple[str, bool]:
    parent, reference = step.far, step.key.reference
    noun, kid = talk.noun(parent, many=False), talk.noun(child, many=False)
    cols = names_of(talk, columns, many=False)
    adjective = superlative(talk, *superlative_of)
    if talk.zh:
        verb = reference.verb if reference and reference.verb and len(reference.verb) < 3 else "有"
        ways = talk.ways("best.of_child") + (talk.ways("best.of_child_verb") if verb != "有" else [])
        measure, own = talk.measure(parent), talk.measure(child)
        return fill(talk, ways, adj=adjective, kid=kid, noun=noun, m=measure, km=own, cols=cols, verb=verb)
    end = f"the {adjective} {kid}" if adjective else f"the {kid} {extreme(talk, *superlative_of)}"
    who = "who" if parent.entity.person else "that"
    active = (reference.active if reference else "") or "have"
    be = "are" if len(columns) > 1 else "is"
    active = _HAS.get(active, active)
    return fill(talk, "best.of_child", be=be, cols=cols, noun=noun, who=who, active=active, end=end)
