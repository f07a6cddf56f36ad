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
        measure = talk.measure(table) if talk.zh else ""
        nouns = "" if talk.zh else talk.noun(table)
        slots = {"m": measure, "n": noun, "ns": nouns, "cols": cols, "a": a, "b": b, "l": label, "al": al, "bl": bl}
        return fill(talk, "roles.both_ends", **slots)

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
        return _said_busiest(talk, table, key, target, top)

    return Plan(query, say, ["roles", "join", "group"])


def _said_busiest(talk: Talk, table: Table, key: Column, target: Table, top: int) -> tuple[str, bool]:
    noun, nouns, many = talk.noun(target, many=False), talk.noun(table), talk.noun(target)
    role = key.chinese if talk.zh else key.label
    if not talk.zh:
        name = "busiest_several" if top > 1 else "busiest" if top else "count_each"
        return fill(talk, f"roles.{name}", t=noun, ts=many, r=role, n=nouns, k=str(top))
    measure = talk.measure(target)
    if not top:
        return fill(talk, "roles.count_each", m=measure, t=noun, r=role, n=nouns, k=talk.measure(table))
    which = f"哪{measure}" if top == 1 else f"哪{top}{measure}"
    several = "" if top == 1 else f"{top}{talk.measure(target)}"
    return fill(talk, "roles.busiest", w=which, t=noun, r=role, n=nouns, x=several)


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
        return fill(talk, "roles.pair", m=talk.measure(table), n=noun, r=key.chinese, l=label)
    return fill(talk, "roles.pair", l=label, n=noun, ns=talk.noun(table), r=key.label)


def _said_beats(talk: Talk, table: Table, key: Column, column: Column) -> tuple[str, bool]:
    label = talk.label(column)
    if talk.zh:
        return fill(talk, "roles.beats", l=label, r=key.chinese, n=talk.noun(table))
    return fill(talk, "roles.beats", n=talk.noun(table), l=label, r=key.label)


def _said_followers(talk: Talk, table: Table, key: Column) -> tuple[str, bool]:
    if talk.zh:
        return fill(talk, "roles.followers", r=key.chinese, n=talk.noun(table), m=talk.measure(table))
    return fill(talk, "roles.followers", n=talk.noun(table), r=key.label)
